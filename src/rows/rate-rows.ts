/**
 * Rates a run of whole rows: bytes in, the rows of the output and of the faults file out. Pure and resumable, so that
 * its caller can yield between slices; the same rows give the same bytes however they are cut into chunks.
 */

import { type ByteWriter, createByteWriter } from '../csv/byte-writer.ts';
import { cellOf, decodeText, encodeText, writeCell } from '../csv/cell.ts';
import { createRows } from '../csv/rows.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { createFinder } from '../csv/scanner.ts';
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

/** All that a batch's rows are rated with. */
export interface RatingContext {
  readonly columns: Columns;
  readonly shipper: Shipper;
  /** The cards in force on a `shipDate`, or on the batch's own day where a row names none. */
  readonly bookOn: (shipDate: string | undefined) => RateBook;
  readonly maximumRowBytes: number;
  /** What the output has beside the usual columns; nothing where absent. */
  readonly format?: OutputFormat;
  /** Numbers of rows that are given up unread: rating them ended the process that did. */
  readonly condemned?: ReadonlySet<number> | undefined;
  /** The most bytes that the rows and those with faults may come to; any where absent. */
  readonly mostBytes?: number | undefined;
}

/** The rows come to more bytes than they may. */
export class OutputTooLarge extends Error {
  /** Number of the row with which they do. */
  readonly row: number;
  constructor(row: number) {
    super(`the output is too large from row ${row} on`);
    this.name = 'OutputTooLarge';
    this.row = row;
  }
}

export interface RatedRows {
  /** Rows of the output, without the header, as bytes. */
  readonly output: Buffer;
  /** Those of them that have a fault. */
  readonly faults: Buffer;
  readonly tally: Tally;
}

/** Writers that are empty. */
export interface RatedInto {
  readonly output: ByteWriter;
  readonly faults: ByteWriter;
}

export interface Rater {
  /** Rates at most `rows` rows more; false when there are none left. */
  readonly step: (rows: number) => boolean;
  readonly result: () => RatedRows;
}

const COMMA = Buffer.from(',');
const LINE_BREAK = Buffer.from('\n');

const defused = (raw: string): string => {
  if (!MAY_BE_FORMULA[raw.charCodeAt(0)]) return writeCell(raw);
  return isFormula(decodeText(raw)) ? writeCell(`'${raw}`) : writeCell(raw);
};

/** The output's header row, as the scanner's text. The input's own names are cells like any other: they too may be formulas. */
const outputHeader = (columns: Columns, format: OutputFormat = PLAIN_FORMAT): string => {
  const names = columns.passed.map((index) => encodeText(columns.header[index] ?? ''));
  const cells = names.map(format.keepFormulas ? writeCell : defused);
  return `${[...cells, ...addedColumns(columns, format).map(writeCell)].join(',')}\n`;
};

/** Tells whether a row's own bytes are its cells in the output's form. */
const createCanonicalTest = (row: ScannedRow, columns: Columns, keepFormulas: boolean): (() => boolean) => {
  const { dialect, header, passed } = columns;
  const nextQuote = createFinder('"');
  const nextCr = createFinder('\r');
  if (passed.length !== header.length || dialect.delimiter !== ',' || dialect.lineBreak !== 'lf') return () => false;
  return () => {
    // A quote inside a cell must be doubled, and a lone CR would be read as a line break by others.
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

/** Whether a cell's bytes are what the output has of it. */
const isPlain = (bytes: Uint8Array, start: number, end: number, keepFormulas: boolean): boolean => {
  if (!keepFormulas && start < end && MAY_BE_FORMULA[bytes[start] ?? 0]) return false;
  for (let at = start; at < end; at++) if (NEEDS_QUOTES[bytes[at] ?? 0]) return false;
  return true;
};

/** The last cell of a row together with those that the header has no columns for, as CSV: none of them is lost. */
const withSurplus = (row: ScannedRow, columns: Columns, last: number, used: number): string => {
  const surplus = Array.from({ length: used - columns.header.length }, (_, at) => columns.header.length + at);
  return [last, ...surplus].map((column) => writeCell(cellOf(row.text, row, column))).join(',');
};

/** Writes the input's cells as the output has them. */
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
  if (cheapest === undefined) throw new Error('a rated shipment has no price');
  return cheapest;
};

/** Where each row begins; rows without content are none. */
export const rowStarts = (bytes: Buffer, { columns, maximumRowBytes }: RatingContext): number[] => {
  const { row, next, start } = createRows(bytes, columns.dialect, maximumRowBytes);
  const starts: number[] = [];
  while (next() === 'row') if (!row.blank) starts.push(start());
  return starts;
};

/**
 * @param bytes whole rows
 * @param firstRow the number of the first of them, from 1
 * @param into where the rows are written; the result is good until it is cleared
 */
export const createRater = (bytes: Buffer, firstRow: number, context: RatingContext, into?: RatedInto): Rater => {
  const { columns, shipper, format = PLAIN_FORMAT, mostBytes = Number.POSITIVE_INFINITY } = context;
  const { keepFormulas } = format;
  const extraCells = createExtraCells(format, context);
  const { row, next } = createRows(bytes, columns.dialect, context.maximumRowBytes);
  const reader = createRowReader(row, columns);
  const mends = columns.repairs.length > 0;
  const tally = createTally();
  const isCanonical = createCanonicalTest(row, columns, keepFormulas);
  const shipmentOf = (): Result<Shipment> =>
    context.condemned?.has(number) === true
      ? new Failed({
          type: 'row.malformed',
          row: number,
          reason: 'rating it ends the program, however often it is tried',
        })
      : reader.read(number);
  const output = into?.output ?? createByteWriter(bytes.length * 2);
  const faults = into?.faults ?? createByteWriter(0);
  let number = firstRow;

  const rateRow = (): void => {
    const begun = output.length;
    const shipment = shipmentOf();
    const outcome =
      shipment instanceof Failed ? shipment : rateShipment(shipment, context.bookOn(shipment.shipDate), shipper);
    if (isCanonical()) output.bytes(row.bytes, row.start, row.end);
    else writeCells(output, row, columns, keepFormulas);
    output.bytes(COMMA);
    output.integer(number);
    const price = outcome instanceof Failed ? undefined : cheapestOf(outcome);
    if (outcome instanceof Failed) output.text(faultCells(outcome.fault));
    else if (price !== undefined) writeQuote(output, price, shipper);
    if (mends) output.text(`,${encodeText(writeCell(reader.notes().join('; ')))}`);
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

  /** @returns whether there may be more */
  const step = (rows: number): boolean => {
    for (let left = rows; left > 0; ) {
      const scanned = next();
      if (scanned === 'end') return false;
      if (scanned !== 'row') throw new Error(`row ${number} is over the row limit, which planning should have refused`);
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
