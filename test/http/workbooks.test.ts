import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type CellStyle, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { convert, hasLibreOffice } from '../libre-office.ts';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const HEADER = ['order', 'warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'shippingService', 'shipDate'];
type Value = string | number | boolean | Date | null;
const workbook = async (
  rows: Value[][],
  styles: Record<number, CellStyle> = {},
  name = 'list',
  more: { name: string; rows: Value[][] }[] = [],
) => {
  const columns = HEADER.map((_, at) => (styles[at] === undefined ? {} : { style: styles[at] }));
  return Uint8Array.from(await writeXlsx({ sheets: [{ name, columns, rows }, ...more] }));
};
const post = (bytes: Uint8Array<ArrayBuffer>, query = '', type = XLSX) =>
  api.post(bytes, query, { 'Content-Type': type });
const rate = async (bytes: Uint8Array<ArrayBuffer>, query = '', type = XLSX): Promise<Record<string, string>[]> => {
  const { status, body } = await post(bytes, query, type);
  expect([status, body.fault]).toEqual([202, undefined]);
  await api.ended(body.id);
  return parse((await api.file(`/${body.id}/output`)).text, { columns: true });
};

describe('a workbook', () => {
  test('is taken like a CSV, whatever it is called, and its cells are what they show', async () => {
    const rows = [HEADER, ['A,1', 101, 2139, 2.1, 'LB', 'C1-GROUND', new Date('2026-03-04T00:00:00Z')]];
    const bytes = await workbook(rows, { 2: { numFmt: '00000' }, 6: { numFmt: 'm/d/yy' } });
    for (const type of [XLSX, 'text/csv', 'application/octet-stream', ''])
      expect(await rate(bytes, '', type)).toMatchObject([
        {
          order: 'A,1',
          postalCode: '02139',
          weight_value: '2.1',
          shipDate: '2026-03-04',
          quote_status: '200',
          quote_billingWeight_value: '3',
        },
      ]);
  });

  test('keeps text as it is, numbers short, and ZIP+4 as it is shown', async () => {
    const rows = [HEADER, ['  =1+1 ', '101', '00501', '0.1', 'LB'], [true, 101, 21391234, 0.1 + 0.2, 'LB', null, '']];
    const out = await rate(await workbook(rows, { 2: { numFmt: '00000\\-0000' } }));
    expect(out).toMatchObject([
      { order: '  =1+1 ', postalCode: '00501', weight_value: '0.1', quote_status: '200' },
      { order: 'TRUE', postalCode: '02139-1234', weight_value: '0.30000000000000004', quote_status: '200' },
    ]);
  });

  test('a ZIP code that lost its zero is a fault, as in a CSV', async () => {
    expect(await rate(await workbook([HEADER, ['A', 101, 2139, 2, 'LB']]))).toMatchObject([
      { postalCode: '2139', quote_status: '422' },
    ]);
    expect(await rate(await workbook([HEADER, ['A', 101, 2139, 2, 'LB']]), '?repair=zip')).toMatchObject([
      { quote_status: '200' },
    ]);
  });

  test('of several sheets is its first, or the one that is named', async () => {
    const more = [{ name: 'Other', rows: [HEADER, ['B', 101, '02139', 2, 'LB']] }];
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2, 'LB']], {}, 'list', more);
    expect(await rate(bytes)).toMatchObject([{ order: 'A' }]);
    for (const sheet of ['Other', 'other', '2'])
      expect(await rate(bytes, `?sheet=${sheet}`)).toMatchObject([{ order: 'B' }]);
    const { status, body } = await post(bytes, '?sheet=none');
    expect([status, body.fault.arguments]).toEqual([422, { file: 'has no sheet "none"; it has "list", "Other"' }]);
  });

  test('leaves nothing of itself behind but the list', async () => {
    const { body } = await post(await workbook([HEADER, ['A', 101, '02139', 2, 'LB']]));
    await api.ended(body.id);
    expect(await api.store.list(`batches/${body.id}/`)).not.toContain('input.csv.workbook');
    expect((await api.store.get(`batches/${body.id}/input.csv`))?.toString()).toBe(
      `${HEADER.join(',')}\nA,101,02139,2,LB\n`,
    );
  });

  test('can be previewed', async () => {
    const before = await api.folders();
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2, 'LB']]);
    const { status, body } = await post(bytes, '?preview=true');
    expect([status, body.fault]).toEqual([200, undefined]);
    expect(JSON.stringify(body)).toContain('02139');
    expect(await api.folders()).toHaveLength(before.length);
  });

  test('our own comes back as what it was: its output as a list, its faults as corrections', async () => {
    const { body } = await post(
      await workbook([HEADER, ['=A', 101, '02139', 2, 'LB'], ['B', 101, '0213', 2, 'LB']]),
      '?format=xlsx',
    );
    await api.ended(body.id);
    const download = async (what: string) => {
      const answer = await fetch(`${api.api.url}${BATCHES}/${body.id}/${what}`, { headers: api.bearer() });
      return new Uint8Array(await answer.arrayBuffer());
    };
    const again = await rate(await download('output'));
    expect(again).toEqual(parse((await api.file(`/${body.id}/output?format=csv`)).text, { columns: true }));
    const { status } = await api.api.call(`${BATCHES}/${body.id}/corrections`, {
      method: 'POST',
      headers: { ...api.bearer(), 'Content-Type': XLSX },
      body: await download('faults'),
    });
    expect(status).toBe(202);
    expect(await api.ended(body.id)).toMatchObject({ revision: 2, rows: { quoted: 1, faulted: 1 } });
  });
});

describe('what is no workbook', () => {
  const zipped = (parts: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> => {
    const zip = new ZipFile();
    for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
    zip.end();
    return new Response(zip.outputStream as unknown as ReadableStream)
      .arrayBuffer()
      .then((bytes) => new Uint8Array(bytes));
  };
  const parts = (sheet: string): Record<string, string> => ({
    'xl/_rels/workbook.xml.rels': '<R><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></R>',
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
    'xl/worksheets/sheet1.xml': sheet,
  });
  const refused = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const before = await api.folders();
    const { status, body } = await post(bytes);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(await api.folders()).toEqual(before);
    return body.fault.arguments.file;
  };

  test.each<[string, Record<string, string>, RegExp]>([
    ['another archive', { 'a.txt': 'a' }, /^has no part xl\/_rels\/workbook.xml.rels, as every workbook has$/],
    ['damaged XML', parts('<worksheet><sheetData><row><c r="A1"></row>'), /^is damaged: /],
    ['a document type', parts('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'), /declares a document type/],
    [
      'a column beyond the last',
      parts('<worksheet><row><c r="ZZZZ1"><v>1</v></c></row></worksheet>'),
      /outside of the 16384 columns/,
    ],
    [
      'a text without an end',
      parts(`<worksheet><row><c r="A1" t="str"><v>${'x'.repeat(6_000_000)}</v></c></row></worksheet>`),
      /a text without an end/,
    ],
  ])('%s is refused, and nothing of it stays', async (_what, made, message) => {
    expect(await refused(await zipped(made))).toMatch(message);
  });

  /** Every so many, something that deflate cannot foresee, so that the whole is packed less than the ratio that is allowed. */
  const salted = (element: string, count: number, every: number): string => {
    const pieces: string[] = [];
    let salt = 1;
    for (let at = 0; at < count; at += every) {
      salt = (salt * 48_271) % 2_147_483_647;
      pieces.push(element.repeat(every), `<s a="${salt.toString(36)}"/>`);
    }
    return pieces.join('');
  };

  test.each<[string, string, Record<string, string>]>([
    ['packed too well', `<a b="${'c'.repeat(100)}"/>`.repeat(200_000), { inflationRatio: '100 to 1' }],
    ['of empty rows', salted('<row/>', 2_000_000, 150), { workbookRows: '1048576 rows' }],
    [
      'of empty cells',
      `<row>${salted('<c/>', 6_000_000, 150).replaceAll('<s', '</row><row><s')}</row>`,
      { workbookElements: '4000000 without a value' },
    ],
    [
      'of words that are none of a list',
      salted('<a/>', 6_000_000, 150),
      { workbookElements: '4000000 without a value' },
    ],
    [
      'of long words',
      salted(`<a b="${'c'.repeat(1_000)}"/>`, 80_000, 1),
      { workbookSheet: '67108864 bytes of XML for the text in it' },
    ],
  ])('a bomb %s is refused before it has cost much', async (_what, xml, args) => {
    const bytes = await zipped(parts(`<worksheet><sheetData>${xml}</sheetData></worksheet>`));
    const before = await api.folders();
    for (const query of ['', '?preview=true']) {
      const from = performance.now();
      const { status, body } = await post(bytes, query);
      expect([status, body.fault.type, body.fault.arguments]).toEqual([413, 'request.tooLarge', args]);
      expect(performance.now() - from).toBeLessThan(15_000);
    }
    expect(await api.folders()).toEqual(before);
  });

  test('cells that are formatted and empty are no bomb beside those that say something', async () => {
    const empty = Array.from({ length: 40 }, (_, at) => `<c r="${String.fromCharCode(65 + (at % 26))}1"/>`).join('');
    const said = (values: (string | number)[]): string =>
      `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;
    const list = [HEADER, ['A', 101, '02139', 2, 'LB']].map(said).join('');
    const sheet = `<worksheet><sheetData>${list}${`<row>${empty}</row>`.repeat(20_000)}</sheetData></worksheet>`;
    expect(await rate(await zipped(parts(sheet)))).toMatchObject([{ order: 'A', quote_status: '200' }]);
  });

  test('an archive that is cut is refused', async () => {
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2, 'LB']]);
    expect(await refused(bytes.slice(0, bytes.length - 30))).toMatch(/^cannot be read as a workbook: /);
  });

  test('a sheet of a list that is none is refused by name', async () => {
    const { body } = await api.post('a,b\n1,2\n', '?sheet=1', { 'Content-Type': 'text/csv' });
    expect(body.fault.arguments).toEqual({ sheet: 'is for workbooks, which the file is not' });
  });
});

test.skipIf(!hasLibreOffice)(
  'a workbook that LibreOffice saved gives what its CSV gives',
  async () => {
    const sample = (await readFile(join(import.meta.dirname, '../../samples/shipments.csv')))
      .toString()
      .split('\n')
      // What is no proper CSV is read by LibreOffice in its own way.
      .filter((line) => !line.includes('"'))
      .slice(0, 200);
    const csv = Buffer.from(`${sample.join('\n')}\n`);
    // Every column as text (format 2), as a person imports ZIP codes.
    const columns = Array.from({ length: 20 }, (_, at) => `${at + 1}/2`).join('/');
    const dir = await convert('list.csv', csv, 'xlsx', `CSV:44,34,76,1,${columns}`);
    const bytes = dir.get('list.xlsx');
    if (bytes === undefined) throw new Error('LibreOffice wrote no workbook');
    const plain = await api.upload(csv.toString());
    await api.ended(plain);
    const rows = await rate(Uint8Array.from(bytes));
    expect(rows).toEqual(parse((await api.file(`/${plain}/output`)).text, { columns: true }));
  },
  180_000,
);
