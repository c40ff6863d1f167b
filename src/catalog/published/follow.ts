/**
 * Follows what is published: reads the pointer from Redis twice a second and on request, and loads new versions. Versions
 * that were published together come into force together. While Redis is down, the loaded versions stay in force. An
 * unusable version is reported once, and the last good one stays in force.
 *
 *   unknown → nothing published ⇄ a version in force
 */
import { poll } from '../../base/poll.ts';
import { StoreFailure } from '../../base/store/store.ts';
import { createPointers, type Entry, type Kind, type PublishedDeps, type StoredPointer } from './pointer.ts';

/** A followed kind. */
export interface Source<T> {
  readonly kind: Kind;
  /**
   * Reads and checks a version.
   * @returns a function that puts it in force @throws {Error} with a message for users, if the version is unusable
   */
  readonly load: (version: string) => Promise<() => void>;
  readonly live: (followed: Followed) => T;
}

export interface FollowOptions extends PublishedDeps {
  readonly sources: readonly Pick<Source<unknown>, 'kind' | 'load'>[];
  readonly intervalMs?: number | undefined;
  /** How many reads of Redis per read of the copy. 1 if the copy is a file, which is cheap to read. */
  readonly readsPerCopy?: number | undefined;
}

export interface Followed {
  /** @throws {StoreFailure} if what is published is unknown, or no version has been usable yet */
  readonly requireKnown: (kind: Kind) => void;
  /** Why the published version is not in force. */
  readonly failure: (kind: Kind) => unknown;
  /** Checks now. @throws {StoreFailure} if what is published is unknown or unusable */
  readonly refresh: (kind: Kind) => Promise<void>;
  readonly close: () => void;
}

const INTERVAL_MS = 500;
/** If Redis lost a move of the pointer, the next read of the copy detects it. */
const READS_PER_COPY = 120;
/** An unusable version is read again only after this time, because it may be large. */
const RETRY_MS = 5_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Refused {
  readonly version: string;
  readonly error: unknown;
  readonly at: number;
}

export const follow = async (options: FollowOptions): Promise<Followed> => {
  const { sources, log, intervalMs = INTERVAL_MS, readsPerCopy = READS_PER_COPY } = options;
  const pointers = createPointers(options);
  let seen: StoredPointer | undefined;
  const held = new Map<Kind, string>();
  const refused = new Map<Kind, Refused>();
  /** The reason while it is unknown what is published. */
  let unknown: unknown = new Error('it has not been read yet');
  let isUnreadable = false;
  let reads = 0;

  const find = async (): Promise<StoredPointer | undefined> => {
    if (reads++ % readsPerCopy === 0 || unknown !== undefined) return await pointers.latest();
    const current = await pointers.inRedis();
    // Redis has lost the pointer, or its latest moves.
    const isBehind = seen !== undefined && (current === undefined || current.sequence < seen.sequence);
    return isBehind ? await pointers.latest() : current;
  };

  const refuse = (kind: Kind, version: string, error: unknown): void => {
    const before = refused.get(kind);
    const isNews = before?.version !== version || textOf(before.error) !== textOf(error);
    if (isNews) log.error({ kind, version, err: error }, 'a published version cannot be used');
    refused.set(kind, { version, error, at: performance.now() });
  };

  /** Puts versions that were published together in force, all or none. */
  const adopt = async (moved: readonly (readonly [FollowOptions['sources'][number], Entry])[]): Promise<void> => {
    const isWaiting = moved.every(([{ kind }, { version }]) => {
      const before = refused.get(kind);
      return before?.version === version && performance.now() - before.at < RETRY_MS;
    });
    if (isWaiting) return;
    try {
      const ready = await Promise.all(
        moved.map(async ([{ kind, load }, { version }]) => ({ kind, version, putInForce: await load(version) })),
      );
      for (const { kind, version, putInForce } of ready) {
        putInForce();
        held.set(kind, version);
        refused.delete(kind);
        log.info({ kind, version }, 'published version loaded');
      }
    } catch (error) {
      for (const [{ kind }, { version }] of moved) refuse(kind, version, error);
    }
  };

  const adoptAll = async (pointer: StoredPointer): Promise<void> => {
    const groups = new Map<number | Kind, [FollowOptions['sources'][number], Entry][]>();
    for (const source of sources) {
      const entry = pointer[source.kind];
      if (entry === undefined) continue;
      if (held.get(source.kind) === entry.version) {
        refused.delete(source.kind);
        continue;
      }
      const group = entry.move ?? source.kind;
      groups.set(group, [...(groups.get(group) ?? []), [source, entry]]);
    }
    for (const group of groups.values()) await adopt(group);
  };

  /** @returns the error that prevented the check */
  const check = async (): Promise<unknown> => {
    try {
      const pointer = await find();
      if (pointer !== undefined) await adoptAll(pointer);
      seen = pointer;
      unknown = undefined;
      isUnreadable = false;
      return undefined;
    } catch (error) {
      // Redis is down, and perhaps the store is too. The loaded versions stay in force.
      if (seen === undefined) unknown = error;
      if (!isUnreadable) log.warn({ err: error }, 'cannot read what is published');
      isUnreadable = true;
      return error;
    }
  };

  const { first, now, stop: close } = poll(check, intervalMs);
  await first;

  const failed = (kind: Kind, cause: unknown) => new StoreFailure(`provide the published ${kind}`, { cause });
  return {
    requireKnown: (kind) => {
      const missing = refused.get(kind)?.error ?? unknown;
      if (!held.has(kind) && missing !== undefined) throw failed(kind, missing);
    },
    failure: (kind) => refused.get(kind)?.error,
    refresh: async (kind) => {
      const failure = (await now()) ?? refused.get(kind)?.error;
      if (failure !== undefined) throw failed(kind, failure);
    },
    close,
  };
};
