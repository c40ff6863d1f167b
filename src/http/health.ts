/** `GET /livez`: the process answers, nothing else is asked. `GET /readyz`: all that it needs answers too. */
import type { RequestHandler } from 'express';
import type { Logger } from '../log.ts';
import { sendFault, sendJson } from './reply.ts';

/** Longer than any healthy dependency takes, shorter than whoever asks waits. */
const CHECK_MS = 1_000;

/** Resolves where a dependency does its part. */
export type Check = () => Promise<void>;

export interface HealthDeps {
  readonly log: Logger;
  /** By the name that answers show: `redis`, `store`, `tariff`. */
  readonly checks: Readonly<Record<string, Check>>;
}

export const livez: RequestHandler = (_req, res) => sendJson(res, 200, { status: 200 });

const inTime = (check: Check): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS);
    check()
      .then(resolve, reject)
      .finally(() => clearTimeout(late));
  });

/** Answers 200, or 503 `service.unavailable` with the first dependency that does not do its part. */
export const readyz =
  ({ log, checks }: HealthDeps): RequestHandler =>
  async (_req, res) => {
    const names = Object.keys(checks);
    const results = await Promise.allSettled(Object.values(checks).map(inTime));
    const failed = names.filter((dependency, index) => {
      const result = results[index];
      if (result?.status !== 'rejected') return false;
      log.warn({ dependency, err: result.reason }, 'not ready');
      return true;
    });
    const [dependency] = failed;
    if (dependency !== undefined) return sendFault(res, { type: 'service.unavailable', dependency });
    sendJson(res, 200, { status: 200, checks: Object.fromEntries(names.map((name) => [name, 'ok'])) });
  };
