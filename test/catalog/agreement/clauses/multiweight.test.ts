/** An agreement's own multiweight prices, by the pound or by the hundredweight. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { Failed } from '../../../../src/base/failed.ts';
import { amendedFrom, removedRates } from '../../../../src/catalog/agreement/amend.ts';
import { diffAgreements } from '../../../../src/catalog/agreement/diff/diff.ts';
import { agreementFile } from '../../../../src/catalog/agreement/document.ts';
import { cardBodyOf } from '../../../../src/catalog/agreement/view/card.ts';
import { overlapOf } from '../../../../src/catalog/clients/accounts.ts';
import { scheduleOf } from '../../../../src/catalog/tariff/schedule.ts';
import { readMultiweight, readOwnMultiweight, writeOwnMultiweight } from '../../../../src/catalog/tariff/tables.ts';
import { OUTPUT_COLUMNS, placeOf } from '../../../../src/lists/output/output-columns.ts';
import { explainCells } from '../../../../src/lists/rows/extra-cells.ts';
import { createRater } from '../../../../src/lists/rows/rate-rows.ts';
import { causesOf } from '../../../../src/rating/attribution.ts';
import { explainPrice } from '../../../../src/rating/explain.ts';
import { rateShipment } from '../../../../src/rating/rate.ts';
import { contextFor, planList } from '../../../lists/rows/fixtures.ts';
import { type Asked, shipmentOf } from '../../../rating/priced.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { bookOf, DAY, priceWith, shipperOf, WAREHOUSE } from '../fixtures.ts';
import { smallAgreement, type Texts } from '../small-agreement.ts';
import { checked, net, shown } from './clause.ts';

/** 10.00 for 1 lb to zone 2 and 0.55 a pound more, 15.00 and 0.95 to zone 8; fuel 20% of the base. */
const tariffWith = (isWhole: boolean) =>
  smallTariff({
    service: isWhole ? { multiweight: { minimumTotalLb: 100, minimumAverageLb: 15 } } : {},
    file: {
      surcharges: [
        {
          ...{ type: 'RESIDENTIAL', description: 'Home', when: { residential: true } },
          amount: { per: 'package', usd: '6.00' },
        },
        { type: 'PICKUP', description: 'Pickup', amount: { per: 'shipment', usd: '2.00' } },
        { type: 'FUEL', description: 'Fuel', amount: { per: 'percent', rate: '20', of: ['BASE'] } },
      ],
    },
    document: {
      rates: {
        GROUND: {
          columns: ['2', '8'],
          cents: Array.from({ length: 150 }, (_, at) => [1_000 + 55 * at, 1_500 + 95 * at]),
        },
      },
      ...(isWhole ? { multiweight: { GROUND: { columns: ['2', '8'], breaks: LIST_BREAKS } } } : {}),
    },
  });
const LIST_BREAKS = [
  { fromLb: 100, centsPerLb: [60, 90] },
  { fromLb: 500, centsPerLb: [55, 80] },
];
const LIST = tariffWith(true);
/** The list has no multiweight prices. */
const PLAIN = tariffWith(false);

const tableOf = (text: string) => {
  const read = readOwnMultiweight('multiweight/GROUND.csv', text);
  if ('findings' in read) throw new Error(JSON.stringify(read.findings));
  return read.table;
};
const WEIGHTS = { minimumTotalLb: 200, minimumAverageLb: 15 };
const FROM_200 = { file: { services: { GROUND: { multiweight: WEIGHTS } } } };
const TWENTY = { discounts: 'discount,applies_to,percent\nBase,both,20\n' };

/** 20% off what the list prices, and this table. */
const withTable = (text: string, texts: Texts = TWENTY) =>
  smallAgreement(texts, { ...FROM_200, tables: { multiweight: { GROUND: tableOf(text) } } });

const POUNDS = withTable('from_lb,2\n200,0.30\n500,0.25\n');
const HUNDREDS = withTable('cwt_from_lb,2\n200,24.61\n');
const NONE = smallAgreement(TWENTY);
const boxes = (count: number, lb: number, ...inches: readonly number[]): Asked => ({
  packages: Array.from({ length: count }, () => ({ lb, ...(inches.length === 0 ? {} : { inches }) })),
});
const WEST = { to: '90001' };
const FOUR = boxes(4, 55);

test.each([
  // 220 lb at 0.60 are 132.00, less 20% 105.60: + 2.00 + 20% of 105.60 (21.12).
  ['by the list, without a table', NONE, FOUR, LIST, 12_872],
  // 220 lb at 0.30 are 66.00 net, without the 20%: + 2.00 + 20% of 66.00 (13.20).
  ['by the own table, which is net', POUNDS, FOUR, LIST, 8_120],
  // The same.
  ['where the list has no such prices', POUNDS, FOUR, PLAIN, 8_120],
  // 500 lb at 0.25 are 125.00: + 2.00 + 25.00.
  ['by a heavier break', POUNDS, boxes(10, 50), LIST, 15_200],
  // 180 lb are too little. 10.00 + 59 x 0.55 = 42.45 less 8.49 is 33.96 each: 3 x (33.96 + 6.79) + 2.00.
  ['below the least weight, one by one', POUNDS, boxes(3, 60), LIST, 12_425],
  // 200 lb in 20 packages count as 300 lb, at 0.30 90.00: + 2.00 + 18.00.
  ['at the least average weight', POUNDS, boxes(20, 10), LIST, 11_000],
  // Zone 8 is not in the table: 220 lb at 0.90 are 198.00, less 20% 158.40: + 2.00 + 31.68.
  ['by the list in another zone', POUNDS, { ...FOUR, ...WEST }, LIST, 19_208],
  // 66.00 less 5% (3.30) is 62.70; the 20% are for all shipments and stay off: + 2.00 + 12.54.
  [
    'less a discount on such shipments alone',
    withTable('from_lb,2\n200,0.30\n', {
      discounts: 'discount,applies_to,percent\nBase,both,20\nHeavy,multiweight,5\n',
    }),
    FOUR,
    LIST,
    7_724,
  ],
  // 221 lb, 2.21 hundredweights at 24.61 are 54.3881, so 54.39: + 2.00 + 20% of 54.39 (10.88).
  ['by the hundredweight, to the cent', HUNDREDS, boxes(4, 55.25), PLAIN, 6_727],
  // 66.00 + 4 x 6.00 + 2.00 + 13.20.
  ['to a home', POUNDS, { ...FOUR, residential: true }, LIST, 10_520],
  // 39.70 less 80% is 7.94, at least 10.00: 4 x (10.00 + 2.00) + 2.00 is less than 81.20.
  [
    'one by one, if that is cheaper',
    withTable('from_lb,2\n200,0.30\n', { discounts: 'discount,applies_to,percent\nBase,packages,80\n' }),
    FOUR,
    LIST,
    5_000,
  ],
  // 4 x 8,000 cubic inches over 139 are 231 lb, at 0.30 69.30: + 2.00 + 13.86.
  ['by the volume of all', POUNDS, boxes(4, 5, 20, 20, 20), LIST, 8_516],
  // 90 lb to zone 2 are 58.95 less 11.79: 47.16 + 2.00 + 9.43.
  ['and never for one package', POUNDS, boxes(1, 90), LIST, 5_859],
])('a shipment is priced %s', (_, document, asked, tariff, cents) => {
  expect(net(document, asked, tariff)).toBe(cents);
});

const explainedWhole = (document: ReturnType<typeof smallAgreement>, asked: Asked) =>
  explainPrice(priceWith(LIST, document, asked), shipmentOf(asked), { warehouse: WAREHOUSE, departure: undefined })
    .shipment;

test('the explanation names the file, the row, the column and the price', () => {
  expect(explainedWhole(POUNDS, FOUR)).toMatchObject({
    rateCell: { table: 'acme/multiweight/GROUND.csv', row: '200', column: '2' },
    computation: '0.30 per lb for 220 lb, by your agreement',
    ...{ baseCharge: 66, discount: 0, discounts: [] },
  });
  expect(explainedWhole(HUNDREDS, FOUR)?.computation).toBe('24.61 per 100 lb for 220 lb, by your agreement');
  const list = explainedWhole(POUNDS, { ...FOUR, ...WEST });
  expect(list).toMatchObject({ rateCell: { table: 'multiweight/GROUND.csv', row: '100', column: '8' } });
  expect(list).not.toHaveProperty('computation');
  const amended = { ...POUNDS, amendments: [{ from: DAY, multiweight: { GROUND: tableOf('from_lb,2\n200,0.28\n') } }] };
  expect(explainedWhole(amended, FOUR)?.rateCell?.table).toBe('acme/amendments/2026-06-01/multiweight/GROUND.csv');
  // 220 lb at 0.28 are 61.60: + 2.00 + 12.32.
  expect(net(amended, FOUR, LIST)).toBe(7_592);
});

test('a comparison says what the table saves, in either direction', () => {
  const priceIn = (document: ReturnType<typeof smallAgreement>, asked: Asked, tariff = LIST) => ({
    price: priceWith(tariff, document, asked),
    originPostalCode: WAREHOUSE.postalCode,
  });
  const causes = (one: typeof NONE, two: typeof NONE, tariff = LIST) =>
    causesOf(shipmentOf(FOUR), priceIn(one, FOUR, tariff), priceIn(two, FOUR, tariff));
  const nothing = { zoneCents: 0, weightCents: 0, rateCents: 0, minimumCents: 0 };
  // 132.00 less 26.40 becomes 66.00.
  expect(causes(NONE, POUNDS)).toEqual({ ...nothing, multiweightCents: -6_600, discountCents: 2_640 });
  expect(causes(POUNDS, NONE)).toEqual({ ...nothing, multiweightCents: 6_600, discountCents: -2_640 });
  // Four packages of 39.70, less 31.76, become 66.00.
  expect(causes(NONE, POUNDS, PLAIN)).toEqual({ ...nothing, multiweightCents: -9_280, discountCents: 3_176 });
  expect(causes(POUNDS, NONE, PLAIN)).toEqual({ ...nothing, multiweightCents: 9_280, discountCents: -3_176 });
  // 66.00 becomes 220 lb at 24.61 a hundred: 54.14.
  expect(causes(POUNDS, HUNDREDS)).toEqual({ ...nothing, multiweightCents: -1_186, discountCents: 0 });
  expect(causes(NONE, NONE)).toEqual({ ...nothing, multiweightCents: 0, discountCents: 0 });
});

test('a row has the charges of the same single call', () => {
  const asked: readonly Asked[] = [FOUR, boxes(10, 50), boxes(3, 60), boxes(20, 10), { ...FOUR, ...WEST }];
  const rows = asked.map(({ packages = [], to = '02139' }) =>
    [1, to, 'US', packages.map(({ lb }) => lb).join('|'), 'LB', 'GROUND', DAY].join(),
  );
  const list = Buffer.from(
    `warehouse_id,postalCode,countryCode,weight_value,weight_units,shippingService,shipDate\n${rows.join('\n')}\n`,
  );
  const planned = planList(list);
  if (!('plan' in planned)) throw new Error('the list is refused');
  const [chunk] = planned.plan.chunks;
  if (chunk === undefined) throw new Error('no chunk');
  for (const document of [POUNDS, HUNDREDS]) {
    const context = contextFor(planned.columns, scheduleOf([LIST]), shipperOf(document));
    const rater = createRater(list.subarray(chunk.from, chunk.to), chunk.firstRow, context);
    while (rater.step(100));
    const output: string[][] = parse(rater.result().output);
    const at = placeOf('quote_totalNetCharge') - OUTPUT_COLUMNS.length - 1;
    expect(output.map((row) => Number(row.at(at)))).toEqual(asked.map((one) => net(document, one, LIST) / 100));
  }
  const rated = rateShipment({ ...shipmentOf(FOUR), shippingService: 'GROUND' }, bookOf(LIST), shipperOf(POUNDS));
  if (rated instanceof Failed) throw new Error(JSON.stringify(rated.fault));
  expect(explainCells(shipmentOf(FOUR), rated).explain_base).toBe(
    '66.00 acme/multiweight/GROUND.csv row 200 column 2 for 220 LB in all',
  );
});

test('files are read as a tariff’s are, and the reader names the cell', () => {
  for (const text of ['from_lb,2,8\n200,0.30,0.41\n500,0.25,\n', 'cwt_from_lb,2\n200,24.61\n'])
    expect(writeOwnMultiweight(tableOf(text))).toBe(text);
  const faults = (text: string, read = readOwnMultiweight) => {
    const found = read('multiweight/GROUND.csv', text);
    return 'findings' in found ? found.findings.map(({ at, message }) => `${at}: ${message}`) : [];
  };
  expect(faults('from_lb,2\n500,0.30\n200,0.35\n')).toEqual([
    'multiweight/GROUND.csv row 3 column from_lb: must be whole pounds, rising from row to row',
  ]);
  expect(faults('cwt_from_lb,2\n200,24.6\n')).toEqual([
    'multiweight/GROUND.csv row 2 column 2: must be dollars with two decimals, such as 12.50',
  ]);
  // A tariff has prices per pound alone.
  expect(faults('cwt_from_lb,2\n200,24.61\n', readMultiweight)).toHaveLength(1);
});

test('the checks name file and cell', () => {
  const about = (text: string, tariff = LIST) =>
    checked(withTable(text, {}), tariff).map((line) => line.replace('multiweight/GROUND.csv', 'FILE'));
  expect(about('from_lb,2,8\n200,0.30,0.41\n')).toEqual([]);
  expect(about('from_lb,2,9\n200,0.30,0.41\n')).toEqual([
    'error FILE column 9: is not a rate column of GROUND: it has 2, 8',
    "warning FILE: has no column 8: packages to it get the list's multiweight prices. Add the column, unless this is right",
  ]);
  expect(about('from_lb,2\n200,0.30\n', PLAIN)).toEqual([
    'warning FILE: has no column 8: packages to it are priced one by one. Add the column, unless this is right',
  ]);
  expect(about('from_lb,2,8\n250,0.30,\n500,0.35,0.40\n')).toEqual([
    'warning FILE row 2: begins at 250 lb, but minimumTotalLb of agreement.json is 200: lighter packages are priced one by one. Correct one of them',
    'warning FILE row 3 column 2: is more than for lighter shipments: is this what the contract says?',
    'warning FILE row 2 column 8: is empty: such packages are priced one by one. Write the price, unless this is right',
  ]);
  expect(about('from_lb,2,8\n200,0.00,0.40\n')).toEqual([
    'error FILE row 2 column 2: 0.00 is not a price; leave the cell empty if there is no rate',
  ]);
  const ask = ': is this what the contract says? Prices per 100 lb go below a row cwt_from_lb';
  expect(about('from_lb,2,8\n200,24.61,0.40\n')).toEqual([
    `warning FILE row 2 column 2: makes 4922.00 of 200 lb, and the list 120.00${ask}`,
  ]);
  // Packages of 15 lb are 17.70 by the list, so 200 lb are 236.00.
  expect(about('from_lb,2,8\n200,1.19,0.40\n', PLAIN)).toEqual([
    `warning FILE row 2 column 2: makes 238.00 of 200 lb, and the list 236.00${ask}`,
  ]);
  expect(about('cwt_from_lb,2,8\n200,61.00,40.00\n')).toEqual([
    'warning FILE row 2 column 2: makes 122.00 of 200 lb, and the list 120.00: is this what the contract says?',
  ]);
});

test('a table needs its terms, and terms need their table, for a service that exists', () => {
  const table = tableOf('from_lb,2,8\n200,0.30,0.41\n');
  expect(checked(smallAgreement({}, { tables: { multiweight: { GROUND: table } } }))).toEqual([
    'error multiweight/GROUND.csv: has no effect: write services.GROUND.multiweight in agreement.json, or remove this file',
  ]);
  expect(checked(smallAgreement({}, FROM_200))).toEqual([
    'error agreement.json services.GROUND.multiweight: has no prices: add them as multiweight/GROUND.csv, or remove this member',
  ]);
  const air = smallAgreement(
    {},
    { file: { services: { AIR: { multiweight: WEIGHTS } } }, tables: { multiweight: { AIR: table } } },
  );
  expect(checked(air, LIST)).toEqual([
    'error agreement.json services.AIR: no tariff has the service AIR: correct it, or add the tariff. Small has GROUND',
  ]);
  const read = (multiweight: object) =>
    agreementFile.parse({
      ...{ name: 'acme', carrier: 'Small', effective: '2026-01-05' },
      services: { GROUND: { multiweight } },
    }).services['GROUND']?.multiweight;
  expect(read({})).toEqual({ minimumTotalLb: 100, minimumAverageLb: 15 });
  const alone = smallAgreement({}, { tables: { multiweight: { GROUND: table } } });
  expect(overlapOf([{ document: alone }, { document: alone }])).toContain('both cover GROUND');
});

test('tables are compared and amended by their cells', () => {
  const state = (document: typeof NONE) => ({ document, day: DAY });
  const other = withTable('from_lb,2\n200,0.31\n500,0.25\n');
  expect(diffAgreements(state(POUNDS), state(other))).toMatchObject([
    { at: 'multiweight/GROUND.csv row 200 (per lb) column 2', before: '0.30', after: '0.31' },
  ]);
  expect(JSON.stringify(diffAgreements(state(POUNDS), state(HUNDREDS)))).toContain('row 200 (per 100 lb) column 2');
  expect(amendedFrom(POUNDS, other, DAY).amendments).toEqual([{ from: DAY, multiweight: other.tables.multiweight }]);
  expect(removedRates(POUNDS, smallAgreement(TWENTY, FROM_200), DAY)).toEqual(['multiweight/GROUND.csv']);
});

test('its client sees the prices, and on a rate card the list’s next to them', () => {
  expect(shown(POUNDS, LIST).services[0]?.multiweight).toEqual({
    ...{ ...WEIGHTS, perLb: 1, zones: ['2'], source: 'multiweight/GROUND.csv' },
    breaks: [
      { fromLb: 200, usd: [0.3] },
      { fromLb: 500, usd: [0.25] },
    ],
  });
  expect(shown(NONE, LIST).services[0]?.multiweight).toBeNull();
  const { card, terms } = priceWith(LIST, HUNDREDS, FOUR);
  const body = cardBodyOf(card, terms, false);
  expect(body.multiweight?.breaks[0]).toEqual({ fromLb: 100, charges: [null, 90], percents: ['0.00', '20.00'] });
  expect(body.ownMultiweight).toEqual({
    ...{ ...WEIGHTS, perLb: 100 },
    breaks: [{ fromLb: 200, charges: [2_461, null], percents: ['0.00', '20.00'] }],
  });
});
