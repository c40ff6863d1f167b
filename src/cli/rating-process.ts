/**
 * A child process of `rates run` that rates chunks one by one. It has nothing to clean up: its parent may kill it at any
 * time, and it ends with its parent. It ignores Ctrl-C, because its parent handles it.
 */
import { on } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { accountOf } from '../agreement/account.ts';
import type { RatingContext } from '../rows/rate-rows.ts';
import { booksOf, scheduleOf } from '../tariff/schedule.ts';
import { failureText } from './exit.ts';
import { rateChunk } from './rate-file.ts';
import { type FromProcess, toProcess } from './rating-pool.ts';

interface Ordered {
  readonly file: FileHandle;
  readonly context: RatingContext;
}

const say = (answer: FromProcess): void => {
  process.send?.(answer);
};

const work = async (): Promise<void> => {
  let ordered: Ordered | undefined;
  for await (const [received] of on(process, 'message')) {
    const message = toProcess.parse(received);
    if (message.kind === 'order') {
      const { path, documents, instant, context, shipper } = message;
      const bookOn = booksOf(scheduleOf(documents), instant);
      ordered = {
        file: await open(path),
        context: { ...context, shipper: { warehouses: shipper.warehouses, account: accountOf(shipper) }, bookOn },
      };
    } else if (ordered !== undefined) {
      say({ kind: 'rated', rated: await rateChunk(ordered.file, message.chunk, ordered.context) });
    }
  }
};

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
process.on('disconnect', () => process.exit());
try {
  await work();
} catch (error) {
  say({ kind: 'failed', message: failureText(error, false) });
}
