/**
 * Finding the rows and cells of CSV, the batch's hot path. One scanner for all who need them (the upload that plans
 * chunks, the chunk that rates them), so they cannot disagree where a row ends; csv-parse is its oracle in the tests.
 *
 * Text is always Latin-1 of UTF-8 bytes: one character is one byte, so positions are byte offsets, strings stay one byte
 * a character, and bytes that are passed through come out as they came in. Separators, quotes and line breaks are ASCII
 * and never part of a UTF-8 sequence.
 *
 * Grammar: RFC 4180, with either line break, and a quote inside an unquoted cell taken as it is. A row is malformed where
 * a quoted cell is not closed (within the row limit), or text follows its closing quote; it then ends with the line on
 * which that cell began, so that one stray quote costs one row.
 */
import { createFinder } from './finder.ts';

export interface Dialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** `lf` reads LF and CRLF; `cr` is for files that have no LF. */
  readonly lineBreak: 'lf' | 'cr';
}

/** The row that was scanned last. Positions are offsets into the text; cells are read with `cellOf`. */
export interface ScannedRow {
  /** The text that the row is in. */
  text: string;
  /** The bytes of that text: reading a byte is several times quicker than reading a character. */
  bytes: Uint8Array;
  start: number;
  /** End of the row without its line break. */
  end: number;
  /** Where the next row begins. */
  next: number;
  cells: number;
  /** Where each cell's content is: within its quotes, or with them where the cell is to be unescaped. */
  readonly starts: number[];
  readonly ends: number[];
  /** Whether any cell is quoted. */
  quoted: boolean;
  /** Whether any cell has quotes of its own in its quotes, which are doubled there. */
  escaped: boolean;
  /** Whether no cell has any content. */
  blank: boolean;
  malformed: string | undefined;
}

/** `incomplete`: the row may go on after the text; `tooLong`: it is over the limit and was not read to its end. */
export type ScanResult = 'row' | 'incomplete' | 'tooLong' | 'end';

export interface Scanner {
  readonly row: ScannedRow;
  /** Has the bytes of the text that is scanned next at hand, so that they need not be copied. */
  readonly take: (text: string, bytes: Uint8Array) => void;
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

/** The closing quote of a cell, or -1, where its first quote after the opening one is at `first`. */
const closingQuote = (text: string, first: number): number => {
  let at = first;
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
};

const emptyRow = (): ScannedRow => ({
  text: '',
  bytes: new Uint8Array(),
  start: 0,
  end: 0,
  next: 0,
  cells: 0,
  starts: [],
  ends: [],
  quoted: false,
  escaped: false,
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
    row.escaped = false;
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

  /** The text is over before the row is. A CR at its end may be half of the line break, which is not counted. */
  const unfinished = (text: string): ScanResult => {
    const end = text.charCodeAt(text.length - 1) === CR ? text.length - 1 : text.length;
    return end - row.start > maximumBytes ? 'tooLong' : 'incomplete';
  };

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

/** @param maximumBytes the longest row that is read, its line break not counted */
export const createScanner = (dialect: Dialect, maximumBytes: number): Scanner => {
  const separator = dialect.delimiter.charCodeAt(0);
  const breakText = dialect.lineBreak === 'lf' ? '\n' : '\r';
  const breakCode = breakText.charCodeAt(0);
  const { row, begin, add, finish, unfinished, abandon } = createRow({ lineBreak: breakCode, breakText, maximumBytes });
  const nextQuote = createFinder('"');

  /** Reads the quoted cell at `start`. @returns where its separator or line break is, or how the row ended with it */
  const quotedCell = (text: string, start: number, final: boolean): number | ScanResult => {
    row.quoted = true;
    const first = text.indexOf('"', start + 1);
    const close = closingQuote(text, first);
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
    if (close === first) add(start + 1, close);
    else {
      row.escaped = true;
      add(start, close + 1);
    }
    if (hasContent(row.bytes, start + 1, close)) row.blank = false;
    return at;
  };

  const take = (text: string, bytes: Uint8Array): void => {
    row.text = text;
    row.bytes = bytes;
  };

  /** Has `row.bytes` be the text's: one copy for all of its rows. */
  const read = (text: string): void => {
    const known = row.text === text;
    row.text = text;
    if (!known) row.bytes = Buffer.from(text, 'latin1');
  };

  const scan = (text: string, from: number, final: boolean): ScanResult => {
    read(text);
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
    const first = text.charCodeAt(from);
    // An empty line, of which a file may have millions.
    const empty = first === CR && breakCode === LF && text.charCodeAt(from + 1) === LF ? from + 1 : from;
    if (empty !== from || first === breakCode) {
      begin(from);
      return finish(text, empty);
    }
    const found = text.indexOf(breakText, from);
    const at = found === -1 ? text.length : found;
    // Without a quote a row is its line. One that begins with a blank or a separator may have no content.
    if ((found === -1 && !final) || nextQuote(text, from) < at || !(first > SPACE) || first === separator)
      return scan(text, from, final);
    begin(from);
    row.blank = false;
    return finish(text, at);
  };

  return { row, take, scan, skip };
};
