/** Rows of a batch's own files (comma, LF) as they stream by, each turned into other text. */

import { textOf } from './csv.ts';
import { createScanner, type ScannedRow } from './scanner.ts';
import { turn } from './turn.ts';

/** Turned at a time: other requests are served in between. */
const SLICE_BYTES = 32 * 1024;

/** How rows of the batch's own files are written. */
export const OWN_DIALECT = { delimiter: ',', lineBreak: 'lf' } as const;

/**
 * Goes through rows in order, and yields after each slice of them.
 * @param see is shown each row with the scanner's text. `number` counts all rows from 1, a header too.
 */
export async function* eachSlice(
  content: AsyncIterable<Uint8Array>,
  see: (text: string, row: ScannedRow, number: number) => void,
): AsyncGenerator<void> {
  const { row, scan } = createScanner(OWN_DIALECT, Number.MAX_SAFE_INTEGER);
  let carry = '';
  let number = 0;
  /** Everything up to a row that may go on after the text. */
  const take = (text: string, final: boolean): void => {
    let at = 0;
    for (; scan(text, at, final) === 'row'; at = row.next) {
      number += 1;
      see(text, row, number);
    }
    carry = text.slice(at);
  };
  for await (const bytes of content) {
    for (let from = 0; from < bytes.byteLength; from += SLICE_BYTES) {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(SLICE_BYTES, bytes.byteLength - from));
      take(carry + textOf(piece), false);
      yield;
      await turn();
    }
  }
  take(carry, true);
  yield;
}

/**
 * @param write what a row becomes; both texts are the scanner's. `number` counts all rows from 1, the header too.
 */
export async function* mapRows(
  content: AsyncIterable<Uint8Array>,
  write: (text: string, row: ScannedRow, number: number) => string,
): AsyncGenerator<Buffer> {
  let written = '';
  const add = (text: string, row: ScannedRow, number: number): void => {
    written += write(text, row, number);
  };
  for await (const _ of eachSlice(content, add)) {
    if (written !== '') yield Buffer.from(written, 'latin1');
    written = '';
  }
}
