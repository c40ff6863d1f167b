/**
 * Which of the published versions is in force: a pointer in Redis, where it is moved by compare-and-set, and a copy of
 * it in the store. On one machine, whose service keeps a Redis of its own, commands move the copy under a lock. A Redis that was emptied, or that has forgotten the last writes, is mended from the copy; a copy that
 * nobody came to write is mended from Redis. Whichever was moved more often is right. Below `published/`:
 *
 *   tariffs/<version>.json, clients/<version>.json   what was published, never changed
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

/** A pointer as it was read. The text is what a move is compared with: another program's may have more members. */
export interface Placed extends Pointer {
  readonly text: string;
}

export interface PublishedDeps {
  readonly store: Store;
  /** Absent in a command on one machine, where the service keeps a Redis of its own: the copy says what is in force. */
  readonly redis?: Redis;
  /** Where there is no Redis: lets one command at a time move the copy. Absent in a command that only reads. */
  readonly lock?: () => Promise<FolderLock>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface Pointers {
  /** The pointer in Redis, by one read of it. */
  readonly look: () => Promise<Placed | undefined>;
  /**
   * The newest of pointer and copy; whichever is behind is mended.
   * @throws where what answers, of Redis and the store, does not know
   */
  readonly latest: () => Promise<Placed | undefined>;
  /** @returns whether it was moved: it was not where another has moved it from `before` */
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
    // A worker's connection would wait for as long as Redis is away.
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

  /** Others may move the pointer and write the copy meanwhile: it is written until it is not behind Redis. */
  const writeCopy = async (text: string): Promise<void> => {
    for (let written = placed(text); ; ) {
      await store.put(copyKey(kind), Buffer.from(written.text), { durable: true });
      const now = await look();
      if (now === undefined || now.text === written.text || now.sequence < written.sequence) return;
      written = now;
    }
  };

  const mend = async (inRedis: Placed | undefined, inStore: Placed | undefined, newest: Placed): Promise<void> => {
    if (inRedis?.text !== newest.text) {
      if (await change(inRedis?.text ?? '', newest.text)) log.info({ kind }, 'pointer mended from its copy');
    } else if (inStore?.text !== newest.text) {
      await writeCopy(newest.text);
      log.info({ kind }, 'copy of the pointer mended');
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
    if (newest !== undefined) await mend(inRedis.value, inStore.value, newest);
    return newest;
  };

  /** Moves the copy. The running service finds it ahead of its own Redis and mends that. */
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
      // What failed may have been done, and what was sent twice was refused the second time.
      if (!(await change(before?.text ?? '', text)) && (await look())?.text !== text) return false;
    } catch (error) {
      if ((await look())?.text !== text) throw error;
    }
    // It is in force: that its copy cannot be written now is mended by whichever process looks next.
    await writeCopy(text).catch((err: unknown) => log.warn({ err, kind }, 'no copy of the pointer was written'));
    return true;
  };

  return { look, latest, move };
};
