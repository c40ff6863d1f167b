/** A Redis database and a store on disk for the tests of one file, both empty before each test, and batches in them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Redis } from '../../src/base/redis/connection.ts';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { putJson, type Store } from '../../src/base/store/store.ts';
import { type BatchDocument, keys, type OutputDocument, type Part, records } from '../../src/batch/records.ts';
import { PLAIN_FORMAT } from '../../src/lists/output/output-format.ts';
import { EMPTY_TALLY } from '../../src/lists/output/tally.ts';
import { createRater } from '../../src/lists/rows/rate-rows.ts';
import { contextFor, planList, referenceSchedule } from '../lists/rows/fixtures.ts';
import { openRedis, type TestRedis, testRedis } from '../redis.ts';

export interface Backend {
  /** Of the database, for a test's own connections. */
  readonly url: string;
  readonly redis: Redis;
  readonly store: Store;
}

/** @param use receives new ones before each test */
export const redisAndStore = (use: (backend: Backend) => void): void => {
  let server: TestRedis;
  let redis: Redis;
  let dir: string;
  beforeAll(async () => {
    server = await testRedis();
    redis = await openRedis(server.url);
  });
  beforeEach(async () => {
    await server.clear();
    dir = await mkdtemp(join(tmpdir(), 'batch-'));
    use({ url: server.url, redis, store: createDiskStore(dir) });
  });
  afterEach(() => rm(dir, { recursive: true }));
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
};

/** A batch id, of the `number`th batch. */
export const idOf = (number: number): string => `b${String(number).padStart(25, '0')}`;

export const documentOf = (own: Partial<BatchDocument> = {}): BatchDocument => ({
  id: idOf(1),
  clientId: 'demo',
  revision: 1,
  filename: 'june.csv',
  createdAt: '2026-06-01T12:00:00.000Z',
  options: {},
  rows: 10,
  chunks: 1,
  inputBytes: 1_000,
  sentBytes: 1_000,
  headerStart: 0,
  bodyStart: 30,
  columns: {
    dialect: { delimiter: ',', lineBreak: 'lf' },
    header: ['postalCode', 'weight_value'],
    fields: { postalCode: 0, weight_value: 1 },
    defaults: { warehouse_id: '101', weight_units: 'LB' },
    passed: [0, 1],
    ownOutput: false,
    repairs: [],
    words: [],
    services: [],
    findings: [],
  },
  format: PLAIN_FORMAT,
  tariffs: [],
  warehouses: [],
  discounts: {},
  agreements: [],
  ...own,
});

/** A part of ten rows, one with a fault. */
export const partWith = (own: Partial<Part> = {}): Part => ({
  bytes: 1_000,
  faultBytes: 100,
  revision: 1,
  tally: { ...EMPTY_TALLY, processed: 10, quoted: 9, faulted: 1, faults: { 'row.malformed': 1 } },
  ...own,
});

export interface StoredBatch {
  readonly document: BatchDocument;
  readonly output: OutputDocument;
  /** The summary of each chunk's part. */
  readonly parts: readonly Part[];
}

/** Writes a list into the store with its plan and all its parts, as workers leave it. */
export const storeBatch = async (store: Store, list: string, chunkRows: number): Promise<StoredBatch> => {
  const bytes = Buffer.from(list);
  const planned = planList(bytes, { chunkRows });
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  const { columns, plan } = planned;
  const bodyStart = plan.chunks[0]?.from ?? bytes.length;
  const id = idOf(1);
  const sizes = { rows: plan.rows, chunks: plan.chunks.length, inputBytes: bytes.length, bodyStart };
  await putJson(store, keys.batch(id), { ...documentOf(sizes), columns });
  const document = await records.batch(store, id);
  if (document === undefined) throw new Error('the batch that was just written is missing');
  await store.put(keys.input(id), bytes);
  await putJson(store, keys.plan(id), plan);
  const context = { ...contextFor(columns, await referenceSchedule()), format: document.format };
  const parts: Part[] = [];
  for (const [index, { from, to, firstRow }] of plan.chunks.entries()) {
    const rater = createRater(bytes.subarray(from, to), firstRow, context);
    while (rater.step(100));
    const { output, faults, tally } = rater.result();
    await store.put(keys.part(id, index), output);
    if (faults.length > 0) await store.put(keys.faults(id, index), faults);
    const part: Part = { bytes: output.length, faultBytes: faults.length, revision: 1, tally };
    await putJson(store, keys.partSummary(id, index), part);
    parts.push(part);
  }
  const output = { revision: 1, parts: parts.map(({ tally: _, ...part }, index) => ({ index, ...part })) };
  await putJson(store, keys.output(id), output);
  return { document, output, parts };
};
