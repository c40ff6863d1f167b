/**
 * A batch's own files (comma, LF) as they stream by, cell by cell, in slices of bounded work: a cell of a slice may be a
 * part of a longer one. In these files a cell has quotes around it if it holds a separator, a quote or a line break, and
 * no others have quotes. So a separator or a line break outside of quotes always ends a cell.
 */

import { turn } from '../time-slices.ts';
import { textOf } from './cell.ts';

/** The most work in one turn: other requests are served in between. Cells count because short ones become long XML. */
export const SLICE = { bytes: 32 * 1024, cells: 4_000 } as const;

/** How rows of the batch's own files are written. */
export const OWN_DIALECT = { delimiter: ',', lineBreak: 'lf' } as const;

/** Takes cells in order. All text is the scanner's, as the file has it: with its quotes. */
export interface CellSink {
  /** The next part of a cell. A cell without text has none, or empty ones. */
  readonly part: (text: string) => void;
  /** @param endsRow whether the cell is the last of its row */
  readonly end: (endsRow: boolean) => void;
}

const QUOTE = 34;
const COMMA = 44;
const LF = 10;

/** Goes through cells in order. It yields after each slice of them, and the next slice comes in a later turn. */
export async function* eachSlice(content: AsyncIterable<Uint8Array>, sink: CellSink): AsyncGenerator<void> {
  let quoted = false;
  let isWhole = true;
  /** @returns how many bytes the slice has */
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

/** Texts as bytes, in pieces of bounded size, each but the first in a later turn. */
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

/** @param sinkTo makes what takes the cells, and writes what becomes of them: both texts are the scanner's */
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
