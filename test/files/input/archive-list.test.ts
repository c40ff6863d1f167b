import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { archiveList } from '../../../src/files/input/archive-to-csv.ts';
import { SHEET_END_BYTES } from '../../../src/files/input/text-options.ts';
import { OverLimit, UnreadableFile } from '../../../src/files/unreadable-file.ts';
import { archive, type Part, rowOf, type WorkbookParts, workbookParts } from '../../archive.ts';
import { folderForFile } from '../../folder.ts';
import { processorMs } from '../../processor-time.ts';

let dir: string;
folderForFile((made) => (dir = made));

/** The list in an archive: its header, its text and, for a workbook, what follows it. */
const listOf = async (
  parts: readonly Part[],
  sheet?: string,
  headerRow?: number,
): Promise<[said: unknown, text: string, end?: unknown]> => {
  const bytes = archive(parts);
  await writeFile(join(dir, 'list'), bytes);
  const file = await open(join(dir, 'list'));
  try {
    const task = { sheet, headerRow, fileBytes: bytes.length, mostBytes: 64 * 1024 * 1024, mostRowBytes: 1024 * 1024 };
    const pieces: Buffer[] = [];
    for await (const piece of archiveList(task, file.fd)) pieces.push(piece);
    const [said = '', ...lines] = Buffer.concat(pieces).toString().split('\n');
    const text = lines.join('\n');
    const header = JSON.parse(said);
    return header.kind === 'workbook'
      ? [header, text.slice(0, -SHEET_END_BYTES), JSON.parse(text.slice(-SHEET_END_BYTES))]
      : [header, text];
  } finally {
    await file.close();
  }
};
const textOf = async (made: WorkbookParts, sheet?: string): Promise<string> =>
  (await listOf(workbookParts(made), sheet))[1];
const refusalOf = async (parts: readonly Part[], sheet?: string): Promise<unknown> => {
  const refusal = await listOf(parts, sheet).catch((error: unknown) => error);
  if (refusal instanceof OverLimit) return [refusal.limit, refusal.most];
  return refusal instanceof UnreadableFile ? refusal.problem : refusal;
};

test('numbers show the unit and the decimals of their format', async () => {
  const cells = ['35', '2.0004', '2.5', '1250'].map((value, at) => `<c s="${at + 1}"><v>${value}</v></c>`).join('');
  const formats = ['0&quot; oz&quot;', '0.0', '0.0 &quot;kg&quot;', '&quot;$&quot;#,##0.00'];
  expect(await textOf({ rows: `<row>${cells}</row>`, formats })).toBe('35 oz,2.0,2.5 kg,1250.00\n');
});

describe('cells', () => {
  const texts = '<si><t>first</t></si><si><r><t>a</t></r><rPh><t>no</t></rPh><r><t> b</t></r></si><si><t/></si>';

  test('show their shared text, and nothing if they have none', async () => {
    const rows =
      '<row><c t="s"><v>1</v></c><c t="s"/><c t="s"><v></v></c><c t="s"><v>2</v></c><c t="s"><v>0</v></c></row>';
    expect(await textOf({ rows, texts })).toBe('a b,,,,first\n');
  });

  test('that refer to a missing text are reported as damage', async () => {
    for (const place of ['3', '-1', '0.5', 'x'])
      expect(await refusalOf(workbookParts({ rows: `<row r="7"><c t="s"><v>${place}</v></c></row>`, texts }))).toBe(
        'is damaged: row 7 refers to a text that is not there',
      );
  });

  test('of all types become text as shown', async () => {
    const cells = [
      '<c t="inlineStr"><is><t>in</t><rPh><t>no</t></rPh><r><t>line</t></r></is></c>',
      '<c t="str"><f>A1&amp;"x"</f><v>sum_x000D_</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#N/A</v></c>',
      '<c t="d"><v>2026-03-04T00:00:00Z</v></c>',
      '<c t="d"><v>2026-03-04T12:30:00.000</v></c>',
      '<c s="1"><v>46085</v></c>',
      '<c s="2"><v>2139</v></c>',
      '<c><v>2.1000000000000001</v></c>',
    ];
    expect(await textOf({ rows: `<row>${cells.join('')}</row>`, formats: ['m/d/yy', '[$-409]00000'] })).toBe(
      'inline,"sum\r",TRUE,#N/A,2026-03-04,2026-03-04 12:30:00,2026-03-04,02139,2.1\n',
    );
  });

  test('stay in their columns and rows', async () => {
    const rows =
      '<row r="2"><c r="C2"><v>3</v></c><c r="A2"><v>1</v></c></row><row r="3"><c r="B3"/></row><row/><row r="9"><c><v>4</v></c></row>';
    expect(await textOf({ rows })).toBe('\n1,,3\n\n\n\n\n\n\n4\n');
  });
});

describe('a formula', () => {
  const NAMES = rowOf('zip', 'weight', 'packages');
  const formula = (cell: string): WorkbookParts => ({
    rows: `${NAMES}<row r="2"><c r="A2" t="str"><v>02139</v></c><c r="B2"><v>2</v></c>${cell}</row>`,
  });
  const REFUSED = 'has a formula without a value in cell C2 of the sheet "One": open the workbook in Excel and save it';

  test.each([
    '<c r="C2"><f>2*3</f><v></v></c>',
    '<c r="C2"><f>2*3</f><v/></c>',
    '<c r="C2"><f>2*3</f></c>',
    '<c r="C2" s="0" t="n"><f>2*3</f><v></v></c>',
    '<c r="C2"><f t="shared" si="0"/></c>',
    '<c r="C2"><f t="array" ref="C2:C9">A2:A9*3</f><v/></c>',
    '<c r="C2" t="str"><f>"a"</f></c>',
    '<c><f>2*3</f><v></v></c>',
  ])('without a value is named, and its place: %s', async (cell) => {
    const [, text, end] = await listOf(workbookParts(formula(cell)));
    expect(text).toBe('zip,weight,packages\n02139,2,(formula without a value)\n');
    expect(end).toEqual({ merged: '', hidden: 0, unsaved: [[2, 'C2']], rounded: [] });
  });

  test.each([
    ['2.4', '0', 'C2 has 2.4, but shows 2'],
    ['2.4', '0 &quot;lb&quot;', 'C2 has 2.4, but shows 2 lb'],
    ['-3', '0;0', 'C2 has -3, but shows 3'],
    ['2500', '0.0,', 'C2 has 2500, but shows 2.5'],
    ['2.4', '0.00', undefined],
    ['2139', '00000', undefined],
    ['0.30000000000000004', 'General', undefined],
    ['46356', 'yyyy\\-mm\\-dd', undefined],
    ['0.5', '0%', undefined],
  ])('of %s with the format %s is named if it shows another number', async (value, format, rounded) => {
    const row = `<row r="2"><c r="C2" s="1"><v>${value}</v></c></row><row r="3"><c r="C3" s="1"><v>${value}</v></c></row>`;
    const [, , end] = await listOf(workbookParts({ rows: NAMES + row, formats: [format] }));
    expect(end).toMatchObject({ rounded: rounded === undefined ? [] : [[2, rounded]] });
  });

  test('without a value is named once for a column, however many cells it has, and in the first row it is refused', async () => {
    const row = (number: number): string =>
      `<row r="${number}"><c r="A${number}"><v>1</v></c><c r="C${number}"><f>1</f></c><c r="ZZ${number}"><f>1</f></c></row>`;
    const [, , end] = await listOf(workbookParts({ rows: [NAMES, row(2), row(3)].join('') }));
    expect(JSON.stringify(end)).toContain('"unsaved":[[2,"C2"],[701,"ZZ2"]]');
    expect(await refusalOf(workbookParts({ rows: row(2) }))).toBe(REFUSED);
  });

  test('without a value is refused if more than 200 columns have one', async () => {
    const cells = (count: number): string => '<c><f>1</f></c>'.repeat(count);
    const made = (count: number) => workbookParts({ rows: `${NAMES}<row r="2">${cells(count)}</row>` });
    expect((await listOf(made(200)))[2]).toMatchObject({ unsaved: expect.objectContaining({ length: 200 }) });
    expect(await refusalOf(made(201))).toContain('cell GS2 of the sheet "One"');
  });

  test.each([
    ['<c r="C2"><f>2*3</f><v>6</v></c>', ',6'],
    ['<c r="C2"><f t="shared" si="0"/><v>6</v></c>', ',6'],
    ['<c r="C2" t="str"><f>IF(A2="","a","")</f><v></v></c>', ''],
    ['<c r="C2" t="str"><f>IF(A2="","a","")</f><v/></c>', ''],
    ['<c r="C2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', ',#DIV/0!'],
    ['<c r="C2" t="str"><f>""</f><v></v></c><c r="D2" s="0"/>', ''],
    ['<c r="C2" t="str"><f>""</f><v></v></c><c r="D2"><v></v></c>', ''],
  ])('with a value shows it, and may show nothing: %s', async (cell, text) => {
    expect(await textOf(formula(cell))).toBe(`zip,weight,packages\n02139,2${text}\n`);
  });

  test('without a value does not matter above the header or in a sheet that is not read', async () => {
    const cell = '<row r="1"><c r="C1"><f>TODAY()</f><v></v></c></row>';
    const made = { rows: `${cell}<row r="3"><c r="A3" t="str"><v>zip</v></c></row>` };
    expect((await listOf(workbookParts(made), undefined, 3))[1]).toBe('\n\nzip\n');
    expect(await refusalOf(workbookParts(made))).toContain('cell C1 of the sheet "One"');
    const more: WorkbookParts['more'] = [['List', 'visible', NAMES + NAMES]];
    expect(await textOf({ rows: cell, more })).toBe('zip,weight,packages\nzip,weight,packages\n');
  });

  test('without a value counts as a cell of a sheet that looks like a list', async () => {
    const cells = ['A', 'B', 'C'].map((column) => `<c r="${column}2"><f>1</f></c>`).join('');
    const more: WorkbookParts['more'] = [['List', 'visible', `${NAMES}<row r="2">${cells}</row>`]];
    expect(await listOf(workbookParts({ rows: rowOf('Cover'), more }))).toMatchObject([
      { sheet: 'List' },
      'zip,weight,packages\n(formula without a value),(formula without a value),(formula without a value)\n',
      {},
    ]);
  });
});

describe('the workbook', () => {
  const rows = '<row><c s="1"><v>44623</v></c></row>';
  const formats = ['yyyy-mm-dd'];

  test.each<[string, WorkbookParts, string]>([
    ['counts from 1900', {}, '2022-03-03'],
    ['counts from 1904 if it says so', { before: '<workbookPr date1904="1"/>' }, '2026-03-04'],
    [
      'counts from 1904 even if an extension has its own properties',
      {
        before: '<workbookPr date1904="true"/>',
        after:
          '<extLst><ext uri="a"><x14:workbookPr xmlns:x14="x14" defaultImageDpi="32767"/></ext>' +
          '<ext uri="b"><x15:workbookPr xmlns:x15="x15" chartTrackingRefBase="1"/></ext>' +
          '<ext uri="c"><workbookPr xmlns="other"/></ext></extLst>',
      },
      '2026-03-04',
    ],
  ])('%s', async (_what, made, date) => {
    expect(await textOf({ rows, formats, ...made })).toBe(`${date}\n`);
  });

  test('may be in any part, with the other parts next to it', async () => {
    for (const main of ['xl/workbook2.xml', 'book/deep/main.xml', 'workbook.xml'])
      expect(await textOf({ rows: '<row><c t="s"><v>0</v></c></row>', texts: '<si><t>a</t></si>', main })).toBe('a\n');
  });

  test('may name its parts in a different case and by a path through other folders', async () => {
    const parts = workbookParts({ rows: rowOf('a') }).map(({ name, content }) => ({
      name: name === 'xl/worksheets/sheet1.xml' ? 'xl/Worksheets/Sheet1.xml' : name,
      content: String(content).replace('"worksheets/sheet1.xml"', '"../xl/./worksheets/sheet1.xml"'),
    }));
    expect(await listOf(parts)).toEqual([
      { kind: 'workbook', sheet: 'One', others: '', lists: '', sheets: ['One'] },
      'a\n',
      { merged: '', hidden: 0, unsaved: [], rounded: [] },
    ]);
  });

  test('may use a prefix for all its elements', async () => {
    const sheet =
      '<x:worksheet xmlns:x="main"><x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    expect(await textOf({ sheet })).toBe('a\n');
  });
});

describe('the sheet that is read without a choice', () => {
  const COVER = rowOf('Orders of June') + rowOf('Prepared by', 'Ann');
  const WIDE = rowOf('zip', 'weight', 'sku') + rowOf('02139', 2, 'a');
  const hidden = ['Old', 'hidden', WIDE] as const;

  test('is the first visible one that looks like a list', async () => {
    const [said] = await listOf(workbookParts({ rows: COVER, more: [hidden, ['Orders', 'visible', WIDE]] }));
    expect(said).toMatchObject({ sheet: 'Orders', sheets: ['One', 'Orders'] });
    const [first] = await listOf(workbookParts({ rows: WIDE, more: [['Two', 'visible', WIDE]] }));
    expect(first).toMatchObject({ sheet: 'One' });
    const [chosen] = await listOf(workbookParts({ rows: COVER, more: [['Orders', 'visible', WIDE]] }), '1');
    expect(chosen).toMatchObject({ sheet: 'One' });
  });

  test('is the first one if none does, or if it has many rows of two cells', async () => {
    const [none] = await listOf(workbookParts({ rows: COVER, more: [['Notes', 'visible', COVER]] }));
    expect(none).toMatchObject({ sheet: 'One' });
    const narrow = Array.from({ length: 20 }, () => rowOf('02139', 2)).join('');
    const [two] = await listOf(workbookParts({ rows: narrow, more: [['Other', 'visible', WIDE]] }));
    expect(two).toMatchObject({ sheet: 'One' });
  });
});

describe('other sheets that look like a list', () => {
  const COVER = rowOf('Orders of June') + rowOf('Prepared by', 'Ann');
  const WIDE = rowOf('zip', 'weight', 'sku') + rowOf('02139', 2, 'a');
  const more: WorkbookParts['more'] = [
    ['Notes', 'visible', COVER],
    ['June', 'visible', WIDE],
    ['Old', 'hidden', WIDE],
    ['July', 'visible', WIDE],
  ];
  const listsOf = async (made: WorkbookParts, sheet?: string): Promise<unknown> =>
    (await listOf(workbookParts(made), sheet))[0];

  test('are named if the caller chose no sheet', async () => {
    expect(await listsOf({ rows: WIDE, more })).toMatchObject({ sheet: 'One', lists: '"June", "July"' });
    expect(await listsOf({ rows: COVER, more })).toMatchObject({ sheet: 'June', lists: '"July"' });
    expect(await listsOf({ rows: WIDE, more }, '1')).toMatchObject({ sheet: 'One', lists: '' });
    expect(await listsOf({ rows: COVER, more: more.slice(0, 1) })).toMatchObject({ sheet: 'One', lists: '' });
  });

  test('do not include a sheet that cannot be read', async () => {
    const damaged = '<row><c><v>1</v></c></wrong>';
    const endless = `${rowOf('a')}${'<row/>'.repeat(800_000)}${WIDE}`;
    for (const rows of [damaged, endless])
      expect(await listsOf({ rows: WIDE, more: [['Bad', 'visible', rows], ...more] })).toMatchObject({
        sheet: 'One',
        lists: '"June", "July"',
      });
  });
});

describe('merged cells and hidden rows', () => {
  const NAMES = rowOf('zip', 'weight', 'service');
  const sheetOf = (rows: string, ...ranges: string[]): WorkbookParts => ({
    sheet: `<worksheet><sheetData>${rows}</sheetData><mergeCells>${ranges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`,
  });
  const endOf = async (made: WorkbookParts, headerRow?: number): Promise<unknown> =>
    (await listOf(workbookParts(made), undefined, headerRow))[2];
  const ROWS = NAMES + rowOf('02139', 2, 'a').repeat(4);

  test.each<[string, string[], string]>([
    ['the first that span rows below the header', ['C4:C5', 'B2:B3', 'A3:C5'], 'B2:B3'],
    ['not those in one row', ['A2:C2'], ''],
    ['not those of the header', ['A1:A2', 'B1:C1'], ''],
    ['not those below the list', ['A5:A6', 'A7:C9'], ''],
    ['not what is no range', ['', 'A2', 'A2:', 'A2:A3 ', `A2:A${'3'.repeat(50)}`], ''],
  ])('are noted: %s', async (_what, ranges, merged) => {
    expect(await endOf(sheetOf(ROWS, ...ranges))).toEqual({ merged, hidden: 0, unsaved: [], rounded: [] });
  });

  test('are not noted above the header', async () => {
    const made = sheetOf(`<row r="2" hidden="1"><c t="str"><v>June</v></c></row>${ROWS}`, 'A1:B2', 'A2:B3');
    expect(await endOf(made, 3)).toEqual({ merged: '', hidden: 0, unsaved: [], rounded: [] });
    expect(await endOf(made)).toEqual({ merged: '', hidden: 0, unsaved: [], rounded: [] });
    expect(await endOf(made, 1)).toEqual({ merged: 'A2:B3', hidden: 1, unsaved: [], rounded: [] });
  });

  test('are counted if the rows have values', async () => {
    const hidden = ['1', 'true', '0', 'false', '1'].map((is) => `<row hidden="${is}"><c><v>1</v></c></row>`).join('');
    expect(await endOf({ rows: `${NAMES}${hidden}<row hidden="1"/>${rowOf('a')}` })).toEqual({
      merged: '',
      hidden: 3,
      unsaved: [],
      rounded: [],
    });
  });

  test('are bounded', async () => {
    const ranges = Array.from({ length: 5_000 }, (_, at) => `XFD${5_002 - at}:XFD1048576`);
    expect(await endOf(sheetOf(NAMES + rowOf('a').repeat(6_000), ...ranges))).toEqual({
      merged: 'XFD4003:XFD1048576',
      hidden: 0,
      unsaved: [],
      rounded: [],
    });
  });
});

describe('the sheet', () => {
  const more: WorkbookParts['more'] = [
    ['Two', 'visible', rowOf('two')],
    ['Three', 'visible', rowOf('three')],
  ];

  test('is the first visible one, and the others are listed', async () => {
    expect(await listOf(workbookParts({ rows: rowOf('one'), more }))).toEqual([
      { kind: 'workbook', sheet: 'One', others: '"Two", "Three"', lists: '', sheets: ['One', 'Two', 'Three'] },
      'one\n',
      { merged: '', hidden: 0, unsaved: [], rounded: [] },
    ]);
    for (const state of ['hidden', 'veryHidden'])
      expect(await listOf(workbookParts({ rows: rowOf('one'), state, more }))).toEqual([
        { kind: 'workbook', sheet: 'Two', others: '"Three"', lists: '', sheets: ['Two', 'Three'] },
        'two\n',
        { merged: '', hidden: 0, unsaved: [], rounded: [] },
      ]);
  });

  test('may be chosen by name, even if hidden, or by number among the visible ones', async () => {
    const made = { rows: rowOf('one'), state: 'hidden', more };
    expect(await textOf(made, 'One')).toBe('one\n');
    expect(await textOf(made, 'three')).toBe('three\n');
    expect(await textOf(made, '1')).toBe('two\n');
    expect(await refusalOf(workbookParts(made), '4')).toBe('has no sheet "4"; it has "One", "Two", "Three"');
  });
});

describe('a malicious workbook', () => {
  const REFERENCE = '<c t="s"><v>0</v></c>';
  const texts = (characters: number): string => `<si><t>${'x'.repeat(characters)}</t></si>`;

  test('is rejected if a cell shows a text over the limit of a cell', async () => {
    const made = { rows: `<row r="3">${REFERENCE.repeat(2_900)}</row>`, texts: texts(1_000_000) };
    expect(await refusalOf(workbookParts(made))).toBe(
      'has a cell in row 3 with more than 32767 characters, which no workbook allows',
    );
    expect(await textOf({ ...made, rows: rowOf('a') })).toBe('a\n');
    for (const kind of ['str', 'inlineStr'])
      expect(
        await refusalOf(workbookParts({ rows: `<row><c t="${kind}"><v>${'x'.repeat(32_768)}</v></c></row>` })),
      ).toMatch(/^has a cell in row 1 with more than 32767 characters/);
  });

  test('is rejected if a row is over the limit, before the row is built', async () => {
    const made = { rows: `<row>${REFERENCE.repeat(33)}</row>`, texts: texts(32_767) };
    expect(await refusalOf(workbookParts(made))).toEqual(['row', '1048576 bytes, and row 1 is longer']);
  });

  test('is rejected if shared texts make its CSV too large', async () => {
    const made = { rows: `<row>${REFERENCE.repeat(31)}</row>`.repeat(30), texts: texts(32_767) };
    expect(await refusalOf(workbookParts(made))).toEqual(['inflatedUpload', '16777216 bytes']);
  });

  test('is rejected if it has too many empty cells before its values', async () => {
    const rows = '<row><c r="XFD1"><v>1</v></c></row>';
    expect(await textOf({ rows: rows.repeat(200) })).toHaveLength(200 * 16_385);
    expect(await refusalOf(workbookParts({ rows: rows.repeat(300) }))).toEqual([
      'workbookEmptyCells',
      '4000000 between cells with a value',
    ]);
  });

  test.each(['[', '0', '"', '\\'])(
    'is rejected at once for a number format of half a million %s',
    async (character) => {
      const code = character.replace('"', '&quot;').repeat(500_000 / character.replace('"', '&quot;').length);
      const made = { rows: '<row><c s="1"><v>1</v></c></row>'.repeat(500), formats: [code] };
      const cost = processorMs();
      expect(await refusalOf(workbookParts(made))).toBe('has a number format of more than 255 characters');
      expect(processorMs() - cost).toBeLessThan(2_000);
    },
  );
});

describe('another archive', () => {
  const CSV = 'a,b\n1,2\n';

  test('with one CSV gives that CSV', async () => {
    for (const name of ['list.csv', 'june/LIST.TXT', 'list.tsv'])
      expect(await listOf([{ name, content: CSV }])).toEqual([{ kind: 'text' }, CSV]);
    const beside = ['__MACOSX/._list.csv', '.DS_Store', 'june/'].map((name) => ({ name, content: 'x' }));
    expect(await listOf([...beside, { name: 'june/list.csv', content: CSV }])).toEqual([{ kind: 'text' }, CSV]);
  });

  test.each<[string, string[], string]>([
    ['two lists', ['a.csv', 'b.csv'], 'is an archive of 2 files ("a.csv", "b.csv"): send only the list'],
    ['a workbook', ['a.xlsx'], 'is an archive that contains "a.xlsx": unpack it and send the list itself'],
    ['nothing but side files', ['.DS_Store'], 'is an empty archive'],
    [
      'a binary workbook',
      ['[Content_Types].xml', 'xl/workbook.bin'],
      'is a binary workbook (.xlsb): save the list as an Excel workbook (.xlsx) or as CSV',
    ],
    [
      'a Word document',
      ['[Content_Types].xml', 'word/document.xml'],
      'is a Word document (.docx): save the list as an Excel workbook (.xlsx) or as CSV',
    ],
    [
      'an OpenDocument spreadsheet',
      ['mimetype', 'content.xml'],
      'is an OpenDocument file (.ods): save the list as an Excel workbook (.xlsx) or as CSV',
    ],
    ['Numbers', ['Index/Document.iwa'], 'is an Apple Numbers document: export the list as Excel or CSV'],
  ])('with %s is rejected by its type', async (_what, names, problem) => {
    expect(await refusalOf(names.map((name) => ({ name, content: 'x' })))).toBe(problem);
  });
});
