/** Rating one chunk of a file, by the batch path's own functions. */
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Chunk } from '../rows/chunk-plan.ts';
import { createRater, type RatingContext } from '../rows/rate-rows.ts';
import type { Tally } from '../rows/tally.ts';
import { CommandFailure } from './exit.ts';

/** The rows of a chunk as the output has them, and what they came to. */
export interface RatedChunk {
  readonly output: Uint8Array;
  readonly tally: Tally;
}

/** Rows between two looks at the signal. */
const SLICE_ROWS = 1_000;

/** @returns the bytes from `from` up to `to`; fewer where the file ends before */
export const readRange = async (file: FileHandle, from: number, to: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

/** @throws {CommandFailure} where the file is no longer the one that was planned */
export const rateChunk = async (
  file: FileHandle,
  { from, to, firstRow, rows }: Chunk,
  context: RatingContext,
  signal?: AbortSignal,
): Promise<RatedChunk> => {
  const bytes = await readRange(file, from, to);
  const rater = createRater(bytes, firstRow, context);
  while (rater.step(SLICE_ROWS)) {
    signal?.throwIfAborted();
    await turn();
  }
  const { output, tally } = rater.result();
  if (tally.processed !== rows)
    throw new CommandFailure('The list was changed while it was read: run the command again.');
  return { output, tally };
};
