/** The harm that a soak does to a running service: it kills, suspends and resumes processes, and empties Redis. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { stateKeys } from '../../src/batch/state.ts';
import { type Child, childrenOf, type Service } from '../bench/service.ts';

export type Part = 'api' | 'worker' | 'redis';

/** The running processes of a kind. If one ends meanwhile, it looks again. */
export const running = (service: Service, kind: Part): readonly Child[] => {
  for (;;) {
    try {
      return childrenOf(service.pid).filter((child) => child.kind === kind);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')))
        throw error;
    }
  }
};

const signal = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // It ended by itself just before.
  }
};

/** Kills one process of a kind with -9. @returns false if none runs, because it is being started again */
export const kill = (service: Service, kind: Part, pick: number): boolean => {
  const children = running(service, kind);
  const child = children[Math.floor(pick * children.length)];
  return child !== undefined && signal(child.pid, 'SIGKILL');
};

/** Stops Redis as an operator does. The supervisor starts it again. */
export const restartRedis = (service: Service): boolean => {
  const [redis] = running(service, 'redis');
  return redis !== undefined && signal(redis.pid, 'SIGTERM');
};

/** Suspends a worker, and resumes it after its locks have expired. @returns false if none runs */
export const stall = (service: Service, ms: number): { readonly over: Promise<void> } | undefined => {
  const [worker] = running(service, 'worker');
  if (worker === undefined || !signal(worker.pid, 'SIGSTOP')) return undefined;
  const over = sleep(ms).then(() => void signal(worker.pid, 'SIGCONT'));
  return { over };
};

/** A connection to the service's private Redis that reconnects. */
export const openRedis = ({ dataDir }: Service): Redis => {
  const path = join(dataDir, 'redis', 'redis.sock');
  const redis = new Redis({ path, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => undefined); // It is killed again and again.
  return redis;
};

/** Waits until a batch's output is being assembled. @returns false if `signal` was aborted before */
export const assembling = async (redis: Redis, id: string, aborted: AbortSignal): Promise<boolean> => {
  while (!aborted.aborted) {
    if ((await redis.hget(stateKeys(id).state, 'status')) === 'finalizing') return true;
    await sleep(1);
  }
  return false;
};
