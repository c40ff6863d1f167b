/** What is done to a running service in a soak: its processes are killed, stopped and let go on, its Redis is emptied. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { stateKeys } from '../../src/batch/state.ts';
import { type Child, childrenOf, type Service } from '../bench/service.ts';

export type Part = 'api' | 'worker' | 'redis';

/** The service's processes of a kind, running now; one that ends while it is looked at makes this look again. */
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

/** Kills one process of a kind with -9. @returns false where none runs, because it is being started again */
export const kill = (service: Service, kind: Part, pick: number): boolean => {
  const children = running(service, kind);
  const child = children[Math.floor(pick * children.length)];
  return child !== undefined && signal(child.pid, 'SIGKILL');
};

/** Ends Redis as an operator does; the supervisor starts it again. */
export const restartRedis = (service: Service): boolean => {
  const [redis] = running(service, 'redis');
  return redis !== undefined && signal(redis.pid, 'SIGTERM');
};

/** Stops a worker where it stands and lets it go on after its locks have run out. @returns false where none runs */
export const stall = (service: Service, ms: number): { readonly over: Promise<void> } | undefined => {
  const [worker] = running(service, 'worker');
  if (worker === undefined || !signal(worker.pid, 'SIGSTOP')) return undefined;
  const over = sleep(ms).then(() => void signal(worker.pid, 'SIGCONT'));
  return { over };
};

/** A connection to the service's private Redis, which comes back with it. */
export const openRedis = async ({ dataDir }: Service): Promise<Redis> => {
  const { port, password } = JSON.parse(await readFile(join(dataDir, 'redis', 'endpoint.json'), 'utf8'));
  const redis = new Redis({ port, password, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => undefined); // It is killed again and again.
  return redis;
};

/** Waits until a batch's output is being put together. @returns false where `signal` was aborted before */
export const assembling = async (redis: Redis, id: string, aborted: AbortSignal): Promise<boolean> => {
  while (!aborted.aborted) {
    if ((await redis.hget(stateKeys(id).state, 'status')) === 'finalizing') return true;
    await sleep(1);
  }
  return false;
};
