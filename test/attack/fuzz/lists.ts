/** Damaged lists: cells, headers, encodings, separators, workbooks and forms. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { fromBufferPromise } from 'yauzl';
import { ENCODINGS } from '../../../src/files/csv/encoding.ts';
import { GOOD_CELLS, HEADER_ROW, packed, partsOf } from '../workbook-bytes.ts';
import type { Fuzzer } from './fuzzer.ts';
import { mutated, mutations } from './mutate.ts';
import type { Input } from './target.ts';

const SHIPMENTS = join(import.meta.dirname, '../../../samples/shipments.csv');

/** Cells that are difficult for some field, as UTF-8. */
const CELLS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '-0',
    '1e309',
    '1e-400',
    'NaN',
    'Infinity',
    '0x10',
    '٣',
    '１２',
    '9'.repeat(400),
    '1,5',
    '1.5.5',
    '.5',
    '5.',
  ],
  ...['2.5|3|10', '|', '1||2', Array(120).fill('1').join('|'), '101|103', 'any', 'ANY', '101|', '00101', '4294967397'],
  ...['2139', '02139', '021390000', '02139-0001', '٠٢١٣٩', '0213\u00a09', "'02139", ' 02139 ', '96799', 'K1A 0B1'],
  ...[
    'LB',
    'kg',
    'OZ',
    'lbs',
    'LB|KG',
    'pound',
    'C1-GROUND',
    'c1-ground',
    'NOPE',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    'true',
    'TRUE',
    'yes',
    'maybe',
    'US',
    'usa',
    'Germany',
    'Y',
    'Commercial',
    'Standard',
    'inches',
    'XX',
    'Deutschland',
    '2026-06-01',
    '2026-02-30',
    '20260601',
    '0000-00-00',
    '9999-12-31',
  ],
  ...[
    '=1+1',
    '+1',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '＝1',
    "'=1",
    '"',
    '""',
    '"a""b"',
    'a"b',
    '"a\nb"',
    '"a,b;c|d\te"',
    '"unclosed',
  ],
  ...[
    '\0',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u202e',
    '𝒳',
    'é'.normalize('NFD'),
    'x'.repeat(40),
    'x'.repeat(70_000),
    '"'.repeat(5_001),
  ],
];
const NAMES = [
  ...[
    'warehouse',
    'zip',
    'Weight (kg)',
    'Weight (lb)',
    'Length (in)',
    'Length',
    'quantity',
    'Boxes',
    'Pounds',
    'Weight Unit',
    'Country Name',
    'Residential?',
    'Service',
    'Ship To Zip',
    'packages',
    'Ounces',
    'input_row',
    'fault_type',
  ],
  ...[
    'quote_status',
    'net_C1-GROUND',
    'cheapest',
    'postal code',
    'POSTALCODE',
    '',
    ' ',
    '__proto__',
    'constructor',
    'a\nb',
    'sep=;',
    '=x',
  ],
];
const BYTES = [
  '\0',
  '\xff',
  '\xfe',
  '\xed\xa0\x80',
  '\xc0\xaf',
  '\xf4\x90\x80\x80',
  '\xef\xbb\xbf',
  '"',
  '\r',
  '\n',
  '\r\n',
  ',',
  ';',
  '\t',
  '|',
];

const quoted = (cell: string): string =>
  /[",\n\r;\t|]/.test(cell) && !cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell;

interface ListCase {
  readonly from: number;
  readonly rows: number;
  readonly cells: readonly { readonly row: number; readonly column: number; readonly cell: string }[];
  readonly names: readonly { readonly column: number; readonly name: string }[];
  readonly delimiter: string;
  readonly lineBreak: string;
  readonly lastBreak: boolean;
}

const nat = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });

const listCase: fc.Arbitrary<ListCase> = fc.record({
  from: nat(900),
  rows: fc.oneof(nat(30), nat(300)),
  cells: fc.array(fc.record({ row: nat(300), column: nat(16), cell: fc.constantFrom(...CELLS) }), { maxLength: 12 }),
  names: fc.array(fc.record({ column: nat(16), name: fc.constantFrom(...NAMES) }), { maxLength: 1 }),
  delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
  lineBreak: fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n'),
  lastBreak: fc.boolean(),
});

const listOf = (
  sample: readonly string[],
  { from, rows, cells, names, delimiter, lineBreak, lastBreak }: ListCase,
): string => {
  const [header = '', ...body] = sample;
  const grid = [header, ...body.slice(from, from + rows)].map((row) => row.split(','));
  for (const { column, name } of names) grid[0]?.splice(column, 1, quoted(name));
  for (const { row, column, cell } of cells) grid[1 + (row % Math.max(1, rows))]?.splice(column, 1, quoted(cell));
  return grid.map((row) => row.join(delimiter)).join(lineBreak) + (lastBreak ? lineBreak : '');
};

const encoded = (text: string, encoding: string): Buffer => {
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'utf-16le') return utf16;
  if (encoding === 'utf-16be') return utf16.swap16();
  return Buffer.from(text, encoding === 'windows-1252' ? 'latin1' : 'utf8');
};

const options: fc.Arbitrary<Record<string, string>> = fc
  .record(
    {
      encoding: fc.constantFrom(...ENCODINGS),
      delimiter: fc.constantFrom(',', ';', 'tab', '|'),
      repair: fc.constantFrom('zip', 'weight', 'all'),
      units: fc.constantFrom('KG', 'LB', 'OZ', 'G'),
      dimension_units: fc.constantFrom('IN', 'CM'),
      service_map: fc.constantFrom('Standard:C1-GROUND,yes:', 'NOPE:C1-EXPRESS', 'a\\,b:C2-GROUND'),
      warehouse_id: fc.constantFrom('101', '104', '999'),
      shippingService: fc.constantFrom('C1-GROUND', 'NOPE'),
      residential: fc.constantFrom('true', 'false'),
      columns: fc.constantFrom(
        'weight_value:customer_reference',
        'postalCode:',
        'addressLine:order\\,number',
        'shipDate:shipDate,shipDate:x',
      ),
    },
    { requiredKeys: [] },
  )
  .map((said) => Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)));

const sampleLines = async (): Promise<readonly string[]> => (await readFile(SHIPMENTS, 'utf8')).trimEnd().split('\n');

const csv: Fuzzer = {
  name: 'fuzz-csv',
  tries: 'Lists with odd cells, names, encodings and broken bytes: batch, pieces and preview must agree.',
  target: 'csv',
  runs: 3_000,
  inputs: async () => {
    const sample = await sampleLines();
    return fc
      .record({
        list: listCase,
        encoding: fc.constantFrom('utf-8', 'utf-8', 'utf-8', ...ENCODINGS),
        broken: fc.oneof(fc.constant([]), mutations(BYTES, 4)),
        options: fc.oneof(fc.constant({}), options),
        pieceBytes: fc.constantFrom(1, 7, 64, 1_000, 65_536),
        chunkRows: fc.constantFrom(1, 2, 10, 5_000),
      })
      .map(({ list, encoding, broken, ...said }): Input => {
        const bytes = mutated(encoded(listOf(sample, list), encoding), broken);
        // A long list byte by byte only takes time.
        return {
          bytes,
          said: { ...said, pieceBytes: bytes.length > 20_000 ? Math.max(64, said.pieceBytes) : said.pieceBytes },
        };
      });
  },
};

const PARTS = [
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/worksheets/sheet1.xml',
  'xl/styles.xml',
  'xl/sharedStrings.xml',
  '[Content_Types].xml',
] as const;

const XML_TOKENS = [
  ...[
    '<',
    '>',
    '&',
    '&amp;',
    '&#0;',
    '&#x110000;',
    '&lol;',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '<!--',
    ']]>',
    '<![CDATA[',
    '\0',
    '\xff',
    '<?xml ',
  ],
  ...[
    '<row>',
    '</row>',
    '<row r="1048577">',
    '<row r="0">',
    '<c t="s"/>',
    '<c t="s"><v>99999</v></c>',
    '<c t="s"><v>-1</v></c>',
  ],
  ...[
    '<c t="b"><v>2</v></c>',
    '<c t="e"><v>#REF!</v></c>',
    '<c t="str"><f>1+1</f><v>x</v></c>',
    '<c r="XFD1"><v>1</v></c>',
    '<c r="XFE1"><v>1</v></c>',
  ],
  ...[
    '<c r="A0"><v>1</v></c>',
    '<c r="a1"><v>1</v></c>',
    '<c s="99999"><v>1</v></c>',
    '<c s="-1"><v>1e400</v></c>',
    '<c t="d"><v>2026-13-41</v></c>',
  ],
  ...[
    '<v>1e309</v>',
    '<v>NaN</v>',
    '<v> 5 </v>',
    '<v>0x10</v>',
    '<si/>',
    '<si><t>x</t></si>',
    '<si><r><t>a</t></r><rPh><t>b</t></rPh></si>',
  ],
  ...[
    '_x000D_',
    '_x0000_',
    '_xD800_',
    'formatCode="',
    `formatCode="${'0'.repeat(300)}"`,
    'formatCode="[$-409]00000"',
    'numFmtId="14"',
    'numFmtId="1e9"',
  ],
  ...[
    'date1904="1"',
    '<sheet name="x" sheetId="2" r:id="rId9"/>',
    'Target="/xl/worksheets/sheet1.xml"',
    'Target="../../../etc/passwd"',
    'Target="http://x/"',
  ],
  ...[
    'state="hidden"',
    'xmlns:r="x"',
    'xml:space="preserve"',
    'mc:Ignorable="x"',
    '<row>'.repeat(200),
    '<c>'.repeat(5_000),
    '<x>'.repeat(5_000),
  ],
];

/** The parts of a workbook written by a library. */
const writtenParts = async (): Promise<Map<string, string | Buffer>> => {
  const rows = (await sampleLines()).slice(0, 40).map((row) => row.split(','));
  const bytes = Buffer.from(
    await writeXlsx({
      sheets: [
        { name: 'list', rows },
        { name: 'second', rows },
      ],
    }),
  );
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const parts = new Map<string, string | Buffer>();
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece);
    parts.set(entry.fileName, Buffer.concat(pieces));
  }
  return parts;
};

const OWN_FORMATS = [
  '00000',
  '00000\\-0000',
  'm/d/yy',
  'yyyy-mm-dd hh:mm',
  '#,##0.00',
  '[Red]0;[Blue]-0',
  '"text"0',
  '@',
  'General',
];
const OWN_PARTS = partsOf({
  formats: OWN_FORMATS,
  sharedTexts: ['warehouse_id', 'x', '', 'é', 'A & B', '=1+1'],
  rows: `${HEADER_ROW}${OWN_FORMATS.map((_, at) => `<row>${GOOD_CELLS}<c s="${at + 1}"><v>45000.25</v></c><c t="s"><v>${at % 6}</v></c></row>`).join('')}`,
});

const workbook: Fuzzer = {
  name: 'fuzz-workbook',
  tries: 'Workbooks whose parts, or whose archive, were changed.',
  target: 'workbook',
  runs: 2_000,
  inputs: async () => {
    const samples = [OWN_PARTS, await writtenParts()];
    const change = fc.record({
      part: fc.constantFrom(...PARTS),
      how: fc.oneof(
        { weight: 6, arbitrary: mutations(XML_TOKENS, 5) },
        fc.constantFrom('missing' as const, 'empty' as const, 'twice' as const),
      ),
    });
    return fc
      .record({
        sample: fc.constantFrom(...samples),
        changes: fc.array(change, { maxLength: 3 }),
        archive: fc.oneof(
          fc.constant([]),
          fc.constant([]),
          mutations(['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', '\xff\xff\xff\xff', '\0\0\0\0', '../'], 3),
        ),
      })
      .map(({ sample, changes, archive }): Input => {
        const parts = new Map(sample);
        for (const { part, how } of changes) {
          const before = parts.get(part);
          if (before === undefined) continue;
          if (how === 'missing') parts.delete(part);
          else if (how === 'empty') parts.set(part, '');
          else if (how === 'twice') parts.set(part, Buffer.concat([Buffer.from(before), Buffer.from(before)]));
          else parts.set(part, mutated(Buffer.from(before), how));
        }
        return { bytes: mutated(packed(parts), archive) };
      });
  },
};

const BOUNDARIES = [
  ...Array<string>(12).fill('x'),
  '----a',
  "'()+_,-./:=? ",
  'x'.repeat(70),
  'x'.repeat(300),
  '',
  '--',
  '"x"',
  'x;y',
  '\xff',
];
const PART_HEADERS = [
  ...[
    'Content-Disposition: form-data; name="file"; filename="a.csv"',
    'Content-Disposition: form-data; name="file"',
    'content-disposition:form-data;name=file',
  ],
  ...[
    'Content-Disposition: form-data; name="other"',
    'Content-Disposition: attachment',
    'Content-Disposition:',
    'X: y',
    'X',
    '',
  ],
  ...[
    `Content-Disposition: form-data; name="file"; filename="${'x'.repeat(5_000)}"`,
    'Content-Disposition: form-data; name="file"; filename*=utf-8\'\'%ff%00',
  ],
  ...[
    'Content-Disposition: form-data; name="file"; filename="../../x\\"\u0001"',
    'Content-Type: text/csv',
    'Content-Type: multipart/mixed; boundary=y',
  ],
  ...[
    'Content-Transfer-Encoding: base64',
    'X: '.padEnd(20_000, 'y'),
    ' folded: line',
    'Content-Disposition: form-data; name="__proto__"',
  ],
];
const LIST = 'warehouse_id,postalCode,weight_value,weight_units\n101,02139,2,LB\n';

const multipart: Fuzzer = {
  name: 'fuzz-multipart',
  tries: 'Forms with odd boundaries, part headers, nesting and ends, and gzip that is broken, over a real connection.',
  target: 'multipart',
  runs: 1_500,
  inputs: async () => {
    const odd = fc.array(fc.constantFrom(...PART_HEADERS), { minLength: 1, maxLength: 4 });
    const part = fc.record({
      headers: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...PART_HEADERS.slice(0, 4).map((header) => [header])) },
        odd,
      ),
      content: fc.constantFrom(LIST, '', '\r\n', '--x', '\r\n--x', LIST.repeat(2_000), '--y\r\n\r\n--y--', '\0'),
    });
    return fc
      .record({
        boundary: fc.constantFrom(...BOUNDARIES),
        said: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, fc.constantFrom(...BOUNDARIES)),
        parts: fc.array(part, { maxLength: 6 }),
        lineBreak: fc.constantFrom(...Array<string>(6).fill('\r\n'), '\n'),
        closed: fc.constantFrom('--', '--', '--', '', '-'),
        broken: fc.oneof(
          { weight: 4, arbitrary: fc.constant([]) },
          mutations(['--x', '\r\n', '\r\n\r\n', '--', ...BYTES], 3),
        ),
        zipped: fc.constantFrom('no', 'no', 'no', 'no', 'no', 'no', 'gzip', 'claimed', 'twice'),
        pieceBytes: fc.constantFrom(1, 13, 500, 65_536),
        hangsUp: fc.constantFrom(false, false, false, true),
      })
      .map(({ boundary, said, parts, lineBreak, closed, broken, zipped, pieceBytes, hangsUp }): Input => {
        const blocks = parts.map(
          ({ headers, content }) =>
            `--${boundary}${lineBreak}${headers.join(lineBreak)}${lineBreak}${lineBreak}${content}${lineBreak}`,
        );
        const plain = mutated(
          Buffer.from(`${blocks.join('')}--${boundary}${closed}`, 'latin1'),
          zipped === 'gzip' ? [] : broken,
        );
        const bytes =
          zipped === 'gzip' ? mutated(gzipSync(plain), broken) : zipped === 'twice' ? gzipSync(gzipSync(plain)) : plain;
        const headers = [
          `Content-Type: multipart/form-data; boundary=${said ?? boundary}`,
          ...(zipped === 'no' ? [] : ['Content-Encoding: gzip']),
        ];
        return {
          bytes,
          said: { headers, hangsUp, pieceBytes: bytes.length > 5_000 ? Math.max(500, pieceBytes) : pieceBytes },
        };
      });
  },
};

export const LIST_FUZZERS: readonly Fuzzer[] = [csv, workbook, multipart];
