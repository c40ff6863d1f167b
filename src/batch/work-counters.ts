/**
 * What all workers have done, counted in Redis so that any API process can tell it to whoever scrapes. It counts work:
 * a chunk that is rated twice counts twice, unlike in its batch.
 */
import type { Logger } from '../log.ts';
import type { Redis } from '../redis/connection.ts';

const METERS = 'rates:meters';

/** Upper bounds of the buckets of chunk times, in seconds. */
export const CHUNK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export interface Meters {
  readonly quotedRows: number;
  readonly faultedRows: number;
  readonly chunks: number;
  readonly chunkSeconds: number;
  /** Chunks that took at most so many seconds, by the bounds of `CHUNK_SECONDS`. */
  readonly chunksWithin: readonly number[];
}

interface Rated {
  readonly rows: number;
  readonly faulted: number;
}

const meterChunk = async (redis: Redis, { rows, faulted }: Rated, ms: number): Promise<void> => {
  const counting = redis
    .multi()
    .hincrby(METERS, 'quoted', rows - faulted)
    .hincrby(METERS, 'faulted', faulted)
    .hincrby(METERS, 'chunks', 1)
    .hincrby(METERS, 'ms', Math.round(ms));
  const bound = CHUNK_SECONDS.find((seconds) => ms <= seconds * 1_000);
  if (bound !== undefined) counting.hincrby(METERS, `within ${bound}`, 1);
  await counting.exec();
};

/** Counts what some work has rated, and for how long, after each time that it is done. */
export const metered =
  <A extends readonly unknown[], R extends Rated>(
    work: (...args: A) => Promise<R | undefined>,
    { redis, log }: { readonly redis: Redis; readonly log: Logger },
  ): ((...args: A) => Promise<R | undefined>) =>
  async (...args) => {
    const begun = performance.now();
    const rated = await work(...args);
    if (rated === undefined) return undefined;
    await meterChunk(redis, rated, performance.now() - begun).catch((err: unknown) =>
      log.warn({ err }, 'a chunk was not counted'),
    );
    return rated;
  };

export const readMeters = async (redis: Redis): Promise<Meters> => {
  const fields = await redis.hgetall(METERS);
  const count = (name: string): number => Number(fields[name] ?? 0);
  let within = 0;
  return {
    quotedRows: count('quoted'),
    faultedRows: count('faulted'),
    chunks: count('chunks'),
    chunkSeconds: count('ms') / 1_000,
    chunksWithin: CHUNK_SECONDS.map((bound) => {
      within += count(`within ${bound}`);
      return within;
    }),
  };
};
