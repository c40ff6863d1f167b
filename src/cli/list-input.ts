/**
 * A list as a file of UTF-8 text, which can be read twice. What comes through a pipe, is written otherwise, or is a workbook
 * is kept as that in a temporary file first.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Reading } from '../list/columns.ts';
import { asUtf8, encodingOf, NotEncoded } from '../list/encoding.ts';
import { csvOfWorkbook, isArchive } from '../list/workbook-list.ts';
import { UnreadablePart } from '../list/xml-events.ts';
import { atPath, CommandFailure } from './exit.ts';
import type { Io } from './io.ts';
import { unusable } from './run-list.ts';

export interface ListInput {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const START_BYTES = 4;
/** Of a sheet as XML; what is to be done with it is the caller's own machine's matter. */
const MOST_SHEET_BYTES = 2 ** 34;

const startOf = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** @returns how the file is made text, or undefined where it is that already */
const conversionOf = async (
  path: string,
  { encoding, sheet }: Reading,
): Promise<((source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined> => {
  const start = await startOf(path);
  if (!isArchive(start)) {
    if (sheet !== undefined) throw unusable({ sheet: 'is for workbooks, which the file is not' });
    return encodingOf(start, encoding) === 'utf-8' ? undefined : (source) => asUtf8(source, encoding);
  }
  const { size } = await stat(path);
  const stream = (from: number, to: number) => createReadStream(path, { start: from, end: to - 1 });
  return () => csvOfWorkbook({ size, stream }, sheet, MOST_SHEET_BYTES);
};

/** Keeps what a stream brings, in a file of the folder. */
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
    throw atPath(error, `${tmpdir()}, where the list is kept while it is rated; TMPDIR names another place`);
  }
};

/** @throws {CommandFailure} what is wrong with the file, in words */
export const openListInput = async (
  path: string,
  reading: Reading,
  io: Io,
  signal: AbortSignal,
): Promise<ListInput> => {
  const found = path === '-' ? undefined : await stat(path);
  if (found?.isDirectory()) throw new CommandFailure(`${path} is a folder: name a file.`);
  const folder = await mkdtemp(join(tmpdir(), 'rates-run-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    let whole = path;
    if (found?.isFile() !== true) {
      whole = join(folder, 'input');
      await keep(path === '-' ? io.stdin : createReadStream(path), undefined, whole, signal);
    }
    const convert = await conversionOf(whole, reading);
    if (convert === undefined) return { path: whole, remove };
    const kept = join(folder, 'input.csv');
    await keep(createReadStream(whole), convert, kept, signal);
    return { path: kept, remove };
  } catch (error) {
    await remove();
    if (error instanceof NotEncoded || error instanceof UnreadablePart) throw unusable({ file: error.problem });
    throw error;
  }
};
