/** Repair of a batch's state in Redis from the store, because Redis may have lost writes. */
import { beforeEach, expect, test } from 'vitest';
import { putJson } from '../../src/base/store/store.ts';
import { clientIndex } from '../../src/batch/client-index.ts';
import { keys, writeFinal } from '../../src/batch/records.ts';
import { createRecheck } from '../../src/batch/scheduler.ts';
import { EMPTY_TALLY } from '../../src/lists/output/tally.ts';
import { type Backend, idOf, redisAndStore } from './fixtures.ts';

const ID = idOf(1);
const FIELDS = { clientId: 'demo', createdAt: '2026-06-01T12:00:00.000Z', revision: '1' };

let backend: Backend;
let restored: string[];
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(() => {
  restored = [];
});

const recheck = (fields: Readonly<Record<string, string>>) =>
  createRecheck({ ...backend, scheduler: { replaceState: async (id) => void restored.push(id) } })(ID, {
    ...FIELDS,
    ...fields,
  });
const end = (status: 'completed' | 'failed', revision = 1) =>
  writeFinal(backend.store, ID, revision, {
    status,
    startedAt: null,
    completedAt: '2026-06-01T13:00:00.000Z',
    expiresAt: '2026-06-08T13:00:00.000Z',
    tally: EMPTY_TALLY,
    failure: null,
  });
const revise = (revision: number) =>
  putJson(backend.store, keys.revision(ID, revision), {
    ...{
      revision,
      from: 1,
      createdAt: FIELDS.createdAt,
      filename: 'a.csv',
      upload: 'u',
      rows: 1,
      chunks: [],
      cells: [],
    },
    ...{ dialect: { delimiter: ',', lineBreak: 'lf' }, rowColumn: 0 },
  });

test('a batch that agrees with the store is left alone, and listed if it was not', async () => {
  expect(await recheck({ status: 'in_progress' })).toBe(false);
  await end('completed');
  expect(await recheck({ status: 'completed' })).toBe(false);
  expect([restored, await clientIndex.all(backend.redis, 'demo')]).toEqual([[], [ID]]);
});

test.each([
  ['failed, although a retry has removed its end', 'failed', undefined],
  ['failed, although a retry has completed it', 'failed', 'completed'],
  ['completed, although the store does not say so', 'completed', undefined],
] as const)('a batch that Redis has as %s is restored from the store', async (_what, status, final) => {
  if (final !== undefined) await end(final);
  expect(await recheck({ status })).toBe(true);
  expect(restored).toEqual([ID]);
});

test('a batch whose next revision Redis has lost is restored; a revision that the store does not have yet is ignored', async () => {
  await end('completed');
  expect(await recheck({ status: 'queued', revision: '2' })).toBe(false);
  await revise(2);
  expect(await recheck({ status: 'completed' })).toBe(true);
  expect(await recheck({ status: 'in_progress', revision: '2' })).toBe(false);
  expect(restored).toEqual([ID]);
});
