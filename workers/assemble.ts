/** Assembles the output of a batch and completes the batch. */
import type { Job } from 'bullmq';
import type { Finalizer } from '../src/batch/finalize.ts';
import type { Logger } from '../src/log.ts';
import { ATTEMPTS, assembleJob } from '../src/queue/jobs.ts';

export interface AssembleDeps {
  readonly finalizer: Finalizer;
  readonly log: Logger;
}

export const createAssembleProcessor =
  ({ finalizer, log }: AssembleDeps) =>
  async (job: Job): Promise<void> => {
    const { batchId, epoch } = assembleJob.parse(job.data);
    try {
      await finalizer.assemble(batchId, epoch);
      log.info({ batchId }, 'batch assembled');
    } catch (error) {
      const last = job.attemptsMade + 1 >= ATTEMPTS;
      log.error({ batchId, attempt: job.attemptsMade + 1, last, err: error }, 'assembly failed');
      if (last) await finalizer.failAssembly(batchId, epoch, error);
      throw error;
    }
  };
