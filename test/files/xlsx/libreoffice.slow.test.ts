/** Lists saved by LibreOffice, in three locales and as UTF-16. Skipped if it is not installed. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import { asUtf8 } from '../../../src/files/csv/encoding.ts';
import { REPAIRS } from '../../../src/lists/rows/repair.ts';
import { folderForFile } from '../../folder.ts';
import { hasLibreOffice } from '../../libre-office.ts';
import { rateList, referenceSchedule } from '../../lists/rows/fixtures.ts';

type Cell = string | number;
/** ZIP codes as text and, without leading zeros, as numbers; weights as numbers; quotes, separators, a line break, kanji. */
const ROWS: readonly (readonly Cell[])[] = [
  ['Order', 'Warehouse', 'Ship To Zip', 'Weight (kg)', 'Street'],
  ['A1', 101, '02139', 2.5, 'Straße 5; "Hof"'],
  ['A2', 101, 2139, 0.75, '東京, 😀'],
  ['A3', 102, 60601, 12, 'two\nlines'],
  ['A4', 103, '90001-1234', 1.25, ''],
];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '</text:p><text:p>');

const cellXml = (cell: Cell): string =>
  typeof cell === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${cell}"/>`
    : `<table:table-cell office:value-type="string"><text:p>${escaped(cell)}</text:p></table:table-cell>`;

const NAMESPACES = ['office', 'table', 'text']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

const spreadsheet = (): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} office:version="1.3" ` +
  'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>' +
  `<table:table table:name="Sheet1">${ROWS.map((row) => `<table:table-row>${row.map(cellXml).join('')}</table:table-row>`).join('')}` +
  '</table:table></office:spreadsheet></office:body></office:document>';

/** A profile that only sets the locale. */
const profileXml = (locale: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">' +
  '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">' +
  `<value>${locale}</value></prop></item></oor:items>`;

let dir: string;
let schedule: Schedule;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  schedule = await referenceSchedule();
  await writeFile(join(dir, 'list.fods'), spreadsheet());
});

/** Saves the list in a locale. @param form code points of separator and quote, then the code of the encoding */
const saved = async (locale: string, form: string): Promise<Buffer> => {
  const profile = join(dir, `profile-${locale}`);
  await mkdir(join(profile, 'user'), { recursive: true });
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), profileXml(locale));
  const output = join(dir, `${locale}-${form}`);
  await promisify(execFile)(
    'soffice',
    [
      `-env:UserInstallation=${pathToFileURL(profile)}`,
      '--headless',
      '--convert-to',
      `csv:Text - txt - csv (StarCalc):${form},1,,0,false,true`,
      '--outdir',
      output,
      join(dir, 'list.fods'),
    ],
    { timeout: 90_000 },
  );
  return await readFile(join(output, 'list.csv'));
};

const UTF_8 = 76;
const UTF_16 = 65535;
const [COMMA, SEMICOLON, TAB] = [44, 59, 9];

describe.skipIf(!hasLibreOffice)('a list that LibreOffice saves', () => {
  test.each([
    ['en-US', COMMA, UTF_8, '2.5'],
    ['de-DE', SEMICOLON, UTF_8, '2,5'],
    ['fr-FR', SEMICOLON, UTF_8, '2,5'],
    ['de-DE', TAB, UTF_16, '2,5'],
  ])(
    'in %s with separator %i and encoding %i goes through',
    async (locale, separator, encoding, weight) => {
      const bytes = await saved(locale, `${separator},34,${encoding}`);
      const pieces: Buffer[] = [];
      for await (const piece of asUtf8(
        (async function* () {
          yield bytes;
        })(),
        undefined,
      ))
        pieces.push(piece);
      const { output } = rateList(Buffer.concat(pieces), schedule, 5_000, 65_536, { repairs: REPAIRS });
      const rows: Record<string, string>[] = parse(output, { columns: true });
      expect(rows.map((row) => [row['Order'], row['quote_status'], row['quote_billingWeight_value']])).toEqual([
        ['A1', '200', '6'],
        ['A2', '200', '2'],
        ['A3', '200', '27'],
        ['A4', '200', '3'],
      ]);
      expect(rows[0]).toMatchObject({ 'Weight (kg)': weight, Street: 'Straße 5; "Hof"' });
      expect(rows[1]).toMatchObject({ Street: '東京, 😀', 'Ship To Zip': '2139' });
      expect(rows[1]?.['quote_repairs']).toContain('postalCode 2139 read as 02139');
      expect(rows[2]?.['Street']).toBe('two\nlines');
    },
    120_000,
  );
});
