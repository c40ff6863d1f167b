/**
 * `npm run soak`: rates lists again and again in a whole service while API, workers and Redis are killed at random
 * times, suspended and emptied. Each output must have the bytes of an undisturbed run.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openQueues } from '../../src/batch/queue/jobs.ts';
import { writeList } from '../bench/batch.ts';
import { type Service, startService } from '../bench/service.ts';
import { randomFrom } from '../bench/shipments.ts';
import { truthOf } from './expected-output.ts';
import { openRedis } from './harm.ts';
import { killsOf, type Plan, type Round, runRound, SAME } from './round.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '40' },
    rows: { type: 'string', default: '300000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
  },
});
const [wanted, rows, firstSeed, minutes] = [values.kills, values.rows, values.seed, values.minutes].map(Number);
if (!(Number(wanted) > 0 && Number(rows) > 0 && Number(firstSeed) >= 0 && Number(minutes) > 0))
  throw new Error('--kills, --rows, --seed and --minutes take numbers');

/** Every round differs, and depends only on its seed. */
const planOf = (seed: number): Plan => {
  const random = randomFrom(seed);
  return {
    seed,
    random,
    kills: 2 + Math.floor(random() * 7),
    longestGapMs: 200 + random() * 1_800,
    restart: random() < 0.2,
    empty: random() < 0.2,
    assemble: random() < 0.4,
    stall: seed % 15 === 3,
  };
};

const COLUMNS = ['seed', 'uploads', 'API', 'worker', 'Redis', '(assembly)', 'seconds', 'verdict'] as const;
const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, index) => (index < 7 ? String(cell).padStart(10) : `  ${cell}`)).join('');
const cellsOf = ({ seed, uploads, kills, assembling, seconds, verdict, others }: Round): (string | number)[] => [
  seed,
  uploads,
  kills.api,
  kills.worker,
  kills.redis,
  assembling,
  seconds.toFixed(1),
  [verdict, ...others].join('; '),
];

/** Jobs of killed workers may remain after their batches have ended, until their locks expire. */
const DRAIN_MS = 75_000;

const leftInQueues = async (service: Service): Promise<number> => {
  const redis = openRedis(service);
  const queues = openQueues(redis);
  try {
    for (const deadline = performance.now() + DRAIN_MS; ; await sleep(500)) {
      const counts = await Promise.all(
        [queues.chunk, queues.assemble].map((queue) =>
          queue.getJobCountByTypes('active', 'wait', 'prioritized', 'delayed', 'failed'),
        ),
      );
      const left = counts.reduce((sum, count) => sum + count, 0);
      if (left === 0 || performance.now() > deadline) return left;
    }
  } finally {
    await queues.close();
    redis.disconnect();
  }
};

const dir = await mkdtemp(join(tmpdir(), 'rates-soak-'));
const service = await startService({ WORKERS: '2', LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent' });
const rounds: Round[] = [];
let left = 0;

/** The service may have ended before, so the wait is limited. */
const clean = async (): Promise<void> => {
  await Promise.race([service.stop(), sleep(10_000)]);
  for (const folder of [dir, service.dataDir]) await rm(folder, { recursive: true, force: true });
};
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void clean().finally(() => process.exit(130)));

try {
  const list = join(dir, 'list.csv');
  await writeList(list, Number(rows));
  const truth = await truthOf(list, join(dir, 'truth.csv'));
  console.log(`${truth.rows} rows (${truth.faulted} with a fault), kills -9 by kind:`);
  console.log(line(COLUMNS));
  const deadline = performance.now() + Number(minutes) * 60_000;
  const survived = (): number => rounds.reduce((sum, round) => sum + killsOf(round), 0);
  for (let seed = Number(firstSeed); survived() < Number(wanted) && performance.now() < deadline; seed += 1) {
    const round = await runRound(service, list, truth, planOf(seed));
    rounds.push(round);
    console.log(line(cellsOf(round)));
    if (round.verdict !== SAME) break;
  }
  if (rounds.every(({ verdict }) => verdict === SAME)) left = await leftInQueues(service);
} finally {
  await clean();
}
const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
const wrong = rounds.filter(({ verdict }) => verdict !== SAME).length;
const verdict = wrong === 0 ? `${rounds.length} of ${rounds.length} the same bytes` : `${wrong} rounds differ`;
console.log(
  line([
    'all',
    sum(({ uploads }) => uploads),
    sum(({ kills }) => kills.api),
    sum(({ kills }) => kills.worker),
    sum(({ kills }) => kills.redis),
    sum((round) => round.assembling),
    sum(({ seconds }) => seconds).toFixed(1),
    `${sum(killsOf)} kills survived, ${verdict}, ${left} jobs left over`,
  ]),
);
process.exit(wrong === 0 && left === 0 && rounds.length > 0 ? 0 : 1);
