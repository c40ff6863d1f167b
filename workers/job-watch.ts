/**
 * Finds a job that does not end, such as a loop that waits forever. Its process must exit and be restarted: the job then runs
 * again with the same result. It counts checks, not time: a process that was suspended or got no CPU is not stuck.
 */
import type { Job } from 'bullmq';

type Processor = (job: Job) => Promise<unknown>;

/** A running job: its name, the checks that have seen it, and the number of checks within which it must end. */
interface Running {
  readonly name: string;
  readonly longest: number;
  checks: number;
}

export type JobWatch = ReturnType<typeof createJobWatch>;

export const createJobWatch = () => {
  const running = new Set<Running>();
  return {
    /** @param longest the number of checks within which a job must end */
    watching:
      (processor: Processor, longest: number): Processor =>
      async (job) => {
        const one: Running = { name: `${job.queueName}/${job.id}`, longest, checks: 0 };
        running.add(one);
        try {
          return await processor(job);
        } finally {
          running.delete(one);
        }
      },
    /** To be called every few seconds. @returns why the process is stuck, or undefined */
    check: (): string | undefined => {
      for (const one of running) one.checks += 1;
      const stuck = [...running].find(({ checks, longest }) => checks > longest);
      return stuck && `the job ${stuck.name} does not end`;
    },
  };
};
