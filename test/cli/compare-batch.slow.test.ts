/** `rates compare --batch` against a running service. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { comparisonSummarySchema } from '../../src/lists/comparison/summary.ts';
import { folderForFile } from '../folder.ts';
import type { BatchApi } from '../http/batch-api.ts';
import { batchApiForFile } from '../http/batch-suite.ts';
import { ratesHere } from './in-process.ts';
import { ROOT } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');
const SPECS = ['--against', 'all to Ground: service=C1-GROUND', '--against', 'discounts=C1-GROUND 35; divisor=166'];

let api: BatchApi;
batchApiForFile(
  (started) => {
    api = started.api;
  },
  { worker: true },
);

let dir: string;
let batch: string;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  batch = await api.upload(await readFile(SAMPLE), '?filename=shipments.csv');
  await api.ended(batch);
});

const remote = (...args: string[]) => ratesHere(['compare', ...args, '--server', api.api.url]);

test('gives the rows and the numbers of the list compared here', async () => {
  const [here, there] = [join(dir, 'here.csv'), join(dir, 'there.csv')];
  const local = await ratesHere(['compare', SAMPLE, ...SPECS, '-o', here, '--json']);
  const answer = await remote('--batch', batch, ...SPECS, '-o', there, '--json');
  expect([answer.code, local.code]).toEqual([4, 4]);
  const own = comparisonSummarySchema.parse(JSON.parse(local.stdout));
  expect(comparisonSummarySchema.parse(JSON.parse(answer.stdout))).toEqual(own);
  expect(await readFile(there, 'utf8')).toBe(await readFile(here, 'utf8'));
  const [first] = own.scenarios;
  expect(answer.stderr).toContain(`all to Ground: $${first?.total.toLocaleString('en-US')} instead of $`);
});

test('a comparison is fetched again with --watch, as a workbook and as JSON too', async () => {
  const { stdout } = await remote('--batch', batch, ...SPECS, '--json');
  const { id } = JSON.parse(stdout);
  expect(id).toMatch(/^c/);
  const [sheet, rows] = [join(dir, 'rows.xlsx'), join(dir, 'rows.json')];
  const again = await remote('--watch', id, '--json', '-o', sheet);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout));
  expect((await readFile(sheet)).subarray(0, 2).toString()).toBe('PK');
  await remote('--watch', id, '-o', rows);
  expect(JSON.parse(await readFile(rows, 'utf8'))).toHaveLength(1_000);
});

test('compares month against month by a key', async () => {
  const head = 'order,warehouse_id,postalCode,weight_value,weight_units,shippingService';
  const month = async (name: string, rows: readonly string[]): Promise<string> => {
    const id = await api.upload([head, ...rows, ''].join('\n'), `?filename=${name}`);
    await api.ended(id);
    return id;
  };
  const row = (order: string, pounds: number): string => `${order},101,60601,${pounds},LB,C1-GROUND`;
  const may = await month('may.csv', [row('A', 1), row('B', 5), row('C', 9), row('D', 2), row('D', 3)]);
  const june = await month('june.csv', [row('B', 50), row('A', 1), row('E', 4), row('', 4)]);
  const { code, stdout, stderr } = await remote('--batch', may, '--with', june, '--key', 'order', '--json');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^june\.csv: \$[\d.]+ instead of \$[\d.]+, \$[\d.]+ more \([\d.]+%\) on 2 shipments in both lists\.\n {2}Not compared: 1 only in the batch, 1 only in june\.csv, 2 with a key that repeats, 1 without a key$/m,
    ),
  ]);
  expect(JSON.parse(stdout).join).toMatchObject({
    gone: { shipments: 1 },
    new: { shipments: 1 },
    duplicates: { base: 2, with: 0 },
    withoutKey: { base: 0, with: 1 },
  });
  const wrong = await remote('--batch', may, '--with', june, '--key', 'customer', '--json');
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('must be a column of both lists; they share order'),
  ]);
});

test('refuses what the service does not know, in the words of the command', async () => {
  const refused = async (args: readonly string[], ...parts: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await remote(...args);
    expect([code === 1 || code === 2, stdout]).toEqual([true, '']);
    for (const part of parts) expect(stderr).toContain(part);
  };
  await refused(
    ['--batch', batch, '--against', 'service=C1-GROUND', '--against', 'tariff=ups', '--json'],
    '--against 2, tariff',
    'there is no tariff ups',
  );
  await refused(['--batch', 'b000', '--against', 'service=C1-GROUND', '--json'], 'b000');
  await refused(
    ['--batch', batch, '--against', 'agreement=./drafts', '--json'],
    '--against 1, agreement must be a name, not the folder ./drafts: publish it first, or compare a list',
  );
  await refused(['--watch', 'c000', '--json'], 'c000');
});

test('refuses options that do not go together', async () => {
  const file = join(dir, 'one.json');
  await writeFile(file, '[{"service":"C1-GROUND"}]');
  const usage = async (args: readonly string[], message: string): Promise<void> => {
    const { code, stderr } = await ratesHere(['compare', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  };
  await usage(['--scenarios', file, '--json'], 'Name one thing to compare: a list, --batch ID');
  await usage([SAMPLE, '--batch', batch, '--scenarios', file, '--json'], 'Name one thing to compare');
  await usage(['--batch', batch, '--units', 'LB', '--json'], 'do not work with --batch and --watch');
  await usage(['--batch', batch, '--jobs', '2', '--json'], 'do not work with --batch and --watch');
  await usage(['--watch', 'c1', '--scenarios', file, '--json'], 'Leave out --against, --scenarios and --with.');
  await usage(['--batch', batch, '--with', 'b1', '--json'], '--with ID and --key COLUMN go together');
  await usage(['--batch', batch, '--with', 'b1', '--key', 'k', '--scenarios', file, '--json'], '--with compares two');
  await usage([SAMPLE, '--scenarios', file, '--json', '--server', api.api.url], 'A list is compared here');
});
