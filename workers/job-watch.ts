/**
 * Finds that this process is stuck: a job does not end, such as a loop that waits forever, or a queue is no longer asked for
 * jobs, such as after the client of a Redis Cluster has lost its way in two failovers. The process must then exit and be
 * restarted: its jobs run again with the same result. The watch counts checks, not time: a process that was suspended or got
 * no CPU is not stuck.
 */
import type { Job } from 'bullmq';

export type Processor = (job: Job) => Promise<unknown>;

/** A running job: its queue and name, the checks that have seen it, and the number of checks within which it must end. */
interface Running {
  readonly queue: string;
  readonly name: string;
  readonly longest: number;
  checks: number;
}

/** A queue, its concurrent jobs in this process, and the number of its jobs that a free worker would take. */
interface Due {
  readonly queue: string;
  readonly slots: number;
  readonly due: number;
}

/** The number of checks in a row that must find a free slot, jobs that wait, and no job taken. */
export const IDLE_CHECKS = 15;

export type JobWatch = ReturnType<typeof createJobWatch>;

export const createJobWatch = () => {
  const running = new Set<Running>();
  /** By queue: the number of jobs taken since the start. */
  const taken = new Map<string, number>();
  /** By queue: that number at the last check, and the checks since then. */
  const idle = new Map<string, { readonly taken: number; readonly checks: number }>();
  return {
    /** @param longest the number of checks within which a job must end */
    watching:
      (processor: Processor, longest: number): Processor =>
      async (job) => {
        const queue = job.queueName;
        const one: Running = { queue, name: `${queue}/${job.id}`, longest, checks: 0 };
        running.add(one);
        taken.set(queue, (taken.get(queue) ?? 0) + 1);
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
    /** To be called every few seconds for each queue. @returns why the process is stuck, or undefined */
    checkTaking: ({ queue, slots, due }: Due): string | undefined => {
      const [now, before] = [taken.get(queue) ?? 0, idle.get(queue)];
      const hasSlot = [...running].filter((one) => one.queue === queue).length < slots;
      const checks = due > 0 && hasSlot && before?.taken === now ? before.checks + 1 : 0;
      idle.set(queue, { taken: now, checks });
      return checks < IDLE_CHECKS ? undefined : `it takes no jobs from the queue ${queue}, where ${due} wait`;
    },
  };
};
