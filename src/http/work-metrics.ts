/** Metrics of what is not this process: how deep the queues are, and what all workers have done, as Redis has it. */
import type { Queue } from 'bullmq';
import { CHUNK_SECONDS, type Meters, readMeters } from '../batch/meter.ts';
import type { Queues } from '../queue/jobs.ts';
import type { Redis } from '../queue/redis.ts';

const STATES = ['waiting', 'active', 'delayed', 'failed', 'prioritized'] as const;

type Sample = readonly [labels: string, value: number];

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
    '',
  ].join('\n');

const chunkFamily = ({ chunks, chunkSeconds, chunksWithin }: Meters): string => {
  const name = 'rates_chunk_duration_seconds';
  const buckets = CHUNK_SECONDS.map((bound, index) => `${name}_bucket{le="${bound}"} ${chunksWithin[index] ?? 0}`);
  return [
    `# HELP ${name} Time to rate one chunk of a batch, in all workers`,
    `# TYPE ${name} histogram`,
    ...buckets,
    `${name}_bucket{le="+Inf"} ${chunks}`,
    `${name}_sum ${chunkSeconds}`,
    `${name}_count ${chunks}`,
    '',
  ].join('\n');
};

const depthOf = async (queue: Queue): Promise<readonly Sample[]> => {
  const counts = await queue.getJobCounts(...STATES);
  return STATES.map((state): Sample => [`{queue="${queue.name}",state="${state}"}`, counts[state] ?? 0]);
};

/** @returns the text of these metrics; where Redis is away, that alone */
export const createWorkMetrics = (redis: Redis, queues: Queues) => async (): Promise<string> => {
  const up = (value: 0 | 1): string => family('rates_redis_up', 'gauge', 'Whether Redis answers', [['', value]]);
  try {
    const [meters, ...depths] = await Promise.all([readMeters(redis), ...queues.all.map(depthOf)]);
    return [
      up(1),
      family('rates_queue_jobs', 'gauge', 'Jobs by queue and state', depths.flat()),
      family('rates_rows_total', 'counter', 'Rows of batches that were rated by outcome, in all workers', [
        ['{outcome="quoted"}', meters.quotedRows],
        ['{outcome="faulted"}', meters.faultedRows],
      ]),
      chunkFamily(meters),
    ].join('');
  } catch {
    // What is away is told by the metric itself, and by the connection's log.
    return up(0);
  }
};
