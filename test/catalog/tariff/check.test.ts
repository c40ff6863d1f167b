import { expect, test } from 'vitest';
import { checkTariff } from '../../../src/catalog/tariff/check/check.ts';
import type { AreaList, TariffFileInput, ZoneChart } from '../../../src/catalog/tariff/document.ts';
import { type Parts, smallTariff, TEN_POUNDS } from './small-tariff.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const found = (parts: Parts) =>
  checkTariff(smallTariff(parts)).map(({ severity, at, message }) => `${severity} ${at}: ${message}`);

const cell = (pounds: number, column: number, cents: number | null) => ({
  GROUND: {
    ...TEN_POUNDS,
    cents: TEN_POUNDS.cents.map((row, index) => (index + 1 === pounds ? row.with(column, cents) : row)),
  },
});

const rates = (pounds: number, column: number, cents: number | null): Parts => ({
  service: { maximumActualLb: 10 },
  document: { rates: cell(pounds, column, cents) },
});

test('finds nothing in a correct tariff', () => {
  expect(found({ service: { maximumActualLb: 10 } })).toEqual([]);
});

test.each([
  [
    'a gap',
    rates(3, 1, null),
    'error rates/GROUND.csv row 4 column 8: is empty, but there are rates for more than 3 lb',
  ],
  [
    'a price of nothing',
    rates(3, 0, 0),
    'error rates/GROUND.csv row 4 column 2: 0.00 is not a price; leave the cell empty if there is no rate',
  ],
  ['a falling rate', rates(3, 0, 1_050), 'warning rates/GROUND.csv row 4 column 2: 3 lb costs less than 2 lb'],
  [
    'a rate that does not rise',
    rates(3, 0, 1_100),
    'warning rates/GROUND.csv column 2: costs the same at 3 lb as at one pound less',
  ],
  ['a column that ends early', rates(10, 1, null), 'warning rates/GROUND.csv column 8: ends at 9 lb'],
])('%s', (_name, parts, finding) => {
  expect(found(parts)).toEqual([finding]);
});

const withService = (service: Parts['service'], document: Parts['document'] = {}): Parts => ({
  service: { maximumActualLb: 10, ...service },
  document,
});

const twoZones: ZoneChart = {
  columns: ['ground'],
  rows: [
    { origin: '070', destination: '000-499', zones: ['2'] },
    { origin: '070', destination: '500-999', zones: ['8'] },
  ],
};

const charted = (...rows: ZoneChart['rows']): Parts =>
  withService(
    { zones: { chart: 'small', column: 'ground' } },
    { charts: { small: { columns: ['ground'], rows: [...twoZones.rows, ...rows] } } },
  );

test.each([
  ['no rate table', withService({}, { rates: {} }), 'error rates/GROUND.csv: is missing: the rates of GROUND'],
  ['no zones', withService({ zones: {} }), 'error tariff.json services[0].zones: names neither a chart nor distances'],
  [
    'no chart',
    withService({ zones: { chart: 'small', column: 'ground' } }),
    'error tariff.json services[0].zones.chart: zones/small.csv is missing',
  ],
  [
    'a chart named like a property of every object',
    withService({ zones: { chart: 'constructor', column: 'x' } }),
    'error tariff.json services[0].zones.chart: zones/constructor.csv is missing',
  ],
  [
    'a column that the chart does not have',
    withService({ zones: { chart: 'small', column: 'air' } }, { charts: { small: twoZones } }),
    'error tariff.json services[0].zones.column: zones/small.csv has no column air',
  ],
  [
    'falling distances',
    withService({ zones: { distanceMiles: [500, 400], distanceColumns: ['2', '8', '8'] } }),
    'error tariff.json services[0].zones.distanceMiles: must increase',
  ],
  [
    'too few columns for the distances',
    withService({ zones: { distanceMiles: [5, 10] } }),
    'error tariff.json services[0].zones.distanceMiles: makes 3 zones, but there are 2 columns for them',
  ],
  [
    'an unknown column for a distance',
    withService({ zones: { distanceMiles: [5], distanceColumns: ['2', '9'] } }),
    'error tariff.json services[0].zones.distanceColumns: 9 is not a column of the rate table',
  ],
  [
    'a column that is no zone',
    withService({}, { rates: { GROUND: { ...TEN_POUNDS, columns: ['2', '302'] } } }),
    'error rates/GROUND.csv column 302: is not a zone from 1 to 8, and rateZones does not say which zone it is reported as',
  ],
  [
    'a minimum outside the table',
    withService({ minimumNet: { column: '2', weightLb: 11 } }),
    'error tariff.json services[0].minimumNet: the rate table has no cell for 11 lb in column 2',
  ],
  [
    'two roundings of sides from the same day',
    withService({
      sideRounding: [
        { from: '2026-01-01', rounding: 'up' },
        { from: '2026-01-01', rounding: 'none' },
      ],
    }),
    'error tariff.json services[0].sideRounding: has two roundings from the same date',
  ],
  [
    'multiweight without a table',
    withService({ multiweight: {} }),
    'error tariff.json services[0].multiweight: multiweight/GROUND.csv is missing',
  ],
  [
    'cubic prices without a table',
    withService({ cubic: { maximumActualLb: 20, maximumLengthIn: 18 } }),
    'error tariff.json services[0].cubic: cubic/GROUND.csv is missing',
  ],
  [
    'cubic prices without terms',
    withService({}, { cubic: { GROUND: { columns: ['2'], tiers: [{ hundredths: 10, cents: [900] }] } } }),
    'error cubic/GROUND.csv: exists, but the service has no cubic: state maximumActualLb and maximumLengthIn',
  ],
  [
    'an unused table',
    withService({}, { areas: { rural: { rows: [{ zip: '021', tier: 'a' }] } } }),
    'warning areas/rural.csv: nothing in tariff.json uses this file',
  ],
  [
    'a table that ends below the maximum weight',
    withService({ maximumActualLb: 11 }),
    'warning rates/GROUND.csv: ends at 10 lb, but the service takes up to 11 lb',
  ],
  [
    'an unknown time zone',
    { ...withService({}), file: { timeZone: 'America/Gotham' } },
    'error tariff.json timeZone: America/Gotham is not a time zone',
  ],
  [
    'a range that ends before it begins',
    { ...withService({}), file: { notServed: ['009-006'] } },
    'error tariff.json notServed[0]: 009-006 ends before it begins',
  ],
] satisfies [string, Parts, string][])('%s', (_name, parts, finding) => {
  expect(found(parts)).toContain(finding);
});

test('rejects a service code that is used twice or has more than 10 characters', () => {
  const [service] = smallTariff().file.services;
  if (service === undefined) throw new Error('no service');
  expect(found({ file: { services: [service, service] } })).toContain(
    'error tariff.json services[1].code: GROUND is used twice',
  );
  expect(() => smallTariff({ service: { code: 'FDX-GROUND1' } })).toThrow('at most 10');
});

test.each([
  ['an exception within a range is not a contradiction', [{ origin: '070', destination: '02139', zones: ['8'] }], []],
  [
    'a chart without a destination',
    [{ origin: '071', destination: '000-987', zones: ['2'] }],
    [
      'warning zones/small.csv origin 071: no row for ZIP codes that begin with 988, 989, 990, 991, 992 and 7 more, so nothing can be quoted there',
    ],
  ],
  [
    'an unknown zone',
    [{ origin: '070', destination: '995', zones: ['44'] }],
    [
      'error zones/small.csv row 4 column ground: zone 44 is neither a column of rates/GROUND.csv nor one of its rateZones',
    ],
  ],
  [
    'rows that overlap',
    [{ origin: '070', destination: '450-550', zones: ['2'] }],
    ['error zones/small.csv row 4: contradicts row 3, which has some of the same ZIP codes'],
  ],
  [
    'a row that occurs twice with different zones',
    [{ origin: '070', destination: '500-999', zones: ['2'] }],
    ['error zones/small.csv row 4: contradicts row 3, which has some of the same ZIP codes'],
  ],
  [
    'a row that occurs twice',
    [{ origin: '070', destination: '500-999', zones: ['8'] }],
    ['warning zones/small.csv row 4: says the same as row 3'],
  ],
  [
    'origins that overlap',
    [{ origin: '06950-07050', destination: '000-999', zones: ['2'] }],
    ['error zones/small.csv: the origins 06950-07050 and 070 overlap, and neither is narrower'],
  ],
  ['an origin within another', [{ origin: '07001', destination: '021', zones: ['8'] }], []],
])('%s', (_name, rows, findings) => {
  expect(found(charted(...rows))).toEqual(findings);
});

test('warns that a zone without rates is not covered, if rateZones has it', () => {
  const parts = charted({ origin: '070', destination: '995', zones: ['44'] });
  expect(found({ ...parts, service: { ...parts.service, rateZones: { 44: 8 } } })).toEqual([
    'warning rates/GROUND.csv: no rates for zone 44 of zones/small.csv, so nothing can be quoted there',
  ]);
});

const fee = (type: string, more: Partial<Surcharge> = {}): Surcharge => ({
  type,
  description: type,
  amount: { per: 'package', usd: '1.00' },
  ...more,
});
const fuel = (more: Partial<Extract<Surcharge['amount'], { per: 'percent' }>> = {}): Surcharge =>
  fee('FUEL', { amount: { per: 'percent', rate: '10', of: ['BASE'], ...more } });

const rural: Record<string, AreaList> = { rural: { rows: [{ zip: '02139', tier: 'standard' }] } };

test.each([
  [
    'a percentage of an unknown surcharge',
    [fuel({ of: ['BASE', 'HANDLING'] })],
    'error tariff.json surcharges[0].amount.of[1]: there is no surcharge HANDLING for its services',
  ],
  [
    'a percentage of a later surcharge',
    [fuel({ of: ['FEE'] }), fee('FEE')],
    'error tariff.json surcharges[0].amount.of[0]: FEE comes later; a percentage may only include surcharges before it',
  ],
  [
    'a schedule that begins too late',
    [fuel({ rate: [{ from: '2026-01-05', rate: '9' }] })],
    'warning tariff.json surcharges[0].amount.rate: no rate on the first day, 2026-01-01',
  ],
  [
    'two rates from the same date',
    [
      fuel({
        rate: [
          { from: '2026-01-01', rate: '9' },
          { from: '2026-01-01', rate: '8' },
        ],
      }),
    ],
    'error tariff.json surcharges[0].amount.rate: has two rates from the same date',
  ],
  [
    'an unknown service',
    [fee('FEE', { services: ['AIR'] })],
    'error tariff.json surcharges[0].services: there is no service AIR',
  ],
  [
    'an unknown column',
    [fee('FEE', { when: { columns: ['9'] } })],
    'error tariff.json surcharges[0].when.columns: 9 is not a rate column of its services',
  ],
  [
    'an unknown column of an amount',
    [fee('FEE', { amount: { per: 'pound', usd: { 9: '1.00', '*': '2.00' } } })],
    'error tariff.json surcharges[0].amount.usd: 9 is not a rate column of its services',
  ],
  [
    'an unknown list',
    [fee('FEE', { when: { area: { list: 'remote', tier: 'x' } } })],
    'error tariff.json surcharges[0].when.area: areas/remote.csv is missing',
  ],
  [
    'an unknown tier',
    [fee('FEE', { when: { area: { list: 'rural', tier: 'x' } } })],
    'error tariff.json surcharges[0].when.area: areas/rural.csv has no ZIP code of the tier x',
  ],
  [
    'a percentage that depends on weight',
    [{ ...fuel(), when: { actualWeightOverLb: 50 } }],
    'error tariff.json surcharges[0].when: a percentage cannot depend on weight or size',
  ],
  [
    'dearestOf for amounts per shipment',
    [fee('FEE', { dearestOf: 'handling', amount: { per: 'shipment', usd: '1.00' } })],
    'error tariff.json surcharges[0]: dearestOf and leastBillingWeightLb are for amounts per package or per pound',
  ],
  [
    'a surcharge named BASE',
    [fee('BASE')],
    'error tariff.json surcharges[0].type: BASE is reserved for the discounted base',
  ],
])('%s', (_name, surcharges, finding) => {
  expect(found({ file: { surcharges }, document: { areas: rural } })).toContain(finding);
});

test('rejects a ZIP code in two tiers, but not one that occurs twice in one tier', () => {
  const rows = [
    { zip: '02139', tier: 'standard' },
    { zip: '02139', tier: 'standard' },
    { zip: '021', tier: 'remote' },
  ];
  expect(found({ document: { areas: { rural: { rows } } } })).toContain(
    'error areas/rural.csv row 4: 021 also has the tier standard',
  );
});
