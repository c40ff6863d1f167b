/** `rates tariff import` of folders. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

const HEADER = 'weight_lb,2,3,4,5,6,7,8';
const GRID = [HEADER, ...[1, 2].map((lb) => `${lb},10.00,11.00,12.00,13.00,14.00,15.00,16.00`)].join('\n');

let dir = '';
folderForFile((made) => (dir = made));

const imported = (from: string) =>
  ratesHere(['tariff', 'import', join(dir, from), '--into', join(dir, 'tariff'), '--effective', '2031-06-02']);

test('a folder stands for the files in it and in its folders, without hidden ones', async () => {
  for (const folder of ['files/rates', 'files/.old']) await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, 'files/fuel.csv'), 'carrier,services,effective,percent\nUPS,ground,2031-06-02,20.00\n');
  await writeFile(join(dir, 'files/rates/UPS-GROUND.csv'), GRID);
  // Neither could be read.
  for (const hidden of ['files/.DS_Store', 'files/.old/notes.txt']) await writeFile(join(dir, hidden), 'x');
  const { stdout, stderr } = await imported('files');
  expect(stderr).not.toContain('is of no known kind');
  expect(stdout).toContain('UPS-GROUND.csv');
  expect(stdout).toContain('fuel.csv');
  expect(stdout).not.toContain('notes.txt');
});

test('a file of a folder that cannot be a carrier’s file is named and not read', async () => {
  await mkdir(join(dir, 'noted'));
  await writeFile(join(dir, 'noted/UPS-GROUND.CSV'), GRID);
  await writeFile(join(dir, 'noted/README.md'), 'Rates of 2031');
  const why = 'it does not end in .pdf, .xlsx, .xls, .csv, or .txt';
  const note = `${join(dir, 'noted/README.md')} is not read, because ${why}.\n`;
  const { stdout, stderr } = await imported('noted');
  expect([stdout, stderr]).toEqual([expect.stringContaining('UPS-GROUND.CSV'), expect.stringContaining(note)]);
  const named = await imported('noted/README.md');
  expect(named.stderr).toContain('README.md: it is of no known kind');
});

test('a folder without files is an error that names it', async () => {
  await mkdir(join(dir, 'empty/.hidden'), { recursive: true });
  const { code, stderr } = await imported('empty');
  expect([code, stderr]).toEqual([1, `${join(dir, 'empty')} is a folder without files.\n`]);
});
