/**
 * Planning and rating a file by the batch path's own functions, a chunk at a time: memory does not grow with the file.
 */
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Columns, Reading } from '../batch/columns.ts';
import { textOf } from '../batch/csv.ts';
import { HEAD_BYTES, type Head, readHead } from '../batch/head.ts';
import { createPlanner, type Plan, type Refusal } from '../batch/plan.ts';
import { createRater, outputHeaderBytes, type RatingContext } from '../batch/rater.ts';
import { addTallies, EMPTY_TALLY, type Tally } from '../batch/tally.ts';
import { otherEncodingProblem } from '../batch/utf8.ts';
import type { Config } from '../config.ts';
import { CommandFailure } from './exit.ts';
import { problemLines } from './list-options.ts';
import type { OutputFile } from './output-file.ts';
import type { Progress } from './progress.ts';

type Limits = Pick<Config, 'chunkRows' | 'maxRows' | 'maxRowBytes'>;

const READ_BYTES = 1024 * 1024;
/** Rows between two looks at the signal. */
const SLICE_ROWS = 1_000;

export const unusable = (problems: Readonly<Record<string, string>>): CommandFailure =>
  new CommandFailure(`The list cannot be used:\n${problemLines(problems).join('\n')}`);

const refused = (refusal: Refusal, { maxRows, maxRowBytes }: Limits): CommandFailure => {
  switch (refusal.kind) {
    case 'rowTooLong':
      return new CommandFailure(
        `Row ${refusal.row} (line ${refusal.line}) is longer than ${maxRowBytes} bytes: look for a quote that is not closed, or raise MAX_ROW_BYTES.`,
      );
    case 'tooManyRows':
      return new CommandFailure(`The list has more than ${maxRows} rows: split it, or raise MAX_ROWS.`);
    case 'notUtf8':
      return unusable({ file: otherEncodingProblem(refusal.line, refusal.offset) });
    default:
      return refusal satisfies never;
  }
};

const readRange = async (file: FileHandle, from: number, to: number): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
};

const headOf = async (file: FileHandle, size: number, reading: Reading, maximumRowBytes: number): Promise<Head> => {
  for (let enough = HEAD_BYTES; ; enough *= 2) {
    const complete = enough >= size;
    const head = readHead(await readRange(file, 0, Math.min(enough, size)), complete, reading, maximumRowBytes);
    if (head === 'more') continue;
    if ('problems' in head) throw unusable(head.problems);
    return head;
  }
};

/**
 * Reads a list through and plans its chunks.
 * @throws {CommandFailure} what is wrong with the list, in words
 */
export const planFile = async (
  file: FileHandle,
  reading: Reading,
  limits: Limits,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ readonly columns: Columns; readonly plan: Plan }> => {
  const { size } = await file.stat();
  const { maxRows: maximumRows, maxRowBytes: maximumRowBytes, chunkRows } = limits;
  const { columns, bodyStart, headerLines } = await headOf(file, size, reading, maximumRowBytes);
  const planner = createPlanner(columns, bodyStart, headerLines, { chunkRows, maximumRows, maximumRowBytes });
  for (let at = bodyStart; at < size; at += READ_BYTES) {
    signal.throwIfAborted();
    const refusal = planner.push(await readRange(file, at, Math.min(at + READ_BYTES, size)));
    if (refusal !== undefined) throw refused(refusal, limits);
    progress.show({ doing: 'reading', done: Math.min(at + READ_BYTES, size), total: size, unit: 'bytes' });
  }
  const plan = planner.finish();
  if ('kind' in plan) throw refused(plan, limits);
  if (plan.rows === 0) throw unusable({ file: 'has a header alone; it needs at least one row' });
  return { columns, plan };
};

/** Rates a planned file, chunk by chunk in order. @returns what all of its rows came to */
export const rateFile = async (
  file: FileHandle,
  plan: Plan,
  context: RatingContext,
  output: OutputFile,
  progress: Progress,
  signal: AbortSignal,
): Promise<Tally> => {
  let tally = EMPTY_TALLY;
  await output.write(outputHeaderBytes(context.columns, context.format));
  for (const { from, to, firstRow, rows } of plan.chunks) {
    const bytes = await readRange(file, from, to);
    const rater = createRater(textOf(bytes), firstRow, context, bytes);
    while (rater.step(SLICE_ROWS)) {
      signal.throwIfAborted();
      await turn();
    }
    const rated = rater.result();
    if (rated.tally.processed !== rows)
      throw new CommandFailure('The list was changed while it was read: run it again.');
    await output.write(rated.output);
    tally = addTallies(tally, rated.tally);
    const { processed: done, faulted } = tally;
    progress.show({ doing: 'rating', done, total: plan.rows, unit: 'rows', faulted });
  }
  signal.throwIfAborted();
  return tally;
};
