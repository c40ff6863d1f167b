/** What a client can name in a rate request: its own warehouses that a quote accepts, and the services in force today. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Use } from '../batch/client-index.ts';
import { type Client, LIMIT_NAMES } from '../clients/clients.ts';
import type { RateBooks } from '../rating/quote.ts';
import { type Delivery, MOST_DELIVERIES } from '../webhook/deliveries.ts';
import { callerOf } from './auth.ts';
import { invalid } from './batch-options.ts';
import { needing } from './faults.ts';
import { sendFault, sendJson, sendJsonBytes } from './reply.ts';

/** Answers by client, whose warehouses may be thousands; a client that is changed is another object. */
const written = new WeakMap<Client, Buffer>();

const warehousesOf = (client: Client): Buffer => {
  const known = written.get(client);
  if (known !== undefined) return known;
  const quotable = [...client.warehouses.values()].filter(({ countryCode }) => countryCode === 'US');
  const warehouses = quotable.map(({ id, name, postalCode, stateOrProvinceCode, countryCode }) => ({
    warehouse_id: id,
    name,
    address: { postalCode, stateOrProvinceCode, countryCode },
  }));
  const json = Buffer.from(JSON.stringify({ status: 200, warehouses }));
  written.set(client, json);
  return json;
};

/** `GET /v1/client/warehouses`, for routes behind `requireCaller`. */
export const listWarehouses: RequestHandler = (_req, res) => sendJsonBytes(res, warehousesOf(callerOf(res)));

export interface ServiceDeps {
  readonly tariffs: { readonly current: () => RateBooks };
  readonly now: () => Date;
}

/** `GET /v1/client/services`. */
export const listServices =
  ({ tariffs, now }: ServiceDeps): RequestHandler =>
  (_req, res) => {
    const services = tariffs
      .current()
      .bookAt(now())
      .cards.map(({ code, carrier, description, addressLineRequired }) => ({
        shippingService: code,
        carrier,
        description,
        addressLineRequired,
      }));
    sendJson(res, 200, { status: 200, services });
  };

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
