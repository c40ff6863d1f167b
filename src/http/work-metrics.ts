/** Metrics from outside this process: queue depths and the work of all workers, from Redis. */
import type { Queue } from 'bullmq';
import { must } from '../base/must.ts';
import type { Redis } from '../base/redis/connection.ts';
import type { Store } from '../base/store/store.ts';
import type { Queues } from '../batch/queue/jobs.ts';
import { ACTIVE_STATUSES } from '../batch/status.ts';
import { type Survey, surveys } from '../batch/survey.ts';
import { CHUNK_SECONDS, readWorkCounters, type WorkCounters } from '../batch/work/chunk-work.ts';
import { type LastSweep, sweepTurn, totals } from '../batch/workers.ts';

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

type Sample = readonly [suffix: string, value: number];

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([suffix, value]) => `${name}${suffix} ${value}`),
    '',
  ].join('\n');

const chunkFamily = ({ chunks, chunkSeconds, chunksWithin }: WorkCounters): string =>
  family('rates_chunk_duration_seconds', 'histogram', 'Time to rate one chunk of a batch, in all workers', [
    ...CHUNK_SECONDS.map(
      (bound, index): Sample => [`_bucket{le="${bound}"}`, must(chunksWithin[index], 'a count of chunks')],
    ),
    ['_bucket{le="+Inf"}', chunks],
    ['_sum', chunkSeconds],
    ['_count', chunks],
  ]);

/** What the last sweep found. Left out before the first sweep, because an unknown age is not 0. */
const sweepFamilies = (last: LastSweep | undefined): string => {
  if (last === undefined) return '';
  const { counts } = last.stalled;
  const stalled = ACTIVE_STATUSES.map((status): Sample => [`{status="${status}"}`, counts[status] ?? 0]);
  return [
    family('rates_sweep_age_seconds', 'gauge', 'Time since all batches were last looked at', [['', last.secondsAgo]]),
    family('rates_batches_stalled', 'gauge', 'Batches that have not moved for a minute, by status', stalled),
  ].join('');
};

/** Left out before the first survey. */
const heldFamily = (survey: Survey | undefined): string =>
  survey === undefined
    ? ''
    : family('rates_expiry_held', 'gauge', 'Old batches that stay because too many would be removed at once', [
        ['', survey.held],
      ]);

/** Number of jobs in a queue that wait, run, will be retried, or have failed. */
export const depthOf = async (queue: Queue): Promise<Readonly<Record<(typeof STATES)[number], number>>> => {
  const counts = await queue.getJobCounts(...STATES, 'prioritized');
  const { prioritized = 0, waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  // A job that waits for its turn is `prioritized` for BullMQ (src/batch/queue/jobs.ts).
  return { waiting: waiting + prioritized, active, delayed, failed };
};

const depthSamples = async (queue: Queue): Promise<readonly Sample[]> => {
  const depth = await depthOf(queue);
  return STATES.map((state): Sample => [`{queue="${queue.name}",state="${state}"}`, depth[state]]);
};

/** @returns the text of these metrics, or only `rates_redis_up 0` if Redis is unavailable */
export const createWorkMetrics =
  (redis: Redis, queues: Queues, store?: Pick<Store, 'free'>) => async (): Promise<string> => {
    const up = (value: 0 | 1): string => family('rates_redis_up', 'gauge', 'Whether Redis answers', [['', value]]);
    try {
      const [meters, last, use, survey, ...depths] = await Promise.all([
        readWorkCounters(redis),
        sweepTurn.last(redis),
        totals.read(redis),
        surveys.last(redis),
        ...queues.all.map(depthSamples),
      ]);
      // If the free space of the disk is unknown, the metric is left out.
      const free = await store?.free?.().catch(() => undefined);
      return [
        up(1),
        family('rates_queue_jobs', 'gauge', 'Jobs by queue and state', depths.flat()),
        family('rates_rows_total', 'counter', 'Rows of batches that were rated by outcome, in all workers', [
          ['{outcome="quoted"}', meters.quotedRows],
          ['{outcome="faulted"}', meters.faultedRows],
        ]),
        chunkFamily(meters),
        sweepFamilies(last),
        heldFamily(survey),
        family('rates_stored_bytes', 'gauge', 'Bytes of all batches in the store, a minute old at most', [
          ['', use.bytesStored],
        ]),
        family('rates_inflight_bytes', 'gauge', 'Bytes of uploads and lists under way, a minute old at most', [
          ['', use.bytesInFlight],
        ]),
        ...(free === undefined
          ? []
          : [family('rates_store_free_bytes', 'gauge', 'Room that is left on the disk of the store', [['', free]])]),
      ].join('');
    } catch {
      // This metric and the connection's log show that Redis is unavailable.
      return up(0);
    }
  };
