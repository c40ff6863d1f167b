/** Gzip, inflated as it is read. What is not read is not inflated. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OverLimit } from '../unreadable-file.ts';

/** Lists compress some ten times. A large one that inflates more was made to fill a disk. */
export const MOST_TEXT_RATIO = 500;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/** @throws while it is read: {OverLimit}; the system's error, with a code `Z_…`, if it is damaged */
export async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const feeding = pipeline(Readable.from(source, { objectMode: false }), gunzip);
  // Seen by whoever reads the output; without a handler of its own it would end the process.
  feeding.catch(() => undefined);
  let bytes = 0;
  for await (const piece of gunzip) {
    bytes += piece.length;
    // Counts what was read ahead too, which is little beside the size from which it is asked.
    if (bytes > RATIO_FROM_BYTES && bytes > MOST_TEXT_RATIO * gunzip.bytesWritten)
      throw new OverLimit('inflationRatio', `${MOST_TEXT_RATIO} to 1`);
    yield piece;
  }
  await feeding;
}

export const isNotGzip = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
