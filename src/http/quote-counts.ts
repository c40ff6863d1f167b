/** Quotes of the last hour by outcome, in all API processes. Each process adds its own to Redis once a second. */
import type { Redis } from '../base/redis/connection.ts';

type Outcome = 'quoted' | 'faulted' | 'refused';
export type CountQuote = (outcome: Outcome) => void;

const [MINUTES, MINUTE_MS, EVERY_MS, KEPT_S] = [60, 60_000, 1_000, 7_200];

const keyAt = (now: Date, ago = 0): string => `rates:quotes:${Math.floor(now.getTime() / MINUTE_MS) - ago}`;

/** Quotes without Redis, and those of the last second of a process, are not counted. */
export const createQuoteCounts = (redis: Redis, now: () => Date): CountQuote => {
  const counts = new Map<Outcome, number>();
  const send = (): void => {
    const [key, adding] = [keyAt(now()), redis.multi()];
    for (const [outcome, number] of counts) adding.hincrby(key, outcome, number);
    counts.clear();
    adding.expire(key, KEPT_S);
    adding.exec().catch(() => undefined);
  };
  return (outcome) => {
    if (counts.size === 0) setTimeout(send, EVERY_MS).unref();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };
};

export const readQuoteCounts = async (redis: Redis, now: Date) => {
  const minutes = await Promise.all(Array.from({ length: MINUTES }, (_, ago) => redis.hgetall(keyAt(now, ago))));
  const sum = (outcome: Outcome): number => minutes.reduce((all, own) => all + Number(own[outcome] ?? 0), 0);
  return { quoted: sum('quoted'), faulted: sum('faulted'), refused: sum('refused') };
};
