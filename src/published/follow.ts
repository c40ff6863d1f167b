/**
 * Follows what is published: reads the pointer from Redis about once a second, and loads a new version. While Redis is away,
 * the loaded version stays in force. A version that cannot be used is reported once, and the last good one stays in force.
 *
 *   unknown → nothing published ⇄ a version in force
 */

import { poll } from '../poll.ts';
import { StoreFailure } from '../store/store.ts';
import { createPointers, type Kind, type PublishedDeps, type StoredPointer } from './pointer.ts';

export interface FollowOptions<T> extends PublishedDeps {
  readonly kind: Kind;
  /** Reads and checks a version. @throws {Error} with a message for users, if the version cannot be used */
  readonly load: (version: string) => Promise<T>;
  readonly intervalMs?: number;
  /** How many reads of Redis for each read of the copy; 1 if the copy is a file, which costs little to read. */
  readonly readsPerCopy?: number;
}

export interface Followed<T> {
  /**
   * The version in force; undefined if nothing is published.
   * @throws {StoreFailure} if it is unknown what is published, or no version could be used yet
   */
  readonly current: () => T | undefined;
  /** Why the published version is not in force. */
  readonly failure: () => unknown;
  readonly close: () => void;
}

const INTERVAL_MS = 1_000;
/** If Redis lost a move of the pointer, the next read of the copy finds it. */
const READS_PER_COPY = 60;
/** A version that could not be used is read again only after this, because it may be large. */
const RETRY_MS = 5_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Follows what is published. Resolves after the first check. */
export const follow = async <T>(options: FollowOptions<T>): Promise<Followed<T>> => {
  const { kind, load, log, intervalMs = INTERVAL_MS, readsPerCopy = READS_PER_COPY } = options;
  const pointers = createPointers(kind, options);
  let held: { readonly pointer: StoredPointer; readonly value: T } | undefined;
  let refused: { readonly version: string; readonly error: unknown; readonly at: number } | undefined;
  /** Why it is unknown what is published. */
  let unknown: unknown = new Error('it has not been read yet');
  let isUnreadable = false;
  let reads = 0;

  const find = async (): Promise<StoredPointer | undefined> => {
    if (reads++ % readsPerCopy === 0 || unknown !== undefined) return await pointers.latest();
    const seen = await pointers.inRedis();
    // Redis has lost the pointer, or its last moves.
    const isBehind = held !== undefined && (seen === undefined || seen.sequence < held.pointer.sequence);
    return isBehind ? await pointers.latest() : seen;
  };

  const adopt = async (pointer: StoredPointer): Promise<void> => {
    const { version } = pointer;
    if (held?.pointer.version === version) {
      held = { ...held, pointer };
      refused = undefined;
      return;
    }
    if (refused?.version === version && performance.now() - refused.at < RETRY_MS) return;
    try {
      held = { pointer, value: await load(version) };
      refused = undefined;
      log.info({ kind, version }, 'published version loaded');
    } catch (error) {
      const isNews = refused?.version !== version || textOf(refused.error) !== textOf(error);
      if (isNews) log.error({ kind, version, err: error }, 'a published version cannot be used');
      refused = { version, error, at: performance.now() };
    }
  };

  const check = async (): Promise<void> => {
    try {
      const pointer = await find();
      unknown = undefined;
      isUnreadable = false;
      if (pointer !== undefined) await adopt(pointer);
    } catch (error) {
      // Redis is away, and perhaps the store. The loaded version stays in force.
      if (held === undefined) unknown = error;
      if (!isUnreadable) log.warn({ kind, err: error }, 'cannot read what is published');
      isUnreadable = true;
    }
  };

  const { first, stop: close } = poll(check, intervalMs);
  await first;

  return {
    current: () => {
      const missing = refused?.error ?? unknown;
      if (held === undefined && missing !== undefined)
        throw new StoreFailure(`provide the published ${kind}`, { cause: missing });
      return held?.value;
    },
    failure: () => refused?.error,
    close,
  };
};
