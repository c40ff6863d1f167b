/**
 * Reads an untrusted file in a separate process. The process has limits for its heap, its memory and its processor time, a
 * low priority, no environment, and no input but its task and the file. If it is stopped, only this file is affected.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { lowerPriority } from '../../base/priority.ts';
import { ONE_GC_THREAD, RUNS_SOURCES } from '../../base/process/programs.ts';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import { LENGTH_BYTES, STOP } from './child.ts';

export interface ProcessLimits {
  readonly heapMb: number;
  /** Memory of the whole process: inflated bytes are outside the heap. */
  readonly memoryMb: number;
  readonly processorS: number;
  /** The longest wait for output: a process that hangs uses no processor time. */
  readonly silentS: number;
}

/** Enough for the largest genuine workbook that fits a sheet. */
export const PROCESS_LIMITS: ProcessLimits = { heapMb: 256, memoryMb: 384, processorS: 120, silentS: 300 };

/** The last line of standard error of a process that fails, as JSON. */
export const failureReport = z.union([
  /** What is wrong with the file. */
  z.object({ problem: z.string() }),
  z.object({ limit: z.string(), most: z.string() }),
  /** A bug in the program. */
  z.object({ failure: z.string() }),
]);
export type FailureReport = z.output<typeof failureReport>;

/** The process could not be started, or a bug ended it. */
export class ConfinedFailure extends Error {
  override readonly name = 'ConfinedFailure';
}

export interface Job {
  /** The file of the program to run. */
  readonly program: string;
  /** Sent to the process as JSON. */
  readonly task: unknown;
  /** The file to read, as descriptor 3 of the process. Undefined if the task names what to read. */
  readonly file?: FileHandle;
  /** Ends the process; reading its output then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A process that was started. */
export interface Started {
  readonly child: ChildProcess;
  /** Writes a task to it. */
  readonly give: (task: unknown) => void;
  /** Returns the next piece of its output: an empty one at the end of a task, and undefined if the process has ended. */
  readonly take: () => Promise<Buffer | undefined>;
  /** The last part of its standard error. */
  readonly tail: () => string;
  /** Its exit code or signal. */
  readonly ended: Promise<string>;
  /** Ends it, whatever it does. */
  readonly end: () => Promise<unknown>;
}

/** A task that is stopped may take this long until it ends. */
const STOP_MS = 500;

/** How much lower the priority of a process is than the priority of the API. */
const NICENESS = 5;

/** The part of standard error that is kept: V8 writes a long report if the heap is full. */
const TAIL_CHARACTERS = 64 * 1024;

/** @param file descriptor 3 of the process */
export const start = (
  program: string,
  file: FileHandle | undefined,
  { heapMb, memoryMb, processorS }: ProcessLimits = PROCESS_LIMITS,
): Started => {
  const sources = RUNS_SOURCES ? ['--import', 'tsx'] : [];
  const args = [
    ...sources,
    ONE_GC_THREAD,
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=8',
    program,
    String(memoryMb),
    String(processorS),
  ];
  const child = spawn(process.execPath, args, {
    // Node.js finds the TypeScript loader from this folder.
    cwd: import.meta.dirname,
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', file?.fd ?? 'ignore'],
  });
  // Set at once, so that Node.js also starts with this priority.
  if (child.pid !== undefined) lowerPriority(child.pid, NICENESS);
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new ConfinedFailure('The process has no pipes.');
  // The process may end without reading its task.
  stdin.on('error', () => undefined);
  let tail = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS);
  });
  const ended = once(child, 'close').then(
    ([code, signal]) => String(signal ?? code),
    (error: unknown) => String(error),
  );
  const pieces: AsyncIterator<Buffer, undefined> = stdout[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  let left = 0;
  /** @returns whether so many bytes have come */
  const have = async (bytes: number): Promise<boolean> => {
    while (rest.length < bytes) {
      const { value } = await pieces.next();
      if (value === undefined) return false;
      rest = Buffer.concat([rest, value]);
    }
    return true;
  };
  const taken = (most: number): Buffer => {
    const piece = rest.subarray(0, most);
    rest = rest.subarray(most);
    return piece;
  };
  const take = async (): Promise<Buffer | undefined> => {
    if (left === 0) {
      if (!(await have(LENGTH_BYTES))) return undefined;
      left = taken(LENGTH_BYTES).readUInt32LE();
      if (left === 0) return taken(0);
    }
    if (!(await have(1))) return undefined;
    const piece = taken(left);
    left -= piece.length;
    return piece;
  };
  const give = (task: unknown): void => void stdin.write(`${JSON.stringify(task)}\n`);
  const end = (): Promise<unknown> => {
    child.kill('SIGKILL');
    // Node.js waits for the end of output that nobody reads.
    stdout.destroy();
    return ended;
  };
  return { child, give, take, tail: () => tail, ended, end };
};

const reportIn = (tail: string): ReturnType<typeof failureReport.safeParse> => {
  try {
    return failureReport.safeParse(JSON.parse(tail.slice(tail.trimEnd().lastIndexOf('\n') + 1)));
  } catch {
    return failureReport.safeParse(undefined);
  }
};

/** Returns the error for a process that failed. @param how its exit code or signal */
const errorOf = (tail: string, how: string, wasSilent: boolean, limits: ProcessLimits): Error => {
  const { data } = reportIn(tail);
  if (wasSilent) return new OverLimit('readingTime', `${limits.silentS} s`);
  if (data !== undefined && 'problem' in data) return new UnreadableFile(data.problem);
  if (data !== undefined && 'limit' in data) return new OverLimit(data.limit, data.most);
  if (tail.includes('heap out of memory') || how === 'SIGKILL')
    return new OverLimit('readingMemory', `${limits.memoryMb} MiB`);
  return new ConfinedFailure(`The process that read a file ended (${how}): ${data?.failure ?? tail.slice(-1_000)}`);
};

/**
 * Lets a process work on a task. The process works only as fast as the caller reads its output.
 * @returns after the output: whether the process waits for another task. Otherwise it has ended
 * @throws like `runConfined`. The caller then ends the process
 */
export async function* outputOf(
  { child, give, take, tail, ended }: Started,
  { task, signal }: Pick<Job, 'task' | 'signal'>,
  limits: ProcessLimits = PROCESS_LIMITS,
): AsyncGenerator<Buffer, boolean> {
  let wasSilent = false;
  const watch = (): NodeJS.Timeout =>
    setTimeout(() => {
      wasSilent = true;
      child.kill('SIGKILL');
    }, limits.silentS * 1_000);
  let timer = watch();
  const abort = (): boolean => child.kill('SIGKILL');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    give(task);
    for (let piece = await take(); piece !== undefined; piece = await take()) {
      if (piece.length === 0) return true;
      clearTimeout(timer);
      yield piece;
      timer = watch();
    }
    const how = await ended;
    signal?.throwIfAborted();
    if (how !== '0') throw errorOf(tail(), how, wasSilent, limits);
    return false;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Stops a task whose output nobody wants any more. @returns whether the process waits for another task */
export const stopTask = async ({ child, give, take }: Started): Promise<boolean> => {
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  give(STOP);
  let piece = await take();
  while (piece !== undefined && piece.length > 0) piece = await take();
  clearTimeout(timer);
  return piece !== undefined;
};

/**
 * Runs a program on a file, in a process of its own.
 * @returns the standard output, as a stream
 * @throws while the output is read: {UnreadableFile} or {OverLimit} if the program reports it or exceeds a limit;
 * {ConfinedFailure} in any other case
 */
export async function* runConfined(job: Job, limits: ProcessLimits = PROCESS_LIMITS): AsyncGenerator<Buffer> {
  const started = start(job.program, job.file, limits);
  try {
    yield* outputOf(started, job, limits);
  } finally {
    await started.end();
  }
}

/** Runs a program that writes lines with `confinedLines`. @returns the lines. Throws like `runConfined` */
export async function* linesOfConfined<Line>(
  job: Job,
  line: z.ZodType<Line>,
  limits: ProcessLimits = PROCESS_LIMITS,
): AsyncGenerator<Line> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const piece of runConfined(job, limits)) {
    const lines = (rest + decoder.write(piece)).split('\n');
    rest = must(lines.pop(), 'the text after the last line end');
    for (const text of lines) yield line.parse(JSON.parse(text));
  }
}

/** Creates a file without a name. The system frees its space when it is closed or the process ends for any reason. */
export const unnamedFile = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `rates-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
};

/**
 * Replaces what a file holds by a stream.
 * @param limit the name of the limit, for the error
 * @returns the number of bytes
 * @throws {OverLimit} if there are more than `most` bytes
 */
export const fill = async (
  file: FileHandle,
  source: AsyncIterable<Buffer>,
  limit: string,
  most: number,
): Promise<number> => {
  await file.truncate();
  let bytes = 0;
  for await (const piece of source) {
    if (bytes + piece.length > most) throw new OverLimit(limit, `${most} bytes`);
    await file.write(piece, 0, piece.length, bytes);
    bytes += piece.length;
  }
  return bytes;
};
