import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import { addedColumn } from '../../../src/lists/output/output-columns.ts';
import { type FormatOptions, fitted, formatOf } from '../../../src/lists/output/output-format.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { contextFor, planList, referenceSchedule } from '../rows/fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,addressLine';
type Row = Record<string, string>;

const outputFor = (options: FormatOptions, list: string): string => {
  const bytes = Buffer.from(list);
  const planned = planList(bytes);
  if (!('plan' in planned)) throw new Error(`the list was refused: ${JSON.stringify(planned)}`);
  const format = formatOf(options, schedule);
  const columns = withoutPause(fitted(planned.columns, format));
  const parts = planned.plan.chunks.map(({ from, to, firstRow }) => {
    const rater = createRater(bytes.subarray(from, to), firstRow, { ...contextFor(columns, schedule), format });
    while (rater.step(100));
    return rater.result().output;
  });
  return Buffer.concat([outputHeaderBytes(columns, format), ...parts]).toString();
};

const rate = (options: FormatOptions, ...lines: string[]): Row[] =>
  parse(outputFor(options, `${HEADER}\n${lines.join('\n')}\n`), { columns: true });

describe('?services=all', () => {
  test('has a column for each service in the tariff’s order, and the cheapest', () => {
    const [row] = rate({ services: 'all' }, 'A1,101,02139,2.1,LB,,1 Main St');
    expect(Object.keys(row ?? {}).slice(-5)).toEqual([
      'net_C1-GROUND',
      'net_C1-EXPRESS',
      'net_C2-GROUND',
      'cheapest',
      'quote_warnings',
    ]);
    const nets = ['net_C1-GROUND', 'net_C1-EXPRESS', 'net_C2-GROUND'].map((name) => Number(row?.[name]));
    expect(Math.min(...nets).toFixed(2)).toBe(row?.['quote_totalNetCharge']);
    expect(row?.['cheapest']).toBe(row?.['quote_shippingService']);
  });

  test('each column has the price of a row that names that service', () => {
    const rows = rate(
      { services: 'all' },
      ...['C1-GROUND', 'C1-EXPRESS', 'C2-GROUND'].map((service) => `A,101,90210,7,KG,${service},1 Main St`),
    );
    for (const row of rows) expect(row[`net_${row['shippingService']}`]).toBe(row['quote_totalNetCharge']);
    expect(new Set(rows.map((row) => row['cheapest'])).size).toBe(1);
  });

  test('a service without a quote has an empty cell, and the row keeps its own fault', () => {
    const [row] = rate({ services: 'all' }, 'A1,101,02139,2.1,LB,C2-GROUND,');
    expect(row).toMatchObject({ quote_status: '422', fault_type: 'getRates.addressLineRequired', 'net_C2-GROUND': '' });
    expect(row?.['cheapest']).toBe('C1-GROUND');
    expect(Number(row?.['net_C1-GROUND'])).toBeGreaterThan(0);
  });

  test('a row that is not a valid shipment has empty cells', () => {
    const rows = rate(
      { services: 'all' },
      'A1,101,0213,2.1,LB,,',
      'A2,101,02139,2,LB,,,surplus',
      'A3,104,02139,2,LB,,',
    );
    for (const row of rows) expect([row['net_C1-GROUND'], row['cheapest']]).toEqual(['', '']);
  });
});

describe('?explain=true', () => {
  test('names the table, row and column of each number', () => {
    const [row] = rate({ explain: 'true' }, 'A1,101,02139,2.1,LB,C1-GROUND,');
    expect(row?.['explain_zone']).toMatch(/^zone 3: by distance from 070\S* to 021\S*$/);
    expect(row?.['explain_weight']).toBe('3 LB actual (actual 3 LB rounded up)');
    expect(row?.['explain_base']).toBe(
      `${row?.['quote_totalBaseCharge']} rates/C1-GROUND.csv row 3 column ${row?.['quote_rateZone']}`,
    );
    expect(row?.['explain_surcharges']).toMatch(
      /^FUEL \d+\.\d\d = \d+\.\d\d% of base \d+\.\d\d \(tariff\.json surcharges FUEL/,
    );
  });

  test('shows the arithmetic of a discount', () => {
    const [row] = rate({ explain: 'true' }, 'A1,101,02139,2.1,LB,C1-EXPRESS,');
    const [base, discount] = [row?.['quote_totalBaseCharge'], row?.['quote_totalDiscounts']];
    expect(row?.['explain_base']).toContain(
      `, less ${discount} discount (Account discount ${discount} = 10.00% of ${base})`,
    );
  });

  test('explains each of several packages', () => {
    const [row] = rate({ explain: 'true' }, 'A1,101,02139,2.5|10,LB,C1-GROUND,');
    expect(row?.['explain_weight']).toBe(
      'package 1: 3 LB actual (actual 3 LB rounded up); package 2: 10 LB actual (actual 10 LB rounded up)',
    );
    const bases = [...(row?.['explain_base'] ?? '').matchAll(/package \d: (\d+\.\d\d) rates/g)].map(([, base]) =>
      Number(base),
    );
    expect(bases.reduce((sum, base) => sum + base, 0).toFixed(2)).toBe(row?.['quote_totalBaseCharge']);
  });

  test('explains nothing in a row without a quote', () => {
    const [row] = rate({ explain: 'true' }, 'A1,101,0213,2.1,LB,,');
    expect([row?.['explain_zone'], row?.['explain_surcharges']]).toEqual(['', '']);
  });
});

describe('?formulas=keep', () => {
  test('leaves formulas in cells and column names unchanged', () => {
    const list =
      '=name,warehouse_id,postalCode,weight_value,weight_units\n"=HYPERLINK(""a"",""b"")",101,02139,2,LB\n@x,101,02139,2,LB\n';
    const kept = parse(outputFor({ formulas: 'keep' }, list));
    expect(kept.map(([cell]: string[]) => cell)).toEqual(['=name', '=HYPERLINK("a","b")', '@x']);
    const defused = parse(outputFor({}, list));
    expect(defused.map(([cell]: string[]) => cell)).toEqual(["'=name", `'=HYPERLINK("a","b")`, "'@x"]);
  });
});

describe('an output that comes back as input', () => {
  test('has its added columns replaced, regardless of the earlier options', () => {
    const all: FormatOptions = { services: 'all', explain: 'true' };
    const list = `${HEADER}\nA1,101,02139,2.1,LB,,\nA2,101,0213,2,LB,,\n`;
    const first = outputFor(all, list);
    expect(outputFor(all, first)).toBe(first);
    expect(outputFor({}, first)).toBe(outputFor({}, list));
  });

  test('another list keeps a column of such a name unless the option adds it', () => {
    const list = 'cheapest,warehouse_id,postalCode,weight_value,weight_units\nmine,101,02139,2,LB\n';
    expect(parse(outputFor({}, list), { columns: true })).toMatchObject([{ cheapest: 'mine' }]);
    expect(
      outputFor({ services: 'all' }, list)
        .split('\n')[0]
        ?.match(/cheapest/g),
    ).toHaveLength(1);
  });
});

test.each([
  ['quote_totalNetCharge', 'money', 'Net charge'],
  ['net_C1-GROUND', 'money', 'Net charge, C1-GROUND'],
  ['net_from_101', 'money', 'Net charge from 101'],
  ['quote_rateZone', 'zone', 'Zone'],
  ['quote_status', 'count', undefined],
  ['cheapest', undefined, 'Cheapest service'],
])('the column %s has kind %s, and is called %s', (name, kind, label) => {
  expect(addedColumn(name)).toMatchObject({ ...(kind === undefined ? {} : { kind }), label });
});

test.each(['my net_cost', 'my quote_total', 'network'])('no output adds the column %s', (name) => {
  expect(addedColumn(name)).toBe(undefined);
});
