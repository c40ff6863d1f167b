/** Lists and outputs as Parquet files, over HTTP. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { goodList, longRun, PARQUET, sharedText } from '../attack/parquet-bytes.ts';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const LIST = [
  'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,shipDate,order',
  '"a, ""b""",101,02139,2,LB,C1-GROUND,2026-03-04,1',
  '"line\nbreak é",101,00501,2.5,LB,C1-GROUND,,2',
  '=1+1,101,0213,2,LB,,,',
  '',
].join('\n');
/** The same list as Parquet, with other column types. */
const typed = (): Uint8Array<ArrayBuffer> => {
  const columnData = [
    { name: 'warehouse_id', data: [101, 101, 101], type: 'INT32' as const },
    { name: 'postalCode', data: ['02139', '00501', '0213'] },
    { name: 'weight_value', data: [2, 2.5, null], type: 'DOUBLE' as const },
    { name: 'weight_units', data: ['LB', 'LB', 'LB'] },
    { name: 'shipDate', data: [new Date('2026-03-04'), null, null], type: 'TIMESTAMP' as const },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
};
/** For a list with only ZIP codes. */
const ALONE = '?warehouse_id=101&weight=2&units=LB';
const TYPED_CSV =
  'warehouse_id,postalCode,weight_value,weight_units,shipDate\n101,02139,2,LB,2026-03-04\n101,00501,2.5,LB,\n101,0213,,LB,\n';

const download = async (below: string) => {
  const answer = await fetch(`${api.api.url}${BATCHES}${below}`, { headers: api.bearer() });
  return { status: answer.status, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
};
const post = (bytes: Uint8Array<ArrayBuffer>, query = '', type = PARQUET) =>
  api.post(bytes, query, { 'Content-Type': type });
const outputOf = async (id: string): Promise<string> => {
  await api.ended(id);
  return (await api.file(`/${id}/output?format=csv`)).text;
};

describe('a Parquet file', () => {
  test('has the output of its CSV, whatever its media type and also as gzip', async () => {
    const csv = await outputOf(await api.upload(TYPED_CSV));
    expect(csv).toContain('101,02139,2,LB,2026-03-04,1,200,');
    for (const type of [PARQUET, 'application/x-parquet', 'application/octet-stream', 'text/csv']) {
      const { status, body } = await post(typed(), '', type);
      expect([status, body.fault]).toEqual([202, undefined]);
      expect(await outputOf(body.id)).toBe(csv);
    }
    const packed = await post(new Uint8Array(gzipSync(typed())), '', 'application/gzip');
    expect(await outputOf(packed.body.id)).toBe(csv);
  });

  test('from pandas or DuckDB can be previewed, and parameters for text change nothing', async () => {
    for (const program of ['pandas', 'duckdb']) {
      const bytes = new Uint8Array(
        await readFile(join(import.meta.dirname, `../files/parquet/fixtures/${program}.parquet`)),
      );
      const query = '?preview=report&columns=warehouse_id:warehouse,postalCode:zip,weight_value:weight&units=LB';
      const { status, body } = await post(bytes, `${query}&delimiter=;&quotes=none`);
      expect([status, body.fault]).toEqual([200, undefined]);
      expect(body.rows).toHaveLength(2);
    }
  });

  test('that cannot be read is refused, and one that is malicious is stopped', async () => {
    const refusal = async (bytes: Buffer, query = '') => {
      const { status, body } = await post(new Uint8Array(bytes), query);
      return [status, body.fault?.type, body.fault?.arguments];
    };
    const good = goodList(5);
    expect(await refusal(good.subarray(0, 300))).toEqual([
      422,
      'createBatch.invalidFile',
      { file: 'is a damaged Parquet file: it is truncated' },
    ]);
    expect(await refusal(good, '?sheet=1')).toEqual([
      422,
      'createBatch.invalidFile',
      { sheet: 'is only for workbooks' },
    ]);
    expect(await refusal(sharedText(1_000_000, 4_000_000), ALONE)).toEqual([
      413,
      'request.tooLarge',
      { inflatedUpload: expect.stringMatching(/bytes$/) },
    ]);
    expect(await refusal(longRun(2 ** 30), ALONE)).toEqual([413, 'request.tooLarge', { readingMemory: '384 MiB' }]);
  });
});

describe('?format=parquet', () => {
  test('has the rows of the CSV, with prices as numbers and the columns of the list as text', async () => {
    const { body } = await api.post(LIST, '?format=parquet&filename=march.parquet', { 'Content-Type': 'text/csv' });
    await api.ended(body.id);
    const { headers, bytes } = await download(`/${body.id}/output`);
    expect(headers.get('content-type')).toBe(PARQUET);
    expect(headers.get('content-disposition')).toBe('attachment; filename=march-output.parquet');
    const rows = await parquetReadObjects({ file: bytes.buffer, compressors });
    const [header = [], ...csv] = parse((await api.file(`/${body.id}/output?format=csv`)).text);
    const names = parquetMetadata(bytes.buffer)
      .schema.slice(1)
      .map(({ name }) => name);
    expect(names).toEqual(['order (1)', ...header.slice(1, 7), 'order (2)', ...header.slice(8)]);
    const money = new Set(names.filter((name) => name.startsWith('quote_total')));
    const shown = (name: string, value: unknown): string =>
      value === null ? '' : money.has(name) ? Number(value).toFixed(2) : String(value);
    expect(rows.map((row) => names.map((name) => shown(name, row[name])))).toEqual(csv);
    expect(rows[0]).toMatchObject({
      'order (1)': 'a, "b"',
      warehouse_id: '101',
      postalCode: '02139',
      input_row: 1n,
      quote_status: 200n,
      quote_totalNetCharge: 11.45,
      quote_billingWeight_value: 2n,
      quote_rateZone: '3',
      fault_type: null,
    });
  });

  test('can be uploaded again: its output as a list, its faults as corrections', async () => {
    const { body } = await post(typed(), '?format=parquet');
    await api.ended(body.id);
    const again = await post((await download(`/${body.id}/output`)).bytes);
    expect(await outputOf(again.body.id)).toBe(await outputOf(body.id));
    const { status } = await api.api.call(`${BATCHES}/${body.id}/corrections`, {
      method: 'POST',
      headers: { ...api.bearer(), 'Content-Type': PARQUET },
      body: (await download(`/${body.id}/faults`)).bytes,
    });
    expect(status).toBe(202);
    expect(await api.ended(body.id)).toMatchObject({ revision: 2, rows: { quoted: 2, faulted: 1 } });
  });
});
