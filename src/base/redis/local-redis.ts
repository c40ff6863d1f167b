/** The Redis that the service runs if REDIS_URL is not set: a private server if one is installed, else an in-memory one. */
import { join } from 'node:path';
import { startInMemoryRedis } from './in-memory-redis.ts';
import { findRedisServer, type RunningRedis, startPrivateRedis } from './private-redis.ts';

export interface LocalRedis extends RunningRedis {
  readonly kind: 'private' | 'in-memory';
  /** Restarts it after it died, at the same URL, so that its clients can reconnect. */
  again(): Promise<LocalRedis>;
}

export interface LocalRedisOptions {
  /** A private Redis keeps its data in the subfolder `redis`. The caller holds the lock on this folder. */
  readonly dataDir: string;
  readonly production: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
}

const startPrivate = async (binary: string, dir: string): Promise<LocalRedis> => ({
  ...(await startPrivateRedis({ binary, dir })),
  kind: 'private',
  again: () => startPrivate(binary, dir),
});

const startInMemory = async (options: LocalRedisOptions, port?: number): Promise<LocalRedis> => {
  const { production, env, execArgv } = options;
  const redis = await startInMemoryRedis({ production, env, execArgv, ...(port !== undefined && { port }) });
  const again = () => startInMemory(options, Number(new URL(redis.url).port));
  return { ...redis, kind: 'in-memory', again };
};

/** Starts it; resolves when it answers. Rejects with a message for users if none can be started. */
export const startLocalRedis = (options: LocalRedisOptions): Promise<LocalRedis> => {
  const binary = findRedisServer(options.env['PATH']);
  return binary === undefined ? startInMemory(options) : startPrivate(binary, join(options.dataDir, 'redis'));
};
