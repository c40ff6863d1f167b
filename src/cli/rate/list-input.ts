/**
 * Opens a list as a UTF-8 text file that can be read twice. Lists that are piped, compressed or in another encoding are
 * first copied to a temporary file.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { encodingOf, NotEncoded } from '../../files/csv/encoding.ts';
import { listText, type Origin } from '../../files/input/csv-text.ts';
import { KIND_BYTES, kindOf } from '../../files/input/file-kind.ts';
import type { Slot } from '../../files/sandbox/fair-slots.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import type { ReadOptions } from '../../lists/columns/columns.ts';
import { atPath, CommandFailure } from '../exit.ts';
import type { Io } from '../io.ts';
import { unusable } from './rate-file.ts';

export interface OpenedList {
  readonly path: string;
  readonly origin: Origin;
  readonly remove: () => Promise<void>;
}

/** The maximum size of a compressed list's text, in bytes. */
const MOST_BYTES = 2 ** 34;

const startOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** A command reads one list, so it does not wait for a slot. */
const ALONE: Slot = { turn: async () => undefined, release: () => undefined };

const isPlain = async (path: string, { encoding, sheet }: ReadOptions): Promise<boolean> => {
  const start = await startOf(path);
  return kindOf(start) === 'text' && sheet === undefined && encodingOf(start, encoding) === 'utf-8';
};

/** Copies a stream to a file. */
const keep = async (
  source: Readable,
  convert: ((bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined,
  kept: string,
  signal: AbortSignal,
): Promise<void> => {
  const file = createWriteStream(kept);
  try {
    if (convert === undefined) await pipeline(source, file, { signal });
    else await pipeline(source, convert, file, { signal });
  } catch (error) {
    throw atPath(error, `${tmpdir()} (the temporary folder for the list; TMPDIR names another)`);
  }
};

/** @throws {CommandFailure} if the file is not readable as a list */
export const openListInput = async (
  path: string,
  reading: ReadOptions,
  io: Io,
  maximumRowBytes: number,
  signal: AbortSignal,
): Promise<OpenedList> => {
  const found = path === '-' ? undefined : await stat(path);
  if (found?.isDirectory()) throw new CommandFailure(`${path} is a folder. Name a file.`);
  const folder = await mkdtemp(join(tmpdir(), 'rates-run-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    let whole = path;
    if (found?.isFile() !== true) {
      whole = join(folder, 'input');
      await keep(path === '-' ? io.stdin : createReadStream(path), undefined, whole, signal);
    }
    const origin: Origin = {};
    if (await isPlain(whole, reading)) return { path: whole, remove, origin };
    const kept = join(folder, 'input.csv');
    const options = { reading, maximumBytes: MOST_BYTES, maximumRowBytes, enter: () => ALONE };
    await keep(createReadStream(whole), (source) => listText(source, options, origin), kept, signal);
    return { path: kept, remove, origin };
  } catch (error) {
    await remove();
    if (error instanceof UnreadableFile) throw unusable({ [error.subject]: error.problem });
    if (error instanceof NotEncoded) throw unusable({ file: error.problem });
    throw error;
  }
};
