/** The row under the scanner (`scanner.ts`), its cells, and the ways in which it ends. */

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
  starts: Int32Array;
  ends: Int32Array;
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

export const QUOTE = 34;
export const LF = 10;
export const CR = 13;

/** Cells that a row has room for at first. Plain arrays take tens of milliseconds to grow to a million. */
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

/** An empty row, and what fills and ends it. */
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
