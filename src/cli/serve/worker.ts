/**
 * `rates worker`: starts the worker as a child process, and restarts it if it stalls. Forwards signals to the child and
 * returns its exit code. The child ends with this process. With `--no-restart`, this process is the worker.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readConfig } from '../../base/config/settings.ts';
import { fileOf } from '../../base/process/programs.ts';
import { CommandFailure, EXIT, STOOD_STILL } from '../exit.ts';
import type { Io } from '../io.ts';

/** @throws {CommandFailure} if it cannot start */
export const worker = async (io: Io, restarts: boolean): Promise<void> => {
  const config = readConfig(io.env);
  const { redisUrl } = config;
  if (redisUrl === undefined)
    throw new CommandFailure('REDIS_URL is not set. Only `rates serve` starts its own Redis.');
  if (!restarts) {
    const { runWorker } = await import('../../../workers/main.ts');
    return await runWorker(config, redisUrl, () => process.exit(STOOD_STILL));
  }
  let child: ChildProcess | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child?.kill(name));
  for (;;) {
    child = spawn(process.execPath, [...io.execArgv, fileOf('cli/main'), 'worker', '--no-restart'], {
      env: io.env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    const [code] = await once(child, 'exit');
    if (code !== STOOD_STILL) process.exit(typeof code === 'number' ? code : EXIT.failed);
  }
};
