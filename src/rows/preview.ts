/**
 * A look at a list before it is run: how it is written, what its columns mean, its first rows with their quotes or
 * faults, what a repair would mend, and what the whole may come to. Reads at most the first thousand rows and keeps
 * nothing.
 */

import { textOf } from '../csv/cell.ts';
import type { Encoding } from '../csv/encoding.ts';
import { firstBadByte, otherEncodingProblem, unfinished } from '../csv/encoding.ts';
import { createScanner } from '../csv/scanner.ts';
import type { Shipper } from '../rating/card.ts';
import { Failed, faultBody } from '../rating/fault.ts';
import { dollars } from '../rating/quantity.ts';
import { quoteOutcome } from '../rating/quote.ts';
import { rateShipment } from '../rating/rate.ts';
import { booksOf, type Schedule, serviceCodes } from '../tariff/schedule.ts';
import { type InSlices, inSlices } from '../time-slices.ts';
import type { Columns, Reading } from './columns.ts';
import { countBreaks } from './dialect.ts';
import { FIELDS, type Field } from './fields.ts';
import { type BadHead, findHead, type Head } from './header.ts';
import { delimiterName } from './list-options.ts';
import type { Preview } from './preview-body.ts';
import { REPAIRS } from './repair.ts';
import { rowBody } from './row.ts';
import { createRowReader, type RowReader } from './row-reader.ts';
import { createTally, type Tally } from './tally.ts';
import { ZIP_LIST } from './zip-codes.ts';

const PREVIEW_ROWS = 1_000;
/** Of the list as UTF-8; fewer rows are read where they are long. */
export const PREVIEW_BYTES = 4 * 1024 * 1024;
const SHOWN_ROWS = 20;
const SHOWN_NAMES = 100;
const SHOWN_REPAIRS = 20;

/** The beginning of a list, as UTF-8. */
export interface Beginning {
  readonly bytes: Buffer;
  readonly complete: boolean;
  readonly encoding: Encoding;
  /** Size of the whole list in UTF-8, as far as is known. */
  readonly totalBytes: number | undefined;
}

export interface PreviewContext {
  readonly reading: Reading;
  readonly maximumRowBytes: number;
  readonly shipper: Shipper;
  readonly schedule: Schedule;
  readonly now: Date;
}

export type PreviewRefusal = BadHead | { readonly kind: 'rowTooLong'; row: number; line: number };

interface Rows {
  /** The rows that are read, as the scanner's text. */
  readonly text: string;
  readonly count: number;
  /** Whether the list has no others. */
  readonly all: boolean;
}

/** Rows without content between two yields. */
const LOOK_ROWS = 64;

/** The first rows that are whole; `tooLong` is the number of a row over its limit. */
function* firstRows(
  { bytes, complete }: Beginning,
  { columns, bodyStart }: Head,
  maximumRowBytes: number,
): InSlices<Rows | { readonly tooLong: number }> {
  const text = textOf(bytes.subarray(bodyStart));
  const { row, skipInSlices } = createScanner(columns.dialect, maximumRowBytes);
  let [at, count, looked] = [0, 0, 0];
  let scanned = yield* skipInSlices(text, at, complete);
  for (; scanned === 'row' && count < PREVIEW_ROWS; scanned = yield* skipInSlices(text, at, complete)) {
    at = row.next;
    if (!row.blank) count += 1;
    looked += 1;
    // A row with content takes as long as many without.
    if (!row.blank || looked % LOOK_ROWS === 0) yield;
  }
  if (scanned === 'tooLong') return { tooLong: count + 1 };
  return { text: text.slice(0, at), count, all: complete && scanned === 'end' };
}

/** Whether a preview of these first bytes needs no more: the rows that it reads are in them. */
export const isEnough = async (bytes: Buffer, { reading, maximumRowBytes }: PreviewContext): Promise<boolean> => {
  if (bytes.length >= PREVIEW_BYTES) return true;
  const head = await findHead(bytes, false, reading, maximumRowBytes);
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
  let looked = 0;
  for (let at = 0; (yield* scanInSlices(text, at, true)) === 'row'; at = row.next) {
    looked += 1;
    if (!row.blank || looked % LOOK_ROWS === 0) yield;
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

/** Names of columns, as many as a preview tells. */
export const shownNames = (header: readonly string[]): string[] => header.slice(0, SHOWN_NAMES);

const columnsShown = ({
  header,
  fields,
  passed,
  findings,
}: Columns): Pick<Preview, 'columns' | 'unknownColumns' | 'findings'> => {
  const known = FIELDS.flatMap((name: Field) => {
    const index = fields[name];
    return index === undefined ? [] : [{ field: name, column: header[index] ?? '', position: index + 1 }];
  });
  const meant = new Set(Object.values(fields));
  const unknown = passed.filter((index) => !meant.has(index));
  return {
    columns: known.sort((a, b) => a.position - b.position),
    unknownColumns: { count: unknown.length, names: shownNames(unknown.map((index) => header[index] ?? '')) },
    findings: [...findings],
  };
};

const SHOWN_SERVICES = 50;
const SHOWN_CHARACTERS = 100;

/** Counts the names of services in rows. */
const createNames = (codes: readonly string[]) => {
  const counts = new Map<string, { readonly code: string | null; rows: number }>();
  return {
    see: ({ written, cell }: RowReader): void => {
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
): Promise<{ head: Head; rows: Rows } | PreviewRefusal> => {
  const { bytes, complete } = beginning;
  const { reading, maximumRowBytes } = context;
  const head = await findHead(bytes, complete, reading, maximumRowBytes);
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

/** @returns the preview, or what the upload would be refused for */
export const previewList = async (beginning: Beginning, context: PreviewContext): Promise<Preview | PreviewRefusal> => {
  const list = await judged(beginning, context);
  if (!('head' in list)) return list;
  const { columns, bodyStart } = list.head;
  const shown: ShownRow[] = [];
  const named = createNames(serviceCodes(context.schedule));
  let mendedRows = 0;
  /** Of the rows as they are without repairs; none where some were asked for. */
  const bodies: string[] = [];
  const onRow: OnRow = (number, reader, fault) => {
    if (columns.repairs.length === 0) bodies.push(JSON.stringify(rowBody(reader.cell)));
    if (reader.notes().length > 0) mendedRows += 1;
    named.see(reader);
    if (number <= SHOWN_ROWS) shown.push(shownRow(number, reader, fault, context));
  };
  const tally = await inSlices(rateRows(list.rows.text, columns, context, onRow));
  const examples: Preview['repairAll']['examples'] = [];
  let mendable = 0;
  const begun = performance.now();
  const onRepaired: OnRow = (number, reader) => {
    const notes = reader.notes();
    // A repair of what is read without it, such as a country's name, mends nothing.
    const mends = notes.length > 0 && JSON.stringify(rowBody(reader.cell)) !== bodies[number - 1];
    if (mends) mendable += 1;
    if (mends && examples.length < SHOWN_REPAIRS) examples.push({ input_row: number, repairs: [...notes] });
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
    services: columns.fields.shippingService === undefined ? [] : named.result(),
    rowsRead: list.rows.count,
    quoted: tally.quoted,
    faulted: tally.faulted,
    faults: { ...tally.faults },
    rows: shown,
    repairs: { asked: [...columns.repairs], rows: mendedRows },
    repairAll: { rows: mendable, quoted: all.quoted, faulted: all.faulted, examples, zipList: ZIP_LIST },
    estimate: estimateOf(list.rows, tally, beginning.totalBytes, bodyStart, rowsPerSecond),
  };
};
