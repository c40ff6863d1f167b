import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type AgreementDocument, agreementFile, NO_TABLES } from '../../../src/catalog/agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { folderForEachTest } from '../../folder.ts';

let root = '';
let dir = '';

folderForEachTest((made) => (root = made));
beforeEach(() => {
  dir = join(root, 'acme');
});

const JSON_FILE = '{"name": "acme-ups", "carrier": "UPS", "effective": "2026-01-05"}';

const files = async (texts: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries({ 'agreement.json': JSON_FILE, ...texts })) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
};

const read = async (texts: Readonly<Record<string, string>>) => {
  await files(texts);
  return await readAgreementFolder(dir);
};

const documentOf = async (texts: Readonly<Record<string, string>>): Promise<AgreementDocument> => {
  const outcome = await read(texts);
  if (!('document' in outcome)) throw new Error(JSON.stringify(outcome.findings));
  return outcome.document;
};

const findingsOf = async (texts: Readonly<Record<string, string>>): Promise<string[]> => {
  const outcome = await read(texts);
  const findings = 'document' in outcome ? [] : outcome.findings;
  return findings.map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
};

const file = agreementFile.parse(JSON.parse(JSON_FILE));

/** Has every member of every line. */
const FULL: AgreementDocument = {
  file,
  tables: {
    discounts: [
      {
        row: 2,
        ...{ discount: 'Ground, commercial', betterOf: 'best', services: ['UPS-GROUND', 'UPS-3DAY'] },
        zones: [
          { from: '2', to: '8' },
          { from: '44', to: '44' },
        ],
        ...{ fromLb: 1, toLb: 5, address: 'commercial', appliesTo: 'packages', tier: '2', percent: '18.50' },
      },
      {
        ...{ row: 3, discount: 'All', services: '*', zones: '*', fromLb: 1, address: 'any', appliesTo: 'both' },
        percent: '5.00',
      },
    ],
    minimums: [
      { row: 2, services: ['UPS-GROUND'], address: 'residential', minimum: 'usd', value: '9.50' },
      { row: 3, services: '*', address: 'any', minimum: 'less percent', value: '25.00', zone: '2', weightLb: 1 },
      { row: 4, services: ['UPS-2DAY'], address: 'any', minimum: 'less usd', value: '1.10' },
    ],
    surcharges: [
      { row: 2, surcharge: 'RESIDENTIAL', services: '*', zones: '*', change: 'percent off', value: '50.00' },
      { row: 3, surcharge: 'DELIVERY_AREA*', services: '*', zones: '*', area: 'remote', change: 'waived', value: '' },
      { row: 4, surcharge: 'FUEL', services: '*', zones: '*', change: 'at most', value: '15.00', isPercent: true },
      { row: 5, surcharge: '*', services: '*', zones: [{ from: '44', to: '46' }], change: 'fixed', value: '3.00' },
    ],
    fuel: [{ row: 2, services: '*', from: '2026-01-05', until: '2026-02-01', percent: '12.25' }],
    tiers: [
      { row: 2, tier: '1', fromUsd: '0.00' },
      { row: 3, tier: '2', fromUsd: '59894.02' },
    ],
    spend: [{ row: 2, weekEnding: '2026-01-03', usd: '61200.10' }],
    rates: { 'UPS-GROUND': { columns: ['2', '3'], cents: [[1_000, null]], centsPerLbAboveTop: [50, 60] } },
    caps: { 'UPS-2DAY': { columns: ['202'], cents: [[2_000], [2_100]] } },
    multiweight: {
      'UPS-GROUND': { columns: ['2'], perHundred: true, breaks: [{ fromLb: 200, centsPerLb: [2_461] }] },
      'UPS-2DAY': { columns: ['202'], breaks: [{ fromLb: 100, centsPerLb: [95] }] },
    },
  },
  amendments: [
    { from: '2026-07-01', file: { ...file, until: '2026-12-31' }, discounts: [] },
    { from: '2026-08-01', rates: { 'UPS-2DAY': { columns: ['202'], cents: [[1_900]] } } },
  ],
};

test('reads what it wrote, and writes it again with the same bytes', async () => {
  await writeAgreementFolder(dir, FULL);
  const outcome = await readAgreementFolder(dir);
  expect(outcome).toEqual({ document: FULL });
  const again = join(root, 'again');
  await writeAgreementFolder(again, FULL);
  const names = (await readdir(dir, { recursive: true })).filter((name) => /\.(?:csv|json)$/.test(name));
  expect(names).toHaveLength(14);
  for (const name of names) expect(await readFile(join(again, name))).toEqual(await readFile(join(dir, name)));
  expect(await readFile(join(dir, 'discounts.csv'), 'utf8')).toBe(
    'discount,better_of,services,zones,from_lb,to_lb,address,applies_to,tier,percent\n' +
      '"Ground, commercial",best,UPS-GROUND|UPS-3DAY,2-8|44,1,5,commercial,packages,2,18.50\n' +
      'All,,*,*,1,,any,both,,5.00\n',
  );
});

test('reads columns in any order, and takes the defaults of absent columns', async () => {
  const { tables } = await documentOf({
    'discounts.csv': '\uFEFFpercent,services,discount\r\n18.5%, UPS-GROUND | UPS-3DAY ,Ground\r\n,,\r\n5 %,*,All\r\n',
    'minimums.csv': 'minimum,value\nless usd,01.00\n',
    'surcharges.csv': 'change,surcharge\nwaived,RESIDENTIAL\n',
    'fuel.csv': 'from,percent\n2026-01-05,7\n',
  });
  const line = { zones: '*', fromLb: 1, address: 'any', appliesTo: 'both' };
  expect(tables).toEqual({
    ...NO_TABLES,
    discounts: [
      { row: 2, discount: 'Ground', services: ['UPS-GROUND', 'UPS-3DAY'], percent: '18.50', ...line },
      { row: 4, discount: 'All', services: '*', percent: '5.00', ...line },
    ],
    minimums: [{ row: 2, services: '*', address: 'any', minimum: 'less usd', value: '1.00' }],
    surcharges: [{ row: 2, surcharge: 'RESIDENTIAL', services: '*', zones: '*', change: 'waived', value: '' }],
    fuel: [{ row: 2, services: '*', from: '2026-01-05', percent: '7.00' }],
  });
});

test('an agreement needs only agreement.json, whatever the folder is called', async () => {
  expect(await documentOf({})).toEqual({ file, tables: NO_TABLES, amendments: [] });
});

test.each([
  [
    'discounts.csv',
    'discount,percent\nA,18.555\n',
    ['discounts.csv row 2 column percent: must be a percentage from 0'],
  ],
  [
    'discounts.csv',
    'discount,percent\nA,100.01\n',
    ['discounts.csv row 2 column percent: must be a percentage from 0'],
  ],
  [
    'surcharges.csv',
    'surcharge,change,value\nFUEL,at most,18.5\n',
    [
      'surcharges.csv row 2 column value: must be dollars with two decimals, such as 12.50, or a percentage with its sign',
    ],
  ],
  ['discounts.csv', 'discount,percent\n,5\n', ['discounts.csv row 2 column discount: is empty, but it is required']],
  ['discounts.csv', 'discount,percent\nA\n', ['discounts.csv row 2: has 1 cells, but the header has 2']],
  [
    'discounts.csv',
    'discount,percents\nA,5\n',
    ['row 1: has the unknown column "percents"', 'row 1: has no column perc'],
  ],
  ['discounts.csv', 'discount,percent,percent\nA,5,5\n', ['discounts.csv row 1: has the column percent twice']],
  ['discounts.csv', 'discount;services;percent\nA;;5\n', ['discounts.csv row 1: must have commas between its cells']],
  ['discounts.csv', 'discount\tpercent\nA\t5\n', ['discounts.csv row 1: must have commas between its cells']],
  ['discounts.csv', 'discount,percent,\nA,5,\n', ['discounts.csv row 1: has the unknown column 3. Known are discount']],
  ['discounts.csv', 'discount,percent\n"A,5\n', ['discounts.csv row 2: is not CSV']],
  ['discounts.csv', '', ['row 1: has no column discount: add it', 'row 1: has no column percent']],
  ['discounts.csv', 'discount,percent,zones\nA,5,\n', ['row 2 column zones: is empty: write * for all']],
  ['discounts.csv', 'discount,percent,zones\nA,5,8-2\n', ['row 2 column zones: must be * or zones and rising']],
  ['discounts.csv', 'discount,percent,zones\nA,5,2|2\n', ['row 2 column zones: has the same entry twice']],
  ['discounts.csv', 'discount,percent,services\nA,5,UPS GROUND\n', ['row 2 column services: must be * or service']],
  ['discounts.csv', 'discount,percent,services\nA,5,*|UPS\n', ['row 2 column services: must be * or service']],
  [
    'discounts.csv',
    'discount,percent,from_lb\nA,5,0\n',
    ['row 2 column from_lb: must be whole pounds from 1 to 10000'],
  ],
  [
    'discounts.csv',
    'discount,percent,to_lb\nA,5,10001\n',
    ['row 2 column to_lb: must be whole pounds from 1 to 10000'],
  ],
  ['discounts.csv', 'discount,percent,from_lb,to_lb\nA,5,6,5\n', ['row 2 column to_lb: must be at least 6']],
  ['discounts.csv', 'discount,percent,address\nA,5,home\n', ['column address: must be one of: any, residential, comm']],
  ['minimums.csv', 'minimum,value\n,9.50\n', ['column minimum: must be one of: usd, less usd, less percent']],
  ['minimums.csv', 'minimum,value\nusd,9.5\n', ['column value: must be dollars with two decimals']],
  ['minimums.csv', 'minimum,value\nusd,$9.50\n', ['column value: must be dollars with two decimals']],
  ['minimums.csv', 'minimum,value,zone\nusd,9.50,2|3\n', ['column zone: must be one zone']],
  ['surcharges.csv', 'surcharge,change,value\nFUEL,percent off,\n', ['column value: must be a percentage']],
  ['surcharges.csv', 'surcharge,change,value\nFUEL,waived,0\n', ['column value: must be empty if the surcharge']],
  ['surcharges.csv', 'surcharge,change,value\nA*B,waived,\n', ['column surcharge: must be a type such as RES']],
  ['fuel.csv', 'from,percent\n2026-02-30,5\n', ['fuel.csv row 2 column from: must be a date, YYYY-MM-DD']],
  ['tiers.csv', 'tier,from_usd\nabcdefghijklmnopqrstu,5.00\n', ['column tier: must have at most 20 characters']],
  ['spend.csv', 'week_ending,usd\n2026-01-03,"1,000.00"\n', ['column usd: must be dollars with two decimals']],
  ['rates/UPS-GROUND.csv', 'weight,2\n1,5.00\n', ['rates/UPS-GROUND.csv row 1: the header must be weight_lb']],
  ['caps/ups.csv', 'weight_lb,2\n1,5.00\n', ['caps/ups.csv: is not named after a service code']],
  ['amendments/2026-07-01/fuel.csv', 'from\n', ['amendments/2026-07-01/fuel.csv row 1: has no column percent']],
  ['amendments/July/fuel.csv', 'from\n', ['amendments/July: is not a folder named after the day']],
  ['agreement.json', '{', ['agreement.json: is not JSON']],
  [
    'agreement.json',
    '{"name": "A", "effective": "2026-01-05"}',
    ['agreement.json name: must be', 'carrier: is required'],
  ],
])('refuses %s with %j', async (name, text, expected) => {
  const findings = await findingsOf({ [name]: text });
  expect(findings).toHaveLength(expected.length);
  for (const [index, part] of expected.entries()) expect(findings[index]).toContain(part);
  for (const finding of findings) expect(finding).toMatch(/^error /);
});

test('reads 5,000 rows, and refuses more', async () => {
  expect((await documentOf({ 'tiers.csv': `tier,from_usd\n${'A,5.00\n'.repeat(5_000)}` })).tables.tiers).toHaveLength(
    5_000,
  );
  expect(await findingsOf({ 'tiers.csv': `tier,from_usd\n${'A,5.00\n'.repeat(5_001)}` })).toEqual([
    'error tiers.csv row 1: is followed by more than 5000 rows',
  ]);
});

test('a file that it does not read is an error with the nearest name, except for documents', async () => {
  expect(
    await findingsOf({
      'discount.csv': 'x',
      'contract.pdf': 'x',
      '.hidden': 'x',
      'rates/sheet.xlsx': 'x',
      'amendments/2026-07-01/Fuel.csv': 'x',
      'amendments/README.md': 'x',
    }),
  ).toEqual(
    [
      'discount.csv: is not read, is it discounts.csv?',
      'rates/sheet.xlsx: is not read.',
      'amendments/2026-07-01/Fuel.csv: is not read, is it fuel.csv?',
    ].map((said) => expect.stringContaining(`error ${said} An agreement has agreement.json, discounts.csv`)),
  );
});

test('a percentage below 1 needs its sign, because a share may be meant', async () => {
  const lines = 'discount,percent\nFlat,0.12\n';
  expect(await findingsOf({ 'discounts.csv': lines })).toEqual([
    'error discounts.csv row 2 column percent: is less than 1: write 12 for 0.12 of the whole, or 0.12% if you mean that',
  ]);
  expect(await findingsOf({ 'discounts.csv': lines.replace('0.12', '0.12%') })).toEqual([]);
});

test('a date that a spreadsheet made from zones is named', async () => {
  expect(await findingsOf({ 'discounts.csv': 'discount,zones,percent\nFlat,2|10-Jun,12\n' })).toEqual([
    'error discounts.csv row 2 column zones: has 10-Jun, a date that a spreadsheet made from a range such as 6-10: format the column as text, and write the range again',
  ]);
});

test('a file that is not JSON has the line of its error', async () => {
  expect(await findingsOf({ 'agreement.json': '{\n  "name": "acme",\n  nope\n}' })).toEqual([
    expect.stringMatching(/^error agreement\.json: is not JSON: line 3, column 3: /),
  ]);
});

test('writing keeps other files in the folder, and removes tables that the agreement no longer has', async () => {
  await files({
    'contract.pdf': 'paper',
    '.git/HEAD': 'main',
    'amendments/2026-07-01/letter.txt': 'letter',
    'amendments/2026-07-01/fuel.csv': 'from,percent\n2026-07-01,5\n',
    'tiers.csv': 'tier,from_usd\n1,0.00\n',
  });
  await writeAgreementFolder(dir, { file, tables: NO_TABLES, amendments: [] });
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(names.map(({ name }) => name).sort()).toEqual(['HEAD', 'agreement.json', 'contract.pdf', 'letter.txt']);
});

test('a folder without agreement.json, a missing folder and a file in place of a folder have findings', async () => {
  expect(await readAgreementFolder(dir)).toEqual({
    findings: [{ severity: 'error', at: 'agreement.json', message: 'is missing' }],
  });
  const [finding] = await findingsOf({ rates: 'x' });
  expect(finding).toContain('error agreement.json: cannot be read: ENOTDIR');
});
