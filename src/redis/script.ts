/** Lua scripts in Redis: each is one atomic step. */
import type { Redis } from './connection.ts';

export interface Script {
  readonly run: (redis: Redis, keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;
}

/** A script that is sent by its digest, and with its text where Redis does not know it (any more). */
export const script = (lua: string, digest: string): Script => ({
  run: async (redis, keys, args) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return await redis.eval(lua, keys.length, ...keys, ...args);
    }
  },
});
