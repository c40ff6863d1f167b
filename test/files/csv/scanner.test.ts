/** The exact positions of rows and cells, and the results at the end of the text and at the limit. */
import { describe, expect, test } from 'vitest';
import { createScanner, type Dialect, type ScanResult } from '../../../src/files/csv/scanner.ts';

const COMMA: Dialect = { delimiter: ',', lineBreak: 'lf' };
const CR_ONLY: Dialect = { delimiter: ',', lineBreak: 'cr' };

/** All properties of a row. */
const scanned = (text: string, { from = 0, final = true, most = 1_000, dialect = COMMA } = {}) => {
  const { row, scan } = createScanner(dialect, most);
  const result = scan(text, from, final);
  const { start, end, next, quoted, escaped, blank, malformed } = row;
  const cells = Array.from({ length: row.cells }, (_, at) => text.slice(row.starts[at], row.ends[at]));
  return { result, start, end, next, cells, quoted, escaped, blank, malformed };
};

const PLAIN = { result: 'row', start: 0, quoted: false, escaped: false, blank: false, malformed: undefined };

describe('a row', () => {
  test.each([
    ['ends before its LF, and the next begins after it', 'ab,c\nd', { end: 4, next: 5, cells: ['ab', 'c'] }],
    ['ends before its CRLF', 'ab,c\r\nd', { end: 4, next: 6, cells: ['ab', 'c'] }],
    ['ends with the text', 'ab,c', { end: 4, next: 4, cells: ['ab', 'c'] }],
    ['ends before a CR that ends the text', 'ab,c\r', { end: 4, next: 5, cells: ['ab', 'c'] }],
    ['keeps a CR that no LF follows', 'a\rb,c\n', { end: 5, next: 6, cells: ['a\rb', 'c'] }],
    ['keeps the first of two CRs', 'a\r\r\n', { end: 2, next: 4, cells: ['a\r'] }],
    ['ends with an empty cell after a separator', 'a,\n', { end: 2, next: 3, cells: ['a', ''] }],
    ['ends with an empty cell after a separator before CRLF', 'a,\r\n', { end: 2, next: 4, cells: ['a', ''] }],
    ['ends with an empty cell at the end of the text', 'a,', { end: 2, next: 2, cells: ['a', ''] }],
  ])('%s', (_what, text, expected) => {
    expect(scanned(text)).toEqual({ ...PLAIN, ...expected });
  });

  test.each([
    ['has its content within the quotes', '"a,b",c\n', { end: 7, next: 8, cells: ['a,b', 'c'] }],
    ['ends before CRLF', '"a"\r\nb', { end: 3, next: 5, cells: ['a'] }],
    ['ends before a CR that ends the text', '"a"\r', { end: 3, next: 4, cells: ['a'] }],
    ['keeps line breaks', '"a\r\nb"\n', { end: 6, next: 7, cells: ['a\r\nb'] }],
    ['ends with the text', 'x,"a"', { end: 5, next: 5, cells: ['x', 'a'] }],
  ])('with a quoted cell %s', (_what, text, expected) => {
    expect(scanned(text)).toEqual({ ...PLAIN, quoted: true, ...expected });
  });

  test.each([
    ['in the middle', '"a""b",c\n', { end: 8, next: 9, cells: ['"a""b"', 'c'] }],
    ['at both ends', '"""a"""\n', { end: 7, next: 8, cells: ['"""a"""'] }],
    ['in a row of them', '"""""",c\n', { end: 8, next: 9, cells: ['""""""', 'c'] }],
    ['and text between them', '"a""b""c"\n', { end: 9, next: 10, cells: ['"a""b""c"'] }],
  ])('with doubled quotes %s keeps the quotes of that cell and is marked as escaped', (_what, text, expected) => {
    expect(scanned(text)).toEqual({ ...PLAIN, quoted: true, escaped: true, ...expected });
  });

  test('begins at the scan’s position', () => {
    expect(scanned('ab\ncd,e\n', { from: 3 })).toEqual({ ...PLAIN, start: 3, end: 7, next: 8, cells: ['cd', 'e'] });
  });

  test('of a list without LF ends before its CR', () => {
    expect(scanned('a,b\rc', { dialect: CR_ONLY })).toEqual({ ...PLAIN, end: 3, next: 4, cells: ['a', 'b'] });
    expect(scanned('a,"b"\rc', { dialect: CR_ONLY })).toMatchObject({ end: 5, next: 6, cells: ['a', 'b'] });
    expect(scanned('"a"\r', { dialect: CR_ONLY })).toMatchObject({ end: 3, next: 4, cells: ['a'] });
    expect(scanned('\r\rb', { from: 1, dialect: CR_ONLY })).toMatchObject({ end: 1, next: 2, cells: [''] });
  });

  test('does not depend on the row before it', () => {
    const text = '"a""b"c\nd\n';
    const { row, scan } = createScanner(COMMA, 100);
    expect([scan(text, 0, true), row.quoted, row.malformed]).toEqual([
      'row',
      true,
      'there is text after a closing quote',
    ]);
    expect(scan(text, row.next, true)).toBe('row');
    expect(row).toMatchObject({ cells: 1, quoted: false, escaped: false, blank: false, malformed: undefined });
    expect(scan('"a""b"\n\n', 0, true)).toBe('row');
    expect(row.escaped).toBe(true);
    expect([scan('"a""b"\n\n', row.next, true), row.escaped, row.blank]).toEqual(['row', false, true]);
  });

  test('may have any number of cells', () => {
    const { row, scan } = createScanner(COMMA, 10_000);
    expect(scan(`${'a,'.repeat(1_000)}b\n`, 0, true)).toBe('row');
    expect(row.cells).toBe(1_001);
    expect(Array.from(row.starts.subarray(0, 1_001))).toEqual(Array.from({ length: 1_001 }, (_, at) => 2 * at));
    expect(Array.from(row.ends.subarray(0, 1_001))).toEqual(Array.from({ length: 1_001 }, (_, at) => 2 * at + 1));
  });
});

test.each([
  ['', true],
  [' \t', true],
  ['\r', true],
  [' ,\t,', true],
  [' , \r', true],
  ['" \t\r"', true],
  ['"",""', true],
  ['.', false],
  [' a', false],
  ['a ', false],
  [',,a', false],
  ['a,,', false],
  ['" a"', false],
  ['"a",', false],
  ['""""', false],
  ['" "x', false],
  ['"', false],
])('whether the row %j is blank: %s', (line, blank) => {
  expect(scanned(`${line}\n`).blank).toBe(blank);
});

describe('a malformed row', () => {
  const UNCLOSED = 'a quoted cell is not closed';
  const AFTER = 'there is text after a closing quote';

  test.each([
    ['a quote that nothing closes', 'a,"b,c\nd\n', UNCLOSED, ['a', '"b,c'], 7],
    ['a quote that is closed on a later line, with text behind it', 'a,"b\nc"d\n', UNCLOSED, ['a', '"b'], 5],
    ['text after a closing quote', 'a,"b"c,d\ne\n', AFTER, ['a', '"b"c,d'], 9],
    ['a blank after a closing quote', '"b" ,d\n', AFTER, ['"b" ,d'], 7],
    ['a CR after a closing quote that no LF follows', '"b"\rc\n', AFTER, ['"b"\rc'], 6],
    ['a quote that nothing closes, at the end of the text', 'a,"b', UNCLOSED, ['a', '"b'], 4],
    ['text after a closing quote, at the end of the text', '"a"b', AFTER, ['"a"b'], 4],
    ['a lone quote', '"', UNCLOSED, ['"'], 1],
    ['CRLF, which is no part of the cell', 'a,"b\r\nc\n', UNCLOSED, ['a', '"b'], 6],
  ])('ends with its line: %s', (_what, text, malformed, cells, next) => {
    expect(scanned(text)).toMatchObject({ result: 'row', malformed, cells, next, blank: false });
  });

  test('ends with the line on which its broken cell begins', () => {
    expect(scanned('"a\nb","c\nd\n')).toMatchObject({ malformed: UNCLOSED, cells: ['a\nb', '"c'], next: 9 });
  });

  test('has its closing quote beyond the row limit', () => {
    expect(scanned('"ab\ncd"\n', { most: 5 })).toMatchObject({ result: 'row', malformed: UNCLOSED, end: 3, next: 4 });
    expect(scanned('"ab\nc"\n', { most: 5 }).result).toBe('tooLong');
    expect(scanned('"ab\nc"\n', { most: 6 })).toMatchObject({ result: 'row', malformed: undefined, end: 6 });
  });
});

describe('the end of the text', () => {
  test.each<[string, ScanResult]>([
    ['', 'incomplete'],
    ['a', 'incomplete'],
    ['a,', 'incomplete'],
    ['a\r', 'incomplete'],
    ['a\n', 'row'],
    ['"', 'incomplete'],
    ['"a', 'incomplete'],
    ['"a\n', 'incomplete'],
    // The quote may be the first of a pair, and the CR half of a line break.
    ['"a"', 'incomplete'],
    ['"a"\r', 'incomplete'],
    ['"a"b', 'incomplete'],
    ['"a""', 'incomplete'],
    ['"a"\r\n', 'row'],
    ['"a"\n', 'row'],
    ['"a"b\n', 'row'],
  ])('and more follows %j: %s', (text, result) => {
    expect(scanned(text, { final: false }).result).toBe(result);
  });

  test('and nothing follows', () => {
    expect(scanned('').result).toBe('end');
    expect(scanned('a\n', { from: 2 }).result).toBe('end');
    expect(scanned('a\n', { from: 2, final: false }).result).toBe('incomplete');
  });
});

describe('a row of at most ten bytes', () => {
  test.each<[string, boolean, ScanResult]>([
    ['1234567890', true, 'row'],
    ['12345678901', true, 'tooLong'],
    ['1234567890\r\n', true, 'row'],
    ['12345678901\r\n', true, 'tooLong'],
    ['1234567890\r', false, 'incomplete'],
    ['1234567890', false, 'incomplete'],
    ['12345678901', false, 'tooLong'],
    ['1234567890123456', false, 'tooLong'],
    ['1234567890123456', true, 'tooLong'],
    [',,,,,,,,,,', true, 'row'],
    [',,,,,,,,,,,', true, 'tooLong'],
    [',,,,,,,,,,', false, 'incomplete'],
    [',,,,,,,,,,,,,,,', false, 'tooLong'],
    ['12345,7890\r\n', true, 'row'],
    ['12345,78901\r\n', true, 'tooLong'],
    ['"12345678"', false, 'incomplete'],
    ['"12345678"\n', false, 'row'],
    ['"123456789"\n', false, 'tooLong'],
    ['"123456789', false, 'incomplete'],
    ['"1234567890', false, 'tooLong'],
    ['"1234567890', true, 'tooLong'],
    ['1234,"67890', false, 'tooLong'],
    ['1234,"6789', false, 'incomplete'],
  ])('%j, final %s: %s', (text, final, result) => {
    expect(scanned(text, { final, most: 10 }).result).toBe(result);
    // The same later in a text.
    expect(scanned(`a,b\n${text}`, { from: 4, final, most: 10 }).result).toBe(result);
  });

  test('is not read beyond its limit', () => {
    const { row, scan } = createScanner(COMMA, 10);
    expect([scan(`${'1,'.repeat(100)}\n`, 0, true), row.cells]).toEqual(['tooLong', 6]);
  });
});

describe('skipping and scanning end a row at the same position', () => {
  test.each([
    'a,b\nc',
    'a,b\r\nc',
    'a,b',
    '\nc',
    '\r\nc',
    '\rc\nd',
    ' \nc',
    '\t\nc',
    ',,\nc',
    ' ,a\nc',
    'a,"b\nc"\nd',
    '"a"b\nc',
    'a\n"b"\n',
    'a"b"\nc',
  ])('%j', (text) => {
    for (const final of [true, false]) {
      const [whole, quick] = [createScanner(COMMA, 100), createScanner(COMMA, 100)];
      expect(quick.skip(text, 0, final)).toBe(whole.scan(text, 0, final));
      const { start, end, next, blank, quoted, malformed } = whole.row;
      if (final) expect(quick.row).toMatchObject({ start, end, next, blank, quoted, malformed });
    }
  });

  test('of a list without LF', () => {
    const { row, skip } = createScanner(CR_ONLY, 100);
    expect([skip('\ra\r', 0, true), row.blank, row.next]).toEqual(['row', true, 1]);
    expect([skip('\ra\r', 1, true), row.blank, row.end, row.next]).toEqual(['row', false, 2, 3]);
  });

  test('without reading its cells', () => {
    const { row, skip } = createScanner(COMMA, 100);
    expect([skip('a,b,c\n', 0, true), row.cells]).toEqual(['row', 0]);
  });

  test('over its limit', () => {
    const { skip } = createScanner(COMMA, 10);
    expect(skip('12345678901\n', 0, true)).toBe('tooLong');
    expect(skip('1234567890\n', 0, true)).toBe('row');
    expect(skip('12345678901', 0, false)).toBe('tooLong');
    expect(skip('1234567890', 0, false)).toBe('incomplete');
  });

  test('in text with quotes after it, and then inside it', () => {
    const text = 'a\nb,"c\nd"\ne\n';
    const { row, skip } = createScanner(COMMA, 100);
    const ends: number[] = [];
    for (let at = 0; skip(text, at, true) === 'row'; at = row.next) ends.push(row.next);
    expect(ends).toEqual([2, 10, 12]);
  });
});

/** Runs work to its end. @returns the number of yields, and the result */
const counted = <T>(work: Generator<void, T>): readonly [yields: number, value: T] => {
  for (let yields = 0; ; yields++) {
    const { done, value } = work.next();
    if (done === true) return [yields, value];
  }
};

describe('a row of 64 KiB yields after each 16 KiB and has the same cells', () => {
  test.each([
    ['one cell', 'x'.repeat(65_536), 3],
    ['separators', ','.repeat(65_536), 3],
    ['short cells', 'abc,'.repeat(16_384), 3],
    ['quoted cells', '"a",'.repeat(16_384), 3],
    ['a long cell behind a short one', `a,${'x'.repeat(65_533)}\n`, 3],
  ])('%s', (_what, text, yields) => {
    const [sliced, whole] = [createScanner(COMMA, 100_000), createScanner(COMMA, 100_000)];
    expect(whole.scan(text, 0, true)).toBe('row');
    expect(counted(sliced.scanInSlices(text, 0, true))).toEqual([yields, 'row']);
    const { cells, end, next, blank } = whole.row;
    expect(sliced.row).toMatchObject({ cells, end, next, blank });
    for (const at of ['starts', 'ends'] as const)
      expect(sliced.row[at].subarray(0, cells).join()).toBe(whole.row[at].subarray(0, cells).join());
  });

  test('a short row does not yield, and neither does one that is skipped as a line', () => {
    const { scanInSlices, skipInSlices } = createScanner(COMMA, 100_000);
    expect(counted(scanInSlices('a,b\n', 0, true))).toEqual([0, 'row']);
    expect(counted(skipInSlices(`${'x'.repeat(65_536)}\n`, 0, true))).toEqual([0, 'row']);
    expect(counted(skipInSlices(',a\n', 0, true))).toEqual([0, 'row']);
  });

  test('the end of the text is the same in slices', () => {
    const { scanInSlices } = createScanner(COMMA, 100_000);
    expect(counted(scanInSlices('', 0, true))).toEqual([0, 'end']);
    expect(counted(scanInSlices('', 0, false))).toEqual([0, 'incomplete']);
    expect(counted(scanInSlices('a\n', 2, true))).toEqual([0, 'end']);
    expect(counted(scanInSlices('a', 0, false))).toEqual([0, 'incomplete']);
  });
});

test('scans the given bytes without a copy, and other text from a copy', () => {
  const { row, take, scan } = createScanner(COMMA, 100);
  const bytes = Buffer.from('a,b\n', 'latin1');
  take('a,b\n', bytes);
  expect([scan('a,b\n', 0, true), row.bytes === bytes, row.cells]).toEqual(['row', true, 2]);
  expect([scan('\xe9\n', 0, true), Array.from(row.bytes)]).toEqual(['row', [0xe9, 10]]);
});
