/** Converting a batch's own files: the same bytes for any pieces, and bounded work in each turn. */
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { excelFile } from '../../../src/batch/output/output.ts';
import { type CellSink, eachSlice, inPieces, mapCells, SLICE } from '../../../src/files/csv/map-rows.ts';
import { type ColumnKind, createSheet, type SheetColumn } from '../../../src/files/xlsx/sheet-writer.ts';

const columns = (...kinds: ColumnKind[]): SheetColumn[] => kinds.map((kind, from) => ({ from, kind, width: 16 }));
const textColumns = (count: number): SheetColumn[] => columns(...Array.from({ length: count }, () => 'text' as const));

const MIB = 1024 * 1024;

async function* inChunks(text: string, bytes = 64 * 1024): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

/** The highest total that is added in one turn of the event loop. */
const mostInATurn = async (work: (add: (count: number) => void) => Promise<unknown>): Promise<number> => {
  let most = 0;
  let inTurn = 0;
  let counting = setImmediate(function next() {
    inTurn = 0;
    counting = setImmediate(next);
  });
  await work((count) => {
    inTurn += count;
    most = Math.max(most, inTurn);
  });
  clearImmediate(counting);
  return most;
};

const LISTS: readonly (readonly [what: string, text: string])[] = [
  ['one cell of 1 MiB', `${'x'.repeat(MIB)}\n`],
  ['one quoted cell of 1 MiB of quotes and separators', `"${'"",;'.repeat(MIB / 4)}"\n`],
  ['one row of 200,000 empty cells', `${','.repeat(200_000)}\n`],
  ['200,000 rows of one cell', 'a\n'.repeat(200_000)],
  ['rows of a thousand cells', `${Array.from({ length: 1_000 }, (_, at) => `cell ${at}`).join(',')}\n`.repeat(60)],
];

describe.each(LISTS)('%s', (_what, text) => {
  test('is read in slices of limited bytes and cells', async () => {
    const through = (part: CellSink['part'], end: CellSink['end']) => async (): Promise<void> => {
      // The stream yields pieces of 256 KiB, which are larger than the slices.
      for await (const _ of eachSlice(inChunks(text, MIB / 4), { part, end }));
    };
    const none = (): void => undefined;
    expect(await mostInATurn((add) => through(({ length }) => add(length), none)())).toBeLessThanOrEqual(SLICE.bytes);
    expect(await mostInATurn((add) => through(none, () => add(1))())).toBeLessThanOrEqual(SLICE.cells);
  });

  test.each([
    ['for Excel', () => excelFile({ mediaType: 'text/csv', content: Readable.from(inChunks(text)) }, ';').content],
    ['as a sheet', () => mapCells(inChunks(text), createSheet(textColumns(1_001)).sinkTo)],
  ])('is written %s in pieces of limited size', async (_form, content) => {
    const most = await mostInATurn(async (add) => {
      for await (const bytes of content()) add(bytes.length);
    });
    // Converted cells are longer than their input, but those of a sheet have at most 32,767 characters.
    expect(most).toBeLessThan(8 * SLICE.bytes);
  });
});

test('the start of a sheet with the most columns comes in pieces', async () => {
  let text = '';
  const most = await mostInATurn(async (add) => {
    for await (const bytes of inPieces(createSheet(textColumns(16_384)).begin())) {
      text += bytes.toString();
      add(bytes.length);
    }
  });
  expect(text).toContain('<col min="16384" max="16384" width="16" customWidth="1" style="1"/></cols><sheetData>');
  expect(most).toBeLessThan(2 * SLICE.bytes);
});

const FILE = [
  'a,b;c,"d,e",quote_status',
  'plain,semi;colon,"comma, and ; and ""quotes""",200',
  '"line\nbreak",,"""",422',
  'é <&>,  two  spaces,_x0041_,-1.50',
  'cut short',
].join('\n');

describe.each([1, 2, 3, 7, 100])('a file that comes %i bytes at a time', (bytes) => {
  test('has its cells and its rows', async () => {
    const rows: string[][] = [];
    let [cell, row] = ['', [] as string[]];
    const part = (text: string): void => {
      cell += text;
    };
    const end = (endsRow: boolean): void => {
      row.push(Buffer.from(cell, 'latin1').toString());
      cell = '';
      if (endsRow) rows.push(row.splice(0));
    };
    for await (const _ of eachSlice(inChunks(FILE, bytes), { part, end }));
    expect(rows).toEqual([
      ['a', 'b;c', '"d,e"', 'quote_status'],
      ['plain', 'semi;colon', '"comma, and ; and ""quotes"""', '200'],
      ['"line\nbreak"', '', '""""', '422'],
      ['é <&>', '  two  spaces', '_x0041_', '-1.50'],
      ['cut short'],
    ]);
  });

  test('has the same bytes for Excel', async () => {
    const { content } = excelFile({ mediaType: 'text/csv', content: Readable.from(inChunks(FILE, bytes)) }, ';');
    expect((await Readable.from(content).toArray()).join('')).toBe(
      [
        '\ufeffa;"b;c";"d,e";quote_status',
        'plain;"semi;colon";"comma, and ; and ""quotes""";200',
        '"line\nbreak";;"""";422',
        'é <&>;  two  spaces;_x0041_;-1.50',
        'cut short\n',
      ].join('\n'),
    );
  });

  test('has the same XML as a sheet', async () => {
    const pieces: Buffer[] = [];
    for await (const piece of mapCells(
      inChunks(FILE, bytes),
      createSheet(columns('text', 'text', 'text', 'count')).sinkTo,
    ))
      pieces.push(piece);
    const text = (name: string, value: string, style = 1, space = '') =>
      `<c r="${name}" t="inlineStr" s="${style}"><is><t${space}>${value}</t></is></c>`;
    const preserved = ' xml:space="preserve"';
    expect(Buffer.concat(pieces).toString()).toBe(
      [
        `<row r="1">${text('A1', 'a', 4)}${text('B1', 'b;c', 4)}${text('C1', 'd,e', 4)}${text('D1', 'quote_status', 4)}</row>`,
        `<row r="2">${text('A2', 'plain')}${text('B2', 'semi;colon')}${text('C2', 'comma, and ; and "quotes"')}<c r="D2" s="3"><v>200</v></c></row>`,
        `<row r="3">${text('A3', 'line\nbreak', 1, preserved)}${text('C3', '"')}<c r="D3" s="3"><v>422</v></c></row>`,
        `<row r="4">${text('A4', 'é &lt;&amp;&gt;')}${text('B4', '  two  spaces', 1, preserved)}${text('C4', '_x005F_x0041_')}<c r="D4" s="3"><v>-1.50</v></c></row>`,
        `<row r="5">${text('A5', 'cut short')}</row>`,
      ].join(''),
    );
  });
});

test('a cell of a sheet is shortened to its limit, with an ellipsis', async () => {
  const pieces: Buffer[] = [];
  const list = `"${'é""'.repeat(200_000)}"\n`;
  for await (const piece of mapCells(inChunks(list), createSheet(textColumns(1)).sinkTo)) pieces.push(piece);
  const value = /<t>(.*)<\/t>/.exec(Buffer.concat(pieces).toString())?.[1] ?? '';
  expect([value.length, value.slice(0, 4), value.slice(-3)]).toEqual([32_767, 'é"é"', 'é"…']);
});

test('a sheet has its columns in its own order, and numbers only where nothing of a cell is lost', async () => {
  const list = [
    'zip,weight,shipped,net,weight2',
    '02139,2.50,2026-03-04,9.10,-0.5',
    '00501,007,2026-02-30,,1e3',
    ',12345678901234567890,1900-01-01,,+1',
  ].join('\n');
  const order: SheetColumn[] = [
    { from: 3, kind: 'money', width: 16 },
    { from: 0, kind: 'text', width: 16 },
    { from: 1, kind: 'plain', width: 16 },
    { from: 4, kind: 'plain', width: 16 },
    { from: 2, kind: 'date', width: 16 },
  ];
  const pieces: Buffer[] = [];
  for await (const piece of mapCells(inChunks(list), createSheet(order).sinkTo)) pieces.push(piece);
  const cells = Buffer.concat(pieces)
    .toString()
    .split('</row>')
    .map((row) =>
      [...row.matchAll(/<c r="([A-Z]\d)" (?:t="(inlineStr)" )?s="(\d+)">(?:<is><t>|<v>)([^<]*)</g)].map(
        ([, at, kind, style, value]) => `${at} ${kind === undefined ? 'number' : 'text'} ${style} ${value}`,
      ),
    );
  expect(cells).toEqual([
    ['A1 text 4 net', 'B1 text 4 zip', 'C1 text 4 weight', 'D1 text 4 weight2', 'E1 text 4 shipped'],
    ['A2 number 2 9.10', 'B2 text 1 02139', 'C2 number 0 2.50', 'D2 number 0 -0.5', 'E2 number 5 46085'],
    ['B3 text 1 00501', 'C3 text 1 007', 'D3 text 1 1e3', 'E3 text 1 2026-02-30'],
    ['C4 text 1 12345678901234567890', 'D4 text 1 +1', 'E4 text 1 1900-01-01'],
    [],
  ]);
});
