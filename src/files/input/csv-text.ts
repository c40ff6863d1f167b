/**
 * Reads a list as UTF-8 text from any supported file: text in some encoding, gzip, a ZIP archive with one CSV file, a
 * workbook or a Parquet file. A separate process reads these, from an unnamed temporary file.
 */
import { z } from 'zod';
import { fileOf } from '../../base/process/programs.ts';
import { asUtf8, type Encoding } from '../csv/encoding.ts';
import type { Slot } from '../sandbox/fair-slots.ts';
import { readerFor } from '../sandbox/reader.ts';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import { COMPOUND_BYTES, isCompound, KIND_BYTES, kindOf } from './file-kind.ts';
import { inflated, isNotGzip } from './gzip.ts';
import { type Problems, SHEET_END_BYTES, type TextOptions } from './text-options.ts';

/* The messages of the process that reads an archive: its task, and what it writes before and after the list. */

export interface ArchiveTask extends Pick<TextOptions, 'headerRow'> {
  /** A sheet's name, or its number from 1; by default the first visible one that looks like a list. */
  readonly sheet?: string | undefined;
  /** The size of the archive. */
  readonly fileBytes: number;
  /** The limit for the list. */
  readonly mostBytes: number;
  /** The limit for a row. */
  readonly mostRowBytes: number;
}

export const archiveListSchema = z.discriminatedUnion('kind', [
  /**
   * CSV (comma, LF, UTF-8) made from a sheet. `others` has the other visible sheets, `sheets` all that can be chosen. If the
   * caller chose none, `lists` has the others that look like a list too.
   */
  z.object({
    ...{ kind: z.literal('workbook'), sheet: z.string(), others: z.string(), lists: z.string() },
    sheets: z.array(z.string()),
  }),
  /** CSV of the same form, made from the columns of a Parquet file. */
  z.object({ kind: z.literal('columns') }),
  /** A text file, unchanged. */
  z.object({ kind: z.literal('text') }),
]);
export type ArchiveList = z.output<typeof archiveListSchema>;

/**
 * What follows a sheet: its first merged cells in several rows below the header, or '', the number of hidden rows there, and for
 * each column that has formulas without a value there, its index and the place of the first one. `rounded`: in words, the first
 * cell of a column that shows another number than it has.
 */
const sheetEndSchema = z.object({
  merged: z.string(),
  hidden: z.int(),
  unsaved: z.array(z.tuple([z.int(), z.string()])),
  rounded: z.array(z.tuple([z.int(), z.string()])),
});
export type SheetEnd = z.output<typeof sheetEndSchema>;

/** What is known about a file when its text begins. */
export interface Origin {
  encoding?: Encoding;
  /** Whether the file is compressed, so that its size does not tell the size of the text. */
  isPacked?: boolean;
  /** Names the sheet that was read, for messages if its content is rejected. */
  sheetNote?: string;
  /** Sheets of a workbook that can be chosen. Empty for a Parquet file. Undefined for text, which has its own separator. */
  sheets?: readonly { readonly name: string; readonly isRead: boolean }[];
  /** What the list does not show about its sheet. `SheetEnd` is known when the text ends. */
  sheet?: undefined | (Pick<Extract<ArchiveList, { kind: 'workbook' }>, 'sheet' | 'lists'> & Partial<SheetEnd>);
}

/** Adds the note about the sheet to the problems of a workbook's list. */
export const problemsIn = ({ sheetNote }: Origin, problems: Problems): Problems =>
  sheetNote === undefined ? problems : { ...problems, sheet: sheetNote };

/** Returns how to read a list. Text from a workbook has one form, whatever separator and quotes the caller names. */
export const readingOf = <R extends Pick<TextOptions, 'delimiter' | 'quotes'>>({ sheets }: Origin, reading: R): R =>
  sheets === undefined ? reading : { ...reading, delimiter: undefined, quotes: undefined };

export interface ListFileOptions {
  readonly reading: Pick<TextOptions, 'encoding' | 'sheet' | 'headerRow'>;
  /** The limit for the text. */
  readonly maximumBytes: number;
  readonly maximumRowBytes: number;
  /** Whose list it is. The process that reads an archive is kept for the owner's next one. */
  readonly owner?: string;
  /** Reserves a slot for reading an archive. It throws if there is none. */
  readonly enter: () => Slot;
}

/** The largest archive. A workbook of a million rows has about 100 MB. */
const MOST_ARCHIVE_BYTES = 256 * 1024 * 1024;

interface Peeked {
  readonly start: Buffer;
  /** All bytes, including `start`. */
  readonly all: () => AsyncGenerator<Buffer>;
  readonly close: () => Promise<void>;
}

/** Reads the start of a stream. @param enough whether the start is long enough */
const peek = async (source: AsyncIterable<Buffer>, enough: (start: Buffer) => boolean): Promise<Peeked> => {
  const pieces = source[Symbol.asyncIterator]();
  const close = async (): Promise<void> => {
    await pieces.return?.();
  };
  let start: Buffer = Buffer.alloc(0);
  while (!enough(start)) {
    const next = await pieces.next();
    if (next.done === true) break;
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (start.length > 0) yield start;
      yield* { [Symbol.asyncIterator]: () => pieces };
    } finally {
      await close();
    }
  }
  return { start, all, close };
};

const isKindKnown = (start: Buffer): boolean => start.length >= (isCompound(start) ? COMPOUND_BYTES : KIND_BYTES);

async function* atMost(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > most) throw new OverLimit('inflatedUpload', `${most} bytes`);
    yield piece;
  }
}

async function* gunzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* inflated(source);
  } catch (error) {
    throw isNotGzip(error)
      ? new UnreadableFile('is damaged: its gzip is broken or truncated', { cause: error })
      : error;
  }
}

const requireNoSheet = (sheet: string | undefined): void => {
  if (sheet !== undefined) throw new UnreadableFile('is only for workbooks', { subject: 'sheet' });
};

async function* plainText(
  source: AsyncIterable<Buffer>,
  { encoding, sheet }: ListFileOptions['reading'],
  origin: Origin,
): AsyncGenerator<Buffer> {
  requireNoSheet(sheet);
  yield* asUtf8(source, encoding, (found) => {
    origin.encoding = found;
  });
}

const NEWLINE = 0x0a;

/** Skips the first `count` bytes. */
async function* without(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of source) {
    const bytes = piece.subarray(left);
    left -= piece.length - bytes.length;
    if (bytes.length > 0) yield bytes;
  }
}

/** Skips the last `count` bytes. @returns them */
async function* withoutLast(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer, Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    held = Buffer.concat([held, piece]);
    const end = Math.max(0, held.length - count);
    if (end > 0) yield held.subarray(0, end);
    held = held.subarray(end);
  }
  return held;
}

/** Reads what the process writes before and after the list into `origin`, and streams the list. */
async function* announced(
  output: AsyncIterable<Buffer>,
  reading: ListFileOptions['reading'],
  origin: Origin,
): AsyncGenerator<Buffer> {
  const { start, all } = await peek(output, (bytes) => bytes.includes(NEWLINE));
  const header = start.indexOf(NEWLINE);
  const list = archiveListSchema.parse(JSON.parse(start.subarray(0, header).toString()));
  const rest = without(all(), header + 1);
  if (list.kind === 'text') return yield* packedText(rest, reading, origin);
  if (list.kind === 'columns') {
    requireNoSheet(reading.sheet);
    origin.sheets = [];
    return yield* rest;
  }
  const named =
    reading.sheet === undefined ? `"${list.sheet}", the sheet that is read without a choice` : `"${list.sheet}"`;
  const others = list.others === '' ? '' : `; ?sheet=NAME reads another one: ${list.others}`;
  origin.sheets = list.sheets.map((name) => ({ name, isRead: name === list.sheet }));
  origin.sheetNote = `is ${named}${others}`;
  origin.sheet = list;
  const end = yield* withoutLast(rest, SHEET_END_BYTES);
  origin.sheet = { ...list, ...sheetEndSchema.parse(JSON.parse(end.toString())) };
}

async function* archiveText(
  source: AsyncIterable<Buffer>,
  options: ListFileOptions,
  origin: Origin,
): AsyncGenerator<Buffer> {
  const { reading, owner, maximumBytes: mostBytes, maximumRowBytes: mostRowBytes } = options;
  const slot = options.enter();
  try {
    const reader = await readerFor(fileOf('files/input/archive-process'), owner);
    try {
      const fileBytes = await reader.fill(source, 'archive', Math.min(mostBytes, MOST_ARCHIVE_BYTES));
      await slot.turn();
      const { sheet, headerRow } = reading;
      const task: ArchiveTask = { sheet, headerRow, fileBytes, mostBytes, mostRowBytes };
      yield* announced(reader.read(task), reading, origin);
    } finally {
      await reader.release();
    }
  } finally {
    slot.release();
  }
}

/** Reads unpacked content, which must be text: only one level of packing is allowed. */
async function* packedText(
  source: AsyncIterable<Buffer>,
  reading: ListFileOptions['reading'],
  origin: Origin,
): AsyncGenerator<Buffer> {
  const { start, all, close } = await peek(source, isKindKnown);
  const kind = kindOf(start);
  if (kind === 'text') return yield* plainText(all(), reading, origin);
  await close();
  if (typeof kind === 'object') throw new UnreadableFile(kind.problem);
  throw new UnreadableFile('is compressed twice: decompress it once and send the result');
}

/**
 * Streams a list as UTF-8 text.
 * @param origin is filled in before the first bytes are yielded
 * @throws {UnreadableFile}, {OverLimit} or {NotEncoded} while the list is read; any error of `enter`
 */
export async function* listText(
  source: AsyncIterable<Buffer>,
  options: ListFileOptions,
  origin: Origin = {},
): AsyncGenerator<Buffer> {
  const { start, all, close } = await peek(source, isKindKnown);
  const kind = kindOf(start);
  if (kind === 'text') return yield* plainText(all(), options.reading, origin);
  if (typeof kind === 'object') {
    await close();
    throw new UnreadableFile(kind.problem);
  }
  origin.isPacked = true;
  if (kind === 'archive') return yield* archiveText(all(), options, origin);
  const unpacked = atMost(gunzipped(all()), options.maximumBytes);
  const inner = await peek(unpacked, isKindKnown);
  if (kindOf(inner.start) === 'archive') yield* archiveText(inner.all(), options, origin);
  else yield* packedText(inner.all(), options.reading, origin);
}
