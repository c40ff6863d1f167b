/** `GET /livez`: the process answers. `GET /readyz`: its dependencies answer too. */
import type { RequestHandler } from 'express';
import type { LastSweep } from '../batch/workers.ts';
import { within } from '../deadline.ts';
import type { Logger } from '../log.ts';
import { sendFault, sendJson } from './reply.ts';

/** Longer than any healthy dependency takes, shorter than a probe waits. */
const CHECK_MS = 1_000;

/** Resolves if a dependency works. */
export type Check = () => Promise<void>;

export interface HealthDeps {
  readonly log: Logger;
  /** By the name that answers show: `redis`, `store`, `tariff`. */
  readonly checks: Readonly<Record<string, Check>>;
  /** What the last sweep over all batches found; absent: not shown. */
  readonly lastSweep?: () => Promise<LastSweep | undefined>;
}

export const livez: RequestHandler = (_req, res) => sendJson(res, 200, { status: 200 });

/**
 * Batches that do not move, and the age of the last sweep. They do not make this process unready, because every other
 * process would be unready too.
 */
const batchesOf = async ({ log, lastSweep }: HealthDeps): Promise<Record<string, unknown>> => {
  if (lastSweep === undefined) return {};
  try {
    const last = await within(CHECK_MS, lastSweep());
    return { batches: { stalled: last?.stalled.counts ?? {}, sweptSecondsAgo: last?.secondsAgo ?? null } };
  } catch (err) {
    log.warn({ err }, 'the last sweep is not known');
    return {};
  }
};

export interface CheckResult {
  readonly name: string;
  /** Why it fails; undefined if it works. */
  readonly problem: unknown;
}

/** Makes all checks at once, each with a deadline. */
export const makeChecks = (checks: HealthDeps['checks']): Promise<readonly CheckResult[]> =>
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

/** Answers 200, or 503 `service.unavailable` with the first dependency that fails. */
export const readyz =
  (deps: HealthDeps): RequestHandler =>
  async (_req, res) => {
    const { log, checks } = deps;
    const results = await makeChecks(checks);
    const failed = results.filter(({ problem }) => problem !== undefined);
    for (const { name, problem } of failed) log.warn({ dependency: name, err: problem }, 'not ready');
    const [first] = failed;
    if (first !== undefined) return sendFault(res, { type: 'service.unavailable', dependency: first.name });
    const ok = Object.fromEntries(results.map(({ name }) => [name, 'ok']));
    sendJson(res, 200, { status: 200, checks: ok, ...(await batchesOf(deps)) });
  };
