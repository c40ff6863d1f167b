/** An output that accepts CSV and writes Parquet. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type OutputColumns, parquetOf } from '../../batch/output/parquet-file.ts';
import type { OutputFile } from './output-file.ts';

export const asParquet = (output: OutputFile, columns: OutputColumns): OutputFile => {
  const csv = new PassThrough();
  const writing = (async (): Promise<void> => {
    for await (const piece of parquetOf(csv, columns)) await output.write(piece);
  })();
  // The next write gets the error. Without this handler it would end the process.
  writing.catch(() => undefined);
  return {
    canBeginAgain: output.canBeginAgain,
    write: async (bytes) => {
      if (!csv.write(Buffer.from(bytes))) await Promise.race([once(csv, 'drain'), writing]);
    },
    commit: async () => {
      csv.end();
      await writing;
      await output.commit();
    },
    abandon: async () => {
      csv.destroy();
      await Promise.allSettled([writing]);
      await output.abandon();
    },
  };
};
