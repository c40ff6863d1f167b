/**
 * A made-up card like those of the postal service, written down as plain CSV files: ounces below a pound, cubic prices,
 * and a dimensional weight that counts above one cubic foot alone. It is imported, checked and priced by hand.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { ratesHere } from '../cli/in-process.ts';
import { folderForFile } from '../folder.ts';
import { type Asked, priced, priceOf } from '../rating/priced.ts';

let dir: string;
let into: string;
let document: TariffDocument;
let printed: string;

const run = async (...args: string[]): Promise<{ code: number; text: string }> => {
  const env = { CLIENTS_FILE: join(dir, 'none.json') };
  const { code, stdout, stderr } = await ratesHere(['tariff', ...args], { env });
  return { code, text: stdout + stderr };
};

const money = (cents: number): string => (cents / 100).toFixed(2);

/** From 1 lb up: 6.90 and 0.70 for each further pound to zone 2, 8.00 and 1.90 to zone 5. */
const RATES = [
  'weight_lb,2,5',
  '4 oz,4.10,4.60',
  '8 oz,4.90,5.40',
  '12 oz,5.60,6.20',
  '15.999 oz,6.40,7.30',
  ...Array.from({ length: 70 }, (_, more) => `${more + 1},${money(690 + 70 * more)},${money(800 + 190 * more)}`),
];
const VOLUME = [
  'up_to_cubic_ft,maximum_lb,maximum_length_in,2,5',
  '0.10,20,18,6.50,7.40',
  '0.20,20,18,7.10,8.30',
  '0.30,20,18,7.70,9.20',
  '0.40,20,18,8.30,10.10',
  '0.50,20,18,8.90,11.00',
];
const ZONES = ['carrier,origin,destination,zone', 'POST,070-079,000-199,2', 'POST,070-079,200-999,5'];

/** What the files do not say. */
const DECISIONS = {
  dimensionalFactor: 166,
  dimensionalOverCubicIn: 1_728,
  sideRounding: 'none',
  maximumActualLb: 70,
  maximumLengthPlusGirthIn: 130,
  hasNo: ['fuel', 'residential', 'deliveryArea', 'handling'],
};

folderForFile((made) => (dir = made));
beforeAll(async () => {
  into = join(dir, 'post');
  const files = {
    'POST-GA.csv': RATES,
    'volume.csv': VOLUME.map((line, at) => `${at === 0 ? 'service' : 'POST-GA'},${line}`),
  };
  const paths = Object.entries({ ...files, 'zones.csv': ZONES }).map(async ([name, lines]) => {
    await writeFile(join(dir, name), `${lines.join('\n')}\n`);
    return join(dir, name);
  });
  const effective = ['--into', into, '--effective', '2026-01-01'];
  printed = (await run('import', ...(await Promise.all(paths)), ...effective)).text;
  const file = JSON.parse(await readFile(join(into, 'tariff.json'), 'utf8'));
  file.services[0] = { ...file.services[0], ...DECISIONS };
  await writeFile(join(into, 'tariff.json'), JSON.stringify(file));
  // Another import keeps the decisions.
  await run('import', join(dir, 'POST-GA.csv'), ...effective);
  const read = await readTariffFolder(into);
  if (!('document' in read)) throw new Error(`${printed}\n${JSON.stringify(read.findings)}`);
  ({ document } = read);
});

test('the import says what it took', () => {
  expect(printed).toContain('POST-GA: from 4 oz; 1-70 lb; zones 2, 5');
  expect(printed).toContain('POST-GA: by volume up to 0.50 cubic feet; zones 2, 5');
});

test('the tariff has the rows of ounces, the cubic prices and their terms', async () => {
  expect((await readFile(join(into, 'rates/POST-GA.csv'), 'utf8')).split('\n').slice(0, 6)).toEqual([
    'weight_lb,2,5',
    '4 oz,4.10,4.60',
    '8 oz,4.90,5.40',
    '12 oz,5.60,6.20',
    '15.999 oz,6.40,7.30',
    '1,6.90,8.00',
  ]);
  expect(await readFile(join(into, 'cubic/POST-GA.csv'), 'utf8')).toBe(
    'up_to_cubic_ft,2,5\n0.10,6.50,7.40\n0.20,7.10,8.30\n0.30,7.70,9.20\n0.40,8.30,10.10\n0.50,8.90,11.00\n',
  );
  expect(document.file.services).toMatchObject([
    { code: 'POST-GA', ...DECISIONS, cubic: { maximumActualLb: 20, maximumLengthIn: 18 } },
  ]);
});

test('the check finds nothing in it', async () => {
  const { code, text } = await run('check', into);
  expect(code).toBe(0);
  expect(text).toContain(': 0 errors, 0 warnings');
});

const one = (lb: number, inches?: readonly number[]): Asked => ({
  to: '60601',
  packages: [inches === undefined ? { lb } : { lb, inches }],
});

describe('to zone 5', () => {
  test.each<[string, Asked, number, number]>([
    // 0.25 lb are 4 oz, 0.26 lb are 4.16 oz, and 0.9999 lb are 15.9984 oz.
    ['4 oz', one(0.25), 460, 1],
    ['one over 4 oz', one(0.26), 540, 1],
    ['just below a pound', one(0.9999), 730, 1],
    ['a pound', one(1), 800, 1],
    ['one over a pound', one(1.01), 990, 2],
    // 6 × 6 × 6 = 216 cubic inches = 0.125 cubic feet: the tier of 0.20. By weight 8.00 + 4 × 1.90 = 15.60.
    ['5 lb in 0.125 cubic feet', one(5, [6, 6, 6]), 830, 5],
    // 5.40 by ounces, 8.30 by volume.
    ['8 oz in 0.125 cubic feet', one(0.5, [6, 6, 6]), 540, 1],
    // 12 × 12 × 6 = 864 = 0.50 cubic feet: 11.00. By weight 1 lb is 8.00 and 5 lb are 15.60.
    ['a pound in half a cubic foot', one(1, [12, 12, 6]), 800, 1],
    ['5 lb in half a cubic foot', one(5, [12, 12, 6]), 1_100, 5],
    // 12 × 12 × 6.1 = 878.4 = 0.508 cubic feet: over the largest tier.
    ['5 lb in more than half a cubic foot', one(5, [12, 12, 6.1]), 1_560, 5],
    // 18 × 4 × 4 = 288 = 0.167 cubic feet: 8.30. By weight 8.00 + 5 × 1.90 = 17.50.
    ['6 lb that are 18 inches long', one(6, [18, 4, 4]), 830, 6],
    ['6 lb that are longer', one(6, [18.1, 4, 4]), 1_750, 6],
    // 8.00 + 19 × 1.90 = 44.10, and 8.00 + 20 × 1.90 = 46.00.
    ['20 lb in 0.5 cubic feet', one(20, [12, 12, 6]), 1_100, 20],
    ['one over 20 lb', one(20.01, [12, 12, 6]), 4_600, 21],
    // 12 × 12 × 12 = 1,728: its dimensional weight does not count.
    ['a pound in a cubic foot', one(1, [12, 12, 12]), 800, 1],
    // 12 × 12 × 12.1 = 1,742.4, / 166 = 10.5: 11 lb. 8.00 + 10 × 1.90 = 27.00.
    ['a pound in more than a cubic foot', one(1, [12.1, 12, 12]), 2_700, 11],
    ['8 oz in more than a cubic foot', one(0.5, [12.1, 12, 12]), 2_700, 11],
  ])('%s', (_name, asked, cents, pounds) => {
    const { netCents, billingWeightLb } = priceOf(document, asked);
    expect([netCents, billingWeightLb]).toEqual([cents, pounds]);
  });
});

test('to zone 2, two packages cost what they cost one by one', () => {
  // 4 oz are 4.10. 5 lb in 0.125 cubic feet are 7.10 by volume, 6.90 + 4 × 0.70 = 9.70 by weight.
  const { netCents, billingWeightLb } = priceOf(document, { packages: [{ lb: 0.25 }, { lb: 5, inches: [6, 6, 6] }] });
  expect([netCents, billingWeightLb]).toEqual([410 + 710, 6]);
});

test('a package over 130 inches in length plus girth is not taken', () => {
  // 100 + 2 × (8 + 7) = 130.
  expect(priceOf(document, one(1, [100, 8, 7])).baseCents).toBeGreaterThan(0);
  expect(priced(document, one(1, [100.1, 8, 7]))).toMatchObject({ type: 'getRates.sizeNotServed' });
});
