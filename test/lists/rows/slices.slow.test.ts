/** Long rows are read in slices. The cells are the same, and the reader yields every few bytes. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { InSlices } from '../../../src/base/time-slices.ts';
import { cellOf, textOf } from '../../../src/files/csv/cell.ts';
import { createScanner, type Dialect, type Scanner } from '../../../src/files/csv/scanner.ts';
import { readColumns, readColumnsInSlices } from '../../../src/lists/columns/columns.ts';
import { findHeader, readHeader } from '../../../src/lists/columns/header.ts';

const COMMA: Dialect = { delimiter: ',', lineBreak: 'lf' };
const MIB = 1024 * 1024;

/** Runs work to its end. @returns the number of yields and the result */
const counted = <T>(work: Generator<void, T>): { readonly yields: number; readonly value: T } => {
  for (let yields = 0; ; yields++) {
    const { done, value } = work.next();
    if (done === true) return { yields, value };
  }
};

const rowOf = ({ row }: Scanner, text: string) => ({
  ...{ start: row.start, end: row.end, next: row.next, blank: row.blank, malformed: row.malformed },
  cells: Array.from({ length: row.cells }, (_, at) => cellOf(text, row, at)),
});

const LONG_CELLS = ['a'.repeat(20_000), ' '.repeat(20_000), `"${'""'.repeat(10_000)}"`, `"${',\n'.repeat(10_000)}"`];
const cell = fc.oneof(
  fc.constantFrom('', 'a', '""', '"x""y"', '"a', '"b"c', '\r', 'é'),
  fc.constantFrom(...LONG_CELLS),
);
const row = fc.oneof(
  fc.array(cell, { maxLength: 6 }).map((cells) => cells.join(',')),
  fc
    .record({ cell, times: fc.integer({ min: 1, max: 20_000 }) })
    .map(({ cell: one, times }) => `${one},`.repeat(one.length > 10 ? 3 : times)),
);

test('a row has the same cells and end when it is read in slices', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.constantFrom(1_000, 30_000, MIB),
      fc.boolean(),
      (rows, lineBreak, maximumBytes, final) => {
        const text = textOf(Buffer.from(rows.join(lineBreak)));
        const dialect: Dialect = { delimiter: ',', lineBreak: lineBreak === '\r' ? 'cr' : 'lf' };
        const [whole, sliced, skipped] = [0, 1, 2].map(() => createScanner(dialect, maximumBytes));
        if (whole === undefined || sliced === undefined || skipped === undefined) throw new Error('no scanner');
        for (let at = 0, scanned = 'row'; scanned === 'row'; at = whole.row.next) {
          scanned = whole.scan(text, at, final);
          expect(counted(sliced.scanInSlices(text, at, final)).value).toBe(scanned);
          expect(counted(skipped.skipInSlices(text, at, final)).value).toBe(scanned);
          if (scanned !== 'row') return;
          expect(rowOf(sliced, text)).toEqual(rowOf(whole, text));
          expect(skipped.row.next).toBe(whole.row.next);
        }
      },
    ),
    { numRuns: 60 },
  );
});

describe.each([
  ['separators', ','.repeat(MIB)],
  ['one unquoted cell', 'x'.repeat(MIB)],
  ['short cells', 'a,'.repeat(MIB / 2)],
  ['empty quoted cells', '"",'.repeat(MIB / 3)],
])('a row of 1 MiB of %s', (_what, text) => {
  test('is interrupted after each 16 KiB', () => {
    const scanner = createScanner(COMMA, MIB);
    const { yields, value } = counted(scanner.scanInSlices(text, 0, true));
    expect(value).toBe('row');
    expect(yields).toBeGreaterThanOrEqual(62);
  });

  test('is too long for a lower limit, and not read beyond it', () => {
    const { yields, value } = counted(createScanner(COMMA, 100_000).scanInSlices(text, 0, false));
    expect(value).toBe('tooLong');
    expect(yields).toBeLessThan(8);
  });
});

test.each([
  ['separators', ','],
  ['quotes', '"'],
  ['a line', 'x'],
  ['odd names', '"a""b",'],
])('a head of megabytes of %s has the same result in slices', async (_what, text) => {
  const bytes = Buffer.from(text.repeat((3 * MIB) / text.length));
  expect(await findHeader(bytes, true, {}, MIB)).toEqual(readHeader(bytes, true, {}, MIB));
});

describe('a header of 16,384 names is read in slices, as it is at once', () => {
  const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `weight lb ${index}`);
  const dialect = { delimiter: ',', lineBreak: 'lf' } as const;
  const slicesOf = <T>(work: InSlices<T>): { slices: number; result: T } => {
    for (let slices = 1; ; slices++) {
      const { done, value } = work.next();
      if (done === true) return { slices, result: value };
    }
  };

  test.each([
    ['with all that is needed', ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'], 2_048],
    ['without the required columns', [], 2_048],
  ])('%s', (_what, fields, least) => {
    const header = [...fields, ...names(16_384 - fields.length)];
    const { slices, result } = slicesOf(readColumnsInSlices(header, dialect, {}, []));
    // Each pass over all names takes 512 slices.
    expect(slices).toBeGreaterThan(least);
    expect(result).toEqual(readColumns(header, dialect, {}, []));
    expect('problems' in result).toBe(fields.length === 0);
  });
});

test.each([
  ['letters', 'order_n'],
  ['separators', ' _-'],
  ['punctuation', '.,;'],
])('a name of a megabyte of %s is not searched for a meaning', (_what, text) => {
  const name = text.repeat(MIB / text.length);
  const dialect = { delimiter: ',', lineBreak: 'lf' } as const;
  const asked = { named: new Map([['postalCode', name.trim()]] as const) };
  const searching = vi.spyOn(String.prototype, 'replaceAll');
  const columns = readColumns(['warehouse_id', name, 'weight_value', 'weight_units'], dialect, asked, [
    ['101', '02139'],
  ]);
  const lengths = searching.mock.contexts.map((searched) => `${searched}`.length);
  searching.mockRestore();
  expect(columns).toMatchObject({ fields: { postalCode: 1 } });
  // The short names are searched. This one is too long.
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(201);
});
