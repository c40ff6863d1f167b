import { expect, test } from 'vitest';
import { compileTariff } from '../../../src/catalog/tariff/compile.ts';
import { coverageOf } from '../../../src/catalog/tariff/coverage.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { completeTariff, PARTS } from './complete-tariff.ts';
import { type Parts, smallTariff, TEN_POUNDS } from './small-tariff.ts';

const ORIGINS = [
  { label: '101', zip5: '07001' },
  { label: '102', zip5: '60601' },
  { label: '103', zip5: '96701' },
];

const coverage = (document: TariffDocument, day = '2026-06-10', origins = ORIGINS) => {
  const [service] = coverageOf(document, compileTariff(document, day), { day, origins }).services;
  if (service === undefined) throw new Error('no service');
  return service;
};

test('shows what a complete tariff has', () => {
  expect(coverage(completeTariff())).toEqual({
    service: 'GROUND',
    carrier: 'Small',
    rates: { from: '1 lb', toLb: 10, columns: ['2', '8'], byVolume: false },
    zones: {
      origins: ['070', '967'],
      warehouses: [
        { warehouse: '101', zones: 'charted' },
        { warehouse: '102', zones: 'estimated' },
        { warehouse: '103', zones: 'unreached' },
      ],
    },
    fuel: { isCharged: true, percent: '25.5', lastDay: '2026-06-14' },
    areas: { tiers: ['standard', 'remote'], zipCodes: 102 },
    limits: { weightLb: 10, lengthIn: 108, lengthPlusGirthIn: 165 },
    signatures: ['adult'],
    parts: {
      fuel: 'present',
      residential: 'present',
      deliveryArea: 'present',
      handling: 'present',
      limits: 'present',
      signature: 'present',
      saturday: 'present',
      declaredValue: 'present',
    },
  });
});

test('shows what a tariff of rates alone lacks', () => {
  const { zones, fuel, areas, limits, parts } = coverage(smallTariff({ service: { hasNo: [] } }));
  expect(zones).toEqual({
    origins: [],
    warehouses: [
      { warehouse: '101', zones: 'distance' },
      { warehouse: '102', zones: 'distance' },
      { warehouse: '103', zones: 'distance' },
    ],
  });
  expect(fuel).toEqual({ isCharged: false });
  expect(areas).toEqual({ tiers: [], zipCodes: 0 });
  expect(limits).toEqual({ weightLb: 150, lengthIn: null, lengthPlusGirthIn: null });
  expect(new Set(Object.values(parts))).toEqual(new Set(['missing']));
});

test('shows rows below one pound, and cubic prices', () => {
  const ounces = [{ upToOz: 4, cents: [500, 600] }];
  const rates = { GROUND: { ...TEN_POUNDS, ounces } };
  const cubic = { maximumActualLb: 20, maximumLengthIn: 18 };
  const table = { GROUND: { columns: ['2', '8'], tiers: [{ hundredths: 10, cents: [700, 800] }] } };
  expect(coverage(smallTariff({ service: { cubic }, document: { rates, cubic: table } })).rates).toMatchObject({
    from: '4 oz',
    byVolume: true,
  });
});

test('a charge counts only on days on which it is in force', () => {
  const surcharges = PARTS.map((entry) =>
    entry.type === 'RESIDENTIAL' ? { ...entry, from: '2026-06-10', until: '2026-06-11' } : entry,
  );
  const residentialOn = (day: string) => coverage(completeTariff({ file: { surcharges } }), day).parts.residential;
  expect(['2026-06-09', '2026-06-10', '2026-06-11', '2026-06-12'].map(residentialOn)).toEqual([
    'missing',
    'present',
    'present',
    'missing',
  ]);
});

test('fuel is missing on days without a rate', () => {
  const fuelOn = (day: string) =>
    coverage(completeTariff({ file: { surcharges: [...PARTS], fuelAfterLastWeek: 'omit' } }), day).parts.fuel;
  expect(['2026-05-31', '2026-06-01', '2026-06-14', '2026-06-15'].map(fuelOn)).toEqual([
    'missing',
    'present',
    'present',
    'missing',
  ]);
});

test('what a service does not charge is not missing', () => {
  const { parts } = coverage(
    smallTariff({ service: { hasNo: ['fuel', 'limits'], refuses: ['saturday'], deliversTo: 'businesses' } }),
  );
  expect(parts).toMatchObject({ fuel: 'none', limits: 'none', residential: 'none', deliveryArea: 'missing' });
  expect(parts.saturday).toBe('none');
});

test('one of the two limits of size is enough', () => {
  const limitsOf = (service: Parts['service']) =>
    coverage(smallTariff({ service: { hasNo: [], ...service } })).parts.limits;
  expect(limitsOf({ maximumLengthIn: 108 })).toBe('present');
  expect(limitsOf({ maximumLengthPlusGirthIn: 165 })).toBe('present');
});

/** The parts of two services, `GROUND` and `AIR`. @param servicesOf the services that a charge of the complete tariff is for */
const partsOfTwo = (servicesOf: (entry: (typeof PARTS)[number]) => string[]) => {
  const complete = completeTariff({
    file: { surcharges: PARTS.map((entry) => ({ ...entry, services: servicesOf(entry) })) },
  });
  const services = complete.file.services.flatMap((service) => [service, { ...service, code: 'AIR' }]);
  const document = {
    ...complete,
    file: { ...complete.file, services },
    rates: { GROUND: TEN_POUNDS, AIR: TEN_POUNDS },
  };
  const day = '2026-06-10';
  return coverageOf(document, compileTariff(document, day), { day, origins: [] }).services;
};

test('a surcharge of another service counts for that service alone', () => {
  const rows = partsOfTwo(() => ['AIR']);
  expect(rows.map(({ service, parts }) => [service, parts.residential, parts.fuel])).toEqual([
    ['GROUND', 'missing', 'missing'],
    ['AIR', 'present', 'present'],
  ]);
});

test('a service without a Saturday charge does not miss it if others of its carrier have one', () => {
  const rows = partsOfTwo(({ when }) => (when?.saturday === true ? ['AIR'] : ['AIR', 'GROUND']));
  expect(rows.map(({ service, parts }) => [service, parts.saturday])).toEqual([
    ['GROUND', 'none'],
    ['AIR', 'present'],
  ]);
});
