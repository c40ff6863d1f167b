/** `rates agreement import`: grids as people keep them, in CSV and in workbooks. */
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { archive, workbookParts } from '../archive.ts';
import { folderForEachTest } from '../folder.ts';
import { ratesHere } from './in-process.ts';

let home = '';
folderForEachTest((made) => (home = made));

const GROUND = `UPS Ground incentives,,
Weight (lbs),Commercial,Residential
1-5,0%,1.5%
6-10,10%,3.5%
11 lbs and up,18.50%,
Off the daily list,,
`;
const NEW = ['--carrier', 'UPS', '--effective', '2026-01-05'];

/** Writes a grid into the home folder, and imports it into `acme-ups` there. */
const imported = async (content: string | Buffer, ...args: string[]) => {
  const file = join(home, 'ground.csv');
  await writeFile(file, content);
  const into = join(home, 'acme-ups');
  const said = await ratesHere(['agreement', 'import', file, '--into', into, '--service', 'UPS-GROUND', ...args]);
  return { ...said, stderr: said.stderr.replaceAll(home, 'HOME') };
};

const written = (name: string): Promise<string> => readFile(join(home, 'acme-ups', name), 'utf8');

const wasWritten = async (): Promise<boolean> => {
  try {
    await access(join(home, 'acme-ups'));
    return true;
  } catch {
    return false;
  }
};

const HEADER = 'discount,better_of,services,zones,from_lb,to_lb,address,applies_to,tier,percent\n';

describe('a grid in a CSV', () => {
  test('begins an agreement, and is shown as it was read', async () => {
    const said = await imported(GROUND, ...NEW, '--discount', 'Incentive');
    expect(said).toEqual({
      code: 0,
      stdout: `Incentive: UPS-GROUND, commercial, percent
lb    all zones
1-5        0.00
6-10      10.00
11+       18.50

Incentive: UPS-GROUND, residential, percent
lb    all zones
1-5        1.50
6-10       3.50

ground.csv A1 is a title or a note: UPS Ground incentives
ground.csv A6 is a title or a note: Off the daily list
`,
      stderr: 'HOME/acme-ups/discounts.csv: 5 lines added\n',
    });
    expect(JSON.parse(await written('agreement.json'))).toMatchObject({
      ...{ name: 'acme-ups', carrier: 'UPS', effective: '2026-01-05' },
    });
    expect(await written('discounts.csv')).toBe(
      `${HEADER}Incentive,,UPS-GROUND,*,1,5,commercial,both,,0.00
Incentive,,UPS-GROUND,*,6,10,commercial,both,,10.00
Incentive,,UPS-GROUND,*,11,,commercial,both,,18.50
Incentive,,UPS-GROUND,*,1,5,residential,both,,1.50
Incentive,,UPS-GROUND,*,6,10,residential,both,,3.50
`,
    );
  });

  test('needs a carrier and a date to begin an agreement', async () => {
    expect(await imported(GROUND)).toMatchObject({
      code: 2,
      stderr: 'HOME/acme-ups has no agreement yet. Add --carrier and --effective to create one.\n',
    });
    expect(await wasWritten()).toBe(false);
  });

  test('adds to an agreement, and replaces the same lines only with --force', async () => {
    const tier = ['--discount', 'Tier', '--tier', '2', '--applies-to', 'packages', '--better-of', 'best'];
    await imported('lb,All zones\n1+,4%\n', ...NEW, '--address', 'commercial');
    expect((await imported('lb,All zones\n1+,2%\n', ...tier)).code).toBe(0);
    const more = 'lb,Zones 2-4,Zone 5\n1-9,5%,6%\n10+,7%,\n';
    expect(await imported(more, '--address', 'commercial')).toMatchObject({
      code: 1,
      stderr:
        'HOME/acme-ups/discounts.csv has row 2 of the same discount, service, address, billing and tier. ' +
        '--force replaces them; another --discount adds to them.\nNothing was written.\n',
    });
    expect(await imported(more, '--address', 'commercial', '--force')).toMatchObject({
      code: 0,
      stderr: 'HOME/acme-ups/discounts.csv: 3 lines added, 1 line replaced\n',
    });
    expect(await written('discounts.csv')).toBe(
      `${HEADER}Tier,best,UPS-GROUND,*,1,,any,packages,2,2.00
Discount,,UPS-GROUND,2-4,1,9,commercial,both,,5.00
Discount,,UPS-GROUND,5,1,9,commercial,both,,6.00
Discount,,UPS-GROUND,2-4,10,,commercial,both,,7.00
`,
    );
  });

  test('a line for several services keeps the others', async () => {
    await imported('lb,All zones\n1+,4%\n', ...NEW, '--service', 'UPS-GROUND,UPS-2DAY');
    await imported('lb,All zones\n1+,5%\n', '--force');
    expect(await written('discounts.csv')).toBe(
      `${HEADER}Discount,,UPS-2DAY,*,1,,any,both,,4.00\nDiscount,,UPS-GROUND,*,1,,any,both,,5.00\n`,
    );
  });

  test('lines that overlap others are refused', async () => {
    await imported('lb,All zones\n1+,4%\n', ...NEW);
    const said = await imported('lb,All zones\n1+,5%\n', '--address', 'residential');
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('discounts.csv row 3: overlaps row 2 of the same discount "Discount"');
    expect(await written('discounts.csv')).not.toContain('5.00');
  });

  test('names every cell that it could not read, and writes nothing', async () => {
    const said = await imported('lb,Zone 2,Zone 3\n1-5,call,$3\n10-Jun,5%,6%\n11+,7%,8%\n', ...NEW);
    expect(said.code).toBe(1);
    expect(said.stderr).toBe(`ground.csv B2: "call" is not a percentage such as 18.5%
ground.csv C2: "$3" is an amount of money; a discount is a percentage
ground.csv A3: "10-Jun" is a date: spreadsheet programs turn 6-10 into a date. Write 6 to 10 instead
HOME/ground.csv: 3 unreadable cells.
Nothing was written.
`);
    expect(await wasWritten()).toBe(false);
  });

  test.each<[string, string | Buffer]>([
    ['semicolons', 'lb;Zone 2;Zone 3\n1+;5%;6%\n'],
    ['tabs, as pasted', 'lb\tZone 2\tZone 3\r\n1+\t5%\t6%\r\n'],
    ['UTF-16, as Excel saves Unicode text', Buffer.from('\uFEFFlb\tZone 2\tZone 3\r\n1+\t5%\t6%\r\n', 'utf16le')],
    ['a byte-order mark and quotes', '\uFEFF"Acme, Inc.\n2026",,\n"lb","Zone 2","Zone 3"\n"1+","5%","6%"\n'],
  ])('may have %s', async (_, content) => {
    expect((await imported(content, ...NEW)).code).toBe(0);
    expect(await written('discounts.csv')).toBe(
      `${HEADER}Discount,,UPS-GROUND,2,1,,any,both,,5.00\nDiscount,,UPS-GROUND,3,1,,any,both,,6.00\n`,
    );
  });

  test.each<[string, string | Buffer, string]>([
    ['a PDF', '%PDF-1.7\n', 'it is a PDF: copy its grid into a spreadsheet'],
    [
      'Windows-1252',
      Buffer.from('lb,Zone 2\n1\u00965,5%\n', 'latin1'),
      'it is not UTF-8: save it as a workbook (XLSX) or as CSV UTF-8',
    ],
    ['another service', 'lb,UPS 2nd Day Air\n1+,5%\n', 'no percentages for these services.'],
    [
      'no grid',
      'hello,world\n',
      'ground.csv has no grid: there is no percentage beside a weight such as 1-5 or a zone',
    ],
  ])('%s is refused', async (_, content, problem) => {
    const said = await imported(content, ...NEW);
    expect(said.stderr).toBe(`HOME/ground.csv: ${problem}\nNothing was written.\n`);
    expect(said.code).toBe(1);
  });
});

/** A cell: a text, or a number with the index of its format. */
const cell = (at: string, value: string | number, format = 0): string =>
  typeof value === 'number'
    ? `<c r="${at}" s="${format}"><v>${value}</v></c>`
    : `<c r="${at}" t="str"><v>${value}</v></c>`;

const SHEET = `<?xml version="1.0" encoding="UTF-8"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1">${cell('A1', 'Incentives')}</row>
<row r="3">${cell('A3', 'Weight')}${cell('B3', 'UPS Ground')}${cell('D3', 'UPS 2nd Day Air')}</row>
<row r="4">${cell('B4', 2)}${cell('C4', 3)}${cell('D4', 'All zones')}</row>
<row r="5">${cell('A5', '1-5')}${cell('B5', 0.185, 1)}${cell('C5', 0.07, 2)}${cell('D5', 30)}</row>
<row r="6">${cell('A6', '6+')}${cell('B6', 0.2, 2)}${cell('D6', '35%')}</row>
</sheetData><mergeCells count="3"><mergeCell ref="A3:A4"/><mergeCell ref="B3:C3"/><mergeCell ref="B6:C6"/></mergeCells></worksheet>`;

const workbook = (sheet = SHEET, more: readonly (readonly [string, string, string])[] = []): Buffer =>
  archive(workbookParts({ sheet, formats: ['0.0%', '0%'], more }));

describe('a grid in a workbook', () => {
  test('has percent formats and merged cells', async () => {
    const said = await imported(workbook(), ...NEW, '--service', 'UPS-GROUND,UPS-2DAY');
    expect(said.stderr).toBe('HOME/acme-ups/discounts.csv: 5 lines added\n');
    expect(await written('discounts.csv')).toBe(
      `${HEADER}Discount,,UPS-GROUND,2,1,5,any,both,,18.50
Discount,,UPS-GROUND,3,1,5,any,both,,7.00
Discount,,UPS-GROUND,2-3,6,,any,both,,20.00
Discount,,UPS-2DAY,*,1,5,any,both,,30.00
Discount,,UPS-2DAY,*,6,,any,both,,35.00
`,
    );
  });

  test('names the hidden rows that it reads', async () => {
    const said = await imported(workbook(SHEET.replace('<row r="6"', '<row r="6" hidden="1"')), ...NEW);
    expect(said.stdout).toContain('One row 6 is hidden, but its percentages count\n');
    expect(said.stdout).not.toContain('One row 5 is hidden');
  });

  test('names cells by sheet and cell', async () => {
    const said = await imported(workbook(SHEET.replace('<v>35%</v>', '<v>tbd</v>')), ...NEW);
    expect(said.code).toBe(0);
    const both = await imported(
      workbook(SHEET.replace('<v>35%</v>', '<v>tbd</v>')),
      ...['--service', 'UPS-GROUND,UPS-2DAY', '--force'],
    );
    expect(both.stderr).toContain('One D6: "tbd" is not a percentage such as 18.5%');
    expect(both.code).toBe(1);
  });

  test('one of several sheets has to be named', async () => {
    const several = workbook(SHEET, [['Notes', 'visible', `<row r="1">${cell('A1', 'hello')}</row>`]]);
    expect((await imported(several, ...NEW)).stderr).toBe(
      'HOME/ground.csv: it has several sheets (One, Notes): name the one with the grid\nNothing was written.\n',
    );
    expect((await imported(several, ...NEW, '--sheet', 'other')).stderr).toBe(
      'HOME/ground.csv: it has no sheet other; its sheets are One, Notes\nNothing was written.\n',
    );
    expect((await imported(several, ...NEW, '--sheet', 'one')).code).toBe(0);
  });
});
