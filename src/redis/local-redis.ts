/** The Redis that the service runs itself when it is given none: a private server where one is installed, or the stand-in. */
import { join } from 'node:path';
import { startStandIn } from './in-memory-redis.ts';
import type { Endpoint } from './orphan.ts';
import { findRedisServer, type RunningRedis, startPrivateRedis } from './private-redis.ts';

export interface LocalRedis extends RunningRedis {
  readonly kind: 'private' | 'stand-in';
  /** After it has died: starts it in its place, URL and all, for whoever is connected there. */
  again(): Promise<LocalRedis>;
}

export interface LocalRedisOptions {
  /** A private Redis has its data in `redis` under it. The caller holds the lock on this folder. */
  readonly dataDir: string;
  readonly production: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
}

const startPrivate = async (binary: string, dir: string, endpoint?: Endpoint): Promise<LocalRedis> => {
  const redis = await startPrivateRedis({ binary, dir, ...(endpoint && { endpoint }) });
  return { ...redis, kind: 'private', again: () => startPrivate(binary, dir, redis.endpoint) };
};

const startSubstitute = async (options: LocalRedisOptions, port?: number): Promise<LocalRedis> => {
  const { production, env, execArgv } = options;
  const redis = await startStandIn({ production, env, execArgv, ...(port !== undefined && { port }) });
  const again = () => startSubstitute(options, Number(new URL(redis.url).port));
  return { ...redis, kind: 'stand-in', again };
};

/** Starts it, and resolves when it answers. Rejects where there is none to start, in words for people. */
export const startLocalRedis = (options: LocalRedisOptions): Promise<LocalRedis> => {
  const binary = findRedisServer(options.env['PATH']);
  return binary === undefined ? startSubstitute(options) : startPrivate(binary, join(options.dataDir, 'redis'));
};
