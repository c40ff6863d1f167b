/** Any number of chunk jobs, each done at once: how many one Redis can handle. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NodeProcess, startNodeProcess } from '../../src/base/process/node-process.ts';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { openQueues } from '../../src/batch/queue/jobs.ts';
import { type Part, readPart } from '../../src/batch/records.ts';
import { createScheduler } from '../../src/batch/scheduler.ts';
import { state, stateKeys } from '../../src/batch/state.ts';
import { EMPTY_TALLY } from '../../src/lists/output/tally.ts';
import type { Backend } from './parts.ts';
import { cpuSeconds } from './processes.ts';
import { commandsIn, redisCounts, redisWork } from './redis-counts.ts';

const START_MS = 120_000;
const LOOK_MS = 100;
/** Chunks of a batch with the largest number of rows. */
const BATCH_CHUNKS = 2_000;

/** A part summary like that of a sample list, also in its length. */
export const emptyPart = (index: number): Part => {
  const spend = { shipments: 5_000, netCents: index };
  const names = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, spend]));
  return readPart(
    JSON.stringify({
      bytes: 1_000_000,
      faultBytes: 20_000,
      revision: 1,
      tally: {
        ...EMPTY_TALLY,
        ...{ processed: 5_000, quoted: 4_900, faulted: 100 },
        faults: { 'getRates.noDeliveryCoverage': 50, 'getRates.invalidRequest': 30, 'getRates.unknownWarehouse': 20 },
        ...{ byService: names('C1-GROUND', 3), byZone: names('', 8), byWeight: names('', 9) },
      },
    }),
  );
};

export interface Replayed {
  readonly jobs: number;
  readonly processes: number;
  readonly jobsPerSecond: number;
  /** Processor seconds of Redis, and its share of one core. */
  readonly redisPerJob: number;
  readonly redisBusy: number;
  /** Processor seconds of the processes that took the jobs. */
  readonly workersPerJob: number;
  readonly commandsPerJob: number;
}

/** The state of a batch, as far as its chunks need it. */
const fieldsOf = (id: string, chunks: number): Record<string, string> => ({
  ...{ status: 'queued', revision: '1', epoch: id, chunks: String(chunks), next: '0' },
  ...{ processed: '0', quoted: '0', faulted: '0' },
});

/** @param processes their number; each has as many slots as a worker */
export const replay = async ({ redis, redisUrl, env }: Backend, jobs: number, processes: number): Promise<Replayed> => {
  const dataDir = env['DATA_DIR'] ?? '';
  const queues = openQueues(redis);
  const scheduler = createScheduler({ store: createDiskStore(dataDir), redis, queues });
  const workers: NodeProcess[] = [];
  const sizes = Array.from({ length: Math.ceil(jobs / BATCH_CHUNKS) }, (_, at) =>
    Math.min(BATCH_CHUNKS, jobs - at * BATCH_CHUNKS),
  );
  const main = join(import.meta.dirname, 'empty-worker.ts');
  try {
    for (let index = 0; index < processes; index += 1)
      workers.push(
        await startNodeProcess({
          main,
          args: [redisUrl, dataDir],
          execArgv: ['--import', 'tsx'],
          env,
          startTimeoutMs: START_MS,
        }),
      );
    const before = await redisCounts(redis);
    const pids = workers.map(({ pid }) => pid);
    const secondsBefore = cpuSeconds(pids);
    const begun = performance.now();
    for (const [at, chunks] of sizes.entries()) {
      const id = `replay-${processes}-${at}`;
      await state.create(redis, id, fieldsOf(id, chunks));
      await scheduler.follow(id, 1, await state.advance(redis, id, 1, await scheduler.window(), -1, undefined));
      while ((await redis.hget(stateKeys(id).state, 'status')) !== 'finalizing') await sleep(LOOK_MS);
      await state.remove(redis, id);
    }
    const seconds = (performance.now() - begun) / 1_000;
    const spent = redisWork(before, await redisCounts(redis));
    return {
      ...{ jobs, processes, jobsPerSecond: jobs / seconds },
      ...{ redisPerJob: spent.cpuSeconds / jobs, redisBusy: spent.cpuSeconds / seconds },
      ...{ workersPerJob: (cpuSeconds(pids) - secondsBefore) / jobs, commandsPerJob: commandsIn(spent) / jobs },
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop(START_MS)));
    await queues.close();
  }
};
