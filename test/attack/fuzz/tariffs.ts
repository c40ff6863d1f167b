/** Damaged tariff files: our folders and CSVs, carriers' PDFs and workbooks. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import type { Fuzzer } from './fuzzer.ts';
import { mutated, mutations } from './mutate.ts';
import type { Input } from './target.ts';
import { sampleTariffs } from './tariff-samples.ts';

const CARRIERS = join(import.meta.dirname, '../../../../shared/carrier-files');

const TOKENS = [
  ...[
    ',',
    ';',
    '\t',
    '"',
    '\n',
    '\r\n',
    '\0',
    '\xff',
    '\xef\xbb\xbf',
    '-',
    '1',
    '0',
    '99999',
    '1e9',
    '-1.00',
    '1.5',
    '0.00',
    '999999.99',
    '1,234.50',
  ],
  ...[
    'per_lb',
    'weight_lb',
    'from_lb',
    'origin',
    'destination',
    'zip',
    'tier',
    'service',
    'zone',
    'carrier',
    '__proto__',
    'constructor',
    '070-076',
    '02139',
  ],
  ...[
    '99999',
    '000',
    '999-000',
    '00501-99999',
    '2026-01-01',
    '9999-12-31',
    'America/Nowhere',
    '"services": [',
    '"rateZones": {"__proto__": 1},',
  ],
  ...[
    '"distanceMiles": [1,1,1]',
    '"distanceMiles": [1e308]',
    '"dearestOf": "x",',
    '"of": ["FUEL"]',
    '"rate": "100.01"',
    '"columns": ["9"],',
    '1,2,3\n'.repeat(200),
  ],
];

const folders: Fuzzer = {
  name: 'fuzz-tariff',
  tries: 'Folders of tariffs with one changed file: each is refused, or quotes and survives writing and reading.',
  target: 'tariff',
  runs: 2_500,
  inputs: async () => {
    const root = await mkdtemp(join(tmpdir(), 'rates-fuzz-'));
    const samples = await sampleTariffs(root);
    await rm(root, { recursive: true });
    return fc
      .record({ sample: fc.constantFrom(...samples), changes: mutations(TOKENS, 3) })
      .map(({ sample, changes }): Input => ({ bytes: mutated(sample.bytes, changes), said: { name: sample.name } }));
  },
};

const OWN = [
  'weight_lb,2,3,4\n1,8.80,9.25,9.70\n2,9.14,9.66,10.18\n3,9.50,10.00,10.60\nper_lb,0.50,0.60,0.70\n',
  'service,zone,weight_lb,rate\nOWN-GROUND,2,1,8.80\nOWN-GROUND,2,2,9.10\nOWN-GROUND,3,1,9.00\nOWN-GROUND,3,2,9.40\n',
  'from_lb,2,3\n100,0.50,0.60\n500,0.40,0.50\n',
  'origin,destination,zone\n070-076,005-099,2\n070-076,100-999,3\n070-076,02139,3\n',
  'zip,tier\n99501,remote\n00501-00544,far\n',
  'zip,tier,carrier\n99501,remote,UPS\n00501,far,OWN\n',
  'charge,services,address,area,zone_from,zone_to,usd\nlarge package,air,residential,,2,4,9.50\ndelivery area,air,,far,,,4\n',
  'carrier,charge,length_over_in,signature,from,until,usd\nOWN,oversize,48,adult,2026-01-01,2026-12-31,5.00\n',
  'carrier,services,effective,percent\nUPS,ground,2026-01-05,21.5\nUPS,air,2026-01-12,22\n',
  'Effective June 2, 2025\nDelivery Area Surcharge ZIP codes: Alaska\n99501\nDelivery Area Surcharge ZIP codes: Hawaii\n96703\n',
  'State/Province,Dest Zip/Postal Code,Service Days,Zone\nNY,10001,1,2\nNY,10002,1,2\nHI,96813,3,9\nPR,00601,3,7\n',
];

const ownCsv: Fuzzer = {
  name: 'fuzz-own-csv',
  tries: 'Changed rate, zone and area CSVs of our own, and changed zone lists of a carrier.',
  target: 'source',
  runs: 3_000,
  inputs: async () =>
    fc
      .record({
        text: fc.constantFrom(...OWN),
        changes: mutations(TOKENS, 4),
        label: fc.constantFrom('OWN-GROUND', 'list', 'x', '__proto__'),
      })
      .map(
        ({ text, changes, label }): Input => ({
          bytes: mutated(Buffer.from(text), changes),
          said: { file: `${label}.csv` },
        }),
      ),
};

interface PdfCase {
  readonly texts: readonly { readonly x: number; readonly y: number; readonly size: number; readonly text: string }[];
  readonly operators: readonly string[];
  readonly packed: boolean;
  readonly objects: readonly { readonly at: number; readonly text: string }[];
}

/** A PDF of one page with these contents. `objects` replace its own objects. */
const pdfOf = ({ texts, operators, packed, objects }: PdfCase): Buffer => {
  const drawn = texts.map(({ x, y, size, text }) => `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`);
  const content = Buffer.from([...drawn, ...operators].join('\n'), 'latin1');
  const stream = (packed ? deflateSync(content) : content).toString('latin1');
  const all = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 5 0 R>>/XObject<</X 4 0 R>>>>/Contents 4 0 R>>',
    `<<${packed ? '/Filter/FlateDecode' : ''}/Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  for (const { at, text } of objects) all[at % all.length] = text;
  let text = '%PDF-1.4\n';
  const offsets = all.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${text}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  );
};

const WORDS = [
  ...[
    'Hello',
    'FedEx Ground',
    'U.S. package rates',
    'FedEx Priority Overnight',
    'Multiweight',
    'Zone',
    '2',
    '3',
    '1 lb',
    '1',
    '5',
    '$12.50',
    '12.50',
    '*',
    'NA',
  ],
  ...[
    'Shipments originating from ZIP Codes 07000-07699',
    'Destination ZIP',
    'ZIPs',
    'Express',
    'Ground',
    '005-098',
    '10001',
    '',
    '\\000',
    '\\',
    '(',
    ')',
  ],
];
const OPERATORS = [
  ...[
    '/X Do',
    'q '.repeat(5_000),
    'BT',
    'ET',
    'BT /F 12 Tf 1e38 0 0 1e-38 0 0 Tm (x) Tj ET',
    'BT /F 0 Tf (x) Tj ET',
    'BT /F 12 Tf (x) Tj ET '.repeat(3_000),
  ],
  ...[
    'BT /F 12 Tf [(a) -1e9 (b) 1e9 (c)] TJ ET',
    'BI /W 99999 /H 99999 ID EI',
    '0 0 0 0 0 0 cm',
    '/None gs',
    'sh',
    'BT /Missing 1 Tf (x) Tj ET',
    '<',
    '[[[[',
    '<<',
  ],
];
const OBJECTS = [
  ...[
    '<</Type/Pages/Kids[2 0 R]/Count 1>>',
    '<</Type/Pages/Kids[3 0 R 3 0 R 3 0 R]/Count 999999999>>',
    '<</Type/Pages/Kids[]/Count -1>>',
    'null',
    '4 0 R',
  ],
  ...[
    '<</Type/Catalog/Pages 1 0 R>>',
    '<</Type/Font/Subtype/Type0/BaseFont/X/DescendantFonts[5 0 R]/ToUnicode 4 0 R>>',
    '<</Length 4 0 R>>\nstream\nx\nendstream',
  ],
  ...[
    '<</Type/Font/Subtype/Type3/CharProcs<</a 4 0 R>>/FontMatrix[1 0 0 1 0 0]/Encoding<</Differences[0/a]>>>>',
    `${'['.repeat(20_000)}`,
    `${'<</A '.repeat(5_000)}`,
  ],
  ...[
    '<</Filter[/FlateDecode/FlateDecode/FlateDecode]/Length 3>>\nstream\nabc\nendstream',
    '<</Filter/JBIG2Decode/Length 3>>\nstream\nabc\nendstream',
  ],
  ...[
    '<</Filter/LZWDecode/DecodeParms<</Predictor 12/Columns 99999999>>/Length 3>>\nstream\nabc\nendstream',
    '(unclosed',
    '<</Type/Encrypt/Filter/Standard/V 5>>',
  ],
];

const ownPdfs = (): fc.Arbitrary<Buffer> =>
  fc
    .record({
      texts: fc.array(
        fc.record({
          x: fc.nat(600),
          y: fc.nat(790),
          size: fc.constantFrom(6, 9, 12, 400),
          text: fc.constantFrom(...WORDS),
        }),
        { maxLength: 60 },
      ),
      operators: fc.array(fc.constantFrom(...OPERATORS), { maxLength: 3 }),
      packed: fc.boolean(),
      objects: fc.array(fc.record({ at: fc.nat(4), text: fc.constantFrom(...OBJECTS) }), { maxLength: 1 }),
    })
    .map(pdfOf);

/** Files below a folder, if the carriers' files are present. */
const genuine = async (folder: string): Promise<readonly Buffer[]> => {
  const path = join(CARRIERS, folder);
  if (!existsSync(path)) return [];
  const names = (await readdir(path)).filter((name) => /\.(?:pdf|xlsx?)$/i.test(name)).slice(0, 3);
  return await Promise.all(names.map((name) => readFile(join(path, name))));
};

const PDF_TOKENS = [
  'obj',
  'endobj',
  'stream',
  'endstream',
  '<<',
  '>>',
  '[',
  ']',
  '/Kids',
  '/Count 1',
  '/Length 0',
  '/Filter/FlateDecode',
  '0 R',
  '1 0 R',
  'trailer',
  'startxref',
  '%%EOF',
  '\0',
  '\xff',
];

const pdf: Fuzzer = {
  name: 'fuzz-pdf',
  tries: "Changed PDFs: handmade ones and, if present, the carriers'.",
  target: 'pdf',
  runs: 250,
  seconds: 30,
  deadlineMs: 30_000,
  // The reader stops at a file that makes the process grow by 1 GiB.
  mostMb: 1_400,
  inputs: async () => {
    const samples = await genuine('fedex-zone-charts');
    const base =
      samples.length === 0
        ? ownPdfs()
        : fc.oneof({ weight: 5, arbitrary: ownPdfs() }, { weight: 1, arbitrary: fc.constantFrom(...samples) });
    return fc
      .record({ base, changes: fc.oneof(fc.constant([]), mutations(PDF_TOKENS, 4)) })
      .map(({ base: bytes, changes }): Input => ({ bytes: mutated(bytes, changes), said: { file: 'rates.pdf' } }));
  },
};

const carrierWorkbook: Fuzzer = {
  name: 'fuzz-carrier-workbook',
  tries: "The carriers' workbooks, if present, with changed bytes.",
  target: 'source',
  runs: 150,
  deadlineMs: 30_000,
  inputs: async () => {
    const samples = await genuine('ups-zone-charts');
    const some = samples.length === 0 ? [Buffer.from('PK\x03\x04', 'latin1')] : samples;
    return fc
      .record({
        bytes: fc.constantFrom(...some),
        changes: mutations(['PK\x03\x04', 'PK\x01\x02', '\xff\xff\xff\xff', '\0\0'], 3),
      })
      .map(({ bytes, changes }): Input => ({ bytes: mutated(bytes, changes), said: { file: 'zones.xlsx' } }));
  },
};

export const TARIFF_FUZZERS: readonly Fuzzer[] = [folders, ownCsv, pdf, carrierWorkbook];
