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
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { lowerPriority } from '../../base/priority.ts';
import { ONE_GC_THREAD, RUNS_SOURCES } from '../../base/process/programs.ts';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';

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

interface Started {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** How much lower the priority of a process is than the priority of the API. */
const NICENESS = 5;

/** The part of standard error that is kept: V8 writes a long report if the heap is full. */
const TAIL_CHARACTERS = 64 * 1024;

const start = ({ program, task, file }: Job, { heapMb, memoryMb, processorS }: ProcessLimits): Started => {
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
  stdin.end(JSON.stringify(task));
  return { child, stdout, stderr };
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
 * Runs a program on a file. The program runs only as fast as the caller reads its output.
 * @returns the standard output, as a stream
 * @throws while the output is read: {UnreadableFile} or {OverLimit} if the program reports it or exceeds a limit;
 * {ConfinedFailure} in any other case
 */
export async function* runConfined(job: Job, limits: ProcessLimits = PROCESS_LIMITS): AsyncGenerator<Buffer> {
  const { child, stdout, stderr } = start(job, limits);
  let tail = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS);
  });
  let wasSilent = false;
  const watch = (): NodeJS.Timeout =>
    setTimeout(() => {
      wasSilent = true;
      child.kill('SIGKILL');
    }, limits.silentS * 1_000);
  const ended = once(child, 'close').then(
    ([code, signal]) => String(signal ?? code),
    (error: unknown) => String(error),
  );
  let timer = watch();
  const abort = (): boolean => child.kill('SIGKILL');
  job.signal?.addEventListener('abort', abort, { once: true });
  try {
    job.signal?.throwIfAborted();
    for await (const piece of stdout) {
      clearTimeout(timer);
      yield piece;
      timer = watch();
    }
    const how = await ended;
    job.signal?.throwIfAborted();
    if (how !== '0') throw errorOf(tail, how, wasSilent, limits);
  } finally {
    clearTimeout(timer);
    job.signal?.removeEventListener('abort', abort);
    child.kill('SIGKILL');
    await ended;
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

/**
 * Writes a stream to an unnamed file. The system frees its space when it is closed or the process ends for any reason.
 * @param limit the name of the limit, for the error
 * @throws {OverLimit} if there are more than `most` bytes
 */
export const spool = async (source: AsyncIterable<Buffer>, limit: string, most: number): Promise<FileHandle> => {
  const path = join(tmpdir(), `rates-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > most) throw new OverLimit(limit, `${most} bytes`);
      await file.appendFile(piece);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};
