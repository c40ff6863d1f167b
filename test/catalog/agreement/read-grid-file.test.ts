/** The limits of a CSV with a grid, which hold before its cells are parsed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csvRecords, readRates } from '../../../src/catalog/tariff/tables.ts';
import { readGridSheet } from '../../../src/import/agreement/import-grid.ts';
import { folderForFile } from '../../folder.ts';

let dir: string;
folderForFile((made) => (dir = made));

const read = async (text: string) => {
  const path = join(dir, 'grid.csv');
  await writeFile(path, text);
  return await readGridSheet(path, undefined);
};

test('a grid has 2,000 rows, and empty ones count', async () => {
  expect((await read('1,1%\n'.repeat(2_000))).rows).toHaveLength(2_000);
  await expect(read('1,1%\n'.repeat(2_001))).rejects.toThrow('it has more than 2000 rows');
  await expect(read('\n'.repeat(100_000))).rejects.toThrow('it has more than 2000 rows');
  // The error in a later row is not reached.
  await expect(read(`${'1,1%\n'.repeat(2_001)}"a" b"`)).rejects.toThrow('it has more than 2000 rows');
});

test('a grid has 20,000 cells and 128 KB', async () => {
  expect((await read(','.repeat(19_999))).rows).toHaveLength(1);
  await expect(read(','.repeat(20_000))).rejects.toThrow('it has more than 20000 cells');
  await expect(read('x'.repeat(131_073))).rejects.toThrow('it is larger than 131072 bytes');
});

test('rows over the limit of a file are not parsed', () => {
  const message = 'is followed by more than 2 rows';
  expect(csvRecords('tiers.csv', 'a\n1\n2\n', 2)).toEqual([['a'], ['1'], ['2']]);
  expect(csvRecords('tiers.csv', 'a\n1\n2\n3\n"broken', 2)).toEqual({
    severity: 'error',
    at: 'tiers.csv row 1',
    message,
  });
});

test('a table of rates has at most 2,000 rows', () => {
  const read = readRates('UPS-GROUND.csv', `weight_lb,2\n${'1,5.00\n'.repeat(2_001)}"broken`);
  expect(read).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ message: 'is followed by more than 2000 rows' })]),
  });
});
