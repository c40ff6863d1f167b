import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { ALL_SHEETS_AS_CSV, convert, hasLibreOffice } from '../libre-office.ts';
import { BATCHES, type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ODD = [
  '"a, ""b""",101,02139,2,LB,C1-GROUND,',
  '"line\nbreak",101,00501,2,LB,C1-GROUND,',
  '=1+1,101,02139,2,LB,C1-GROUND,"<b> & é ＝ _x0041_ \v"',
  '  spaced  ,101,0213,2,LB,C1-GROUND,-5',
  '',
].join('\n');
const LIST = `${listOf(7)}${ODD}`;

const completed = async (list: string, query = ''): Promise<string> => {
  const id = await api.upload(list, query);
  expect((await api.ended(id)).status).toBe('completed');
  return id;
};
const text = async (below: string): Promise<string> => (await api.file(below)).text;
const download = async (below: string) => {
  const answer = await fetch(`${api.api.url}${BATCHES}${below}`, { headers: api.bearer() });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('?output=excel', () => {
  test('has a byte-order mark and the separator of the list', async () => {
    const list = LIST.replaceAll(',', ';').replace('"a; ""b"""', '"a, ""b"";c"');
    const id = await completed(list, '?output=excel');
    const { bytes, headers } = await download(`/${id}/output`);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.toString()).toContain('\n"a, ""b"";c";101;02139;2;LB;');
    const plain = parse(await text(`/${id}/output?output=plain`));
    expect(parse(bytes, { bom: true, delimiter: ';' })).toEqual(plain);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(parse((await download(`/${id}/faults`)).bytes, { bom: true, delimiter: ';' })).toHaveLength(2);
  });

  test('may be given only at the download, and adds only the mark to a list with commas', async () => {
    const id = await completed(LIST);
    const { bytes, headers } = await download(`/${id}/output?output=excel`);
    expect(bytes.toString()).toBe(`\ufeff${await text(`/${id}/output`)}`);
    expect(headers.get('content-length')).toBe(String(bytes.length));
  });

  test('gives a file that can be corrected and sent as corrections', async () => {
    const id = await completed(LIST.replaceAll(',', ';'), '?output=excel');
    const faults = (await download(`/${id}/faults`)).bytes.toString().replace(';0213;', ';02139;');
    const { status } = await api.api.call(`${BATCHES}/${id}/corrections`, {
      method: 'POST',
      headers: api.bearer(),
      body: faults,
    });
    expect(status).toBe(202);
    expect(await api.ended(id)).toMatchObject({ revision: 2, outcome: 'all_quoted' });
  });
});

describe('?format=xlsx', () => {
  test('has every cell of the CSV: text as text, money and counts as numbers, faults on a second sheet', async () => {
    const id = await completed(LIST);
    const { status, headers, bytes } = await download(`/${id}/output?format=xlsx`);
    expect([status, headers.get('content-type')]).toEqual([200, XLSX]);
    expect(headers.get('content-disposition')).toBe('attachment; filename=shipments-output.xlsx');
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map(({ name }) => name)).toEqual(['quotes', 'faults']);
    const csv: string[][] = parse(await text(`/${id}/output`));
    const numeric = new Set(
      csv[0]?.flatMap((name, at) =>
        /^(?:quote_total|quote_billingWeight_value|input_row|quote_status)/.test(name) ? [at] : [],
      ),
    );
    const expected = csv.map((row, line) =>
      row.map((cell, at) => (cell === '' ? null : line > 0 && numeric.has(at) ? Number(cell) : cell)),
    );
    const width = csv[0]?.length ?? 0;
    const padded = (rows: readonly (readonly unknown[])[]) =>
      rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? null));
    expect(padded(sheets[0]?.rows ?? [])).toEqual(expected);
    const faults = parse(await text(`/${id}/faults`));
    expect(sheets[1]?.rows.map((row) => row[0])).toEqual(faults.map(([order]: string[]) => order));
  });

  test('may be given at upload, for all downloads except the unprocessed rows', async () => {
    const id = await completed(LIST, '?format=xlsx&services=all');
    expect((await download(`/${id}/output`)).headers.get('content-type')).toBe(XLSX);
    expect((await download(`/${id}/output?format=csv`)).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const faults = await download(`/${id}/faults`);
    expect((await readXlsx(faults.bytes)).sheets[0]?.rows).toHaveLength(2);
    expect((await download(`/${id}/unprocessed`)).bytes.toString()).toBe(`${HEADER}\n`);
  });

  test('is refused if the output has more columns than a sheet', async () => {
    // A list may have this many columns, but with those of the output they exceed a sheet.
    const many = Array.from({ length: 16_384 - HEADER.split(',').length }, (_, at) => `c${at}`).join(',');
    const id = await completed(`${HEADER},${many}\nA1,101,02139,2,LB,,\n`);
    const { status, body } = await api.call('GET', `/${id}/output?format=xlsx`);
    expect([status, body.fault]).toEqual([
      413,
      expect.objectContaining({ type: 'request.tooLarge', arguments: { workbookColumns: '16384 columns' } }),
    ]);
  });

  test('is refused with another value', async () => {
    const id = await completed(listOf(1));
    const { status, body } = await api.call('GET', `/${id}/output?format=ods`);
    expect([status, body.fault.arguments]).toEqual([422, { format: 'must be csv or xlsx' }]);
  });

  test.skipIf(!hasLibreOffice)(
    'opens in LibreOffice with ZIPs and money intact',
    async () => {
      const id = await completed(LIST);
      const { bytes } = await download(`/${id}/output?format=xlsx`);
      const sheets = await convert('output.xlsx', bytes, ALL_SHEETS_AS_CSV);
      const csv = parse((await text(`/${id}/output`)).replaceAll('\v', '?'));
      const shown = (sheet: string): string =>
        sheets.get(`output-${sheet}.csv`)?.toString().replaceAll('\v', '?') ?? '';
      expect(parse(shown('quotes'))).toEqual(csv);
      expect(parse(shown('faults'))).toEqual(parse(await text(`/${id}/faults`)));
    },
    180_000,
  );
});
