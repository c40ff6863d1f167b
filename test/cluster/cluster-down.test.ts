/** A Cluster that is down while a client connects: here one node without some of its slots. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import type { Cluster } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connect, waitUntilReady } from '../../src/base/redis/connection.ts';
import { somePort } from '../../src/base/redis/some-port.ts';
import { type Farm, openFarm, type Server } from './redis-farm.ts';

const SOME_SLOTS = ['16000', '16383'] as const;
/** Longer than a worker waits for a job before it reconnects. */
const DOWN_MS = 8_000;
const log = pino({ level: 'silent' });

let farm: Farm;
let node: Server;
const goDown = () => farm.cli(node.port, 'CLUSTER', 'DELSLOTSRANGE', ...SOME_SLOTS);
const comeUp = () => farm.cli(node.port, 'CLUSTER', 'ADDSLOTSRANGE', ...SOME_SLOTS);
/** Resolves when it is up. A node takes a moment to see that all slots are served. */
const up = async () => {
  while (!(await isUp())) await sleep(50);
};
const isUp = async () => (await farm.cli(node.port, 'CLUSTER', 'INFO')).includes('cluster_state:ok');
const open = () => connect(`redis+cluster://127.0.0.1:${node.port}`, 'worker', { log }) as Cluster;

beforeAll(async () => {
  farm = await openFarm();
  node = await farm.start('node', [
    'port {port}',
    'cluster-enabled yes',
    'cluster-config-file nodes.conf',
    `cluster-port ${somePort()}`,
    'cluster-announce-ip 127.0.0.1',
    'save ""',
  ]);
  await farm.cli(node.port, 'CLUSTER', 'ADDSLOTSRANGE', '0', '15999');
  await comeUp();
  await up();
});
afterEach(async () => {
  if (!(await isUp())) await comeUp();
  await up();
});
afterAll(() => farm.stop());

test('a connection attempt from the time when it was down resolves when it is up', async () => {
  const first = open();
  await waitUntilReady(first, 5_000);
  const connection = first.duplicate([], { lazyConnect: true });
  connection.on('error', () => undefined);
  await goDown();
  let connected = false;
  const connecting = connection.connect().then(() => {
    connected = true;
  });
  await sleep(1_000);
  expect(connected).toBe(false);
  await comeUp();
  await connecting;
  expect(await connection.set('key', 'value')).toBe('OK');
  for (const opened of [first, connection]) opened.disconnect();
}, 30_000);

test('a worker that was idle while it was down takes the next job when it is up', async () => {
  const connection = open();
  await waitUntilReady(connection, 5_000);
  const queue = new Queue('work', { connection, prefix: '{rates}' });
  const done: unknown[] = [];
  const worker = new Worker('work', async ({ data }) => void done.push(data), { connection, prefix: '{rates}' });
  worker.on('error', () => undefined);
  queue.on('error', () => undefined);
  await queue.add('job', 'before');
  await expect.poll(() => done).toEqual(['before']);
  await goDown();
  await sleep(DOWN_MS);
  await comeUp();
  await up();
  await queue.add('job', 'after');
  await expect.poll(() => done, { timeout: 20_000 }).toEqual(['before', 'after']);
  await worker.close();
  await queue.close();
  connection.disconnect();
}, 60_000);
