/** Opens a list for a command that rates it without a server, in one or several processes, and cleans up afterward. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Config, readConfig } from '../../base/config/settings.ts';
import { type OutputColumns, parquetOf } from '../../batch/output/parquet-file.ts';
import { encodingOf, NotEncoded } from '../../files/csv/encoding.ts';
import { listText, type Origin } from '../../files/input/csv-text.ts';
import { KIND_BYTES, kindOf } from '../../files/input/file-kind.ts';
import type { Slot } from '../../files/sandbox/fair-slots.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import type { ReadOptions } from '../../lists/columns/columns.ts';
import { type ListFlags, readOptionsFrom } from '../batch/list-options.ts';
import { type Given, input, text, wholeNumber } from '../command.ts';
import { atPath, CommandFailure, EXIT } from '../exit.ts';
import { type Io, interruption } from '../io.ts';
import { createProgress, type Progress } from '../progress.ts';
import { type Local, openLocal } from './local-sources.ts';
import { formatNamed, type OutputFile, openOutput, requireOutput } from './output-file.ts';
import { type ListFile, type RatedChunk, unusable, writeRated } from './rate-file.ts';
import { type RatingPool, startRatingPool } from './rating-pool.ts';

/** The maximum size of a compressed list's text, in bytes. */
const MOST_BYTES = 2 ** 34;

const startOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** A command reads one list, so it does not wait for a slot. */
const ALONE: Slot = { turn: async () => undefined, release: () => undefined };

const isPlain = async (path: string, { encoding, sheet }: ReadOptions): Promise<boolean> => {
  const start = await startOf(path);
  return kindOf(start) === 'text' && sheet === undefined && encodingOf(start, encoding) === 'utf-8';
};

/** Copies a stream to a file. */
const keep = async (
  source: Readable,
  convert: ((bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined,
  kept: string,
  signal: AbortSignal,
): Promise<void> => {
  const file = createWriteStream(kept);
  try {
    if (convert === undefined) await pipeline(source, file, { signal });
    else await pipeline(source, convert, file, { signal });
  } catch (error) {
    throw atPath(error, `${tmpdir()} (the temporary folder for the list; TMPDIR names another)`);
  }
};

/**
 * Opens a list as a UTF-8 text file that can be read twice. Lists that are piped, compressed or in another encoding are first
 * copied to a temporary file. @throws {CommandFailure} if the file is not readable as a list
 */
const openListInput = async (
  path: string,
  reading: ReadOptions,
  io: Io,
  maximumRowBytes: number,
  signal: AbortSignal,
) => {
  const found = path === '-' ? undefined : await stat(path);
  if (found?.isDirectory()) throw new CommandFailure(`${path} is a folder. Name a file.`);
  const folder = await mkdtemp(join(tmpdir(), 'rates-run-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    let whole = path;
    if (found?.isFile() !== true) {
      whole = join(folder, 'input');
      await keep(path === '-' ? io.stdin : createReadStream(path), undefined, whole, signal);
    }
    const origin: Origin = {};
    if (await isPlain(whole, reading)) return { path: whole, remove, origin };
    const kept = join(folder, 'input.csv');
    const options = { reading, maximumBytes: MOST_BYTES, maximumRowBytes, enter: () => ALONE };
    await keep(createReadStream(whole), (source) => listText(source, options, origin), kept, signal);
    return { path: kept, remove, origin };
  } catch (error) {
    await remove();
    if (error instanceof UnreadableFile) throw unusable({ [error.subject]: error.problem });
    if (error instanceof NotEncoded) throw unusable({ file: error.problem });
    throw error;
  }
};

/** An output that accepts CSV and writes Parquet. */
const asParquet = (output: OutputFile, columns: OutputColumns): OutputFile => {
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

const MOST_JOBS = 256;

/** Options for rating a list locally. */
export const RATE_OPTIONS = {
  client: text('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE'),
  jobs: input(
    '--jobs <number>',
    'the number of parallel processes; default: by size and cores',
    wholeNumber(1, MOST_JOBS).optional(),
  ),
};

export interface RateFlags extends ListFlags, Given<typeof RATE_OPTIONS> {
  /** Absent if the rows are not needed. */
  readonly output?: string | undefined;
}

/** An open list, and everything needed to rate it. */
export interface OpenList extends ListFile {
  readonly path: string;
  readonly flags: RateFlags;
  readonly local: Local;
  readonly config: Config;
  /** Absent if this process rates. */
  readonly pool: RatingPool | undefined;
  readonly io: Io;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** At this size, about 85,000 rows, another process makes up for its start time of half a second. */
const BYTES_FOR_A_PROCESS = 8_000_000;
/** The requested number of processes, or else one by list size and number of cores. 1 means this process. */
export const jobsFor = (bytes: number, asked: number | undefined, cores = availableParallelism()): number =>
  asked ?? Math.max(1, Math.min(cores, Math.floor(bytes / BYTES_FOR_A_PROCESS)));

type Work<T> = (list: OpenList) => Promise<T>;
type Opening = Pick<OpenList, 'flags' | 'config' | 'io' | 'signal'>;

const withFile = async <T>(
  { path, origin }: Pick<OpenList, 'path' | 'origin'>,
  opening: Opening,
  work: Work<T>,
): Promise<T> => {
  const { flags, config, io } = opening;
  const local = await openLocal(config, { clientId: flags.client, tariff: flags.tariff });
  const progress = createProgress(io);
  const file = await open(path);
  const jobs = jobsFor((await file.stat()).size, flags.jobs);
  // The processes start while the list is being planned.
  const pool = jobs > 1 ? startRatingPool(jobs, io) : undefined;
  try {
    return await work({ ...opening, path, file, origin, local, progress, pool });
  } finally {
    progress.clear();
    await pool?.end();
    await file.close();
  }
};

const interruptedText = (output: string | undefined): string => {
  if (output === undefined) return 'Interrupted.';
  return output === '-' ? 'Interrupted. The output is incomplete.' : `Interrupted. Nothing was written to ${output}.`;
};

/** Opens a list and does the work. Checks the output first. @throws {CommandFailure} also if Ctrl-C ends the work */
export const withList = async <T>(path: string, flags: RateFlags, io: Io, work: Work<T>): Promise<T> => {
  if (flags.output !== undefined) await requireOutput(flags.output, path, ['csv', 'parquet']);
  const signal = interruption();
  const config = readConfig(io.env);
  try {
    const input = await openListInput(path, readOptionsFrom(flags), io, config.maxRowBytes, signal);
    try {
      return await withFile(input, { flags, config, io, signal }, work);
    } finally {
      await input.remove();
    }
  } catch (error) {
    if (signal.aborted) throw new CommandFailure(interruptedText(flags.output), EXIT.interrupted, { cause: error });
    throw error;
  }
};

/**
 * Writes the header and the rated chunks to the output, which appears only when complete.
 * @param described the columns, for Parquet output
 * @returns the sums
 */
export const writeOutput = async (
  { flags, io, progress, signal }: OpenList,
  header: Uint8Array,
  rated: AsyncIterable<RatedChunk>,
  rows: number,
  described: OutputColumns,
): ReturnType<typeof writeRated> => {
  if (flags.output === undefined) return await writeRated(rated, rows, undefined, progress, signal);
  const opened = await openOutput(flags.output, io);
  const output = formatNamed(flags.output) === 'parquet' ? asParquet(opened, described) : opened;
  try {
    await output.write(header);
    const sums = await writeRated(rated, rows, output, progress, signal);
    await output.commit();
    return sums;
  } catch (error) {
    await output.abandon();
    throw error;
  }
};
