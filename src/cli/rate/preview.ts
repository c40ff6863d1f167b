/** `rates batch --preview`: sends the beginning of a list to a service and prints how the service reads it. */
import { open, readFile } from 'node:fs/promises';
import { must } from '../../base/must.ts';
import { kindOf } from '../../files/input/file-kind.ts';
import type { Uploading, Waiting } from '../../http/client/client.ts';
import { sentencesOf } from '../../lists/columns/fault-words.ts';
import { PREVIEW_BYTES } from '../../lists/preview/preview.ts';
import type { Preview } from '../../lists/preview/preview-body.ts';
import { findingLines } from '../batch/list-options.ts';
import type { Remote } from '../batch/remote.ts';
import { amountText, count, counted, faultCounts, joinedLines, printable, table } from '../format.ts';
import type { Io } from '../io.ts';

/** A UTF-16 list has up to twice as many bytes. */
const MOST_BYTES = 2 * PREVIEW_BYTES;

/** The first bytes of a list, and its size. The size is undefined if the bytes are all of it, or it is unknown. */
const beginningOf = async (path: string, io: Io) => {
  if (path !== '-') {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MOST_BYTES)), 0);
      // A compressed list cannot be read partially.
      if (kindOf(buffer) !== 'text') return { bytes: await readFile(path), size: undefined };
      return { bytes: buffer.subarray(0, bytesRead), size: bytesRead < size ? size : undefined };
    } finally {
      await file.close();
    }
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of io.stdin) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    size += bytes.length;
    if (size >= MOST_BYTES) break;
  }
  return { bytes: Buffer.concat(pieces), size: undefined };
};

/** @throws {RemoteFailure} also if the list is refused */
export const fetchPreview = async (
  path: string,
  query: Uploading['query'],
  remote: Remote,
  { io, ...waiting }: Waiting & { readonly io: Io },
): Promise<Preview> => {
  const { bytes, size } = await beginningOf(path, io);
  const asked = { ...query, ...(size !== undefined && { bytes: String(size) }) };
  return await remote.preview(new Uint8Array(bytes), { ...waiting, query: asked });
};

const LINE_BREAKS = { lf: 'LF', crlf: 'CRLF', cr: 'CR' } as const;

const rowLines = ({ rows }: Preview): string[] => {
  const cells = rows.slice(0, 10).map(({ input_row: row, quote, fault, repairs }) => {
    const text = previewQuote(quote);
    return [
      String(row),
      text,
      fault === null ? '' : sentencesOf(fault.type, fault.message, fault.arguments).join(' '),
      repairs.join('; '),
    ];
  });
  return table([['row', 'quote', 'problem', 'repairs'], ...cells], ['right'], 90);
};

/** Service and price, from the body of a single call. */
const previewQuote = (quote: unknown): string => {
  if (typeof quote !== 'object' || quote === null || !('shippingService' in quote) || !('totalNetCharge' in quote))
    return '';
  return `${String(quote.shippingService)} ${amountText(Number(quote.totalNetCharge))}`;
};

const repairLines = ({ repairAll, quoted }: Preview): string[] => {
  if (repairAll.rows === 0) return [];
  const more = repairAll.quoted - quoted;
  return [
    `--repair all repairs ${counted(repairAll.rows, 'row')}; ${counted(more, 'more row')} would be quoted:`,
    ...repairAll.examples.slice(0, 5).map(({ input_row: row, repairs }) => `  row ${row}: ${repairs.join('; ')}`),
  ];
};

const wholeLine = ({ estimate: { exact, rows, seconds, totalNetCharge } }: Preview): string =>
  rows === null
    ? 'The length of the whole list is unknown.'
    : `The whole list: ${exact ? '' : 'about '}${counted(rows, 'row')}, ${exact ? '' : 'about '}` +
      `USD ${amountText(must(totalNetCharge, 'the estimated charge'))}, about ${must(seconds, 'the estimated time')} s.`;

/** The orders that the rows belong to. */
const orderLines = ({ orders: found }: Preview): string[] => {
  if (found === null) return [];
  const { rows, orders, isJoined } = found;
  const outcome = isJoined ? `they are priced as ${counted(orders, 'shipment')}` : 'each row is priced separately';
  return [`  ${counted(rows, 'row')} belong to ${counted(orders, 'order')}; ${outcome}`];
};

/** The preview as lines of text. */
export const previewLines = (preview: Preview): string[] => {
  const { dialect, columns, defaults, unknownColumns, findings, rowsRead, quoted, faulted, faults } = preview;
  const unknown = unknownColumns.names.slice(0, 20).join(', ');
  const separator = { ',': 'comma', ';': 'semicolon', tab: 'tab', '|': 'vertical bar' }[dialect.delimiter];
  return [
    `Encoding: ${dialect.encoding.toUpperCase()}. Separator: ${separator}. Line ends: ${LINE_BREAKS[dialect.lineBreak]}.`,
    ...table(columns.map(({ field, column, position }) => [`  ${field}`, `"${column}" (column ${position})`])),
    ...table(Object.entries(defaults).map(([field, value]) => [`  ${field}`, `${value} for every row`])),
    ...(unknownColumns.count === 0
      ? []
      : [`Passed through unchanged (${count(unknownColumns.count)}): ${printable(unknown)}`]),
    ...findingLines(findings),
    '',
    `The first ${counted(rowsRead, 'row')}: ${counted(quoted, 'quote')}, ${counted(faulted, 'fault')}`,
    ...joinedLines(preview.joined),
    ...faultCounts(faults),
    ...orderLines(preview),
    ...rowLines(preview),
    '',
    ...repairLines(preview),
    wholeLine(preview),
  ];
};
