/** Inflates gzip only as far as it is read. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { OverLimit } from '../unreadable-file.ts';

/** Lists compress about 10 times. A large list that inflates more than this is a gzip bomb. */
export const MOST_TEXT_RATIO = 500;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/** @throws while it is read: {OverLimit}; an error with a code `Z_…` if the data is damaged */
export async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const feeding = pipeline(Readable.from(source, { objectMode: false }), gunzip);
  // The reader of the output gets this error. Without a handler it would end the process.
  feeding.catch(() => undefined);
  let bytes = 0;
  for await (const piece of gunzip) {
    bytes += piece.length;
    // `bytesWritten` includes what was read ahead, which is little compared with RATIO_FROM_BYTES.
    if (bytes > RATIO_FROM_BYTES && bytes > MOST_TEXT_RATIO * gunzip.bytesWritten)
      throw new OverLimit('inflationRatio', `${MOST_TEXT_RATIO} to 1`);
    yield piece;
  }
  await feeding;
}

export const isNotGzip = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
