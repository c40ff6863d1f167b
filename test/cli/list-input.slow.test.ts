import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, test } from 'vitest';
import { archive, compound, rowOf, workbookParts } from '../archive.ts';
import { goodList } from '../attack/parquet-bytes.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';
import { rates } from './rates.ts';

let dir: string;
folderForFile((made) => (dir = made));

const HEADER = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'];
const workbook = async (): Promise<Buffer> => {
  const columns = HEADER.map((_, at) => (at === 1 ? { style: { numFmt: '00000' } } : {}));
  const sheets = [
    { name: 'first', columns, rows: [HEADER, [101, 2139, 2, 'LB']] },
    { name: 'second', columns, rows: [HEADER, [101, 90210, 2, 'LB']] },
  ];
  return Buffer.from(await writeXlsx({ sheets }));
};
const rowsOf = (stdout: string | Buffer): Record<string, string>[] => parse(stdout, { columns: true });

describe('rates run', () => {
  test('takes a workbook, from a file and from a pipe, and a sheet by name', async () => {
    const path = join(dir, 'list.xlsx');
    await writeFile(path, await workbook());
    const file = await ratesHere(['run', path, '-o', '-']);
    expect([file.code, rowsOf(file.stdout)]).toMatchObject([0, [{ postalCode: '02139', quote_status: '200' }]]);
    expect(file.stderr).toContain(
      'Note: The sheet "first" is read. Other sheets that look like a list are not: "second". To read one of them, use --sheet=NAME.',
    );
    const piped = await rates(['run', '-', '-o', '-', '--sheet', 'second'], { input: await workbook() });
    expect([piped.code, rowsOf(piped.stdout)]).toMatchObject([0, [{ postalCode: '90210', quote_status: '200' }]]);
    expect(piped.stderr).not.toContain('Note: ');
    const none = await ratesHere(['run', path, '-o', '-', '--sheet', 'third']);
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('has no sheet "third"; it has "first", "second"'),
    ]);
  });

  test('reads compressed lists, and names the format of other files', async () => {
    const csv = `${HEADER.join()}\n101,02139,2,LB\n`;
    for (const [name, bytes] of [
      ['list.csv.gz', gzipSync(csv)],
      ['list.zip', archive([{ name: 'list.csv', content: csv }])],
    ] as const) {
      await writeFile(join(dir, name), bytes);
      const run = await ratesHere(['run', join(dir, name), '-o', '-']);
      expect([run.code, parse(run.stdout, { columns: true })]).toMatchObject([
        0,
        [{ postalCode: '02139', quote_status: '200' }],
      ]);
    }
    await writeFile(join(dir, 'old.xls'), compound('Workbook'));
    const old = await ratesHere(['run', join(dir, 'old.xls'), '-o', '-']);
    expect([old.code, old.stderr]).toEqual([1, expect.stringContaining('  file: is an Excel workbook in the old')]);
  });

  test('names the sheet of a refused list, and stops at a malicious workbook', async () => {
    const rows = `${rowOf('Summary')}${rowOf('of June')}`;
    await writeFile(join(dir, 'two.xlsx'), archive(workbookParts({ rows, more: [['List', 'visible', rowOf('a')]] })));
    const wrong = await ratesHere(['run', join(dir, 'two.xlsx'), '-o', '-']);
    const note = '  sheet: is "One", the sheet that is read without a choice; --sheet=NAME reads another one: "List"';
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(note)]);
    const made = { rows: '<row><c s="1"><v>1</v></c></row>', formats: ['['.repeat(200_000)] };
    await writeFile(join(dir, 'harm.xlsx'), archive(workbookParts(made)));
    const harm = await ratesHere(['run', join(dir, 'harm.xlsx'), '-o', '-']);
    expect([harm.code, harm.stderr]).toEqual([
      1,
      expect.stringContaining('a number format of more than 255 characters'),
    ]);
  });

  test('takes a Parquet file and writes one, with the rows of the CSV', async () => {
    const list = join(dir, 'list.parquet');
    await writeFile(list, goodList(3));
    const out = join(dir, 'out.parquet');
    expect((await ratesHere(['run', list, '-o', out])).code).toBe(0);
    const again = await ratesHere(['run', out, '-o', '-']);
    expect(rowsOf(again.stdout)).toEqual(rowsOf((await ratesHere(['run', list, '-o', '-'])).stdout));
    const compared = join(dir, 'compared.parquet');
    expect((await ratesHere(['compare', list, '--against', 'service=C1-GROUND', '-o', compared])).code).toBe(0);
    const bytes = await readFile(compared);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file, compressors });
    expect(rows).toMatchObject(Array(3).fill({ postalCode: '02139', service_base: 'C1-GROUND' }));
  });

  test('adds all services and explanations on request', async () => {
    const input = `${HEADER.join()}\n101,02139,2,LB\n`;
    const { stdout } = await ratesHere(['run', '-', '-o', '-', '--all-services', '--explain'], { input });
    const [row] = rowsOf(stdout);
    expect(row).toMatchObject({ cheapest: 'C1-GROUND', explain_weight: '2 LB actual (actual 2 LB rounded up)' });
    expect(row?.['net_C1-GROUND']).toBe(row?.['quote_totalNetCharge']);
  });
});
