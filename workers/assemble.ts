/** Puts a batch's output together and ends it. */
import type { Job } from 'bullmq';
import type { Ending } from '../src/batch/finalize.ts';
import type { Logger } from '../src/log.ts';
import { ATTEMPTS, assembleJob } from '../src/queue/jobs.ts';

export interface AssembleDeps {
  readonly ending: Ending;
  readonly log: Logger;
}

export const createAssembleProcessor =
  ({ ending, log }: AssembleDeps) =>
  async (job: Job): Promise<void> => {
    const { batchId, round } = assembleJob.parse(job.data);
    try {
      await ending.assemble(batchId, round);
      log.info({ batchId }, 'batch assembled');
    } catch (error) {
      const last = job.attemptsMade + 1 >= ATTEMPTS;
      log.error({ batchId, attempt: job.attemptsMade + 1, last, err: error }, 'assembly failed');
      if (last) await ending.failAssembly(batchId, round, error);
      throw error;
    }
  };
