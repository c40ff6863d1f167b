/** The results for the first bytes of a file, as literals. */
import { describe, expect, test } from 'vitest';
import { findHeader, readHeader } from '../../../src/lists/columns/header.ts';

const ROW_BYTES = 1_048_576;
const HEADER = 'warehouse_id,postalCode,weight_value,weight_units';
const ROW = '101,02139,2,LB';

const head = (text: string | Buffer, complete = true, maximumRowBytes = ROW_BYTES) =>
  readHeader(Buffer.from(text), complete, {}, maximumRowBytes);

const problemsOf = (...args: Parameters<typeof head>) => {
  const read = head(...args);
  return typeof read === 'string' ? read : 'problems' in read ? read.problems : undefined;
};

describe('the start of the rows', () => {
  test.each([
    ['after the header', `${HEADER}\n${ROW}\n`, 0, HEADER.length + 1, 1],
    ['after CRLF', `${HEADER}\r\n${ROW}\r\n`, 0, HEADER.length + 2, 1],
    ['after CR alone', `${HEADER}\r${ROW}\r`, 0, HEADER.length + 1, 1],
    ['after a byte-order mark', `\ufeff${HEADER}\n${ROW}\n`, 3, HEADER.length + 4, 1],
    ['after a line that says the separator', `sep=,\n${HEADER}\n${ROW}\n`, 6, HEADER.length + 7, 2],
    ['after blank lines', `\n\n${HEADER}\n${ROW}\n`, 2, HEADER.length + 3, 3],
    ['after blank lines of CRLF', `\r\n , \r\n${HEADER}\r\n${ROW}\r\n`, 7, HEADER.length + 9, 3],
    ['after a mark and a line that says the separator', `\ufeffsep=,\n${HEADER}\n`, 9, HEADER.length + 10, 2],
    ['after a header of two lines', `"a\nb",${HEADER}\nx,${ROW}\n`, 0, HEADER.length + 7, 2],
  ])('%s', (_name, text, headerStart, bodyStart, headerLines) => {
    expect(head(text)).toMatchObject({ headerStart, bodyStart, headerLines });
  });
});

describe('the names of the columns', () => {
  const namesOf = (text: string) => {
    const read = head(text);
    return typeof read === 'object' && 'columns' in read ? read.columns.header : read;
  };
  test('have no quotes and no trailing separators', () => {
    expect(namesOf(`"ref, own",${HEADER},,\nx,${ROW},,\n`)).toEqual(['ref, own', ...HEADER.split(',')]);
  });
  test('are as many as the cells of the widest row', () => {
    expect(namesOf(`${HEADER},,\n${ROW},,x\n`)).toEqual([...HEADER.split(','), '', '']);
    expect(namesOf(`${HEADER},,,\n${ROW},x,\n${ROW}\n`)).toEqual([...HEADER.split(','), '']);
    expect(namesOf(`${HEADER},,a,\n${ROW}\n`)).toEqual([...HEADER.split(','), '', 'a']);
    expect(namesOf(`${HEADER},,\n`)).toEqual(HEADER.split(','));
  });
  test('depend on the first twenty rows', () => {
    const rows = (count: number) => `${HEADER},\n${`${ROW}\n`.repeat(count)}${ROW},x\n`;
    expect(namesOf(rows(18))).toHaveLength(5);
    expect(namesOf(rows(19))).toHaveLength(4);
  });
  test('are decoded as UTF-8', () => {
    expect(namesOf(`é,${HEADER}\n`)).toEqual(['é', ...HEADER.split(',')]);
  });
});

describe('rejects', () => {
  const EMPTY = { file: 'is empty; it needs a header row and at least one row' };
  test.each<[string, string | Buffer, unknown]>([
    ['nothing', '', EMPTY],
    ['blanks', ' \n\n ', EMPTY],
    ['separators alone', ',,\n,,\n', EMPTY],
    ['an unknown separator', `sep=x\n${HEADER}\n`, { file: 'has sep=x; the separator must be , ; | or tab' }],
    [
      'a title',
      `Shipments\n${HEADER}\n${ROW}\n`,
      { header: 'seems to be row 2, but row 1 was read: use ?header_row=2, or remove the rows above it' },
    ],
    [
      'a title over unknown columns',
      'Shipments\na,b,c\n1,2,3\n',
      { header: 'has 1 cell, but the rows below have 3: if it is a title, use ?header_row=2, or remove the title' },
    ],
    [
      'a title of few known names',
      `Zip;June\n${HEADER.replaceAll(',', ';')}\n`,
      { header: 'seems to be row 2, but row 1 was read: use ?header_row=2, or remove the rows above it' },
    ],
    ['a separator of a mark alone', '\ufeff', EMPTY],
    [
      'an unclosed header',
      `"${HEADER}\n${ROW}\n`,
      { header: 'is not CSV: a quoted cell is not closed; if the list quotes no cells, use ?quotes=none' },
    ],
    [
      'a broken header',
      `"a"b,${HEADER}\n${ROW}\n`,
      { header: 'is not CSV: there is text after a closing quote; if the list quotes no cells, use ?quotes=none' },
    ],
    [
      'a header with NUL bytes',
      `a\0b,${HEADER}\n${ROW}\n`,
      { file: 'is not text: its header has NUL bytes; use ?encoding=utf-16le for UTF-16 without a mark' },
    ],
  ])('%s', (_name, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  // The separator is given, so that the text is scanned only once.
  const withComma = (text: string) => {
    const read = readHeader(Buffer.from(text), true, { delimiter: ',' }, ROW_BYTES);
    return typeof read === 'object' && 'problems' in read ? read.problems : undefined;
  };

  const wide = (columns: number) => `${HEADER}${','.repeat(columns - 5)},x\n${ROW}\n`;
  test('a header with more columns than a sheet', () => {
    expect(withComma(wide(16_385))).toEqual({ header: 'has 16385 columns; the most are 16384' });
  });
  test('accepts a header with as many columns as a sheet', () => {
    expect(problemsOf(wide(16_384))).toBeUndefined();
  });

  test('a header over the row limit', () => {
    expect(problemsOf(`${HEADER}\n${ROW}\n`, true, HEADER.length)).toBeUndefined();
    expect(problemsOf(`${HEADER}\n${ROW}\n`, true, 20)).toEqual({ header: 'is longer than 20 bytes' });
  });

  const BLANK = { file: 'has more than 10000 blank rows before its header' };
  test('too many blank rows before the header', () => {
    expect(withComma(`${'\n'.repeat(10_001)}${HEADER}\n${ROW}\n`)).toEqual(BLANK);
  });
  test('accepts the highest number of blank rows', () => {
    expect(withComma(`${'\n'.repeat(10_000)}${HEADER}\n${ROW}\n`)).toBeUndefined();
  });
  test('more white space than the row limit', () => {
    expect(problemsOf(' '.repeat(20), false, 20)).toBe('more');
    expect(problemsOf(' '.repeat(21), false, 20)).toEqual(BLANK);
  });

  test('two cells, or one cell above two columns, are not a title', () => {
    const keys = (text: string) => Object.keys(problemsOf(text) ?? {});
    const missing = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'];
    expect(keys('June\na,b\n1,2\n')).toEqual(missing);
    expect(keys('June,2026\na,b,c\n1,2,3\n')).toEqual(missing);
    expect(keys('June\n')).toEqual(missing);
    expect(keys('zip\na,b,c\n')).toEqual(missing.filter((name) => name !== 'postalCode'));
  });

  test('returns the column names if only their meaning is a problem', () => {
    expect(head('zip,weight\n02139,2\n')).toMatchObject({ unused: { header: ['zip', 'weight'] } });
  });

  test('ignores an unknown sep= line if the caller gives a separator', () => {
    const read = readHeader(Buffer.from(`sep=x\n${HEADER}\n`), true, { delimiter: ',' }, ROW_BYTES);
    expect(read).toMatchObject({ headerStart: 6, columns: { dialect: { delimiter: ',' } } });
  });

  test('does not suggest an encoding for bytes that are not text', () => {
    const read = (bytes: number[]) => problemsOf(Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from(bytes)]));
    const at = `is not UTF-8 text at byte ${HEADER.length + 1} (line 2)`;
    const other = expect.stringContaining(`${at}; save it as UTF-8`);
    expect(read([0xe9])).toEqual({ file: other });
    expect(read([0xe9, 0x09, 0x0a, 0x0d, 0x20])).toEqual({ file: other });
    expect(read([0xe9, 0x00])).toEqual({ file: at });
    expect(read([0xe9, 0x1f])).toEqual({ file: at });
  });

  test('bytes that are not UTF-8', () => {
    const at = `${HEADER}\n${ROW}`;
    expect(problemsOf(Buffer.concat([Buffer.from(at), Buffer.from([0xe9])]))).toEqual({
      file: expect.stringContaining(`at byte ${at.length} (line 2)`),
    });
    // An incomplete character at the end may continue in the next bytes.
    expect(problemsOf(Buffer.concat([Buffer.from(at), Buffer.from([0xc3])]), false)).toBeUndefined();
  });
});

test('findings are based on the first two hundred rows including the header', () => {
  const findings = (before: number) => {
    const list = `${HEADER},shipDate\n${`${ROW},2026-06-01\n`.repeat(before)}${ROW},6/1/2026\n`;
    const read = head(list);
    return typeof read === 'object' && 'columns' in read ? read.columns.findings.map(({ type }) => type) : read;
  };
  expect(findings(198)).toEqual(['column.unreadable']);
  expect(findings(199)).toEqual([]);
});

test('needs more bytes after only white space', () => {
  expect(head('', false)).toBe('more');
  expect(head('\n \n', false)).toBe('more');
  expect(head(`\n${HEADER}`, false)).toBe('more');
  expect(head(`\n${HEADER}\n`, false)).toMatchObject({ headerStart: 1 });
});

test('reads more than 64 KiB only if the header continues', async () => {
  const long = Buffer.from(`${HEADER},${'x'.repeat(65_536)}\n${ROW}\n`);
  expect(await findHeader(long, true, {}, ROW_BYTES)).toMatchObject({ bodyStart: HEADER.length + 65_538 });
  const short = Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from(`${ROW}\n`.repeat(5_000)), Buffer.from([0xff])]);
  // The row reader checks later bytes.
  expect(await findHeader(short, true, {}, ROW_BYTES)).toMatchObject({ bodyStart: HEADER.length + 1 });
});

test('needs more bytes if the header continues', async () => {
  expect(head(HEADER, false)).toBe('more');
  expect(head(HEADER, true)).toMatchObject({ bodyStart: HEADER.length });
  const long = `${HEADER},${'x'.repeat(200_000)}\n${ROW}\n`;
  expect(await findHeader(Buffer.from(long), true, {}, ROW_BYTES)).toMatchObject({
    bodyStart: HEADER.length + 200_002,
  });
  expect(await findHeader(Buffer.from(long.slice(0, 150_000)), false, {}, ROW_BYTES)).toBe('more');
});
