import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LiveTariffs, watchTariffs } from '../../../src/catalog/documents/live.ts';
import { writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { folderForEachTest } from '../../folder.ts';
import { soon } from '../../soon.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

let root = '';
let lines: string[] = [];
let tariffs: LiveTariffs | undefined;

folderForEachTest((made) => (root = made));
beforeEach(() => {
  lines = [];
});
afterEach(() => tariffs?.close());

const watch = async (dir = root): Promise<LiveTariffs> => {
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  tariffs = await watchTariffs(dir, { log, intervalMs: 20 });
  return tariffs;
};

const document = (effective: string, firstPoundCents = 1_000, code = 'GROUND') =>
  smallTariff({
    file: { effective },
    service: { code, maximumActualLb: 10 },
    document: { rates: { [code]: { ...TEN_POUNDS, cents: TEN_POUNDS.cents.with(0, [firstPoundCents, 2_000]) } } },
  });

const firstPound = (live: LiveTariffs): number | undefined => live.current().bookOn('2026-06-01').cards[0]?.rates[1];
const severities = (live: LiveTariffs) => live.findings().map(({ severity, at }) => `${severity} ${at}`);

test('reads a folder of tariffs, or the folder of one tariff', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01'));
  expect(firstPound(await watch())).toBe(1_000);
  tariffs?.close();
  expect(firstPound(await watch(join(root, 'a')))).toBe(1_000);
});

test('reports a bad folder at the start and uses the good one', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01'));
  await writeTariffFolder(join(root, 'b'), document('2026-01-01', 1_000, 'AIR'));
  await rm(join(root, 'b/rates'), { recursive: true });
  const live = await watch();
  expect(live.current().ids).toHaveLength(1);
  expect(severities(live)).toEqual(['error b/rates/AIR.csv']);
});

test('uses a changed folder, but does not change a schedule in use', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  const live = await watch();
  const before = live.current();
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_050));
  await soon(() => expect(firstPound(live)).toBe(1_050));
  expect(before.bookOn('2026-06-01').cards[0]?.rates[1]).toBe(1_000);
  expect(live.current()).not.toBe(before);
});

test('uses new folders and drops removed ones', async () => {
  const live = await watch();
  expect(live.current().bookOn('2026-06-01').cards).toEqual([]);
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  await soon(() => expect(firstPound(live)).toBe(1_000));
  await writeTariffFolder(join(root, 'b'), document('2026-05-01', 1_050));
  await soon(() => expect(firstPound(live)).toBe(1_050));
  await rm(join(root, 'b'), { recursive: true });
  await soon(() => expect(firstPound(live)).toBe(1_000));
});

test('reports a folder with new errors once, and keeps its last good version', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  const live = await watch();
  const before = live.current();
  await writeFile(join(root, 'a/rates/GROUND.csv'), 'weight_lb,2,8\n1,10.00,nonsense\n');
  await soon(() => expect(severities(live)).toContain('error a/rates/GROUND.csv row 2 column 8'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(live.current()).toBe(before);
  expect(lines.filter((line) => line.includes('a tariff is refused'))).toHaveLength(1);
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_050));
  await soon(() => expect(firstPound(live)).toBe(1_050));
  expect(live.findings()).toEqual([]);
});

test('uses the first of two folders with the same service and date', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  await writeTariffFolder(join(root, 'b'), document('2026-01-01', 1_050));
  const live = await watch();
  expect(firstPound(live)).toBe(1_000);
  expect(severities(live)).toEqual(['error b services GROUND']);
});

test('uses the old folder if a writer was killed between its two renames', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  await rename(join(root, 'a'), join(root, '.a.old'));
  expect(firstPound(await watch())).toBe(1_000);
});

test('keeps the last schedule while the folder of tariffs cannot be read', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  const live = await watch();
  await rename(root, `${root}-away`);
  await soon(() => expect(severities(live)).toHaveLength(1));
  expect(firstPound(live)).toBe(1_000);
  await rename(`${root}-away`, root);
  await soon(() => expect(live.findings()).toEqual([]));
  expect(lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
});
