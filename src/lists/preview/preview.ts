/**
 * Previews a list before it is rated: its dialect, its columns, the first rows with quotes or faults, possible repairs, and
 * an estimate for the whole list. It reads at most the first thousand rows and stores nothing.
 */

import { must } from '../../base/must.ts';
import { inSlices } from '../../base/time-slices.ts';
import { textOf } from '../../files/csv/cell.ts';
import { firstBadByte, otherEncodingProblem, unfinished } from '../../files/csv/encoding.ts';
import type { Dialect } from '../../files/csv/scanner.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { shownName } from '../columns/column-choice.ts';
import { type Columns, withFindings } from '../columns/columns.ts';
import { countBreaks, sampleRows } from '../columns/dialect.ts';
import { proposedOrders } from '../columns/findings.ts';
import { type BadHeader, findHeader, type ListHeader, type Unused } from '../columns/header.ts';
import { mappingOf } from '../columns/mapping.ts';
import { delimiterName } from '../list-options.ts';
import { ZIP_LIST } from '../rows/known-zips.ts';
import type { Preview } from './preview-body.ts';
import {
  type Beginning,
  estimateOf,
  firstRows,
  type PreviewContext,
  type Rows,
  rateAll,
  rowsOf,
} from './preview-rows.ts';

export type { Beginning, PreviewContext } from './preview-rows.ts';

/** The maximum bytes of UTF-8 to read. If rows are long, fewer rows are read. */
export const PREVIEW_BYTES = 4 * 1024 * 1024;
/** The number of rows that samples of columns are from. */
const MAPPING_ROWS = 200;

export type PreviewRefusal = BadHeader | { readonly kind: 'rowTooLong'; row: number; line: number };

/** Whether these bytes are enough for a preview. */
export const isEnough = async (bytes: Buffer, { reading, maximumRowBytes }: PreviewContext): Promise<boolean> => {
  if (bytes.length >= PREVIEW_BYTES) return true;
  const head = await findHeader(bytes, false, reading, maximumRowBytes);
  if (head === 'more') return false;
  if ('problems' in head) return true;
  const beginning = { bytes, complete: false, encoding: 'utf-8', totalBytes: undefined } as const;
  const rows = await inSlices(firstRows(beginning, head, maximumRowBytes));
  return 'tooLong' in rows || rows.enough;
};

const lineBreakOf = (dialect: Dialect, bytes: Buffer, bodyStart: number): 'lf' | 'crlf' | 'cr' =>
  dialect.lineBreak === 'cr' ? 'cr' : bytes.subarray(0, bodyStart).toString('latin1').endsWith('\r\n') ? 'crlf' : 'lf';

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
  if (bad !== undefined) {
    const breaks = await inSlices(countBreaks(textOf(bytes.subarray(0, bad)), 'lf', 0, bad));
    return { problems: { file: otherEncodingProblem(1 + breaks, bad) } };
  }
  const rows = await inSlices(firstRows(beginning, head, maximumRowBytes));
  if ('tooLong' in rows) return { kind: 'rowTooLong', row: rows.tooLong, line: head.headerLines + rows.tooLong };
  if (rows.count === 0) return { problems: { file: 'has only a header row; add at least one shipment' } };
  return { head, rows };
};

const SHOWN_NAMES = 100;

/** Returns the column names that a preview shows. */
export const shownNames = (header: readonly string[]): string[] => header.slice(0, SHOWN_NAMES);

/** Groups the columns of a list by their use. */
const columnsShown = ({
  header,
  fields,
  passed,
  findings,
}: Columns): Pick<Preview, 'columns' | 'unknownColumns' | 'findings'> => {
  const nameOf = (index: number): string => must(header[index], 'the name of a column');
  const known = FIELD_NAMES.flatMap((name) => {
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

/** Returns the orders that the rows belong to or seem to belong to. */
const ordersShown = (
  columns: Columns,
  { orders, count }: { readonly orders: number | undefined; readonly count: number },
): Preview['orders'] => {
  const found = columns.orders ?? proposedOrders(columns);
  if (orders === undefined || found === undefined) return null;
  const nameOf = (index: number): string => shownName(must(columns.header[index], 'the name of a column'));
  return {
    column: nameOf(found.column),
    quantity: found.quantity === undefined ? null : nameOf(found.quantity),
    isJoined: columns.orders !== undefined,
    rows: count,
    orders,
  };
};

/** Describes the file and its header for a preview, without rating rows. */
const headOf = async (
  { bytes, complete, encoding, sheets = [] }: Beginning,
  { reading, maximumRowBytes, headerKey }: PreviewContext,
  { header, dialect, bodyStart, headerRow }: Unused,
): Promise<Pick<Preview, 'status' | 'sheets' | 'dialect' | 'headerRow' | 'headerKey' | 'mapping'>> => {
  const list = { text: textOf(bytes), complete, maximumRowBytes };
  const { rows } = await inSlices(sampleRows(list, bodyStart, dialect, MAPPING_ROWS));
  const cells = rows.map((row) => row.cells);
  return {
    status: 200,
    sheets,
    dialect: {
      encoding,
      delimiter: delimiterName(dialect.delimiter),
      lineBreak: lineBreakOf(dialect, bytes, bodyStart),
    },
    headerRow,
    headerKey: headerKey(header),
    mapping: await inSlices(mappingOf(header, reading, cells)),
  };
};

/**
 * Previews a list whose columns are not clear: what was found, without rows.
 * @param refusal the answer of `previewList`
 */
export const previewUnused = async (
  beginning: Beginning,
  context: PreviewContext,
  { problems, unused }: Required<BadHeader>,
): Promise<Preview> => {
  const head = await headOf(beginning, context, unused);
  const { fields, columns } = head.mapping;
  const used = fields.flatMap(({ field, column, position }) =>
    column === null || position === null ? [] : [{ field, column, position }],
  );
  const free = columns.filter(({ field }) => field === null).map(({ name }) => name);
  const values = fields.flatMap(({ field, value }) => (value === null ? [] : [[field, value] as const]));
  return {
    ...head,
    problems: { ...problems },
    suggestedHeaderRow: unused.suggestedHeaderRow ?? null,
    columns: used.sort((a, b) => a.position - b.position),
    defaults: Object.fromEntries(values),
    unknownColumns: { count: unused.header.length - used.length, names: shownNames(free) },
    ...{ findings: [], services: [], rowsRead: 0, quoted: 0, faulted: 0, joined: 0, orders: null },
    ...{ faults: {}, warnings: {}, missing: {}, faultKinds: [], rows: [] },
    repairs: { asked: [...(context.reading.repairs ?? [])], rows: 0, kinds: [], emptyWeights: 0 },
    repairAll: { rows: 0, quoted: 0, faulted: 0, examples: [], kinds: [], zipList: ZIP_LIST },
    estimate: { exact: false, rows: null, faulted: null, seconds: null, totalNetCharge: null, currency: 'USD' },
  };
};

/** @returns the preview, or the reason why the upload would be rejected */
export const previewList = async (beginning: Beginning, context: PreviewContext): Promise<Preview | PreviewRefusal> => {
  const list = await judged(beginning, context);
  if (!('head' in list)) return list;
  const { rows } = list;
  const { bodyStart, headerRow } = list.head;
  const columns = withFindings(list.head.columns, beginning, rows.findings);
  if ('problems' in columns) return columns;
  const rated = await rateAll(rows, columns, context);
  const { tally } = rated;
  const total = rowsOf(rows, beginning.totalBytes, bodyStart);
  return {
    ...(await headOf(beginning, context, { ...columns, bodyStart, headerRow })),
    problems: {},
    suggestedHeaderRow: null,
    ...columnsShown(columns),
    defaults: { ...columns.defaults },
    services: columns.fields.shippingService === undefined ? [] : rated.services,
    rowsRead: rows.count,
    quoted: tally.quoted,
    faulted: tally.faulted,
    faults: { ...tally.faults },
    orders: ordersShown(columns, rows),
    joined: tally.joined ?? 0,
    warnings: Object.fromEntries(Object.entries(tally.warnings).map(([type, { shipments }]) => [type, shipments])),
    missing: { ...tally.missing },
    faultKinds: rated.faultKinds.result((own) => (total === null ? null : Math.round((own * total) / rows.count))),
    rows: rated.shown,
    repairs: rated.repairs,
    repairAll: rated.repairAll,
    estimate: estimateOf(rows, total, tally, rated.rowsPerSecond),
  };
};
