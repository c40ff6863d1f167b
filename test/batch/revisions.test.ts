/** The revisions of a batch in the store. */
import { describe, expect, test } from 'vitest';
import { putJson } from '../../src/base/store/store.ts';
import { keys, type RevisionDocument, writeFinal, writtenChunks } from '../../src/batch/records.ts';
import {
  doneChunks,
  latestRevision,
  nextRevision,
  partOf,
  readRevisionPlan,
  usedUploads,
} from '../../src/batch/revisions.ts';
import { EMPTY_TALLY } from '../../src/lists/output/tally.ts';
import { type Backend, idOf, partWith, redisAndStore } from './fixtures.ts';

const ID = idOf(1);

let backend: Backend;
redisAndStore((fresh) => {
  backend = fresh;
});

/** A revision that corrects a row in each of these chunks. */
const writeRevision = (revision: number, from: number, chunks: readonly number[]): Promise<number> => {
  const document: RevisionDocument = {
    revision,
    from,
    createdAt: '2026-06-02T12:00:00.000Z',
    filename: 'faults.csv',
    upload: `u${revision}`,
    repairs: [],
    dialect: { delimiter: ',', lineBreak: 'lf' },
    rowColumn: 2,
    cells: [0, 1],
    rows: chunks.length,
    chunks: chunks.map((index) => ({ index, rows: 1, from: 0, to: 9 })),
  };
  return putJson(backend.store, keys.revision(ID, revision), document);
};
const writePart = (index: number, revision: number) =>
  putJson(backend.store, keys.partSummary(ID, index, revision), partWith({ revision, bytes: 100 * index + revision }));
const writeOutput = (revision: number, revisions: readonly number[]) =>
  putJson(backend.store, keys.output(ID, revision), {
    revision,
    parts: revisions.map((of, index) => ({ index, bytes: 1, faultBytes: 0, revision: of })),
  });
const end = (revision: number, status: 'completed' | 'cancelled' | 'failed') =>
  writeFinal(backend.store, ID, revision, {
    status,
    startedAt: null,
    completedAt: '2026-06-02T12:00:00.000Z',
    expiresAt: '2026-06-09T12:00:00.000Z',
    tally: EMPTY_TALLY,
    failure: null,
  });
const open = async (revision: number) => {
  const revisionPlan = await readRevisionPlan(backend.store, ID, revision);
  if (revisionPlan === undefined) throw new Error(`there is no revision ${revision}`);
  return revisionPlan;
};

describe('the number of a revision', () => {
  const numbers = async () => [await latestRevision(backend.store, ID), await nextRevision(backend.store, ID)];

  test('is 1 before any correction', async () => {
    expect(await numbers()).toEqual([1, 2]);
  });

  test('rises beyond 9, even though the store sorts names as text', async () => {
    for (const revision of [2, 9, 10]) await writeRevision(revision, 1, [0]);
    expect(await numbers()).toEqual([10, 11]);
  });

  test('is used up by a cancelled revision, which has no effect', async () => {
    for (const revision of [2, 3, 4]) await writeRevision(revision, 1, [0]);
    await end(2, 'completed');
    await end(3, 'cancelled');
    await end(4, 'cancelled');
    expect(await numbers()).toEqual([2, 5]);
  });

  test('stays current after a failure', async () => {
    await writeRevision(2, 1, [0]);
    await end(2, 'failed');
    expect(await numbers()).toEqual([2, 3]);
  });

  test('ignores other files in the folder of revisions', async () => {
    await writeRevision(2, 1, [0]);
    for (const name of ['7.final.json', '07.json', 'u8/input.csv', 'x9.json'])
      await backend.store.put(`${keys.revisions(ID)}${name}`, Buffer.from('{}'));
    expect(await numbers()).toEqual([2, 3]);
  });
});

test('the uploads of revisions are listed by name', async () => {
  await writeRevision(2, 1, [0]);
  await writeRevision(3, 2, [1]);
  expect(await usedUploads(backend.store, ID)).toEqual(new Set(['u2', 'u3']));
});

describe('the plan of a revision', () => {
  test('rates every chunk in the first revision', async () => {
    expect(await readRevisionPlan(backend.store, ID, 1)).toEqual({ revision: 1, before: new Map() });
    await writePart(0, 1);
    await writePart(2, 1);
    const revisionPlan = await open(1);
    expect((await doneChunks(backend.store, ID, revisionPlan)).toSorted()).toEqual([0, 2]);
    expect((await partOf(backend.store, ID, revisionPlan, 2))?.bytes).toBe(201);
    expect(await partOf(backend.store, ID, revisionPlan, 1)).toBeUndefined();
  });

  test('rates corrected chunks in a later revision, and takes the others from the revision before', async () => {
    for (const index of [0, 1, 2, 3]) await writePart(index, 1);
    await writePart(1, 2);
    await writeOutput(2, [1, 2, 1, 1]);
    await writeRevision(3, 2, [0, 2]);
    const revisionPlan = await open(3);
    expect((await doneChunks(backend.store, ID, revisionPlan)).toSorted()).toEqual([1, 3]);
    expect((await partOf(backend.store, ID, revisionPlan, 1))?.bytes).toBe(102);
    expect((await partOf(backend.store, ID, revisionPlan, 3))?.bytes).toBe(301);
    expect(await partOf(backend.store, ID, revisionPlan, 0)).toBeUndefined();
    // The output that it corrects has no chunk 4, so a part of that name is not of this batch.
    await writePart(4, 1);
    expect(await partOf(backend.store, ID, revisionPlan, 4)).toBeUndefined();
    await writePart(2, 3);
    expect((await doneChunks(backend.store, ID, revisionPlan)).toSorted()).toEqual([1, 2, 3]);
    expect((await partOf(backend.store, ID, revisionPlan, 2))?.bytes).toBe(203);
  });

  test('does not exist before its document, or the output that it corrects', async () => {
    expect(await readRevisionPlan(backend.store, ID, 2)).toBeUndefined();
    await writeRevision(2, 1, [0]);
    expect(await readRevisionPlan(backend.store, ID, 2)).toBeUndefined();
    await writeOutput(1, [1]);
    expect(await readRevisionPlan(backend.store, ID, 2)).toMatchObject({ revision: 2 });
  });
});

test('only the summaries tell which chunks a revision wrote', async () => {
  for (const name of ['00000.json', '00003.csv', '00004.json', '00004.faults.csv', '00005.r2.json', '00006.r20.json'])
    await backend.store.put(`${keys.parts(ID)}${name}`, Buffer.from('{}'));
  await backend.store.put(`${keys.parts(ID)}100000.json`, Buffer.from('{}'));
  const written = async (revision: number) =>
    (await writtenChunks(backend.store, ID, revision)).toSorted((a, b) => a - b);
  expect([await written(1), await written(2), await written(20), await written(3)]).toEqual([
    [0, 4, 100_000],
    [5],
    [6],
    [],
  ]);
});
