/** XLSX workbooks as rows of cells. They are read in a process of their own, by the reader that reads clients' lists. */
import { z } from 'zod';
import { confinedLines } from './confined-file.ts';

export interface WorkbookLimits {
  /** Of one part, inflated. */
  readonly partBytes: number;
  readonly sheets: number;
  readonly columns: number;
  /** Cells with content, all sheets together. */
  readonly cells: number;
}

export const WORKBOOK_LIMITS: WorkbookLimits = {
  partBytes: 100 * 1024 * 1024,
  sheets: 200,
  columns: 500,
  cells: 2_000_000,
};

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A date is text, `2026-03-04`; null is empty. */
export type Cell = z.output<typeof cell>;

/** A sheet's name, or a row of the sheet that was named last. */
const line = z.union([z.string(), z.tuple([z.number(), z.array(cell)])]);
export type WorkbookLine = z.output<typeof line>;

export interface SheetRow {
  /** As a spreadsheet counts: the first row is 1. */
  readonly number: number;
  /** The first is column A. */
  readonly cells: readonly Cell[];
}

export interface Sheet {
  readonly name: string;
  /** Those that have a cell, from the top. */
  readonly rows: readonly SheetRow[];
}

/** `A` for 0, `AA` for 26. */
const columnLetters = (column: number): string =>
  (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/** A cell's address as a spreadsheet shows it, such as `K57`. */
export const cellAddress = (row: number, column: number): string => `${columnLetters(column)}${row}`;

/** @throws RefusedFile if it is no workbook, is damaged, or is over a limit */
export const readWorkbook = async (
  bytes: Uint8Array,
  signal?: AbortSignal,
  limits: WorkbookLimits = WORKBOOK_LIMITS,
): Promise<readonly Sheet[]> => {
  const sheets: { name: string; rows: SheetRow[] }[] = [];
  const read = { program: 'tariff/import/xlsx-process', task: limits, line, signal };
  for await (const said of confinedLines(bytes, read)) {
    if (typeof said === 'string') sheets.push({ name: said, rows: [] });
    else sheets.at(-1)?.rows.push({ number: said[0], cells: said[1] });
  }
  return sheets;
};

/** A cell's text as a person reads it: without marks (`®`), runs of blanks as one; empty for anything but text. */
export const plainText = (cell: Cell | undefined): string =>
  typeof cell === 'string'
    ? cell
        .replace(/[®™℠]/g, '')
        .replace(/[\s\u00a0]+/g, ' ')
        .trim()
    : '';

/** What stands in a cell, for a report. */
export const shownText = (cell: Cell | undefined): string => (cell ?? '').toString();

export const isBlank = (cell: Cell | undefined): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && plainText(cell) === '');
