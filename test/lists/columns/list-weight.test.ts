/** `?weight=`: one weight for all packages of a list without a weight column. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { readOptionsOf } from '../../../src/lists/list-options.ts';
import { planList, rateList, referenceSchedule } from '../rows/fixtures.ts';

const schedule = await referenceSchedule();

const quotes = (list: string, reading: ReadOptions): unknown[] =>
  parse<Record<string, string>>(rateList(Buffer.from(list), schedule, 5_000, 65_536, reading).output, {
    columns: true,
  }).map((row) => [row['quote_totalNetCharge'], row['quote_billingWeight_value'], row['fault_arguments']]);

const PLACES = ['101,02139', '103,10001', '101,213'];
const listOf = (header: string, cells = '') =>
  `warehouse_id,postalCode${header}\n${PLACES.map((place) => `${place}${cells}\n`).join('')}`;

describe('a list gets the same quotes as the same list with a weight column', () => {
  test.each([
    ['2.5', 'LB'],
    ['2.5', 'KG'],
    ['40', 'OZ'],
    ['1134', 'G'],
    ['99', 'LB'],
    ['99.5', 'LB'],
    ['007.250', 'LB'],
  ] as const)('%s %s', (weight, units) => {
    const own = quotes(listOf(''), readOptionsOf({ weight, units }));
    const column = `${listOf(`,Weight (${units})`, `,${weight}`)}`;
    expect(own).toEqual(quotes(column, {}));
  });

  test('with units from a column, even in words', () => {
    for (const unit of ['KG', 'kgs', 'oz', ''])
      expect(quotes(listOf(',unit of measure', `,${unit}`), readOptionsOf({ weight: '3' }))).toEqual(
        quotes(listOf(',unit of measure,weight', `,${unit},3`), {}),
      );
  });

  test('and with several packages', () => {
    expect(quotes(listOf(',packages', ',3'), readOptionsOf({ weight: '3', units: 'LB' }))).toEqual(
      quotes(listOf(',packages,weight,units', ',3,3,LB'), {}),
    );
  });
});

test('a column counts, even if its cells are empty', () => {
  const list = 'warehouse_id,postalCode,Weight (lb)\n101,02139,4\n101,02139,\n';
  const reading = readOptionsOf({ weight: '2', units: 'LB' });
  expect(quotes(list, reading)).toEqual(quotes(list, {}));
  expect(quotes(list, reading)[1]).toEqual(['', '', expect.stringContaining('weight.value')]);
});

test('nothing is added to a column of ounces', () => {
  const list = listOf(',Rest', ',12');
  const named = new Map([['weight_ounces', 'Rest'] as const]);
  expect(quotes(list, { ...readOptionsOf({ weight: '2', units: 'LB' }), named })).toEqual(quotes(list, { named }));
});

test('the unit must be known, even if weights are repaired', () => {
  for (const repair of [undefined, 'weight'] as const)
    expect(planList(Buffer.from(listOf('')), {}, 100, readOptionsOf({ weight: '2', repair }))).toMatchObject({
      problems: { weight_units: expect.stringContaining('?units=') },
    });
});

test('a column that looks like a weight is named', () => {
  const planned = planList(Buffer.from(listOf(',Net wt', ',3')), {}, 100, readOptionsOf({ weight: '2', units: 'LB' }));
  expect(planned).toMatchObject({
    columns: {
      findings: [
        { type: 'column.repairable', column: 'postalCode' },
        { type: 'column.notTaken', message: expect.stringContaining('each package weighs 2'), column: 'Net wt' },
      ],
    },
  });
});
