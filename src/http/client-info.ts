/**
 * Information for a client: its warehouses that a quote accepts, the services in force today, its agreements, its limits,
 * and the deliveries to its webhook.
 */
import type { RequestHandler } from 'express';
import type { Use } from '../batch/client-index.ts';
import { type Client, LIMIT_NAMES } from '../clients/clients.ts';
import { Failed } from '../rating/fault.ts';
import type { RateBooks } from '../rating/quote.ts';
import { warehousesInUs } from '../rating/rate.ts';
import type { Delivery } from '../webhook/deliveries.ts';
import { agreementHandlers } from './agreements/handlers.ts';
import { callerOf } from './auth.ts';
import { readQuery } from './input.ts';
import { sendFault, sendJson, sendJsonBytes } from './reply.ts';
import { deliveriesQuery } from './schemas.ts';

/** Cached answers by client, because a client may have thousands of warehouses. A changed client is another object. */
const written = new WeakMap<Client, Buffer>();

const warehousesOf = (client: Client): Buffer => {
  const known = written.get(client);
  if (known !== undefined) return known;
  const quotable = warehousesInUs(client);
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
const listWarehouses: RequestHandler = (_req, res) => sendJsonBytes(res, warehousesOf(callerOf(res)));

interface ServiceDeps {
  readonly tariffs: { readonly current: () => RateBooks };
  readonly now: () => Date;
}

/** `GET /v1/client/services`. */
const listServices =
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

/** What a client uses of its limits. */
export type UseOf = (clientId: string) => Promise<Use>;

/** For routes behind `requireCaller`. */
const showLimits =
  (useOf: UseOf): RequestHandler =>
  async (_req, res) => {
    const { id, limits } = callerOf(res);
    const use: Readonly<Record<string, number>> = { ...(await useOf(id)) };
    const shown = LIMIT_NAMES.map((limit) => ({ limit, most: limits[limit], used: use[limit] ?? null }));
    sendJson(res, 200, { status: 200, limits: shown });
  };

/** The newest attempts of a client, at most `limit`, the newest first. */
export type DeliveryLog = (clientId: string, limit: number) => Promise<readonly Delivery[]>;

const listDeliveries =
  (log: DeliveryLog): RequestHandler =>
  async (req, res) => {
    const query = readQuery(deliveriesQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    sendJson(res, 200, { deliveries: await log(callerOf(res).id, query.limit) });
  };

export interface ClientInfoDeps extends ServiceDeps {
  /** Absent: the service does not have this call. */
  readonly useOf?: UseOf;
  readonly deliveries?: DeliveryLog;
}

/** Handlers of these calls, for routes behind `requireCaller`. */
export const clientHandlers = (deps: ClientInfoDeps) => ({
  listWarehouses,
  listServices: listServices(deps),
  ...agreementHandlers(deps),
  listLimits: deps.useOf && showLimits(deps.useOf),
  listDeliveries: deps.deliveries && listDeliveries(deps.deliveries),
});
