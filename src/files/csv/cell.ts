/**
 * Reads CSV cells from the scanner's text and writes cells of the output. The tests compare the written cells with
 * csv-stringify.
 */
import { missing } from '../../base/must.ts';
import { BYTE, END, QUOTE, type ScannedRow, START } from './scanned-row.ts';

/** Converts bytes to the scanner's text: one Latin-1 character for each byte. */
export const textOf = (bytes: Buffer): string => bytes.toString('latin1');

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
};

/** V8 makes a slice of this length or longer a view, which keeps the whole parent string in memory. */
const VIEW_CHARACTERS = 13;

/** Decodes a cell of the scanner's text (UTF-8 bytes as Latin-1). The result does not keep that text in memory. */
export const decodeText = (text: string): string =>
  text.length < VIEW_CHARACTERS && isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');

/** Encodes characters as the scanner's text: the reverse of `decodeText`. */
export const encodeText = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');

/** Longer text is copied byte by byte: `replaceAll` takes ten times as long if there are many quotes. */
const LONG_CHARACTERS = 1_024;

/** Replaces each pair of quotes with one quote. */
const undoubled = (text: string): string => {
  if (text.length < LONG_CHARACTERS) return text.replaceAll('""', '"');
  const bytes = Buffer.from(text, 'latin1');
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1, to += 1) {
    const byte = bytes[at] ?? missing(BYTE);
    bytes[to] = byte;
    if (byte === QUOTE && bytes[at + 1] === QUOTE) at += 1;
  }
  return textOf(bytes.subarray(0, to));
};

/** Returns the value of a cell that begins with a quote. If the quote is never closed, the value runs to the end. */
const unquoted = (raw: string): string => {
  const closed = raw.length > 1 && raw.charCodeAt(raw.length - 1) === QUOTE;
  const inner = raw.slice(1, closed ? -1 : undefined);
  return inner.includes('"') ? undoubled(inner) : inner;
};

/** Returns the value of a cell without the quotes that it has in the file. */
export const cellValue = (raw: string): string => (raw.charCodeAt(0) === QUOTE ? unquoted(raw) : raw);

/** Returns the value of cell `index` of a row, without its quotes. Empty if the row has fewer cells. */
export const cellOf = (text: string, row: ScannedRow, index: number): string => {
  if (index >= row.cells) return '';
  const start = row.starts[index] ?? missing(START);
  const end = row.ends[index] ?? missing(END);
  const raw = text.slice(start, end);
  // Other quotes at the start of a cell are text.
  const isQuoted = row.escaped || row.malformed !== undefined;
  return end === start || !isQuoted || text.charCodeAt(start) !== QUOTE ? raw : unquoted(raw);
};

const NEEDS_QUOTES = /[",\n\r]/;

/** Writes a value as a cell of the output, quoted only if it must be. */
export const writeCell = (value: string): string =>
  NEEDS_QUOTES.test(value) ? `"${value.includes('"') ? value.replaceAll('"', '""') : value}"` : value;

/** Removes the Unicode white space around a cell, and the apostrophe with which spreadsheets mark text (`'02139`). */
export const bare = (cell: string): string => {
  const trimmed = cell.trim();
  return trimmed.startsWith("'") ? trimmed.slice(1).trim() : trimmed;
};
