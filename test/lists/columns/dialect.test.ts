/** Detecting the dialect of a list by its first rows. */
import { describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import type { Dialect } from '../../../src/files/csv/scanner.ts';
import {
  countBreaks,
  delimiterOf,
  lineBreakOf,
  sampleRows,
  separatorLine,
} from '../../../src/lists/columns/dialect.ts';

const COMMA: Dialect = { delimiter: ',', lineBreak: 'lf' };
const list = (text: string, complete = true) => ({ text, complete, maximumRowBytes: 100_000 });

describe('line breaks', () => {
  test.each([
    ['a\nb', 'lf'],
    ['a\r\nb', 'lf'],
    ['a\rb', 'cr'],
    ['a\rb\nc', 'lf'],
    ['"a\nb"\rc', 'cr'],
    ['"a\rb"\nc', 'lf'],
    ['"a""\nb"\rc', 'cr'],
    ['', 'lf'],
    ['a', 'lf'],
    // A quote inside a cell hides the rest. Then any LF decides.
    ['12" pipe\rb', 'cr'],
    ['12" pipe\nb', 'lf'],
    ['12" pipe\nb\rc', 'lf'],
    ['12" pipe,\r 3" pipe\nb', 'lf'],
  ])('of %j are %s', (text, lineBreak) => {
    expect(withoutPause(lineBreakOf(text))).toBe(lineBreak);
  });

  test('are searched for in slices of 64 KiB', () => {
    const yields = (text: string) => [...lineBreakOf(text)].length;
    expect(yields('x'.repeat(65_535))).toBe(0);
    expect(yields('x'.repeat(65_536))).toBe(1);
    expect(yields('x'.repeat(200_000))).toBe(3);
  });

  test('are counted in a range', () => {
    expect(withoutPause(countBreaks('\na\nb\r\n', 'lf', 0, 6))).toBe(3);
    expect(withoutPause(countBreaks('\na\nb\r\n', 'lf', 1, 5))).toBe(1);
    expect(withoutPause(countBreaks('\na\nb\r\n', 'lf', 0, 1))).toBe(1);
    expect(withoutPause(countBreaks('a\rb\r', 'cr', 0, 3))).toBe(1);
    expect(withoutPause(countBreaks('a\rb\r', 'lf', 0, 4))).toBe(0);
  });
});

describe('a sep= line', () => {
  test.each([
    ['sep=;\nx', { separator: ';', next: 6 }],
    ['SEP=,\r\nx', { separator: ',', next: 7 }],
    ['sep=\t\rx', { separator: '\t', next: 6 }],
    ['"sep=|"\nx', { separator: '|', next: 8 }],
    ['sep=;;;;\nx', { separator: ';', next: 9 }],
    ['sep=x\nx', { separator: 'x', next: 6 }],
  ])('%j', (text, said) => {
    expect(separatorLine(text, 0)).toEqual(said);
    expect(separatorLine(`abc${text}`, 3)).toEqual({ ...said, next: said.next + 3 });
  });

  test.each(['sep=', 'sep=;', 'sep=\n', 'sep=;x\n', ' sep=;\n', 'x\nsep=;\n', 'sep;\n', ''])('%j is none', (text) => {
    expect(separatorLine(text, 0)).toBeUndefined();
  });

  test('has at most a hundred characters', () => {
    expect(separatorLine(`sep=;${','.repeat(94)}\n`, 0)).toEqual({ separator: ';', next: 100 });
    expect(separatorLine(`sep=;${','.repeat(95)}\n`, 0)).toBeUndefined();
  });
});

describe('the first rows', () => {
  const sample = (text: string, { from = 0, complete = true, most = 20 } = {}) =>
    withoutPause(sampleRows(list(text, complete), from, COMMA, most));

  test('have their cells and their numbers', () => {
    expect(sample('a,b\n\n"c\nd",e\nf\n')).toEqual({
      rows: [
        { cells: ['a', 'b'], malformed: false, number: 1 },
        { cells: ['c\nd', 'e'], malformed: false, number: 3 },
        { cells: ['f'], malformed: false, number: 4 },
      ],
      cut: false,
    });
  });

  test('begin at the given offset', () => {
    expect(sample('sep=,\na\n', { from: 6 }).rows).toEqual([{ cells: ['a'], malformed: false, number: 1 }]);
  });

  test('are decoded as UTF-8', () => {
    expect(sample(Buffer.from('é\n').toString('latin1')).rows[0]?.cells).toEqual(['é']);
  });

  test('are as many as requested', () => {
    expect(sample('a\n'.repeat(30)).rows).toHaveLength(20);
    expect(sample('a\n'.repeat(30), { most: 3 }).rows).toHaveLength(3);
  });

  test('may be malformed', () => {
    expect(sample('"a"b,c\nd\n').rows.map(({ malformed }) => malformed)).toEqual([true, false]);
  });

  test('count as malformed, unread, if they have more cells than a sheet', () => {
    const wide = (cells: number) => withoutPause(sampleRows(list(`a${',b'.repeat(cells - 1)}\n`), 0, COMMA)).rows;
    expect(wide(16_385)).toEqual([{ cells: [], malformed: true, number: 1 }]);
    expect(wide(16_384)[0]?.cells).toHaveLength(16_384);
  });

  test('are cut if even the first is incomplete', () => {
    expect(sample('a,b', { complete: false })).toEqual({ rows: [], cut: true });
    expect(sample('a,b', { complete: true }).cut).toBe(false);
    expect(sample('a\nb', { complete: false })).toMatchObject({ rows: [{ cells: ['a'] }], cut: false });
    expect(sample('', { complete: true })).toEqual({ rows: [], cut: false });
  });

  test('yield after each row with content, and after 256 blank rows', () => {
    expect([...sampleRows(list('a\nb\nc\n'), 0, COMMA)]).toHaveLength(3);
    expect([...sampleRows(list('\n'.repeat(1_024)), 0, COMMA)]).toHaveLength(4);
  });

  test('are not searched for after ten thousand blank ones', () => {
    expect(sample(`${'\n'.repeat(10_000)}a\n`).rows).toEqual([{ cells: ['a'], malformed: false, number: 10_001 }]);
    expect(sample(`${'\n'.repeat(10_001)}a\n`).rows).toEqual([]);
  });
});

describe('the separator', () => {
  const found = (text: string, complete = true) =>
    withoutPause(delimiterOf(list(text, complete), 0, { lineBreak: 'lf' }));

  test.each([
    ['zip,weight\n02139,2\n', ','],
    ['zip;weight\n02139;2\n', ';'],
    ['zip\tweight\n02139\t2\n', '\t'],
    ['zip|weight\n02139|2\n', '|'],
    ['zip\n02139\n', ','],
    ['', ','],
  ])('of %j is %j', (text, delimiter) => {
    expect(found(text)).toBe(delimiter);
  });

  test('is the one that separates known column names', () => {
    expect(found('zip;weight\n1,2,3;4\n1,2,3;4\n1,2,3;4\n')).toBe(';');
    expect(found('zip;a,b,c\n1,2,3\n1,2,3\n')).toBe(';');
  });

  test('is otherwise the one with the most rows of the same width, then the one with more cells', () => {
    expect(found('a,b;c\n1;2\n3;4\n')).toBe(';');
    expect(found('a,b;c;d\n1,2;3;4\n')).toBe(';');
    expect(found('a;b,c,d\n1;2,3,4\n')).toBe(',');
  });

  test('is a comma if two are equally good', () => {
    expect(found('a,b;c\n1,2;3\n')).toBe(',');
    expect(found('a;b|c\n1;2|3\n')).toBe(';');
  });

  test('never makes the first row malformed', () => {
    expect(found('"zip","a;b";weight\n1,2;3\n')).toBe(',');
    expect(found('"zip";"weight"\n"1";"2"\n')).toBe(';');
  });

  test('ignores rows that are malformed or have one cell', () => {
    expect(found('a;b\nc,d\n"e"x,f\n"g"x,h\n1;2\n')).toBe(';');
    expect(found('a,b\nc\nd\ne\n')).toBe(',');
  });

  test('needs more bytes if the first row continues and no name is known', () => {
    expect(found('a,b', false)).toBe('more');
    expect(found('a,b\n', false)).toBe(',');
    expect(found('a,b', true)).toBe(',');
  });
});
