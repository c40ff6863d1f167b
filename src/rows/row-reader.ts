/** Converts a scanned row to a shipment, by the batch's columns and repairs. Simple rows take the fast path. */

import { bare, cellOf, decodeText } from '../csv/cell.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { Failed, type Result } from '../rating/fault.ts';
import { readShipment, type Shipment } from '../rating/shipment.ts';
import { cellReaders } from './cell-values.ts';
import type { Columns } from './columns.ts';
import { createPlainReader } from './fast-row.ts';
import { columnOf, type Field, fieldIn } from './fields.ts';
import { type Made, type RepairedRow, repairRow } from './repair.ts';
import { type CellReader, restoreFormula, rowBody, WHOLE_COUNT } from './row.ts';
import { weightReader } from './row-weight.ts';

export interface RowReader {
  /** @param number the row's number, for faults. @returns the shipment, which the next call may overwrite */
  readonly read: (number: number) => Result<Shipment>;
  /** The repairs of the last row, and phrases that say them. */
  readonly made: () => readonly Made[];
  readonly notes: () => readonly string[];
  /** Reads the last row's cells as they are in the list. */
  readonly written: CellReader;
  /** Reads the last row's cells as values of a request, after repairs and conversions. */
  readonly cell: CellReader;
}

const NONE: readonly never[] = [];
const PACKAGES_REASON = 'its packages must be a whole number from 1 to 99';

/** The number of cells in a row, without empty surplus cells at its end. */
export const cellsUsed = (row: ScannedRow, { header }: Columns): number => {
  const { starts, ends } = row;
  let used = row.cells;
  // Most empty cells are detected without reading their text: there may be a million.
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
    `${last === undefined ? '' : `; the surplus cells are joined in "${last}"`}: ` +
    'put quotes around a cell that contains the separator'
  );
};

/** @param row the scanner's current row, which changes between reads */
export const createRowReader = (row: ScannedRow, columns: Columns): RowReader => {
  const readPlain = createPlainReader(columns);
  const hasRepairs = columns.repairs.length > 0;
  const readers = cellReaders(columns);
  const weigh = weightReader(columns);
  let repaired: RepairedRow | undefined;
  let weighed: CellReader | undefined;

  const written = (field: Field): string => {
    const index = columnOf(columns.fields, field);
    if (index === undefined) return columns.defaults[field] ?? '';
    const value = decodeText(cellOf(row.text, row, index));
    return fieldIn(columns.fields, field, bare(columns.ownOutput ? restoreFormula(value) : value));
  };

  const inWords: CellReader = (field) => {
    const cell = repaired?.cell(field) ?? written(field);
    const read = cell === '' ? undefined : readers[field];
    return read === undefined ? cell : read(cell);
  };

  const malformed = (): string | undefined =>
    row.malformed ?? (row.cells > columns.header.length ? surplusOf(row, columns) : undefined);

  return {
    read: (number) => {
      repaired = undefined;
      weighed = undefined;
      const reason = malformed();
      if (reason !== undefined) return new Failed({ type: 'row.malformed', row: number, reason });
      const plain = readPlain(row.text, row);
      if (plain !== undefined) return plain;
      if (!WHOLE_COUNT.test(written('packages')))
        return new Failed({ type: 'row.malformed', row: number, reason: PACKAGES_REASON });
      if (hasRepairs) repaired = repairRow(written, columns);
      const weight = weigh?.(inWords);
      if (typeof weight === 'object') return new Failed({ type: 'row.malformed', row: number, reason: weight.reason });
      weighed = weight;
      return readShipment(rowBody(weighed ?? inWords));
    },
    made: () => repaired?.made ?? NONE,
    notes: () => repaired?.notes ?? NONE,
    written,
    cell: (field) => {
      // A row on the fast path has its weight converted only here.
      const weight = weighed ?? weigh?.(inWords);
      if (typeof weight === 'function') weighed = weight;
      return (weighed ?? inWords)(field);
    },
  };
};
