/**
 * Follows what is published: reads the pointer from Redis about once a second, and loads a new version. While Redis is away,
 * the loaded version stays in force. A version that cannot be used is reported once, and the last good one stays in force.
 *
 *   unknown → nothing published ⇄ a version in force
 */

import { lookOften } from '../poll.ts';
import { StoreFailure } from '../store/store.ts';
import { createPointers, type Kind, type Placed, type PublishedDeps } from './pointer.ts';

export interface FollowOptions<T> extends PublishedDeps {
  readonly kind: Kind;
  /** Reads a version and checks it. @throws what keeps it from being used, in words for people */
  readonly load: (version: string) => Promise<T>;
  readonly intervalMs?: number;
  /** How many reads of Redis for each read of the copy; 1 if the copy is a file, which costs little to read. */
  readonly looksPerCopy?: number;
}

export interface Followed<T> {
  /**
   * The version in force; undefined where nothing is published.
   * @throws {StoreFailure} where it is not known what is published, or nothing of it could be used yet
   */
  readonly current: () => T | undefined;
  /** Why the version that is pointed to is not in force. */
  readonly failure: () => unknown;
  readonly close: () => void;
}

const INTERVAL_MS = 1_000;
/** If Redis lost a move of the pointer, the next read of the copy finds it. */
const LOOKS_PER_COPY = 60;
/** A version that could not be used is read again only after this, because it may be large. */
const RETRY_MS = 5_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @returns after the first look */
export const follow = async <T>(options: FollowOptions<T>): Promise<Followed<T>> => {
  const { kind, load, log, intervalMs = INTERVAL_MS, looksPerCopy = LOOKS_PER_COPY } = options;
  const pointers = createPointers(kind, options);
  let held: { readonly pointer: Placed; readonly value: T } | undefined;
  let refused: { readonly version: string; readonly error: unknown; readonly at: number } | undefined;
  /** Why it is not known what is published. */
  let unknown: unknown = new Error('it has not been looked at');
  let isBlind = false;
  let looks = 0;

  const find = async (): Promise<Placed | undefined> => {
    if (looks++ % looksPerCopy === 0 || unknown !== undefined) return await pointers.latest();
    const seen = await pointers.look();
    // Redis has lost the pointer, or its last moves.
    const isBehind = held !== undefined && (seen === undefined || seen.sequence < held.pointer.sequence);
    return isBehind ? await pointers.latest() : seen;
  };

  const takeUp = async (pointer: Placed): Promise<void> => {
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
      log.info({ kind, version }, 'published version taken up');
    } catch (error) {
      const isNews = refused?.version !== version || textOf(refused.error) !== textOf(error);
      if (isNews) log.error({ kind, version, err: error }, 'a published version cannot be used');
      refused = { version, error, at: performance.now() };
    }
  };

  const look = async (): Promise<void> => {
    try {
      const pointer = await find();
      unknown = undefined;
      isBlind = false;
      if (pointer !== undefined) await takeUp(pointer);
    } catch (error) {
      // Redis is away, and perhaps the store. The loaded version stays in force.
      if (held === undefined) unknown = error;
      if (!isBlind) log.warn({ kind, err: error }, 'what is published cannot be looked at');
      isBlind = true;
    }
  };

  const { looked, stop: close } = lookOften(look, intervalMs);
  await looked;

  return {
    current: () => {
      const missing = refused?.error ?? unknown;
      if (held === undefined && missing !== undefined)
        throw new StoreFailure(`give out the published ${kind}`, { cause: missing });
      return held?.value;
    },
    failure: () => refused?.error,
    close,
  };
};
