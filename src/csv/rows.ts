/**
 * The rows of bytes at hand, one after the other. Their text is made a window at a time: a chunk's text in one piece is
 * so large that it is collected only now and then, with all that came before it.
 */
import { textOf } from './cell.ts';
import { createScanner, type Dialect, type ScannedRow, type ScanResult } from './scanner.ts';

/** The engine keeps strings of up to 128 KiB among its young objects. */
const WINDOW_BYTES = 64 * 1024;

export interface RowsOfBytes {
  /** The row under the scanner; its positions are those in its own text. */
  readonly row: ScannedRow;
  /** Scans the next row. `incomplete` is no answer: nothing follows the bytes. */
  readonly next: () => Exclude<ScanResult, 'incomplete'>;
  /** Where the row begins in the bytes. */
  readonly start: () => number;
}

/** @param maximumBytes the longest row that is read, its line break not counted */
export const createRows = (bytes: Buffer, dialect: Dialect, maximumBytes: number): RowsOfBytes => {
  const { row, take, scan } = createScanner(dialect, maximumBytes);
  let windowStart = 0;
  let windowEnd = 0;
  let text = '';
  let at = 0;

  /** Moves the window to where the scan stands. A row that is longer than a window has all the rest as its window. */
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
