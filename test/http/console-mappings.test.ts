/** `/console/mappings`: mappings that clients save for lists with the same header. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { createKeptMappings, MOST_MAPPINGS } from '../../src/batch/kept/mappings.ts';
import type { AnswerOf } from '../../src/http/call.ts';
import type { CONSOLE_CALLS } from '../../src/http/console/calls.ts';
import type { BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
let demo: Record<string, string>;
let other: Record<string, string>;

batchApiForFile(async (started) => {
  ({ api } = started);
  demo = await api.api.session('demo');
  other = await api.api.session('other');
});
beforeEach(async () => await api.store.remove('mappings/'));

const HEADER_KEY = 'q485krFv4XkFBw3y-DA5UnTHkeHapOnAcYVCcC2mMd8';
const OTHER_KEY = `-${HEADER_KEY.slice(1)}`;
const OPTIONS = {
  columns: 'weight_value:Wt (lbs)',
  ...{ units: 'LB', weight: '2', warehouse_id: 'any', shippingService: 'C1-GROUND' },
  ...{ service_map: 'Standard:C1-GROUND', header_row: '3' },
};

const list = async (headers = demo, query = '') =>
  (await api.api.call(`/console/mappings${query}`, { headers })).body as AnswerOf<typeof CONSOLE_CALLS.listMappings>;
const save = (body: unknown, headers = demo) =>
  api.api.call('/console/mappings', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const remove = (id: string, headers = demo) => api.api.call(`/console/mappings/${id}`, { method: 'DELETE', headers });

test('a mapping is kept with its options, found by its header, and replaced by its name', async () => {
  expect(await list()).toEqual({ mappings: [], most: 100 });
  const saved = await save({ name: ' Shopify ', headerKey: HEADER_KEY, options: OPTIONS });
  expect([saved.status, saved.body]).toMatchObject([200, { name: 'Shopify', headerKey: HEADER_KEY, options: OPTIONS }]);
  const elsewhere = await save({ name: 'Shopify', headerKey: OTHER_KEY, options: {} });
  const again = await save({ name: 'Shopify', headerKey: HEADER_KEY, options: { units: 'KG' } });
  expect(again.body.id).toBe(saved.body.id);
  expect((await list()).mappings).toHaveLength(2);
  expect((await list(demo, `?headerKey=${HEADER_KEY}`)).mappings).toEqual([again.body]);
  expect((await list(demo, `?headerKey=${OTHER_KEY}`)).mappings).toEqual([elsewhere.body]);
});

test('a preview has the key of the header', async () => {
  const preview = await api.post('Zip,Weight (lb)\n02139,2\n', '?preview=true&warehouse_id=101');
  expect((await save({ name: 'x', headerKey: preview.body.headerKey, options: {} })).status).toBe(200);
  const same = await api.post('Zip,Weight (lb)\n10001,9\n', '?preview=report');
  expect((await list(demo, `?headerKey=${same.body.headerKey}`)).mappings).toHaveLength(1);
  const turned = await api.post('Weight (lb),Zip\n2,02139\n', '?preview=report');
  expect((await list(demo, `?headerKey=${turned.body.headerKey}`)).mappings).toEqual([]);
});

test('a client never sees, replaces or deletes another client’s mapping', async () => {
  const { body } = await save({ name: 'mine', headerKey: HEADER_KEY, options: OPTIONS });
  expect((await list(other)).mappings).toEqual([]);
  expect((await save({ name: 'mine', headerKey: HEADER_KEY, options: {} }, other)).body.id).toBe(body.id);
  expect((await remove(body.id, other)).status).toBe(204);
  expect((await remove(body.id, other)).status).toBe(404);
  expect((await list()).mappings).toEqual([body]);
});

test('a deleted mapping is gone, and an invalid id is not found', async () => {
  const { body } = await save({ name: 'a', headerKey: HEADER_KEY, options: {} });
  expect((await remove(body.id)).status).toBe(204);
  expect((await list()).mappings).toEqual([]);
  for (const id of [body.id, 'x', `${body.id}.json`, `m${HEADER_KEY}`]) expect((await remove(id)).status).toBe(404);
});

test('a renamed mapping keeps its options, and cannot take another mapping’s name for the same header', async () => {
  const { body } = await save({ name: 'a', headerKey: HEADER_KEY, options: OPTIONS });
  await save({ name: 'b', headerKey: HEADER_KEY, options: {} });
  await save({ name: 'c', headerKey: OTHER_KEY, options: {} });
  const rename = (id: string, name: unknown, headers = demo) =>
    api.api.call(`/console/mappings/${id}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  const renamed = await rename(body.id, ' c ');
  expect([renamed.status, renamed.body]).toEqual([200, { ...body, name: 'c', id: expect.any(String) }]);
  expect((await list(demo, `?headerKey=${HEADER_KEY}`)).mappings.map(({ name }) => name).sort()).toEqual(['b', 'c']);
  expect((await rename(renamed.body.id, 'c')).body).toEqual(renamed.body);
  const taken = await rename(renamed.body.id, 'b');
  expect([taken.status, taken.body.fault.arguments]).toEqual([
    422,
    { name: 'is the name of another mapping for the same column names' },
  ]);
  for (const id of [body.id, 'x', `m${HEADER_KEY}`]) expect((await rename(id, 'd')).status).toBe(404);
  expect((await rename(renamed.body.id, 'd', other)).status).toBe(404);
  expect((await rename(renamed.body.id, '  ')).body.fault.arguments).toHaveProperty('name');
  expect((await list()).mappings).toHaveLength(3);
});

test('they survive a restart', async () => {
  const { body } = await save({ name: 'a', headerKey: HEADER_KEY, options: OPTIONS });
  await api.redis.flushall();
  const restarted = createKeptMappings(createDiskStore(api.root), () => new Date());
  expect(await restarted.list('demo')).toEqual([body]);
});

describe('refused are', () => {
  const sound = { name: 'a', headerKey: HEADER_KEY, options: {} };
  test.each([
    ['no name', { ...sound, name: '  ' }, 'name'],
    ['a long name', { ...sound, name: 'x'.repeat(101) }, 'name'],
    ['a wrong key', { ...sound, headerKey: '../../x' }, 'headerKey'],
    ['an unknown option', { ...sound, options: { preview: 'true' } }, 'options.preview'],
    ['a wrong option', { ...sound, options: { weight: '-1' } }, 'options.weight'],
    ['an unknown member', { ...sound, more: 1 }, 'more'],
  ])('%s', async (_name, body, path) => {
    const answer = await save(body);
    expect([answer.status, Object.keys(answer.body.fault.arguments)]).toEqual([422, [path]]);
  });

  test('more than a hundred, until one is deleted', async () => {
    const kept = createKeptMappings(api.store, () => new Date());
    for (let at = 1; at < MOST_MAPPINGS; at += 1) await kept.save('demo', { ...sound, name: `list ${at}` });
    expect((await save({ ...sound, name: 'list 100' })).status).toBe(200);
    const full = await save({ ...sound, name: 'one more' });
    expect([full.status, full.body.fault.arguments]).toEqual([413, { mappings: '100' }]);
    expect((await save({ ...sound, name: 'list 5' })).status).toBe(200);
    const [first] = (await list()).mappings;
    expect((await remove(first?.id ?? '')).status).toBe(204);
    expect((await save({ ...sound, name: 'one more' })).status).toBe(200);
  });
});
