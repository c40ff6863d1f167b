/** From a scanned row to its shipment, by the batch's columns and repairs: the short way where the row is plain. */
import type { Fault } from '../rating/fault.ts';
import { readShipment, type Shipment } from '../rating/shipment.ts';
import type { Columns } from './columns.ts';
import { cellOf, decodeText } from './csv.ts';
import type { Field } from './fields.ts';
import { createPlainReader } from './plain-row.ts';
import { mendRow } from './repair.ts';
import { type CellReader, rowBody, takenBack, WHOLE_QUANTITY } from './row.ts';
import type { ScannedRow } from './scanner.ts';

export interface RowReader {
  /** @param number of the row, for its fault. @returns the shipment, which the next call may overwrite */
  readonly read: (number: number) => Shipment | Fault;
  /** What was mended in the row that was read last. */
  readonly notes: () => readonly string[];
  /** Reads that row's cells, mended. */
  readonly cell: CellReader;
}

const NONE: readonly string[] = [];

const surplusOf = (row: ScannedRow, columns: Columns): string | undefined => {
  for (let i = columns.header.length; i < row.cells; i++)
    if (cellOf(row.text, row, i) !== '') return `it has ${row.cells} cells and the header has ${columns.header.length}`;
  return undefined;
};

/** @param row the row under the scanner, which moves on between reads */
export const createRowReader = (row: ScannedRow, columns: Columns): RowReader => {
  const readPlain = createPlainReader(columns);
  const mends = columns.repairs.length > 0;
  let mended: { readonly cell: CellReader; readonly notes: readonly string[] } | undefined;

  const written = (field: Field): string => {
    const index = columns.fields[field];
    if (index === undefined) return columns.defaults[field] ?? '';
    const value = decodeText(cellOf(row.text, row, index));
    return columns.ownOutput ? takenBack(value) : value;
  };

  const malformed = (): string | undefined =>
    row.malformed ?? (row.cells > columns.header.length ? surplusOf(row, columns) : undefined);

  return {
    read: (number) => {
      mended = undefined;
      const reason = malformed();
      if (reason !== undefined) return { type: 'row.malformed', row: number, reason };
      const plain = readPlain(row.text, row);
      if (plain !== undefined) return plain;
      if (!WHOLE_QUANTITY.test(written('quantity')))
        return { type: 'row.malformed', row: number, reason: 'its quantity must be a whole number from 1 to 99' };
      if (mends) mended = mendRow(written, columns);
      return readShipment(rowBody(mended?.cell ?? written));
    },
    notes: () => mended?.notes ?? NONE,
    cell: (field) => (mended?.cell ?? written)(field),
  };
};
