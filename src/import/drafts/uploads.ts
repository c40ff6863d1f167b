/** Checks a draft's files while they are uploaded. */
import { createHash } from 'node:crypto';
import { DraftRefused } from './ledger.ts';

/** All carriers' files for one year are 21 files, 7 MB in total. */
export const DRAFT_LIMITS = {
  drafts: 20,
  files: 150,
  fileBytes: 50 * 1024 * 1024,
  bytes: 100 * 1024 * 1024,
  uploadMs: 600_000,
} as const;

/** File names without a path. */
const FILE_NAME = /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u;
/** A disk allows 255 bytes, and names of unfinished files are longer than this. */
const NAME_BYTES = 200;

/** @throws {DraftRefused} */
export const requireFileName = (file: string): void => {
  if (Buffer.byteLength(file) > NAME_BYTES || !FILE_NAME.test(file))
    throw new DraftRefused('invalid', {
      name: 'must be the name of a file, of at most 200 bytes (letters beyond a to z have several), without a path and not beginning with a period',
    });
};

export interface Measures {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Counts and hashes bytes as they pass.
 * @throws {DraftRefused} during reading, if there are none or more than `most`, or if they take too long
 */
export async function* measured(
  content: AsyncIterable<Buffer>,
  most: number,
  onEnd: (measures: Measures) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const lateAt = performance.now() + DRAFT_LIMITS.uploadMs;
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > most) throw new DraftRefused('tooLarge', { file: `${most} bytes` });
    if (performance.now() > lateAt) throw new DraftRefused('invalid', { file: 'did not arrive within ten minutes' });
    hash.update(piece);
    yield piece;
  }
  if (bytes === 0) throw new DraftRefused('invalid', { file: 'is empty' });
  onEnd({ bytes, sha256: hash.digest('hex') });
}
