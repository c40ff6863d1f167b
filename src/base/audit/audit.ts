/**
 * The audit log: who changed what, and when. Each entry is an object of its own in the store, which nothing replaces or
 * removes:
 *
 *   audit/<year>-<month>/<time>-<random>.json
 *
 * So one machine and many machines keep it alike, no two writers meet, and it needs no Redis. A page reads the names of few
 * months. Each entry is also a line of the service's log.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import { getJson, putJson, type Store } from '../store/store.ts';

const ROOT = 'audit/';
const MONTH = /^\d{4}-\d{2}\/$/;
const NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}\.json$/;
/** The id of an entry: its key without the first folder and the extension. */
const ID = /^\d{4}-\d{2}\/\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** Longest texts and lists of an entry. What is longer is cut. */
const MOST_CHARACTERS = 500;
const MOST_CHANGES = 50;

export const auditChange = z.object({
  /** What was changed, such as `discount on FDX-GROUND`. */
  what: z.string(),
  /** Before and after, as people read it. Null: it was or is not there. */
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
  /** What it was done to, such as a client's id. Empty: the action says it. */
  object: z.string(),
  changes: z.array(auditChange),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** Who acts. */
export interface Actor {
  readonly name: string;
  readonly address: string;
}

/** What was done, without secrets. The members are those of an entry. */
export interface Act {
  readonly action: string;
  readonly object?: string;
  readonly changes?: readonly z.output<typeof auditChange>[];
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** The id of the last entry, if there are older ones. */
  readonly next: string | null;
  /** Entries of this page that cannot be read, by their ids. */
  readonly unreadable: readonly string[];
}

export interface Audit {
  /**
   * Records what was done. Call it after the change, and wait for it. It never fails: the change is made. If the store
   * cannot keep the entry, an error in the log says so, and the log line is the entry.
   */
  readonly record: (actor: Actor, act: Act) => Promise<void>;
  /** @param before the id of an entry. Default: from the newest on */
  readonly page: (limit: number, before?: string) => Promise<AuditPage>;
}

export interface AuditDeps {
  readonly store: Store;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now: () => Date;
}

/** Whether a text can be the id of an entry. */
export const isAuditId = (text: string): boolean => ID.test(text);

const cut = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text);

const cutOrNull = (text: string | null): string | null => (text === null ? null : cut(text));

const entryOf = (now: Date, { name, address }: Actor, { action, object = '', changes = [] }: Act): AuditEntry => {
  const at = now.toISOString();
  const time = at.replace(/[-:.]/g, '');
  return {
    id: `${at.slice(0, 7)}/${time}-${randomBytes(4).toString('hex')}`,
    at,
    by: cut(name),
    address,
    action: cut(action),
    object: cut(object),
    changes: changes.slice(0, MOST_CHANGES).map(({ what, before, after }) => ({
      what: cut(what),
      before: cutOrNull(before),
      after: cutOrNull(after),
    })),
  };
};

const keyOf = (id: string): string => `${ROOT}${id}.json`;

/** Ids of entries, newest first: so many that the caller knows whether there are more. */
const idsBefore = async (store: Store, most: number, before: string | undefined): Promise<readonly string[]> => {
  const months = (await store.list(ROOT)).filter((name) => MONTH.test(name)).toSorted();
  const ids: string[] = [];
  for (const month of months.toReversed()) {
    if (before !== undefined && month > before.slice(0, month.length)) continue;
    const names = (await store.list(`${ROOT}${month}`)).filter((name) => NAME.test(name));
    const own = names
      .map((name) => `${month}${name.slice(0, -'.json'.length)}`)
      .toSorted()
      .toReversed();
    ids.push(...own.filter((id) => before === undefined || id < before).slice(0, most - ids.length));
    if (ids.length === most) break;
  }
  return ids;
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
    page: async (limit, before) => {
      const ids = await idsBefore(store, limit + 1, before);
      const shown = ids.slice(0, limit);
      const entries = await Promise.all(shown.map(read));
      return {
        entries: entries.filter((entry) => entry !== undefined),
        next: ids.length > limit ? (shown.at(-1) ?? null) : null,
        unreadable: shown.filter((_, at) => entries[at] === undefined),
      };
    },
  };
};
