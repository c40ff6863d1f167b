/**
 * The errors of all API and worker processes, for the operator's health page. Redis keeps the newest log lines with the
 * level `error` or `fatal`. Equal lines within seconds are one entry with a count. While Redis is unavailable, a process keeps
 * its newest entries. A killed process loses its last seconds. The log has all errors.
 */
import { z } from 'zod';
import { within } from './deadline.ts';
import { jsonIn } from './parse-json.ts';
import type { Redis } from './redis/connection.ts';

const KEY = 'rates:errors';
/** Maximum number of entries in Redis, and how long they are kept after the newest. */
const MOST_ENTRIES = 500;
const DAY_S = 86_400;
const EVERY_MS = 5_000;
const SEND_MS = 2_000;
/** Maximum number of entries that wait in a process for Redis. */
const MOST_WAITING = 100;
const MOST_CHARACTERS = 300;

const line = z.object({
  level: z.string(),
  time: z.iso.datetime(),
  name: z.string(),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).optional(),
  batchId: z.string().optional(),
  requestId: z.string().optional(),
});

export const errorEntry = z.object({
  /** Time of the last line, RFC 3339. */
  at: z.iso.datetime(),
  /** The kind of process: `api` or `worker`. */
  process: z.string(),
  level: z.string(),
  message: z.string(),
  /** The message of the error, if the line has one. */
  error: z.string().nullable(),
  batchId: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Number of equal lines. */
  count: z.int(),
});
export type ErrorEntry = z.output<typeof errorEntry>;

export interface ErrorLog {
  /** Takes a line of the log, as JSON. */
  readonly take: (line: string) => void;
  /** Sends entries to this Redis from now on. */
  readonly keepIn: (redis: Redis) => void;
  /** Sends the waiting entries, and stops. */
  readonly close: () => Promise<void>;
}

const cut = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text);

/** Returns undefined if the text is not such a line, because writing a log line must never fail. */
const entryOf = (text: string): ErrorEntry | undefined => {
  const { success, data } = line.safeParse(jsonIn(text));
  if (!success) return undefined;
  const { level, time, name, msg, err, batchId = null, requestId = null } = data;
  const error = err === undefined ? null : cut(err.message);
  return { at: time, process: name, level, message: cut(msg), error, batchId, requestId, count: 1 };
};

const send = async (redis: Redis, entries: readonly ErrorEntry[]): Promise<void> => {
  // A worker's connection would wait until Redis is back.
  if (redis.status !== 'ready') throw new Error('Redis is unavailable');
  await redis.lpush(KEY, ...entries.map((entry) => JSON.stringify(entry)));
  await redis.ltrim(KEY, 0, MOST_ENTRIES - 1);
  await redis.expire(KEY, DAY_S);
};

export const createErrorLog = (everyMs: number = EVERY_MS): ErrorLog => {
  const waiting = new Map<string, ErrorEntry>();
  let target: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  const flush = async (redis: Redis): Promise<void> => {
    const entries = [...waiting];
    waiting.clear();
    try {
      await within(
        SEND_MS,
        send(
          redis,
          entries.map(([, entry]) => entry),
        ),
      );
    } catch {
      // Redis is unavailable, which its connection logs. The newest entries wait.
      const newer = [...waiting];
      waiting.clear();
      for (const [key, entry] of [...entries, ...newer].slice(-MOST_WAITING)) waiting.set(key, entry);
    }
  };

  const flushSoon = (): void => {
    if (timer !== undefined || target === undefined || waiting.size === 0) return;
    const redis = target;
    timer = setTimeout(() => {
      sending = flush(redis).finally(() => {
        timer = undefined;
        sending = undefined;
        flushSoon();
      });
    }, everyMs).unref();
  };

  return {
    take: (text) => {
      const entry = entryOf(text);
      if (entry === undefined) return;
      const { process, message, error, batchId } = entry;
      const key = JSON.stringify([process, message, error, batchId]);
      const known = waiting.get(key);
      waiting.delete(key);
      waiting.set(key, { ...entry, count: entry.count + (known?.count ?? 0) });
      const [oldest] = waiting.keys();
      if (waiting.size > MOST_WAITING && oldest !== undefined) waiting.delete(oldest);
      flushSoon();
    },
    keepIn: (redis) => {
      target = redis;
      flushSoon();
    },
    close: async () => {
      const redis = target;
      target = undefined;
      clearTimeout(timer);
      await sending;
      if (redis !== undefined && waiting.size > 0) await flush(redis);
    },
  };
};

export interface KeptErrors {
  /** Entries of the last day, newest first. */
  readonly entries: readonly ErrorEntry[];
  /** Whether there are so many errors that earlier ones of this day may be gone. */
  readonly full: boolean;
}

export const readErrors = async (redis: Redis, now: Date): Promise<KeptErrors> => {
  const texts = await redis.lrange(KEY, 0, MOST_ENTRIES - 1);
  const entries = texts.flatMap((text) => {
    const { success, data } = errorEntry.safeParse(jsonIn(text));
    return success && now.getTime() - Date.parse(data.at) < DAY_S * 1_000 ? [data] : [];
  });
  return { entries: entries.toSorted((a, b) => (a.at < b.at ? 1 : -1)), full: entries.length === MOST_ENTRIES };
};
