/** The parent's side of `child.ts`. It kills and restarts the child if an input takes too long or too much memory. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input, TargetName, Told } from './target.ts';

export interface FeedLimits {
  readonly deadlineMs: number;
  /** Of the whole process. */
  readonly mostMb: number;
}

export interface TargetProcess {
  /** @returns the outcome @throws if it is a finding */
  readonly feed: (input: Input) => Promise<string>;
  readonly peakMb: () => number;
  readonly close: () => void;
}

const WATCH_MS = 20;
const HEAP = '--max-old-space-size=512';

const residentMb = (pid: number | undefined): number => {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

const start = async (target: TargetName): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'child.ts'), [target], {
    execArgv: ['--import', 'tsx', HEAP],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (first !== 'ready') throw new Error(`the target ${target} did not start`);
  return child;
};

/** Waits for the child's message. Kills the child if it exceeds a limit. */
const awaited = (child: ChildProcess, { deadlineMs, mostMb }: FeedLimits): Promise<Told> =>
  new Promise((resolve) => {
    const finish = (told: Told): void => {
      clearInterval(watch);
      clearTimeout(deadline);
      child.removeAllListeners('message').removeAllListeners('exit');
      resolve(told);
    };
    const kill = (failure: string): void => {
      child.kill('SIGKILL');
      finish({ failure, peakMb: residentMb(child.pid) });
    };
    const watch = setInterval(() => {
      if (residentMb(child.pid) > mostMb) kill(`it took more than ${mostMb} MB`);
    }, WATCH_MS);
    const deadline = setTimeout(() => kill(`it took more than ${deadlineMs / 1_000} s`), deadlineMs);
    child.once('message', (told: Told) => finish(told));
    child.once('exit', (code, signal) => finish({ failure: `it ended the process (${signal ?? code})`, peakMb: 0 }));
  });

export const startTargetProcess = async (target: TargetName, limits: FeedLimits): Promise<TargetProcess> => {
  let child = await start(target);
  let peakMb = 0;
  return {
    feed: async (input) => {
      if (child.exitCode !== null || child.signalCode !== null || child.killed) child = await start(target);
      const waiting = awaited(child, limits);
      child.send(input);
      const told = await waiting;
      peakMb = Math.max(peakMb, told.peakMb);
      if ('failure' in told) throw new Error(told.failure);
      if (told.peakMb > limits.mostMb)
        throw new Error(`it took ${told.peakMb.toFixed(0)} MB, more than ${limits.mostMb}`);
      return told.outcome;
    },
    peakMb: () => Math.round(peakMb),
    close: () => child.kill('SIGKILL'),
  };
};
