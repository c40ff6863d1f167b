import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const outputOf = async (list: string | Buffer<ArrayBuffer>, query = ''): Promise<string> => {
  const id = await api.upload(list, query);
  await api.ended(id);
  return (await api.file(`/${id}/output`)).text;
};
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

const LIST = `${HEADER}\nA1,101,02139,2,LB,,Straße 5\nA2,101,2139,2,LB,,\n`;

describe('a list in another encoding', () => {
  test('gives the output of the same list in UTF-8', async () => {
    const plain = await outputOf(LIST);
    const utf16 = Buffer.from(`\ufeff${LIST}`, 'utf16le');
    expect(await outputOf(utf16)).toBe(plain);
    expect(await outputOf(Buffer.from(utf16).swap16())).toBe(plain);
    expect(await outputOf(Buffer.from(LIST, 'latin1'), '?encoding=windows-1252')).toBe(plain);
    expect(await outputOf(Buffer.from(LIST, 'utf16le'), '?encoding=utf-16le')).toBe(plain);
  });

  test('that does not match is refused by line and byte', async () => {
    const cut = Buffer.from(`\ufeff${LIST}`, 'utf16le').subarray(0, -1);
    const { status, body } = await api.post(cut, '');
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(body.fault.arguments).toEqual({
      file: `is not UTF-16LE text at byte ${cut.length - 1} (line 3)`,
    });
  });
});

describe('a compact date', () => {
  const withDate = (dates: readonly string[]): string =>
    `warehouse_id,postalCode,weight_value,weight_units,shipDate\n${dates.map((date) => `101,02139,2,LB,${date}\n`).join('')}`;

  test('is read as the date that it shows, and is unchanged in the output', async () => {
    const [compact, plain] = rowsOf(await outputOf(withDate(['20260601', '2026-06-01'])));
    expect(compact).toEqual({ ...plain, shipDate: '20260601', input_row: '1' });
    expect(compact).toMatchObject({ quote_status: '200' });
  });

  test('that does not exist is a fault that says how to write a date', async () => {
    const rows = rowsOf(await outputOf(withDate(['20261301', '06012026', '202606'])));
    for (const row of rows)
      expect(row).toMatchObject({
        fault_type: 'getRates.invalidRequest',
        fault_arguments: '{"rates.shipDate":"must be a date, YYYY-MM-DD"}',
      });
  });
});

describe('the options of an upload', () => {
  test('appear in the batch', async () => {
    const list = 'Wo;Zip;Wt (kg)\n101;2139;2,5\n';
    const query = `?delimiter=%3B&columns=${encodeURIComponent('warehouse_id:Wo,weight_value:Wt (kg)')}&repair=all`;
    const id = await api.upload(list, query);
    const batch = await api.ended(id);
    expect(batch.options).toEqual({
      delimiter: ';',
      columns: 'warehouse_id:Wo,weight_value:Wt (kg)',
      repair: 'all',
    });
    const [row] = rowsOf((await api.file(`/${id}/output`)).text);
    expect(row).toMatchObject({
      Zip: '2139',
      quote_status: '200',
      quote_billingWeight_value: '6',
      quote_repairs: 'postalCode 2139 read as 02139; weight_value 2,5 KG read as 2.5 KG',
    });
  });

  test.each([
    ['encoding=latin1', 'encoding'],
    ['delimiter=x', 'delimiter'],
    ['columns=x', 'columns'],
    ['repair=everything', 'repair'],
    ['preview=yes', 'preview'],
    ['preview=true&bytes=-1', 'bytes'],
    ['units=ST', 'units'],
    ['dimension_units=FT', 'dimension_units'],
    ['service_map=x', 'service_map'],
  ])('?%s is refused', async (query, parameter) => {
    const { status, body } = await api.post(listOf(1), `?${query}`);
    expect([status, body.fault.type]).toEqual([422, 'getRates.invalidRequest']);
    expect(Object.keys(body.fault.arguments)).toEqual([parameter]);
  });

  test('units of ounces and grams apply to all rows, exactly', async () => {
    const list = 'warehouse,zip,weight\n101,02139,16\n101,02139,16.001\n';
    const weights = async (query: string): Promise<unknown> =>
      rowsOf(await outputOf(list, query)).map((row) => row['quote_billingWeight_value']);
    expect(await weights('?units=OZ')).toEqual(['1', '2']);
    expect(await weights('?units=G')).toEqual(['1', '1']);
  });

  test('units of ounces count as a repair if weights are repaired', async () => {
    const [row] = rowsOf(await outputOf('warehouse,zip,weight\n101,02139,20\n', '?units=OZ&repair=weight'));
    expect(row).toMatchObject({ quote_billingWeight_value: '2', quote_repairs: 'weight_value 20 OZ read as 1.25 LB' });
  });
});

describe('repairs', () => {
  test('are not made by default: rows have the same faults as single calls', async () => {
    const rows = rowsOf(await outputOf(LIST));
    expect(rows[1]).not.toHaveProperty('quote_repairs');
    const single = await api.api.quote({
      rates: {
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode: '2139' } },
        packageItems: [{ weight: { units: 'LB', value: 2 } }],
      },
    });
    expect(rows[1]?.['fault_message']).toBe(single.body.fault.message);
    expect(JSON.parse(rows[1]?.['fault_arguments'] ?? '')).toEqual(single.body.fault.arguments);
    expect(single.body.fault.message).toContain('2139 looks like 02139 without its leading zero');
  });

  test('leave the cells unchanged, and their column is replaced if the output is uploaded again', async () => {
    const output = await outputOf(LIST, '?repair=zip');
    expect(rowsOf(output).map((row) => [row['postalCode'], row['quote_status'], row['quote_repairs']])).toEqual([
      ['02139', '200', ''],
      ['2139', '200', 'postalCode 2139 read as 02139'],
    ]);
    expect(await outputOf(output, '?repair=zip')).toBe(output);
    expect(rowsOf(await outputOf(output)).map((row) => row['quote_status'])).toEqual(['200', '422']);
  });
});

describe('a number of packages', () => {
  const HEAD = 'warehouse,zip,weight,units,service,packages';
  const rate = async (...rows: string[]) => rowsOf(await outputOf(`${HEAD}\n${rows.join('\n')}\n`));

  test('means that many packages, as in a single call', async () => {
    const [three, listed, spread] = await rate(
      '101,02139,2,LB,C1-GROUND,3',
      '101,02139,2|2|2,LB,C1-GROUND,',
      '101,02139,1|5,LB,C1-GROUND,2.0',
    );
    expect(three?.['quote_totalNetCharge']).toBe(listed?.['quote_totalNetCharge']);
    const packageItems = [1, 5].map((value) => ({ weight: { units: 'LB', value } }));
    const single = await api.api.quote({
      rates: {
        shippingService: 'C1-GROUND',
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode: '02139' } },
        packageItems,
      },
    });
    expect(Number(spread?.['quote_totalNetCharge'])).toBe(single.body.totalNetCharge);
  });

  test('counts towards the 99 packages', async () => {
    const rows = await rate(
      '101,02139,2,LB,,99',
      '101,02139,2,LB,,100',
      '101,02139,2|2,LB,,50',
      '101,02139,2,LB,,0',
      '101,02139,2,LB,,1.5',
      '101,02139,2,LB,,x',
      '101,02139,2,LB,,999999999',
    );
    expect(rows.map((row) => row['fault_type'])).toEqual([
      '',
      'getRates.invalidRequest',
      'row.malformed',
      'getRates.invalidRequest',
      'row.malformed',
      'row.malformed',
      'getRates.invalidRequest',
    ]);
    expect(rows[1]?.['fault_message']).toBe('Number of packages must be at most 99.');
    expect(rows[1]?.['fault_arguments']).toBe('{"rates.packageItems":"must have at most 99 entries"}');
    expect(rows[2]?.['fault_message']).toContain('it lists 2 packages, but their number is 50');
    expect(rows[4]?.['fault_message']).toContain('its packages must be a whole number from 1 to 99');
  });
});

describe('changed bytes', () => {
  test('never crash, block or fail the service: a list is refused, or a batch ends', async () => {
    const lists = [
      Buffer.from(listOf(6)),
      Buffer.from(`sep=;\r\n${listOf(4).replaceAll(',', ';').replaceAll('\n', '\r\n')}`),
      Buffer.from(`\ufeff${LIST}`, 'utf16le'),
      Buffer.from(`${HEADER},packages\n"A1",101,"02139",5 lb 3 oz,,"","two\nlines",2\n`),
    ];
    const change = fc.record({
      at: fc.nat(400),
      drop: fc.nat(4),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 3 }),
        fc.constantFrom(
          ...['"', '""', ',', ';', '\n', '\r', '\t', '|', '\0', "'", '=', '\ufeff', 'sep=,\n'].map((text) =>
            Buffer.from(text),
          ),
        ),
      ),
    });
    const changed = fc.record({
      list: fc.constantFrom(...lists),
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
      query: fc.constantFrom(
        '',
        '?repair=all',
        '?repair=all&encoding=windows-1252',
        '?delimiter=%3B',
        '?encoding=utf-16be',
      ),
    });
    await fc.assert(
      fc.asyncProperty(changed, async ({ list, changes, query }) => {
        let bytes: Buffer = list;
        for (const { at, drop, put } of changes)
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]);
        const seen = await api.post(bytes, query === '' ? '?preview=true' : `${query}&preview=true`);
        const { status, body } = await api.post(bytes, query);
        expect([202, 413, 422]).toContain(status);
        expect(seen.status).toBe(status === 202 ? 200 : status);
        if (status !== 202) return;
        const batch = await api.ended(body.id);
        expect(batch.status).toBe('completed');
        expect(batch.rows.processed).toBe(batch.rows.total);
        expect([seen.body.quoted, seen.body.faulted]).toEqual([batch.rows.quoted, batch.rows.faulted]);
        const output: string[][] = parse((await api.file(`/${body.id}/output`)).text);
        expect(output).toHaveLength(batch.rows.processed + 1);
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
