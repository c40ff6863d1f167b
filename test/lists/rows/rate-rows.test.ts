import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import { writeCell } from '../../../src/files/csv/cell.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import { readColumns } from '../../../src/lists/columns/columns.ts';
import { createPlainReader } from '../../../src/lists/rows/fast-row.ts';
import { rowBody } from '../../../src/lists/rows/row.ts';
import { readShipment } from '../../../src/rating/shipment.ts';
import { planList, rateList, referenceSchedule } from './fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,addressLine';
type Row = Record<string, string>;
const rate = (...lines: string[]): Row[] =>
  parse(rateList(Buffer.from(`${HEADER}\n${lines.join('\n')}\n`), schedule).output, { columns: true });

describe('a row', () => {
  test('gets the cheapest service if it names none', () => {
    const [row] = rate('A1,101,02139,2.1,LB,,');
    expect(row).toMatchObject({ order: 'A1', input_row: '1', quote_status: '200', quote_shippingService: 'C1-GROUND' });
    expect(row).toMatchObject({
      quote_billingWeight_value: '3',
      quote_billingWeight_units: 'LB',
      quote_currency: 'USD',
    });
  });

  test('with a fault has no quote and the same fault as the single call', () => {
    const [row] = rate('A1,101,0213,2.1,LB,,');
    expect(row).toMatchObject({ quote_status: '422', quote_totalNetCharge: '', fault_type: 'getRates.invalidRequest' });
    expect(JSON.parse(row?.['fault_arguments'] ?? '')).toEqual({
      'rates.recipient.address.postalCode': 'must have the form 12345 or 12345-6789',
    });
  });

  test('with missing cells gets empty ones, and loses surplus empty cells', () => {
    expect(rate('A1,101,02139,2,LB', 'A2,101,02139,2,LB,,,,,').map((row) => row['quote_status'])).toEqual([
      '200',
      '200',
    ]);
  });

  test('with a surplus cell is malformed and keeps every cell, and the next row is read', () => {
    const rows = rate('A1,101,02139,2,LB,,1 Main St, "Apt ""2""",x,,', 'A2,101,02139,2,LB,,');
    expect(rows[0]).toMatchObject({
      order: 'A1',
      addressLine: '1 Main St," ""Apt """"2""""""",x',
      fault_type: 'row.malformed',
      fault_message: expect.stringContaining(
        'it has 9 cells and the header has 7; the surplus cells are joined in "addressLine": put quotes around a cell that contains the separator',
      ),
      fault_arguments: '{"row":1}',
    });
    expect(rows[1]).toMatchObject({ quote_status: '200' });
  });

  test.each([
    ['blanks', ' 101 , 02139 ,  2.1 , LB , C1-GROUND , 1 Main St '],
    ['no-break spaces', '\u00a0101\u00a0,\u00a002139,2.1\u00a0,\u00a0LB,C1-GROUND\u00a0,\u00a01 Main St'],
    ['apostrophes that mark text', "'101,'02139,'2.1,'LB,'C1-GROUND,'1 Main St"],
    ['blanks within a list of packages', '101,02139,2.1 | 2.1,LB | LB,C1-GROUND,1 Main St'],
  ])('with %s around its cells has the same quote and keeps its cells', (_what, cells) => {
    const [row, plain, pair] = rate(
      `A1,${cells}`,
      'A1,101,02139,2.1,LB,C1-GROUND,1 Main St',
      'A1,101,02139,2.1|2.1,LB,C1-GROUND,1 Main St',
    );
    const expected = cells.includes('|') ? pair : plain;
    expect(row?.['quote_status']).toBe('200');
    expect(row?.['quote_totalNetCharge']).toBe(expected?.['quote_totalNetCharge']);
    expect(row?.['addressLine']).toBe(cells.split(',')[5]);
  });

  test('with an address that is too long only because of blanks is quoted', () => {
    const [row] = rate(`A1,101,02139,2,LB,,${' '.repeat(20)}${'x'.repeat(35)}`);
    expect(row).toMatchObject({ quote_status: '200' });
  });

  test('with a lone carriage return in a cell gets quotes around that cell', () => {
    const { output } = rateList(Buffer.from(`${HEADER}\nA\r1,101,02139,2,LB,,\n`), schedule);
    expect(output.toString().split('\n')[1]).toMatch(/^"A\r1",101,02139,2,LB,,,1,200,/);
  });

  test('without any content is skipped and not counted', () => {
    const rows = rate('A1,101,02139,2,LB,,', ',,,,,,', '', '  ,"",', 'A2,101,02139,2,LB,,');
    expect(rows.map((row) => [row['order'], row['input_row']])).toEqual([
      ['A1', '1'],
      ['A2', '2'],
    ]);
  });

  test('of several packages is priced for each and summed', () => {
    const [several] = rate('A1,101,02139,2.5|3|10,LB|LB|KG,C1-GROUND,');
    expect(several).toMatchObject({ quote_status: '200', quote_billingWeight_value: String(3 + 3 + 23) });
  });

  test('keeps its cells, but formulas are defused', () => {
    const [row] = rate('=1+1,101,02139,2,LB,,-5', '-5,101,02139,2,LB,,');
    expect(row?.['order']).toBe("'=1+1");
    expect(row?.['addressLine']).toBe('-5');
  });

  test.each([
    ['ABCDE12345F', 'must have at most 10 characters'],
    ['ABCDE1234F', undefined],
  ])('a service of %s', (service, message) => {
    const [row] = rate(`A1,101,02139,2,LB,${service},`);
    expect(row?.['fault_type']).toBe(
      message === undefined ? 'getRates.unknownShippingService' : 'getRates.invalidRequest',
    );
  });
});

describe('an output of the service as input', () => {
  test('has its result columns replaced and its formulas restored', () => {
    const first = rateList(Buffer.from(`${HEADER}\n=2+2,101,02139,2,LB,,\nB,101,0213,2,LB,,\n`), schedule);
    const again = rateList(first.output, schedule);
    expect(again.output.toString()).toBe(first.output.toString());
    const mended = rateList(Buffer.from(first.faults.toString().replace(',0213,', ',02139,')), schedule);
    expect(parse(mended.output, { columns: true })).toMatchObject([
      { order: 'B', quote_status: '200', input_row: '1' },
    ]);
  });
});

describe('the same bytes', () => {
  const sample = readFileSync(new URL('../../../samples/shipments.csv', import.meta.url));
  let whole: ReturnType<typeof rateList>;
  beforeAll(() => {
    whole = rateList(sample, schedule);
  });

  test.each([1, 2, 7, 100, 999])('come out in chunks of %i rows', (chunkRows) => {
    const cut = rateList(sample, schedule, chunkRows, 1_013);
    expect(cut.output.equals(whole.output)).toBe(true);
    expect(cut.faults.equals(whole.faults)).toBe(true);
    expect(cut.tally).toEqual(whole.tally);
  });

  test('come out of any text in any chunks', () => {
    const piece = fc.constantFrom('"', ',', '\n', '\r\n', 'a', ' ', '101', '02139', '2.5', 'LB', 'é', '""', '=x', '\0');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 80 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 40 }),
        (pieces, rows, bytes) => {
          const list = Buffer.from(`${HEADER}\n1,101,02139,2,LB,,\n${pieces.join('')}`);
          expect(rateList(list, schedule, rows, bytes).output.toString()).toBe(
            rateList(list, schedule).output.toString(),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('come out of a repetitive list in chunks of any length', () => {
    const list = Buffer.from(`${HEADER}\n${'"A1",101,02139,2.1,LB,,\n'.repeat(6_000)}`);
    const whole = rateList(list, schedule, 6_000).output;
    expect(whole.equals(rateList(list, schedule, 500).output)).toBe(true);
    expect(whole.includes('"')).toBe(false);
  });

  test('are the same as csv-stringify’s', () => {
    const rows: string[][] = parse(whole.output);
    expect(stringify(rows, { quoted_match: /\r/ })).toBe(whole.output.toString());
  });
});

describe('the fast path to a shipment', () => {
  test('gives the same result as the schema', () => {
    const header = [
      'warehouse_id',
      'postalCode',
      'weight_value',
      'weight_units',
      'countryCode',
      'shippingService',
      'addressLine',
      'residential',
      'shipDate',
      'signature',
      'declared_value',
      'length',
      'width',
      'height',
      'dimension_units',
    ];
    /** Returns mostly simple cells, so that whole rows are simple. */
    const mostly = (plain: string[], ...others: string[]) =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...plain) },
        { weight: 1, arbitrary: fc.constantFrom(...others) },
      );
    const cells = fc.tuple(
      mostly(['101', '9999999999', 'any', '103 | 101'], '0101', '', '99999999999', '1.0', '-1', 'x', '101|', 'anys'),
      mostly(['02139', '02139-1234'], '2139', '', '021391234', ' 02139'),
      mostly(
        ['2', '2.5', '99', '0.000001', '99.0', '00.5'],
        '99.01',
        '0',
        '.5',
        '1e1',
        '2|3',
        '-1',
        '',
        '0.0000001',
        '5.',
      ),
      mostly(['LB', 'KG'], 'lb', '', 'G', 'LB|KG'),
      mostly(['', 'US', 'us'], 'MX', 'USA', 'Us'),
      mostly(['', 'C1-GROUND', 'c1', 'A B'], 'ABCDEFGHIJK', 'é'),
      mostly(['', '1 Main St', ' '], 'x'.repeat(36), 'Straße 5', "'=1", '"', '1 "Main" St'),
      mostly(['', 'true', 'false'], 'FALSE', 'yes', 'True'),
      mostly([''], '2026-01-01', 'x'),
      mostly([''], 'direct', 'yes'),
      mostly([''], '0', '250'),
      // A column without a field.
      mostly(['', 'a', '"', 'a "b", c'], '""'),
    );
    const side = mostly(['10', '12.5', '119.000001', '999'], '', '0', '999.5', '1000', '6 in', '10|12', '.5', '-1');
    const sides = fc.oneof(
      fc.constantFrom(['', '', '', ''], ['', '', '', 'IN']),
      fc.tuple(side, side, side, mostly(['IN', 'CM'], '', 'in', 'FT')),
    );
    const quoted = fc.tuple(...['', ...header].map(() => fc.boolean()));
    const columns = readColumns([...header, 'note'], { delimiter: ',', lineBreak: 'lf' }, {});
    if ('problems' in columns) throw new Error('the header is wrong');
    const readPlain = createPlainReader(columns);
    let [answered, sized] = [0, 0];
    fc.assert(
      fc.property(cells, sides, quoted, (others, box, quotes) => {
        const values = [...others.slice(0, -1), ...box, ...others.slice(-1)];
        const written = (value: string, at: number) =>
          quotes[at] ? `"${value.replaceAll('"', '""')}"` : writeCell(value);
        const text = values.map(written).join(',');
        const { row, scan } = createScanner(columns.dialect, 1_000);
        scan(text, 0, true);
        const plain = readPlain(text, row);
        if (plain === undefined) return;
        answered += 1;
        if (plain.packages[0]?.sides !== undefined) sized += 1;
        const judged = readShipment(rowBody((field) => values[header.indexOf(field)] ?? ''));
        expect(judged).not.toBeInstanceOf(Failed);
        expect(plain).toEqual(judged);
      }),
      { numRuns: 2_500 },
    );
    expect([answered, sized].map((count) => count > 30)).toEqual([true, true]);
  });
});

describe('a list', () => {
  const plan = (list: string | Buffer, limits = {}) => planList(Buffer.from(list), limits, 10);
  const row = '1,101,02139,2,LB,,\n';

  test.each([
    ['', 'is empty; it needs a header row and at least one row'],
    ['\n\n', 'is empty; it needs a header row and at least one row'],
  ])('%j is refused', (list, problem) => {
    expect(plan(list)).toEqual({ problems: { file: problem } });
  });

  test('without a required column is refused, and the message names it and its aliases', () => {
    expect(plan('order,warehouse_id,weight_value,weight_units\n1,1,1,1\n')).toMatchObject({
      problems: { postalCode: expect.stringContaining('zip') },
    });
  });

  test('with two columns of one meaning is refused, and the message names both', () => {
    const list = `zip,postcode,warehouse_id,weight_value,weight_units\n`;
    expect(plan(list)).toEqual({
      problems: {
        postalCode:
          'two columns claim it: "zip" (column 1) and "postcode" (column 2); ?columns=postalCode:zip chooses one',
      },
      unused: {
        header: ['zip', 'postcode', 'warehouse_id', 'weight_value', 'weight_units'],
        dialect: { delimiter: ',', lineBreak: 'lf' },
        bodyStart: list.length,
        headerRow: 1,
      },
    });
  });

  test('with an exact name and an alias uses the exact one and passes the alias through', () => {
    const planned = plan(`zip,postalCode,warehouse_id,weight,weight_units\n${'1,02139,101,2,LB\n'}`);
    expect(planned).toMatchObject({ columns: { fields: { postalCode: 1, weight_value: 3 }, passed: [0, 1, 2, 3, 4] } });
  });

  test('matches names without regard to case, spaces, _ and -', () => {
    const planned = plan(`WAREHOUSE-ID,Postal Code,weight value,Weight_Units\n101,02139,2,LB\n`);
    expect(planned).toMatchObject({
      columns: { fields: { warehouse_id: 0, postalCode: 1, weight_value: 2, weight_units: 3 } },
    });
  });

  test('that is repetitive has the same rows in any pieces', () => {
    const row = 'A1,101,02139,2.1,LB,,"Second\nfloor"\n';
    const list = Buffer.from(`${HEADER}\n${row.repeat(1_000)}`);
    for (const rows of [1, 10, 100]) expect(planList(list, {}, rows * row.length)).toHaveProperty('plan.rows', 1_000);
  });

  test('is rejected over the row limit, but not at it', () => {
    expect(plan(`${HEADER}\n${row.repeat(3)}`, { maximumRows: 3 })).toMatchObject({ plan: { rows: 3 } });
    expect(plan(`${HEADER}\n${row.repeat(4)}`, { maximumRows: 3 })).toEqual({ kind: 'tooManyRows' });
  });

  test('with a row over its limit is refused with row and line', () => {
    const list = `${HEADER}\n${row}"a\nb",101,02139,2,LB,,\n${'x'.repeat(101)}\n`;
    expect(plan(list, { maximumRowBytes: 100 })).toEqual({ kind: 'rowTooLong', row: 3, line: 5 });
  });

  test('that is not UTF-8 further down is refused with line and offset', () => {
    const good = Buffer.from(`${HEADER}\n${row.repeat(5_000)}é,`);
    const bad = Buffer.concat([good, Buffer.from([0xe9, 0x0a])]);
    expect(planList(good.subarray(0, -3))).toMatchObject({ plan: { rows: 5_000 } });
    expect(planList(bad)).toEqual({ kind: 'notUtf8', line: 5_002, offset: good.length });
  });

  test('a byte-order mark is not part of the first name', () => {
    const planned = plan(`\uFEFFwarehouse_id,postalCode,weight_value,weight_units\n101,02139,2,LB\n`);
    expect(planned).toMatchObject({
      columns: { header: ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'] },
    });
  });
});
