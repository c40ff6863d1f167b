/** Changes of a folder of tariffs that are interrupted. */
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../../src/base/process/folder-lock.ts';
import { finishIfFree, folderPlace, keptDir, readVersions } from '../../../src/catalog/documents/folder-place.ts';
import { TARIFFS } from '../../../src/catalog/documents/kinds.ts';
import { type Library, libraryIn } from '../../../src/catalog/documents/library.ts';
import { type LiveTariffs, watchTariffs } from '../../../src/catalog/documents/live.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { folderForEachTest, folderForFile } from '../../folder.ts';
import { soon } from '../../soon.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

const NOTE = { by: 'ann', now: new Date('2026-03-01T00:00:00Z') };

let dir: string;
let root: string;
let live: LiveTariffs | undefined;
folderForEachTest((made) => (dir = made));
let library: Library<TariffDocument>;
beforeEach(async () => {
  root = join(dir, 'tariffs');
  await mkdir(root);
  library = libraryIn(TARIFFS, folderPlace(TARIFFS, root));
});
afterEach(() => {
  live?.close();
  live = undefined;
});

const tariff = (code: string, description: string) =>
  smallTariff({
    file: { name: code.toLowerCase(), effective: '2026-01-05' },
    service: { code, description },
    document: { rates: { [code]: TEN_POUNDS } },
  });

const idsNow = async () => (await library.current()).documents.map(TARIFFS.id);

/** Publishes air and ground as they are in one year. @returns their ids */
const publish = async (year: string, to = library): Promise<readonly string[]> => {
  const sources = ['AIR', 'GROUND'].map((code) => ({ document: tariff(code, `of ${year}`) }));
  const placed = await to.put(sources, { replace: 'all', ...NOTE });
  if ('errors' in placed) throw new Error(JSON.stringify(placed.errors));
  return (await to.current()).documents.map(TARIFFS.id);
};

const watch = async (): Promise<LiveTariffs> => {
  live = await watchTariffs(root, {
    log: pino({ level: 'silent' }),
    intervalMs: 20,
  });
  return live;
};

/** Makes the folder what it was just after a change to version 2 was decided. */
const interrupt = async (before: readonly string[]): Promise<void> => {
  const decided = JSON.parse(await readFile(join(root, '.versions', '2.json'), 'utf8'));
  await rm(join(root, '.versions', '2.json'));
  const change = { ...decided, puts: ['air', 'ground'], gone: [] };
  await writeFile(join(root, '.versions', 'next.json'), JSON.stringify(change));
  for (const [at, name] of ['air', 'ground'].entries()) {
    await rm(join(root, name), { recursive: true });
    await cp(keptDir(root, before[at] ?? ''), join(root, name), { recursive: true });
  }
};

describe('a change of two tariffs that was interrupted', () => {
  let made: string;
  let before: readonly string[];
  let after: readonly string[];
  folderForFile((folder) => (made = folder));
  beforeAll(async () => {
    const to = libraryIn(TARIFFS, folderPlace(TARIFFS, made));
    before = await publish('2025', to);
    after = await publish('2026', to);
  });
  beforeEach(async () => {
    await cp(made, root, { recursive: true });
    await interrupt(before);
  });

  test.each<[string, (after: readonly string[]) => Promise<void>]>([
    ['before the first folder was put', async () => undefined],
    ['between the two renames of a folder', async () => rename(join(root, 'air'), join(root, '.air.old'))],
    [
      'after one of the two folders',
      async ([air = '']) => {
        await rm(join(root, 'air'), { recursive: true });
        await cp(keptDir(root, air), join(root, 'air'), { recursive: true });
      },
    ],
    [
      'after both',
      async (after) => {
        for (const [at, name] of ['air', 'ground'].entries()) {
          await rm(join(root, name), { recursive: true });
          await cp(keptDir(root, after[at] ?? ''), join(root, name), { recursive: true });
        }
      },
    ],
  ])('%s is finished by the service, which never reads half of it', async (_when, state) => {
    await state(after);
    expect((await watch()).current().ids).toEqual(after);
    expect((await readVersions('tariffs', root)).map(({ version }) => version)).toEqual(['2', '1']);
    expect(await finishIfFree(TARIFFS, root)).toBe(true);
    expect(live?.current().ids).toEqual(after);
  });

  test('is finished before the next change', async () => {
    await library.goBack('1', NOTE);
    expect(await idsNow()).toEqual(before);
    expect((await readVersions('tariffs', root)).map(({ ids }) => Object.values(ids))).toEqual([before, after, before]);
  });

  test('keeps the tariffs of a running service as they were while another process makes it', async () => {
    const next = join(root, '.versions', 'next.json');
    await rename(next, join(dir, 'next.json'));
    const service = await watch();
    const lock = await lockFolder(root);
    await rename(join(dir, 'next.json'), next);
    const seen = new Set<string>();
    for (let looks = 0; looks < 10; looks++) {
      seen.add(service.current().ids.join());
      await rm(join(root, looks % 2 === 0 ? 'air' : 'ground'), { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([...seen]).toEqual([before.join()]);
    await lock?.release();
    await soon(() => expect(service.current().ids).toEqual(after));
  });
});

test('folders that were copied by hand are a version of their own, and come back', async () => {
  await writeTariffFolder(join(root, 'air'), tariff('AIR', 'by hand'));
  await publish('2026');
  const versions = await readVersions('tariffs', root);
  expect(versions.map((one) => [one.version, one.by, Object.keys(one.ids)])).toEqual([
    ['2', 'ann', ['air', 'ground']],
    ['1', 'hand', ['air']],
  ]);
  const back = await library.goBack('1', NOTE);
  expect(back).toMatchObject({
    version: '3',
    placed: [{ name: 'air', isNew: true }],
    withdrawn: [expect.stringMatching(/^ground@/)],
  });
  expect((await watch()).current().documents.map(({ file }) => file.services[0]?.description)).toEqual(['by hand']);
  expect(await library.goBack('1', NOTE)).toMatchObject({ version: undefined, withdrawn: [] });
});
