/** `GET /v1/client/limits`: what the client may do, and how much of it is used where that is counted. */
import type { RequestHandler } from 'express';
import type { Use } from '../batch/usage.ts';
import { LIMIT_NAMES } from '../clients/clients.ts';
import { callerOf } from './auth.ts';
import { needing } from './faults.ts';
import { sendJson } from './reply.ts';

export const LIMITS_PATH = '/v1/client/limits';

/** What a client uses of its limits. */
export type UseOf = (clientId: string) => Promise<Use>;

/** For routes behind `requireCaller`. */
export const showLimits =
  (useOf: UseOf): RequestHandler =>
  async (_req, res) => {
    const { id, limits } = callerOf(res);
    const use: Readonly<Record<string, number>> = { ...(await needing('redis', useOf(id))) };
    const shown = LIMIT_NAMES.map((limit) => ({ limit, most: limits[limit], used: use[limit] ?? null }));
    sendJson(res, 200, { status: 200, limits: shown });
  };
