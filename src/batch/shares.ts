/**
 * Links to results that need no sign-in. Each link opens one batch or comparison until it expires or is revoked. Its token
 * has the id of the result and 192 random bits. Redis keeps a hash of these bits with the details of the link, in one key
 * per result. If Redis loses the key, the links end.
 */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { byText } from '../base/by-text.ts';
import type { Redis } from '../base/redis/connection.ts';
import { BATCH_ID } from './ids.ts';

export const SHARE_DAYS = [1, 7, 30] as const;
type ShareDays = (typeof SHARE_DAYS)[number];
/** Maximum number of open links of a result. */
export const MOST_SHARES = 10;

const DAY_MS = 86_400_000;
const MOST_DAYS = Math.max(...SHARE_DAYS);

const SECRET = /^[\w-]{32}$/;
const ID_LENGTH = 16;
/** The id of a link: the beginning of the hash, which does not open anything. */
export const SHARE_ID = /^[\w-]{16}$/;

const kept = z.object({ clientId: z.string(), createdAt: z.iso.datetime(), endsAt: z.iso.datetime() });
export type Opened = z.output<typeof kept>;

export interface Share extends Pick<Opened, 'createdAt' | 'endsAt'> {
  readonly id: string;
}

const keyOf = (result: string): string => `rates:{${result}}:shares`;
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export type Shares = ReturnType<typeof createShares>;

export const createShares = (redis: Redis, now: () => Date) => {
  /** Returns the links that have not ended, by hash. */
  const open = async (result: string): Promise<readonly (readonly [hash: string, share: Opened])[]> => {
    const entries = Object.entries(await redis.hgetall(keyOf(result)));
    const shares = entries.map(([hash, text]) => [hash, kept.parse(JSON.parse(text))] as const);
    const ended = shares.filter(([, { endsAt }]) => Date.parse(endsAt) <= now().getTime());
    if (ended.length > 0) await redis.hdel(keyOf(result), ...ended.map(([hash]) => hash));
    return shares.filter((share) => !ended.includes(share));
  };
  const shareOf = ([hash, { createdAt, endsAt }]: readonly [string, Opened]): Share => ({
    ...{ id: hash.slice(0, ID_LENGTH), createdAt, endsAt },
  });
  return {
    /** @returns the link with its token, which is not stored; undefined if the result has too many links */
    make: async (
      result: string,
      clientId: string,
      days: ShareDays,
    ): Promise<(Share & { token: string }) | undefined> => {
      if ((await open(result)).length >= MOST_SHARES) return undefined;
      const secret = randomBytes(24).toString('base64url');
      const hash = hashOf(secret);
      const at = now();
      const endsAt = new Date(at.getTime() + days * DAY_MS).toISOString();
      const share = { clientId, createdAt: at.toISOString(), endsAt };
      await redis.hset(keyOf(result), hash, JSON.stringify(share));
      await redis.pexpire(keyOf(result), MOST_DAYS * DAY_MS);
      // Another link may have been made at the same moment.
      if ((await redis.hlen(keyOf(result))) > MOST_SHARES) {
        await redis.hdel(keyOf(result), hash);
        return undefined;
      }
      return { ...shareOf([hash, share]), token: `${result}.${secret}` };
    },
    /** Newest first. */
    list: async (result: string): Promise<Share[]> =>
      (await open(result)).map(shareOf).sort((a, b) => byText(b.createdAt, a.createdAt) || byText(a.id, b.id)),
    /** @returns the revoked link; undefined if there is none */
    revoke: async (result: string, id: string): Promise<Share | undefined> => {
      const found = (await open(result)).find(([hash]) => hash.startsWith(id));
      if (found === undefined) return undefined;
      await redis.hdel(keyOf(result), found[0]);
      return shareOf(found);
    },
    revokeAll: async (result: string): Promise<void> => void (await redis.del(keyOf(result))),
    /** @returns the link and the client whose result it opens; undefined if the token does not open this result now */
    opened: async (token: string, result: string): Promise<Opened | undefined> => {
      const [id = '', secret = '', ...more] = token.split('.');
      if (id !== result || !BATCH_ID.test(id) || !SECRET.test(secret) || more.length > 0) return undefined;
      const text = await redis.hget(keyOf(result), hashOf(secret));
      if (text === null) return undefined;
      const share = kept.parse(JSON.parse(text));
      return Date.parse(share.endsAt) > now().getTime() ? share : undefined;
    },
  };
};
