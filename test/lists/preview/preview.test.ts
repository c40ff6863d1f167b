/** Previews, as literals. */
import { describe, expect, test } from 'vitest';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { type Beginning, isEnough, previewList, shownNames } from '../../../src/lists/preview/preview.ts';
import { previewBody } from '../../../src/lists/preview/preview-body.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { demoShipper } from '../rows/fixtures.ts';

const HEADER = 'ref,warehouse_id,postalCode,weight_value,weight_units';
const ROW = 'a,101,02139,2,LB';

const contextOf = (reading: ReadOptions = {}) => ({
  reading,
  maximumRowBytes: 1_000,
  shipper: demoShipper,
  schedule: scheduleOf([smallTariff()]),
  now: new Date('2026-06-01T12:00:00Z'),
  headerKey: (header: readonly string[]) => header.join(),
});

const look = (list: string | Buffer, reading: ReadOptions = {}, more: Partial<Beginning> = {}) => {
  const bytes = Buffer.from(list);
  return previewList(
    { bytes, complete: true, encoding: 'utf-8', totalBytes: bytes.length, ...more },
    contextOf(reading),
  );
};

const previewOf = async (...args: Parameters<typeof look>) => {
  const preview = await look(...args);
  if (!('status' in preview)) throw new Error(JSON.stringify(preview));
  return preview;
};

test('shows a list’s columns, rows and totals', async () => {
  // 2 lb to zone 2 is 11.00.
  const preview = await previewOf(`${HEADER},note\n${ROW},x\nb,101,2139,2,LB,y\n\nc,101,02139,1,LB,z\n`);
  expect(preview).toMatchObject({
    status: 200,
    dialect: { encoding: 'utf-8', delimiter: ',', lineBreak: 'lf' },
    columns: [
      { field: 'warehouse_id', column: 'warehouse_id', position: 2 },
      { field: 'postalCode', column: 'postalCode', position: 3 },
      { field: 'weight_value', column: 'weight_value', position: 4 },
      { field: 'weight_units', column: 'weight_units', position: 5 },
    ],
    defaults: {},
    unknownColumns: { count: 2, names: ['ref', 'note'] },
    services: [],
    rowsRead: 3,
    quoted: 2,
    faulted: 1,
    faults: { 'getRates.invalidRequest': 1 },
    repairs: { asked: [], rows: 0 },
    repairAll: {
      rows: 1,
      quoted: 3,
      faulted: 0,
      examples: [{ input_row: 2, repairs: ['postalCode 2139 read as 02139'] }],
    },
    estimate: { exact: true, rows: 3, totalNetCharge: 21, currency: 'USD' },
  });
  expect(preview.rows.map(({ input_row, repairs }) => [input_row, repairs])).toEqual([
    [1, []],
    [2, []],
    [3, []],
  ]);
  expect(preview.rows[0]).toMatchObject({ quote: { totalNetCharge: 11 }, fault: null });
  expect(preview.rows[1]).toMatchObject({ quote: null, fault: { type: 'getRates.invalidRequest' } });
  expect(preview.rows[0]?.request).toEqual({
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '02139' } },
      packageItems: [{ weight: { units: 'LB', value: 2 } }],
    },
  });
});

test('matches its schema', async () => {
  const preview = await previewOf(`${HEADER},Service,Qty\n${ROW},Air,1\nb,101,2139,2,LB,,\n`, { services: ['GROUND'] });
  expect(previewBody.parse(preview)).toEqual(preview);
});

test('shows columns by position, with findings and defaults', async () => {
  const preview = await previewOf('Weight (kg),zip,Qty,warehouse\n2,02139,1,101\n');
  expect(preview.columns.map(({ field, position }) => [field, position])).toEqual([
    ['weight_value', 1],
    ['postalCode', 2],
    ['warehouse_id', 4],
  ]);
  expect(preview.defaults).toEqual({ weight_units: 'KG' });
  expect(preview.findings.map(({ type, column }) => [type, column])).toEqual([['column.quantity', 'Qty']]);
});

describe('an estimate', () => {
  const part = (totalBytes: number | undefined) =>
    previewOf(`${HEADER}\n${ROW}\n${ROW}\nx`, {}, { complete: false, totalBytes });
  const headBytes = HEADER.length + 1;
  const rowBytes = ROW.length + 1;

  test('of a partial list is based on its share of the bytes', async () => {
    const { rowsRead, estimate } = await part(headBytes + 50 * rowBytes);
    expect([rowsRead, estimate.exact, estimate.rows, estimate.totalNetCharge]).toEqual([2, false, 50, 550]);
    expect(estimate.seconds).toBeGreaterThan(0);
    expect(estimate.seconds).toBeLessThan(60);
  });

  test('is at least the rows that were read', async () => {
    expect((await part(headBytes)).estimate.rows).toBe(2);
  });

  test('is missing if the size is unknown', async () => {
    expect((await part(undefined)).estimate).toMatchObject({
      exact: false,
      rows: null,
      seconds: null,
      totalNetCharge: null,
    });
  });

  test('is exact if the whole list was read', async () => {
    expect((await previewOf(`${HEADER}\n${ROW}\n${ROW}`)).estimate).toMatchObject({
      exact: true,
      rows: 2,
      totalNetCharge: 22,
    });
  });

  test('has seconds with one decimal', async () => {
    const { seconds } = (await previewOf(`${HEADER}\n${ROW}\n`)).estimate;
    expect(Number(seconds?.toFixed(1))).toBe(seconds);
  });
});

test('does not count a repair without effect', async () => {
  const { repairAll } = await previewOf(
    `${HEADER},Country,packages\n${ROW},United States,2\nb,101,2139,2,LB,USA,2\nc,101,02139,2,LB,,\n`,
  );
  expect(repairAll).toMatchObject({
    rows: 1,
    examples: [{ input_row: 2, repairs: ['countryCode USA read as US', 'postalCode 2139 read as 02139'] }],
  });
});

test('says which problem each repair removes, and from how many rows', async () => {
  // Row 2 has no weight, which no repair can give. Rows 3 and 4 have ounces. Row 5 gets its zero back, and keeps its weight.
  const list = `${HEADER}\n${ROW}\nb,101,02139,,LB\nc,101,02139,32,oz\nd,101,02139,16,oz\ne,101,2139,heavy,LB\n`;
  const { faultKinds, repairAll } = await previewOf(list);
  const type = 'getRates.invalidRequest';
  expect(faultKinds.map(({ field, kind, rows }) => [field, kind, rows])).toEqual([
    ['weight_units', `${type} weight_units`, 2],
    ['weight_value', `${type} weight_value is missing`, 1],
    ['postalCode', `${type} postalCode`, 1],
    ['weight_value', `${type} weight_value`, 1],
  ]);
  expect(repairAll.kinds.map(({ what, removes }) => [what, removes])).toEqual([
    ['weight_value', [{ type, field: 'weight_units', rows: 2 }]],
    ['postalCode', [{ type, field: 'postalCode', rows: 1 }]],
  ]);
});

test('shows what further repairs would do', async () => {
  const list = `${HEADER}\n${ROW}\nb,101,2139,2,LB\nc,101,02139,32,oz\n`;
  const { repairs, repairAll } = await previewOf(list, { repairs: ['zip'] });
  expect([repairs.rows, repairAll.rows, repairAll.quoted]).toEqual([1, 2, 3]);
});

test('makes and counts the requested repairs', async () => {
  const preview = await previewOf(`${HEADER}\n${ROW}\nb,101,2139,2,LB\n`, { repairs: ['zip'] });
  expect(preview).toMatchObject({ quoted: 2, faulted: 0, repairs: { asked: ['zip'], rows: 1 } });
  expect(preview.rows.map(({ repairs }) => repairs)).toEqual([[], ['postalCode 2139 read as 02139']]);
});

test('a row that cannot be read has no request', async () => {
  const preview = await previewOf(`${HEADER}\n"a"b,101,02139,2,LB\n${ROW}\n`);
  expect(preview.rows.map(({ request, fault }) => [request === null, fault?.type])).toEqual([
    [true, 'row.malformed'],
    [false, undefined],
  ]);
});

test('counts rows that cannot be read by the column that is wrong', async () => {
  const header = 'Order ID,Warehouse,Zip,Weight,Unit of Measure,# of Packages,Qty,Len (in),W,H';
  const rows = ['1,101,02139,35 oz,LB,1,1,,,', '2,101,02139,2,LB,1.5,1,,,', '3,101,02139,2,LB,0.5,1,,,', '4,"5"6'];
  const order = ['5,101,02139,2,LB,1,two,,,'];
  const { faultKinds } = await previewOf(`${header}\n${[...order, ...rows].join('\n')}\n`, {
    orders: 'Order ID',
    itemQuantity: 'Qty',
  });
  expect(faultKinds.map(({ kind, field, column, rows, examples }) => [kind, field, column, rows, examples])).toEqual([
    [
      ...['row.malformed # of Packages', 'packages', '# of Packages', 2],
      [
        { input_row: 3, value: '1.5' },
        { input_row: 4, value: '0.5' },
      ],
    ],
    ['row.order Qty', null, 'Qty', 1, []],
    ['row.malformed Weight', 'weight_value', 'Weight', 1, [{ input_row: 2, value: '35 oz' }]],
    ['row.malformed', null, null, 1, []],
  ]);
});

test('shows twenty rows and twenty examples of repairs', async () => {
  const preview = await previewOf(`${HEADER}\n${'b,101,2139,2,LB\n'.repeat(25)}`);
  expect([preview.rowsRead, preview.rows.length, preview.rows.at(-1)?.input_row]).toEqual([25, 20, 20]);
  expect([preview.repairAll.rows, preview.repairAll.examples.length]).toEqual([25, 20]);
});

test('reads the first thousand rows, and estimates the rest by their share of the bytes', async () => {
  const row = 'a,101,02139,1,LB\n';
  const list = `${HEADER}\n${row.repeat(1_001)}`;
  const preview = await previewOf(list);
  expect([preview.rowsRead, preview.estimate.exact, preview.estimate.rows]).toEqual([1_000, false, 1_001]);
  expect(preview.estimate.totalNetCharge).toBe(10_010);
  const all = await previewOf(`${HEADER}\n${row.repeat(1_000)}`);
  expect([all.rowsRead, all.estimate.exact, all.estimate.rows]).toEqual([1_000, true, 1_000]);
  // Without the size of the whole list there is no estimate.
  const part = await previewOf(list, {}, { complete: false, totalBytes: undefined });
  expect(part.estimate).toEqual({
    exact: false,
    rows: null,
    faulted: null,
    seconds: null,
    totalNetCharge: null,
    currency: 'USD',
  });
});

test('counts names of services with their codes', async () => {
  const names = ['GROUND', 'Air', ' GROUND ', '', 'x'.repeat(100), 'x'.repeat(101), 'Any', 'Truck'];
  const rows = names.map((service) => `${ROW},${service}\n`).join('');
  const serviceMap = [
    ['any', ''],
    ['truck', 'GROUND'],
  ] as const;
  const { services } = await previewOf(`${HEADER},shippingService\n${rows}`, { serviceMap });
  expect(services).toEqual([
    { name: 'GROUND', code: 'GROUND', rows: 2 },
    { name: 'Air', code: null, rows: 1 },
    { name: 'x'.repeat(100), code: null, rows: 1 },
    { name: 'Any', code: '', rows: 1 },
    { name: 'Truck', code: 'GROUND', rows: 1 },
  ]);
  const said = await previewOf(`${HEADER}\n${ROW}\n`, { defaults: { shippingService: 'GROUND' } });
  expect([said.services, said.quoted]).toEqual([[], 1]);
  const many = Array.from({ length: 51 }, (_, at) => `${ROW},S${at}\n`).join('');
  expect((await previewOf(`${HEADER},shippingService\n${many}`)).services).toHaveLength(50);
});

test.each([
  ['lf', '\n'],
  ['crlf', '\r\n'],
  ['cr', '\r'],
])('names the line breaks: %s', async (lineBreak, written) => {
  const preview = await previewOf([HEADER, ROW, ''].join(written));
  expect([preview.dialect.lineBreak, preview.rowsRead]).toEqual([lineBreak, 1]);
});

test('shows a hundred column names', () => {
  expect(shownNames(Array.from({ length: 101 }, (_, at) => `c${at}`))).toHaveLength(100);
});

describe('rejects, like an upload,', () => {
  test('only a header', async () => {
    expect(await look(`${HEADER}\n\n`)).toEqual({
      problems: { file: 'has only a header row; add at least one shipment' },
    });
  });
  test('a column that is missing', async () => {
    expect(await look('ref,warehouse_id\na,101\n')).toMatchObject({ problems: { postalCode: expect.any(String) } });
  });
  test('a row over the limit, with its number and line', async () => {
    expect(await look(`${HEADER}\n${ROW}\n${'x'.repeat(1_001)}\n`)).toEqual({ kind: 'rowTooLong', row: 2, line: 3 });
  });
  test('bytes that are not UTF-8 below the header', async () => {
    const bytes = Buffer.concat([Buffer.from(`${HEADER}\n${ROW}\n`), Buffer.from([0xe9]), Buffer.from(`${ROW}\n`)]);
    expect(await look(bytes)).toMatchObject({
      problems: { file: expect.stringContaining('at byte 71 (line 3)') },
    });
    const far = Buffer.concat([Buffer.from(`${HEADER}\n${`${ROW}\n`.repeat(4_000)}`), Buffer.from([0xe9, 0x0a])]);
    expect(await look(far)).toMatchObject({
      problems: { file: expect.stringContaining('at byte 68054 (line 4002)') },
    });
  });
  test('accepts a character that continues after the first bytes', async () => {
    const bytes = Buffer.concat([Buffer.from(`${HEADER}\n${ROW}\n`), Buffer.from([0xc3])]);
    expect(await look(bytes, {}, { complete: false })).toMatchObject({ rowsRead: 1 });
    expect(await look(bytes)).toHaveProperty('problems.file');
  });
  test('a header that does not end', async () => {
    expect(await look(HEADER.slice(0, 20), {}, { complete: false })).toEqual({
      problems: { header: 'is longer than 4194304 bytes' },
    });
  });
});

test('a thousand rows or a problem are enough', async () => {
  const enough = (text: string) => isEnough(Buffer.from(text), contextOf());
  expect(await enough(`${HEADER}\n${`${ROW}\n`.repeat(999)}`)).toBe(false);
  expect(await enough(`${HEADER}\n${`${ROW}\n`.repeat(1_000)}`)).toBe(true);
  expect(await enough(HEADER)).toBe(false);
  expect(await enough('ref,warehouse_id\na,101\n')).toBe(true);
  expect(await enough(`${HEADER}\n${'x'.repeat(1_001)}\n`)).toBe(true);
});

test('4 MiB are enough, even within a header', async () => {
  expect(await isEnough(Buffer.alloc(4_194_304, 'x'), { ...contextOf(), maximumRowBytes: 8_388_608 })).toBe(true);
});
