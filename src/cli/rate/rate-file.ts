/** Plans and rates a list chunk by chunk with the batch functions. Memory does not grow with the list. */
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Config } from '../../base/config/settings.ts';
import { withoutPause } from '../../base/time-slices.ts';
import { otherEncodingProblem } from '../../files/csv/encoding.ts';
import { type Origin, problemsIn, readingOf } from '../../files/input/csv-text.ts';
import { type Chunk, createPlanner, type Plan, type Refusal, tooManyWarehouses } from '../../lists/chunk-plan.ts';
import { type Columns, type ReadOptions, withFindings } from '../../lists/columns/columns.ts';
import { HEAD_BYTES, type ListHeader, readHeader } from '../../lists/columns/header.ts';
import { createComparer } from '../../lists/comparison/compare-rows.ts';
import { type BaseParts, baseSide, type ScenarioParts, scenarioSide } from '../../lists/comparison/side.ts';
import { addSums, type Sums } from '../../lists/comparison/sums.ts';
import { EMPTY_TALLY, plus, type Tally } from '../../lists/output/tally.ts';
import { createBuffers } from '../../lists/rows/buffer-pool.ts';
import { createRater, type RatedInto, type Rater, type RatingContext } from '../../lists/rows/rate-rows.ts';
import { problemLines } from '../batch/list-options.ts';
import { CommandFailure } from '../exit.ts';
import type { Progress } from '../progress.ts';
import type { OutputFile } from './output-file.ts';

/** Begins work on complete rows. The result is valid until the writers are cleared. */
export type RowWork = (
  bytes: Buffer,
  range: Pick<Chunk, 'firstRow' | 'apart'>,
  into: RatedInto,
) => Pick<Rater, 'step'> & {
  readonly result: () => { readonly output: Buffer; readonly tally: Tally; readonly sums?: Sums };
};

/** How rows are read and written. All processes of a command get this. */
export type RowContext = Omit<RatingContext, 'bookOn' | 'shipper'>;

export const raterFor =
  (context: RowContext & Pick<RatingContext, 'bookOn' | 'shipper'>): RowWork =>
  (bytes, { firstRow, apart }, into) =>
    createRater(bytes, firstRow, { ...context, apart }, into);

export const comparerFor = (
  { columns, format, maximumRowBytes }: RowContext,
  parts: BaseParts,
  scenarios: readonly ScenarioParts[],
) => {
  const context = {
    columns,
    keepFormulas: format?.keepFormulas === true,
    maximumRowBytes,
    scenarios: scenarios.map(({ scenario }) => scenario),
    base: baseSide(parts),
    sides: scenarios.map((scenario) => scenarioSide(parts, scenario)),
  };
  return (bytes: Buffer, { firstRow, apart }: Parameters<RowWork>[1]) =>
    createComparer(bytes, firstRow, { ...context, apart });
};

type Limits = Pick<Config, 'chunkRows' | 'maxRows' | 'maxRowBytes'>;

/** V8 allocates texts of this size in its young generation. */
const READ_BYTES = 64 * 1024;

export const unusable = (problems: Readonly<Record<string, string>>): CommandFailure =>
  new CommandFailure(`The list cannot be used:\n${problemLines(problems).join('\n')}`);

const refused = (refusal: Refusal, { maxRows, maxRowBytes }: Limits): CommandFailure => {
  switch (refusal.kind) {
    case 'rowTooLong':
      return new CommandFailure(
        `Row ${refusal.row} (line ${refusal.line}) is longer than ${maxRowBytes} bytes. Look for an unclosed quotation mark, or raise MAX_ROW_BYTES.`,
      );
    case 'tooManyRows':
      return new CommandFailure(`The list has more than ${maxRows} rows. Split it, or raise MAX_ROWS.`);
    case 'tooManyWarehouses':
      return unusable({ warehouse_id: tooManyWarehouses(refusal.row) });
    case 'orders':
      return unusable({ orders: refusal.problem });
    case 'notUtf8':
      return unusable({ file: otherEncodingProblem(refusal.line, refusal.offset) });
    default:
      return refusal satisfies never;
  }
};

export interface ListFile {
  readonly file: FileHandle;
  /** The original format of the file. */
  readonly origin: Origin;
}

const headOf = async (
  { file, origin }: ListFile,
  size: number,
  reading: ReadOptions,
  maximumRowBytes: number,
): Promise<ListHeader> => {
  const own = readingOf(origin, reading);
  for (let enough = HEAD_BYTES; ; enough *= 2) {
    const complete = enough >= size;
    const bytes = await readRange(file, 0, Buffer.allocUnsafe(Math.min(enough, size)));
    const head = readHeader(bytes, complete, own, maximumRowBytes);
    if (head === 'more') continue;
    if ('problems' in head) throw unusable(problemsIn(origin, head.problems));
    return head;
  }
};

/** Reads the whole list and plans its chunks. @throws {CommandFailure} if the list is unusable */
export const planFile = async (
  list: ListFile,
  reading: ReadOptions,
  limits: Limits,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ readonly columns: Columns; readonly plan: Plan }> => {
  const { file, origin } = list;
  const { size } = await file.stat();
  const { maxRows: maximumRows, maxRowBytes: maximumRowBytes, chunkRows } = limits;
  const { columns, bodyStart, headerLines } = await headOf(list, size, reading, maximumRowBytes);
  const planner = createPlanner(columns, bodyStart, headerLines, { chunkRows, maximumRows, maximumRowBytes });
  const piece = Buffer.allocUnsafe(READ_BYTES);
  for (let at = bodyStart; at < size; at += READ_BYTES) {
    signal.throwIfAborted();
    const refusal = withoutPause(planner.push(await readRange(file, at, piece.subarray(0, size - at))));
    if (refusal !== undefined) throw refused(refusal, limits);
    progress.show({ doing: 'reading', done: Math.min(at + READ_BYTES, size), total: size, unit: 'bytes' });
  }
  const plan = withoutPause(planner.finish());
  if ('kind' in plan) throw refused(plan, limits);
  if (plan.rows === 0) throw unusable(problemsIn(origin, { file: 'has only a header; it needs at least one row' }));
  const found = withFindings(columns, origin, planner.findings());
  if ('problems' in found) throw unusable(problemsIn(origin, found.problems));
  return { columns: found, plan };
};

/** Rates chunks in this process, one by one. */
export async function* rateHere(
  file: FileHandle,
  chunks: readonly Chunk[],
  work: RowWork,
  signal: AbortSignal,
): AsyncGenerator<RatedChunk> {
  const rate = chunkRater(file, work, signal);
  for (const chunk of chunks) yield await rate(chunk);
}

/**
 * Writes rated chunks in order. Requests the next chunk only after writing the previous one.
 * @param rows the number of rows of the list
 * @param output absent if the rows are not needed
 * @returns the sums over all rows, or the sums of the comparison if the rows are compared
 */
export const writeRated = async (
  rated: AsyncIterable<RatedChunk>,
  rows: number,
  output: OutputFile | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<Omit<RatedChunk, 'output'>> => {
  let sum = EMPTY_TALLY;
  let sums: Sums | undefined;
  for await (const { output: bytes, tally, sums: own } of rated) {
    signal.throwIfAborted();
    await output?.write(bytes);
    sum = plus(sum, tally);
    if (own !== undefined) sums = sums === undefined ? own : addSums(sums, own);
    progress.show({ doing: 'rating', done: sum.processed, total: rows, unit: 'rows', faulted: sum.faulted });
  }
  signal.throwIfAborted();
  return { tally: sum, sums };
};

/** The output rows of a chunk, and their sums. */
export interface RatedChunk {
  readonly output: Uint8Array;
  readonly tally: Tally;
  /** Present if the rows are compared. */
  readonly sums?: Sums | undefined;
}

/** The number of rows between checks of the signal. */
const SLICE_ROWS = 1_000;

/** @returns the bytes from `from` on, up to the size of `bytes` or the end of the file */
const readRange = async (file: FileHandle, from: number, bytes: Buffer): Promise<Buffer> => {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

/**
 * Rates chunks one after another with the same memory. A result is valid until the next chunk. @throws {CommandFailure} if
 * the file has changed since it was planned
 */
export const chunkRater = (file: FileHandle, work: RowWork, signal?: AbortSignal) => {
  const buffers = createBuffers();
  return async (chunk: Chunk): Promise<RatedChunk> => {
    const { from, to, rows } = chunk;
    buffers.clear();
    const { step, result } = work(await readRange(file, from, buffers.input(to - from)), chunk, buffers);
    while (step(SLICE_ROWS)) {
      signal?.throwIfAborted();
      await turn();
    }
    const { output, tally, sums } = result();
    if (tally.processed !== rows)
      throw new CommandFailure('The list was changed while it was read. Run the command again.');
    return { output, tally, sums };
  };
};
