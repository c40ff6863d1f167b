/** Lua scripts in Redis. Each runs as one atomic step. */
import { createHash } from 'node:crypto';
import type { Redis } from './connection.ts';

export interface Script {
  readonly run: (redis: Redis, keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;
}

/** Lua that sets `now` to the time in ms by the clock of Redis. The clocks of the machines may differ. */
export const SET_NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Returns a script that is sent by its SHA-1, as `EVALSHA` expects, and with its text if Redis does not have it. */
export const script = (lua: string): Script => {
  const digest = createHash('sha1').update(lua).digest('hex');
  return {
    run: async (redis, keys, args) => {
      try {
        return await redis.evalsha(digest, keys.length, ...keys, ...args);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return await redis.eval(lua, keys.length, ...keys, ...args);
      }
    },
  };
};
