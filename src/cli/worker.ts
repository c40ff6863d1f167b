/**
 * `rates worker`: a worker process. It runs the program of `workers/` as a process of its own, for `src` knows nothing of
 * what lies there; this one hands on signals and the exit code, and the worker ends when this one is gone. A worker that
 * stood still is started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Command } from 'commander';
import { readConfig } from '../config/settings.ts';
import { CommandFailure, EXIT, STOOD_STILL } from './exit.ts';
import type { Io } from './io.ts';

const WORKER = join(import.meta.dirname, '..', '..', 'workers', `main${extname(import.meta.filename)}`);

const worker = async (io: Io): Promise<void> => {
  const { redisUrl } = readConfig(io.env);
  if (redisUrl === undefined)
    throw new CommandFailure('REDIS_URL is needed here: only `rates serve` brings a Redis of its own.');
  let child: ChildProcess | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child?.kill(name));
  for (;;) {
    child = spawn(process.execPath, [...io.execArgv, WORKER], {
      env: io.env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    const [code] = await once(child, 'exit');
    if (code !== STOOD_STILL) process.exit(typeof code === 'number' ? code : EXIT.failed);
  }
};

const EXAMPLES = `
Examples:
  REDIS_URL=redis://127.0.0.1:6379 DATA_DIR=/srv/rates rates worker

As many as you like, on as many machines, with the same REDIS_URL and the same DATA_DIR or STORE_URL as the API.`;

export const workerCommand = (io: Io): Command =>
  new Command('worker')
    .description('Rate queued lists; needs REDIS_URL')
    .addHelpText('after', EXAMPLES)
    .action(() => worker(io));
