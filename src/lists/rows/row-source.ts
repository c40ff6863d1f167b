/**
 * The rows of a run of whole rows, with what reads and writes them. A row that corrections have replaced is read from its
 * correction, in its place.
 */

import type { ByteWriter } from '../../files/csv/byte-writer.ts';
import { OWN_DIALECT } from '../../files/csv/map-rows.ts';
import { createRows } from '../../files/csv/rows.ts';
import { createScanner, type ScannedRow } from '../../files/csv/scanner.ts';
import type { Columns } from '../columns/columns.ts';
import { createPassedCells } from './passed-cells.ts';
import { createRowReader, type RowReader } from './row-reader.ts';

/** Rows that corrections have replaced: their lines by number, in the form of `correctedLine`. */
export type CorrectedRows = ReadonlyMap<number, string>;

/** What is read, and how. */
export interface RowSourceContext {
  readonly columns: Columns;
  readonly maximumRowBytes: number;
  /** The numbers of rows that are not rated, because rating them ended the process. */
  readonly poisonRows?: ReadonlySet<number> | undefined;
  readonly corrected?: CorrectedRows | undefined;
}

/** The current row. The next one overwrites it. */
export interface SourceRow {
  readonly reader: RowReader;
  /** Writes the cells that pass through, without a comma after them. */
  readonly writePassed: (into: ByteWriter) => void;
}

/**
 * @param bytes whole rows
 * @param firstRow the number of the first row, from 1
 */
export const createRowSource = (
  bytes: Buffer,
  firstRow: number,
  { columns, maximumRowBytes, poisonRows, corrected }: RowSourceContext,
  keepFormulas: boolean,
) => {
  const sourceRow = (row: ScannedRow, own: Columns): SourceRow => ({
    reader: createRowReader(row, own, poisonRows),
    writePassed: createPassedCells(row, own, keepFormulas),
  });
  const { row, next } = createRows(bytes, columns.dialect, maximumRowBytes);
  const listed = sourceRow(row, columns);
  // A correction may be longer than its row was in the upload: it has quotes where they are needed.
  const corrections = createScanner(OWN_DIALECT, Number.MAX_SAFE_INTEGER);
  const mended = sourceRow(corrections.row, { ...columns, dialect: OWN_DIALECT });
  let number = firstRow;

  const current = (): SourceRow => {
    const line = corrected?.get(number);
    if (line === undefined) return listed;
    corrections.scan(line, 0, true);
    return mended;
  };

  return {
    /** Scans at most `rows` more rows, and shows those that are not blank. @returns false when no rows remain */
    step: (rows: number, see: (row: SourceRow, number: number) => void): boolean => {
      for (let left = rows; left > 0; left -= 1) {
        const scanned = next();
        if (scanned === 'end') return false;
        if (scanned !== 'row') throw new Error(`Row ${number} is over the limit, but the plan accepted it.`);
        if (row.blank) continue;
        see(current(), number);
        number += 1;
      }
      return true;
    },
  };
};
