/** How a worker process detects that it is stuck. In production it looks every two seconds. */
import { Worker } from 'bullmq';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { connect } from '../../src/base/redis/connection.ts';
import { PREFIX } from '../../src/batch/queue/jobs.ts';
import { createJobTracker, type JobTracker, type Processor } from '../../workers/lost-jobs.ts';
import { CONNECTION_CHECKS, createStandstill, IDLE_CHECKS } from '../../workers/standstill.ts';
import type { BatchApi } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import { openRedis, type TestRedis } from '../redis.ts';
import { soon } from '../soon.ts';

let server: TestRedis;
let api: BatchApi;
batchApiForEachTest((started) => ({ redis: server, api } = started));
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const add = (count = 1) =>
  api.queues.assemble.addBulk(Array.from({ length: count }, () => ({ name: 'assemble', data: { batchId: 'b' } })));
const watched = () => [{ queue: api.queues.assemble, slots: 1, longest: 3 }] as const;
/** Works on the queue, one job at a time. */
const work = async (jobTracker: JobTracker, processor: Processor): Promise<void> => {
  const connection = await openRedis(server.url);
  const worker = new Worker('assemble', jobTracker.holding(processor), { connection, prefix: PREFIX });
  stops.push(async () => {
    await worker.close(true);
    connection.disconnect();
  });
};
const checkRepeatedly = async (check: () => Promise<string | undefined>, times: number) => {
  const found: (string | undefined)[] = [];
  for (let time = 0; time < times; time += 1) found.push(await check());
  return found;
};

test('a process that takes no job while one waits is stuck', async () => {
  await add();
  const check = createStandstill({ redis: api.redis, watched: watched(), jobTracker: createJobTracker('it') });
  const found = await checkRepeatedly(check, IDLE_CHECKS + 1);
  expect(found.slice(0, IDLE_CHECKS)).toEqual(Array.from({ length: IDLE_CHECKS }, () => undefined));
  expect(found[IDLE_CHECKS]).toBe('it takes no jobs from the queue assemble, where 1 wait');
});

test('a process that takes jobs is not stuck, however many wait', async () => {
  const jobTracker = createJobTracker('it');
  const [{ queue }] = watched();
  const check = createStandstill({ redis: api.redis, watched: [{ queue, slots: 2, longest: 3 }], jobTracker });
  await add(3 * IDLE_CHECKS);
  let end = (): void => undefined;
  await work(jobTracker, () => new Promise<void>((resolve) => (end = resolve)));
  for (let taken = 1; taken <= 2 * IDLE_CHECKS; taken += 1) {
    await soon(() => expect(jobTracker.of('assemble').taken).toBe(taken));
    expect(await check()).toBeUndefined();
    end();
  }
  expect(await queue.count()).toBeGreaterThan(IDLE_CHECKS - 2);
});

test('a process with all slots in use is not stuck, until a job takes too long', async () => {
  const jobTracker = createJobTracker('it');
  const check = createStandstill({ redis: api.redis, watched: watched(), jobTracker });
  const [job] = await add(2);
  await work(jobTracker, () => new Promise(() => undefined));
  await soon(() => expect(jobTracker.of('assemble').held).toEqual([job?.id]));
  expect(await checkRepeatedly(check, 4)).toEqual([
    undefined,
    undefined,
    undefined,
    `the job assemble/${job?.id} does not end`,
  ]);
});

test('a process is stuck if its connection gets no answer while new connections do', async () => {
  const redis = await openRedis(server.url);
  stops.push(async () => redis.disconnect());
  // On a Cluster too, it waits for the node of the queues.
  redis.blpop(`${PREFIX}:nothing`, 0).catch(() => undefined);
  const check = createStandstill({ redis, watched: watched(), jobTracker: createJobTracker('it'), answerMs: 200 });
  const found = await checkRepeatedly(check, CONNECTION_CHECKS);
  expect(found.slice(0, -1)).toEqual(Array.from({ length: CONNECTION_CHECKS - 1 }, () => undefined));
  expect(found.at(-1)).toBe('Redis answers new connections, but not its own');
});

test('no process counts as stuck while Redis is away', async () => {
  const redis = connect('redis://127.0.0.1:9', 'worker', { log: pino({ level: 'silent' }) });
  stops.push(async () => redis.disconnect());
  const check = createStandstill({ redis, watched: watched(), jobTracker: createJobTracker('it'), answerMs: 200 });
  expect(await checkRepeatedly(check, IDLE_CHECKS + 1)).toEqual(
    Array.from({ length: IDLE_CHECKS + 1 }, () => undefined),
  );
});
