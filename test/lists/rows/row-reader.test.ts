/** Reading a row: its cells by field, its weights in units of a request, and the reasons for malformed rows. */
import { describe, expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import { type ReadOptions, readColumns } from '../../../src/lists/columns/columns.ts';
import type { Field } from '../../../src/lists/columns/fields.ts';
import { cellsUsed, createRowReader } from '../../../src/lists/rows/row-reader.ts';
import { weightReader } from '../../../src/lists/rows/row-weight.ts';

const COMMA = { delimiter: ',', lineBreak: 'lf' } as const;

const columnsOf = (header: string, reading: ReadOptions = {}) => {
  const columns = readColumns(header.split(','), COMMA, reading);
  if ('problems' in columns) throw new Error(JSON.stringify(columns.problems));
  return columns;
};

const readerOf = (header: string, line: string, reading: ReadOptions = {}) => {
  const columns = columnsOf(header, reading);
  const { row, scan } = createScanner(COMMA, 100_000);
  scan(line, 0, true);
  return { ...createRowReader(row, columns), used: cellsUsed(row, columns) };
};

const reasonOf = (...args: Parameters<typeof readerOf>): string | undefined => {
  const read = readerOf(...args).read(7);
  return read instanceof Failed && read.fault.type === 'row.malformed'
    ? `${read.fault.row}: ${read.fault.reason}`
    : undefined;
};

const HEADER = 'warehouse_id,postalCode,weight_value,weight_units,note';
const ROW = '101,02139,2,LB';

describe('surplus cells', () => {
  test.each([
    [`${ROW},x`, 5, undefined],
    [`${ROW},x,,`, 5, undefined],
    [`${ROW},x,"",""`, 5, undefined],
    [ROW, 4, undefined],
    [`${ROW},,`, 5, undefined],
    [`${ROW},x, `, 6, '7: it has 6 cells'],
    [`${ROW},x,,y,`, 7, '7: it has 7 cells'],
  ])('%s', (line, used, reason) => {
    const reader = readerOf(HEADER, line);
    expect(reader.used).toBe(used);
    const said = reasonOf(HEADER, line);
    if (reason === undefined) expect(said).toBeUndefined();
    else
      expect(said?.startsWith(`${reason} and the header has 5; the surplus cells are joined in "note": `)).toBe(true);
  });

  test('are dropped if nothing passes through', () => {
    const own = 'input_row,quote_status';
    expect(
      reasonOf(own, '1,2,3', {
        defaults: { warehouse_id: '1', weight_units: 'LB' },
        named: new Map([
          ['postalCode', 'input_row'],
          ['weight_value', 'quote_status'],
        ]),
      }),
    ).toMatch(/^7: it has 3 cells and the header has 2: /);
  });
});

test('options are read in words, and the rest has the fault of the single call', () => {
  const header = `${HEADER},signature,saturday,declared_value,Additional Handling`;
  const options = (line: string) => {
    const read = readerOf(header, `${ROW},,${line}`).read(1);
    return read instanceof Failed ? read.fault : read.options;
  };
  expect(options('Adult Signature Required,Y,1250.50,yes')).toEqual({
    signature: 'adult',
    saturday: true,
    declaredValueCents: 125_050,
    nonStandardPackaging: true,
  });
  expect(options('none,no,0,N')).toBeUndefined();
  expect(options(',,,')).toBeUndefined();
  expect(options('yes,maybe,"1,250",often')).toEqual({
    type: 'getRates.invalidRequest',
    issues: [
      { path: 'rates.options.signature', message: 'must be one of indirect, direct, adult' },
      { path: 'rates.options.saturday', message: 'must be true or false' },
      {
        path: 'rates.options.declaredValue',
        message: 'must be a number of dollars, such as 1250.50',
      },
      { path: 'rates.options.nonStandardPackaging', message: 'must be true or false' },
    ],
  });
});

describe('a row', () => {
  test('that is malformed has a reason', () => {
    expect(reasonOf(HEADER, '"a"b')).toBe(
      '7: there is text after a closing quote; if the list quotes no cells, use ?quotes=none',
    );
  });

  test('needs a whole number of packages', () => {
    const header = `${HEADER},packages`;
    expect(reasonOf(header, `${ROW},,1.5`)).toBe('7: its packages must be a whole number from 1 to 99');
    expect(readerOf(header, `${ROW},,2.0`).read(1)).toMatchObject({ packages: [{}, {}] });
    expect(readerOf(header, `${ROW},, 2 `).read(1)).toMatchObject({ packages: [{}, {}] });
  });

  test('that lists its packages may state their number, if it is the same', () => {
    const header = 'warehouse_id,postalCode,Weight (lb),packages';
    for (const stated of ['', '1', '2', '2.0'])
      expect(readerOf(header, `101,02139,3|4,${stated}`).read(1)).toMatchObject({ packages: [{}, {}] });
    const reason = (stated: string): string => `7: it lists 2 packages, but their number is ${stated}`;
    expect(reasonOf(header, '101,02139,3|4,3')).toBe(reason('3'));
    expect(reasonOf(header, '101,02139,3|4,4')).toBe(reason('4'));
    expect(reasonOf(header, '101,02139,3|4,0')).toBe(reason('0'));
  });

  test('has its cells as written and as values of a request', () => {
    const header = 'warehouse,zip,Weight (oz),Country,Service,ref';
    const { written, cell, notes, read } = readerOf(header, "101, 2139,'8,United States,UPS Ground,x", {
      repairs: ['zip'],
      services: ['UPS-GROUND'],
    });
    read(1);
    const of = (reader: typeof cell, ...fields: Field[]) => fields.map((field) => reader(field));
    const fields: Field[] = ['postalCode', 'weight_value', 'weight_units', 'countryCode', 'shippingService', 'length'];
    expect(of(written, ...fields)).toEqual(['2139', '8', 'OZ', 'United States', 'UPS Ground', '']);
    expect(of(cell, ...fields)).toEqual(['02139', '0.5', 'LB', 'US', 'UPS-GROUND', '']);
    expect(notes()).toEqual(['countryCode United States read as US', 'postalCode 2139 read as 02139']);
  });

  test('on the fast path also converts its weight on request', () => {
    const { read, cell, notes } = readerOf('warehouse,zip,Weight (oz)', '101,02139,8');
    expect(read(1)).toMatchObject({ postalCode: '02139' });
    expect([cell('weight_value'), cell('weight_units'), notes()]).toEqual(['0.5', 'LB', []]);
  });

  test('does not depend on the row before it', () => {
    const columns = columnsOf(HEADER, { repairs: ['zip'] });
    const { row, scan } = createScanner(COMMA, 1_000);
    const { read, notes, cell } = createRowReader(row, columns);
    const text = `101,2139,2,LB,\n${ROW},\n`;
    scan(text, 0, true);
    read(1);
    expect([notes(), cell('postalCode')]).toEqual([['postalCode 2139 read as 02139'], '02139']);
    scan(text, row.next, true);
    read(2);
    expect([notes(), cell('postalCode')]).toEqual([[], '02139']);
  });

  test('of the service’s own output has its formulas restored', () => {
    const { written } = readerOf(`${HEADER},addressLine,quote_status`, `${ROW},,'=1+1,200`);
    expect(written('addressLine')).toBe('=1+1');
    expect(readerOf(`${HEADER},addressLine`, `${ROW},,'=1+1`).written('addressLine')).toBe('=1+1');
  });
});

describe('weights in units of a request', () => {
  type Cells = Partial<Record<Field, string>>;
  const weigh = (header: string, cells: Cells) => {
    const read = weightReader(columnsOf(`warehouse,zip,${header}`))?.((field) => cells[field] ?? '');
    if (typeof read !== 'function') return read;
    return [read('weight_value'), read('weight_units')];
  };

  test('are only converted if the list or a cell may have other units', () => {
    expect(weightReader(columnsOf('warehouse,zip,weight_value,weight_units'))).toBeUndefined();
    expect(weightReader(columnsOf('warehouse,zip,Weight (lb)'))).toBeDefined();
    expect(weightReader(columnsOf('warehouse,zip,Weight (oz)'))).toBeDefined();
    expect(weightReader(columnsOf('warehouse,zip,Weight (g)'))).toBeDefined();
    expect(weightReader(columnsOf('warehouse,zip,weight,units'))).toBeDefined();
    expect(weightReader(columnsOf('warehouse,zip,Pounds,Ounces'))).toBeDefined();
  });

  test('do not change other cells', () => {
    const read = weightReader(columnsOf('warehouse,zip,Weight (oz)'))?.((field) => `${field}!`);
    expect(typeof read === 'function' && read('postalCode')).toBe('postalCode!');
  });

  test.each<[value: string, units: string, request: readonly [string, string]]>([
    ['8', 'OZ', ['0.5', 'LB']],
    ['250', 'G', ['0.25', 'KG']],
    ['2', 'KG', ['2', 'KG']],
    ['', 'OZ', ['', 'LB']],
    ['', 'G', ['', 'KG']],
    ['x', 'OZ', ['x', 'LB']],
    ['8|16', 'OZ', ['0.5|1', 'LB']],
    ['8|2', 'OZ|LB', ['0.5|2', 'LB|LB']],
    ['8|500', 'OZ|G', ['0.5|0.5', 'LB|KG']],
    ['8|x', 'OZ', ['0.5|x', 'LB']],
    ['8', 'OZ|LB', ['0.5|', 'LB|LB']],
    ['8|9|10', 'OZ|LB', ['0.5|9|10', 'LB|LB|']],
    ['1', '', ['1', '']],
  ])('%j in %j are %j', (weight_value, weight_units, request) => {
    expect(weigh('weight,units', { weight_value, weight_units })).toEqual(request);
  });

  test.each<[lb: string, oz: string, result: unknown]>([
    ['2', '3', ['2.1875', 'LB']],
    ['2', '', ['2', 'LB']],
    ['', '8', ['0.5', 'LB']],
    ['2|1', '3|0', ['2.1875|1', 'LB']],
    ['2|1', '|8', ['2|1.5', 'LB']],
    ['2', '3|4', { about: 'weight_ounces', reason: 'it does not have as many ounces as pounds' }],
    ['x', '3', ['x', 'LB']],
    ['2', 'x', ['x', 'LB']],
    [
      '1234567890123456',
      '3',
      { about: 'weight_value', reason: 'its pounds and ounces have too many digits to be added up' },
    ],
    [
      '2',
      '1234567890123456',
      { about: 'weight_value', reason: 'its pounds and ounces have too many digits to be added up' },
    ],
    [
      '123456789012345',
      '1',
      { about: 'weight_value', reason: 'its pounds and ounces have too many digits to be added up' },
    ],
  ])('%s LB and %s OZ', (weight_value, weight_ounces, result) => {
    expect(weigh('Pounds,Ounces', { weight_value, weight_ounces, weight_units: 'LB' })).toEqual(result);
  });

  test.each([
    // Fractions of pounds, or at least 16 ounces, within an ounce of each other.
    ['2.5', '40', true],
    ['2.5', '40.99', true],
    ['2.5', '39.01', true],
    ['2.5', '41', false],
    ['2.5', '39', false],
    ['1', '16', true],
    ['1', '15.9', false],
    ['1', '0', false],
    ['0.05', '0', false],
    ['0', '0.5', false],
    ['0.5', '8', true],
  ])('%s LB and %s OZ are the same weight twice: %s', (weight_value, weight_ounces, twice) => {
    const weight = weigh('Pounds,Ounces', { weight_value, weight_ounces, weight_units: 'LB' });
    expect(weight !== undefined && 'reason' in weight).toBe(twice);
  });

  test('are read up to a thousand characters', () => {
    const long = '1|'.repeat(499);
    expect(weigh('weight,units', { weight_value: `${long}11`, weight_units: 'LB' })).toEqual([`${long}11`, 'LB']);
    expect(weigh('weight,units', { weight_value: `${long}111`, weight_units: 'LB' })).toEqual({
      about: 'weight_value',
      reason: 'its weight is too long to be read',
    });
    expect(weigh('weight,units', { weight_value: '1', weight_units: 'x'.repeat(1_001) })).toHaveProperty('reason');
  });
});
