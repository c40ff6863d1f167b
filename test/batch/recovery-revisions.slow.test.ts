import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { records } from '../../src/batch/records.ts';
import { state, stateKeys } from '../../src/batch/state.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { finalFields, initialFields } from '../../src/batch/view.ts';
import { BATCHES, type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';
import type { TestRedis } from '../redis.ts';

let redis: TestRedis;
let api: BatchApi;
const { work, rest } = batchApiForEachTest((started) => ({ redis, api } = started));

const FAULTY = [2, 9, 10, 20];
const SOUND = listOf(20);
const LIST = SOUND.split('\n')
  .map((line, row) => (FAULTY.includes(row) ? line.replace(',02139,', ',0213,') : line))
  .join('\n');
/** The chunks of three rows that have corrected rows. */
const CORRECTED = [0, 2, 3, 6];

const text = async (below: string): Promise<string> => (await api.file(below)).text;
const pathOf = (id: string, ...names: string[]): string => join(api.root, 'batches', id, ...names);

/** A batch with accepted corrections, and no worker. @returns its id and the expected output */
const corrected = async (): Promise<{ id: string; expected: string }> => {
  await work();
  const sound = await api.upload(SOUND);
  await api.ended(sound);
  const id = await api.upload(LIST);
  await api.ended(id);
  await rest();
  const faults = (await text(`/${id}/faults`)).replaceAll(',0213,', ',02139,');
  const { status } = await api.api.call(`${BATCHES}/${id}/corrections`, {
    method: 'POST',
    headers: api.bearer(),
    body: faults,
  });
  expect(status).toBe(202);
  return { id, expected: await text(`/${sound}/output`) };
};
const comesTo = async (id: string, expected: string): Promise<void> => {
  expect(await api.ended(id)).toMatchObject({
    status: 'completed',
    revision: 2,
    rows: { total: 20, processed: 20, quoted: 20, faulted: 0 },
    faults: {},
  });
  expect(await text(`/${id}/output`)).toBe(expected);
};

describe('corrections give the same bytes', () => {
  test('if Redis is emptied before, during and after them', async () => {
    const { id, expected } = await corrected();
    await redis.clear();
    await api.rateChunk(id, 0, { revision: 2 });
    await redis.clear();
    await work();
    await comesTo(id, expected);
    const ended = (await api.call('GET', `/${id}`)).body;
    await rest();
    await redis.clear();
    expect((await api.call('GET', `/${id}`)).body).toEqual(ended);
    expect(await text(`/${id}/output`)).toBe(expected);
  });

  test('if a replica takes over that lacks them: a thorough sweep finds them', async () => {
    const { id, expected } = await corrected();
    await work();
    await comesTo(id, expected);
    await rest();
    const final = await records.final(api.store, id, 1);
    const document = await records.batch(api.store, id);
    if (document === undefined || final === undefined) throw new Error('the batch is missing');
    await state.remove(api.redis, id);
    await state.create(api.redis, id, { ...initialFields(document, 'completed', 1), ...finalFields(final) });
    expect((await api.call('GET', `/${id}`)).body).toMatchObject({ status: 'completed', revision: 1 });
    const sweep = createSweeper({ ...api, now: () => new Date() });
    expect(await sweep()).toMatchObject({ restored: 0 });
    expect(await sweep(true)).toMatchObject({ restored: 1 });
    await comesTo(id, expected);
  });

  test('if all their jobs are lost', async () => {
    const { id, expected } = await corrected();
    await api.queues.chunk.obliterate({ force: true });
    await api.scheduler.reconcile(id);
    await work();
    await comesTo(id, expected);
  });

  test('if two workers correct a chunk at once, and again when it is done', async () => {
    const { id, expected } = await corrected();
    await Promise.all([api.rateChunk(id, 2, { revision: 2 }), api.rateChunk(id, 2, { revision: 2 })]);
    await api.rateChunk(id, 2, { revision: 2 });
    expect((await api.call('GET', `/${id}`)).body.rows).toMatchObject({ processed: 12 });
    await Promise.all([work('one'), work('two')]);
    await comesTo(id, expected);
  });

  test('if a chunk of the first revision is reported late', async () => {
    const { id, expected } = await corrected();
    const part = await records.part(api.store, id, 0);
    const step = await state.advance(api.redis, id, 1, 10, 0, part);
    expect(step).toEqual({ next: 'superseded', admitted: [] });
    expect(await api.rateChunk(id, 0, { revision: 1 })).toBeUndefined();
    await work();
    await comesTo(id, expected);
  });

  test('if new parts and parts of the earlier revision are lost', async () => {
    const { id, expected } = await corrected();
    for (const index of CORRECTED.slice(0, -1)) await api.rateChunk(id, index, { revision: 2 });
    for (const name of ['00000.r2.csv', '00001.csv', '00003.r2.csv', '00003.csv', '00006.csv'])
      await rm(pathOf(id, 'parts', name));
    await work();
    await comesTo(id, expected);
  });

  test('if the process died before they were a revision: the batch is unchanged', async () => {
    const { id } = await corrected();
    await work();
    await api.ended(id);
    await rest();
    const document = await records.batch(api.store, id);
    if (document === undefined) throw new Error('the batch is missing');
    const fields = { ...initialFields(document, 'queued', 3), revisedAt: new Date(Date.now() - 600_000).toISOString() };
    expect(await state.revise(api.redis, id, 2, fields)).toBe(true);
    await api.scheduler.reconcile(id);
    expect((await api.call('GET', `/${id}`)).body).toMatchObject({ status: 'completed', revision: 2 });
  });

  test('if the process died after it began the revision, before any chunk was admitted', async () => {
    const { id, expected } = await corrected();
    await api.queues.chunk.obliterate({ force: true });
    const { open, done } = stateKeys(id);
    await api.redis.del(open, done);
    await api.redis.hset(stateKeys(id).state, { processed: 0, quoted: 0, faulted: 0, next: 0 });
    await api.scheduler.reconcile(id);
    await work();
    await comesTo(id, expected);
  });
});

test('the revisions of a batch are removed with its files', async () => {
  const { id } = await corrected();
  await work();
  await api.ended(id);
  expect(await readdir(pathOf(id, 'revisions'))).toEqual(
    expect.arrayContaining(['2.json', '2.final.json', '2.output.json']),
  );
  expect((await api.call('DELETE', `/${id}`)).status).toBe(204);
  expect(await api.folders()).not.toContain(id);
});
