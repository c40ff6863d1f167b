/** Rows on the fast path. Simple rows must take it. Otherwise lists are rated several times slower. */
import { describe, expect, test } from 'vitest';
import { createRows } from '../../../src/files/csv/rows.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import { type ReadOptions, readColumns } from '../../../src/lists/columns/columns.ts';
import { readHeader } from '../../../src/lists/columns/header.ts';
import { createPlainReader } from '../../../src/lists/rows/fast-row.ts';

const DIALECT = { delimiter: ',', lineBreak: 'lf' } as const;
const FIELDS =
  'warehouse_id,postalCode,weight_value,weight_units,countryCode,shippingService,addressLine,residential,length,width,height,dimension_units,shipDate,signature,saturday,declared_value,non_standard_packaging,billing';
const PLAIN = {
  warehouse_id: '101',
  postalCode: '02139',
  weight_value: '2.5',
  weight_units: 'LB',
  countryCode: '',
  shippingService: '',
  addressLine: '',
  residential: '',
  length: '',
  width: '',
  height: '',
  dimension_units: '',
  shipDate: '',
  signature: '',
  saturday: '',
  declared_value: '',
  non_standard_packaging: '',
  billing: '',
};

const readLine = (header: string, line: string, reading: ReadOptions = {}) => {
  const columns = readColumns(header.split(','), DIALECT, reading);
  if ('problems' in columns) throw new Error(JSON.stringify(columns));
  const { row, scan } = createScanner(DIALECT, 1_000);
  scan(line, 0, true);
  return createPlainReader(columns)(line, row);
};

const read = (cells: Partial<typeof PLAIN> = {}) => readLine(FIELDS, Object.values({ ...PLAIN, ...cells }).join(','));

test('reads a simple row as a shipment', () => {
  expect(read()).toEqual({
    warehouseId: 101,
    postalCode: '02139',
    countryCode: 'US',
    residential: false,
    packages: [{ mass: 113_398_093 }],
    shippingService: undefined,
    addressLine: undefined,
    shipDate: undefined,
  });
  expect(
    read({ countryCode: 'us', shippingService: 'C1-GROUND', addressLine: '1 Main St ~', residential: 'true' }),
  ).toMatchObject({ countryCode: 'US', shippingService: 'C1-GROUND', addressLine: '1 Main St ~', residential: true });
});

test('reads other countries, which the rating core refuses', () => {
  expect(read({ countryCode: 'mx' })).toMatchObject({ countryCode: 'MX' });
  expect(read()).toMatchObject({ countryCode: 'US' });
});

test('reads who pays as the schema does', () => {
  const optionsOf = (billing: string) => read({ billing })?.options;
  expect(['', 'shipper', 'Prepaid', 'recipient', '3rd party'].map(optionsOf)).toEqual([
    ...[undefined, undefined, undefined],
    ...[{ billing: 'recipient' }, { billing: 'third_party' }],
  ]);
  expect([read({ billing: 'return' })?.options, read()?.options]).toEqual([{ billing: 'return' }, undefined]);
});

describe.each<[keyof typeof PLAIN, readonly string[], readonly string[]]>([
  [
    'warehouse_id',
    ['1', '9999999999', '101', 'any', 'ANY ', '101|103', '103 | 101'],
    ["'any", '101|', 'any|1', '', '0', '0101', '10000000000', '1a', ' 1', '-1', '1/', '1:'],
  ],
  [
    'postalCode',
    ['02139', '02139-1234'],
    ['', '2139', '021391', '02139-123', '02139 1234', '0213a', '02139-123a', '02139123-4'],
  ],
  [
    'weight_value',
    ['1', '99', '99.0', '0.000001', '12.345678', '09'],
    ['', '0', '100', '009', '99.01', '1.', '.5', '1.2345678', '1e1', '-1', '1,5', '1.5a', '0.0'],
  ],
  ['weight_units', ['LB', 'KG'], ['', 'lb', 'OZ', 'LB|KG']],
  ['countryCode', ['', 'US', 'us', 'Us', 'MX'], ['USA', 'M1', "'MX", ' MX']],
  ['shippingService', ['', 'C1-GROUND', 'A B', 'ABCDEFGHIJ'], ['ABCDEFGHIJK', 'é', ' A', 'A ', "'A"]],
  [
    'addressLine',
    ['', 'x'.repeat(35), '~!'],
    ['x'.repeat(36), ' x', 'x ', "'x", 'Stra\u00c3\u009fe', 'a\tb', '\u007f'],
  ],
  ['residential', ['', 'true', 'false'], ['TRUE', 'yes', '1']],
  ['length', [''], ['10']],
  ['dimension_units', ['', 'IN', 'in', 'x'], []],
  ['shipDate', [''], ['2026-01-01']],
  ['signature', [''], ['none', 'direct']],
  ['saturday', [''], ['no']],
  ['declared_value', [''], ['0', '250']],
  ['non_standard_packaging', [''], ['yes']],
  ['billing', ['', 'shipper', 'recipient', 'THIRD_PARTY', 'Collect', 'return'], ['me', 'x'.repeat(50)]],
])('%s', (field, plain, others) => {
  test.each(plain)('%j is plain', (cell) => {
    expect(read({ [field]: cell })).toBeDefined();
  });
  test.each(others)('%j is left to the schema', (cell) => {
    expect(read({ [field]: cell })).toBeUndefined();
  });
});

describe('sides', () => {
  const SIZED = { length: '6', width: '12.5', height: '9', dimension_units: 'IN' };

  test('come longest first, in their unit', () => {
    expect(read(SIZED)?.packages).toEqual([{ mass: 113_398_093, sides: [3_175_000, 2_286_000, 1_524_000] }]);
    expect(read({ ...SIZED, dimension_units: 'CM' })?.packages[0]?.sides).toEqual([1_250_000, 900_000, 600_000]);
  });

  test.each<[string, Partial<typeof SIZED>]>([
    ['one is missing', { height: '' }],
    ['one is 0', { width: '0' }],
    ['one is over the limit', { length: '999.5' }],
    ['one has four digits', { length: '0012' }],
    ['one states its unit', { length: '6 in' }],
    ['all are in one cell', { length: '6x12x9' }],
    ['each package has its own', { length: '6|7' }],
    ['there is no unit', { dimension_units: '' }],
    ['the unit is unknown', { dimension_units: 'FT' }],
  ])('are left to the schema if %s', (_name, cells) => {
    expect(read({ ...SIZED, ...cells })).toBeUndefined();
  });

  test('are forgotten in the next row', () => {
    const header = 'warehouse_id,postalCode,weight_value,weight_units,length,width,height';
    const given = { defaults: { dimension_units: 'IN' } };
    expect(readLine(header, '101,02139,2,LB,1,2,3', given)?.packages[0]?.sides).toEqual([762_000, 508_000, 254_000]);
    expect(readLine(header, '101,02139,2,LB,,,', given)?.packages[0]).toEqual({ mass: 90_718_474 });
  });
});

test('reads weights exactly', () => {
  const massOf = (weight_value: string, weight_units = 'LB') => read({ weight_value, weight_units })?.packages[0]?.mass;
  expect([massOf('1'), massOf('21'), massOf('1.5'), massOf('0.000001'), massOf('2', 'KG')]).toEqual([
    45_359_237, 952_543_977, 68_038_856, 46, 200_000_000,
  ]);
});

test('reads quoted cells, and leaves rows with missing cells or doubled quotes in a read cell to the schema', () => {
  const header = 'warehouse_id,postalCode,weight_value,weight_units,addressLine';
  expect(readLine(header, '101,"02139","2","LB","1 Main St, Apt 2"')).toMatchObject({
    postalCode: '02139',
    addressLine: '1 Main St, Apt 2',
  });
  expect(readLine(header, '101,02139,2,LB,"a ""b"""')).toBeUndefined();
  expect(readLine(header, '101,02139,2,LB')).toBeUndefined();
});

test('reads rows with doubled quotes in cells without a field', () => {
  const header = 'note,warehouse_id,postalCode,weight_value,weight_units,addressLine,more';
  expect(readLine(header, '"a ""b""",101,"02139",2,LB,"1 Main St, Apt 2",""""')).toMatchObject({
    warehouseId: 101,
    postalCode: '02139',
    addressLine: '1 Main St, Apt 2',
  });
  expect(readLine(header, '"a ""b""","101","02139","2","LB","",')).toMatchObject({ addressLine: undefined });
});

test.each(FIELDS.split(','))('leaves doubled quotes in %s to the schema', (field) => {
  expect(read({ [field]: '"x""y"' })).toBeUndefined();
  expect(read({ [field]: '""""' })).toBeUndefined();
});

test('reads several warehouses, and forgets them in the next row', () => {
  expect(read({ warehouse_id: 'any' })).toMatchObject({ warehouseId: 0, shipFrom: 'any' });
  expect(read({ warehouse_id: '103 | 101' })).toMatchObject({ warehouseId: 0, shipFrom: [103, 101] });
  const header = 'warehouse_id,postalCode,weight_value,weight_units';
  const given = { defaults: { warehouse_id: '103|101' } };
  expect(readLine(header.replace('warehouse_id,', ''), '02139,2,LB', given)).toMatchObject({ shipFrom: [103, 101] });
  const list = Buffer.from(`${header}\nany,02139,2,LB\n101,02139,2,LB\n101|103,02139,2,LB\n102,02139,2,LB\n`);
  const head = readHeader(list, true, {}, 2 ** 20);
  if (head === 'more' || 'problems' in head) throw new Error('the list has no header');
  const { row, next } = createRows(list.subarray(head.bodyStart), head.columns.dialect, 2 ** 20);
  const plain = createPlainReader(head.columns);
  const seen: unknown[] = [];
  while (next() === 'row') {
    const { warehouseId, shipFrom } = plain(row.text, row) ?? {};
    seen.push([warehouseId, shipFrom]);
  }
  expect(seen).toEqual([
    [0, 'any'],
    [101, undefined],
    [0, [101, 103]],
    [102, undefined],
  ]);
});

test('uses the upload’s values for missing columns', () => {
  const line = '02139,2';
  const defaults = { warehouse_id: '101', weight_units: 'KG' } as const;
  const header = 'postalCode,weight_value';
  expect(readLine(header, line, { defaults })).toMatchObject({ warehouseId: 101, packages: [{ mass: 200_000_000 }] });
  expect(
    readLine(header, line, { defaults: { ...defaults, shippingService: 'C1-GROUND', residential: 'true' } }),
  ).toMatchObject({ shippingService: 'C1-GROUND', residential: true });
  expect(readLine(header, line, { defaults: { ...defaults, warehouse_id: '0' } })).toBeUndefined();
  expect(readLine(header, line, { defaults: { ...defaults, shipDate: '2026-01-01' } })).toBeUndefined();
});

test('reads words in columns with other names, and leaves the service’s own outputs to the schema', () => {
  const header = 'warehouse_id,zip,weight,units,Country,Residential?';
  expect(readLine(header, '101,02139,2,lbs,United States,Y')).toMatchObject({ countryCode: 'US', residential: true });
  expect(readLine(header, '101,02139,2,lbs,Germany,Y')).toMatchObject({ countryCode: 'DE' });
  expect(readLine(header, '101,02139,2,lbs,Atlantis,Y')).toBeUndefined();
  expect(readLine(header, '101,02139,2,stone,US,Y')).toBeUndefined();
  expect(readLine(header, '101,02139,2,lbs,US,maybe')).toBeUndefined();
  expect(readLine(`${header},quote_status`, '101,02139,2,lbs,US,Y,ok')).toBeUndefined();
});

test('reads columns in any order', () => {
  const line = '1 Main St,,C1-GROUND,us,KG,99,02139-1234,9999999999';
  const header =
    'addressLine,residential,shippingService,countryCode,weight_units,weight_value,postalCode,warehouse_id';
  expect(readLine(header, line)).toEqual({
    warehouseId: 9_999_999_999,
    postalCode: '02139-1234',
    countryCode: 'US',
    residential: false,
    packages: [{ mass: 9_900_000_000 }],
    shippingService: 'C1-GROUND',
    addressLine: '1 Main St',
    shipDate: undefined,
  });
});

test('reads names of services, and leaves unknown ones to the schema', () => {
  const header = 'warehouse_id,postalCode,weight_value,weight_units,shippingService';
  const reading: ReadOptions = { services: ['FDX-HOME'], serviceMap: [['any', '']] };
  const serviceOf = (name: string) => readLine(header, `101,02139,2,LB,${name}`, reading)?.shippingService;
  expect(serviceOf('FedEx Home Delivery')).toBe('FDX-HOME');
  expect(serviceOf('FDX-HOME')).toBe('FDX-HOME');
  expect(readLine(header, '101,02139,2,LB,Any', reading)).toMatchObject({ shippingService: undefined });
  expect(readLine(header, '101,02139,2,LB,Standard Home', reading)).toBeUndefined();
  expect(readLine(header, `101,02139,2,LB,FedEx${' '.repeat(182)}Home Delivery`, reading)).toBeDefined();
  expect(readLine(header, `101,02139,2,LB,FedEx${' '.repeat(183)}Home Delivery`, reading)).toBeUndefined();
  const all: ReadOptions = { services: ['FDX-HOME'], defaults: { shippingService: 'FedEx Home Delivery' } };
  expect(readLine(header.replace(',shippingService', ''), '101,02139,2,LB', all)?.shippingService).toBe('FDX-HOME');
});

test('leaves repaired weights, and pounds with ounces, to the schema', () => {
  const header = 'warehouse,zip,Pounds,Ounces';
  expect(readLine(header, '101,02139,2,8')?.packages[0]?.mass).toBe(113_398_093);
  expect(readLine(header, '101,02139,2,8', { repairs: ['weight'] })).toBeUndefined();
  expect(readLine('warehouse,zip,Weight (oz)', '101,02139,40')?.packages[0]?.mass).toBe(113_398_093);
});
