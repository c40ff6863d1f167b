/** Changes of a folder of tariffs that are interrupted. */
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LiveTariffs, watchTariffs } from '../../src/documents/live.ts';
import { lockFolder } from '../../src/process/folder-lock.ts';
import { tariffFolder } from '../../src/published/tariff-folder.ts';
import { writeTariffFolder } from '../../src/tariff/folder.ts';
import { placeAgain, placeTariffs } from '../../src/tariff/place.ts';
import { keptDir, readVersions } from '../../src/tariff/versions.ts';
import { folderForEachTest } from '../folder.ts';
import { soon } from '../soon.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

const NOTE = { by: 'ann', now: new Date('2026-03-01T00:00:00Z') };

let dir: string;
let root: string;
let live: LiveTariffs | undefined;
folderForEachTest((made) => (dir = made));
beforeEach(async () => {
  root = join(dir, 'tariffs');
  await mkdir(root);
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

/** Publishes air and ground as they are in one year. @returns their ids */
const publish = async (year: string): Promise<readonly string[]> => {
  for (const code of ['AIR', 'GROUND'])
    await writeTariffFolder(join(dir, year, code.toLowerCase()), tariff(code, `of ${year}`));
  const placed = await placeTariffs(root, [join(dir, year, 'air'), join(dir, year, 'ground')], {
    replace: true,
    ...NOTE,
  });
  if ('errors' in placed) throw new Error(JSON.stringify(placed.errors));
  return placed.schedule.ids;
};

const watch = async (): Promise<LiveTariffs> => {
  live = await watchTariffs(root, {
    log: pino({ level: 'silent' }),
    intervalMs: 20,
    finish: tariffFolder(root).finish,
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
    const before = await publish('2025');
    const after = await publish('2026');
    await interrupt(before);
    await state(after);
    expect((await watch()).current().ids).toEqual(after);
    expect((await readVersions(root)).map(({ version }) => version)).toEqual(['2', '1']);
    expect(await tariffFolder(root).finish()).toBe(true);
    expect(live?.current().ids).toEqual(after);
  });

  test('is finished before the next change', async () => {
    const before = await publish('2025');
    const after = await publish('2026');
    await interrupt(before);
    const back = await placeAgain(root, '1', NOTE);
    expect('schedule' in back && back.schedule.ids).toEqual(before);
    expect((await readVersions(root)).map(({ tariffs }) => Object.values(tariffs))).toEqual([before, after, before]);
  });

  test('keeps the tariffs of a running service as they were while another process makes it', async () => {
    const before = await publish('2025');
    const service = await watch();
    const lock = await lockFolder(root);
    const after = await publish('2026');
    await interrupt(before);
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
  const versions = await readVersions(root);
  expect(versions.map((one) => [one.version, one.by, Object.keys(one.tariffs)])).toEqual([
    ['2', 'ann', ['air', 'ground']],
    ['1', 'hand', ['air']],
  ]);
  const back = await placeAgain(root, '1', NOTE);
  expect(back).toMatchObject({
    version: '3',
    tariffs: [{ name: 'air', isNew: true }],
    withdrawn: [expect.stringMatching(/^ground@/)],
  });
  expect((await watch()).current().documents.map(({ file }) => file.services[0]?.description)).toEqual(['by hand']);
  expect(await placeAgain(root, '1', NOTE)).toMatchObject({ version: undefined, withdrawn: [] });
});
