/**
 * Rates a run of whole rows: from input bytes to the rows of the output and of the faults file. It is pure and can be paused,
 * so that the caller can yield between slices. The same rows give the same bytes regardless of the chunks.
 */

import { Failed } from '../../base/failed.ts';
import { ByteWriter } from '../../files/csv/byte-writer.ts';
import { encodeText, writeCell } from '../../files/csv/cell.ts';
import { createRows } from '../../files/csv/rows.ts';
import type { RateBook } from '../../rating/card.ts';
import type { Fault } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import { cheapestOf, rateShipment } from '../../rating/rate.ts';
import type { Shipper } from '../../rating/terms.ts';
import type { Columns } from '../columns/columns.ts';
import { addedColumns, type OutputFormat, PLAIN_FORMAT } from '../output/output-format.ts';
import { createTally, type Tally } from '../output/tally.ts';
import { createExtraCells, createServicePrices } from './extra-cells.ts';
import { faultColumnCell } from './fault-field.ts';
import { Joined } from './order-lines.ts';
import { passedNames } from './passed-cells.ts';
import { changesCells } from './repair.ts';
import { faultCells, JOINED_CELLS, writeQuote, writeWarnings } from './row.ts';
import { createRowSource, type RowSourceContext, type SourceRow } from './row-source.ts';

/** Everything needed to rate a batch's rows. */
export interface RatingContext extends RowSourceContext {
  readonly shipper: Shipper;
  /** Returns the cards in force on a `shipDate`, or on the batch's own day if the row has none. */
  readonly bookOn: (shipDate: string | undefined) => RateBook;
  /** The optional columns of the output. Undefined: none. */
  readonly format?: OutputFormat;
  /** The maximum bytes of output and faults together. Undefined: no limit. */
  readonly mostBytes?: number | undefined;
}

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

/** A placeholder for a row whose order has its outcome in another row. */
const NO_OUTCOME = new Failed<Fault>({ type: 'row.order', row: 0, reason: '' });

const COMMA = Buffer.from(',');
const LINE_BREAK = Buffer.from('\n');

/** Returns the output's header row. @param added the columns that the output adds */
export const outputHeader = (columns: Columns, keepFormulas: boolean, added: readonly string[]): Buffer =>
  Buffer.from(`${[...passedNames(columns, keepFormulas), ...added.map(writeCell)].join(',')}\n`, 'latin1');

/** Returns the header row of a rated list. */
export const outputHeaderBytes = (columns: Columns, format: OutputFormat = PLAIN_FORMAT): Buffer =>
  outputHeader(columns, format.keepFormulas, addedColumns(columns, format));

/** Returns the offsets of the rows, without blank rows. */
export const rowStarts = (
  bytes: Buffer,
  { columns, maximumRowBytes }: Pick<RatingContext, 'columns' | 'maximumRowBytes'>,
): number[] => {
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
export const createRater = (bytes: Buffer, firstRow: number, context: RatingContext, into?: RatedInto) => {
  const { columns, shipper, bookOn, format = PLAIN_FORMAT, mostBytes = Number.POSITIVE_INFINITY } = context;
  const { keepFormulas } = format;
  // Only the service columns need prices other than the cheapest.
  const cheapestOnly = format.services.length === 0;
  const servicePrices = createServicePrices(format.services, context);
  const extraCells = createExtraCells(format);
  const columnCell = faultColumnCell(columns, keepFormulas);
  const source = createRowSource(bytes, firstRow, context, keepFormulas);
  const hasRepairs = changesCells(columns);
  const tally = createTally(format.services);
  const output = into?.output ?? new ByteWriter(bytes.length * 2);
  const faults = into?.faults ?? new ByteWriter(0);

  const hasOrders = columns.orders !== undefined;
  /** Writes the cells after the usual ones. @param order the row that has the outcome of the row's order */
  const writeMore = ({ reader }: SourceRow, extra: string | undefined, order: number, price?: Price): void => {
    if (hasRepairs) output.text(`,${encodeText(writeCell(reader.notes().join('; ')))}`);
    if (extra !== undefined) output.text(extra);
    if (hasOrders) {
      output.bytes(COMMA);
      output.integer(order);
    }
    writeWarnings(output, price);
    output.bytes(LINE_BREAK);
  };

  const joinRow = (row: SourceRow, number: number, order: number): void => {
    row.writePassed(output);
    output.bytes(COMMA);
    output.integer(number);
    output.bytes(JOINED_CELLS);
    writeMore(row, extraCells?.(undefined, NO_OUTCOME, undefined), order);
    tally.joined();
    if (output.length + faults.length > mostBytes) throw new OutputTooLarge(number);
  };

  const rateRow = (row: SourceRow, number: number): void => {
    const begun = output.length;
    const shipment = row.read(number);
    if (shipment instanceof Joined) {
      joinRow(row, number, shipment.row);
      return;
    }
    const outcome =
      shipment instanceof Failed ? shipment : rateShipment(shipment, bookOn(shipment.shipDate), shipper, cheapestOnly);
    const prices = shipment instanceof Failed ? undefined : servicePrices?.(shipment, outcome);
    row.writePassed(output);
    output.bytes(COMMA);
    output.integer(number);
    const price = outcome instanceof Failed ? undefined : cheapestOf(outcome);
    if (outcome instanceof Failed) output.text(faultCells(outcome.fault, columnCell(outcome.fault)));
    else if (price !== undefined) writeQuote(output, price);
    const extra = extraCells?.(shipment instanceof Failed ? undefined : shipment, outcome, prices);
    writeMore(row, extra, number, price);
    if (outcome instanceof Failed) {
      tally.faulted(outcome.fault);
      output.repeat(faults, begun);
    } else {
      const compared = !(shipment instanceof Failed) && shipment.shippingService === undefined;
      tally.quoted(cheapestOf(outcome), compared, prices);
    }
    if (output.length + faults.length > mostBytes) throw new OutputTooLarge(number);
  };

  return {
    /** Rates at most `rows` more rows, including blank ones. @returns false when no rows remain */
    step: (rows: number): boolean => source.step(rows, rateRow),
    result: (): RatedRows => ({ output: output.result(), faults: faults.result(), tally: tally.result() }),
  };
};

export type Rater = ReturnType<typeof createRater>;
