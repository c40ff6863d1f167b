/**
 * Rates one chunk of a batch, and counts that work in Redis for the metrics. A chunk may run twice, even at the same time,
 * and may be killed at any point. It writes the same bytes each time, and each file is written completely or not at all.
 */
import type { Redis } from '../../base/redis/connection.ts';
import type { Epoch } from '../queue/jobs.ts';
import type { Part } from '../records.ts';
import type { Context } from '../scheduler.ts';
import { ADMIT_ONLY, state } from '../state.ts';
import { beginWork } from './finalize.ts';
import { createPartMaker, type PartMakerDeps } from './parts.ts';
import { UNSUSPECTED_DEATHS } from './poison-row.ts';

export interface ChunkSummary {
  readonly rows: number;
  readonly faulted: number;
}

/** What a chunk is rated for. By default, the first revision in any epoch. */
export interface ChunkRun extends Partial<Epoch> {
  /** Number of workers that died or were suspended while they rated the chunk. Undefined: none. */
  readonly deaths?: number;
}

export type ChunkWork = ReturnType<typeof createChunkWork>;

export const createChunkWork = (deps: PartMakerDeps & Pick<Context, 'scheduler' | 'now'>) => {
  const { redis, scheduler } = deps;
  const { load, rate } = createPartMaker(deps);

  const settle = async (id: string, index: number, revision: number, part: Part | undefined): Promise<void> => {
    const step = await state.advance(redis, id, revision, await scheduler.window(), index, part);
    if (step.next === 'gone') await scheduler.restore(id);
    else await scheduler.follow(id, revision, step);
  };

  /** Rates a chunk for a revision of its batch. @returns undefined if there is nothing to do */
  return async (
    id: string,
    index: number,
    { revision = 1, epoch, deaths = 0 }: ChunkRun = {},
  ): Promise<ChunkSummary | undefined> => {
    const { status } = await beginWork(deps, id, { revision, epoch });
    if (status === 'cancelling') await settle(id, index, revision, undefined);
    // The worker that should have queued the assembly may have died first.
    if (status === 'finalizing') await settle(id, ADMIT_ONLY, revision, undefined);
    if (status !== 'in_progress') return undefined;
    const loaded = await load(id, revision);
    if (loaded === undefined) return undefined;
    const part = await rate(loaded, id, index, deaths > UNSUSPECTED_DEATHS);
    await settle(id, index, revision, part);
    const { quoted, faulted } = part.tally;
    return { rows: quoted + faulted, faulted };
  };
};

const METERS = 'rates:meters';

/** Upper bounds of the buckets for chunk times, in seconds. */
export const CHUNK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export type WorkCounters = Awaited<ReturnType<typeof readWorkCounters>>;

const countChunk = async (redis: Redis, { rows, faulted }: ChunkSummary, ms: number): Promise<void> => {
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

/** Counts the rows and the time of each call. A chunk that is rated twice counts twice. */
export const countingWork =
  <A extends readonly unknown[]>(
    work: (...chunk: A) => Promise<ChunkSummary | undefined>,
    { redis, log }: Pick<Context, 'redis' | 'log'>,
  ) =>
  async (...chunk: A): Promise<ChunkSummary | undefined> => {
    const begun = performance.now();
    const rated = await work(...chunk);
    if (rated === undefined) return undefined;
    await countChunk(redis, rated, performance.now() - begun).catch((err: unknown) =>
      log.warn({ err }, 'a chunk was not counted'),
    );
    return rated;
  };

export const readWorkCounters = async (redis: Redis) => {
  const fields = await redis.hgetall(METERS);
  const count = (name: string): number => Number(fields[name] ?? 0);
  let within = 0;
  return {
    quotedRows: count('quoted'),
    faultedRows: count('faulted'),
    chunks: count('chunks'),
    chunkSeconds: count('ms') / 1_000,
    /** Cumulative counts of chunks, parallel to `CHUNK_SECONDS`. */
    chunksWithin: CHUNK_SECONDS.map((bound) => {
      within += count(`within ${bound}`);
      return within;
    }),
  };
};
