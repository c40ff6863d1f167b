/**
 * A list as UTF-8 text, whatever file it came as: text in some encoding, gzip of it, a ZIP archive with one CSV, or a
 * workbook. Archives are read in a process of their own, out of a file without a name.
 */

import { asUtf8, type Encoding } from '../csv/encoding.ts';
import type { Problems, Reading } from '../rows/columns.ts';
import type { Place } from '../sandbox/fair-slots.ts';
import { runConfined } from '../sandbox/run.ts';
import { spool } from '../sandbox/unnamed-file.ts';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import { type ArchiveTask, archiveListSchema } from './archive-messages.ts';
import { COMPOUND_BYTES, isCompound, KIND_BYTES, kindOf } from './file-kind.ts';
import { inflated, isNotGzip } from './gzip.ts';

/** What was found out about a file by the time that its text is given out. */
export interface Origin {
  encoding?: Encoding;
  /** Whether the file's size says nothing of the text's. */
  isPacked?: boolean;
  /** What to say of the sheet that was read, if its content is refused. */
  sheetNote?: string;
}

/** The problems of a list, and which sheet has them if it is one of a workbook. */
export const problemsIn = ({ sheetNote }: Origin, problems: Problems): Problems =>
  sheetNote === undefined ? problems : { ...problems, sheet: sheetNote };

export interface ListFileOptions {
  readonly reading: Pick<Reading, 'encoding' | 'sheet'>;
  /** Of the text. */
  readonly maximumBytes: number;
  readonly maximumRowBytes: number;
  /** A place among those whose archives are read. */
  readonly enter: () => Place;
}

/** The largest archive. A workbook of a million rows has some 100 MB. */
const MOST_ARCHIVE_BYTES = 256 * 1024 * 1024;

interface Peeked {
  readonly start: Buffer;
  /** All bytes, those of the start too. */
  readonly all: () => AsyncGenerator<Buffer>;
  readonly close: () => Promise<void>;
}

/** Reads a beginning. @param enough whether no more is needed of it */
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

const isKindTold = (start: Buffer): boolean => start.length >= (isCompound(start) ? COMPOUND_BYTES : KIND_BYTES);

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
    throw isNotGzip(error) ? new UnreadableFile('is damaged: its gzip is broken or cut', { cause: error }) : error;
  }
}

async function* plainText(
  source: AsyncIterable<Buffer>,
  { encoding, sheet }: ListFileOptions['reading'],
  origin: Origin,
): AsyncGenerator<Buffer> {
  if (sheet !== undefined) throw new UnreadableFile('is for workbooks, which the file is not', { subject: 'sheet' });
  yield* asUtf8(source, encoding, (found) => {
    origin.encoding = found;
  });
}

const NEWLINE = 0x0a;

/** The bytes without the first of them. */
async function* without(source: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of source) {
    const bytes = piece.subarray(left);
    left -= piece.length - bytes.length;
    if (bytes.length > 0) yield bytes;
  }
}

/** What the process says of an archive's list, then the list. */
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
  const named = reading.sheet === undefined ? `"${list.sheet}", the first that is shown` : `"${list.sheet}"`;
  const others = list.others === '' ? '' : `; ?sheet=NAME reads another one: ${list.others}`;
  origin.sheetNote = `that was read is ${named}${others}`;
  yield* rest;
}

async function* archiveText(
  source: AsyncIterable<Buffer>,
  options: ListFileOptions,
  origin: Origin,
): AsyncGenerator<Buffer> {
  const { reading, maximumBytes: mostBytes, maximumRowBytes: mostRowBytes } = options;
  const place = options.enter();
  try {
    const file = await spool(source, 'archive', Math.min(mostBytes, MOST_ARCHIVE_BYTES));
    try {
      await place.turn();
      const { size: fileBytes } = await file.stat();
      const task: ArchiveTask = { sheet: reading.sheet, fileBytes, mostBytes, mostRowBytes };
      yield* announced(runConfined({ program: 'input/archive-process', task, file }), reading, origin);
    } finally {
      await file.close();
    }
  } finally {
    place.leave();
  }
}

/** Text out of a packing: one packing is enough. */
async function* packedText(
  source: AsyncIterable<Buffer>,
  reading: ListFileOptions['reading'],
  origin: Origin,
): AsyncGenerator<Buffer> {
  const { start, all, close } = await peek(source, isKindTold);
  const kind = kindOf(start);
  if (kind === 'text') return yield* plainText(all(), reading, origin);
  await close();
  if (typeof kind === 'object') throw new UnreadableFile(kind.problem);
  throw new UnreadableFile('is packed twice: unpack it once, and send what comes of it');
}

/**
 * @param origin is filled in before the first bytes are given out
 * @throws {UnreadableFile}, {OverLimit} or {NotEncoded} while it is read; what `enter` throws
 */
export async function* listText(
  source: AsyncIterable<Buffer>,
  options: ListFileOptions,
  origin: Origin = {},
): AsyncGenerator<Buffer> {
  const { start, all, close } = await peek(source, isKindTold);
  const kind = kindOf(start);
  if (kind === 'text') return yield* plainText(all(), options.reading, origin);
  if (typeof kind === 'object') {
    await close();
    throw new UnreadableFile(kind.problem);
  }
  origin.isPacked = true;
  if (kind === 'archive') return yield* archiveText(all(), options, origin);
  const unpacked = atMost(gunzipped(all()), options.maximumBytes);
  const inner = await peek(unpacked, isKindTold);
  if (kindOf(inner.start) === 'archive') yield* archiveText(inner.all(), options, origin);
  else yield* packedText(inner.all(), options.reading, origin);
}
