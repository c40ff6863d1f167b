/** The inside of a confined process: `run.ts` starts it, and says what it may use. */
import { readFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import type { LastWords } from './run.ts';

/** The descriptor of the file that is read. */
const FILE = 3;
/** Quotes come first: of a busy processor this process gets a third of what the API gets. */
const NICENESS = 5;

/**
 * A thread that ends the process when it uses too much, or when its parent has gone. The main thread may be stuck in a
 * loop. Plain JavaScript: a thread does not inherit the loader of the sources.
 */
const GUARD = `
const { workerData: { memoryMb, processorS, parent } } = require('node:worker_threads');
const stop = (words) => {
  if (words !== undefined) require('node:fs').writeSync(2, '\\n' + JSON.stringify(words) + '\\n');
  process.kill(process.pid, 'SIGKILL');
};
setInterval(() => {
  const { user, system } = process.cpuUsage();
  if (process.ppid !== parent) stop();
  if (process.memoryUsage.rss() > memoryMb * 1024 * 1024) stop({ limit: 'readingMemory', most: memoryMb + ' MiB' });
  if (user + system > processorS * 1e6) stop({ limit: 'readingTime', most: processorS + ' s' });
}, 20);
`;

const wordsOf = (error: unknown): LastWords => {
  if (error instanceof OverLimit) return { limit: error.limit, most: error.most };
  if (error instanceof UnreadableFile) return { problem: error.problem };
  return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
};

/** Does the work of this process. @param work yields what goes to standard output, of the task and the file */
export const confined = async <Task>(work: (task: Task, fd: number) => AsyncIterable<Uint8Array>): Promise<void> => {
  const [memoryMb, processorS] = process.argv.slice(2).map(Number);
  const workerData = { memoryMb, processorS, parent: process.ppid };
  new Worker(GUARD, { eval: true, execArgv: [], workerData }).unref();
  // A Ctrl-C reaches the whole group, and is the parent's to answer.
  process.on('SIGINT', () => undefined);
  try {
    setPriority(NICENESS);
    const task: Task = JSON.parse(readFileSync(0, 'utf8'));
    await pipeline(Readable.from(work(task, FILE), { objectMode: false }), process.stdout);
  } catch (error) {
    writeSync(2, `\n${JSON.stringify(wordsOf(error))}\n`);
    process.exitCode = 1;
  }
};
