import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/tariff/folder.ts';
import { type LiveTariffs, watchTariffs } from '../../src/tariff/live.ts';
import { soon } from '../soon.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

let root = '';
let lines: string[] = [];
let tariffs: LiveTariffs | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tariffs-'));
  lines = [];
});
afterEach(async () => {
  tariffs?.close();
  await rm(root, { recursive: true, force: true });
});

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

test('a folder of tariffs, or the folder of one', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01'));
  expect(firstPound(await watch())).toBe(1_000);
  tariffs?.close();
  expect(firstPound(await watch(join(root, 'a')))).toBe(1_000);
});

test('at the start a bad folder is a finding while the good one serves', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01'));
  await writeTariffFolder(join(root, 'b'), document('2026-01-01', 1_000, 'AIR'));
  await rm(join(root, 'b/rates'), { recursive: true });
  const live = await watch();
  expect(live.current().ids).toHaveLength(1);
  expect(severities(live)).toEqual(['error b/rates/AIR.csv']);
});

test('a changed folder is taken up, and who holds the old schedule keeps it', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  const live = await watch();
  const before = live.current();
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_050));
  await soon(() => expect(firstPound(live)).toBe(1_050));
  expect(before.bookOn('2026-06-01').cards[0]?.rates[1]).toBe(1_000);
  expect(live.current()).not.toBe(before);
});

test('new folders are taken up, removed ones given up', async () => {
  const live = await watch();
  expect(live.current().bookOn('2026-06-01').cards).toEqual([]);
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  await soon(() => expect(firstPound(live)).toBe(1_000));
  await writeTariffFolder(join(root, 'b'), document('2026-05-01', 1_050));
  await soon(() => expect(firstPound(live)).toBe(1_050));
  await rm(join(root, 'b'), { recursive: true });
  await soon(() => expect(firstPound(live)).toBe(1_000));
});

test('a folder that no longer checks is reported once and its last good version stays', async () => {
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

test('of two folders with one service and date the first serves', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  await writeTariffFolder(join(root, 'b'), document('2026-01-01', 1_050));
  const live = await watch();
  expect(firstPound(live)).toBe(1_000);
  expect(severities(live)).toEqual(['error b: small services GROUND']);
});

test('what a killed writer moved aside serves in its place', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  await rename(join(root, 'a'), join(root, '.a.old'));
  expect(firstPound(await watch())).toBe(1_000);
});

test('while the tariffs’ folder cannot be read the last schedule serves', async () => {
  await writeTariffFolder(join(root, 'a'), document('2026-01-01', 1_000));
  const live = await watch();
  await rename(root, `${root}-away`);
  await soon(() => expect(severities(live)).toHaveLength(1));
  expect(firstPound(live)).toBe(1_000);
  await rename(`${root}-away`, root);
  await soon(() => expect(live.findings()).toEqual([]));
  expect(lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
});
