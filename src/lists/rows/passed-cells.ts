/** The input's own cells in the output. They pass through unchanged, except formulas, which are defused (contract, CSV). */

import { missing, must } from '../../base/must.ts';
import type { ByteWriter } from '../../files/csv/byte-writer.ts';
import { cellOf, decodeText, encodeText, writeCell } from '../../files/csv/cell.ts';
import { BYTE, END, type ScannedRow, START } from '../../files/csv/scanned-row.ts';
import { createFinder } from '../../files/csv/scanner.ts';
import type { Columns } from '../columns/columns.ts';
import { isFormula, MAY_BE_FORMULA } from './row.ts';
import { cellsUsed } from './row-reader.ts';

const COMMA = Buffer.from(',');

/** Writes a cell of the scanner's text so that no spreadsheet runs it as a formula. */
export const defused = (raw: string): string => {
  if (!MAY_BE_FORMULA[raw.charCodeAt(0)]) return writeCell(raw);
  return isFormula(decodeText(raw)) ? writeCell(`'${raw}`) : writeCell(raw);
};

/** Returns the function that writes cells that pass through. */
export const cellForm = (keepFormulas: boolean): ((raw: string) => string) => (keepFormulas ? writeCell : defused);

/** Returns the header cells of the columns that pass through, as the scanner's text. Names may be formulas too. */
export const passedNames = (columns: Columns, keepFormulas: boolean): readonly string[] =>
  columns.passed
    .map((index) => encodeText(must(columns.header[index], 'the name of a column')))
    .map(cellForm(keepFormulas));

/** Returns a test for rows whose bytes can be copied to the output unchanged. */
const createCanonicalTest = (row: ScannedRow, columns: Columns, keepFormulas: boolean): (() => boolean) => {
  const { dialect, header, passed } = columns;
  const nextQuote = createFinder('"');
  const nextCr = createFinder('\r');
  if (passed.length !== header.length || dialect.delimiter !== ',' || dialect.lineBreak !== 'lf') return () => false;
  return () => {
    // A quote in a cell may need doubling, and other programs would read a lone CR as a line break.
    if (row.cells !== header.length) return false;
    if (nextQuote(row.text, row.start) < row.end || nextCr(row.text, row.start) < row.end) return false;
    if (keepFormulas) return true;
    for (let i = 0; i < row.cells; i++) {
      const start = row.starts[i] ?? missing(START);
      if (start < (row.ends[i] ?? missing(END)) && MAY_BE_FORMULA[row.bytes[start] ?? missing(BYTE)]) return false;
    }
    return true;
  };
};

const NEEDS_QUOTES: readonly boolean[] = Array.from({ length: 256 }, (_, code) =>
  '",\r\n'.includes(String.fromCharCode(code)),
);

/** Whether a cell's bytes can be copied to the output unchanged. */
const isPlain = (bytes: Uint8Array, start: number, end: number, keepFormulas: boolean): boolean => {
  if (!keepFormulas && start < end && MAY_BE_FORMULA[bytes[start] ?? missing(BYTE)]) return false;
  for (let at = start; at < end; at++) if (NEEDS_QUOTES[bytes[at] ?? missing(BYTE)]) return false;
  return true;
};

/** Joins the last cell of a row and its surplus cells as CSV, so that nothing is lost. */
const withSurplus = (row: ScannedRow, columns: Columns, last: number, used: number): string => {
  const surplus = Array.from({ length: used - columns.header.length }, (_, at) => columns.header.length + at);
  return [last, ...surplus].map((column) => writeCell(cellOf(row.text, row, column))).join(',');
};

/** Writes the input's cells in the form of the output. */
const writeCells = (into: ByteWriter, row: ScannedRow, columns: Columns, keepFormulas: boolean): void => {
  const { passed, header } = columns;
  const used = row.cells > header.length ? cellsUsed(row, columns) : row.cells;
  for (let i = 0; i < passed.length; i++) {
    const column = passed[i] ?? missing('a column to pass');
    if (i > 0) into.bytes(COMMA);
    if (column >= row.cells) continue;
    if (used > header.length && i === passed.length - 1) {
      const raw = withSurplus(row, columns, column, used);
      into.text(cellForm(keepFormulas)(raw));
      continue;
    }
    const start = row.starts[column] ?? missing(START);
    const end = row.ends[column] ?? missing(END);
    if (isPlain(row.bytes, start, end, keepFormulas)) into.bytes(row.bytes, start, end);
    else {
      const raw = cellOf(row.text, row, column);
      into.text(cellForm(keepFormulas)(raw));
    }
  }
};

/**
 * @param row the scanner's current row, which changes between calls
 * @returns a function that writes the current row's cells, without a trailing comma
 */
export const createPassedCells = (
  row: ScannedRow,
  columns: Columns,
  keepFormulas: boolean,
): ((into: ByteWriter) => void) => {
  const isCanonical = createCanonicalTest(row, columns, keepFormulas);
  return (into) => {
    if (isCanonical()) into.bytes(row.bytes, row.start, row.end);
    else writeCells(into, row, columns, keepFormulas);
  };
};
