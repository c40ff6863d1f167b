/**
 * Processes of Node that this one starts. Each keeps the channel to its parent open, says once that it is ready
 * (`{type: 'ready', port?}`), and ends when the channel closes, so that none outlives its parent, however that ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const readyMessage = z.object({ type: z.literal('ready'), port: z.int().optional() });

export interface NodeProcess {
  readonly pid: number;
  /** Where it listens, if it does. */
  readonly port?: number;
  /** Settles when it has ended, with how it ended, in words. */
  readonly exited: Promise<string>;
  /** Asks it to end, and forces it to after `timeoutMs`. Resolves when it has ended. */
  stop(timeoutMs: number): Promise<void>;
}

export interface NodeProcessOptions {
  /** The module that it runs. */
  readonly main: string;
  readonly args: readonly string[];
  /** Node's own arguments: those of this process (`process.execArgv`), so that it runs from sources too. */
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** How long it may take until it is ready. */
  readonly startTimeoutMs: number;
}

/** A process that ended, or took too long, before it was ready. */
export class NotStarted extends Error {
  /** How it ended, in words. */
  readonly how: string;

  constructor(what: string, how: string) {
    super(`${what} did not start: ${how}`);
    this.name = 'NotStarted';
    this.how = how;
  }
}

const stopper = (child: ChildProcess, exited: Promise<string>) => async (timeoutMs: number) => {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await exited;
  clearTimeout(force);
};

/** What the process says first that is a ready message; other messages are not ours to judge. */
const firstReady = (child: ChildProcess): Promise<z.output<typeof readyMessage>> =>
  new Promise((resolve) => {
    child.on('message', (message) => {
      const ready = readyMessage.safeParse(message);
      if (ready.success) resolve(ready.data);
    });
  });

/**
 * Starts a process and resolves when it is ready.
 * @throws {NotStarted} where it ends before, or is not ready in time
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
  timeout.catch(() => undefined); // It was called off.
  const first = await Promise.race([firstReady(child), exited, timeout]);
  waiting.abort();
  if (typeof first === 'string' || child.pid === undefined) {
    child.kill('SIGKILL');
    throw new NotStarted([options.main, ...options.args].join(' '), String(first));
  }
  const { port } = first;
  return { pid: child.pid, ...(port !== undefined && { port }), exited, stop: stopper(child, exited) };
};
