import { createHash } from 'node:crypto';
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { claimKey } from '../../src/http/batches/start-work.ts';
import type { TestRedis } from '../redis.ts';
import { BATCHES, type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let redis: TestRedis;
let api: BatchApi;
batchApiForFile((started) => ({ redis, api } = started));

const csv = (key: string) => ({ 'Content-Type': 'text/csv', 'Idempotency-Key': key });
const recordOf = (key: string) => `rates:idempotency:{demo:${createHash('sha256').update(key).digest('hex')}}`;

test('the same list with the same key makes one batch, which is the answer each time', async () => {
  const before = (await api.folders()).length;
  const first = await api.post(listOf(3), '', csv('order-17'));
  const again = await api.post(listOf(3), '', csv('order-17'));
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('location')).toBe(`${BATCHES}/${first.body.id}`);
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  expect((await api.folders()).length - before).toBe(1);
  expect(await api.redis.ttl(recordOf('order-17'))).toBeGreaterThan(86_390);
});

test('the same list counts as equal in a form, with any boundary, and compressed', async () => {
  const form = () => {
    const body = new FormData();
    body.append('file', new Blob([listOf(3)]), 'list.csv');
    return body;
  };
  const key = { 'Idempotency-Key': 'form-1' };
  const ids = [
    await api.post(form(), '', key),
    await api.post(form(), '', key),
    await api.post(gzipSync(listOf(3)), '', { ...csv('form-1'), 'Content-Encoding': 'gzip' }),
  ].map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^b/);
});

test.each([
  ['another list', listOf(4), ''],
  ['one more byte', `${listOf(3)}\n`, ''],
  ['another query', listOf(3), '?units=KG'],
])('a used key with %s is refused and leaves nothing', async (what, list, query) => {
  const key = `reuse ${what}`;
  expect((await api.post(listOf(3), '', csv(key))).status).toBe(202);
  const before = await api.folders();
  const { status, body } = await api.post(list, query, csv(key));
  expect(status).toBe(422);
  expect(body).toEqual({
    code: 422,
    fault: { type: 'idempotency.keyReused', message: expect.any(String), arguments: { 'Idempotency-Key': key } },
  });
  expect(await api.folders()).toEqual(before);
});

test('the order of the query does not matter', async () => {
  const first = await api.post(listOf(3), '?filename=a.csv&units=LB', csv('query'));
  const again = await api.post(listOf(3), '?units=LB&filename=a.csv', csv('query'));
  expect(again.body.id).toBe(first.body.id);
});

test('each client has its own keys', async () => {
  const token = await api.api.tokenOf('other', 'other-secret');
  const own = await api.post(listOf(3), '', csv('shared'));
  const others = await api.post(listOf(4), '', { ...csv('shared'), ...api.bearer(token) });
  expect([own.status, others.status]).toEqual([202, 202]);
  expect(others.body.id).not.toBe(own.body.id);
});

test('a refused request frees its key', async () => {
  expect((await api.post(`${HEADER}\n`, '', csv('corrected'))).status).toBe(422);
  expect((await api.post(listOf(2), '', csv('corrected'))).status).toBe(202);
});

test('a request that failed because the store did not answer frees its key', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const record = join(api.root, 'keys', day, `${createHash('sha256').update('demo:unlucky').digest('hex')}.json`);
  await mkdir(record, { recursive: true });
  const failed = await api.post(listOf(2), '', csv('unlucky'));
  expect([failed.status, failed.body.fault.arguments]).toEqual([503, { dependency: 'store' }]);
  await rmdir(record);
  expect((await api.post(listOf(2), '', csv('unlucky'))).status).toBe(202);
});

test('a key that Redis has lost is found in the store', async () => {
  const first = await api.post(listOf(3), '', csv('forgotten'));
  await redis.clear();
  const again = await api.post(listOf(3), '', csv('forgotten'));
  expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([202, first.body.id, 'true']);
  await redis.clear();
  const other = await api.post(listOf(4), '', csv('forgotten'));
  expect([other.status, other.body.fault.type]).toEqual([422, 'idempotency.keyReused']);
});

test('the deleted batch of a key is not created again', async () => {
  const stop = await api.work();
  const { body } = await api.post(listOf(2), '', csv('deleted'));
  await api.ended(body.id);
  await stop();
  expect((await api.call('DELETE', `/${body.id}`)).status).toBe(204);
  const again = await api.post(listOf(2), '', csv('deleted'));
  expect([again.status, again.body.fault.type, again.body.fault.message]).toEqual([
    ...[404, 'request.notFound', 'What this Idempotency-Key made was deleted. Use a new key.'],
  ]);
});

describe('two requests at once', () => {
  test('one of six with the same key creates the batch, and the others get it or must wait', async () => {
    const before = (await api.folders()).length;
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.post(listOf(50), '', csv('race'))));
    const taken = answers.filter(({ status }) => status === 202);
    expect(taken.length).toBeGreaterThanOrEqual(1);
    expect(new Set(taken.map(({ body }) => body.id)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 202);
    expect(others.map(({ status, body }) => [status, body.fault.type])).toEqual(
      others.map(() => [409, 'idempotency.inProgress']),
    );
    expect((await api.folders()).length - before).toBe(1);
  });

  test('the second is refused while the first runs', async () => {
    const claim = await claimKey(api.redis, 'demo', 'slow', 'b1', async () => false);
    const { status, body } = await api.post(listOf(2), '', csv('slow'));
    expect([status, body.fault.type, body.fault.arguments]).toEqual([
      409,
      'idempotency.inProgress',
      { 'Idempotency-Key': 'slow' },
    ]);
    if (claim.kind !== 'ours') throw new Error('the key was not ours');
    await claim.free();
    expect((await api.post(listOf(2), '', csv('slow'))).status).toBe(202);
  });
});

describe('a process that died', () => {
  /** Ends the lease, as when its process dies. */
  const die = (key: string) => api.redis.del(`${recordOf(key)}:lease`);

  test('before its batch existed: the next request takes over the key', async () => {
    const claim = await claimKey(api.redis, 'demo', 'died', 'bgone', async () => false);
    if (claim.kind !== 'ours') throw new Error('the key was not ours');
    await claim.hold('content');
    await die('died');
    const answer = await api.post(listOf(2), '', csv('died'));
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([202, null]);
    // It was slow, not dead. It no longer owns the key.
    expect(await claim.hold('content')).toBe(false);
    await claim.free();
    expect((await api.post(listOf(2), '', csv('died'))).body.id).toBe(answer.body.id);
  });

  test('after its batch existed, before it answered: the next request gets that batch', async () => {
    const { body } = await api.post(listOf(2), '', csv('made'));
    await api.redis.hdel(recordOf('made'), 'done');
    await die('made');
    const again = await api.post(listOf(2), '', csv('made'));
    expect([again.status, again.body.id]).toEqual([202, body.id]);
    expect(await api.redis.hget(recordOf('made'), 'done')).toBe('1');
    expect((await api.post(listOf(9), '', csv('made'))).status).toBe(422);
  });

  test('two requests find its key at once: one takes it over', async () => {
    const claim = () => claimKey(api.redis, 'demo', 'orphan', 'bx', async () => false);
    await claim();
    await die('orphan');
    const kinds = (await Promise.all([claim(), claim(), claim()])).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['ours', 'running', 'running']);
  });
});

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
  ['with a character beyond ASCII', 'schlüssel'],
])('a key that is %s is refused', async (_what, key) => {
  const { status, body } = await api.post(listOf(2), '', csv(key));
  expect([status, body.fault.type, Object.keys(body.fault.arguments)]).toEqual([
    422,
    'getRates.invalidRequest',
    ['Idempotency-Key'],
  ]);
});

test('a key of 255 characters is accepted', async () => {
  expect((await api.post(listOf(2), '', csv('k'.repeat(255)))).status).toBe(202);
});
