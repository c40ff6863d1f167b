/** The current row of the scanner (`scanner.ts`): its cells and how it ends. */
import { missing } from '../../base/must.ts';

/** The last row that was scanned. Positions are offsets into the text. Read cells with `cellOf`. */
export interface ScannedRow {
  /** The text that contains the row. */
  text: string;
  /** The bytes of that text: reading a byte is several times faster than reading a character. */
  bytes: Uint8Array;
  start: number;
  /** The end of the row, without its line break. */
  end: number;
  /** Where the next row begins. */
  next: number;
  cells: number;
  /** Where each cell's content begins and ends: inside its quotes, or including them if the cell needs unescaping. */
  starts: Int32Array;
  ends: Int32Array;
  quoted: boolean;
  /** Whether any quoted cell contains doubled quotes. */
  escaped: boolean;
  /** Whether no cell has any content. */
  blank: boolean;
  malformed: string | undefined;
}

/** `incomplete`: the row may continue after the text; `tooLong`: the row is over the limit and was not read to its end. */
export type ScanResult = 'row' | 'incomplete' | 'tooLong' | 'end';

/** Texts for `missing`. */
export const START = 'the start of a cell';
export const END = 'the end of a cell';
export const BYTE = 'a byte of a cell';

export const QUOTE = 34;
export const LF = 10;
export const CR = 13;

/** The initial capacity for cells. Plain arrays take tens of milliseconds to grow to a million. */
const FIRST_CELLS = 64;

const grown = (places: Int32Array): Int32Array => {
  const larger = new Int32Array(places.length * 2);
  larger.set(places);
  return larger;
};

const emptyRow = (): ScannedRow => ({
  text: '',
  bytes: new Uint8Array(),
  start: 0,
  end: 0,
  next: 0,
  cells: 0,
  starts: new Int32Array(FIRST_CELLS),
  ends: new Int32Array(FIRST_CELLS),
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

/** Creates an empty row and the functions that fill and end it. */
export const createRow = ({ lineBreak, breakText, maximumBytes }: Codes) => {
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
    if (row.cells === row.starts.length) {
      row.starts = grown(row.starts);
      row.ends = grown(row.ends);
    }
    row.starts[row.cells] = start;
    row.ends[row.cells] = end;
    row.cells += 1;
  };

  /** Ends the row at `at`: the position of its line break, or the end of the text. */
  const finish = (text: string, at: number): ScanResult => {
    row.next = at < text.length ? at + 1 : at;
    row.end = at;
    if (lineBreak === LF && at > row.start && text.charCodeAt(at - 1) === CR) {
      row.end -= 1;
      const last = row.cells - 1;
      if (last >= 0 && (row.ends[last] ?? missing(END)) > row.end) row.ends[last] = row.end;
    }
    return row.end - row.start > maximumBytes ? 'tooLong' : 'row';
  };

  /** The text ends before the row does. A CR at its end may be half of the line break, so it does not count. */
  const unfinished = (text: string): ScanResult => {
    const end = text.charCodeAt(text.length - 1) === CR ? text.length - 1 : text.length;
    return end - row.start > maximumBytes ? 'tooLong' : 'incomplete';
  };

  /** Makes the rest of a malformed row one cell that runs to the end of the line. `close` is the closing quote, or -1. */
  const abandon = (text: string, cellStart: number, close: number, final: boolean): ScanResult => {
    const found = text.indexOf(breakText, cellStart);
    if (found === -1 && !final) return unfinished(text);
    const at = found === -1 ? text.length : found;
    // A quote on a later line does not count: it may be in another chunk, and chunks must not change the result.
    const closed = close !== -1 && close < at;
    row.malformed = closed ? 'there is text after a closing quote' : 'a quoted cell is not closed';
    row.blank = false;
    add(cellStart, at);
    return finish(text, at);
  };

  return { row, begin, add, finish, unfinished, abandon };
};
