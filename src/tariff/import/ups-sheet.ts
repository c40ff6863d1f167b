/** A sheet of UPS's workbooks, and what its cells say to a person. */
import type { Cell, SheetRow } from './xlsx.ts';

export interface Sheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
}

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
