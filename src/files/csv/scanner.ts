/**
 * Finds the rows and cells of CSV: the hot path of a batch. The upload that plans chunks and the worker that rates them use
 * the same scanner, so they agree on where a row ends. The tests compare it with csv-parse.
 *
 * The scanner's text is UTF-8 bytes decoded as Latin-1. One character is one byte, so positions are byte offsets, and
 * bytes that pass through do not change. Separators, quotes and line breaks are ASCII and never part of a longer UTF-8
 * sequence.
 *
 * Grammar: RFC 4180 with CRLF, LF or CR. A quote inside an unquoted cell is ordinary text. A row is malformed if a quoted
 * cell is not closed within the row limit, or if text follows its closing quote. A malformed row ends with the line on
 * which that cell began, so one stray quote costs one row.
 */

import type { InSlices } from '../../base/time-slices.ts';
import { CR, createRow, LF, QUOTE, type ScannedRow, type ScanResult } from './scanned-row.ts';

/** Returns the position of the first match, or -1. */
const matchOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
};

/**
 * Creates a function that finds the first occurrence at or after a position, or the end of the text. Calls with rising
 * positions are cheap.
 * @param what a text, or a global pattern
 */
export const createFinder = (what: string | RegExp): ((text: string, from: number) => number) => {
  // `at` is the first occurrence at or after `since`.
  let since = 0;
  let at = -1;
  let within = '';
  return (text, from) => {
    // The next text may equal the last one: a list may repeat itself. Then `from` is smaller again.
    const known = within === text && since <= from && from <= at;
    // Assigned even if equal: comparing equal strings is slow for each row unless they are the same object.
    within = text;
    if (known) return at;
    since = from;
    const found = typeof what === 'string' ? text.indexOf(what, from) : matchOf(what, text, from);
    at = found === -1 ? text.length : found;
    return at;
  };
};

export type { ScannedRow, ScanResult } from './scanned-row.ts';

export interface Dialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** `lf` accepts LF and CRLF; `cr` is for files without any LF. */
  readonly lineBreak: 'lf' | 'cr';
  /** `none`: quotes are ordinary text. Undefined: cells may be quoted. */
  readonly quotes?: 'none' | undefined;
}

export interface Scanner {
  readonly row: ScannedRow;
  /** Provides the bytes of the next text, so that the scanner does not copy them. */
  readonly take: (text: string, bytes: Uint8Array) => void;
  /** Scans the row that begins at `from`. `final` means that nothing follows the text. */
  readonly scan: (text: string, from: number, final: boolean) => ScanResult;
  /** Finds the end of the row. It may leave the cells unread, which is faster. */
  readonly skip: (text: string, from: number, final: boolean) => ScanResult;
  /** Scans a row that may be long. It yields so that other work can run. */
  readonly scanInSlices: (text: string, from: number, final: boolean) => InSlices<ScanResult>;
  /** Skips a row that may be long. It yields so that other work can run. */
  readonly skipInSlices: (text: string, from: number, final: boolean) => InSlices<ScanResult>;
}

/** Bytes of unquoted cells read between two yields. */
const SLICE_BYTES = 16 * 1024;

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

/** Returns the position of a cell's closing quote, or -1. `first` is the first quote after the opening one. */
const closingQuote = (text: string, bytes: Uint8Array, first: number): number => {
  let at = first;
  while (at !== -1 && bytes[at + 1] === QUOTE) {
    at += 2;
    // A cell may hold millions of quotes. Checking the next byte is faster than a search.
    if (bytes[at] !== QUOTE) at = text.indexOf('"', at);
  }
  return at;
};

interface ScanState {
  /** The code that opens a quoted cell; -1 if there is none. */
  readonly quote: number;
  readonly separator: number;
  readonly lineBreak: number;
  readonly maximumBytes: number;
}

/** Creates the functions that read the cells of a row. */
const createCells = (
  { row, add, finish, unfinished, abandon }: ReturnType<typeof createRow>,
  { quote, separator, lineBreak, maximumBytes }: ScanState,
) => {
  /** Reads the quoted cell at `start`. @returns the position of the separator or line break after it, or how the row ended */
  const quotedCell = (text: string, start: number, final: boolean): number | ScanResult => {
    row.quoted = true;
    const first = text.indexOf('"', start + 1);
    const close = closingQuote(text, row.bytes, first);
    const undecided = close === -1 || close === text.length - 1;
    if (undecided && !final && text.length - row.start <= maximumBytes) return 'incomplete';
    if (close === -1 || close - row.start > maximumBytes) return abandon(text, start, -1, final);
    let at = close + 1;
    if (text.charCodeAt(at) === CR && lineBreak === LF) {
      if (at + 1 >= text.length && !final) return 'incomplete';
      if (at + 1 >= text.length || text.charCodeAt(at + 1) === LF) at += 1;
    }
    const c = text.charCodeAt(at);
    if (at < text.length && c !== separator && c !== lineBreak) return abandon(text, start, close, final);
    if (close === first) add(start + 1, close);
    else {
      row.escaped = true;
      add(start, close + 1);
    }
    if (hasContent(row.bytes, start + 1, close)) row.blank = false;
    return at;
  };

  /** Where an interrupted row continues: at `at`, in the cell that begins at `start`. */
  const left = { at: 0, start: 0 };
  const leaveAt = (at: number, start: number): 'left' => {
    left.at = at;
    left.start = start;
    return 'left';
  };

  /**
   * Reads a row's cells from `begunAt` on, in the cell that begins at `begunStart`.
   * @param leave the position after which the function may return `left`
   */
  const cells = (
    text: string,
    begunAt: number,
    begunStart: number,
    final: boolean,
    leave: number,
  ): ScanResult | 'left' => {
    // Locals, because the loop over the bytes takes most of the time. It never reads past their end, which is far slower.
    const { bytes } = row;
    const [cellEnd, rowEnd] = [separator, lineBreak];
    const { length } = bytes;
    // A row that reaches this position is too long: a line break has at most two bytes.
    const tooLong = row.start + maximumBytes + 2;
    const bound = Math.min(length, tooLong, leave);
    for (let at = begunAt, start = begunStart; ; start = at) {
      if (at === start && at < length && bytes[at] === quote) {
        const after = quotedCell(text, start, final);
        if (typeof after === 'string') return after;
        at = after;
      } else {
        while (at < bound && bytes[at] !== cellEnd && bytes[at] !== rowEnd) at += 1;
        if (at >= bound && at < length && bytes[at] !== cellEnd && bytes[at] !== rowEnd)
          return at >= tooLong ? 'tooLong' : leaveAt(at, start);
        if (row.blank && at > start && hasContent(bytes, start, at)) row.blank = false;
        add(start, at);
      }
      if (at >= length) return final ? finish(text, at) : unfinished(text);
      if (bytes[at] !== cellEnd) return finish(text, at);
      at += 1;
      if (at > bound) return at > tooLong ? 'tooLong' : leaveAt(at, at);
    }
  };

  return { cells, left };
};

/** @param maximumBytes the length of the longest row that is read, without its line break */
export const createScanner = (dialect: Dialect, maximumBytes: number): Scanner => {
  const separator = dialect.delimiter.charCodeAt(0);
  const breakText = dialect.lineBreak === 'lf' ? '\n' : '\r';
  const breakCode = breakText.charCodeAt(0);
  const parts = createRow({ lineBreak: breakCode, breakText, maximumBytes });
  const { row, begin, finish } = parts;
  const hasQuotes = dialect.quotes !== 'none';
  const { cells, left } = createCells(parts, {
    ...{ quote: hasQuotes ? QUOTE : -1, separator, lineBreak: breakCode, maximumBytes },
  });
  const nextQuote = createFinder('"');

  const take = (text: string, bytes: Uint8Array): void => {
    row.text = text;
    row.bytes = bytes;
  };

  /** Sets the row's text and bytes. The bytes are copied once for all rows of a text. */
  const read = (text: string): void => {
    const known = row.text === text;
    row.text = text;
    if (!known) row.bytes = Buffer.from(text, 'latin1');
  };

  const scan: Scanner['scan'] = (text, from, final) => {
    read(text);
    begin(from);
    if (from >= row.bytes.length) return final ? 'end' : 'incomplete';
    const scanned = cells(text, from, from, final, Number.POSITIVE_INFINITY);
    if (scanned === 'left') throw new Error('The scanner left a row that it must read to the end.');
    return scanned;
  };

  function* scanInSlices(text: string, from: number, final: boolean): InSlices<ScanResult> {
    read(text);
    begin(from);
    if (from >= row.bytes.length) return final ? 'end' : 'incomplete';
    let scanned = cells(text, from, from, final, from + SLICE_BYTES);
    while (scanned === 'left') {
      yield;
      scanned = cells(text, left.at, left.start, final, left.at + SLICE_BYTES);
    }
    return scanned;
  }

  /** Ends the row without reading its cells, if possible. */
  const skipLine = (text: string, from: number, final: boolean): ScanResult | undefined => {
    const first = text.charCodeAt(from);
    // Empty lines have a fast path: a file may have millions.
    const empty = first === CR && breakCode === LF && text.charCodeAt(from + 1) === LF ? from + 1 : from;
    if (empty !== from || first === breakCode) {
      begin(from);
      return finish(text, empty);
    }
    const found = text.indexOf(breakText, from);
    const at = found === -1 ? text.length : found;
    // Without a quote, a row is one line. A row that begins with white space or a separator may be blank.
    if (
      (found === -1 && !final) ||
      (hasQuotes && nextQuote(text, from) < at) ||
      !(first > SPACE) ||
      first === separator
    )
      return undefined;
    begin(from);
    row.blank = false;
    return finish(text, at);
  };

  const skip: Scanner['skip'] = (text, from, final) => skipLine(text, from, final) ?? scan(text, from, final);
  function* skipInSlices(text: string, from: number, final: boolean): InSlices<ScanResult> {
    return skipLine(text, from, final) ?? (yield* scanInSlices(text, from, final));
  }

  return { row, take, scan, skip, scanInSlices, skipInSlices };
};
