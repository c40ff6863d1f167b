/**
 * Streams a batch's own files (comma, LF) cell by cell, in slices of bounded work. A slice may end in the middle of a
 * cell. In these files a cell is quoted only if it contains a separator, a quote or a line break, so a separator or
 * line break outside quotes always ends a cell.
 */

import { turn } from '../../base/time-slices.ts';
import { textOf } from './cell.ts';
import { LF, QUOTE } from './scanned-row.ts';

/** Maximum work in one turn: about 0.4 ms for a workbook. Other requests run in between. Short cells become long XML. */
export const SLICE = { bytes: 16 * 1024, cells: 1_500 } as const;

/** The dialect of the batch's own files. */
export const OWN_DIALECT = { delimiter: ',', lineBreak: 'lf' } as const;

/** Receives cells in order. The text is the scanner's and includes the quotes of the file. */
export interface CellSink {
  /** The next part of a cell. An empty cell has no parts, or only empty ones. */
  readonly part: (text: string) => void;
  /** @param endsRow whether the cell is the last of its row */
  readonly end: (endsRow: boolean) => void;
}

/** Gathers the cells of each row, in the scanner's text. */
export const rowSink = (take: (cells: readonly string[]) => void): CellSink => {
  let row: string[] = [];
  let cell = '';
  return {
    part: (text) => {
      cell += text;
    },
    end: (endsRow) => {
      row.push(cell);
      cell = '';
      if (!endsRow) return;
      take(row);
      row = [];
    },
  };
};

const COMMA = 44;

/** Passes all cells to the sink. It yields after each slice and runs the next slice in a later turn. */
export async function* eachSlice(content: AsyncIterable<Uint8Array>, sink: CellSink): AsyncGenerator<void> {
  let quoted = false;
  let isWhole = true;
  /** @returns the length of the slice in bytes */
  const take = (bytes: Buffer): number => {
    const text = textOf(bytes);
    let [start, at, cells] = [0, 0, 0];
    for (; at < bytes.length && cells < SLICE.cells; at++) {
      const code = bytes[at];
      if (code === QUOTE) quoted = !quoted;
      if (quoted || (code !== COMMA && code !== LF)) continue;
      sink.part(text.slice(start, at));
      sink.end(code === LF);
      isWhole = code === LF;
      start = at + 1;
      cells += 1;
    }
    if (start < at) {
      sink.part(text.slice(start, at));
      isWhole = false;
    }
    return at;
  };
  for await (const bytes of content) {
    for (let from = 0; from < bytes.byteLength; ) {
      const length = Math.min(SLICE.bytes, bytes.byteLength - from);
      from += take(Buffer.from(bytes.buffer, bytes.byteOffset + from, length));
      yield;
      await turn();
    }
  }
  if (isWhole) return;
  sink.end(true);
  yield;
}

/** Joins texts into pieces of bounded size, as bytes. Each piece but the first comes in a later turn. */
export async function* inPieces(texts: Iterable<string>): AsyncGenerator<Buffer> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < SLICE.bytes) continue;
    yield Buffer.from(piece, 'latin1');
    piece = '';
    await turn();
  }
  if (piece !== '') yield Buffer.from(piece, 'latin1');
}

/**
 * Rewrites a file cell by cell.
 * @param sinkTo makes the sink of the cells from a function that writes the result; both use the scanner's text
 */
export async function* mapCells(
  content: AsyncIterable<Uint8Array>,
  sinkTo: (write: (text: string) => void) => CellSink,
): AsyncGenerator<Buffer> {
  const written: string[] = [];
  const sink = sinkTo((text) => written.push(text));
  for await (const _ of eachSlice(content, sink)) {
    yield* inPieces(written);
    written.length = 0;
  }
}
