/** Quotas of bytes for a client's uploads and batches, and what happens when they are exceeded. */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { stored } from '../../src/batch/quota.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { beginUpload } from '../../src/batch/uploads.ts';
import { createWorkMetrics } from '../../src/http/work-metrics.ts';
import { redisForFile, type TestRedis } from '../redis.ts';
import { sampleClients } from './api.ts';
import { type BatchApi, type BatchApiOptions, HEADER, listOf, startBatchApi } from './batch-api.ts';
import { comparisonsOf } from './comparison-api.ts';

let redis: TestRedis;
redisForFile((made) => (redis = made));

const csv = { 'Content-Type': 'text/csv' };

interface Own extends Partial<BatchApiOptions> {
  /** Tests change them while the service runs, as an operator does. */
  readonly bytes?: Record<string, number>;
}

/** @param run receives the limits of the client, and may change them */
const withLimits = async (
  { bytes = {}, ...options }: Own,
  run: (api: BatchApi, setLimits: (limits: Record<string, number>) => void) => Promise<void>,
) => {
  await redis.clear();
  const clients = new Map(await sampleClients());
  const setLimits = (limits: Record<string, number>): void => {
    const demo = clients.get('demo');
    if (demo !== undefined) clients.set('demo', { ...demo, limits: { ...demo.limits, ...limits } });
  };
  setLimits(bytes);
  const api = await startBatchApi({ redisUrl: redis.url, clients, ...options });
  try {
    await run(api, setLimits);
  } finally {
    await api.close();
  }
};

const working = async (api: BatchApi, run: () => Promise<void>): Promise<void> => {
  const stop = await api.work();
  try {
    await run();
  } finally {
    await stop();
  }
};

const counted = (api: BatchApi): Promise<number> => stored.sum(api.redis, 'demo');
/** The bytes in the store, and a block in Redis for each batch. */
const kept = async (api: BatchApi): Promise<number> =>
  (await api.store.bytes('batches/')) + 4_096 * (await api.folders()).length;
/** The count equals the store, except for each batch's notification record, which is written last. */
const NOTE_BYTES = 13_000;
const isRight = async (api: BatchApi): Promise<number> => {
  await expect.poll(async () => Math.abs((await counted(api)) - (await kept(api)))).toBeLessThan(NOTE_BYTES);
  return await counted(api);
};
const sweep = (api: BatchApi, now = new Date()) =>
  createSweeper({ ...api, now: () => now, redisNow: async () => now })();

/** Rows with explanations for 99 different packages: about 20 kB each. */
const wideRows = (count: number): string =>
  [
    'warehouse_id,postalCode,weight_value,weight_units',
    ...Array.from(
      { length: count },
      () => `101,02139,${Array.from({ length: 99 }, (_, i) => (i % 2) + 1).join('|')},LB`,
    ),
    '',
  ].join('\n');

describe('output per input byte', () => {
  test('2,000 rows of 99 equal packages need less than a megabyte, because the common part is explained once', () =>
    withLimits({ limits: { chunkRows: 500 } }, async (api) => {
      const list = `postalCode,weight_value,packages\n${'02139,1,99\n'.repeat(2_000)}`;
      const body = new Uint8Array(gzipSync(list, { level: 9 }));
      expect(body.length).toBeLessThan(200);
      const query = '?services=all&explain=true&warehouse_id=101&units=LB';
      const { status, body: batch } = await api.post(body, query, { ...csv, 'Content-Encoding': 'gzip' });
      expect(status).toBe(202);
      await working(api, async () => {
        expect(await api.ended(batch.id)).toMatchObject({ status: 'completed', rows: { quoted: 2_000 } });
        expect(await isRight(api)).toBeLessThan(1_000_000);
      });
    }));

  test('a list that was compressed 200 to 1 counts as a third of its length', () =>
    withLimits({ bytes: { outputPerInputByte: 64 }, limits: { chunkRows: 500 } }, async (api) => {
      const list = wideRows(500);
      const body = new Uint8Array(gzipSync(list, { level: 9 }));
      expect(list.length / body.length).toBeGreaterThan(128);
      await working(api, async () => {
        const { body: batch } = await api.post(body, '?explain=true', { ...csv, 'Content-Encoding': 'gzip' });
        expect((await api.ended(batch.id)).failure).toMatchObject({ limit: 'outputPerInputByte' });
        expect(await api.ended(await api.upload(list.replaceAll('1|2', '1|1'), '?explain=true'))).toMatchObject({
          status: 'completed',
        });
      });
    }));

  test('a batch over the limit fails with the limit and the row; a retry completes it after the limit is raised', () =>
    withLimits({ bytes: { outputPerInputByte: 20 }, limits: { chunkRows: 500 } }, async (api, setLimits) => {
      await working(api, async () => {
        const id = await api.upload(wideRows(400), '?explain=true');
        const failed = await api.ended(id);
        expect(failed.status).toBe('failed');
        expect(failed.failure).toEqual({
          limit: 'outputPerInputByte',
          rows: { from: 1, to: 400 },
          message: expect.stringMatching(
            /^Rows 1 to 400 could not be processed: row \d+ makes the output exceed the limit outputPerInputByte, 20 times the bytes of the list; a byte of a compressed list counts as at most 64\.$/,
          ),
        });
        expect(await isRight(api)).toBeLessThan(200_000);
        setLimits({ outputPerInputByte: 256 });
        expect((await api.call('POST', `/${id}/retry`)).status).toBe(202);
        expect(await api.ended(id)).toMatchObject({ status: 'completed', failure: null, rows: { quoted: 400 } });
        expect(await isRight(api)).toBeGreaterThan(5_000_000);
      });
    }));
});

describe('revisions', () => {
  test('count: corrections that stay faulty are refused before they add up, with the way out', () =>
    withLimits({ bytes: { outputPerInputByte: 100 }, limits: { chunkRows: 500 } }, async (api) => {
      await working(api, async () => {
        const id = await api.upload(`${wideRows(50)}101,02139,0,LB\n`, '?explain=true');
        await api.ended(id);
        const faults = (await api.file(`/${id}/faults`)).text;
        const correct = () =>
          api.api.call(`/v1/client/shipment/rates/batches/${id}/corrections`, {
            method: 'POST',
            headers: { ...api.bearer(), ...csv },
            body: faults,
          });
        let answer = await correct();
        for (let revision = 2; answer.status === 202 && revision < 9; revision++) {
          await api.until(id, (batch) => batch.status === 'completed' && batch.revision === revision);
          answer = await correct();
        }
        expect([answer.status, answer.body.fault]).toEqual([
          413,
          {
            type: 'request.tooLarge',
            message: expect.stringContaining(
              '100 bytes of output for each byte of the list, in all revisions together',
            ),
            arguments: { outputPerInputByte: expect.stringContaining('upload the corrected list as a new batch') },
          },
        ]);
        expect((await api.call('GET', `/${id}`)).body).toMatchObject({ status: 'completed', revision: 2 });
        // One MiB is free, and the list has 11 KB.
        expect(await isRight(api)).toBeLessThan(2_200_000);
      });
    }));
});

describe('bytes stored', () => {
  test('of a one-row batch are the blocks of its files, and its state in Redis', () =>
    withLimits({}, async (api) => {
      await working(api, async () => {
        await api.ended(await api.upload(listOf(1)));
        expect(await isRight(api)).toBeGreaterThanOrEqual(8 * 4_096);
      });
    }));

  test('include uploads, parts, faults and corrections of each revision, until they are deleted or expire', () =>
    withLimits({}, async (api) => {
      await working(api, async () => {
        const list = `${HEADER}\nA1,101,02139,1,LB,C1-GROUND,\nA2,101,02139,0,LB,C1-GROUND,\n`;
        const [id, other] = [await api.upload(list), await api.upload(listOf(20))];
        await api.ended(id);
        await api.ended(other);
        const first = await isRight(api);
        const faults = (await api.file(`/${id}/faults`)).text.replace(',0,LB', ',1,LB');
        expect((await api.call('GET', `/${id}`)).body.revision).toBe(1);
        const corrected = await api.api.call(`/v1/client/shipment/rates/batches/${id}/corrections`, {
          method: 'POST',
          headers: { ...api.bearer(), ...csv },
          body: faults,
        });
        expect(corrected.status).toBe(202);
        await api.until(id, ({ status, revision }) => status === 'completed' && revision === 2);
        const second = await isRight(api);
        expect(second).toBeGreaterThan(first);
        await api.call('DELETE', `/${other}`);
        expect(await isRight(api)).toBeLessThan(second);
        const expiry = new Date(Date.now() + 8 * 86_400_000);
        expect(await sweep(api, expiry)).toMatchObject({ expired: 1 });
        expect(await isRight(api)).toBeLessThan(40_000);
        await api.call('DELETE', `/${id}`);
        expect(await counted(api)).toBe(0);
      });
    }));

  test('an upload over the limit is refused and leaves nothing, until a batch is deleted', () =>
    withLimits({}, async (api, setLimits) => {
      await working(api, async () => {
        const id = await api.upload(listOf(100));
        await api.ended(id);
        const held = await isRight(api);
        setLimits({ bytesStored: held + 6_000 });
        const { status, body, headers } = await api.post(listOf(500), '', csv);
        expect([status, body.fault.type, body.fault.arguments]).toEqual([
          429,
          'request.rateLimited',
          { limit: 'bytesStored' },
        ]);
        expect(body.fault.message).toBe(
          `Too much is stored: the limit is ${held + 6_000} (bytesStored); delete batches, or try again when old ones are gone.`,
        );
        expect(headers.get('retry-after')).toBe('300');
        expect(await api.folders()).toEqual([id]);
        expect(await counted(api)).toBe(held);
        await api.call('DELETE', `/${id}`);
        expect((await api.post(listOf(500), '', csv)).status).toBe(202);
      });
    }));

  test('a compressed upload counts by its inflated bytes, while it arrives', () =>
    withLimits({ bytes: { bytesStored: 1_000_000 }, limits: { maximumRows: 1_000_000 } }, async (api) => {
      const body = new Uint8Array(gzipSync(`${HEADER}\n${'A1,101,02139,1,LB,C1-GROUND,\n'.repeat(250_000)}`));
      expect(body.length).toBeLessThan(100_000);
      const refused = await api.post(body, '', { ...csv, 'Content-Encoding': 'gzip' });
      expect([refused.status, refused.body.fault.arguments]).toEqual([429, { limit: 'bytesStored' }]);
      expect([await api.folders(), await counted(api)]).toEqual([[], 0]);
    }));

  test('a join of batches counts the outputs that it copies, and leaves nothing if it is refused', () =>
    withLimits({}, async (api, setLimits) => {
      await working(api, async () => {
        const list = listOf(500);
        const ids = [await api.upload(list), await api.upload(list)];
        for (const id of ids) await api.ended(id);
        const held = await isRight(api);
        const ask = () => comparisonsOf(api).ask(ids[0] ?? '', { with: { batch: ids[1], key: 'postalCode' } });
        // Enough for one more list, but not for both outputs.
        setLimits({ bytesStored: held + 2 * list.length });
        const { status, body } = await ask();
        expect([status, body.fault.arguments]).toEqual([429, { limit: 'bytesStored' }]);
        expect((await api.folders()).toSorted()).toEqual(ids.toSorted());
        expect(await counted(api)).toBe(held);
        setLimits({ bytesStored: held + 1_000_000 });
        const made = await ask();
        expect(made.status).toBe(202);
        expect(await comparisonsOf(api).ended(made.body.id)).toMatchObject({ status: 'completed' });
      });
    }));

  test('a batch whose output exceeds the limit fails with the limit; a retry with space completes it', () =>
    withLimits({ bytes: { bytesStored: 40_000 } }, async (api, setLimits) => {
      await working(api, async () => {
        const id = await api.upload(listOf(500));
        const { status, failure } = await api.ended(id);
        expect([status, failure]).toEqual([
          'failed',
          {
            limit: 'bytesStored',
            rows: { from: expect.any(Number), to: expect.any(Number) },
            message: expect.stringContaining('the limit bytesStored, 40000 bytes; delete some, then retry.'),
          },
        ]);
        setLimits({ bytesStored: 10_000_000 });
        expect((await api.call('POST', `/${id}/retry`)).status).toBe(202);
        expect(await api.ended(id)).toMatchObject({ status: 'completed', rows: { quoted: 500 } });
        expect(await isRight(api)).toBeGreaterThan(40_000);
      });
    }));

  test('are counted again if Redis has lost them, or a crash has left a wrong count', () =>
    withLimits({}, async (api) => {
      await working(api, async () => {
        const id = await api.upload(listOf(20));
        await api.ended(id);
        const right = await isRight(api);
        await redis.clear();
        await sweep(api);
        expect((await isRight(api)) - right).toBeLessThan(NOTE_BYTES);
        await stored.set(api.redis, 'demo', id, 5);
        await stored.set(api.redis, 'demo', `b${'0'.repeat(25)}`, 1_000_000);
        await sweep(api);
        expect((await isRight(api)) - right).toBeLessThan(NOTE_BYTES);
      });
    }));
});

describe('bytes in flight', () => {
  test('count unfinished lists. More are refused until one has finished', () =>
    withLimits({ bytes: { bytesInFlight: 10_000 } }, async (api) => {
      const id = await api.upload(listOf(200));
      const refused = await api.post(listOf(200), '', csv);
      expect([refused.status, refused.body.fault.arguments]).toEqual([429, { limit: 'bytesInFlight' }]);
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(await api.folders()).toEqual([id]);
      await working(api, async () => {
        await api.ended(id);
        await expect.poll(() => api.redis.hgetall('rates:inflight-bytes:{demo}')).toEqual({});
        expect((await api.post(listOf(200), '', csv)).status).toBe(202);
      });
    }));

  test('an upload whose process died blocks nobody', () =>
    withLimits({ bytes: { bytesInFlight: 10_000 } }, async (api) => {
      const limits = { bytesInFlight: 10_000, bytesStored: 100_000, outputPerInputByte: 1 };
      await beginUpload({ ...api, reserveBytes: 0 }, 'demo', `b${'0'.repeat(25)}`, limits, 9_000);
      expect((await api.post(listOf(200), '', csv)).status).toBe(429);
      // Running work was just checked. The next check is in five seconds.
      await api.redis.del('rates:uploads', 'rates:inflight-bytes:{demo}:looked');
      expect((await api.post(listOf(200), '', csv)).status).toBe(202);
    }));
});

describe('a store that is nearly full', () => {
  test('accepts no list, and finishes its batches', async () => {
    const room = { bytes: 10_000_000 };
    let disk = createDiskStore('/nowhere');
    await withLimits({ reserveBytes: 5_000_000 }, async (api) => {
      disk = createDiskStore(api.root);
    });
    const store = { ...disk, free: async () => room.bytes };
    await withLimits({ reserveBytes: 5_000_000, store }, async (api) => {
      const id = await api.upload(listOf(20));
      room.bytes = 4_999_999;
      const { status, body } = await api.post(listOf(1), '', csv);
      expect([status, body.fault]).toEqual([
        503,
        {
          type: 'service.unavailable',
          message: 'The store is nearly full. It accepts lists again when there is room. Running batches continue.',
          arguments: { dependency: 'store' },
        },
      ]);
      await working(api, async () => expect(await api.ended(id)).toMatchObject({ status: 'completed' }));
      room.bytes = 5_001_000;
      expect((await api.post(listOf(1), '', csv)).status).toBe(202);
      expect((await api.post(listOf(100), '', csv)).status).toBe(503);
      await api.store.remove('batches/');
    });
  });
});

describe('leftovers of uploads whose process died', () => {
  const MINUTE_MS = 60_000;
  const idAt = (ms: number): string => `b${(Date.now() - ms).toString(36).padStart(9, '0')}${'0'.repeat(16)}`;

  test('are removed within an hour, but not while the upload gives signs of life', () =>
    withLimits({}, async (api) => {
      const [dead, alive] = [idAt(16 * MINUTE_MS), idAt(17 * MINUTE_MS)];
      for (const id of [dead, alive]) {
        await mkdir(join(api.root, 'batches', id), { recursive: true });
        await writeFile(join(api.root, 'batches', id, '.0123'), 'half');
      }
      const limits = { bytesInFlight: 1_000, bytesStored: 1_000, outputPerInputByte: 1 };
      const upload = await beginUpload({ ...api, reserveBytes: 0 }, 'demo', alive, limits, 10);
      await sweep(api);
      expect(await api.folders()).toEqual([alive]);
      expect(await counted(api)).toBe(10);
      await upload.end(false);
      await sweep(api);
      expect([await api.folders(), await counted(api)]).toEqual([[], 0]);
    }));

  test('are removed for corrections too, and with half-written files', () =>
    withLimits({}, async (api) => {
      await working(api, async () => {
        const id = await api.upload(listOf(2));
        await api.ended(id);
        const upload = join(api.root, 'batches', id, 'revisions', 'a'.repeat(18));
        await mkdir(upload, { recursive: true });
        await writeFile(join(upload, 'input.csv'), 'order\n');
        const half = join(api.root, 'batches', id, '.4567');
        await writeFile(half, 'half');
        await utimes(half, new Date(), new Date(Date.now() - 16 * MINUTE_MS));
        await sweep(api);
        expect(await api.store.list(`batches/${id}/revisions/`)).toEqual([]);
        expect(await isRight(api)).toBeGreaterThan(0);
        expect(await api.file(`/${id}/output`)).toMatchObject({ status: 200 });
      });
    }));
});

test('a client can read its limits and usage, and the metrics report the usage of all', () =>
  withLimits({ bytes: { bytesStored: 123_456_789 } }, async (api) => {
    const id = await api.upload(listOf(20));
    const limitsOf = async () => {
      const { status, body } = await api.api.call('/v1/client/limits', { headers: api.bearer() });
      expect(status).toBe(200);
      return new Map(
        body.limits.map(({ limit, most, used }: { limit: string; most: number; used: number | null }) => [
          limit,
          [most, used],
        ]),
      );
    };
    const bytes = listOf(20).length;
    const before = await limitsOf();
    expect(before.get('bytesStored')).toEqual([123_456_789, bytes]);
    expect(before.get('bytesInFlight')).toEqual([8_589_934_592, bytes]);
    expect([before.get('batchesInFlight'), before.get('rowsInFlight')]).toMatchObject([{ 1: 1 }, { 1: 20 }]);
    expect(before.get('readsAtOnce')).toEqual([32, null]);
    await working(api, async () => {
      await api.ended(id);
      const held = await isRight(api);
      expect((await limitsOf()).get('bytesStored')).toEqual([123_456_789, held]);
      await sweep(api);
      const text = await createWorkMetrics(api.redis, api.queues, { free: async () => 77 })();
      expect(text).toContain(`\nrates_stored_bytes ${await counted(api)}\n`);
      expect(text).toContain('\nrates_inflight_bytes 0\n');
      expect(text).toContain('\nrates_store_free_bytes 77\n');
    });
  }));

test('refusals are counted by limit', () =>
  withLimits({ bytes: { bytesStored: 10 } }, async (api) => {
    expect((await api.post(listOf(1), '', csv)).status).toBe(429);
    const text = await (await fetch(`${api.api.url}/metrics`)).text();
    expect(text).toContain('rates_limited_total{limit="bytesStored"} 1\n');
  }));
