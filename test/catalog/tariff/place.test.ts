import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderPlace } from '../../../src/catalog/documents/folder-place.ts';
import { TARIFFS } from '../../../src/catalog/documents/kinds.ts';
import { libraryIn } from '../../../src/catalog/documents/library.ts';
import { type LiveTariffs, watchTariffs } from '../../../src/catalog/documents/live.ts';
import { readTariffFolder, writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { tariffId } from '../../../src/catalog/tariff/schedule.ts';
import { folderForEachTest } from '../../folder.ts';
import { soon } from '../../soon.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

let dir: string;
let root: string;
let live: LiveTariffs | undefined;
const draft = (name: string): string => join(dir, 'drafts', name);
folderForEachTest((made) => (dir = made));
beforeEach(async () => {
  root = join(dir, 'tariffs');
  await mkdir(root);
});
afterEach(() => {
  live?.close();
  live = undefined;
});

const tariff = (effective: string, code = 'GROUND', firstPoundCents = 1_000) =>
  smallTariff({
    file: { effective },
    service: { code },
    document: { rates: { [code]: { ...TEN_POUNDS, cents: TEN_POUNDS.cents.with(0, [firstPoundCents, 2_000]) } } },
  });
const NOTE = { by: 'ann', now: new Date('2026-03-01T00:00:00Z') };
const place = (dirs: readonly string[], replace = false) =>
  libraryIn(TARIFFS, folderPlace(TARIFFS, root)).put(
    dirs.map((dir) => ({ dir })),
    { replace: replace ? 'all' : 'none', ...NOTE },
  );
const idIn = async (folder: string): Promise<string> => {
  const read = await readTariffFolder(folder);
  return 'document' in read ? tariffId(read.document) : 'has errors';
};
/** The names in the folder, also hidden ones, without the versions. */
const names = async (): Promise<string[]> => (await readdir(root)).filter((name) => name !== '.versions').toSorted();

describe('a tariff', () => {
  test('is not read for the list of versions', async () => {
    await writeTariffFolder(draft('2026'), tariff('2026-01-05'));
    await place([draft('2026')]);
    const unread = { ...TARIFFS, read: () => Promise.reject(new Error('it was read')) };
    const versions = await libraryIn(unread, folderPlace(unread, root)).versions();
    expect(versions).toMatchObject([{ version: '1', by: 'ann', isCurrent: true }]);
    await expect(libraryIn(unread, folderPlace(unread, root)).current()).rejects.toThrow('it was read');
  });

  test('is copied with the files that it was imported from, and a running service uses it', async () => {
    await writeTariffFolder(join(root, '2025'), tariff('2025-01-01'));
    live = await watchTariffs(root, { log: pino({ level: 'silent' }), intervalMs: 20 });
    await writeTariffFolder(draft('2026'), tariff('2026-01-05', 'GROUND', 1_100));
    await mkdir(join(draft('2026'), 'imported', 'files'), { recursive: true });
    await writeFile(join(draft('2026'), 'imported', 'files', 'rates.pdf'), 'the carrier’s file');
    const id = await idIn(draft('2026'));
    const placed = await place([draft('2026')]);
    expect(placed).toMatchObject({ placed: [{ name: '2026', id, before: null, isNew: true }] });
    expect('warnings' in placed && placed.warnings.map(({ at }) => at)).toContain('2026/rates/GROUND.csv');
    expect(await readFile(join(root, '2026', 'imported', 'files', 'rates.pdf'), 'utf8')).toBe('the carrier’s file');
    expect(await names()).toEqual(['2025', '2026']);
    await soon(() => expect(live?.current().ids).toContain(id));
    expect(live.current().bookOn('2026-02-01').cards[0]?.rates[1]).toBe(1_100);
  });

  test('that is there already stays as it is, wherever it comes from', async () => {
    await writeTariffFolder(join(root, '2026'), tariff('2026-01-05'));
    await cp(join(root, '2026'), draft('2026'), { recursive: true });
    await writeFile(join(root, '2026', 'note.txt'), 'mine');
    const id = await idIn(draft('2026'));
    const same = { placed: [{ name: '2026', id, before: id, isNew: false }] };
    expect(await place([draft('2026')])).toMatchObject(same);
    expect(await place([join(root, '2026')])).toMatchObject(same);
    expect(await readFile(join(root, '2026', 'note.txt'), 'utf8')).toBe('mine');
  });

  test('replaces another one of its name only if that is asked for', async () => {
    await writeTariffFolder(join(root, '2026'), tariff('2026-01-05'));
    await writeTariffFolder(draft('2026'), tariff('2026-01-05', 'GROUND', 1_200));
    const [before, id] = [await idIn(join(root, '2026')), await idIn(draft('2026'))];
    await expect(place([draft('2026')])).rejects.toThrow(
      `This would replace or withdraw ${before}, which was put there without being published. Use --replace`,
    );
    expect(await idIn(join(root, '2026'))).toBe(before);
    expect(await place([draft('2026')], true)).toMatchObject({ placed: [{ name: '2026', id, before, isNew: true }] });
    expect([await idIn(join(root, '2026')), await names()]).toEqual([id, ['2026']]);
  });

  test('may replace a broken folder', async () => {
    await mkdir(join(root, '2026'));
    await writeTariffFolder(draft('2026'), tariff('2026-01-05'));
    await expect(place([draft('2026')])).rejects.toThrow(
      'This would replace or withdraw a folder with errors, which was put there without being published.',
    );
    expect(await place([draft('2026')], true)).toMatchObject({ placed: [{ before: 'a folder with errors' }] });
  });
});

describe('nothing changes', () => {
  test('if one of several tariffs has an error', async () => {
    await writeTariffFolder(draft('air'), tariff('2026-01-05', 'AIR'));
    await writeTariffFolder(draft('ground'), tariff('2026-01-05'));
    await rm(join(draft('ground'), 'rates'), { recursive: true });
    expect(await place([draft('air'), draft('ground')])).toEqual({
      errors: [expect.objectContaining({ severity: 'error', at: 'ground/rates/GROUND.csv' })],
    });
    expect(await names()).toEqual([]);
  });

  test('if another tariff there has a service from the same date', async () => {
    await writeTariffFolder(join(root, '2026'), tariff('2026-01-05'));
    await writeTariffFolder(draft('new'), tariff('2026-01-05', 'GROUND', 1_200));
    expect(await place([draft('new')], true)).toEqual({
      errors: [expect.objectContaining({ at: 'new services GROUND' })],
    });
    expect(await names()).toEqual(['2026']);
  });

  test('if a tariff holds something that cannot be copied', async () => {
    await writeTariffFolder(draft('air'), tariff('2026-01-05', 'AIR'));
    await writeTariffFolder(draft('ground'), tariff('2026-01-05'));
    await symlink(dir, join(draft('ground'), 'loop'));
    await expect(place([draft('air'), draft('ground')])).rejects.toThrow('loop is neither a file nor a folder.');
    expect(await names()).toEqual([]);
  });

  test.each([
    ['two folders of one name', ['a/2026', 'b/2026'], 'Two are named 2026'],
    ['a name that services do not read', ['.2026'], 'begins with a period'],
  ])('for %s', async (_what, folders, words) => {
    for (const folder of folders) await writeTariffFolder(draft(folder), tariff('2026-01-05'));
    await expect(place(folders.map(draft))).rejects.toThrow(words);
    expect(await names()).toEqual([]);
  });

  test('in the folder of one tariff', async () => {
    await writeTariffFolder(root, tariff('2025-01-01'));
    await writeTariffFolder(draft('2026'), tariff('2026-01-05'));
    await expect(place([draft('2026')])).rejects.toThrow(`${root} is the folder of one tariff.`);
  });
});

test('a tariff may take over a service from another one that is replaced together with it', async () => {
  await writeTariffFolder(join(root, 'a'), tariff('2026-01-05', 'AIR'));
  await writeTariffFolder(join(root, 'b'), tariff('2026-01-05', 'GROUND'));
  await writeTariffFolder(draft('a'), tariff('2026-01-05', 'GROUND'));
  await writeTariffFolder(draft('b'), tariff('2026-01-05', 'AIR'));
  expect(await place([draft('a'), draft('b')], true)).toMatchObject({ placed: [{ isNew: true }, { isNew: true }] });
  expect(await idIn(join(root, 'a'))).toBe(await idIn(draft('a')));
  expect(await names()).toEqual(['a', 'b']);
});

describe('a running service', () => {
  const started = async (intervalMs: number): Promise<LiveTariffs> => {
    live = await watchTariffs(root, { log: pino({ level: 'silent' }), intervalMs });
    return live;
  };
  const firstPound = ({ current }: LiveTariffs) => current().bookOn('2026-02-01').cards[0]?.rates[1];

  test('uses each of several publications in a row, without waiting until the folder is quiet', async () => {
    const running = await started(60_000);
    for (const cents of [1_100, 1_200, 1_300]) {
      await writeTariffFolder(draft('2026'), tariff('2026-01-05', 'GROUND', cents));
      await place([draft('2026')], true);
      await running.refresh();
      expect(firstPound(running)).toBe(cents);
    }
  });

  test('does not read a folder that is being copied by hand, although it is told to look', async () => {
    const running = await started(60_000);
    await writeTariffFolder(draft('2026'), tariff('2026-01-05'));
    await place([draft('2026')], true);
    await running.refresh();
    await writeTariffFolder(join(root, '2026'), tariff('2026-01-05', 'GROUND', 1_100));
    await running.refresh();
    expect(firstPound(running)).toBe(1_000);
    await running.refresh();
    expect(firstPound(running)).toBe(1_100);
  });
});
