/**
 * Cells of CSV as text: out of the scanner's text and into the output's. csv-stringify is the oracle of what is written,
 * in the tests.
 */
import type { ScannedRow } from './scanner.ts';

const QUOTE = 34;

/** Bytes as text for the scanner. */
export const textOf = (bytes: Buffer): string => bytes.toString('latin1');

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
};

/** The engine makes slices of at least this many characters views, which hold all of the text that they are of. */
const VIEW_CHARACTERS = 13;

/** A cell of the scanner's text as the characters that were meant. It may be held longer than that text. */
export const decodeText = (text: string): string =>
  text.length < VIEW_CHARACTERS && isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');

/** Characters as the scanner's text. */
export const encodeText = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');

/** From so many characters on, quotes are taken one by one: searching for each takes ten times as long if they are many. */
const LONG_CHARACTERS = 1_024;

/** Text with each two quotes as one. */
const undoubled = (text: string): string => {
  if (text.length < LONG_CHARACTERS) return text.replaceAll('""', '"');
  const bytes = Buffer.from(text, 'latin1');
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1, to += 1) {
    const byte = bytes[at] ?? 0;
    bytes[to] = byte;
    if (byte === QUOTE && bytes[at + 1] === QUOTE) at += 1;
  }
  return textOf(bytes.subarray(0, to));
};

/** The value of a cell that begins with a quote. One that was never closed is read to its end. */
const unquoted = (raw: string): string => {
  const closed = raw.length > 1 && raw.charCodeAt(raw.length - 1) === QUOTE;
  const inner = raw.slice(1, closed ? -1 : undefined);
  return inner.includes('"') ? undoubled(inner) : inner;
};

/** The value of a cell as a file has it: without its quotes. */
export const cellValue = (raw: string): string => (raw.charCodeAt(0) === QUOTE ? unquoted(raw) : raw);

/** The value of a cell of a row: without its quotes. */
export const cellOf = (text: string, row: ScannedRow, index: number): string => {
  const start = row.starts[index] ?? 0;
  const end = row.ends[index] ?? 0;
  if (index >= row.cells) return '';
  const raw = text.slice(start, end);
  return end === start || text.charCodeAt(start) !== QUOTE ? raw : unquoted(raw);
};

const NEEDS_QUOTES = /[",\n\r]/;

/** A value as a cell of the output: quoted only where it must be. */
export const writeCell = (value: string): string =>
  NEEDS_QUOTES.test(value) ? `"${value.includes('"') ? value.replaceAll('"', '""') : value}"` : value;

/**
 * The value of a cell that is read: without blanks around it, of any kind that Unicode has, and without the apostrophe
 * by which a spreadsheet marks text (`'02139`).
 */
export const bare = (cell: string): string => {
  const trimmed = cell.trim();
  return trimmed.startsWith("'") ? trimmed.slice(1).trim() : trimmed;
};
