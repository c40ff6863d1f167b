import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rates } from './rates.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'list-input-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const HEADER = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'];
const workbook = async (): Promise<Buffer> => {
  const columns = HEADER.map((_, at) => (at === 1 ? { style: { numFmt: '00000' } } : {}));
  const sheets = [
    { name: 'first', columns, rows: [HEADER, [101, 2139, 2, 'LB']] },
    { name: 'second', columns, rows: [HEADER, [101, 90210, 2, 'LB']] },
  ];
  return Buffer.from(await writeXlsx({ sheets }));
};
const rowsOf = (stdout: Buffer): Record<string, string>[] => parse(stdout, { columns: true });

describe('rates run', () => {
  test('takes a workbook, from a file and from a pipe, and a sheet by name', async () => {
    const path = join(dir, 'list.xlsx');
    await writeFile(path, await workbook());
    const file = await rates(['run', path, '-o', '-']);
    expect([file.code, rowsOf(file.stdout)]).toMatchObject([0, [{ postalCode: '02139', quote_status: '200' }]]);
    const piped = await rates(['run', '-', '-o', '-', '--sheet', 'second'], { input: await workbook() });
    expect([piped.code, rowsOf(piped.stdout)]).toMatchObject([0, [{ postalCode: '90210', quote_status: '200' }]]);
    const none = await rates(['run', path, '-o', '-', '--sheet', 'third']);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('has no sheet "third"; it has "first", "second"'),
    ]);
  });

  test('adds all services and explanations where they are asked for', async () => {
    const input = `${HEADER.join()}\n101,02139,2,LB\n`;
    const { stdout } = await rates(['run', '-', '-o', '-', '--all-services', '--explain'], { input });
    const [row] = rowsOf(stdout);
    expect(row).toMatchObject({ cheapest: 'C1-GROUND', explain_weight: '2 LB actual (actual 2 LB rounded up)' });
    expect(row?.['net_C1-GROUND']).toBe(row?.['quote_totalNetCharge']);
  });
});
