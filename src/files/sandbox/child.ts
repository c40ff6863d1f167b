/** The code inside a confined process. `run.ts` starts the process and sets its limits. */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import type { FailureReport } from './run.ts';

/** The file descriptor of the input. */
const FILE = 3;

/** Each piece of output has its length before it. A length of 0 ends the output of a task. */
export const LENGTH_BYTES = 4;

/** Stops the task that runs. */
export const STOP = 'stop';

/**
 * A thread that ends the process if it exceeds its limits or its parent is gone. It works even if the main thread is stuck
 * in a loop. It is plain JavaScript because a thread does not inherit the TypeScript loader.
 */
const GUARD = `
const { workerData: { memoryMb, processorS, parent } } = require('node:worker_threads');
const stop = (report) => {
  if (report !== undefined) require('node:fs').writeSync(2, '\\n' + JSON.stringify(report) + '\\n');
  process.kill(process.pid, 'SIGKILL');
};
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.ppid !== parent) stop();
  if (process.memoryUsage.rss() > memoryMb * 1024 * 1024) stop({ limit: 'readingMemory', most: memoryMb + ' MiB' });
  if (user + system > processorS * 1e6) stop({ limit: 'readingTime', most: processorS + ' s' });
}, 20);
`;

const reportOf = (error: unknown): FailureReport => {
  if (error instanceof OverLimit) return { limit: error.limit, most: error.most };
  if (error instanceof UnreadableFile) return { problem: error.problem };
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
};

/** A process takes no further task if it has used this share of a limit, so that each file has nearly all of it. */
const KEPT_SHARE = { memory: 0.4, processor: 0.1 };

async function* withLengths(pieces: AsyncIterable<Uint8Array>, isStopped: () => boolean): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (isStopped()) return;
    if (piece.length === 0) continue;
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(piece.length);
    yield Buffer.concat([length, piece]);
  }
}

/**
 * Runs the tasks of this process: one for each line of standard input. A task ends early if another line follows.
 * @param work yields the output, given the task and the file's descriptor
 */
export const confined = async <Task>(work: (task: Task, fd: number) => AsyncIterable<Uint8Array>): Promise<void> => {
  const [memoryMb = 0, processorS = 0] = process.argv.slice(2).map(Number);
  const workerData = { memoryMb, processorS, parent: process.ppid };
  new Worker(GUARD, { eval: true, execArgv: [], workerData }).unref();
  const isKept = (): boolean => {
    const { user, system } = process.cpuUsage();
    return (
      process.memoryUsage.rss() < KEPT_SHARE.memory * memoryMb * 1_024 ** 2 &&
      user + system < KEPT_SHARE.processor * processorS * 1e6
    );
  };
  // Ctrl-C reaches the whole process group; the parent handles it.
  process.on('SIGINT', () => undefined);
  try {
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    for (let line = await lines.next(); line.done !== true; ) {
      const task: Task | typeof STOP = JSON.parse(line.value);
      const next = lines.next();
      if (task !== STOP) {
        let isStopped = false;
        void next.then(() => {
          isStopped = true;
        });
        const output = Readable.from(
          withLengths(work(task, FILE), () => isStopped),
          { objectMode: false },
        );
        await pipeline(output, process.stdout, { end: false });
        if (!isKept()) break;
        process.stdout.write(Buffer.alloc(LENGTH_BYTES));
      }
      line = await next;
    }
  } catch (error) {
    writeSync(2, `\n${JSON.stringify(reportOf(error))}\n`);
    process.exitCode = 1;
  }
  process.stdin.destroy();
};

/** Does the same as `confined` for work that yields values. Each value is a line of JSON. */
export const confinedLines = <Task, Line>(work: (task: Task, fd: number) => AsyncIterable<Line>): Promise<void> =>
  confined<Task>(async function* (task, fd) {
    for await (const line of work(task, fd)) yield Buffer.from(`${JSON.stringify(line)}\n`);
  });
