/**
 * The pointer to what is in force: the versions of the tariffs, the agreements and the clients, in one document, so that a
 * reader never sees half of a publication. It is a key in Redis, moved by compare-and-set, with a copy in the store. Each
 * move is announced to all processes. On a single machine, where the service runs its own Redis, commands move the copy
 * under a lock. If Redis was emptied or lost its last writes, the pointer is repaired from the copy. If the copy was not
 * written, it is repaired from Redis. The higher sequence number is right. Below `published/`:
 *
 *   tariffs/<version>.json, agreements/…, clients/…       the versions, never changed
 *   in-force.json                                         the copy of the pointer
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import type { Refresh } from '../../base/poll.ts';
import type { Redis } from '../../base/redis/connection.ts';
import { script } from '../../base/redis/script.ts';
import type { Store } from '../../base/store/store.ts';

/*
 * Processes announce their changes through Redis, so that others load them at once. A message may be lost, so all processes
 * also check on their own. A message has the ids of documents that are known to be complete.
 */

const CHANNEL = 'rates:in-force';

/** @returns a refresh that also notifies the other processes */
export const announcing =
  ({ redis, log }: { readonly redis: Redis; readonly log: Pick<Logger, 'warn'> }, refresh: Refresh): Refresh =>
  async (ids = []) => {
    try {
      await redis.publish(CHANNEL, ids.join(' '));
    } catch (err) {
      // The others also check on their own.
      log.warn({ err }, 'a change was not announced');
    }
    await refresh(ids);
  };

/** Looks at each message, and when Redis is back. @param events a connection that waits while Redis is down */
export const hear = (events: Redis, look: (ids: readonly string[]) => void): void => {
  const subscribe = (): void => {
    // A look makes up for messages before the subscription. If subscribing fails, `ready` comes again later.
    events.subscribe(CHANNEL).then(
      () => look([]),
      () => undefined,
    );
  };
  events.on('message', (channel: string, text: string) => {
    if (channel === CHANNEL) look(text === '' ? [] : text.split(' '));
  });
  events.on('ready', subscribe);
  if (events.status === 'ready') subscribe();
};

const KINDS = ['tariffs', 'agreements', 'clients'] as const;
export type Kind = (typeof KINDS)[number];

const version = z.string().regex(/^\d{1,15}-[0-9a-f]{16}$/);

/** The version of a kind that is in force. */
const entry = z.looseObject({
  /** The number of moves of the kind so far. */
  sequence: z.int().gte(1),
  version,
  /** The version that was made last. It differs from `version` after going back. Each version names the one made before it. */
  newest: version,
  /** When and by whom it was moved. */
  at: z.iso.datetime(),
  by: z.string(),
  /** The pointer's move number. Kinds that were moved together have the same number. */
  move: z.int(),
});
export type Entry = z.output<typeof entry>;

const pointer = z.looseObject({
  /** The number of moves so far. */
  sequence: z.int().gte(1),
  tariffs: entry.optional(),
  agreements: entry.optional(),
  clients: entry.optional(),
});
type Pointer = z.output<typeof pointer>;

/** A pointer and its text. A move compares texts, because other versions of the program may add members. */
export interface StoredPointer extends Readonly<Partial<Record<Kind, Entry | undefined>>> {
  readonly sequence: number;
  readonly text: string;
}

/** Who moves the pointer. */
export interface Publication {
  readonly by: string;
  readonly now: Date;
}

/** The versions that a move puts in force, by kind. */
export type Versions = Partial<Readonly<Record<Kind, string>>>;

export interface PublishedDeps {
  readonly store: Store;
  /** Absent in a command on a single machine, which holds the lock of publishing. Then the copy is authoritative. */
  readonly redis?: Redis;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** The pointer cannot currently be read or moved. */
export class RedisAway extends Error {
  constructor() {
    super('Redis is unavailable');
    this.name = 'RedisAway';
  }
}

export const versionsOf = (kind: Kind): string => `published/${kind}/`;
export const versionKey = (kind: Kind, version: string): string => `${versionsOf(kind)}${version}.json`;
export const COPY_KEY = 'published/in-force.json';
export const REDIS_KEY = 'rates:published';
/** How often a move retries because of moves of other kinds. */
const ATTEMPTS = 50;

/** `<sequence>-<hash of the content>`: versions sort by number, and different contents have different names. */
export const versionOf = (sequence: number, content: string): string =>
  `${sequence}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;

/** Whether a version has this content, regardless of when it was published. */
export const hasContent = (version: string, content: string): boolean =>
  version.endsWith(versionOf(1, content).slice(1));

/** ARGV: the expected text ('' for none), the new text. */
const MOVE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('PUBLISH', '${CHANNEL}', '')
return 1`;
const moveScript = script(MOVE);

const parsePointer = (text: string): StoredPointer => ({ ...pointer.parse(JSON.parse(text)), text });

const withMoves = (
  { text: _, ...current }: StoredPointer | { readonly sequence: 0; readonly text: '' },
  to: Versions,
  { by, now }: Publication,
): Pointer => {
  const next: Pointer = { ...current, sequence: current.sequence + 1 };
  for (const kind of KINDS) {
    const version = to[kind];
    if (version === undefined) continue;
    const before = next[kind];
    const sequence = (before?.sequence ?? 0) + 1;
    // A lower number is that of a version that is in force again, or still.
    const newest = Number.parseInt(version, 10) < sequence && before !== undefined ? before.newest : version;
    next[kind] = { sequence, version, newest, at: now.toISOString(), by, move: next.sequence };
  }
  return pointer.parse(next);
};

export const createPointers = ({ store, redis, log }: PublishedDeps) => {
  /** Reads the pointer in Redis. */
  const inRedis = async (): Promise<StoredPointer | undefined> => {
    // A worker's connection would wait until Redis is back.
    if (redis?.status !== 'ready') throw new RedisAway();
    const text = await redis.get(REDIS_KEY);
    return text === null ? undefined : parsePointer(text);
  };

  const copied = async (): Promise<StoredPointer | undefined> => {
    const bytes = await store.get(COPY_KEY);
    return bytes === undefined ? undefined : parsePointer(bytes.toString('utf8'));
  };

  const change = async (from: string, to: string): Promise<boolean> =>
    redis !== undefined && (await moveScript.run(redis, [REDIS_KEY], [from, to])) === 1;

  /** Writes the copy until it is at least as new as Redis, because others may move the pointer meanwhile. */
  const writeCopy = async (text: string): Promise<void> => {
    for (let written = parsePointer(text); ; ) {
      await store.put(COPY_KEY, Buffer.from(written.text), { durable: true });
      const now = await inRedis();
      if (now === undefined || now.text === written.text || now.sequence < written.sequence) return;
      written = now;
    }
  };

  const repair = async (
    current: StoredPointer | undefined,
    copy: StoredPointer | undefined,
    newest: StoredPointer,
  ): Promise<void> => {
    if (current?.text !== newest.text) {
      if (await change(current?.text ?? '', newest.text)) log.info('pointer repaired from its copy');
    } else if (copy?.text !== newest.text) {
      await writeCopy(newest.text);
      log.info('copy of the pointer repaired');
    }
  };

  /**
   * Reads the pointer and the copy, returns the newer one, and repairs the older one. @throws if neither Redis nor the store
   * can be read
   */
  const latest = async (): Promise<StoredPointer | undefined> => {
    if (redis === undefined) return await copied();
    const [current, copy] = await Promise.allSettled([inRedis(), copied()]);
    if (current.status === 'rejected') {
      if (copy.status === 'fulfilled' && copy.value !== undefined) return copy.value;
      throw current.reason;
    }
    if (copy.status === 'rejected') {
      if (current.value !== undefined) return current.value;
      throw copy.reason;
    }
    const isBehind = (current.value?.sequence ?? 0) < (copy.value?.sequence ?? 0);
    const newest = isBehind ? copy.value : current.value;
    if (newest !== undefined) await repair(current.value, copy.value, newest);
    return newest;
  };

  /** Moves the copy. A running service finds that the copy is newer than its Redis and repairs Redis. */
  const moveCopy = async (before: StoredPointer | undefined, text: string): Promise<boolean> => {
    if ((await copied())?.text !== before?.text) return false;
    await store.put(COPY_KEY, Buffer.from(text), { durable: true });
    return true;
  };

  const put = async (before: StoredPointer | undefined, text: string): Promise<boolean> => {
    if (redis === undefined) return await moveCopy(before, text);
    try {
      // A failed command may have taken effect, and a command that is sent twice fails the second time.
      if (!(await change(before?.text ?? '', text)) && (await inRedis())?.text !== text) return false;
    } catch (error) {
      if ((await inRedis())?.text !== text) throw error;
    }
    // The version is in force. If writing the copy fails now, the next process that reads it repairs it.
    await writeCopy(text).catch((err: unknown) => log.warn({ err }, 'no copy of the pointer was written'));
    return true;
  };

  /**
   * Puts versions in force, all at once. Other kinds may be moved meanwhile.
   * @returns false if somebody has moved one of these kinds since `before`
   */
  const move = async (before: StoredPointer | undefined, to: Versions, by: Publication): Promise<boolean> => {
    const kinds = KINDS.filter((kind) => to[kind] !== undefined);
    let current = before;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (await put(current, JSON.stringify(withMoves(current ?? { sequence: 0, text: '' }, to, by)))) return true;
      current = await latest();
      if (kinds.some((kind) => current?.[kind]?.sequence !== before?.[kind]?.sequence)) return false;
    }
    return false;
  };

  return { inRedis, latest, move };
};
export type Pointers = ReturnType<typeof createPointers>;
