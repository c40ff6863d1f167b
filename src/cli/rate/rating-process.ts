/**
 * A child process of `rates run` or `rates compare` that rates chunks one by one. It has nothing to clean up: its parent may
 * kill it at any time, and it ends with its parent. It ignores Ctrl-C because the parent handles it.
 */
import { on } from 'node:events';
import { open } from 'node:fs/promises';
import { accountOf } from '../../catalog/agreement/account.ts';
import { booksOf, scheduleOf } from '../../catalog/tariff/schedule.ts';
import { failureText } from '../exit.ts';
import { chunkRater, comparerFor, type RowWork, raterFor } from './rate-file.ts';
import { type FromProcess, type RatingOrder, toProcess } from './rating-pool.ts';

const workOf = ({ documents, instant, context, shipper: parts, scenarios }: RatingOrder): RowWork => {
  const schedule = scheduleOf(documents);
  const shipper = { warehouses: parts.warehouses, account: accountOf(parts) };
  if (scenarios === undefined) return raterFor({ ...context, shipper, bookOn: booksOf(schedule, instant) });
  const resolved = scenarios.map(({ scenario, documents: own, account }) => ({
    scenario,
    tariffs: own && scheduleOf(own),
    account: account && accountOf(account),
  }));
  return comparerFor(context, { schedule, shipper, instant }, resolved);
};

const say = (answer: FromProcess): void => {
  process.send?.(answer);
};

const work = async (): Promise<void> => {
  let rate: ReturnType<typeof chunkRater> | undefined;
  for await (const [received] of on(process, 'message')) {
    const message = toProcess.parse(received);
    if (message.kind === 'order') {
      rate = chunkRater(await open(message.path), workOf(message));
    } else if (rate !== undefined) {
      // Sending copies the output.
      say({ kind: 'rated', rated: await rate(message.chunk) });
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
