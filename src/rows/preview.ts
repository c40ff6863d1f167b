/**
 * Previews a list before it is rated: its dialect, its columns, the first rows with quotes or faults, possible repairs, and
 * an estimate for the whole list. It reads at most the first thousand rows and stores nothing.
 */

import { textOf } from '../csv/cell.ts';
import type { Encoding } from '../csv/encoding.ts';
import { firstBadByte, otherEncodingProblem, unfinished } from '../csv/encoding.ts';
import { createScanner } from '../csv/scanner.ts';
import { must } from '../must.ts';
import type { Shipper } from '../rating/card.ts';
import { Failed, faultBody } from '../rating/fault.ts';
import { dollars } from '../rating/quantity.ts';
import { quoteOutcome } from '../rating/quote.ts';
import { rateShipment } from '../rating/rate.ts';
import { booksOf, type Schedule, serviceCodes } from '../tariff/schedule.ts';
import { type InSlices, inSlices } from '../time-slices.ts';
import type { Columns, ReadOptions } from './columns.ts';
import { countBreaks } from './dialect.ts';
import { FIELDS, type Field } from './fields.ts';
import { type BadHeader, findHeader, type ListHeader } from './header.ts';
import { delimiterName } from './list-options.ts';
import type { Preview } from './preview-body.ts';
import { REPAIRS } from './repair.ts';
import { rowBody } from './row.ts';
import { createRowReader, type RowReader } from './row-reader.ts';
import { createTally, type Tally } from './tally.ts';
import { ZIP_LIST } from './zip-codes.ts';

const PREVIEW_ROWS = 1_000;
/** The most bytes of UTF-8 to read. If rows are long, fewer are read. */
export const PREVIEW_BYTES = 4 * 1024 * 1024;
const SHOWN_ROWS = 20;
const SHOWN_NAMES = 100;
const SHOWN_REPAIRS = 20;

/** The first bytes of a list, as UTF-8. */
export interface Beginning {
  readonly bytes: Buffer;
  readonly complete: boolean;
  readonly encoding: Encoding;
  /** The size of the whole list in UTF-8, if known. */
  readonly totalBytes: number | undefined;
}

export interface PreviewContext {
  readonly reading: ReadOptions;
  readonly maximumRowBytes: number;
  readonly shipper: Shipper;
  readonly schedule: Schedule;
  readonly now: Date;
}

export type PreviewRefusal = BadHeader | { readonly kind: 'rowTooLong'; row: number; line: number };

interface Rows {
  /** The rows to preview, as the scanner's text. */
  readonly text: string;
  readonly count: number;
  /** Whether these are all rows of the list. */
  readonly all: boolean;
}

/** Blank rows between two yields. */
const BLANKS_BETWEEN_YIELDS = 64;

/** The first complete rows; `tooLong` is the number of a row over the limit. */
function* firstRows(
  { bytes, complete }: Beginning,
  { columns, bodyStart }: ListHeader,
  maximumRowBytes: number,
): InSlices<Rows | { readonly tooLong: number }> {
  const text = textOf(bytes.subarray(bodyStart));
  const { row, skipInSlices } = createScanner(columns.dialect, maximumRowBytes);
  let [at, count, scannedRows] = [0, 0, 0];
  let scanned = yield* skipInSlices(text, at, complete);
  for (; scanned === 'row' && count < PREVIEW_ROWS; scanned = yield* skipInSlices(text, at, complete)) {
    at = row.next;
    if (!row.blank) count += 1;
    scannedRows += 1;
    // A row with content takes as long as many blank rows.
    if (!row.blank || scannedRows % BLANKS_BETWEEN_YIELDS === 0) yield;
  }
  if (scanned === 'tooLong') return { tooLong: count + 1 };
  return { text: text.slice(0, at), count, all: complete && scanned === 'end' };
}

/** Whether these bytes are enough for a preview. */
export const isEnough = async (bytes: Buffer, { reading, maximumRowBytes }: PreviewContext): Promise<boolean> => {
  if (bytes.length >= PREVIEW_BYTES) return true;
  const head = await findHeader(bytes, false, reading, maximumRowBytes);
  if (head === 'more') return false;
  if ('problems' in head) return true;
  const beginning = { bytes, complete: false, encoding: 'utf-8', totalBytes: undefined } as const;
  const rows = await inSlices(firstRows(beginning, head, maximumRowBytes));
  return 'tooLong' in rows || rows.count >= PREVIEW_ROWS;
};

type OnRow = (number: number, reader: RowReader, fault: ReturnType<typeof faultBody> | undefined) => void;

function* rateRows(text: string, columns: Columns, context: PreviewContext, onRow: OnRow): InSlices<Tally> {
  const { row, scanInSlices } = createScanner(columns.dialect, context.maximumRowBytes);
  const reader = createRowReader(row, columns);
  const bookOn = booksOf(context.schedule, context.now);
  const tally = createTally();
  let number = 0;
  let scannedRows = 0;
  for (let at = 0; (yield* scanInSlices(text, at, true)) === 'row'; at = row.next) {
    scannedRows += 1;
    if (!row.blank || scannedRows % BLANKS_BETWEEN_YIELDS === 0) yield;
    if (row.blank) continue;
    number += 1;
    const shipment = reader.read(number);
    const outcome =
      shipment instanceof Failed ? shipment : rateShipment(shipment, bookOn(shipment.shipDate), context.shipper);
    if (outcome instanceof Failed) tally.faulted(outcome.fault);
    else if (outcome.prices[0] !== undefined) tally.quoted(outcome.prices[0]);
    onRow(number, reader, outcome instanceof Failed ? faultBody(outcome.fault) : undefined);
  }
  return tally.result();
}

const spendOf = (tally: Tally): number =>
  Object.values(tally.byService).reduce((sum, { netCents }) => sum + netCents, 0);

const estimateOf = (
  rows: Rows,
  tally: Tally,
  totalBytes: number | undefined,
  bodyStart: number,
  rowsPerSecond: number,
): Preview['estimate'] => {
  const share = totalBytes === undefined ? undefined : (totalBytes - bodyStart) / rows.text.length;
  const total = rows.all
    ? rows.count
    : share === undefined
      ? null
      : Math.max(rows.count, Math.round(rows.count * share));
  return {
    exact: rows.all,
    rows: total,
    seconds: total === null ? null : Math.ceil((total / rowsPerSecond) * 10) / 10,
    totalNetCharge: total === null ? null : dollars(Math.round((spendOf(tally) * total) / rows.count)),
    currency: 'USD',
  };
};

const lineBreakOf = ({ dialect }: Columns, bytes: Buffer, bodyStart: number): 'lf' | 'crlf' | 'cr' =>
  dialect.lineBreak === 'cr' ? 'cr' : bytes.subarray(0, bodyStart).toString('latin1').endsWith('\r\n') ? 'crlf' : 'lf';

/** The column names that a preview shows. */
export const shownNames = (header: readonly string[]): string[] => header.slice(0, SHOWN_NAMES);

const columnsShown = ({
  header,
  fields,
  passed,
  findings,
}: Columns): Pick<Preview, 'columns' | 'unknownColumns' | 'findings'> => {
  const nameOf = (index: number): string => must(header[index], 'the name of a column');
  const known = FIELDS.flatMap((name: Field) => {
    const index = fields[name];
    return index === undefined ? [] : [{ field: name, column: nameOf(index), position: index + 1 }];
  });
  const used = new Set(Object.values(fields));
  const unknown = passed.filter((index) => !used.has(index));
  return {
    columns: known.sort((a, b) => a.position - b.position),
    unknownColumns: { count: unknown.length, names: shownNames(unknown.map(nameOf)) },
    findings: [...findings],
  };
};

const SHOWN_SERVICES = 50;
const SHOWN_CHARACTERS = 100;

/** Counts the names of services in the rows. */
const createServiceCounter = (codes: readonly string[]) => {
  const counts = new Map<string, { readonly code: string | null; rows: number }>();
  return {
    add: ({ written, cell }: RowReader): void => {
      const name = written('shippingService').trim();
      const known = counts.get(name);
      if (known !== undefined) known.rows += 1;
      else if (name !== '' && name.length <= SHOWN_CHARACTERS && counts.size < SHOWN_SERVICES) {
        const code = cell('shippingService');
        counts.set(name, { code: code === '' || codes.includes(code) ? code : null, rows: 1 });
      }
    },
    result: (): Preview['services'] => [...counts].map(([name, { code, rows }]) => ({ name, code, rows })),
  };
};

type ShownRow = Preview['rows'][number];

const shownRow = (
  number: number,
  reader: RowReader,
  fault: ReturnType<typeof faultBody> | undefined,
  { shipper, schedule, now }: PreviewContext,
): ShownRow => {
  const request = fault?.type === 'row.malformed' ? null : rowBody(reader.cell);
  const answer = fault === undefined ? quoteOutcome(request, shipper, schedule, now) : undefined;
  const quote = answer?.status === 200 ? answer.body : null;
  return { input_row: number, request, repairs: [...reader.notes()], quote, fault: fault ?? null };
};

const judged = async (
  beginning: Beginning,
  context: PreviewContext,
): Promise<{ head: ListHeader; rows: Rows } | PreviewRefusal> => {
  const { bytes, complete } = beginning;
  const { reading, maximumRowBytes } = context;
  const head = await findHeader(bytes, complete, reading, maximumRowBytes);
  if (head === 'more') return { problems: { header: `is longer than ${PREVIEW_BYTES} bytes` } };
  if ('problems' in head) return head;
  const bad = firstBadByte(complete ? bytes : bytes.subarray(0, bytes.length - unfinished(bytes)));
  const lineOf = (at: number): number => 1 + countBreaks(textOf(bytes.subarray(0, at)), 'lf', 0, at);
  if (bad !== undefined) return { problems: { file: otherEncodingProblem(lineOf(bad), bad) } };
  const rows = await inSlices(firstRows(beginning, head, maximumRowBytes));
  if ('tooLong' in rows) return { kind: 'rowTooLong', row: rows.tooLong, line: head.headerLines + rows.tooLong };
  if (rows.count === 0) return { problems: { file: 'has a header alone; it needs at least one row' } };
  return { head, rows };
};

/** @returns the preview, or the reason why the upload would be rejected */
export const previewList = async (beginning: Beginning, context: PreviewContext): Promise<Preview | PreviewRefusal> => {
  const list = await judged(beginning, context);
  if (!('head' in list)) return list;
  const { columns, bodyStart } = list.head;
  const shown: ShownRow[] = [];
  const serviceNames = createServiceCounter(serviceCodes(context.schedule));
  let repairedRows = 0;
  /** The requests of the rows without repairs; empty if the caller asked for repairs. */
  const bodies: string[] = [];
  const onRow: OnRow = (number, reader, fault) => {
    if (columns.repairs.length === 0) bodies.push(JSON.stringify(rowBody(reader.cell)));
    if (reader.notes().length > 0) repairedRows += 1;
    serviceNames.add(reader);
    if (number <= SHOWN_ROWS) shown.push(shownRow(number, reader, fault, context));
  };
  const tally = await inSlices(rateRows(list.rows.text, columns, context, onRow));
  const examples: Preview['repairAll']['examples'] = [];
  let repairable = 0;
  const begun = performance.now();
  const onRepaired: OnRow = (number, reader) => {
    const notes = reader.notes();
    // A repair that changes no request is useless, for example of a country's name that is read anyway.
    const isUseful = notes.length > 0 && JSON.stringify(rowBody(reader.cell)) !== bodies[number - 1];
    if (isUseful) repairable += 1;
    if (isUseful && examples.length < SHOWN_REPAIRS) examples.push({ input_row: number, repairs: [...notes] });
  };
  const all = await inSlices(rateRows(list.rows.text, { ...columns, repairs: REPAIRS }, context, onRepaired));
  const rowsPerSecond = (list.rows.count / Math.max(performance.now() - begun, 1)) * 1_000;
  return {
    status: 200,
    dialect: {
      encoding: beginning.encoding,
      delimiter: delimiterName(columns.dialect.delimiter),
      lineBreak: lineBreakOf(columns, beginning.bytes, bodyStart),
    },
    ...columnsShown(columns),
    defaults: { ...columns.defaults },
    services: columns.fields.shippingService === undefined ? [] : serviceNames.result(),
    rowsRead: list.rows.count,
    quoted: tally.quoted,
    faulted: tally.faulted,
    faults: { ...tally.faults },
    rows: shown,
    repairs: { asked: [...columns.repairs], rows: repairedRows },
    repairAll: { rows: repairable, quoted: all.quoted, faulted: all.faulted, examples, zipList: ZIP_LIST },
    estimate: estimateOf(list.rows, tally, beginning.totalBytes, bodyStart, rowsPerSecond),
  };
};
