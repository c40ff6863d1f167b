/**
 * Reads a ZIP archive, such as a workbook. Parts are inflated as they are read, each up to a limit. Other parts are never
 * inflated.
 */
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';

export interface Archive {
  /** Names of all parts, in the archive's order. */
  readonly names: readonly string[];
  /** Whether the archive has this part. Names are case-insensitive (ECMA-376, part 2, 6.2.2.3). */
  readonly has: (name: string) => boolean;
  /**
   * Streams the bytes of a part.
   * @param ratio the highest inflation ratio of a large part
   * @throws {UnreadableFile} if the part is missing; {OverLimit} if it has more than `most` bytes
   */
  readonly read: (name: string, most: number, ratio?: number) => AsyncGenerator<Buffer>;
}

const MOST_PARTS = 2_000;
/** Sheets compress 10 to 30 times. A large part that inflates more is a zip bomb. */
const MOST_RATIO = 100;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/** Larger than the default, because each piece costs a round trip to a thread. */
const PIECE_BYTES = 128 * 1024;

const openPart = async (zip: ZipFile, entry: Entry): Promise<Readable> => {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  if (!entry.isCompressed()) return packed;
  // The reader of the stream gets its error.
  return pipeline(packed, createInflateRaw({ chunkSize: PIECE_BYTES }), () => undefined);
};

const unreadable = (error: unknown): UnreadableFile =>
  error instanceof UnreadableFile
    ? error
    : new UnreadableFile('is a damaged archive: save or download it again', { cause: error });

/** @throws {UnreadableFile} if the file is not an archive or is damaged */
export const openArchive = async (fd: number): Promise<Archive> => {
  try {
    const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > MOST_PARTS) throw new UnreadableFile(`is an archive of more than ${MOST_PARTS} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.toLowerCase();
      if (entries.has(name)) throw new UnreadableFile(`has the part ${entry.fileName} twice`);
      entries.set(name, entry);
    }
    return {
      names: [...entries.values()].map(({ fileName }) => fileName),
      has: (name) => entries.has(name.toLowerCase()),
      read: async function* (name, most, ratio = MOST_RATIO) {
        const entry = entries.get(name.toLowerCase());
        if (entry === undefined) throw new UnreadableFile(`has no part ${name}`);
        if (!entry.canDecodeFileData())
          throw new UnreadableFile('is password-protected or uses an unknown compression: save it without them');
        const expected = `expected ${entry.uncompressedSize}. got`;
        let size = 0;
        try {
          for await (const piece of await openPart(zip, entry)) {
            const bytes: Buffer = piece;
            size += bytes.length;
            if (size > most) throw new OverLimit('archivePart', `${most} bytes`);
            if (size > RATIO_FROM_BYTES && size > ratio * entry.compressedSize)
              throw new OverLimit('inflationRatio', `${ratio} to 1`);
            if (size > entry.uncompressedSize)
              throw new Error(`too many bytes in the stream. ${expected} at least ${size}`);
            yield bytes;
          }
          if (size < entry.uncompressedSize)
            throw new Error(`not enough bytes in the stream. ${expected} only ${size}`);
        } catch (error) {
          throw unreadable(error);
        }
      },
    };
  } catch (error) {
    throw unreadable(error);
  }
};
