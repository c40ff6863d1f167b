/**
 * Reads the files of one owner in a process that is kept for a while. People send a list again and again until it is right, and
 * each start of a process stops the API for about 5 ms, because Linux copies its page tables. Files of two owners never meet
 * in a process.
 */
import type { FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { fill, outputOf, type Started, start, stopTask, unnamedFile } from './run.ts';

const KEPT_MS = 30_000;

export interface Reader {
  /** Like `fill` in `run.ts`, for the file that is read. */
  readonly fill: (source: AsyncIterable<Buffer>, limit: string, most: number) => Promise<number>;
  /** Returns the output of a task. Throws like `runConfined`. */
  readonly read: (task: unknown) => AsyncGenerator<Buffer>;
  /** Keeps the process if it can read another file, and otherwise ends it. */
  readonly release: () => Promise<void>;
}

interface Kept {
  readonly file: FileHandle;
  readonly started?: Started | undefined;
}

/** The process that waits for the next file of its owner. */
let waiting: (Required<Kept> & { readonly owner: string; readonly timer: NodeJS.Timeout }) | undefined;

const end = async ({ file, started }: Kept): Promise<void> => {
  await started?.end();
  await file.close();
};

/** Returns what waits for this owner, or for anybody. */
const taken = (owner?: string): Required<Kept> | undefined => {
  if (waiting === undefined || (owner !== undefined && waiting.owner !== owner)) return undefined;
  const { timer, ...kept } = waiting;
  waiting = undefined;
  clearTimeout(timer);
  return kept;
};

const endWaiting = async (): Promise<void> => {
  const kept = taken();
  if (kept !== undefined) await end(kept);
};

/** A process that waits does not keep this one from ending. */
const setIdle = ({ child }: Started, isIdle: boolean): void => {
  const sockets = child.stdio.filter((stream) => stream instanceof Socket);
  for (const part of [child, ...sockets]) isIdle ? part.unref() : part.ref();
};

/**
 * @param program the file of the program to run
 * @param owner whose files the process may read. Undefined: it is not kept
 */
export const readerFor = async (program: string, owner: string | undefined): Promise<Reader> => {
  let { file, started }: Kept = (owner !== undefined && taken(owner)) || { file: await unnamedFile() };
  /** Whether the process waits for another task. */
  let isWaiting = started !== undefined;
  return {
    fill: (...source) => fill(file, ...source),
    read: async function* (task) {
      if (started === undefined) started = start(program, file);
      else setIdle(started, false);
      isWaiting = false;
      isWaiting = yield* outputOf(started, { task });
    },
    release: async () => {
      if (owner === undefined || started === undefined || !(isWaiting || (await stopTask(started))))
        return end({ file, started });
      const former = taken();
      setIdle(started, true);
      waiting = { owner, file, started, timer: setTimeout(endWaiting, KEPT_MS).unref() };
      if (former !== undefined) await end(former);
    },
  };
};
