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

import type { InSlices } from '../time-slices.ts';
import { CR, createRow, LF, QUOTE, type ScannedRow, type ScanResult } from './scanned-row.ts';

/**
 * Where the first such character at or after a position is; beyond the text where there is none. Rising positions are
 * cheap.
 */
export const createFinder = (character: string): ((text: string, from: number) => number) => {
  /** The first at or after `since` is at `at`. */
  let since = 0;
  let at = -1;
  let within = '';
  return (text, from) => {
    // A list may repeat itself: the next text is equal to the one before, and scanned from its beginning again.
    const known = within === text && since <= from && from <= at;
    // Kept though it is equal: two texts that are equal and not the same are compared to their ends, at each row.
    within = text;
    if (known) return at;
    since = from;
    const found = text.indexOf(character, from);
    at = found === -1 ? text.length : found;
    return at;
  };
};

export type { ScannedRow, ScanResult } from './scanned-row.ts';

export interface Dialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** `lf` reads LF and CRLF; `cr` is for files that have no LF. */
  readonly lineBreak: 'lf' | 'cr';
}

export interface Scanner {
  readonly row: ScannedRow;
  /** Has the bytes of the text that is scanned next at hand, so that they need not be copied. */
  readonly take: (text: string, bytes: Uint8Array) => void;
  /** Scans the row that begins at `from`. `final` says that nothing follows the text. */
  readonly scan: (text: string, from: number, final: boolean) => ScanResult;
  /** The same without the cells, for who needs only to know where the row ends. */
  readonly skip: (text: string, from: number, final: boolean) => ScanResult;
  /** Scans a row that may be long, and yields where other work may be done. */
  readonly scanInSlices: (text: string, from: number, final: boolean) => InSlices<ScanResult>;
  /** Skips a row that may be long, and yields where other work may be done. */
  readonly skipInSlices: (text: string, from: number, final: boolean) => InSlices<ScanResult>;
}

/** Bytes of unquoted cells that are read between two yields. */
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

/** The closing quote of a cell, or -1, where its first quote after the opening one is at `first`. */
const closingQuote = (text: string, bytes: Uint8Array, first: number): number => {
  let at = first;
  while (at !== -1 && bytes[at + 1] === QUOTE) {
    at += 2;
    // Quotes may come by the million: each search for the next one takes longer than a look at the next byte.
    if (bytes[at] !== QUOTE) at = text.indexOf('"', at);
  }
  return at;
};

interface Reading {
  readonly separator: number;
  readonly lineBreak: number;
  readonly maximumBytes: number;
}

/** What reads the cells of a row. */
const createCells = (
  { row, add, finish, unfinished, abandon }: ReturnType<typeof createRow>,
  { separator, lineBreak, maximumBytes }: Reading,
) => {
  /** Reads the quoted cell at `start`. @returns where its separator or line break is, or how the row ended with it */
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

  /** Where a row goes on that was left off: within the cell that begins at `start`. */
  const left = { at: 0, start: 0 };
  const leaveAt = (at: number, start: number): 'left' => {
    left.at = at;
    left.start = start;
    return 'left';
  };

  /**
   * Reads a row's cells from `begunAt` on, within or at the cell that begins at `begunStart`.
   * @param leave a place beyond which the row may be left off
   */
  const cells = (
    text: string,
    begunAt: number,
    begunStart: number,
    final: boolean,
    leave: number,
  ): ScanResult | 'left' => {
    // In locals, for the loop over bytes is where the time goes.
    const { bytes } = row;
    const [cellEnd, rowEnd] = [separator, lineBreak];
    const { length } = bytes;
    // A row that goes on there is too long, whatever follows: its line break has two bytes at most.
    const tooLong = row.start + maximumBytes + 2;
    const bound = Math.min(length, tooLong, leave);
    for (let at = begunAt, start = begunStart; ; start = at) {
      let c = bytes[at];
      if (c === QUOTE && at === start) {
        const after = quotedCell(text, start, final);
        if (typeof after === 'string') return after;
        at = after;
        c = bytes[at];
      } else {
        while (c !== cellEnd && c !== rowEnd && at < bound) c = bytes[++at];
        if (at >= bound && at < length && c !== cellEnd && c !== rowEnd)
          return at >= tooLong ? 'tooLong' : leaveAt(at, start);
        if (row.blank && at > start && hasContent(bytes, start, at)) row.blank = false;
        add(start, at);
      }
      if (at >= length) return final ? finish(text, at) : unfinished(text);
      if (c !== cellEnd) return finish(text, at);
      at += 1;
      if (at > bound) return at > tooLong ? 'tooLong' : leaveAt(at, at);
    }
  };

  return { cells, left };
};

/** @param maximumBytes the longest row that is read, its line break not counted */
export const createScanner = (dialect: Dialect, maximumBytes: number): Scanner => {
  const separator = dialect.delimiter.charCodeAt(0);
  const breakText = dialect.lineBreak === 'lf' ? '\n' : '\r';
  const breakCode = breakText.charCodeAt(0);
  const parts = createRow({ lineBreak: breakCode, breakText, maximumBytes });
  const { row, begin, finish } = parts;
  const { cells, left } = createCells(parts, { separator, lineBreak: breakCode, maximumBytes });
  const nextQuote = createFinder('"');

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

  const scan: Scanner['scan'] = (text, from, final) => {
    read(text);
    begin(from);
    if (from >= row.bytes.length) return final ? 'end' : 'incomplete';
    const scanned = cells(text, from, from, final, Number.POSITIVE_INFINITY);
    if (scanned === 'left') throw new Error('a row was left off that was to be read to its end');
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

  /** The row's end, where it can be told without its cells. */
  const skipLine = (text: string, from: number, final: boolean): ScanResult | undefined => {
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
