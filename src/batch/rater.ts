/**
 * Rates a run of whole rows: text in, the rows of the output and of the faults file out. Pure and resumable, so that
 * its caller can yield between slices; the same rows give the same bytes however they are cut into chunks.
 */
import type { RateBook, Shipper } from '../rating/card.ts';
import type { Fault } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import { isFault, type Rated, rateShipment } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import { type ByteWriter, createByteWriter } from './byte-writer.ts';
import type { Columns } from './columns.ts';
import { cellOf, createFinder, createScanner, decodeText, encodeText, type ScannedRow, writeCell } from './csv.ts';
import { createExtraCells } from './extra-cells.ts';
import { addedColumns, type OutputFormat, PLAIN_FORMAT } from './format.ts';
import { faultCells, isFormula, MAY_BE_FORMULA, writeQuote } from './row.ts';
import { createRowReader } from './row-reader.ts';
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
  readonly condemned?: ReadonlySet<number>;
}

export interface RatedRows {
  /** Rows of the output, without the header, as bytes. */
  readonly output: Buffer;
  /** Those of them that have a fault. */
  readonly faults: Buffer;
  readonly tally: Tally;
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
const createCanonicalTest = (
  text: string,
  row: ScannedRow,
  columns: Columns,
  keepFormulas: boolean,
): (() => boolean) => {
  const { dialect, header, passed } = columns;
  const nextQuote = createFinder('"');
  const nextCr = createFinder('\r');
  if (passed.length !== header.length || dialect.delimiter !== ',' || dialect.lineBreak !== 'lf') return () => false;
  return () => {
    // A quote inside a cell must be doubled, and a lone CR would be read as a line break by others.
    if (row.cells !== header.length || nextQuote(text, row.start) < row.end || nextCr(text, row.start) < row.end)
      return false;
    if (keepFormulas) return true;
    for (let i = 0; i < row.cells; i++) {
      const start = row.starts[i] ?? 0;
      if (start < (row.ends[i] ?? 0) && MAY_BE_FORMULA[row.bytes[start] ?? 0]) return false;
    }
    return true;
  };
};

/** Writes the input's cells as the output has them. */
const writeCells = (into: ByteWriter, text: string, row: ScannedRow, columns: Columns, keepFormulas: boolean): void => {
  for (let i = 0; i < columns.passed.length; i++) {
    const raw = cellOf(text, row, columns.passed[i] ?? 0);
    if (i > 0) into.text(',');
    into.text(keepFormulas ? writeCell(raw) : defused(raw));
  }
};

const cheapestOf = ({ prices }: Rated): Price => {
  const [cheapest] = prices;
  if (cheapest === undefined) throw new Error('a rated shipment has no price');
  return cheapest;
};

/** Where each row of the text begins; rows without content are none. */
export const rowStarts = (text: string, { columns, maximumRowBytes }: RatingContext): number[] => {
  const { row, skip } = createScanner(columns.dialect, maximumRowBytes);
  const starts: number[] = [];
  for (let at = 0; skip(text, at, true) === 'row'; at = row.next) if (!row.blank) starts.push(row.start);
  return starts;
};

/**
 * @param text whole rows, as the scanner's text
 * @param firstRow the number of the first of them, from 1
 * @param bytes those of the text, where they are at hand
 */
export const createRater = (text: string, firstRow: number, context: RatingContext, bytes?: Uint8Array): Rater => {
  const { columns, shipper, format = PLAIN_FORMAT } = context;
  const { keepFormulas } = format;
  const extraCells = createExtraCells(format, context);
  const source = bytes === undefined ? undefined : { text, bytes };
  const { row, scan } = createScanner(columns.dialect, context.maximumRowBytes, source);
  const reader = createRowReader(text, row, columns);
  const mends = columns.repairs.length > 0;
  const tally = createTally();
  const isCanonical = createCanonicalTest(text, row, columns, keepFormulas);
  const shipmentOf = (): Shipment | Fault =>
    context.condemned?.has(number) === true
      ? { type: 'row.malformed', row: number, reason: 'rating it ends the program, however often it is tried' }
      : reader.read(number);
  const output = createByteWriter(text.length * 2);
  const faults = createByteWriter(0);
  let at = 0;
  let number = firstRow;

  const rateRow = (): void => {
    const begun = output.length;
    const shipment = shipmentOf();
    const outcome = isFault(shipment) ? shipment : rateShipment(shipment, context.bookOn(shipment.shipDate), shipper);
    if (isCanonical()) output.bytes(row.bytes, row.start, row.end);
    else writeCells(output, text, row, columns, keepFormulas);
    output.bytes(COMMA);
    output.integer(number);
    if (isFault(outcome)) output.text(faultCells(outcome));
    else writeQuote(output, cheapestOf(outcome), shipper);
    if (mends) output.text(`,${encodeText(writeCell(reader.notes().join('; ')))}`);
    if (extraCells !== undefined) output.text(extraCells(isFault(shipment) ? undefined : shipment, outcome));
    output.bytes(LINE_BREAK);
    if (isFault(outcome)) {
      tally.faulted(outcome);
      output.repeat(faults, begun);
    } else tally.quoted(cheapestOf(outcome));
    number += 1;
  };

  /** @returns whether there may be more */
  const step = (rows: number): boolean => {
    for (let left = rows; left > 0; ) {
      const scanned = scan(text, at, true);
      if (scanned === 'end') return false;
      if (scanned !== 'row') throw new Error(`row ${number} is over the row limit, which planning should have refused`);
      at = row.next;
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
