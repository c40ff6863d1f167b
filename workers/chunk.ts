/** Rates one chunk of a batch. */
import type { Job } from 'bullmq';
import type { ChunkSummary, ChunkWork } from '../src/batch/chunk-work.ts';
import type { Finalizer } from '../src/batch/finalize.ts';
import { LimitPassed } from '../src/batch/quota.ts';
import type { Logger } from '../src/log.ts';
import { ATTEMPTS, chunkJob } from '../src/queue/jobs.ts';

export interface ChunkDeps {
  readonly rateChunk: ChunkWork;
  readonly finalizer: Finalizer;
  readonly log: Logger;
}

export const createChunkProcessor =
  ({ rateChunk, finalizer, log }: ChunkDeps) =>
  async (job: Job): Promise<ChunkSummary | undefined> => {
    const { batchId, index, revision, epoch } = chunkJob.parse(job.data);
    const begun = performance.now();
    try {
      const summary = await rateChunk(batchId, index, revision, epoch);
      if (summary !== undefined)
        log.info({ batchId, index, ...summary, ms: Math.round(performance.now() - begun) }, 'chunk rated');
      return summary;
    } catch (error) {
      if (error instanceof LimitPassed) {
        log.warn({ batchId, index, limit: error.limit, most: error.most, row: error.row }, 'chunk over a limit');
        await finalizer.failChunk(batchId, { index, revision, epoch }, error);
        return undefined;
      }
      const last = job.attemptsMade + 1 >= ATTEMPTS;
      log.error({ batchId, index, attempt: job.attemptsMade + 1, last, err: error }, 'chunk failed');
      if (last) await finalizer.failChunk(batchId, { index, revision, epoch }, error);
      throw error;
    }
  };
