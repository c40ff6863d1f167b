import { cp, mkdir, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkTariff } from '../../../src/catalog/tariff/check/check.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { readTariffFolder, writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { folderForEachTest } from '../../folder.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

let root = '';
let dir = '';

folderForEachTest((made) => (root = made));
beforeEach(() => {
  dir = join(root, 'small');
});

const full: TariffDocument = smallTariff({
  service: {
    zones: { chart: 'small', column: 'ground' },
    multiweight: {},
    cubic: { maximumActualLb: 20, maximumLengthIn: 18 },
  },
  document: {
    rates: {
      GROUND: {
        ...TEN_POUNDS,
        cents: TEN_POUNDS.cents.with(9, [1_900, null]),
        centsPerLbAboveTop: [200, null],
        ounces: [
          { upToOz: 8, cents: [700, 800] },
          { upToOz: 15.999, cents: [900, 1_000] },
        ],
      },
    },
    multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 100, centsPerLb: [50] }] } },
    cubic: {
      GROUND: {
        columns: ['2'],
        tiers: [
          { hundredths: 10, cents: [850] },
          { hundredths: 100, cents: [1_950] },
        ],
      },
    },
    charts: {
      small: {
        columns: ['ground'],
        rows: [
          { origin: '070-076', destination: '900-999', zones: ['8'] },
          { origin: '070-076', destination: '02139', zones: [''] },
        ],
      },
    },
    areas: { rural: { rows: [{ zip: '99501', tier: 'remote, far' }] } },
  },
});

const texts = async (): Promise<Record<string, string>> => {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(dir.length + 1), await readFile(file, 'utf8')])),
  );
};

const findingsOf = async () => {
  const read = await readTariffFolder(dir);
  return 'findings' in read ? read.findings.map(({ at, message }) => `${at}: ${message}`) : [];
};

const change = async (file: string, edit: (text: string) => string) =>
  writeFile(join(dir, file), edit(await readFile(join(dir, file), 'utf8')));

test('writes a tariff as CSV, sorted, with LF line ends', async () => {
  await writeTariffFolder(dir, full);
  const { 'tariff.json': json, 'rates/GROUND.csv': rates, ...rest } = await texts();
  expect(rest).toEqual({
    'multiweight/GROUND.csv': 'from_lb,2\n100,0.50\n',
    'cubic/GROUND.csv': 'up_to_cubic_ft,2\n0.10,8.50\n1.00,19.50\n',
    'zones/small.csv': 'origin,destination,ground\n070-076,02139,\n070-076,900-999,8\n',
    'areas/rural.csv': 'zip,tier\n99501,"remote, far"\n',
  });
  expect(rates?.split('\n').slice(0, 4)).toEqual([
    'weight_lb,2,8',
    '8 oz,7.00,8.00',
    '15.999 oz,9.00,10.00',
    '1,10.00,20.00',
  ]);
  expect(rates?.split('\n').slice(-4)).toEqual(['9,18.00,36.00', '10,19.00,', 'per_lb,2.00,', '']);
  expect(JSON.parse(json ?? '')).toMatchObject({ name: 'small', effective: '2026-01-01' });
  expect(json?.endsWith('}\n')).toBe(true);
});

test('reads back what it wrote, and writes the same bytes again', async () => {
  await writeTariffFolder(dir, full);
  const before = await texts();
  const read = await readTariffFolder(dir);
  if (!('document' in read)) throw new Error(JSON.stringify(read.findings));
  expect(read.document.rates).toEqual(full.rates);
  expect(read.document.cubic).toEqual(full.cubic);
  await writeTariffFolder(dir, read.document);
  expect(await texts()).toEqual(before);
  expect(await readdir(root)).toEqual(['small']);
});

test('reads files with a byte-order mark and CRLF, as spreadsheets save them', async () => {
  await writeTariffFolder(dir, full);
  await change('zones/small.csv', (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`);
  await change('tariff.json', (text) => `\uFEFF${text}`);
  expect(await findingsOf()).toEqual([]);
});

test('reads the old tariff after a writer was killed between its two renames', async () => {
  await writeTariffFolder(dir, full);
  await rename(dir, join(root, '.small.old'));
  expect(await readTariffFolder(dir)).toHaveProperty('document');
  await writeTariffFolder(dir, smallTariff());
  expect(await readdir(root)).toEqual(['small']);
  expect(await readTariffFolder(dir)).toMatchObject({ document: { charts: {} } });
});

test('reads a folder written before there were cubic prices', async () => {
  await writeTariffFolder(dir, full);
  await rm(join(dir, 'cubic'), { recursive: true });
  expect(await readTariffFolder(dir)).toMatchObject({ document: { cubic: {} } });
});

test('removes the half-written folder of a killed writer after ten minutes', async () => {
  await mkdir(join(root, '.small.new-older'));
  await mkdir(join(root, '.small.new-fresh'));
  await utimes(join(root, '.small.new-older'), new Date(), new Date(Date.now() - 3_600_000));
  await writeTariffFolder(dir, full);
  expect((await readdir(root)).sort()).toEqual(['.small.new-fresh', 'small']);
});

test('says what is wrong in transit.csv', async () => {
  await writeTariffFolder(dir, {
    ...full,
    transit: [{ service: 'GROUND', origin: '070', destination: '021', days: 2 }],
  });
  expect(await findingsOf()).toEqual([]);
  const rows = [
    'GROUND,070,zone 5,3',
    'GROUND,70,zone 9,0',
    'GROUND,076-070,021,100',
    'GROUND,070,zone 5,4',
    'GROUND,070',
  ];
  await change('transit.csv', (text) => `${text}${rows.join('\n')}\n`);
  expect(await findingsOf()).toEqual([
    'transit.csv row 7: has 2 cells, but the header has 4',
    'transit.csv row 4 column origin: must be a ZIP3, a ZIP5 or a range of either',
    'transit.csv row 4 column destination: must be a ZIP3, a ZIP5 or a range of either, or a zone such as zone 5',
    'transit.csv row 4 column days: must be a whole number from 1 to 30',
    'transit.csv row 5 column origin: the range ends before it begins',
    'transit.csv row 5 column days: must be a whole number from 1 to 30',
    'transit.csv row 6: has the lane of an earlier row',
    'transit.csv row 7 column destination: must be a ZIP3, a ZIP5 or a range of either, or a zone such as zone 5',
    'transit.csv row 7 column days: must be a whole number from 1 to 30',
  ]);
});

test('keeps the old folder, and nothing else, if a document cannot be written', async () => {
  await writeTariffFolder(dir, full);
  const broken = { ...full, rates: { 'no/such/place': TEN_POUNDS } };
  await expect(writeTariffFolder(dir, broken)).rejects.toThrow('ENOENT');
  expect(await readdir(root)).toEqual(['small']);
  expect(await findingsOf()).toEqual([]);
});

test.each([
  [
    'rates/GROUND.csv',
    '\n3,12.00',
    '\n3,12.0',
    'rates/GROUND.csv row 6 column 2: must be dollars with two decimals, such as 12.50',
  ],
  [
    'rates/GROUND.csv',
    '\n3,12.00',
    '\n3,$12.00',
    'rates/GROUND.csv row 6 column 2: must be dollars with two decimals, such as 12.50',
  ],
  [
    'rates/GROUND.csv',
    '\n3,',
    '\n4,',
    'rates/GROUND.csv row 6 column weight_lb: must be 3: weights rise by whole pounds from 1 without a gap',
  ],
  ['rates/GROUND.csv', '\n3,', '\nper_lb,', 'rates/GROUND.csv row 7 column weight_lb: the row per_lb must be the last'],
  ['rates/GROUND.csv', ',24.00\n', '\n', 'rates/GROUND.csv row 6: has 2 cells, but the header has 3'],
  [
    'rates/GROUND.csv',
    'weight_lb,2,8',
    'weight,2,8',
    'rates/GROUND.csv row 1: the header must be weight_lb and then the columns',
  ],
  ['rates/GROUND.csv', 'weight_lb,2,8', 'weight_lb,2,2', 'rates/GROUND.csv row 1 column 2: this column occurs twice'],
  ['rates/GROUND.csv', '\n3,12.00', '\n3,"12.00', 'rates/GROUND.csv row 6: is not CSV: Quote Not Closed'],
  ...['16 oz', '0 oz', '8.1234 oz', '7 oz', '15.999oz'].map((weight): [string, string, string, string] => [
    'rates/GROUND.csv',
    '15.999 oz',
    weight,
    'rates/GROUND.csv row 3 column weight_lb: must be ounces below 16, such as 8 oz or 15.999 oz, rising from row to row',
  ]),
  [
    'rates/GROUND.csv',
    '\n2,',
    '\n9 oz,',
    'rates/GROUND.csv row 5 column weight_lb: rows of ounces must be before the row for 1 pound',
  ],
  ...['1', '0.05', '0.100'].map((feet): [string, string, string, string] => [
    'cubic/GROUND.csv',
    '1.00',
    feet,
    'cubic/GROUND.csv row 3 column up_to_cubic_ft: must be cubic feet with two decimals, such as 0.10, rising from row to row',
  ]),
  [
    'multiweight/GROUND.csv',
    '100,',
    '100.5,',
    'multiweight/GROUND.csv row 2 column from_lb: must be whole pounds, rising from row to row',
  ],
  [
    'zones/small.csv',
    '02139',
    '2139',
    'zones/small.csv row 2 column destination: must be a ZIP3, a ZIP5 or a range of either',
  ],
  [
    'zones/small.csv',
    '900-999',
    '999-900',
    'zones/small.csv row 3 column destination: the range ends before it begins',
  ],
  [
    'areas/rural.csv',
    '"remote, far"',
    '',
    'areas/rural.csv row 2 column tier: must be 1 to 40 printable ASCII characters',
  ],
  [
    'tariff.json',
    '"effective": "2026-01-01"',
    '"effective": "2026-02-30"',
    'tariff.json effective: must be a date, YYYY-MM-DD',
  ],
  [
    'tariff.json',
    '"code": "GROUND"',
    '"code": "GROUND-LONG"',
    'tariff.json services[0].code: must be at most 10 upper-case letters, digits and hyphens',
  ],
  ['tariff.json', '"carrier"', '"carier"', 'tariff.json services[0].carrier: is required'],
])('finds in %s the place where %j became %j', async (file, from, to, finding) => {
  await writeTariffFolder(dir, full);
  await change(file, (text) => text.replace(from, to));
  const [first = ''] = await findingsOf();
  expect(first).toContain(finding);
});

test('returns findings for a missing folder, a file that is not UTF-8, a file that is too large and broken JSON', async () => {
  expect(await findingsOf()).toEqual(['tariff.json: is missing']);
  await writeTariffFolder(dir, full);
  await writeFile(join(dir, 'zones/small.csv'), Buffer.from([0x6f, 0xff, 0xfe]));
  expect(await findingsOf()).toEqual(['zones/small.csv: is not UTF-8']);
  await truncate(join(dir, 'zones/small.csv'), 33 * 1024 * 1024);
  expect(await findingsOf()).toEqual(['zones/small.csv: is larger than 33554432 bytes']);
  await writeFile(join(dir, 'zones/small.csv'), 'origin,destination,ground\n070,021,2\n');
  await writeFile(join(dir, 'tariff.json'), '{"name": ');
  expect((await findingsOf())[0]).toContain('tariff.json: is not JSON');
});

test('limits the findings of one file', async () => {
  await writeTariffFolder(dir, full);
  await writeFile(join(dir, 'areas/rural.csv'), `zip,tier\n${'x,y\n'.repeat(1_000)}`);
  const findings = await findingsOf();
  expect(findings).toHaveLength(51);
  expect(findings.at(-1)).toBe('areas/rural.csv: and 950 more problems');
});

test('the reference tariff has no findings, and is written again with the same bytes', async () => {
  const reference = 'samples/tariffs/reference';
  const read = await readTariffFolder(reference);
  if (!('document' in read)) throw new Error(JSON.stringify(read.findings));
  expect(checkTariff(read.document)).toEqual([]);
  await mkdir(dir);
  await cp(reference, dir, { recursive: true });
  const before = await texts();
  await writeTariffFolder(dir, read.document);
  expect(await texts()).toEqual(before);
});
