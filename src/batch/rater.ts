/**
 * Rates a run of whole rows: text in, the rows of the output and of the faults file out. Pure and resumable, so that
 * its caller can yield between slices; the same rows give the same bytes however they are cut into chunks.
 */
import type { RateBook, Shipper } from '../rating/card.ts';
import type { Fault } from '../rating/fault.ts';
import { isFault, rateShipment } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import { type Columns, OUTPUT_COLUMNS, REPAIRS_COLUMN } from './columns.ts';
import { cellOf, createScanner, decodeText, encodeText, type ScannedRow, writeCell } from './csv.ts';
import { createExtraCells } from './extra-cells.ts';
import { extraColumns, type OutputFormat, PLAIN_FORMAT } from './format.ts';
import { faultCells, isFormula, MAY_BE_FORMULA, quoteCells } from './row.ts';
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

/** Rows whose text is held before it becomes bytes. */
const FLUSH_ROWS = 100;

const defused = (raw: string): string => {
  if (!MAY_BE_FORMULA[raw.charCodeAt(0)]) return writeCell(raw);
  return isFormula(decodeText(raw)) ? writeCell(`'${raw}`) : writeCell(raw);
};

/** The output's header row, as the scanner's text. The input's own names are cells like any other: they too may be formulas. */
export const outputHeader = ({ header, passed, repairs }: Columns, format: OutputFormat = PLAIN_FORMAT): string => {
  const names = passed.map((index) => encodeText(header[index] ?? '')).map(format.keepFormulas ? writeCell : defused);
  const ours = [...OUTPUT_COLUMNS, ...(repairs.length > 0 ? [REPAIRS_COLUMN] : []), ...extraColumns(format)];
  return `${[...names, ...ours.map(writeCell)].join(',')}\n`;
};

/** Whether the row's own bytes are its cells in the output's form. */
const isCanonical = (text: string, row: ScannedRow, columns: Columns, keepFormulas: boolean): boolean => {
  if (row.quoted || row.malformed !== undefined || row.cells !== columns.header.length) return false;
  if (columns.passed.length !== row.cells || columns.dialect.delimiter !== ',' || columns.dialect.lineBreak !== 'lf')
    return false;
  if (keepFormulas) return true;
  for (let i = 0; i < row.cells; i++) {
    const start = row.starts[i] ?? 0;
    if (start < (row.ends[i] ?? 0) && MAY_BE_FORMULA[text.charCodeAt(start)]) return false;
  }
  return true;
};

/** The input's cells as the output has them. */
const passedCells = (text: string, row: ScannedRow, columns: Columns, keepFormulas: boolean): string => {
  if (isCanonical(text, row, columns, keepFormulas)) {
    const raw = text.slice(row.start, row.end);
    // A lone CR inside a cell would be read as a line break by others, and a quote must be doubled.
    if (!raw.includes('\r') && !raw.includes('"')) return raw;
  }
  let cells = '';
  for (let i = 0; i < columns.passed.length; i++) {
    const raw = cellOf(text, row, columns.passed[i] ?? 0);
    const cell = keepFormulas ? writeCell(raw) : defused(raw);
    cells = i === 0 ? cell : `${cells},${cell}`;
  }
  return cells;
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
 */
export const createRater = (text: string, firstRow: number, context: RatingContext): Rater => {
  const { columns, shipper, format = PLAIN_FORMAT } = context;
  const { keepFormulas } = format;
  const extraCells = createExtraCells(format, context);
  const { row, scan } = createScanner(columns.dialect, context.maximumRowBytes);
  const reader = createRowReader(text, row, columns);
  const mends = columns.repairs.length > 0;
  const tally = createTally();
  const shipmentOf = (): Shipment | Fault =>
    context.condemned?.has(number) === true
      ? { type: 'row.malformed', row: number, reason: 'rating it ends the program, however often it is tried' }
      : reader.read(number);
  const output: Buffer[] = [];
  const faults: Buffer[] = [];
  let outputText = '';
  let faultText = '';
  let at = 0;
  let number = firstRow;

  const rateRow = (): void => {
    const shipment = shipmentOf();
    const outcome = isFault(shipment) ? shipment : rateShipment(shipment, context.bookOn(shipment.shipDate), shipper);
    const passed = passedCells(text, row, columns, keepFormulas);
    let extra = extraCells === undefined ? '' : extraCells(isFault(shipment) ? undefined : shipment, outcome);
    if (mends) extra = `,${encodeText(writeCell(reader.notes().join('; ')))}${extra}`;
    if (isFault(outcome)) {
      tally.faulted(outcome);
      const line = `${passed},${number}${faultCells(outcome)}${extra}\n`;
      outputText += line;
      faultText += line;
    } else {
      const price = outcome.prices[0];
      if (price === undefined) throw new Error('a rated shipment has no price');
      tally.quoted(price);
      outputText += `${passed},${number}${quoteCells(price, shipper)}${extra}\n`;
    }
    number += 1;
  };

  /** Text becomes bytes slice by slice: long strings of small pieces are what costs the garbage collector most. */
  const flush = (): void => {
    if (outputText !== '') output.push(Buffer.from(outputText, 'latin1'));
    if (faultText !== '') faults.push(Buffer.from(faultText, 'latin1'));
    outputText = '';
    faultText = '';
  };

  /** @returns whether there may be more */
  const rateRows = (rows: number): boolean => {
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

  return {
    step: (rows) => {
      for (let left = rows; left > 0; left -= FLUSH_ROWS) {
        const more = rateRows(Math.min(left, FLUSH_ROWS));
        flush();
        if (!more) return false;
      }
      return true;
    },
    result: () => ({ output: Buffer.concat(output), faults: Buffer.concat(faults), tally: tally.result() }),
  };
};

/** The output's header row as bytes. */
export const outputHeaderBytes = (columns: Columns, format?: OutputFormat): Buffer =>
  Buffer.from(outputHeader(columns, format), 'latin1');
