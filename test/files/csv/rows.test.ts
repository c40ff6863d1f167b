import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf } from '../../../src/files/csv/cell.ts';
import { createRows } from '../../../src/files/csv/rows.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';

const COMMA = { delimiter: ',', lineBreak: 'lf' } as const;
const WINDOW_BYTES = 65_536;

interface Found {
  readonly text: string;
  readonly start: number;
  readonly cells: number;
  readonly malformed: string | undefined;
}

const found = (list: Buffer, maximumBytes = 1_000_000): Found[] => {
  const { row, next, start } = createRows(list, COMMA, maximumBytes);
  const rows: Found[] = [];
  while (next() === 'row')
    rows.push({ text: row.text.slice(row.start, row.end), start: start(), cells: row.cells, malformed: row.malformed });
  return rows;
};

/** The same with the text scanned in one piece. */
const foundAtOnce = (list: Buffer, maximumBytes: number): Found[] => {
  const text = textOf(list);
  const { row, scan } = createScanner(COMMA, maximumBytes);
  const rows: Found[] = [];
  for (let at = 0; scan(text, at, true) === 'row'; at = row.next)
    rows.push({ text: text.slice(row.start, row.end), start: row.start, cells: row.cells, malformed: row.malformed });
  return rows;
};

test('finds no rows in an empty buffer', () => {
  expect(createRows(Buffer.alloc(0), COMMA, 100).next()).toBe('end');
});

test('reads a row across two windows', () => {
  const rows = found(Buffer.from(`${'a'.repeat(WINDOW_BYTES - 4)}\nb,"c\nd",e\nf\n`));
  expect(rows.slice(1)).toEqual([
    { text: 'b,"c\nd",e', start: WINDOW_BYTES - 3, cells: 3, malformed: undefined },
    { text: 'f', start: WINDOW_BYTES + 7, cells: 1, malformed: undefined },
  ]);
});

test('reads a row longer than several windows', () => {
  const long = `"${'x,\n'.repeat(WINDOW_BYTES)}"`;
  const rows = found(Buffer.from(`a\n${long},b\nc\n`));
  expect(rows.map(({ cells }) => cells)).toEqual([1, 2, 1]);
  expect(rows[1]?.text).toBe(`${long},b`);
});

test('loses only one row for an unclosed quote far before the end', () => {
  const rows = found(Buffer.from(`"a\n${'b,c\n'.repeat(WINDOW_BYTES)}`));
  expect(rows[0]).toEqual({ text: '"a', start: 0, cells: 1, malformed: 'a quoted cell is not closed' });
  expect(rows).toHaveLength(WINDOW_BYTES + 1);
});

test('reports a row over the limit', () => {
  const { next } = createRows(Buffer.from(`a\n${'b'.repeat(2 * WINDOW_BYTES)}\n`), COMMA, WINDOW_BYTES);
  expect([next(), next()]).toEqual(['row', 'tooLong']);
});

test('reads a row of exactly the limit whose line break is split', () => {
  const line = 'a'.repeat(WINDOW_BYTES / 2 - 1);
  const { next } = createRows(Buffer.from(`${line}\n${line}\r\nb\n`), COMMA, line.length);
  expect([next(), next(), next(), next()]).toEqual(['row', 'row', 'row', 'end']);
});

test('finds the same rows in windows as in one piece', () => {
  const pieces = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(',', '\n', '\r\n', '"', '""', 'a', '\r', 'é') },
    { weight: 1, arbitrary: fc.constantFrom(20_000, 70_000).map((length) => 'x'.repeat(length)) },
    { weight: 1, arbitrary: fc.constantFrom('a,b\n', '"c\n",d\n').map((line) => line.repeat(9_000)) },
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.constantFrom(100_000, 1_000_000), (parts, maximumBytes) => {
      const list = Buffer.from(parts.join(''));
      // Texts are compared faster than ten thousands of objects.
      expect(JSON.stringify(found(list, maximumBytes))).toBe(JSON.stringify(foundAtOnce(list, maximumBytes)));
    }),
    { numRuns: 60 },
  );
});
