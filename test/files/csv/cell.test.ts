import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bare, cellOf, cellValue, decodeText, encodeText, textOf, writeCell } from '../../../src/files/csv/cell.ts';
import { createScanner, type Dialect } from '../../../src/files/csv/scanner.ts';

const COMMA: Dialect = { delimiter: ',', lineBreak: 'lf' };

const rowsOf = (csv: string, dialect: Dialect = COMMA, maximumBytes = 1_000_000) => {
  const text = textOf(Buffer.from(csv));
  const { row, scan } = createScanner(dialect, maximumBytes);
  const rows: { cells: string[]; malformed: string | undefined; blank: boolean }[] = [];
  for (let at = 0; scan(text, at, true) === 'row'; at = row.next) {
    const cells = Array.from({ length: row.cells }, (_, index) => decodeText(cellOf(text, row, index)));
    rows.push({ cells, malformed: row.malformed, blank: row.blank });
  }
  return rows;
};

const cellsOf = (csv: string, dialect?: Dialect) => rowsOf(csv, dialect).map(({ cells }) => cells);

describe('reading rows', () => {
  test('LF and CRLF end a row, in one file too', () => {
    expect(cellsOf('a,b\r\nc,d\ne,f')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
  });

  test('a quoted cell keeps separators, line breaks and doubled quotes', () => {
    expect(cellsOf('"a,b","c\r\nd","e ""f"""\ng,h,i\n')).toEqual([
      ['a,b', 'c\r\nd', 'e "f"'],
      ['g', 'h', 'i'],
    ]);
  });

  test('a quote inside an unquoted cell is ordinary text', () => {
    expect(cellsOf('12" pipe,x\n')).toEqual([['12" pipe', 'x']]);
  });

  test('text after a closing quote makes its row malformed, and the next row is read', () => {
    const rows = rowsOf('a,"b"c,d\ne,f\n');
    expect(rows.map(({ malformed }) => malformed)).toEqual(['there is text after a closing quote', undefined]);
    expect(rows[1]?.cells).toEqual(['e', 'f']);
  });

  test('a quote that is never closed makes its line malformed, and the next line is read', () => {
    const rows = rowsOf('a,"b,c\nd,e\nf,g\n');
    expect(rows.map(({ malformed }) => malformed)).toEqual(['a quoted cell is not closed', undefined, undefined]);
    expect(rows[2]?.cells).toEqual(['f', 'g']);
  });

  test('one stray quote costs one row, even if a later row has quotes', () => {
    const rows = rowsOf('a,"b\nc,d\ne,"f"\n');
    expect(rows.map(({ malformed }) => malformed)).toEqual(['a quoted cell is not closed', undefined, undefined]);
    expect(rows[2]?.cells).toEqual(['e', 'f']);
  });

  test('a row of separators, blanks and empty quotes has no content', () => {
    expect(rowsOf(',,\n  ,\t,""\na,,\n"""",\n').map(({ blank }) => blank)).toEqual([true, true, false, false]);
  });

  test('a file with only CR has rows that end with CR', () => {
    expect(cellsOf('a,b\rc,"d\re"\r', { delimiter: ',', lineBreak: 'cr' })).toEqual([
      ['a', 'b'],
      ['c', 'd\re'],
    ]);
  });

  test('a row over the limit is not read further', () => {
    const { scan } = createScanner(COMMA, 10);
    expect(scan('12345678901\n', 0, true)).toBe('tooLong');
    expect(scan('1234567890\n', 0, true)).toBe('row');
    expect(scan('123456789012', 0, false)).toBe('tooLong');
    expect(scan('1234567890', 0, false)).toBe('incomplete');
  });
});

describe('the value of a cell', () => {
  test.each([
    ['', ''],
    ['a', 'a'],
    ['a"b"', 'a"b"'],
    ['"a"', 'a'],
    ['"a""b"', 'a"b'],
    ['""""', '"'],
    ['""', ''],
    // An unclosed cell is read to its end.
    ['"', ''],
    ['"a', 'a'],
    ['"a,b', 'a,b'],
    ['"a"b', 'a"b'],
  ])('%j is %j', (raw, value) => {
    expect(cellValue(raw)).toBe(value);
  });

  test('has one quote for each pair, for cells of any length', () => {
    for (const times of [255, 256, 257, 10_000]) {
      expect(cellValue(`"${'a""b'.repeat(times)}"`)).toBe('a"b'.repeat(times));
      expect(cellValue(`"${'""""'.repeat(times)}"`)).toBe('""'.repeat(times));
      expect(cellValue(`"${'a'.repeat(4 * times)}"b"`)).toBe(`${'a'.repeat(4 * times)}"b`);
    }
  });

  test('is empty if the row does not have it', () => {
    const { row, scan } = createScanner(COMMA, 100);
    const text = 'a,,"",b\nc\n';
    scan(text, 0, true);
    expect([0, 1, 2, 3, 4, 64].map((at) => cellOf(text, row, at))).toEqual(['a', '', '', 'b', '', '']);
    scan(text, row.next, true);
    expect([0, 1].map((at) => cellOf(text, row, at))).toEqual(['c', '']);
  });

  test.each([
    ['  a b\t', 'a b'],
    ['\u00a0\u200902139\u3000', '02139'],
    ["'02139", '02139'],
    [" ' 02139 ", '02139'],
    ["''a", "'a"],
    ["a'", "a'"],
    ["'", ''],
    ['', ''],
  ])('loses white space and a leading apostrophe: %j is %j', (cell, value) => {
    expect(bare(cell)).toBe(value);
  });
});

describe('a cell of the output', () => {
  test.each([
    ['', ''],
    ['a b;c', 'a b;c'],
    ['a,b', '"a,b"'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['a "b"', '"a ""b"""'],
    ['"', '""""'],
  ])('%j is written %s', (value, written) => {
    expect(writeCell(value)).toBe(written);
  });

  test('is UTF-8', () => {
    expect([encodeText('a'), encodeText('é'), encodeText('aé')]).toEqual(['a', '\u00c3\u00a9', 'a\u00c3\u00a9']);
    expect([decodeText('a'), decodeText('\u00c3\u00a9'), decodeText('\u00c3\u00a9'.repeat(20))]).toEqual([
      'a',
      'é',
      'é'.repeat(20),
    ]);
  });
});

const cell = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', 'a', ' ', 'é', '😀', '', ';'), maxLength: 6 }),
);
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 8 });

describe('compared with csv-parse and csv-stringify', () => {
  test('reads the output of csv-stringify like csv-parse', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t', '|'), fc.boolean(), (rows, delimiter, quoted) => {
        // A row of one empty cell looks like an empty row, so every row begins with a cell with content.
        const written = stringify(
          rows.map((cells) => ['x', ...cells]),
          { delimiter, quoted, quoted_match: /\r/, record_delimiter: '\r\n' },
        );
        const expected = parse(written, { delimiter, relax_column_count: true, record_delimiter: ['\r\n', '\n'] });
        expect(cellsOf(written, { delimiter: delimiter as Dialect['delimiter'], lineBreak: 'lf' })).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('writes cells like csv-stringify, and also quotes a CR', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const ours = `${cells.map((value) => decodeText(writeCell(encodeText(value)))).join(',')}\n`;
        expect(ours).toBe(stringify([cells], { quoted_match: /\r/ }));
      }),
      { numRuns: 500 },
    );
  });

  test('finds the same rows in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' '), maxLength: 60 }),
        fc.nat(60),
        (csv, cut) => {
          const { row, scan } = createScanner(COMMA, 1_000);
          const whole: number[] = [];
          for (let at = 0; scan(csv, at, true) === 'row'; at = row.next) whole.push(row.next);
          // A row found in the first part alone is also a row of the whole.
          const part = csv.slice(0, cut);
          for (let at = 0; scan(part, at, false) === 'row'; at = row.next) expect(whole).toContain(row.next);
        },
      ),
      { numRuns: 800 },
    );
  });
});
