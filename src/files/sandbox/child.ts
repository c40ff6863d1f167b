/** The code inside a confined process. `run.ts` starts the process and sets its limits. */
import { readFileSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import type { FailureReport } from './run.ts';

/** The file descriptor of the input. */
const FILE = 3;

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

/** Runs the work of this process. @param work yields the standard output, given the task and the file's descriptor */
export const confined = async <Task>(work: (task: Task, fd: number) => AsyncIterable<Uint8Array>): Promise<void> => {
  const [memoryMb, processorS] = process.argv.slice(2).map(Number);
  const workerData = { memoryMb, processorS, parent: process.ppid };
  new Worker(GUARD, { eval: true, execArgv: [], workerData }).unref();
  // Ctrl-C reaches the whole process group; the parent handles it.
  process.on('SIGINT', () => undefined);
  try {
    const task: Task = JSON.parse(readFileSync(0, 'utf8'));
    await pipeline(Readable.from(work(task, FILE), { objectMode: false }), process.stdout);
  } catch (error) {
    writeSync(2, `\n${JSON.stringify(reportOf(error))}\n`);
    process.exitCode = 1;
  }
};

/** Does the same as `confined` for work that yields values. Each value is a line of JSON. */
export const confinedLines = <Task, Line>(work: (task: Task, fd: number) => AsyncIterable<Line>): Promise<void> =>
  confined<Task>(async function* (task, fd) {
    for await (const line of work(task, fd)) yield Buffer.from(`${JSON.stringify(line)}\n`);
  });
