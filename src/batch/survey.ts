/**
 * The survey: what a sweep over all batches found, for the operator's health page. It is one text of bounded size in Redis,
 * so that reading it costs the same however many batches and clients there are.
 */
import { z } from 'zod';
import type { Redis } from '../base/redis/connection.ts';
import { script } from '../base/redis/script.ts';
import { isActive } from './status.ts';
import { movedAt, type Totals } from './workers.ts';

const KEY = 'rates:survey';

/** Maximum lengths of lists. What is omitted is counted. */
const MOST_CLIENTS = 100;
const MOST_FAILURES = 100;

const DAY_MS = 86_400_000;

export const surveySchema = z.object({
  /** Clients with unfinished batches or comparisons. The client whose oldest one has not moved for longest is first. */
  unfinished: z.array(
    z.object({
      clientId: z.string(),
      /** Number of batches by status. */
      counts: z.record(z.string(), z.int()),
      /** The batch that has not moved for longest. */
      oldest: z.object({ id: z.string(), status: z.string(), seconds: z.int() }),
    }),
  ),
  unfinishedOmitted: z.int(),
  /** What clients use of their byte limits, the most stored bytes first. */
  use: z.array(z.object({ clientId: z.string(), bytesStored: z.number(), bytesInFlight: z.number() })),
  useOmitted: z.int(),
  /** Batches and comparisons that failed within a day and were not retried, newest first. */
  failures: z.array(z.object({ id: z.string(), clientId: z.string(), at: z.string(), message: z.string() })),
  failuresOmitted: z.int(),
  /** Number of expired batches that were not removed, because they are too many at once. */
  held: z.int(),
  /** Seconds by which the worker's clock is ahead of the clock of Redis. */
  clockAhead: z.int(),
});
export type Survey = z.output<typeof surveySchema>;

const failure = z.object({ message: z.string() });

export type SurveySoFar = ReturnType<typeof gatherSurvey>;

type Unfinished = Survey['unfinished'][number];
type FailedBatch = Survey['failures'][number];

const messageOf = (text: string): string => {
  if (text === '') return 'The reason is not known.';
  const { success, data } = failure.safeParse(JSON.parse(text));
  return success ? data.message : 'The reason is not known.';
};

/** @param now by the clock of Redis, in seconds since 1970 */
export const gatherSurvey = (now: number) => {
  const unfinished = new Map<string, Unfinished>();
  const use: Survey['use'] = [];
  const failures: FailedBatch[] = [];

  const addUnfinished = (clientId: string, id: string, status: string, seconds: number): void => {
    const own = unfinished.get(clientId) ?? { clientId, counts: {}, oldest: { id, status, seconds } };
    own.counts[status] = (own.counts[status] ?? 0) + 1;
    unfinished.set(clientId, seconds > own.oldest.seconds ? { ...own, oldest: { id, status, seconds } } : own);
  };

  return {
    /** Adds a batch. @param fields its state in Redis */
    look: (id: string, fields: Readonly<Record<string, string>>): void => {
      const { status = '', clientId = '', completedAt = '', failure: reason = '' } = fields;
      if (isActive(status)) addUnfinished(clientId, id, status, Math.max(0, Math.floor(now - movedAt(fields))));
      else if (status === 'failed' && now * 1_000 - Date.parse(completedAt) < DAY_MS)
        failures.push({ id, clientId, at: completedAt, message: messageOf(reason) });
    },
    /** Adds what a client uses. */
    addUse: (clientId: string, { bytesStored, bytesInFlight }: Totals): void => {
      if (bytesStored > 0 || bytesInFlight > 0) use.push({ clientId, bytesStored, bytesInFlight });
    },
    found: (expiry: Pick<Survey, 'held' | 'clockAhead'>): Survey => ({
      ...expiry,
      unfinished: [...unfinished.values()]
        .toSorted((a, b) => b.oldest.seconds - a.oldest.seconds)
        .slice(0, MOST_CLIENTS),
      unfinishedOmitted: Math.max(0, unfinished.size - MOST_CLIENTS),
      use: use.toSorted((a, b) => b.bytesStored - a.bytesStored).slice(0, MOST_CLIENTS),
      useOmitted: Math.max(0, use.length - MOST_CLIENTS),
      failures: failures.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST_FAILURES),
      failuresOmitted: Math.max(0, failures.length - MOST_FAILURES),
    }),
  };
};

/** ARGV: the survey. Uses the clock of Redis, because the clocks of the machines may differ. */
const writeScript = script(`return redis.call('HSET', KEYS[1], 'at', redis.call('TIME')[1], 'survey', ARGV[1])`);

/** Returns the survey and its age in seconds. Returns nothing before the first survey. */
const readScript = script(`
local at = redis.call('HGET', KEYS[1], 'at')
if not at then return {} end
return {redis.call('TIME')[1] - at, redis.call('HGET', KEYS[1], 'survey')}`);

export const surveys = {
  write: async (redis: Redis, found: Survey): Promise<void> => {
    await writeScript.run(redis, [KEY], [JSON.stringify(found)]);
  },
  /** @returns the last survey and its age; undefined before the first, or if another version of the service made it */
  last: async (redis: Redis): Promise<(Survey & { readonly secondsAgo: number }) | undefined> => {
    const answer = await readScript.run(redis, [KEY], []);
    const [seconds, text] = Array.isArray(answer) ? answer : [];
    if (seconds === undefined) return undefined;
    const { success, data } = surveySchema.safeParse(JSON.parse(String(text)));
    return success ? { ...data, secondsAgo: Math.max(0, Number(seconds)) } : undefined;
  },
} as const;
