/** Reads XLSX workbooks as rows of cells. A separate process parses them with the same code as clients' lists. */
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { fileOf } from '../../base/process/programs.ts';
import { letters } from '../../files/xlsx/cell-writer.ts';
import { parseInSandbox } from './reader.ts';

export interface WorkbookLimits {
  /** The inflated size of one part. */
  readonly partBytes: number;
  readonly sheets: number;
  readonly columns: number;
  /** Cells with content, in all sheets together. */
  readonly cells: number;
}

/** The task for the process. */
export interface WorkbookTask extends WorkbookLimits {
  /** Whether numbers with a percent format become text (`18.5%`), and sheets include their merged ranges and hidden rows. */
  readonly asGrid?: boolean;
}

export const WORKBOOK_LIMITS: WorkbookLimits = {
  partBytes: 100 * 1024 * 1024,
  sheets: 200,
  columns: 500,
  cells: 2_000_000,
};

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** A date becomes text, `2026-03-04`. An empty cell is null. */
export type Cell = z.output<typeof cell>;

/** The name of a sheet, or a row of the last named sheet, or its merged ranges and hidden rows. */
const line = z.union([
  z.string(),
  z.tuple([z.number(), z.array(cell)]),
  z.strictObject({ merged: z.array(z.string()), hidden: z.array(z.number()) }),
]);
export type WorkbookLine = z.output<typeof line>;

export interface SheetRow {
  /** The first row is 1, as in a spreadsheet program. */
  readonly number: number;
  /** The first cell is in column A. */
  readonly cells: readonly Cell[];
}

export interface Sheet {
  readonly name: string;
  /** The rows that have cells, from the top. */
  readonly rows: readonly SheetRow[];
  /** Such as `B2:D2`, if requested. */
  readonly merged?: readonly string[];
  /** The numbers of hidden rows, if requested. */
  readonly hidden?: readonly number[];
}

/** A cell's address as a spreadsheet program shows it, such as `K57`. */
export const cellAddress = (row: number, column: number): string => `${letters(column)}${row}`;

/** @throws RefusedFile if the file is not a workbook, is damaged or is over a limit */
export const readWorkbook = async (
  bytes: Uint8Array,
  signal?: AbortSignal,
  limits: WorkbookTask = WORKBOOK_LIMITS,
): Promise<readonly Sheet[]> => {
  const sheets: (Omit<Sheet, 'rows'> & { rows: SheetRow[] })[] = [];
  const parser = { program: fileOf('import/read/xlsx-process'), task: limits, line, signal };
  for await (const part of parseInSandbox(bytes, parser)) {
    if (typeof part === 'string') sheets.push({ name: part, rows: [] });
    else {
      const sheet = must(sheets.at(-1), 'the sheet of a row');
      if ('merged' in part) Object.assign(sheet, part);
      else sheet.rows.push({ number: part[0], cells: part[1] });
    }
  }
  return sheets;
};

/** A cell's text without marks (`®`) and with single spaces. Empty for anything but text. */
export const plainText = (cell: Cell | undefined): string =>
  typeof cell === 'string'
    ? cell
        .replace(/[®™℠]/g, '')
        .replace(/[\s\u00a0]+/g, ' ')
        .trim()
    : '';

/** A cell's content, for a report. */
export const shownText = (cell: Cell | undefined): string => (cell ?? '').toString();

export const isBlank = (cell: Cell | undefined): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && plainText(cell) === '');
