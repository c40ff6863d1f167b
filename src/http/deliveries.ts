/** `GET /v1/client/webhooks/deliveries`: the attempts to reach the client's webhook, and what came back. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { type Delivery, MOST_DELIVERIES } from '../webhook/deliveries.ts';
import { callerOf } from './auth.ts';
import { invalid } from './batch-options.ts';
import { needing } from './faults.ts';
import { sendFault, sendJson } from './reply.ts';

export const DELIVERIES_PATH = '/v1/client/webhooks/deliveries';

/** The newest attempts of a client, at most `limit`, the newest first. */
export type DeliveryLog = (clientId: string, limit: number) => Promise<readonly Delivery[]>;

const DEFAULT_LIMIT = 100;
const LIMIT_RULE = `must be a whole number from 1 to ${MOST_DELIVERIES}`;

export const deliveriesQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
    .transform(Number)
    .refine((limit) => limit <= MOST_DELIVERIES, LIMIT_RULE)
    .default(DEFAULT_LIMIT),
});

export const listDeliveries =
  (log: DeliveryLog): RequestHandler =>
  async (req, res) => {
    const parsed = deliveriesQuery.safeParse(req.query);
    if (!parsed.success) return sendFault(res, invalid(parsed.error));
    sendJson(res, 200, { deliveries: await needing('redis', log(callerOf(res).id, parsed.data.limit)) });
  };
