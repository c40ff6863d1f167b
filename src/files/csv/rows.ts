/**
 * Reads the rows of a buffer one by one. The text is decoded one window at a time: the text of a whole chunk would be a
 * large object, which the garbage collector frees late.
 */
import { textOf } from './cell.ts';
import { createScanner, type Dialect, type ScannedRow, type ScanResult } from './scanner.ts';

/** V8 allocates strings of up to 128 KiB in its young generation. */
const WINDOW_BYTES = 64 * 1024;

export interface RowsOfBytes {
  /** The current row; its positions are offsets into its own text. */
  readonly row: ScannedRow;
  /** Scans the next row. It never returns `incomplete`, because nothing follows the buffer. */
  readonly next: () => Exclude<ScanResult, 'incomplete'>;
  /** The offset of the current row in the buffer. */
  readonly start: () => number;
}

/** @param maximumBytes the length of the longest row that is read, without its line break */
export const createRows = (bytes: Buffer, dialect: Dialect, maximumBytes: number): RowsOfBytes => {
  const { row, take, scan } = createScanner(dialect, maximumBytes);
  let windowStart = 0;
  let windowEnd = 0;
  let text = '';
  let at = 0;

  /** Moves the window to the scan position. If a row is longer than a window, the window becomes all the rest. */
  const slide = (): void => {
    const isLong = at === 0 && text !== '';
    windowStart += at;
    windowEnd = isLong ? bytes.length : Math.min(bytes.length, windowStart + WINDOW_BYTES);
    at = 0;
    const window = bytes.subarray(windowStart, windowEnd);
    text = textOf(window);
    take(text, window);
  };

  const next: RowsOfBytes['next'] = () => {
    for (;;) {
      const scanned = scan(text, at, windowEnd === bytes.length);
      if (scanned !== 'incomplete') {
        at = row.next;
        return scanned;
      }
      slide();
    }
  };

  return { row, next, start: () => windowStart + row.start };
};
