/** Shares of the workers: many small batches of one client next to those of another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import type { Environment } from '../environment.ts';
import { ended, listOf, madeBatch } from './batches.ts';

const SECONDS = 9;
const CONNECTIONS = 12;
/** The time limit of a batch of one row during that, from upload to end. */
const MOST_MS = 1_500;

const timed = async (environment: Environment): Promise<number> => {
  const begun = performance.now();
  await ended(environment, environment.neighbor, await madeBatch(environment, environment.neighbor, listOf(1)), 10);
  return performance.now() - begun;
};

export const SHARE_ATTACKS: readonly Attack[] = [
  {
    name: 'many-small-batches',
    tries: "Uploads one-row batches as fast as possible; another client's small batch must not wait behind them.",
    limits: { uploadsPerMinute: 1_000_000, batchesInFlight: 100_000 },
    run: async (environment) => {
      const { attacker } = environment;
      const alone = [await timed(environment), await timed(environment), await timed(environment)].sort(
        (a, b) => a - b,
      );
      const list = listOf(1);
      const until = performance.now() + SECONDS * 1_000;
      let made = 0;
      const making = Array.from({ length: CONNECTIONS }, async () => {
        while (performance.now() < until) {
          await madeBatch(environment, attacker, list);
          made += 1;
        }
      });
      const beside: number[] = [];
      // At first, few batches wait.
      await sleep(3_000);
      while (performance.now() < until) {
        beside.push(await timed(environment));
        await sleep(200);
      }
      await Promise.all(making);
      const worst = Math.max(...beside);
      const problems = worst > MOST_MS ? [`another client's batch of one row took ${worst.toFixed(0)} ms`] : [];
      return {
        sent: `${made} batches of one row in ${SECONDS} s`,
        back: `another's took ${(alone[1] ?? 0).toFixed(0)} ms alone, at most ${worst.toFixed(0)} of ${beside.length} beside them`,
        problems,
      };
    },
  },
];
