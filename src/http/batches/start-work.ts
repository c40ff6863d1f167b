/**
 * Makes a batch, a comparison or corrections, at most once per idempotency key. Of several requests with one `Idempotency-Key`, one makes
 * the batch. A repeated request within a day gets that batch.
 *
 * States of a key, kept in Redis by client:
 *   free      Redis has nothing
 *   running   a request with the key runs and renews its lease. `hold` records the content of the batch that it will create
 *   left      the lease expired because the process died. If the batch exists, the key is done. Else another request takes over
 *   done      the batch exists
 * A refused request frees its key. Redis may lose its last writes, so the key is also recorded in the store before
 * a batch is created, and looked up there if Redis does not have it.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Redis } from '../../base/redis/connection.ts';
import { script } from '../../base/redis/script.ts';
import { type IdempotencyRecord, idempotencyRecords } from '../../batch/create.ts';
import { pathOf } from '../../batch/ids.ts';
import { usedUploads } from '../../batch/revisions.ts';
import type { Result } from '../../rating/fault.ts';
import { goneSince } from '../auth.ts';
import type { Asked } from '../call.ts';
import { HttpError, orThrow } from '../faults.ts';
import { invalid } from '../input.ts';
import type { Service } from '../service.ts';

export interface Order {
  /** The id of the batch or comparison, or `BATCH/UPLOAD` for corrections. */
  readonly id: string;
  readonly createdAt: Date;
  /** Whether the request has a key. */
  readonly isKeyed: boolean;
  /** Records the content of the key before the batch is made. @throws {HttpError} if another request took over the key */
  readonly hold: (content: () => string) => Promise<void>;
}

export interface Work {
  /** Makes the batch, or throws and leaves nothing behind. */
  readonly make: (order: Order) => Promise<void>;
  /** The content of a request, to compare it with that of an earlier request with the same key. */
  readonly content: () => Promise<string>;
}

/** @throws {HttpError} if the client has since been revoked, or has lost its secret or the scope */
export const requireCallerStill = ({ res }: Asked<Service>): void => {
  const gone = goneSince(res);
  if (gone !== undefined) throw new HttpError(gone);
};

const isMade = async ({ batches, store }: Service, made: string): Promise<boolean> => {
  const [id = '', upload] = made.split('/');
  return upload === undefined ? await batches.exists(id) : (await usedUploads(store, id)).has(upload);
};

/** @returns the batch or comparison; its path is in the header @throws {HttpError} if it has been deleted since */
const answerMade = async ({ service, client, res }: Asked<Service>, made: string) => {
  const [id = ''] = made.split('/');
  const found = await service.batches.find(id, client.id);
  const location = pathOf(id);
  // It is not created again.
  const message = 'What this Idempotency-Key made was deleted. Use a new key.';
  if (found === undefined) throw new HttpError({ type: 'request.notFound', path: location, message });
  res.setHeader('Location', location);
  return found.view;
};

/** @param idAt the id of the order @returns the body of the answer @throws {HttpError} */
export const startWork = async (asked: Asked<Service>, idAt: (createdAt: Date) => string, { make, content }: Work) => {
  const { service, client, req, res } = asked;
  const key = orThrow(readKey(req));
  const createdAt = service.now();
  const id = idAt(createdAt);
  if (key === undefined) {
    await make({ id, createdAt, isKeyed: false, hold: async () => undefined });
    return await answerMade(asked, id);
  }
  const taken = (): HttpError => new HttpError({ type: 'idempotency.inProgress', key });
  const claim = await claimKeptKey(service, client.id, key, id, (made) => isMade(service, made));
  if (claim.kind === 'running') throw taken();
  if (claim.kind === 'done') {
    if ((await content()) !== claim.content) throw new HttpError({ type: 'idempotency.keyReused', key });
    res.setHeader('Idempotent-Replayed', 'true');
    return await answerMade(asked, claim.batchId);
  }
  const hold: Order['hold'] = async (made) => {
    if (!(await claim.hold(made()))) throw taken();
  };
  let done = false;
  try {
    await make({ id, createdAt, isKeyed: true, hold });
    done = true;
  } finally {
    // If Redis is unavailable, the key becomes free or done when its lease ends.
    await (done ? claim.done() : claim.free()).catch(() => undefined);
  }
  return await answerMade(asked, id);
};

const KEPT_S = 86_400;
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The Redis keys of an idempotency key: its record, and a lease that lives as long as its request. */
const redisKeys = (clientId: string, key: string): [record: string, lease: string] => {
  const record = `rates:idempotency:{${clientId}:${digestOf(key)}}`;
  return [record, `${record}:lease`];
};

const OURS = `if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end`;

/** ARGV: owner, batch id, the owner to take over from ('' for none). */
const claimScript = script(`
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner then
  local batch, content = redis.call('HGET', KEYS[1], 'batch'), redis.call('HGET', KEYS[1], 'content') or ''
  if redis.call('HGET', KEYS[1], 'done') then return {'done', batch, content} end
  if redis.call('EXISTS', KEYS[2]) == 1 then return {'running'} end
  if owner ~= ARGV[3] then return {'left', batch, content, owner} end
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'batch', ARGV[2])
redis.call('EXPIRE', KEYS[1], ${KEPT_S})
redis.call('SET', KEYS[2], ARGV[1], 'PX', ${LEASE_MS})
return {'ours'}`);

/** ARGV: owner, content ('' to renew only). */
const holdScript = script(`${OURS}
redis.call('SET', KEYS[2], ARGV[1], 'PX', ${LEASE_MS})
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'content', ARGV[2]) end
return 1`);

/** ARGV: owner, then fields and values if the key's batch is not the one that it was claimed for. */
const doneScript = script(`${OURS}
redis.call('HSET', KEYS[1], 'done', '1')
for i = 2, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('EXPIRE', KEYS[1], ${KEPT_S})
redis.call('DEL', KEYS[2])
return 1`);

const freeScript = script(`${OURS} return redis.call('DEL', KEYS[1], KEYS[2])`);

export type Claim =
  | ReturnType<typeof held>
  | { readonly kind: 'running' }
  /** A batch was created with this key and content. */
  | { readonly kind: 'done'; readonly batchId: string; readonly content: string };

const held = (redis: Redis, keys: readonly string[], owner: string) => {
  // The next renewal makes up for a failed one. If Redis stays unavailable, the batch cannot be created either.
  const renewing = setInterval(() => void holdScript.run(redis, keys, [owner, '']).catch(() => undefined), RENEW_MS);
  return {
    kind: 'ours' as const,
    /** Call it once the content is known, before the batch is created. @returns false if another request took over the key */
    hold: async (content: string) => (await holdScript.run(redis, keys, [owner, content])) === 1,
    /** The batch exists. @param other an earlier batch that was created with this key and content */
    done: async (other?: IdempotencyRecord) => {
      clearInterval(renewing);
      const fields = other === undefined ? [] : ['batch', other.batchId, 'content', other.content];
      await doneScript.run(redis, keys, [owner, ...fields]);
    },
    /** No batch was created. */
    free: async () => {
      clearInterval(renewing);
      await freeScript.run(redis, keys, [owner]);
    },
  };
};

/**
 * Claims a key for a request that will create the batch `batchId`.
 * @param exists whether a batch exists. Called for the batch that a dead process was about to create
 */
export const claimKey = async (
  redis: Redis,
  clientId: string,
  key: string,
  batchId: string,
  exists: (batchId: string) => Promise<boolean>,
): Promise<Claim> => {
  const keys = redisKeys(clientId, key);
  const owner = randomUUID();
  const claim = async (from: string): Promise<readonly string[]> => {
    const reply = await claimScript.run(redis, keys, [owner, batchId, from]);
    return Array.isArray(reply) ? reply.map(String) : [];
  };
  let [kind, before = '', content = '', from = ''] = await claim('');
  if (kind === 'left') {
    if (await exists(before)) {
      await doneScript.run(redis, keys, [from]);
      return { kind: 'done', batchId: before, content };
    }
    [kind, before = '', content = ''] = await claim(from);
  }
  if (kind === 'ours') return held(redis, keys, owner);
  return kind === 'done' ? { kind, batchId: before, content } : { kind: 'running' };
};

/**
 * Claims a key like `claimKey`, and looks in the store if Redis does not have it.
 * @throws the error of Redis or the store if it is unavailable
 */
const claimKeptKey = async (
  { redis, store, now }: Pick<Service, 'redis' | 'store' | 'now'>,
  clientId: string,
  key: string,
  batchId: string,
  exists: (batchId: string) => Promise<boolean>,
): Promise<Claim> => {
  const claim = await claimKey(redis, clientId, key, batchId, exists);
  if (claim.kind !== 'ours') return claim;
  const digest = digestOf(`${clientId}:${key}`);
  try {
    const taken = await idempotencyRecords.find(store, digest, now());
    if (taken !== undefined && (await exists(taken.batchId))) {
      await claim.done(taken);
      return { kind: 'done', ...taken };
    }
  } catch (error) {
    // Otherwise this process would renew the lease until it ends, and nobody could use the key.
    await claim.free().catch(() => undefined);
    throw error;
  }
  return {
    ...claim,
    hold: async (content) => {
      const ours = await claim.hold(content);
      if (ours) await idempotencyRecords.note(store, digest, { batchId, content }, now());
      return ours;
    },
  };
};

/** 1 to 255 printable ASCII characters. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** The key of a request, if it has one. */
const readKey = (req: Request): Result<string | undefined> => {
  const key = req.headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key;
  return invalid({ 'Idempotency-Key': 'must be 1 to 255 printable ASCII characters' });
};

/** A digest of what makes two requests equal: the list, and the query in any order. */
export const contentOf = (req: Request, list: string): string => {
  const query = new URLSearchParams(req.originalUrl.split('?')[1]);
  query.sort();
  return digestOf(`${list}?${query}`);
};
