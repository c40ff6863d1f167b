/** From a scanned row to its shipment, by the batch's columns and repairs: the short way where the row is plain. */

import { bare, cellOf, decodeText } from '../csv/cell.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { Failed, type Result } from '../rating/fault.ts';
import { readShipment, type Shipment } from '../rating/shipment.ts';
import { cellReaders } from './cell-values.ts';
import type { Columns } from './columns.ts';
import { createPlainReader } from './fast-row.ts';
import type { Field } from './fields.ts';
import { mendRow } from './repair.ts';
import { type CellReader, rowBody, takenBack, WHOLE_COUNT } from './row.ts';
import { weightReader } from './row-weight.ts';

export interface RowReader {
  /** @param number of the row, for its fault. @returns the shipment, which the next call may overwrite */
  readonly read: (number: number) => Result<Shipment>;
  /** What was mended in the row that was read last. */
  readonly notes: () => readonly string[];
  /** Reads that row's cells as the list has them. */
  readonly written: CellReader;
  /** Reads that row's cells as a request's values: mended, words and weights read. */
  readonly cell: CellReader;
}

const NONE: readonly string[] = [];
const PACKAGES_REASON = 'its packages must be a whole number from 1 to 99';

/** How many cells a row has, without empty ones at its end that the header has no columns for. */
export const cellsUsed = (row: ScannedRow, { header }: Columns): number => {
  const { starts, ends } = row;
  let used = row.cells;
  // Most empty cells are told without their text: there may be a million.
  const isEmpty = (at: number): boolean => starts[at] === ends[at] || cellOf(row.text, row, at) === '';
  while (used > header.length && isEmpty(used - 1)) used -= 1;
  return used;
};

const surplusOf = (row: ScannedRow, columns: Columns): string | undefined => {
  const used = cellsUsed(row, columns);
  const { header, passed } = columns;
  if (used <= header.length) return undefined;
  const last = header[passed.at(-1) ?? -1];
  return (
    `it has ${used} cells and the header has ${header.length}` +
    `${last === undefined ? '' : `; the last of them stand together in "${last}"`}: ` +
    'put a cell that holds the separator in quotes'
  );
};

/** @param row the row under the scanner, which moves on between reads */
export const createRowReader = (row: ScannedRow, columns: Columns): RowReader => {
  const readPlain = createPlainReader(columns);
  const mends = columns.repairs.length > 0;
  const readers = cellReaders(columns);
  const weigh = weightReader(columns);
  let mended: { readonly cell: CellReader; readonly notes: readonly string[] } | undefined;
  let weighed: CellReader | undefined;

  const written = (field: Field): string => {
    const index = columns.fields[field];
    if (index === undefined) return columns.defaults[field] ?? '';
    const value = decodeText(cellOf(row.text, row, index));
    return bare(columns.ownOutput ? takenBack(value) : value);
  };

  const inWords: CellReader = (field) => {
    const cell = mended?.cell(field) ?? written(field);
    const read = cell === '' ? undefined : readers[field];
    return read === undefined ? cell : read(cell);
  };

  const malformed = (): string | undefined =>
    row.malformed ?? (row.cells > columns.header.length ? surplusOf(row, columns) : undefined);

  return {
    read: (number) => {
      mended = undefined;
      weighed = undefined;
      const reason = malformed();
      if (reason !== undefined) return new Failed({ type: 'row.malformed', row: number, reason });
      const plain = readPlain(row.text, row);
      if (plain !== undefined) return plain;
      if (!WHOLE_COUNT.test(written('packages')))
        return new Failed({ type: 'row.malformed', row: number, reason: PACKAGES_REASON });
      if (mends) mended = mendRow(written, columns);
      const weight = weigh?.(inWords);
      if (typeof weight === 'object') return new Failed({ type: 'row.malformed', row: number, reason: weight.reason });
      weighed = weight;
      return readShipment(rowBody(weighed ?? inWords));
    },
    notes: () => mended?.notes ?? NONE,
    written,
    cell: (field) => {
      // A row that was read the short way has its weight read for who asks.
      const weight = weighed ?? weigh?.(inWords);
      if (typeof weight === 'function') weighed = weight;
      return (weighed ?? inWords)(field);
    },
  };
};
