/** What lists with short or unusual column names cost. Certain names are used. Other names are used only by choice. */
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import type { Field } from '../../../src/lists/columns/fields.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { columnsOf } from '../columns/columns-of.ts';
import { demoShipper, rateList, referenceSchedule } from './fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const DEFAULTS = { warehouse_id: '101', dimension_units: 'IN' };
const HEADER = ['Zip', 'Weight (lb)'];
const CELLS = ['60601', '5'];

/** Returns the net charge of a row, or its fault. */
const priceOf = (names: readonly string[], cells: readonly string[], named?: ReadonlyMap<Field, string>): string => {
  const list = `${[...HEADER, ...names].join(',')}\n${[...CELLS, ...cells].join(',')}\n`;
  const { output } = rateList(Buffer.from(list), schedule, 5_000, 65_536, { defaults: DEFAULTS, named });
  const [row]: Record<string, string>[] = parse(output, { columns: true });
  return row?.['quote_totalNetCharge'] || row?.['fault_type'] || '';
};

const askedBy = (names: readonly string[], cells: readonly string[]): readonly string[] =>
  columnsOf([...HEADER, ...names], { defaults: DEFAULTS }, [[...CELLS, ...cells]]).findings.map(({ column }) => column);

const SIDES = ['45', '30', '20'];
const PLAIN = '14.72';

test.each([
  [['L', 'W', 'H'], SIDES, '361.69'],
  [['L (in)', 'W (in)', 'H (in)'], SIDES, '361.69'],
  [['Len', 'Wid', 'Hgt'], SIDES, '361.69'],
  [['Lgth', 'Width', 'Ht'], SIDES, '361.69'],
  [['Pkg L', 'Pkg W', 'Pkg H'], SIDES, '361.69'],
  [['Carton L', 'Carton W', 'Carton H'], SIDES, '361.69'],
  [['LxWxH'], ['45x30x20'], '361.69'],
  [['L x W x H (in)'], ['45 x 30 x 20'], '361.69'],
  [['Package Dimensions (LxWxH)'], ['45X30×20'], '361.69'],
  [['LxWxH'], [''], '14.72'],
  [['"L,W,H"'], ['"45,30,20"'], '361.69'],
  [['LxWxH'], ['"45, 30, 20"'], '361.69'],
  [['LxWxH'], ['"45,30"'], 'getRates.invalidRequest'],
  [['LxWxH'], ['45x30'], 'getRates.invalidRequest'],
  [['LxWxH'], ['Large'], 'getRates.invalidRequest'],
  [['Address Classification'], ['Residential'], '20.51'],
  [['Resi'], ['Y'], '20.51'],
  [['Resi/Comm'], ['R'], '20.51'],
  [['Resi/Comm'], ['Commercial'], '14.72'],
  [['# of Packages'], ['3'], '44.16'],
  [['Qty of Packages'], ['3'], '44.16'],
  [['Pcs'], ['3'], '44.16'],
  [['No. Cartons'], ['3'], '44.16'],
  [['Nation'], ['MX'], 'getRates.noDeliveryCoverage'],
  [['country_code_alpha2'], ['DE'], 'getRates.noDeliveryCoverage'],
] as const)('%j with %j costs %s at once', (names, cells, price) => {
  expect(priceOf(names, cells)).toBe(price);
  expect(askedBy(names, cells)).toEqual([]);
});

test.each<[readonly string[], readonly string[], readonly Field[], string]>([
  [['Item Length (in)', 'Item Width (in)', 'Item Height (in)'], SIDES, ['length', 'width', 'height'], '361.69'],
  [['Dimensions'], ['45x30x20'], ['dimensions'], '361.69'],
  [['Box Size'], ['45x30x20'], ['dimensions'], '361.69'],
  [['Address Type'], ['Residential'], ['residential'], '20.51'],
  [['Delivery Type'], ['Residential'], ['residential'], '20.51'],
  [['Home Delivery'], ['Y'], ['residential'], '20.51'],
  [['Lineitem quantity'], ['3'], ['packages'], '44.16'],
  [['Quantity Ordered'], ['3'], ['packages'], '44.16'],
  [['Delivery Confirmation'], ['Adult Signature'], ['signature'], '23.12'],
  [['Land'], ['DE'], ['countryCode'], 'getRates.noDeliveryCoverage'],
  [['Buyer Country'], ['MX'], ['countryCode'], 'getRates.noDeliveryCoverage'],
])('%j with %j is asked about, and used by choice', (names, cells, fields, price) => {
  expect(priceOf(names, cells)).toBe(PLAIN);
  expect(askedBy(names, cells)).toEqual(names);
  const named = new Map(fields.map((field, index) => [field, names[index] ?? '']));
  expect(priceOf(names, cells, named)).toBe(price);
});

test('a size in one cell is the single call with its sides, for each package', () => {
  const list = 'Zip,Weight (lb),LxWxH\n60601,5|2,12x10x8|6 x 6 x 6\n';
  const { output } = rateList(Buffer.from(list), schedule, 5_000, 65_536, { defaults: DEFAULTS });
  const [row]: Record<string, string>[] = parse(output, { columns: true });
  const item = (value: number, length: number, width: number, height: number) => ({
    weight: { units: 'LB', value },
    dimensions: { units: 'IN', length, width, height },
  });
  const call = {
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '60601' } },
      packageItems: [item(5, 12, 10, 8), item(2, 6, 6, 6)],
    },
  };
  const { body } = quoteOutcome(call, demoShipper, schedule, new Date('2026-06-01T12:00:00Z'));
  expect(Number(row?.['quote_totalNetCharge'])).toBe('totalNetCharge' in body ? body.totalNetCharge : -1);
});
