/**
 * The archive that a workbook is, opened where it lies: its parts are inflated as they are read, each with a limit, and
 * what no reader asks for is never looked at.
 */
import type { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { OverLimit, UnreadablePart } from './xml-events.ts';

/** Bytes that lie somewhere: in the store, or in a file. */
export interface Stored {
  readonly size: number;
  /** @param to the byte after the last */
  readonly stream: (from: number, to: number) => Readable;
}

export interface Archive {
  /** A part's bytes. @throws {UnreadablePart} where it is not there; {OverLimit} where it is over `most` bytes */
  readonly read: (name: string, most: number) => AsyncGenerator<Buffer>;
  readonly has: (name: string) => boolean;
}

const MOST_PARTS = 2_000;
/** Sheets are packed 10 to 30 times; what inflates so much more, and is not small, was made to cost time. */
const MOST_RATIO = 100;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

class StoredReader extends RandomAccessReader {
  readonly #stored: Stored;
  constructor(stored: Stored) {
    super();
    this.#stored = stored;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return this.#stored.stream(start, end);
  }
}

const unreadable = (error: unknown): UnreadablePart =>
  error instanceof UnreadablePart
    ? error
    : new UnreadablePart(`cannot be read as a workbook: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });

/** @throws {UnreadablePart} where it is no archive, or a damaged one */
export const openArchive = async (stored: Stored): Promise<Archive> => {
  try {
    const reader = new StoredReader(stored);
    const zip = await fromRandomAccessReaderPromise(reader, stored.size, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > MOST_PARTS) throw new UnreadablePart(`has more than ${MOST_PARTS} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new UnreadablePart(`has the part ${entry.fileName} twice`);
      entries.set(entry.fileName, entry);
    }
    return {
      has: (name) => entries.has(name),
      read: async function* (name, most) {
        const entry = entries.get(name);
        if (entry === undefined) throw new UnreadablePart(`has no part ${name}, as every workbook has`);
        if (!entry.canDecodeFileData())
          throw new UnreadablePart('is protected by a password, or packed in an unknown way');
        let size = 0;
        try {
          for await (const piece of await zip.openReadStreamPromise(entry)) {
            const bytes: Buffer = piece;
            size += bytes.length;
            if (size > most) throw new OverLimit('workbookPart', `${most} bytes`);
            if (size > RATIO_FROM_BYTES && size > MOST_RATIO * entry.compressedSize)
              throw new OverLimit('inflationRatio', `${MOST_RATIO} to 1`);
            yield bytes;
          }
        } catch (error) {
          throw unreadable(error);
        }
      },
    };
  } catch (error) {
    throw unreadable(error);
  }
};
