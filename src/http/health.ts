/** `GET /livez`: the process answers. `GET /readyz`: its dependencies answer too. */
import { z } from 'zod';
import { within } from '../base/deadline.ts';
import { Failed } from '../base/failed.ts';
import { sweepTurn } from '../batch/workers.ts';
import { status } from './schemas.ts';
import { call, type Service } from './service.ts';

/** Longer than any healthy dependency takes, shorter than a probe waits. */
const CHECK_MS = 1_000;

/**
 * Stalled batches, and the age of the last sweep. They do not make this process unready, because every other
 * process would be unready too.
 */
const batchesOf = async ({ log, redis }: Service): Promise<Record<string, unknown>> => {
  try {
    const last = await within(CHECK_MS, sweepTurn.last(redis));
    return { batches: { stalled: last?.stalled.counts ?? {}, sweptSecondsAgo: last?.secondsAgo ?? null } };
  } catch (err) {
    log.warn({ err }, 'the last sweep is not known');
    return {};
  }
};

export interface CheckResult {
  readonly name: string;
  /** Why the check fails. Undefined if it succeeds. */
  readonly problem: unknown;
}

/** Runs all checks at the same time, each with a deadline. */
export const makeChecks = (checks: Service['checks']): Promise<readonly CheckResult[]> =>
  Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await within(CHECK_MS, check());
        return { name, problem: undefined };
      } catch (error) {
        return { name, problem: error ?? new Error('unknown') };
      }
    }),
  );

const readiness = z.object({
  status,
  checks: z.record(z.string(), z.literal('ok')),
  batches: z
    .object({
      stalled: z.record(z.string(), z.int()).describe('Batches without progress for a minute, by status.'),
      sweptSecondsAgo: z.int().nullable().describe('Seconds since the last check. Null before the first one.'),
    })
    .optional()
    .describe('What the last check of all batches found. It does not affect readiness.'),
});

const READY = {
  status: 200,
  checks: { redis: 'ok', store: 'ok', tariff: 'ok' },
  batches: { stalled: { in_progress: 1 }, sweptSecondsAgo: 12 },
};

export const healthCalls = {
  isLive: call({
    ...{ is: 'GET /livez', caller: 'everybody', limit: 'none' },
    answer: z.object({ status }),
    doc: {
      tag: 'Operation',
      summary: 'Is the process alive?',
      success: { status: 200, description: 'Yes.', example: { status: 200 } },
    },
    handle: () => ({ status: 200 }),
  }),
  isReady: call({
    ...{ is: 'GET /readyz', caller: 'everybody', limit: 'none' },
    answer: readiness,
    doc: {
      tag: 'Operation',
      summary: 'Is everything available that the process needs?',
      success: { status: 200, description: 'Yes.', example: READY },
      faults: ['service.unavailable'],
    },
    handle: async ({ service }) => {
      const results = await makeChecks(service.checks);
      const failed = results.filter(({ problem }) => problem !== undefined);
      for (const { name, problem } of failed) service.log.warn({ dependency: name, err: problem }, 'not ready');
      const [first] = failed;
      if (first !== undefined) return new Failed({ type: 'service.unavailable', dependency: first.name } as const);
      const checks = Object.fromEntries(results.map(({ name }) => [name, 'ok']));
      return { status: 200, checks, ...(await batchesOf(service)) };
    },
  }),
};
