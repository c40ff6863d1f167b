/** `?empty_weight=`: the weight for empty cells of a weight column. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { readOptionsOf } from '../../../src/lists/list-options.ts';
import { planList, rateList, referenceSchedule } from '../rows/fixtures.ts';

const schedule = await referenceSchedule();

/** Returns the outcomes of the rows, and their notes. */
const rowsOf = (list: string, reading: ReadOptions) => {
  const rated = rateList(Buffer.from(list), schedule, 5_000, 65_536, reading).output;
  const rows = parse<Record<string, string>>(rated, { columns: true });
  const outcome = (row: Record<string, string>): unknown[] =>
    Object.entries(row).filter(([name]) => /^(?:quote_|fault_)/.test(name) && name !== 'quote_repairs');
  return { outcomes: rows.map(outcome), notes: rows.map((row) => row['quote_repairs']) };
};

const HEAD = 'warehouse_id,postalCode';
/** A header, cells of rows with `?` for the weight, the cell with the same weight, and options. */
const LISTS: readonly [string, string, string, Parameters<typeof readOptionsOf>[0]][] = [
  ['Weight (lb)', '?', '2.5', {}],
  ['weight_value,weight_units', '?,LB', '2.5', {}],
  ['weight_value,weight_units,packages', '?,LB,3', '2.5', {}],
  ['Weight,length,width,height,dimension_units', '?,20,20,20,IN', '2.5', { units: 'LB' }],
  ['Weight (oz)', '?', '40', {}],
  ['Weight (oz),packages', '?,2', '40', {}],
  ['Pounds,Ounces', '?,', '2.5', {}],
  ['Total Weight,packages,units', '?,2,LB', '2.5', {}],
  ['Weight (lb)', '?', '2.5', { repair: 'all' }],
  ['weight_value,units', '?,lbs', '2.5', { repair: 'all' }],
  ['Weight (lb)', '?', '2,5', { decimal: 'comma' }],
  ['Weight (lb),shippingService', '?,C1-GROUND', '2.5', { weight_per: 'shipment' }],
];

describe.each(['2.5LB', '2.5 LB', '40OZ'])('%s is as if the cell said so', (empty_weight) => {
  test.each(LISTS)('%s: %s', (header, cells, weight, options) => {
    const quoted = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell);
    const places = ['101,02139', '103,10001', '101,213', '999,02139'];
    const listOf = (cell: string): string =>
      `${HEAD},${header}\n${places.map((place) => `${place},${cells.replace('?', quoted(cell))}\n`).join('')}`;
    const filled = rowsOf(listOf(''), readOptionsOf({ ...options, empty_weight }));
    expect(filled.outcomes).toEqual(rowsOf(listOf(weight), readOptionsOf(options)).outcomes);
    expect(filled.notes).toEqual(places.map(() => 'weight_value (empty) read as 2.5 LB'));
  });
});

test('rows with a weight keep it, without a note', () => {
  const list = `${HEAD},Weight (lb)\n101,02139,4\n101,02139,0\n101,02139,heavy\n`;
  const filled = rowsOf(list, readOptionsOf({ empty_weight: '2.5LB' }));
  expect(filled).toEqual({ outcomes: rowsOf(list, {}).outcomes, notes: ['', '', ''] });
});

test('ounces next to empty pounds are a weight, and so are the weights of several packages', () => {
  for (const list of [
    `${HEAD},Pounds,Ounces\n101,02139,,12\n`,
    `${HEAD},weight_value,weight_units\n101,02139,2||3,LB\n101,02139,,LB|KG\n`,
  ])
    expect(rowsOf(list, readOptionsOf({ empty_weight: '2.5LB' })).outcomes).toEqual(rowsOf(list, {}).outcomes);
});

test('each line of an order without a weight takes it, times its quantity', () => {
  const listOf = (cell: string): string =>
    `Order,Item Qty,${HEAD},Item Weight (lb)\nA,2,101,02139,${cell}\nA,1,101,02139,4\nB,1,101,02139,1\n`;
  const options = { orders: 'Order', item_quantity: 'Item Qty' };
  const filled = rowsOf(listOf(''), readOptionsOf({ ...options, empty_weight: '2.5LB' }));
  expect(filled.outcomes).toEqual(rowsOf(listOf('2.5'), readOptionsOf(options)).outcomes);
  expect(filled.notes).toEqual(['weight_value (empty) read as 2.5 LB', '', '']);
});

test('it is refused for weights of whole orders, because rows may leave them out', () => {
  const list = Buffer.from(`Order,${HEAD},Order Weight,units\nA,101,02139,4,LB\nA,101,02139,,LB\n`);
  const reading = (empty_weight?: string) => readOptionsOf({ orders: 'Order', weight_per: 'shipment', empty_weight });
  expect(planList(list, {}, 100, reading('2LB'))).toMatchObject({
    problems: { empty_weight: expect.stringContaining('weights of whole orders') },
  });
  expect(planList(list, {}, 100, reading())).toHaveProperty('plan');
});

test('a finding reports it for the whole list', () => {
  const list = Buffer.from(`${HEAD},Weight (lb)\n101,02139,\n`);
  expect(planList(list, {}, 100, readOptionsOf({ empty_weight: '300 G' }))).toMatchObject({
    columns: {
      findings: [
        {
          type: 'weight.empty',
          message: '"Weight (lb)" (column 3) counts as 0.3 KG in rows whose cell is empty, as the upload says.',
          column: 'Weight (lb)',
        },
      ],
    },
  });
});
