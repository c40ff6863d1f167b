import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/base/store/open.ts';
import { type Line, openLine } from '../base/store/line.ts';
import { type BatchApi, listOf, startBatchApi } from '../http/batch-api.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { hasObjectStore, type ObjectStore, START_MS, startObjectStore } from './object-store.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'samples', 'shipments.csv');
const FINAL = ['completed', 'failed', 'cancelled'];
/** 1,000 rows in ten chunks. */
const CHUNK_ROWS = 100;
const there = hasObjectStore();

describe.skipIf(!there)('batches in an object store', () => {
  let redis: TestRedis;
  let otherRedis: TestRedis;
  let objects: ObjectStore;
  /** The connection between the service and the object store. */
  let line: Line;
  let api: BatchApi;
  /** The same service on a disk. */
  let onDisk: BatchApi;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    [redis, otherRedis] = [await testRedis(), await testRedis()];
    objects = await startObjectStore();
    const { endpoint = '' } = objects.settings.s3 ?? {};
    line = await openLine(endpoint);
    const s3 = { ...objects.settings.s3, endpoint: `http://127.0.0.1:${line.port}` };
    const store = await openStore({ ...objects.settings, s3 });
    const limits = { chunkRows: CHUNK_ROWS };
    api = await startBatchApi({ redisUrl: redis.url, store, limits, presignSeconds: 60 });
    onDisk = await startBatchApi({ redisUrl: otherRedis.url, limits, presignSeconds: 60 });
    stops.push(await onDisk.work());
  }, START_MS);
  afterEach(() => {
    line.refusing = false;
    line.silent = false;
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await api?.close();
    await onDisk?.close();
    await line?.close();
    await objects?.stop();
    await redis.stop();
    await otherRedis.stop();
  });

  const ended = async (on: BatchApi, id: string): Promise<string> => {
    const status = async (): Promise<string> => (await on.call('GET', `/${id}`)).body.status;
    await expect.poll(status, { timeout: 110_000, interval: 50 }).toSatisfy((now) => FINAL.includes(now));
    return await status();
  };
  const working = async <T>(body: () => Promise<T>): Promise<T> => {
    const stop = await api.work();
    try {
      return await body();
    } finally {
      await stop();
    }
  };
  /** Without workbooks, which contain the time of creation. */
  const FILES = ['output', 'faults', 'output?output=excel'];
  const filesOf = async (on: BatchApi, id: string): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const file of FILES) texts.push((await on.file(`/${id}/${file}`)).text);
    return texts;
  };
  /** The downloads of a list that is rated on the object store, and on the disk. */
  const bothOf = async (list: string | Uint8Array<ArrayBuffer>) => {
    const [id, diskId] = [await api.upload(list), await onDisk.upload(list)];
    expect([await ended(api, id), await ended(onDisk, diskId)]).toEqual(['completed', 'completed']);
    return { id, diskId, files: await filesOf(api, id), diskFiles: await filesOf(onDisk, diskId) };
  };

  test('give the same bytes as on a disk, also with corrections, and are gone after a deletion', async () => {
    await working(async () => {
      const { id, diskId, files, diskFiles } = await bothOf(await readFile(SAMPLE, 'utf8'));
      expect(files[0]?.split('\n').length).toBe(1_002);
      expect(files.map((text, index) => text === diskFiles[index])).toEqual([true, true, true]);
      const correctedText = (files[1] ?? '').replaceAll(/,0213,/g, ',02139,');
      for (const [on, batch] of [
        [api, id],
        [onDisk, diskId],
      ] as const) {
        const { status } = await on.api.call(`/v1/client/shipment/rates/batches/${batch}/corrections`, {
          method: 'POST',
          headers: { ...on.bearer(), 'Content-Type': 'text/csv' },
          body: correctedText,
        });
        expect(status).toBe(202);
        expect(await ended(on, batch)).toBe('completed');
      }
      expect(await filesOf(api, id)).toEqual(await filesOf(onDisk, diskId));
      expect((await api.call('DELETE', `/${id}`)).status).toBe(204);
      expect(await api.store.list(`batches/${id}/`)).toEqual([]);
    });
  }, 240_000);

  test('are read from it for workbooks', async () => {
    await working(async () => {
      const rows = listOf(300)
        .trim()
        .split('\n')
        .map((row) => row.split(','));
      const { files, diskFiles } = await bothOf(new Uint8Array(await writeXlsx({ sheets: [{ name: 'list', rows }] })));
      expect(files[0]).toBe(diskFiles[0]);
    });
  }, 180_000);

  test('redirect callers to the store for the output, with its file name; other forms come from the service', async () => {
    await working(async () => {
      const id = await api.upload(await readFile(SAMPLE, 'utf8'), '?filename=my%20list.csv');
      await ended(api, id);
      for (const file of ['output', 'faults']) {
        const url = `${api.api.url}/v1/client/shipment/rates/batches/${id}/${file}`;
        const answer = await fetch(url, { headers: api.bearer(), redirect: 'manual' });
        expect([answer.status, answer.headers.get('batch-revision')]).toEqual([302, '1']);
        const given = await fetch(answer.headers.get('location') ?? '');
        expect(given.headers.get('content-disposition')).toBe(`attachment; filename="my list-${file}.csv"`);
        expect(given.headers.get('content-type')).toBe('text/csv; charset=utf-8');
        const parts = await fetch(`${url}?output=plain`, { headers: api.bearer() });
        expect(await parts.text()).toBe(await given.text());
      }
      const excel = await fetch(`${api.api.url}/v1/client/shipment/rates/batches/${id}/output?output=excel`, {
        headers: api.bearer(),
        redirect: 'manual',
      });
      expect(excel.status).toBe(200);
      // The page of a link to a result must not load from another host.
      const { body } = await api.api.call(`/v1/client/shipment/rates/batches/${id}/shares`, {
        method: 'POST',
        headers: { ...api.bearer(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ days: 1 }),
      });
      const shared = await fetch(`${api.api.url}/shared/v1/client/shipment/rates/batches/${id}/output`, {
        headers: { 'Share-Token': body.token },
        redirect: 'manual',
      });
      expect(shared.status).toBe(200);
      // If the merged file is missing, the parts are served.
      const whole = (await api.file(`/${id}/output`)).text;
      await api.store.remove(`batches/${id}/output.csv`);
      const parts = await fetch(`${api.api.url}/v1/client/shipment/rates/batches/${id}/output`, {
        headers: api.bearer(),
        redirect: 'manual',
      });
      expect([parts.status, (await parts.text()) === whole]).toEqual([200, true]);
    });
  }, 180_000);

  test('resume when the store is back', async () => {
    await working(async () => {
      const list = listOf(4_000);
      const id = await api.upload(list);
      const processed = async (): Promise<number> => (await api.call('GET', `/${id}`)).body.rows?.processed;
      await expect.poll(processed, { timeout: 60_000 }).toBeGreaterThan(0);
      line.refusing = true;
      line.drop();
      const failed = (): number => api.lines.filter((text) => text.includes('rows could not be rated')).length;
      await expect.poll(failed, { timeout: 60_000 }).toBeGreaterThan(1);
      line.refusing = false;
      expect(await ended(api, id)).toBe('completed');
      const diskId = await onDisk.upload(list);
      await ended(onDisk, diskId);
      expect((await api.file(`/${id}/output`)).text).toBe((await onDisk.file(`/${diskId}/output`)).text);
    });
  }, 240_000);

  const SHIPMENT = {
    rates: {
      shippingService: 'C1-GROUND',
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '02139', countryCode: 'US' } },
      packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
    },
  };
  test.each([
    ['refuses', 5_000],
    ['is silent', 45_000],
  ])(
    'a store that %s gives 503 in time, and quotes continue',
    async (how, atMostMs) => {
      const id = await working(async () => {
        const uploaded = await api.upload(listOf(10));
        await ended(api, uploaded);
        return uploaded;
      });
      line.refusing = how === 'refuses';
      line.silent = how === 'is silent';
      line.drop();
      const began = performance.now();
      const answers = await Promise.all([
        api.post(listOf(10), '', { 'Content-Type': 'text/csv' }),
        api.post(listOf(10), '?preview=true', { 'Content-Type': 'text/csv' }),
        api.call('GET', `/${id}/output`),
        api.call('GET', `/${id}/summary`),
        api.call('POST', `/${id}/cancel`),
        api.call('DELETE', `/${id}`),
      ]);
      expect(performance.now() - began).toBeLessThan(atMostMs);
      for (const { status, body } of answers)
        expect([status, body.fault.type, body.fault.arguments]).toEqual([
          503,
          'service.unavailable',
          { dependency: 'store' },
        ]);
      expect((await api.api.quote(SHIPMENT)).status).toBe(200);
      line.refusing = false;
      line.silent = false;
      line.drop();
      expect((await api.call('GET', `/${id}/summary`)).status).toBe(200);
    },
    60_000,
  );
});
