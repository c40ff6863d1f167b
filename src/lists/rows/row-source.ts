/**
 * Goes through a run of whole rows, with what reads and writes them. A row that a correction has replaced is read from the
 * correction.
 */

import { must } from '../../base/must.ts';
import type { ByteWriter } from '../../files/csv/byte-writer.ts';
import { OWN_DIALECT } from '../../files/csv/map-rows.ts';
import { createRows } from '../../files/csv/rows.ts';
import { createScanner, type ScannedRow } from '../../files/csv/scanner.ts';
import type { Columns } from '../columns/columns.ts';
import { createOrderJoiner, type OrderRow, type RowOutcome } from './order-lines.ts';
import { createPassedCells } from './passed-cells.ts';
import { createRowReader, type RowReader } from './row-reader.ts';

/** Rows that corrections have replaced: their lines by number, in the form of `correctedLine`. */
export type CorrectedRows = ReadonlyMap<number, string>;

/** What to read, and how. */
export interface RowSourceContext {
  readonly columns: Columns;
  readonly maximumRowBytes: number;
  /** The numbers of rows that are not rated, because rating them ended the process. */
  readonly poisonRows?: ReadonlySet<number> | undefined;
  readonly corrected?: CorrectedRows | undefined;
  /** The first row of each piece of an order whose rows are not consecutive, from the plan. */
  readonly apart?: readonly number[] | undefined;
}

/** The current row. The next one overwrites it. */
export interface SourceRow {
  readonly reader: RowReader;
  /** Reads the outcome of the row. In lists of order lines, it comes from the whole order. */
  readonly read: (number: number) => RowOutcome;
  /** Writes the cells that pass through, without a comma after them. */
  readonly writePassed: (into: ByteWriter) => void;
}

type See = (row: SourceRow, number: number) => void;

/**
 * @param bytes whole rows
 * @param firstRow the number of the first row, from 1
 */
export const createRowSource = (
  bytes: Buffer,
  firstRow: number,
  { columns, maximumRowBytes, poisonRows, corrected, apart }: RowSourceContext,
  keepFormulas: boolean,
) => {
  const sourceRow = (row: ScannedRow, own: Columns): SourceRow => {
    const reader = createRowReader(row, own, poisonRows);
    return { reader, read: reader.read, writePassed: createPassedCells(row, own, keepFormulas) };
  };

  /** Goes through the rows from the first one. */
  const openRows = () => {
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
      row,
      /** Scans at most `rows` more rows, and passes those that are not blank to `see`. @returns false when no rows remain */
      step: (rows: number, see: See): boolean => {
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

  const rows = openRows();
  if (columns.orders === undefined) return { step: rows.step };

  const ahead = openRows();
  const joiner = createOrderJoiner(columns, new Set(apart));
  let order: readonly OrderRow[] = [];
  let at = 0;
  /** Returns the outcome of the next row. Reads ahead to the end of its order. */
  const nextOutcome = (): RowOutcome => {
    at += 1;
    while (at >= order.length) {
      order = [];
      at = 0;
      const isMore = ahead.step(1, ({ reader }, number) => {
        order = joiner.add(ahead.row, reader, number);
      });
      if (isMore) continue;
      order = joiner.end();
      break;
    }
    return must(order[at], 'a row of an order').outcome;
  };
  const seenBy =
    (see: See): See =>
    (row, number) => {
      const outcome = nextOutcome();
      // The row has its own repairs, even if another row has the outcome of its order.
      const read = (): RowOutcome => {
        row.reader.values(number);
        return outcome;
      };
      see({ ...row, read }, number);
    };
  return { step: (count: number, see: See): boolean => rows.step(count, seenBy(see)) };
};
