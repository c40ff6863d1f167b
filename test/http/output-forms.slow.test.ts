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
  const FIRST = [
    'input_row',
    'quote_totalNetCharge',
    'quote_shippingService',
    'quote_rateZone',
    'quote_carrierZone',
    'quote_billingWeight_value',
    'fault_message',
  ];
  const FOR_PROGRAMS = 'Destination ZIP code must have the form 12345 or 12345-6789.';
  const FOR_PEOPLE = 'Destination ZIP code must have the form 12345 or 12345-6789. See column “postalCode”.';
  /** The cells of a CSV in the order of a sheet, with faults in the words of a sheet. */
  const inOrder = (file: readonly string[][], first: readonly string[]): string[][] => {
    const csv = file.map((row) => row.map((cell) => (cell === FOR_PROGRAMS ? FOR_PEOPLE : cell)));
    const [header = []] = csv;
    const rest = header.flatMap((name, at) => (first.includes(name) ? [] : [at]));
    const order = [...first.map((name) => header.indexOf(name)), ...rest];
    return csv.map((row) => order.map((at) => row[at] ?? ''));
  };

  test('has every cell of the CSV: results first, numbers as numbers, faults on a separate sheet', async () => {
    const id = await completed(LIST);
    const { status, headers, bytes } = await download(`/${id}/output?format=xlsx`);
    expect([status, headers.get('content-type')]).toEqual([200, XLSX]);
    expect(headers.get('content-disposition')).toBe('attachment; filename=shipments-output.xlsx');
    const { sheets } = await readXlsx(bytes);
    expect(sheets.map(({ name }) => name)).toEqual(['Summary of quotes', 'quotes', 'faults']);
    const csv = inOrder(parse(await text(`/${id}/output`)), FIRST);
    const numeric = new Set(
      csv[0]?.flatMap((name, at) =>
        /^(?:quote_total|quote_billingWeight_value|input_row|quote_status|weight_value)/.test(name) ? [at] : [],
      ),
    );
    const expected = csv.map((row, line) =>
      row.map((cell, at) => (cell === '' ? null : line > 0 && numeric.has(at) ? Number(cell) : cell)),
    );
    const width = csv[0]?.length ?? 0;
    const padded = (rows: readonly (readonly unknown[])[]) =>
      rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? null));
    expect(padded(sheets[1]?.rows ?? [])).toEqual(expected);
    const faults = inOrder(parse(await text(`/${id}/faults`)), ['input_row', 'fault_message']);
    expect(sheets[2]?.rows.map((row) => row.slice(0, 3).map(String))).toEqual(faults.map((row) => row.slice(0, 3)));
  });

  test('says what is wrong in the words of people, with the list’s own column', async () => {
    const id = await completed('Warehouse,Ship To Zip,lbs\n101,02139,\n101,2139,"2,5"\n101,02139,2\n');
    const { sheets } = await readXlsx((await download(`/${id}/output?format=xlsx`)).bytes);
    const at = sheets[1]?.rows[0]?.indexOf('fault_message') ?? -1;
    expect(sheets[1]?.rows.slice(1).map((row) => row[at] ?? null)).toEqual([
      'Weight is required. See column “lbs”.',
      'Destination ZIP code must have the form 12345 or 12345-6789; 2139 looks like 02139 without its leading zero. Weight must be a number with a decimal point, such as 2.5.',
      null,
    ]);
    const [header = [], first = []] = parse(await text(`/${id}/output`));
    expect(first[header.indexOf('fault_message')]).toBe('Weight is required.');
  });

  test('begins with a summary that agrees with the summary of the batch', async () => {
    const id = await completed(LIST);
    const { body } = await api.call('GET', `/${id}/summary`);
    const { sheets } = await readXlsx((await download(`/${id}/output?format=xlsx`)).bytes);
    const rows = sheets[0]?.rows ?? [];
    const row = (name: string): unknown[] => rows.find(([first]) => first === name) ?? [];
    expect(rows[0]?.[0]).toBe('shipments.csv');
    expect(row('Total net charge')[1]).toBe(body.totalNetCharge);
    expect([row('Rows of the list')[1], row('Rows with a price')[1]]).toEqual([11, body.rows.quoted]);
    const [group] = body.byService;
    expect(row(group.shippingService).slice(1, 3)).toEqual([group.shipments, group.totalNetCharge]);
    expect(row('A cell is missing or invalid')[1]).toBe(1);
    const missing = rows.findIndex(([first]) => first === 'Not in the total');
    expect(rows[missing + 1]?.slice(0, 3)).toEqual([
      'Rows without a price',
      1,
      Math.round(body.totalNetCharge / body.rows.quoted),
    ]);
  });

  test('may be given at upload, for all downloads except the unprocessed rows', async () => {
    const id = await completed(LIST, '?format=xlsx&services=all');
    expect((await download(`/${id}/output`)).headers.get('content-type')).toBe(XLSX);
    expect((await download(`/${id}/output?format=csv`)).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const faults = await download(`/${id}/faults`);
    const { sheets } = await readXlsx(faults.bytes);
    expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([['faults', 2]]);
    expect((await download(`/${id}/unprocessed`)).bytes.toString()).toBe(`${HEADER}\n`);
  });

  test('is refused if the output has more columns than a sheet', async () => {
    // A list may have this many columns, but the output's columns make it exceed a sheet.
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
    expect([status, body.fault.arguments]).toEqual([422, { format: 'must be csv, xlsx or parquet' }]);
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
      expect(parse(shown('quotes'))).toEqual(inOrder(csv, FIRST));
      expect(parse(shown('faults'))).toEqual(
        inOrder(parse(await text(`/${id}/faults`)), ['input_row', 'fault_message']),
      );
      expect(shown('Summary of quotes')).toMatch(/^Total net charge,"?\$[\d,.]+"?,,,$/m);
    },
    180_000,
  );
});
