/**
 * `rates worker`: starts the worker as a child process, and restarts it if it stalls or is killed. Forwards signals to the child
 * and returns its exit code. The child ends with this process. With `--no-restart`, this process is the worker.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../base/config/settings.ts';
import { createLog } from '../../base/log.ts';
import { fileOf, ONE_GC_THREAD } from '../../base/process/programs.ts';
import { CommandFailure, EXIT, STOOD_STILL } from '../exit.ts';
import type { Io } from '../io.ts';

/** If the system kills the worker again and again because it lacks memory, restarts must not be a busy loop. */
const PAUSE_MS = 1_000;

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
  const log = createLog({ level: config.logLevel, name: 'worker', format: config.logFormat });
  let child: ChildProcess | undefined;
  let isStopping = false;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      isStopping = true;
      child?.kill(name);
    });
  while (!isStopping) {
    child = spawn(process.execPath, [...io.execArgv, ONE_GC_THREAD, fileOf('cli/main'), 'worker', '--no-restart'], {
      env: io.env,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    const [code, signal] = await once(child, 'exit');
    if (isStopping || (signal === null && code !== STOOD_STILL))
      process.exit(typeof code === 'number' ? code : EXIT.failed);
    log.warn({ endedPid: child.pid, how: signal ?? `exit code ${code}` }, 'ended on its own, restarting');
    await sleep(PAUSE_MS);
  }
  process.exit(EXIT.done);
};
