/**
 * Reading a hostile file in a process of its own. The process has a heap limit, a limit on its memory and its processor
 * time, a low priority, no environment and no input but the file; when it is stopped, that costs this file alone.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';

/** What a process may use. Wide enough for the largest genuine workbook that fits a sheet. */
export interface Walls {
  /** Of JavaScript's heap. */
  readonly heapMb: number;
  /** Of the process as a whole: inflated bytes lie outside of the heap. */
  readonly memoryMb: number;
  readonly processorS: number;
  /** How long it may say nothing while it is waited for: a process that hangs uses no processor. */
  readonly silentS: number;
}

export const WALLS: Walls = { heapMb: 256, memoryMb: 384, processorS: 120, silentS: 300 };

/** What a process that fails says last, on its standard error, as one line of JSON. */
export const lastWords = z.union([
  /** What is wrong with the file. */
  z.object({ problem: z.string() }),
  z.object({ limit: z.string(), most: z.string() }),
  /** A bug of ours. */
  z.object({ failure: z.string() }),
]);
export type LastWords = z.output<typeof lastWords>;

/** The process could not be started, or ended by a bug. */
export class ConfinedFailure extends Error {
  override readonly name = 'ConfinedFailure';
}

export interface Job {
  /** The program, beside this module's folder and without its ending, such as `input/archive-process`. */
  readonly program: string;
  /** As JSON. */
  readonly task: unknown;
  /** The file that it reads, as its descriptor 3. */
  readonly file: FileHandle;
  /** Ends it, and the reading of its output fails with the reason. */
  readonly signal?: AbortSignal | undefined;
}

interface Started {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Of what it says on standard error: the engine tells at length of a heap that is full. */
const TAIL_CHARACTERS = 64 * 1024;

const start = ({ program, task, file }: Job, { heapMb, memoryMb, processorS }: Walls): Started => {
  const extension = extname(import.meta.filename);
  const sources = extension === '.ts' ? ['--import', 'tsx'] : [];
  const args = [
    ...sources,
    `--max-old-space-size=${heapMb}`,
    '--max-semi-space-size=8',
    join(import.meta.dirname, '..', `${program}${extension}`),
    String(memoryMb),
    String(processorS),
  ];
  const child = spawn(process.execPath, args, {
    // From sources, the loader is found from here.
    cwd: import.meta.dirname,
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', file.fd],
  });
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new ConfinedFailure('a process has no pipes');
  // It may end without reading its task.
  stdin.on('error', () => undefined);
  stdin.end(JSON.stringify(task));
  return { child, stdout, stderr };
};

const said = (tail: string): ReturnType<typeof lastWords.safeParse> => {
  try {
    return lastWords.safeParse(JSON.parse(tail.slice(tail.trimEnd().lastIndexOf('\n') + 1)));
  } catch {
    return lastWords.safeParse(undefined);
  }
};

/** Why a process that did not succeed did not. */
const errorOf = (tail: string, how: string, wasSilent: boolean, walls: Walls): Error => {
  const { data } = said(tail);
  if (wasSilent) return new OverLimit('readingTime', `${walls.silentS} s`);
  if (data !== undefined && 'problem' in data) return new UnreadableFile(data.problem);
  if (data !== undefined && 'limit' in data) return new OverLimit(data.limit, data.most);
  if (tail.includes('heap out of memory') || how === 'SIGKILL')
    return new OverLimit('readingMemory', `${walls.memoryMb} MiB`);
  return new ConfinedFailure(`the process that read a file ended (${how}): ${data?.failure ?? tail.slice(-1_000)}`);
};

/**
 * Runs a program on a file. The caller's pace is the program's: little is read ahead.
 * @returns what it writes to standard output, as it comes
 * @throws while it is read: {UnreadableFile} or {OverLimit} as the program says or where it is stopped; {ConfinedFailure}
 */
export async function* runConfined(job: Job, walls: Walls = WALLS): AsyncGenerator<Buffer> {
  const { child, stdout, stderr } = start(job, walls);
  let tail = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS);
  });
  let wasSilent = false;
  const watch = (): NodeJS.Timeout =>
    setTimeout(() => {
      wasSilent = true;
      child.kill('SIGKILL');
    }, walls.silentS * 1_000);
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
    if (how !== '0') throw errorOf(tail, how, wasSilent, walls);
  } finally {
    clearTimeout(timer);
    job.signal?.removeEventListener('abort', abort);
    child.kill('SIGKILL');
    await ended;
  }
}
