/** A batch's state in Redis held against the store, where Redis may have lost writes. */
import { beforeEach, expect, test } from 'vitest';
import { clientIndex } from '../../src/batch/client-index.ts';
import { keys, writeFinal } from '../../src/batch/records.ts';
import { createRecheck } from '../../src/batch/scheduler.ts';
import { EMPTY_TALLY } from '../../src/rows/tally.ts';
import { putJson } from '../../src/store/store.ts';
import { type Ground, idOf, redisAndStore } from './ground.ts';

const ID = idOf(1);
const FIELDS = { clientId: 'demo', createdAt: '2026-06-01T12:00:00.000Z', revision: '1' };

let ground: Ground;
let restored: string[];
redisAndStore((fresh) => {
  ground = fresh;
});
beforeEach(() => {
  restored = [];
});

const recheck = (fields: Readonly<Record<string, string>>) =>
  createRecheck({ ...ground, scheduler: { restoreAnew: async (id) => void restored.push(id) } })(ID, {
    ...FIELDS,
    ...fields,
  });
const end = (status: 'completed' | 'failed', revision = 1) =>
  writeFinal(ground.store, ID, revision, {
    status,
    startedAt: null,
    completedAt: '2026-06-01T13:00:00.000Z',
    expiresAt: '2026-06-08T13:00:00.000Z',
    tally: EMPTY_TALLY,
    failure: null,
  });
const revise = (revision: number) =>
  putJson(ground.store, keys.revision(ID, revision), {
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

test('a batch that is as the store has it is left alone, and listed where it was not', async () => {
  expect(await recheck({ status: 'in_progress' })).toBe(false);
  await end('completed');
  expect(await recheck({ status: 'completed' })).toBe(false);
  expect([restored, await clientIndex.all(ground.redis, 'demo')]).toEqual([[], [ID]]);
});

test.each([
  ['failed, though a retry has taken its end away', 'failed', undefined],
  ['failed, though a retry has completed it', 'failed', 'completed'],
  ['completed, though the store does not say so', 'completed', undefined],
] as const)('a batch that Redis has as %s is made again from the store', async (_what, status, final) => {
  if (final !== undefined) await end(final);
  expect(await recheck({ status })).toBe(true);
  expect(restored).toEqual([ID]);
});

test('a batch whose next revision Redis has lost is made again; one that the store does not have yet is not', async () => {
  await end('completed');
  expect(await recheck({ status: 'queued', revision: '2' })).toBe(false);
  await revise(2);
  expect(await recheck({ status: 'completed' })).toBe(true);
  expect(await recheck({ status: 'in_progress', revision: '2' })).toBe(false);
  expect(restored).toEqual([ID]);
});
