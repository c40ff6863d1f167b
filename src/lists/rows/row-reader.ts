/** Converts a scanned row to a shipment, by the batch's columns and repairs. Simple rows take the fast path. */

import { Failed } from '../../base/failed.ts';
import { bare, cellOf, decodeText } from '../../files/csv/cell.ts';
import type { ScannedRow } from '../../files/csv/scanner.ts';
import type { Fault, Result } from '../../rating/fault.ts';
import { readShipment, type Shipment } from '../../rating/shipment.ts';
import { plainNumbers } from '../columns/cell-forms.ts';
import { cellReaders } from '../columns/cell-values.ts';
import type { Columns } from '../columns/columns.ts';
import { columnOf, type Field, fieldIn, SIDES } from '../columns/fields.ts';
import { createPlainReader } from './fast-row.ts';
import { changesCells, type Made, type RepairedRow, repairRow } from './repair.ts';
import { type CellReader, miscounted, restoreFormula, rowBody, WHOLE_COUNT } from './row.ts';
import { sidesReader, type Unread, weightReader } from './row-weight.ts';

const [ZERO, NINE] = [48, 57];
const NONE: readonly never[] = [];
/** A hint for a stray quote. */
export const QUOTES_HINT = '; if the list quotes no cells, use ?quotes=none';
const POISON_REASON = 'the program fails whenever it rates this row';
const PACKAGES_REASON = 'its packages must be a whole number from 1 to 99';

/** Returns the number of cells in a row, without empty surplus cells at its end. */
export const cellsUsed = (row: ScannedRow, { header }: Columns): number => {
  const { starts, ends } = row;
  let used = row.cells;
  // Most empty cells are detected without reading their text, because there may be a million.
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

/**
 * @param row the scanner's current row, which changes between reads
 * @param poisonRows the numbers of rows that are not read, because rating them ended the process
 */
export const createRowReader = (row: ScannedRow, columns: Columns, poisonRows?: ReadonlySet<number>) => {
  const readPlain = createPlainReader(columns);
  const hasRepairs = changesCells(columns);
  const readers = cellReaders(columns);
  const weigh = weightReader(columns);
  const sized = sidesReader(columns);
  const { decimal, fields } = columns;
  let repaired: RepairedRow | undefined;
  let converted: CellReader | undefined;

  /** Reads the last row's cells as they are in the list. */
  const written: CellReader = (field) => {
    const index = columnOf(columns.fields, field);
    if (index === undefined) return columns.defaults[field] ?? '';
    const value = decodeText(cellOf(row.text, row, index));
    return fieldIn(columns.fields, field, bare(columns.ownOutput ? restoreFormula(value) : value));
  };

  /** Reads cells with their numbers in a request's form. A value for all rows already has this form. */
  const plain: CellReader =
    decimal === undefined
      ? written
      : (field) =>
          columnOf(fields, field) === undefined ? written(field) : plainNumbers(field, written(field), decimal);

  const inWords: CellReader = (field) => {
    const cell = repaired?.cell(field) ?? plain(field);
    const read = cell === '' ? undefined : readers[field];
    return read === undefined ? cell : read(cell);
  };

  /** Whether a cell ends with anything but a digit. For most rows, this check of the last byte is enough. */
  const mayStateUnit = (field: Field): boolean => {
    const index = columnOf(fields, field) ?? row.cells;
    if (index >= row.cells) return false;
    const [start = 0, end = 0] = [row.starts[index], row.ends[index]];
    const last = row.bytes[end - 1] ?? 0;
    return end > start && (last < ZERO || last > NINE);
  };

  /** Returns the cells with converted weights and sides, or the reason why they cannot be read. */
  const measured = (): CellReader | Unread => {
    const weight = weigh?.(inWords) ?? inWords;
    return typeof weight === 'function' && sized !== undefined && SIDES.some(mayStateUnit) ? sized(weight) : weight;
  };

  const malformed = (number: number): string | undefined => {
    if (poisonRows?.has(number) === true) return POISON_REASON;
    if (row.malformed !== undefined) return `${row.malformed}${QUOTES_HINT}`;
    return row.cells > columns.header.length ? surplusOf(row, columns) : undefined;
  };

  const failed = (row: number, reason: string, about?: Field) =>
    new Failed<Fault>({ type: 'row.malformed', row, reason, about });

  /** Forgets the previous row. @returns why the row cannot be read at all, if it cannot */
  const begin = (number: number): string | undefined => {
    repaired = undefined;
    converted = undefined;
    return malformed(number);
  };

  const valuesOf = (number: number): Result<CellReader> => {
    if (!WHOLE_COUNT.test(plain('packages'))) return failed(number, PACKAGES_REASON, 'packages');
    if (hasRepairs) repaired = repairRow(plain, columns);
    const cells = measured();
    if (typeof cells === 'object') return failed(number, cells.reason, cells.about);
    converted = cells;
    const reason = miscounted(cells);
    return reason === undefined ? cells : failed(number, reason, 'packages');
  };

  return {
    /** The scanner's row. */
    row,
    /** @param number the row's number, for faults. @returns the shipment, which the next call may overwrite */
    read: (number: number): Result<Shipment> => {
      const reason = begin(number);
      if (reason !== undefined) return failed(number, reason);
      const shipment = readPlain(row.text, row);
      if (shipment !== undefined) return shipment;
      const cells = valuesOf(number);
      return cells instanceof Failed ? cells : readShipment(rowBody(cells));
    },
    /** Reads the row's cells as values of a request, without checking them. */
    values: (number: number): Result<CellReader> => {
      const reason = begin(number);
      return reason === undefined ? valuesOf(number) : failed(number, reason);
    },
    /** The repairs of the last row, and phrases that describe them. */
    made: (): readonly Made[] => repaired?.made ?? NONE,
    notes: (): readonly string[] => repaired?.notes ?? NONE,
    written,
    /** Reads the last row's cells as values of a request, after repairs and conversions. */
    cell: (field: Field): string => {
      // The measures of a row on the fast path are converted only here.
      const cells = converted ?? measured();
      if (typeof cells === 'function') converted = cells;
      return (converted ?? inWords)(field);
    },
  };
};

export type RowReader = ReturnType<typeof createRowReader>;
