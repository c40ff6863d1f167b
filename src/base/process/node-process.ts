/**
 * Starts Node.js child processes. A child reports when it is ready (`{type: 'ready', port?}`) and exits when the channel to
 * its parent closes, so it never outlives its parent.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const readyMessage = z.object({ type: z.literal('ready'), port: z.int().optional() });

export interface NodeProcess {
  readonly pid: number;
  readonly port?: number;
  /** Resolves when it has ended, with a description of how. */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after `timeoutMs`. Resolves when it has ended. */
  stop(timeoutMs: number): Promise<void>;
}

export interface NodeProcessOptions {
  readonly main: string;
  readonly args: readonly string[];
  /** Arguments for Node.js: those of this process (`process.execArgv`), so that TypeScript sources work too. */
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Maximum time until it is ready. */
  readonly startTimeoutMs: number;
}

/** A process that ended, or took too long, before it was ready. */
export class NotStarted extends Error {
  readonly how: string;

  constructor(what: string, how: string) {
    super(`${what} did not start: ${how}`);
    this.name = 'NotStarted';
    this.how = how;
  }
}

/** Ends a process, by force after some time. Resolves when it has ended. */
export const stopper = (child: ChildProcess, exited: Promise<string>) => async (timeoutMs: number) => {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await exited;
  clearTimeout(force);
};

/** Returns the first ready message of the process. Other messages are ignored. */
const firstReady = (child: ChildProcess): Promise<z.output<typeof readyMessage>> =>
  new Promise((resolve) => {
    child.on('message', (message) => {
      const ready = readyMessage.safeParse(message);
      if (ready.success) resolve(ready.data);
    });
  });

/**
 * Starts a process. Resolves when it is ready.
 * @throws {NotStarted} if it ends first or is not ready in time
 */
export const startNodeProcess = async (options: NodeProcessOptions): Promise<NodeProcess> => {
  const child = fork(options.main, [...options.args], {
    execArgv: [...options.execArgv],
    env: options.env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once('error', (error) => resolve(error.message));
  });
  const waiting = new AbortController();
  const timeout = sleep(options.startTimeoutMs, 'it was not ready in time', { signal: waiting.signal });
  timeout.catch(() => undefined); // Rejects when it is aborted.
  const first = await Promise.race([firstReady(child), exited, timeout]);
  waiting.abort();
  if (typeof first === 'string' || child.pid === undefined) {
    child.kill('SIGKILL');
    throw new NotStarted([options.main, ...options.args].join(' '), String(first));
  }
  const { port } = first;
  return { pid: child.pid, ...(port !== undefined && { port }), exited, stop: stopper(child, exited) };
};
