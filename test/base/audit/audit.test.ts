import { writeFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Audit, auditEntry, createAudit } from '../../../src/base/audit/audit.ts';
import { createDiskStore } from '../../../src/base/store/disk.ts';
import { folderForEachTest } from '../../folder.ts';

const ADA = { name: 'Ada', address: '127.0.0.1' };

let root: string;
let now: Date;
let lines: [level: string, fields: object, message: string][];
let audit: Audit;
folderForEachTest((made) => (root = made));
beforeEach(() => {
  now = new Date('2026-11-30T23:59:58Z');
  lines = [];
  const line = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
  audit = createAudit({
    store: createDiskStore(root),
    log: { info: line('info'), error: line('error') } as unknown as Parameters<typeof createAudit>[0]['log'],
    now: () => now,
  });
});

/** Records actions named by number, a second apart. */
const record = async (count: number): Promise<void> => {
  for (let i = 1; i <= count; i++) {
    await audit.record(ADA, { action: `Action ${i}` });
    now = new Date(now.getTime() + 1_000);
  }
};

test('an empty log is a page without entries', async () => {
  expect(await audit.page(10)).toEqual({ entries: [], next: null, read: 0, unreadable: [] });
});

test('an entry says who, what, and before and after, in the store and in the log', async () => {
  const changes = [{ what: 'discount on C1-GROUND', before: null, after: '35%' }];
  await audit.record(ADA, { action: 'Set a discount', object: 'demo', changes });
  const { entries } = await audit.page(10);
  expect(entries).toEqual([
    {
      id: expect.stringMatching(/^2026-11\/20261130T235958000Z-[0-9a-f]{8}$/),
      at: '2026-11-30T23:59:58.000Z',
      by: 'Ada',
      address: '127.0.0.1',
      action: 'Set a discount',
      object: 'demo',
      changes,
    },
  ]);
  expect(auditEntry.parse(entries[0])).toEqual(entries[0]);
  expect(lines).toEqual([['info', { audit: entries[0] }, 'operator']]);
});

test('pages follow each other from the newest entry to the oldest, over the end of a month', async () => {
  await record(5);
  expect((await readdir(join(root, 'audit'))).toSorted()).toEqual(['2026-11', '2026-12']);
  const seen: string[] = [];
  let before: string | undefined;
  for (let pages = 1; ; pages++) {
    const { entries, next } = await audit.page(2, before);
    seen.push(...entries.map(({ action }) => action));
    if (next === null) {
      expect(pages).toBe(3);
      break;
    }
    before = next;
  }
  expect(seen).toEqual(['Action 5', 'Action 4', 'Action 3', 'Action 2', 'Action 1']);
  expect((await audit.page(5)).next).toBeNull();
});

test('entries of the same moment do not replace each other', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => audit.record(ADA, { action: `Action ${i}` })));
  expect((await audit.page(100)).entries).toHaveLength(20);
});

test('long texts are cut, so that an entry stays small', async () => {
  await audit.record(ADA, { action: 'x', changes: [{ what: 'y', before: 'b'.repeat(10_000), after: null }] });
  const [entry] = (await audit.page(1)).entries;
  expect(entry?.changes[0]?.before).toHaveLength(500);
});

test('a damaged entry is named and hides no other', async () => {
  await record(2);
  const damaged = '20261201T000000000Z-00000000';
  await mkdir(join(root, 'audit', '2026-12'), { recursive: true });
  await writeFile(join(root, 'audit', '2026-12', `${damaged}.json`), '{"at":');
  await writeFile(join(root, 'audit', '2026-12', 'notes.txt'), 'not an entry');
  const { entries, unreadable } = await audit.page(10);
  expect(entries.map(({ action }) => action)).toEqual(['Action 2', 'Action 1']);
  expect(unreadable).toEqual([`2026-12/${damaged}`]);
});

test('an entry that the store cannot keep is an error in the log, with the whole entry', async () => {
  await writeFile(join(root, 'audit'), 'a file where the folder should be');
  await audit.record(ADA, { action: 'Signed in' });
  expect(lines.map(([level, , message]) => [level, message])).toEqual([
    ['info', 'operator'],
    ['error', 'the audit log could not keep an entry'],
  ]);
  expect(lines[1]?.[1]).toMatchObject({ audit: { by: 'Ada', action: 'Signed in' } });
});

const actionsOf = async (...asked: Parameters<Audit['page']>) =>
  (await audit.page(...asked)).entries.map(({ action }) => action);

test('a search finds words, people, clients by id and by name, and times', async () => {
  await audit.record(ADA, { action: 'Added a client', object: 'acme', client: 'acme' });
  now = new Date('2026-12-01T08:00:00Z');
  await audit.record(
    { name: 'Grace Hopper', address: '192.0.2.1' },
    {
      action: 'Published the tariff',
      object: 'fedex@2026-01-05-0123abcd',
      changes: [{ what: 'version', before: '6', after: '7' }],
    },
  );
  now = new Date('2026-12-02T08:00:00Z');
  await audit.record(ADA, { action: 'Changed an agreement', object: 'fedex-acme', client: 'acme' });
  const names = new Map([['acme', 'Acme Trading']]);
  const found = (search: Parameters<Audit['page']>[2]) => actionsOf(10, undefined, { ...search, names });
  expect(await found({ text: 'FEDEX' })).toEqual(['Changed an agreement', 'Published the tariff']);
  expect(await found({ text: 'version' })).toEqual(['Published the tariff']);
  expect(await found({ by: 'grace' })).toEqual(['Published the tariff']);
  for (const client of ['acme', 'ACME trad'])
    expect(await found({ client })).toEqual(['Changed an agreement', 'Added a client']);
  expect(await found({ from: '2026-12-01T00:00:00.000Z', to: '2026-12-02T00:00:00.000Z' })).toEqual([
    'Published the tariff',
  ]);
  expect(await found({ to: '2026-12-01T08:00:00.000Z' })).toEqual(['Added a client']);
  expect(await found({ client: 'acme', text: 'agreement', by: 'Ada' })).toEqual(['Changed an agreement']);
  expect(await found({ text: 'nothing like it' })).toEqual([]);
});

test('a page has whole acts, and sign-ins that follow each other are one', async () => {
  await audit.record(ADA, { action: 'Began the draft', object: 'fedex' });
  for (let i = 0; i < 21; i++) {
    now = new Date(now.getTime() + 1_000);
    await audit.record(ADA, { action: 'Added files to the draft', object: 'fedex' });
  }
  const { entries, next } = await audit.page(1);
  expect(entries).toHaveLength(21);
  expect(await actionsOf(1, next ?? undefined)).toEqual(['Began the draft']);
  expect(await actionsOf(2)).toHaveLength(22);
  // What was done half an hour later is another act.
  now = new Date(now.getTime() + 1_800_000);
  await audit.record(ADA, { action: 'Added files to the draft', object: 'fedex' });
  expect(await actionsOf(1)).toHaveLength(1);
  for (const name of ['Ada', 'Grace']) {
    now = new Date(now.getTime() + 1_800_000);
    await audit.record({ ...ADA, name }, { action: 'Signed in' });
  }
  expect(await actionsOf(1)).toEqual(['Signed in', 'Signed in']);
});

test('a page has at most 200 entries, even of one act', async () => {
  for (let i = 0; i < 201; i++) await audit.record(ADA, { action: 'Signed in' });
  const { entries, next } = await audit.page(1);
  expect(entries).toHaveLength(200);
  expect(await actionsOf(1, next ?? undefined)).toHaveLength(1);
});

test('a page of a search reads at most 1,000 entries, and the next one continues there', async () => {
  await record(1);
  await mkdir(join(root, 'audit', '2026-12'), { recursive: true });
  const entry = {
    at: '2026-12-05T00:00:00.000Z',
    by: 'Grace',
    address: '',
    action: 'Signed in',
    object: '',
    changes: [],
  };
  for (let i = 0; i < 1_050; i++) {
    const id = `2026-12/20261205T000000000Z-${i.toString(16).padStart(8, '0')}`;
    writeFileSync(join(root, 'audit', `${id}.json`), JSON.stringify({ id, ...entry }));
  }
  const first = await audit.page(10, undefined, { by: 'ada' });
  expect(first).toMatchObject({ entries: [], read: 1_000, next: '2026-12/20261205T000000000Z-00000032' });
  const second = await audit.page(10, first.next ?? undefined, { by: 'ada' });
  expect(second).toMatchObject({ entries: [{ action: 'Action 1' }], read: 51, next: null });
});
