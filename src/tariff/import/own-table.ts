/** One of our own CSVs as rows, and what its readers share. */
import type { Unreadable } from './reading.ts';

export interface OwnRow {
  /** Of the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface OwnTable {
  /** Column names as they stand in the file, and in lower case with letters and digits alone. */
  readonly titles: readonly string[];
  readonly names: readonly string[];
  readonly rows: readonly OwnRow[];
}

/** A row's cell in the column of that plain name; empty where the row or the table has none. */
export const cellIn = ({ names }: OwnTable, { cells }: OwnRow, name: string): string =>
  cells[names.indexOf(name)] ?? '';

/** The columns whose plain names are none of these, with their places. */
export const otherColumns = ({ titles, names }: OwnTable, known: readonly string[]): { title: string; at: number }[] =>
  titles.flatMap((title, at) => (title === '' || known.includes(names[at] ?? '') ? [] : [{ title, at }]));

export const unreadableCell = (row: OwnRow, column: string, text: string, problem: string): Unreadable => ({
  at: `line ${row.line}, column ${column}`,
  text,
  problem,
});

/** The carrier that a service code begins with: `UPS-GROUND` is UPS's. */
export const carrierOf = (code: string): string => {
  const [prefix = code] = code.split('-');
  return prefix === 'FDX' ? 'FedEx' : prefix;
};
