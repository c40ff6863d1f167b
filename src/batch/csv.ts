/**
 * Reading and writing rows of CSV, the batch's hot path. One scanner finds rows and cells for all who need them (the
 * upload that plans chunks, the chunk that rates them), so they cannot disagree where a row ends; csv-parse and
 * csv-stringify are its oracles in the tests.
 *
 * Text is always Latin-1 of UTF-8 bytes: one character is one byte, so positions are byte offsets, strings stay one byte
 * a character, and bytes that are passed through come out as they came in. Separators, quotes and line breaks are ASCII
 * and never part of a UTF-8 sequence. `decodeText` and `encodeText` convert the few cells whose characters matter.
 *
 * Grammar: RFC 4180, with either line break, and a quote inside an unquoted cell taken as it is. A row is malformed where
 * a quoted cell is not closed (within the row limit), or text follows its closing quote; it then ends with the line on
 * which that cell began, so that one stray quote costs one row.
 */

export interface Dialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** `lf` reads LF and CRLF; `cr` is for files that have no LF. */
  readonly lineBreak: 'lf' | 'cr';
}

/** The row that was scanned last. Positions are offsets into the text; cells are read with `cellOf`. */
export interface ScannedRow {
  /** The bytes of the text that the row is in: reading a byte is several times quicker than reading a character. */
  bytes: Uint8Array;
  start: number;
  /** End of the row without its line break. */
  end: number;
  /** Where the next row begins. */
  next: number;
  cells: number;
  readonly starts: number[];
  readonly ends: number[];
  /** Whether any cell is quoted. */
  quoted: boolean;
  /** Whether no cell has any content. */
  blank: boolean;
  malformed: string | undefined;
}

/** A text and the bytes that it is of. */
export interface Source {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** `incomplete`: the row may go on after the text; `tooLong`: it is over the limit and was not read to its end. */
export type ScanResult = 'row' | 'incomplete' | 'tooLong' | 'end';

export interface Scanner {
  readonly row: ScannedRow;
  /** Scans the row that begins at `from`. `final` says that nothing follows the text. */
  readonly scan: (text: string, from: number, final: boolean) => ScanResult;
  /** The same without the cells, for who needs only to know where the row ends. */
  readonly skip: (text: string, from: number, final: boolean) => ScanResult;
}

const QUOTE = 34;
const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;

const hasContent = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let i = start; i < end; i++) {
    const c = bytes[i];
    // The CR of a line break is still part of the text here.
    if (c !== SPACE && c !== TAB && c !== CR) return true;
  }
  return false;
};

/** The closing quote of the cell that opens at `open`, or -1. */
const closingQuote = (text: string, open: number): number => {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
};

const emptyRow = (): ScannedRow => ({
  bytes: new Uint8Array(),
  start: 0,
  end: 0,
  next: 0,
  cells: 0,
  starts: [],
  ends: [],
  quoted: false,
  blank: true,
  malformed: undefined,
});

interface Codes {
  readonly lineBreak: number;
  readonly breakText: string;
  readonly maximumBytes: number;
}

/** The row under the scanner, and the ways in which it ends. */
const createRow = ({ lineBreak, breakText, maximumBytes }: Codes) => {
  const row = emptyRow();

  const begin = (from: number): void => {
    row.start = from;
    row.cells = 0;
    row.quoted = false;
    row.blank = true;
    row.malformed = undefined;
  };

  const add = (start: number, end: number): void => {
    row.starts[row.cells] = start;
    row.ends[row.cells] = end;
    row.cells += 1;
  };

  /** Ends the row at the break at `at` (or the text's end). */
  const finish = (text: string, at: number): ScanResult => {
    row.next = at < text.length ? at + 1 : at;
    row.end = at;
    if (lineBreak === LF && at > row.start && text.charCodeAt(at - 1) === CR) {
      row.end -= 1;
      const last = row.cells - 1;
      if (last >= 0 && (row.ends[last] ?? 0) > row.end) row.ends[last] = row.end;
    }
    return row.end - row.start > maximumBytes ? 'tooLong' : 'row';
  };

  /** The text is over before the row is. */
  const unfinished = (text: string): ScanResult => (text.length - row.start > maximumBytes ? 'tooLong' : 'incomplete');

  /** The rest of a malformed row is one cell that runs to the line's end. `close` is the closing quote, or -1. */
  const abandon = (text: string, cellStart: number, close: number, final: boolean): ScanResult => {
    const found = text.indexOf(breakText, cellStart);
    if (found === -1 && !final) return unfinished(text);
    const at = found === -1 ? text.length : found;
    // A quote on a later line closes nothing: whether there is one must not matter, it may lie in another chunk.
    const closed = close !== -1 && close < at;
    row.malformed = closed ? 'there is text after a closing quote' : 'a quoted cell is not closed';
    row.blank = false;
    add(cellStart, at);
    return finish(text, at);
  };

  return { row, begin, add, finish, unfinished, abandon };
};

/** Where the first such character at or after a position is; beyond the text where there is none. Rising positions are cheap. */
export const createFinder = (character: string): ((text: string, from: number) => number) => {
  let at = -1;
  let within = '';
  return (text, from) => {
    const known = within === text && at >= from;
    // Kept though it is equal: two texts that are equal and not the same are compared to their ends, at each row.
    within = text;
    if (known) return at;
    const found = text.indexOf(character, from);
    at = found === -1 ? text.length : found;
    return at;
  };
};

/**
 * @param maximumBytes the longest row that is read, its line break not counted
 * @param source a text whose bytes are at hand, so that they need not be copied
 */
export const createScanner = (dialect: Dialect, maximumBytes: number, source?: Source): Scanner => {
  const separator = dialect.delimiter.charCodeAt(0);
  const breakText = dialect.lineBreak === 'lf' ? '\n' : '\r';
  const breakCode = breakText.charCodeAt(0);
  const { row, begin, add, finish, unfinished, abandon } = createRow({ lineBreak: breakCode, breakText, maximumBytes });
  const nextQuote = createFinder('"');

  /** Reads the quoted cell at `start`. @returns where its separator or line break is, or how the row ended with it */
  const quotedCell = (text: string, start: number, final: boolean): number | ScanResult => {
    row.quoted = true;
    const close = closingQuote(text, start);
    const undecided = close === -1 || close === text.length - 1;
    if (undecided && !final && text.length - row.start <= maximumBytes) return 'incomplete';
    if (close === -1 || close - row.start > maximumBytes) return abandon(text, start, -1, final);
    let at = close + 1;
    if (text.charCodeAt(at) === CR && breakCode === LF) {
      if (at + 1 >= text.length && !final) return 'incomplete';
      if (at + 1 >= text.length || text.charCodeAt(at + 1) === LF) at += 1;
    }
    const c = text.charCodeAt(at);
    if (at < text.length && c !== separator && c !== breakCode) return abandon(text, start, close, final);
    add(start, close + 1);
    if (hasContent(row.bytes, start + 1, close)) row.blank = false;
    return at;
  };

  let scanned = source?.text ?? '';
  row.bytes = source?.bytes ?? row.bytes;
  /** Has `row.bytes` be the text's: one copy for all of its rows. */
  const take = (text: string): void => {
    const known = scanned === text;
    scanned = text;
    if (known) return;
    row.bytes = Buffer.from(text, 'latin1');
  };

  const scan = (text: string, from: number, final: boolean): ScanResult => {
    take(text);
    begin(from);
    // In locals, for the loop over bytes is where the time goes.
    const { bytes, starts, ends } = row;
    const [cellEnd, rowEnd] = [separator, breakCode];
    const { length } = bytes;
    if (from >= length) return final ? 'end' : 'incomplete';
    for (let at = from; ; at += 1) {
      const start = at;
      let c = bytes[at];
      if (c === QUOTE) {
        const after = quotedCell(text, start, final);
        if (typeof after === 'string') return after;
        at = after;
        c = bytes[at];
      } else {
        while (c !== cellEnd && c !== rowEnd && at < length) c = bytes[++at];
        if (row.blank && at > start && hasContent(bytes, start, at)) row.blank = false;
        starts[row.cells] = start;
        ends[row.cells] = at;
        row.cells += 1;
      }
      if (at >= length) return final ? finish(text, at) : unfinished(text);
      if (c !== cellEnd) return finish(text, at);
    }
  };

  const skip = (text: string, from: number, final: boolean): ScanResult => {
    const found = text.indexOf(breakText, from);
    const at = found === -1 ? text.length : found;
    const first = text.charCodeAt(from);
    // Without a quote a row is its line. One that begins with a blank or a separator may have no content.
    if ((found === -1 && !final) || nextQuote(text, from) < at || !(first > SPACE) || first === separator)
      return scan(text, from, final);
    begin(from);
    row.blank = false;
    return finish(text, at);
  };

  return { row, scan, skip };
};

/** Bytes as text for the scanner. */
export const textOf = (bytes: Buffer): string => bytes.toString('latin1');

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
};

/** A cell of the scanner's text as the characters that were meant. */
export const decodeText = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');

/** Characters as the scanner's text. */
export const encodeText = (text: string): string =>
  isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');

/** The value of a cell: without its quotes. A cell of a malformed row that was never closed is read to its end. */
export const cellOf = (text: string, row: ScannedRow, index: number): string => {
  const start = row.starts[index] ?? 0;
  const end = row.ends[index] ?? 0;
  if (index >= row.cells) return '';
  if (end === start || text.charCodeAt(start) !== QUOTE) return text.slice(start, end);
  const closed = end - start > 1 && text.charCodeAt(end - 1) === QUOTE;
  const inner = text.slice(start + 1, closed ? end - 1 : end);
  return inner.includes('"') ? inner.replaceAll('""', '"') : inner;
};

const NEEDS_QUOTES = /[",\n\r]/;

/** A value as a cell of the output: quoted only where it must be. */
export const writeCell = (value: string): string =>
  NEEDS_QUOTES.test(value) ? `"${value.includes('"') ? value.replaceAll('"', '""') : value}"` : value;
