/**
 * `rates worker`: runs the program in `workers/` as a child process, because `src` must not import it. Passes signals on to
 * it and its exit code back. The child ends with this process. A worker that stalled is started again.
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
    throw new CommandFailure('REDIS_URL is not set. Only `rates serve` starts its own Redis.');
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

Start as many as you like, on any number of machines. All use the API's REDIS_URL, and its DATA_DIR or STORE_URL.`;

export const workerCommand = (io: Io): Command =>
  new Command('worker')
    .description('Rate queued lists; needs REDIS_URL')
    .addHelpText('after', EXAMPLES)
    .action(() => worker(io));
