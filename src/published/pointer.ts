/**
 * Which published version is in force: a pointer in Redis, moved by compare-and-set, with a copy in the store. On a single
 * machine, where the service runs its own Redis, commands move the copy under a lock. If Redis was emptied or lost its last
 * writes, the pointer is repaired from the copy; if the copy was not written, it is repaired from Redis. The one with the
 * higher sequence is right. Below `published/`:
 *
 *   tariffs/<version>.json, clients/<version>.json   the versions, never changed
 *   tariffs.json, clients.json                       the copies of the pointers
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import type { FolderLock } from '../process/folder-lock.ts';
import type { Redis } from '../redis/connection.ts';
import { script } from '../redis/script.ts';
import type { Store } from '../store/store.ts';

export type Kind = 'tariffs' | 'clients';

const pointer = z.object({
  /** How often it was moved. */
  sequence: z.int().gte(1),
  version: z.string().regex(/^\d{1,15}-[0-9a-f]{16}$/),
  /** When it was moved, and by whom. */
  at: z.iso.datetime(),
  by: z.string(),
});
export type Pointer = z.output<typeof pointer>;

/** A pointer as it was read. A move compares its text, which may have members of other versions of the program. */
export interface Placed extends Pointer {
  readonly text: string;
}

export interface PublishedDeps {
  readonly store: Store;
  /** Absent in a command on a single machine, where the service runs its own Redis: then the copy decides. */
  readonly redis?: Redis;
  /** Where there is no Redis: lets one command at a time move the copy. Absent in a command that only reads. */
  readonly lock?: () => Promise<FolderLock>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface Pointers {
  /** The pointer in Redis, by one read of it. */
  readonly look: () => Promise<Placed | undefined>;
  /**
   * The newer one of pointer and copy. The older one is repaired.
   * @throws if neither Redis nor the store can tell
   */
  readonly latest: () => Promise<Placed | undefined>;
  /** @returns false if another has moved it since `before` */
  readonly move: (before: Placed | undefined, to: Pointer) => Promise<boolean>;
}

export const versionsOf = (kind: Kind): string => `published/${kind}/`;
export const versionKey = (kind: Kind, version: string): string => `${versionsOf(kind)}${version}.json`;
const copyKey = (kind: Kind): string => `published/${kind}.json`;
const redisKey = (kind: Kind): string => `rates:published:${kind}`;

/** `<how many moves it takes>-<the content's hash>`: versions sort by number, and no two contents have one name. */
export const versionOf = (sequence: number, content: string): string =>
  `${sequence}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;

/** Whether a version has this content, whenever it was published. */
export const hasContent = (version: string, content: string): boolean =>
  version.endsWith(versionOf(1, content).slice(1));

/** ARGV: the text that must be there ('' for none), the one that takes its place. */
const MOVE = `
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;
const moveScript = script(MOVE);

const placed = (text: string): Placed => ({ ...pointer.parse(JSON.parse(text)), text });

export const createPointers = (kind: Kind, { store, redis, lock, log }: PublishedDeps): Pointers => {
  const key = redisKey(kind);

  const look = async (): Promise<Placed | undefined> => {
    // A worker's connection would wait until Redis is back.
    if (redis?.status !== 'ready') throw new Error('Redis is away');
    const text = await redis.get(key);
    return text === null ? undefined : placed(text);
  };

  const copied = async (): Promise<Placed | undefined> => {
    const bytes = await store.get(copyKey(kind));
    return bytes === undefined ? undefined : placed(bytes.toString('utf8'));
  };

  const change = async (from: string, to: string): Promise<boolean> =>
    redis !== undefined && (await moveScript.run(redis, [key], [from, to])) === 1;

  /** Writes the copy until it is not older than Redis, because others may move the pointer meanwhile. */
  const writeCopy = async (text: string): Promise<void> => {
    for (let written = placed(text); ; ) {
      await store.put(copyKey(kind), Buffer.from(written.text), { durable: true });
      const now = await look();
      if (now === undefined || now.text === written.text || now.sequence < written.sequence) return;
      written = now;
    }
  };

  const repair = async (inRedis: Placed | undefined, inStore: Placed | undefined, newest: Placed): Promise<void> => {
    if (inRedis?.text !== newest.text) {
      if (await change(inRedis?.text ?? '', newest.text)) log.info({ kind }, 'pointer repaired from its copy');
    } else if (inStore?.text !== newest.text) {
      await writeCopy(newest.text);
      log.info({ kind }, 'copy of the pointer repaired');
    }
  };

  const latest = async (): Promise<Placed | undefined> => {
    if (redis === undefined) return await copied();
    const [inRedis, inStore] = await Promise.allSettled([look(), copied()]);
    if (inRedis.status === 'rejected') {
      if (inStore.status === 'fulfilled' && inStore.value !== undefined) return inStore.value;
      throw inRedis.reason;
    }
    if (inStore.status === 'rejected') {
      if (inRedis.value !== undefined) return inRedis.value;
      throw inStore.reason;
    }
    const isBehind = (inRedis.value?.sequence ?? 0) < (inStore.value?.sequence ?? 0);
    const newest = isBehind ? inStore.value : inRedis.value;
    if (newest !== undefined) await repair(inRedis.value, inStore.value, newest);
    return newest;
  };

  /** Moves the copy. A running service finds it newer than its Redis, and repairs Redis. */
  const moveCopy = async (before: Placed | undefined, text: string): Promise<boolean> => {
    if (lock === undefined) throw new Error('Nothing can be published here: no lock was given');
    const { release } = await lock();
    try {
      if ((await copied())?.text !== before?.text) return false;
      await store.put(copyKey(kind), Buffer.from(text), { durable: true });
      return true;
    } finally {
      await release();
    }
  };

  const move = async (before: Placed | undefined, to: Pointer): Promise<boolean> => {
    const text = JSON.stringify(pointer.parse(to));
    if (redis === undefined) return await moveCopy(before, text);
    try {
      // A command that failed may have been done, and a command that was sent twice is refused the second time.
      if (!(await change(before?.text ?? '', text)) && (await look())?.text !== text) return false;
    } catch (error) {
      if ((await look())?.text !== text) throw error;
    }
    // The version is in force. If the copy cannot be written now, the next process that looks repairs it.
    await writeCopy(text).catch((err: unknown) => log.warn({ err, kind }, 'no copy of the pointer was written'));
    return true;
  };

  return { look, latest, move };
};
