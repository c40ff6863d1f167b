/** The coverage table of `rates tariff check`. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import { type CoveredOrigin, coverageOf } from '../../src/catalog/tariff/coverage.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { coverageLines } from '../../src/cli/tariff/tariff.ts';
import { completeTariff, PARTS } from '../catalog/tariff/complete-tariff.ts';
import { chartedTariff, TEN_POUNDS } from '../catalog/tariff/small-tariff.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

const NEWARK = { label: '101', zip5: '07001' };
const CHICAGO = { label: '102', zip5: '60601' };

const lines = (document: TariffDocument, day: string, origins: readonly CoveredOrigin[] = [NEWARK, CHICAGO]) =>
  coverageLines(coverageOf(document, compileTariff(document, day), { day, origins }));

/** The complete tariff, with a second service that has nothing but rates. */
const mixed = (): TariffDocument => {
  const complete = completeTariff();
  const { services, surcharges } = complete.file;
  const bare = chartedTariff({ service: { code: 'AIR', hasNo: [] } }).file.services;
  return {
    ...complete,
    file: {
      ...complete.file,
      services: [...services, ...bare],
      surcharges: surcharges.map((entry) => ({ ...entry, services: ['GROUND'] })),
    },
    rates: { GROUND: TEN_POUNDS, AIR: TEN_POUNDS },
  };
};

test('shows a service with everything next to one with nothing', () => {
  expect(lines(mixed(), '2026-06-10')).toEqual([
    'Coverage on 2026-06-10:',
    'service  rates             zones                   length / plus girth, weight  handling',
    'GROUND   1-10 lb, 2 zones  1 charted, 1 estimated  108 / 165 in, 10 lb          yes',
    'AIR      1-10 lb, 2 zones  1 charted, 1 estimated  missing, 150 lb              missing',
    '',
    'service  fuel                  residential  delivery area      options',
    'GROUND   25.50% to 2026-06-14  yes          2 tiers, 102 ZIPs  signature, Saturday, value',
    'AIR      missing               missing      missing            missing',
    '',
    'Missing. Prices that need it are too low and have the warning price.incomplete:',
    '  fuel, residential, deliveryArea, handling, limits, signature, declaredValue: AIR',
    '',
  ]);
});

test('says that the last fuel rate still applies, or that there is none', () => {
  const fuelAfter = (fuelAfterLastWeek: 'carry' | 'omit') =>
    lines(completeTariff({ file: { surcharges: [...PARTS], fuelAfterLastWeek } }), '2026-06-15').find((line) =>
      /^GROUND .* yes /.test(line),
    );
  expect(fuelAfter('carry')).toMatch(/^GROUND {3}25\.50%, last known on 2026-06-14 {2}yes /);
  expect(fuelAfter('omit')).toMatch(/^GROUND {3}missing after 2026-06-14 {2}yes /);
});

test('says when fuel will begin, and what a carrier does not charge', () => {
  const fuelOn = (day: string) => lines(completeTariff(), day).find((line) => /^GROUND .* yes /.test(line));
  expect(fuelOn('2026-05-31')).toMatch(/^GROUND {3}missing before 2026-06-01 {2}yes /);
  const bare = lines(
    chartedTariff({
      service: { hasNo: ['deliveryArea', 'handling', 'signature', 'saturday', 'declaredValue', 'limits'] },
    }),
    '2026-06-15',
  );
  expect(bare).toContain('GROUND   missing  missing      none           none');
  expect(bare).toContain('  fuel, residential: all services');
  expect(lines(completeTariff(), '2026-06-10')).toContain('Nothing is missing.');
});

test('names the origins of the charts if no warehouse is known', () => {
  expect(lines(completeTariff(), '2026-06-10', [])[2]).toBe(
    'GROUND   1-10 lb, 2 zones  from 070, 967  108 / 165 in, 10 lb          yes',
  );
});

let dir: string;
folderForFile((made) => (dir = made));
beforeAll(() => writeTariffFolder(join(dir, 'complete'), completeTariff()));

test('a tariff check ends with the coverage, and warns of fuel that has ended', async () => {
  const { code, stdout } = await ratesHere(['tariff', 'check', join(dir, 'complete')]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    'warning: tariff.json surcharges: fuel of Small ended on 2026-06-14: prices for later ship dates use its last rate.',
  );
  expect(stdout).toMatch(/\nCoverage on \d{4}-\d\d-\d\d:\nservice /);
  expect(stdout).toContain('25.50%, last known on 2026-06-14');
  const json = JSON.parse((await ratesHere(['tariff', 'check', join(dir, 'complete'), '--json'])).stdout);
  expect(json.coverage.services).toMatchObject([
    {
      service: 'GROUND',
      fuel: { isCharged: false, isCarried: true, percent: '25.5', lastDay: '2026-06-14' },
      parts: { fuel: 'present', handling: 'present' },
    },
  ]);
  expect(json.coverage.services[0].zones.warehouses[0]).toEqual({
    warehouse: 'warehouse 101 of demo',
    zones: 'charted',
  });
});

test('a future tariff is checked as of its first day', async () => {
  await writeTariffFolder(join(dir, 'next'), completeTariff({ file: { effective: '2999-01-01' } }));
  const { stdout } = await ratesHere(['tariff', 'check', join(dir, 'next')]);
  expect(stdout).toContain('\nCoverage on 2999-01-01:\n');
});
