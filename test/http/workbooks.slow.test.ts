import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type CellStyle, writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { archive, compound, type Part, rowOf, type WorkbookParts, workbookParts } from '../archive.ts';
import { convert, hasLibreOffice } from '../libre-office.ts';
import { childrenMs, processorMs } from '../processor-time.ts';
import { soon } from '../soon.ts';
import { type Answer, rateRequest } from './api.ts';
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
  test('is accepted like a CSV, whatever its name, with cells as shown', async () => {
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

  test('keeps text unchanged, numbers short, and ZIP+4 as shown', async () => {
    const rows = [HEADER, ['  =1+1 ', '101', '00501', '0.1', 'LB'], [true, 101, 21391234, 0.1 + 0.2, 'LB', null, '']];
    const out = await rate(await workbook(rows, { 2: { numFmt: '00000\\-0000' } }));
    expect(out).toMatchObject([
      { order: '  =1+1 ', postalCode: '00501', weight_value: '0.1', quote_status: '200' },
      { order: 'TRUE', postalCode: '02139-1234', weight_value: '0.3', quote_status: '200' },
    ]);
  });

  test('has a fault for a ZIP code that lost its zero, as in a CSV', async () => {
    expect(await rate(await workbook([HEADER, ['A', 101, 2139, 2, 'LB']]))).toMatchObject([
      { postalCode: '2139', quote_status: '422' },
    ]);
    expect(await rate(await workbook([HEADER, ['A', 101, 2139, 2, 'LB']]), '?repair=zip')).toMatchObject([
      { quote_status: '200' },
    ]);
  });

  test('with several sheets is read from the first, or the named one', async () => {
    const more = [{ name: 'Other', rows: [HEADER, ['B', 101, '02139', 2, 'LB']] }];
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2, 'LB']], {}, 'list', more);
    expect(await rate(bytes)).toMatchObject([{ order: 'A' }]);
    for (const sheet of ['Other', 'other', '2'])
      expect(await rate(bytes, `?sheet=${sheet}`)).toMatchObject([{ order: 'B' }]);
    const { status, body } = await post(bytes, '?sheet=none');
    expect([status, body.fault.arguments]).toEqual([422, { file: 'has no sheet "none"; it has "list", "Other"' }]);
  });

  test('has a finding about other sheets that look like a list, unless the sheet is named', async () => {
    const more = [{ name: 'July', rows: [HEADER, ['B', 101, '02139', 2, 'LB']] }];
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2, 'LB']], {}, 'June', more);
    const findings = [
      {
        type: 'sheet.others',
        message:
          'The sheet "June" is read. Other sheets that look like a list are not: "July". To read one of them, use ?sheet=NAME.',
        column: '',
      },
    ];
    expect((await post(bytes)).body).toMatchObject({ findings });
    expect((await post(bytes, '?preview=true')).body).toMatchObject({ findings, quoted: 1 });
    for (const query of ['?sheet=June', '?sheet=July&preview=true'])
      expect((await post(bytes, query)).body).toMatchObject({ findings: [] });
  });

  test('has findings about merged cells and hidden rows', async () => {
    const row = [101, '02139', 2, 'LB']
      .map((value, at) => `<c r="${'BCDE'[at]}0" t="str"><v>${value}</v></c>`)
      .join('');
    const sheetData = `${rowOf(...HEADER)}<row>${row}<c r="F2" t="str"><v>C1-GROUND</v></c></row><row hidden="1">${row}</row>`;
    const sheet = `<worksheet><sheetData>${sheetData}</sheetData><mergeCells count="1"><mergeCell ref="F2:F3"/></mergeCells></worksheet>`;
    const bytes = Uint8Array.from(archive(workbookParts({ sheet })));
    const findings = [
      {
        type: 'sheet.merged',
        message:
          'The cells F2:F3 are merged. Only the first row has their value, and the rows below it are read as if the cell were empty. Unmerge the cells, and fill in each row.',
        column: '',
      },
      {
        type: 'sheet.hiddenRows',
        message:
          'A row of the list is hidden in the sheet, and rated like the others. To leave out hidden rows, delete them.',
        column: '',
      },
    ];
    expect((await post(bytes)).body).toMatchObject({ findings });
    expect((await post(bytes, '?preview=true')).body).toMatchObject({ findings, quoted: 2 });
  });

  test('has a finding about a used column whose cells show another number than they have', async () => {
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2.4, 'LB', null, null]], { 3: { numFmt: '0' } });
    const message =
      'The cell D2 has 2.4, but shows 2: the shown number is used. To use the other, format the column as General.';
    const findings = [{ type: 'sheet.shownNumber', message, column: '' }];
    expect((await post(bytes)).body).toMatchObject({ findings });
    expect((await post(bytes, '?preview=true&columns=weight_value:&weight=3')).body).toMatchObject({ findings: [] });
  });

  const withFormula = (place: string, row: string): Uint8Array<ArrayBuffer> => {
    const cells = `${row}<c r="${place}"><f>2*3</f><v></v></c>`;
    const rows = `${rowOf(...HEADER, 'total')}<row r="2">${cells}</row>`;
    return Uint8Array.from(archive(workbookParts({ rows })));
  };
  /** A row without its last two columns. */
  const CELLS = ['A1', '101', '02139', '2', 'LB', 'C1-GROUND']
    .map((value, at) => `<c r="${'ABCDEF'[at]}2" t="str"><v>${value}</v></c>`)
    .join('');

  test('with a formula that has no value in a column that is not used says so in the cell', async () => {
    const bytes = withFormula('H2', CELLS);
    expect((await post(bytes, '?preview=true')).body).toMatchObject({
      quoted: 1,
      unknownColumns: { names: ['order', 'total'] },
    });
    const { status, body } = await post(bytes);
    expect([status, body.fault]).toEqual([202, undefined]);
    await api.ended(body.id);
    expect((await api.file(`/${body.id}/output`)).text).toContain(
      'C1-GROUND,,(formula without a value),1,200,C1-GROUND,',
    );
  });

  test('with a formula that has no value in a column that is used is refused, by an upload and a preview', async () => {
    const bytes = withFormula('G2', CELLS);
    for (const query of ['', '?preview=true', '?preview=report']) {
      const { status, body } = await post(bytes, query);
      expect([status, body.fault.arguments]).toEqual([
        422,
        {
          file: 'has a formula without a value in cell G2 of the sheet "One": open the workbook in Excel and save it',
          sheet: 'is "One", the sheet that is read without a choice',
        },
      ]);
    }
  });

  test('leaves only the list in the store', async () => {
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

  test('from the service can be uploaded again: its output as a list, its faults as corrections', async () => {
    const { body } = await post(
      await workbook([
        HEADER,
        ['=A', 101, '02139', 2, 'LB', '', '2026-03-04'],
        ['C', 101, '00501', '2.5|3', 'LB'],
        ['B', 101, '0213', 2, 'LB'],
      ]),
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
    expect(await api.ended(body.id)).toMatchObject({ revision: 2, rows: { quoted: 2, faulted: 1 } });
  });

  test('with its own summary sheet is read from that sheet, unless the service wrote it before its quotes', async () => {
    const list: Value[][] = [HEADER, ['A', 101, '02139', 2, 'LB']];
    const other = [{ name: 'quotes', rows: [HEADER, ['B', 101, '02139', 2, 'LB']] }];
    expect(await rate(await workbook(list, {}, 'Summary', other))).toMatchObject([{ order: 'A' }]);
    expect(await rate(await workbook(list, {}, 'Summary of quotes'))).toMatchObject([{ order: 'A' }]);
    expect(await rate(await workbook(list, {}, 'Summary of quotes', other))).toMatchObject([{ order: 'B' }]);
    expect(await rate(await workbook(list, {}, 'Summary of quotes', other), '?sheet=1')).toMatchObject([
      { order: 'A' },
    ]);
  });
});

describe('a file that is not a valid workbook', () => {
  const zipped = (parts: readonly Part[]): Uint8Array<ArrayBuffer> => Uint8Array.from(archive(parts));
  const parts = (sheet: string): Part[] => workbookParts({ sheet });
  const refused = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const before = await api.folders();
    const { status, body } = await post(bytes);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(await api.folders()).toEqual(before);
    return body.fault.arguments.file;
  };

  test.each<[string, Part[], RegExp]>([
    ['another archive', [{ name: 'a.xml', content: 'a' }], /^is an archive that contains "a.xml": unpack it/],
    ['damaged XML', parts('<worksheet><sheetData><row><c r="A1"></row>'), /^is damaged: /],
    ['a document type', parts('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'), /declares a document type/],
    [
      'a column beyond the last',
      parts('<worksheet><row><c r="ZZZZ1"><v>1</v></c></row></worksheet>'),
      /outside of the 16384 columns/,
    ],
    [
      'an endless text',
      parts(`<worksheet><row><c r="A1" t="str"><v>${'x'.repeat(6_000_000)}</v></c></row></worksheet>`),
      /a text or tag that is too long/,
    ],
  ])('%s is refused and leaves nothing', async (_what, made, message) => {
    expect(await refused(zipped(made))).toMatch(message);
  });

  /** Adds random text at intervals, so that the compression stays below the allowed ratio. */
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
    ['compressed too well', `<a b="${'c'.repeat(100)}"/>`.repeat(200_000), { inflationRatio: '100 to 1' }],
    ['of empty rows', salted('<row/>', 2_000_000, 150), { workbookRows: '1048576 rows' }],
    [
      'of empty cells',
      `<row>${salted('<c/>', 6_000_000, 400).replaceAll('<s', '</row><row><s')}</row>`,
      { workbookElements: '4000000 without a value' },
    ],
    [
      'of words that are not those of a list',
      salted('<a/>', 6_000_000, 150),
      { workbookElements: '4000000 without a value' },
    ],
    [
      'of long words',
      salted(`<a b="${'c'.repeat(1_000)}"/>`, 80_000, 1),
      { workbookSheet: '67108864 bytes of XML for the values in it' },
    ],
  ])('a bomb %s is refused at little cost', async (_what, xml, args) => {
    const bytes = zipped(parts(`<worksheet><sheetData>${xml}</sheetData></worksheet>`));
    const before = await api.folders();
    for (const query of ['', '?preview=true']) {
      const cost = childrenMs();
      const { status, body } = await post(bytes, query);
      expect([status, body.fault.type, body.fault.arguments]).toEqual([413, 'request.tooLarge', args]);
      if (!('workbookRows' in args))
        expect(body.fault.message).toContain('delete the empty rows and columns of the sheet');
      expect(childrenMs() - cost).toBeLessThan(15_000);
    }
    expect(await api.folders()).toEqual(before);
  });

  test('many formatted empty cells next to real ones are not a bomb', async () => {
    const empty = Array.from({ length: 40 }, (_, at) => `<c r="${String.fromCharCode(65 + (at % 26))}1"/>`).join('');
    const said = (values: (string | number)[]): string =>
      `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;
    const list = [HEADER, ['A', 101, '02139', 2, 'LB']].map(said).join('');
    const sheet = `<worksheet><sheetData>${list}${`<row>${empty}</row>`.repeat(20_000)}</sheetData></worksheet>`;
    expect(await rate(zipped(parts(sheet)))).toMatchObject([{ order: 'A', quote_status: '200' }]);
  });

  test('a truncated archive is refused', async () => {
    const bytes = await workbook([HEADER, ['A', 101, '02139', 2, 'LB']]);
    expect(await refused(bytes.slice(0, bytes.length - 30))).toMatch(/^is a damaged archive: /);
  });

  test('?sheet= is refused for a list that is not a workbook', async () => {
    const { body } = await api.post('a,b\n1,2\n', '?sheet=1', { 'Content-Type': 'text/csv' });
    expect(body.fault.arguments).toEqual({ sheet: 'is only for workbooks' });
  });
});

describe('every call that reads lists', () => {
  const HEADER_ROW = rowOf('warehouse_id', 'postalCode', 'weight_value', 'weight_units');
  const SOUND = '<row><c><v>101</v></c><c s="1"><v>2139</v></c><c><v>2</v></c><c t="str"><v>LB</v></c></row>';
  const book = (made: WorkbookParts): Uint8Array<ArrayBuffer> => Uint8Array.from(archive(workbookParts(made)));

  /** A batch with one row, which has a fault to correct. */
  const faulty = async (): Promise<string> => {
    const id = await api.upload('warehouse_id,postalCode,weight_value,weight_units\n101,0,2,LB\n');
    await api.ended(id);
    return id;
  };
  type ListCall = readonly [name: string, send: (bytes: Uint8Array<ArrayBuffer>) => Promise<Answer>];
  const LIST_CALLS: readonly ListCall[] = [
    ['an upload', (bytes) => post(bytes)],
    ['a preview', (bytes) => post(bytes, '?preview=true')],
    [
      'corrections',
      async (bytes) =>
        api.api.call(`${BATCHES}/${await faulty()}/corrections`, {
          method: 'POST',
          headers: { ...api.bearer(), 'Content-Type': XLSX },
          body: bytes,
        }),
    ],
  ];

  const ATTACKS: readonly (readonly [name: string, made: WorkbookParts, status: number, args: object])[] = [
    [
      '200,000 brackets in a format',
      { rows: HEADER_ROW + SOUND, formats: ['['.repeat(200_000)] },
      422,
      { file: 'has a number format of more than 255 characters' },
    ],
    [
      'two million zeros in a format of 500 rows',
      { rows: HEADER_ROW + SOUND.repeat(500), formats: ['0'.repeat(2_000_000)] },
      422,
      { file: 'has a number format of more than 255 characters' },
    ],
    [
      'a text of 4 MB in 2,900 cells',
      {
        rows: HEADER_ROW + `<row>${'<c t="s"><v>0</v></c>'.repeat(10)}</row>`.repeat(290),
        texts: `<si><t>${'x'.repeat(4_000_000)}</t></si>`,
      },
      422,
      { file: 'has a cell in row 2 with more than 32767 characters, which no workbook allows' },
    ],
    [
      'cells in the last column of 60,000 rows',
      { rows: HEADER_ROW + '<row><c r="XFD1"><v>1</v></c></row>'.repeat(60_000) },
      413,
      { workbookEmptyCells: '4000000 between cells with a value' },
    ],
  ];
  // Every attack on one call, and one attack on each other call.
  const cases = LIST_CALLS.flatMap(([name, send], at) =>
    ATTACKS.slice(0, at === 0 ? undefined : 1).map(([attack, ...of]) => [name, attack, send, ...of] as const),
  );

  test.each(cases)(
    '%s refuses a workbook with %s, and quotes continue',
    async (_call, _attack, send, made, status, args) => {
      let ended = false;
      const refused = send(book(made)).finally(() => {
        ended = true;
      });
      let busiestMs = 0;
      while (!ended) {
        const cost = processorMs();
        expect((await api.api.quote(rateRequest())).status).toBe(200);
        await sleep(20);
        busiestMs = Math.max(busiestMs, processorMs() - cost);
      }
      const { status: answered, body } = await refused;
      expect([answered, body.fault.arguments]).toEqual([status, args]);
      // A blocking reader takes from 5 s to minutes.
      expect(busiestMs).toBeLessThan(1_000);
    },
  );

  test.each(LIST_CALLS)(
    '%s reads a list compressed as .gz or .zip, and a workbook compressed as .gz',
    async (name, send) => {
      const csv = `${name === 'corrections' ? 'input_row,' : ''}warehouse_id,postalCode,weight_value,weight_units\n${
        name === 'corrections' ? '1,' : ''
      }101,02139,2,LB\n`;
      const sheet = csv
        .trim()
        .split('\n')
        .map((line) => rowOf(...line.split(',')))
        .join('');
      const files = [
        gzipSync(csv),
        archive([{ name: 'list.csv', content: Buffer.from(`\ufeff${csv}`, 'utf16le') }]),
        gzipSync(book({ rows: sheet })),
      ];
      for (const file of files) {
        const { status, body } = await send(Uint8Array.from(file));
        expect([name === 'a preview' ? 200 : 202, undefined]).toEqual([status, body.fault]);
      }
    },
  );

  test.each<[string, Buffer, string]>([
    ['.xls', compound('Workbook'), 'is an Excel workbook in the old binary format (.xls): '],
    ['a protected workbook', compound('EncryptedPackage'), 'is password-protected: save it without a password'],
    ['another old Office file', compound('Other'), 'is an Office file in the old binary format, or password-'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'is a PDF: '],
    ['a web page', Buffer.from('\ufeff\n<HTML><table>'), 'is a web page, whatever its name: '],
    ['XML of 2003', Buffer.from('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'), 'is an XML Spread'],
    ['.7z', Buffer.from('377abcaf271c0004', 'hex'), 'is a .7z archive: unpack it'],
    ['gzip of gzip', gzipSync(gzipSync('a,b\n1,2\n')), 'is compressed twice: decompress it once'],
    ['truncated gzip', gzipSync(randomBytes(5_000)).subarray(0, 3_000), 'is damaged: its gzip is broken or truncated'],
    [
      'a zip of a workbook',
      archive([{ name: 'a.xlsx', content: 'x' }]),
      'is an archive that contains "a.xlsx": unpack',
    ],
  ])('names %s in the refusal, on every call', async (_what, bytes, problem) => {
    for (const [, send] of LIST_CALLS) {
      const { status, body } = await send(Uint8Array.from(bytes));
      expect([status, body.fault.type, Object.keys(body.fault.arguments)]).toEqual([
        422,
        'createBatch.invalidFile',
        ['file'],
      ]);
      expect(body.fault.arguments.file).toContain(problem);
    }
  });

  test('names the sheet that was read in a refusal, and how to read another', async () => {
    const more: WorkbookParts['more'] = [
      ['Notes', 'visible', rowOf('x')],
      ['Orders', 'hidden', HEADER_ROW + SOUND],
    ];
    const bytes = book({ rows: rowOf('Summary of June') + rowOf('all is well'), more, formats: ['00000'] });
    for (const [, send] of LIST_CALLS) {
      const { status, body } = await send(bytes);
      expect([status, body.fault.arguments.sheet]).toEqual([
        422,
        'is "One", the sheet that is read without a choice; ?sheet=NAME reads another one: "Notes"',
      ]);
    }
    expect(await rate(bytes, '?sheet=Orders')).toMatchObject([{ postalCode: '02139', quote_status: '200' }]);
  });

  test('a client with four running workbooks is asked to try again, and others are not', async () => {
    const slow = (): { answer: Promise<Answer>; end: () => void } => {
      let end = (): void => undefined;
      // Short pieces are joined, so the reader starts only after more than a few kilobytes.
      const noise = rowOf(randomBytes(6_000).toString('hex'));
      const bytes = Buffer.from(book({ rows: HEADER_ROW + SOUND + noise, formats: ['00000'] }));
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(bytes.subarray(0, -600));
          end = () => {
            controller.enqueue(bytes.subarray(-600));
            controller.close();
          };
        },
      });
      const init = { method: 'POST', headers: { ...api.bearer(), 'Content-Type': XLSX }, body, duplex: 'half' };
      return { answer: api.api.call(`${BATCHES}?preview=true`, init as RequestInit), end: () => end() };
    };
    const uploads = [slow(), slow(), slow(), slow()];
    const bytes = book({ rows: HEADER_ROW + SOUND, formats: ['00000'] });
    const full = await soon(async () => {
      const answer = await post(bytes, '?preview=true');
      expect(answer.status).toBe(429);
      return answer;
    });
    expect(full.body.fault).toMatchObject({ type: 'request.rateLimited', arguments: { limit: 'workbooksAtOnce' } });
    expect(full.headers.get('Retry-After')).toBe('10');
    const other = await api.api.tokenOf('other', 'other-secret');
    const init = { method: 'POST', headers: { Authorization: `Bearer ${other}`, 'Content-Type': XLSX }, body: bytes };
    expect((await api.api.call(`${BATCHES}?preview=true`, init)).status).toBe(200);
    for (const { end } of uploads) end();
    for (const { answer } of uploads) expect((await answer).status).toBe(200);
    expect((await post(bytes, '?preview=true')).status).toBe(200);
  });
});

test.skipIf(!hasLibreOffice)(
  'a workbook from LibreOffice gives the same output as its CSV',
  async () => {
    const sample = (await readFile(join(import.meta.dirname, '../../samples/shipments.csv')))
      .toString()
      .split('\n')
      // LibreOffice reads malformed CSV in its own way.
      .filter((line) => !line.includes('"'))
      .slice(0, 200);
    const csv = Buffer.from(`${sample.join('\n')}\n`);
    // Every column as text (format 2), as a person would import ZIP codes.
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
