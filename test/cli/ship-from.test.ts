/** `rates quote` and `rates run` from the cheapest of several warehouses. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

let dir: string;
folderForFile((made) => (dir = made));

test('a quote from any warehouse names the cheapest, and has the price from each', async () => {
  const { code, stdout } = await ratesHere(['quote', '--warehouse', 'any', '--zip', '90210', '--weight', '5']);
  expect(code).toBe(0);
  expect(stdout).toContain('C1-GROUND by C1 from warehouse 103\n');
  expect(stdout).toContain(
    'From each warehouse\n  101  C1-GROUND  17.18\n  102  C1-GROUND  16.36\n  103  C1-GROUND  11.43  chosen\n',
  );
  expect(stdout).toContain('All services from 103, cheapest first\n');
});

test('a list without the column is rated from any, or from several', async () => {
  const [list, output] = [join(dir, 'list.csv'), join(dir, 'out.csv')];
  await writeFile(list, 'postalCode,weight_value,weight_units\n02139,5,LB\n90210,5,LB\n');
  const cells = async (...options: string[]): Promise<string[]> => {
    const { code } = await ratesHere(['run', list, '-o', output, ...options]);
    expect(code).toBe(0);
    const [names = [], ...rows]: string[][] = parse(await readFile(output));
    return [names, ...rows].map((row) => row.filter((_, at) => /^(?:ship|net)_from/.test(names[at] ?? '')).join());
  };
  expect(await cells('--warehouse', 'any')).toEqual([
    'ship_from,net_from_101,net_from_102,net_from_103',
    '101,13.07,14.72,17.18',
    '103,17.18,16.36,11.43',
  ]);
  expect(await cells('--warehouse', '103|102')).toEqual([
    'ship_from,net_from_102,net_from_103',
    '102,14.72,17.18',
    '103,16.36,11.43',
  ]);
  expect(await cells('--warehouse', '101')).toEqual(['', '', '']);
});

test('wrong warehouses are a usage error that says what is allowed', async () => {
  const { code, stderr } = await ratesHere(['run', 'list.csv', '-o', '-', '--warehouse', '101|']);
  expect(code).toBe(2);
  expect(stderr).toContain('It must be a warehouse id (a whole number of at most 10 digits), any, or several such as');
});
