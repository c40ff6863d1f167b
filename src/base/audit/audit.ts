/**
 * The audit log: who changed what, and when. Each entry is a separate object in the store. Nothing replaces or removes
 * it:
 *
 *   audit/<year>-<month>/<time>-<random>.json
 *
 * So the log works the same on one machine and on many, no two writers meet, and it needs no Redis. A page reads the
 * names of a few months. Each entry is also a line of the service's log.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import { getJson, putJson, type Store } from '../store/store.ts';
import { actOf } from './same-act.ts';

const ROOT = 'audit/';
const MONTH = /^\d{4}-\d{2}\/$/;
const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.json$/;
/** The id of an entry: its key without the first folder and the extension. */
const ID = /^\d{4}-\d{2}\/\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** Maximum length of the texts and lists of an entry. Longer ones are cut. */
const MOST_CHARACTERS = 500;
const MOST_CHANGES = 50;
/** A page reads at most this many entries at a time. */
const MOST_READ = 1_000;
const READ_AT_ONCE = 50;
/** A page has whole acts, but at most this many entries. */
const MOST_ENTRIES = 200;

export const auditChange = z.object({
  /** What was changed, such as `discount on FDX-GROUND`. */
  what: z.string(),
  /** Before and after, as people read it. Null if it did not or does not exist. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const auditEntry = z.object({
  id: z.string(),
  /** When, RFC 3339 in UTC. */
  at: z.iso.datetime(),
  /** The name that the operator typed at the sign-in. */
  by: z.string(),
  /** The address of the operator's connection. Behind a proxy, the proxy's. */
  address: z.string(),
  /** What was done, in the past tense: `Published tariffs`. */
  action: z.string(),
  /** What it was done to, such as a client's id. Empty if the action says it. */
  object: z.string(),
  /** The id of the client that it concerns. Older entries have it only in `object`. */
  client: z.string().optional(),
  changes: z.array(auditChange),
});
export type AuditEntry = z.output<typeof auditEntry>;

export interface Actor {
  readonly name: string;
  readonly address: string;
}

/** What was done, without secrets. It has the members of an entry. */
export interface Act {
  readonly action: string;
  readonly object?: string;
  readonly client?: string;
  readonly changes?: readonly z.output<typeof auditChange>[];
}

/** Which entries to find. All given conditions must match. Case does not matter. */
export interface AuditSearch {
  /** Matches any text of the entry. */
  readonly text?: string | undefined;
  /** Matches the name of the operator. */
  readonly by?: string | undefined;
  /** Matches the id or the name of the client. */
  readonly client?: string | undefined;
  /** RFC 3339 in UTC. `from` is included, `to` is not. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The names of clients by their ids. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The id of the last entry that was read, if there are older ones. */
  readonly next: string | null;
  /** Number of entries read. */
  readonly read: number;
  /** Ids of the entries among these that cannot be read. */
  readonly unreadable: readonly string[];
}

export interface Audit {
  /**
   * Records what was done. Call it after the change, and wait for it. It never fails, because the change is already
   * made. If the store cannot keep the entry, the log has an error line with the entry.
   */
  readonly record: (actor: Actor, act: Act) => Promise<void>;
  /** @param limit the most acts @param before the id of an entry. Default: starts at the newest */
  readonly page: (limit: number, before?: string, search?: AuditSearch) => Promise<AuditPage>;
}

export interface AuditDeps {
  readonly store: Store;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now: () => Date;
}

export const isAuditId = (text: string): boolean => ID.test(text);

const cut = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text);

const cutOrNull = (text: string | null): string | null => (text === null ? null : cut(text));

/** Returns the prefix of an instant's entry ids. Ids sort by time. @param at RFC 3339 in UTC, with milliseconds */
const placeOf = (at: string): string => `${at.slice(0, 7)}/${at.replace(/[-:.]/g, '')}`;

const entryOf = (
  now: Date,
  { name, address }: Actor,
  { action, object = '', client, changes = [] }: Act,
): AuditEntry => {
  const at = now.toISOString();
  return {
    id: `${placeOf(at)}-${randomBytes(4).toString('hex')}`,
    at,
    by: cut(name),
    address,
    action: cut(action),
    object: cut(object),
    ...(client !== undefined && { client }),
    changes: changes.slice(0, MOST_CHANGES).map(({ what, before, after }) => ({
      what: cut(what),
      before: cutOrNull(before),
      after: cutOrNull(after),
    })),
  };
};

const keyOf = (id: string): string => `${ROOT}${id}.json`;

/** Returns at most `most` ids of entries, newest first. @param from included @param to not included */
const idsBetween = async (store: Store, most: number, from: string, to: string): Promise<readonly string[]> => {
  const months = (await store.list(ROOT)).filter((name) => MONTH.test(name)).toSorted();
  const ids: string[] = [];
  for (const month of months.toReversed()) {
    if (month > to || month < from.slice(0, month.length)) continue;
    const names = (await store.list(`${ROOT}${month}`)).filter((name) => NAME.test(name));
    const own = names
      .map((name) => `${month}${name.slice(0, -'.json'.length)}`)
      .filter((id) => id < to && id >= from)
      .toSorted()
      .toReversed();
    ids.push(...own.slice(0, most - ids.length));
    if (ids.length === most) break;
  }
  return ids;
};

/** Sorts after all ids. */
const LAST = '9999';

/** Returns a function that tells whether an entry matches. */
const matcher = ({ text, by, client, names }: AuditSearch): ((entry: AuditEntry) => boolean) => {
  const has = (wanted: string | undefined, ...words: readonly (string | null | undefined)[]): boolean =>
    wanted === undefined || words.some((word) => word?.toLowerCase().includes(wanted.toLowerCase()) === true);
  return (entry) => {
    const own = entry.client ?? entry.object;
    const name = names?.get(own);
    const changes = entry.changes.flatMap(({ what, before, after }) => [what, before, after]);
    return (
      has(by, entry.by) &&
      has(client, own, name) &&
      has(text, entry.by, entry.action, entry.object, entry.client, name, ...changes)
    );
  };
};

export const createAudit = ({ store, log, now }: AuditDeps): Audit => {
  const read = async (id: string): Promise<AuditEntry | undefined> => {
    const bytes = await getJson(store, keyOf(id)).catch((error: unknown) => {
      // A damaged entry must not hide the others.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    });
    const { success, data } = auditEntry.safeParse(bytes);
    return success ? data : undefined;
  };

  /** Yields undefined for an entry that cannot be read. */
  async function* readAll(
    ids: readonly string[],
  ): AsyncGenerator<readonly [id: string, entry: AuditEntry | undefined]> {
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      yield* await Promise.all(ids.slice(from, from + READ_AT_ONCE).map(async (id) => [id, await read(id)] as const));
  }

  return {
    record: async (actor, act) => {
      const entry = entryOf(now(), actor, act);
      log.info({ audit: entry }, 'operator');
      try {
        await putJson(store, keyOf(entry.id), entry, { durable: true });
      } catch (err) {
        log.error({ err, audit: entry }, 'the audit log could not keep an entry');
      }
    },
    page: async (limit, before = LAST, search = {}) => {
      const { from, to } = search;
      const end = to === undefined || placeOf(to) > before ? before : placeOf(to);
      const ids = await idsBetween(store, MOST_READ + 1, from === undefined ? '' : placeOf(from), end);
      const isWanted = matcher(search);
      const entries: AuditEntry[] = [];
      const acts: AuditEntry[][] = [];
      const unreadable: string[] = [];
      let looked = 0;
      for await (const [id, entry] of readAll(ids.slice(0, MOST_READ))) {
        if (entry === undefined) unreadable.push(id);
        else if (isWanted(entry)) {
          const act = actOf(acts, entry);
          if (entries.length === MOST_ENTRIES || (act === undefined && acts.length === limit)) break;
          entries.push(entry);
          if (act === undefined) acts.push([entry]);
          else act.push(entry);
        }
        looked++;
      }
      return { entries, next: looked < ids.length ? (ids[looked - 1] ?? null) : null, read: looked, unreadable };
    },
  };
};
