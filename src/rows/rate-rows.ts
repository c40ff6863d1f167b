/**
 * Rates a run of whole rows: from input bytes to the rows of the output and of the faults file. It is pure and can be paused,
 * so that the caller can yield between slices. The same rows give the same bytes regardless of the chunks.
 */

import { type ByteWriter, createByteWriter } from '../csv/byte-writer.ts';
import { cellOf, decodeText, encodeText, writeCell } from '../csv/cell.ts';
import { createRows } from '../csv/rows.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { createFinder } from '../csv/scanner.ts';
import { must } from '../must.ts';
import type { RateBook, Shipper } from '../rating/card.ts';
import { Failed, type Result } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import { type Rated, rateShipment } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import type { Columns } from './columns.ts';
import { createExtraCells } from './extra-cells.ts';
import { addedColumns, type OutputFormat, PLAIN_FORMAT } from './output-format.ts';
import { faultCells, isFormula, MAY_BE_FORMULA, writeQuote, writeWarnings } from './row.ts';
import { cellsUsed, createRowReader } from './row-reader.ts';
import { createTally, type Tally } from './tally.ts';

/** Everything needed to rate a batch's rows. */
export interface RatingContext {
  readonly columns: Columns;
  readonly shipper: Shipper;
  /** The cards in force on a `shipDate`, or on the batch's own day if the row has none. */
  readonly bookOn: (shipDate: string | undefined) => RateBook;
  readonly maximumRowBytes: number;
  /** The optional columns of the output. Absent: none. */
  readonly format?: OutputFormat;
  /** The numbers of rows that are not rated, because rating them ended the process. */
  readonly poisonRows?: ReadonlySet<number> | undefined;
  /** The most bytes of output and faults together. Absent: no limit. */
  readonly mostBytes?: number | undefined;
}

/** The output exceeds its limit. */
export class OutputTooLarge extends Error {
  /** The number of the row that exceeds it. */
  readonly row: number;
  constructor(row: number) {
    super(`the output is too large from row ${row} on`);
    this.name = 'OutputTooLarge';
    this.row = row;
  }
}

export interface RatedRows {
  /** The rows of the output, without the header. */
  readonly output: Buffer;
  /** The rows that have a fault. */
  readonly faults: Buffer;
  readonly tally: Tally;
}

/** Empty writers for the result. */
export interface RatedInto {
  readonly output: ByteWriter;
  readonly faults: ByteWriter;
}

export interface Rater {
  /** Rates at most `rows` more rows. @returns false when no rows remain */
  readonly step: (rows: number) => boolean;
  readonly result: () => RatedRows;
}

const COMMA = Buffer.from(',');
const LINE_BREAK = Buffer.from('\n');

const defused = (raw: string): string => {
  if (!MAY_BE_FORMULA[raw.charCodeAt(0)]) return writeCell(raw);
  return isFormula(decodeText(raw)) ? writeCell(`'${raw}`) : writeCell(raw);
};

/** The output's header row, as the scanner's text. The input's names may be formulas too, so they are defused. */
const outputHeader = (columns: Columns, format: OutputFormat = PLAIN_FORMAT): string => {
  const names = columns.passed.map((index) => encodeText(must(columns.header[index], 'the name of a column')));
  const cells = names.map(format.keepFormulas ? writeCell : defused);
  return `${[...cells, ...addedColumns(columns, format).map(writeCell)].join(',')}\n`;
};

/** Creates a test whether a row's bytes can be copied to the output unchanged. */
const createCanonicalTest = (row: ScannedRow, columns: Columns, keepFormulas: boolean): (() => boolean) => {
  const { dialect, header, passed } = columns;
  const nextQuote = createFinder('"');
  const nextCr = createFinder('\r');
  if (passed.length !== header.length || dialect.delimiter !== ',' || dialect.lineBreak !== 'lf') return () => false;
  return () => {
    // A quote in a cell may need doubling, and other programs would read a lone CR as a line break.
    if (row.cells !== header.length) return false;
    if (nextQuote(row.text, row.start) < row.end || nextCr(row.text, row.start) < row.end) return false;
    if (keepFormulas) return true;
    for (let i = 0; i < row.cells; i++) {
      const start = row.starts[i] ?? 0;
      if (start < (row.ends[i] ?? 0) && MAY_BE_FORMULA[row.bytes[start] ?? 0]) return false;
    }
    return true;
  };
};

const NEEDS_QUOTES: readonly boolean[] = Array.from({ length: 256 }, (_, code) =>
  '",\r\n'.includes(String.fromCharCode(code)),
);

/** Whether a cell's bytes can be copied to the output unchanged. */
const isPlain = (bytes: Uint8Array, start: number, end: number, keepFormulas: boolean): boolean => {
  if (!keepFormulas && start < end && MAY_BE_FORMULA[bytes[start] ?? 0]) return false;
  for (let at = start; at < end; at++) if (NEEDS_QUOTES[bytes[at] ?? 0]) return false;
  return true;
};

/** The last cell of a row and its surplus cells, joined as CSV, so that nothing is lost. */
const withSurplus = (row: ScannedRow, columns: Columns, last: number, used: number): string => {
  const surplus = Array.from({ length: used - columns.header.length }, (_, at) => columns.header.length + at);
  return [last, ...surplus].map((column) => writeCell(cellOf(row.text, row, column))).join(',');
};

/** Writes the input's cells in the form of the output. */
const writeCells = (into: ByteWriter, row: ScannedRow, columns: Columns, keepFormulas: boolean): void => {
  const { passed, header } = columns;
  const used = row.cells > header.length ? cellsUsed(row, columns) : row.cells;
  for (let i = 0; i < passed.length; i++) {
    const column = passed[i] ?? 0;
    if (i > 0) into.bytes(COMMA);
    if (column >= row.cells) continue;
    if (used > header.length && i === passed.length - 1) {
      const raw = withSurplus(row, columns, column, used);
      into.text(keepFormulas ? writeCell(raw) : defused(raw));
      continue;
    }
    const start = row.starts[column] ?? 0;
    const end = row.ends[column] ?? 0;
    if (isPlain(row.bytes, start, end, keepFormulas)) into.bytes(row.bytes, start, end);
    else {
      const raw = cellOf(row.text, row, column);
      into.text(keepFormulas ? writeCell(raw) : defused(raw));
    }
  }
};

const cheapestOf = ({ prices }: Rated): Price => {
  const [cheapest] = prices;
  if (cheapest === undefined) throw new Error('A rated shipment has no price.');
  return cheapest;
};

/** The offsets of the rows, without blank rows. */
export const rowStarts = (bytes: Buffer, { columns, maximumRowBytes }: RatingContext): number[] => {
  const { row, next, start } = createRows(bytes, columns.dialect, maximumRowBytes);
  const starts: number[] = [];
  while (next() === 'row') if (!row.blank) starts.push(start());
  return starts;
};

/**
 * @param bytes whole rows
 * @param firstRow the number of the first row, from 1
 * @param into the writers for the result, which is valid until they are cleared
 */
export const createRater = (bytes: Buffer, firstRow: number, context: RatingContext, into?: RatedInto): Rater => {
  const { columns, shipper, format = PLAIN_FORMAT, mostBytes = Number.POSITIVE_INFINITY } = context;
  const { keepFormulas } = format;
  // Only the columns of services need prices that are not the cheapest.
  const cheapestOnly = format.services.length === 0;
  const extraCells = createExtraCells(format, context);
  const { row, next } = createRows(bytes, columns.dialect, context.maximumRowBytes);
  const reader = createRowReader(row, columns);
  const hasRepairs = columns.repairs.length > 0;
  const tally = createTally();
  const isCanonical = createCanonicalTest(row, columns, keepFormulas);
  const shipmentOf = (): Result<Shipment> =>
    context.poisonRows?.has(number) === true
      ? new Failed({ type: 'row.malformed', row: number, reason: 'the program fails whenever it rates this row' })
      : reader.read(number);
  const output = into?.output ?? createByteWriter(bytes.length * 2);
  const faults = into?.faults ?? createByteWriter(0);
  let number = firstRow;

  const rateRow = (): void => {
    const begun = output.length;
    const shipment = shipmentOf();
    const outcome =
      shipment instanceof Failed
        ? shipment
        : rateShipment(shipment, context.bookOn(shipment.shipDate), shipper, cheapestOnly);
    if (isCanonical()) output.bytes(row.bytes, row.start, row.end);
    else writeCells(output, row, columns, keepFormulas);
    output.bytes(COMMA);
    output.integer(number);
    const price = outcome instanceof Failed ? undefined : cheapestOf(outcome);
    if (outcome instanceof Failed) output.text(faultCells(outcome.fault));
    else if (price !== undefined) writeQuote(output, price);
    if (hasRepairs) output.text(`,${encodeText(writeCell(reader.notes().join('; ')))}`);
    if (extraCells !== undefined) output.text(extraCells(shipment instanceof Failed ? undefined : shipment, outcome));
    if (format.warnings) writeWarnings(output, price);
    output.bytes(LINE_BREAK);
    if (outcome instanceof Failed) {
      tally.faulted(outcome.fault);
      output.repeat(faults, begun);
    } else tally.quoted(cheapestOf(outcome), !(shipment instanceof Failed) && shipment.shippingService === undefined);
    if (output.length + faults.length > mostBytes) throw new OutputTooLarge(number);
    number += 1;
  };

  /** @returns whether there may be more rows */
  const step = (rows: number): boolean => {
    for (let left = rows; left > 0; ) {
      const scanned = next();
      if (scanned === 'end') return false;
      if (scanned !== 'row') throw new Error(`Row ${number} is over the limit, but the plan accepted it.`);
      if (row.blank) continue;
      rateRow();
      left -= 1;
    }
    return true;
  };

  return { step, result: () => ({ output: output.result(), faults: faults.result(), tally: tally.result() }) };
};

/** The output's header row as bytes. */
export const outputHeaderBytes = (columns: Columns, format?: OutputFormat): Buffer =>
  Buffer.from(outputHeader(columns, format), 'latin1');
