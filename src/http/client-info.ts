/**
 * Information for a client: its warehouses that a quote accepts, the services in force today, its agreements, its limits,
 * and the deliveries to its webhook.
 */
import { z } from 'zod';
import { deliveries, delivery, MOST_DELIVERIES } from '../base/webhook/deliveries.ts';
import { useOf } from '../batch/client-index.ts';
import { type Assigned, NO_ACCOUNT, NoAccount } from '../catalog/agreement/account.ts';
import { agreementBody, agreementsBody } from '../catalog/agreement/view/schemas.ts';
import { agreementDetail, agreementSummary, shownOf } from '../catalog/agreement/view/tables.ts';
import { type Client, LIMIT_NAMES } from '../catalog/clients/clients.ts';
import { shippingHours } from '../catalog/clients/shipping-hours.ts';
import { serviceBody } from '../catalog/tariff/view/tariffs.ts';
import { warehousesInUs } from '../rating/rate.ts';
import { ANSWERED } from './call.ts';
import { countUpTo } from './input.ts';
import { AGREEMENT, AGREEMENTS } from './openapi/agreement-examples.ts';
import { DELIVERIES, LIMIT_LIST, SERVICES, WAREHOUSES } from './openapi/examples.ts';
import { sendJsonBytes } from './reply.ts';
import { status } from './schemas.ts';
import { call } from './service.ts';

export const warehouseList = z.object({
  status,
  warehouses: z.array(
    z.object({
      warehouse_id: z.int(),
      name: z.string(),
      address: z.object({ postalCode: z.string(), stateOrProvinceCode: z.string(), countryCode: z.string() }),
      shipping: shippingHours.optional().describe('When the warehouse hands packages over, if that is set.'),
    }),
  ),
});

export const serviceList = z.object({
  status,
  services: z.array(
    z.object({
      shippingService: z.string(),
      carrier: z.string(),
      description: z.string(),
      addressLineRequired: z.boolean(),
    }),
  ),
});

export const limitList = z.object({
  status,
  limits: z.array(
    z.object({
      limit: z.string().describe('The name of the limit, as in faults.'),
      most: z.int(),
      used: z.int().nullable().describe('How much of the limit is used now. Null if this is not counted.'),
    }),
  ),
});

/** Cached answers by client, because a client may have thousands of warehouses. A changed client is a new object. */
const written = new WeakMap<Client, Buffer>();

const warehousesOf = (client: Client): Buffer => {
  const known = written.get(client);
  if (known !== undefined) return known;
  const quotable = warehousesInUs(client);
  const warehouses = quotable.map(({ id, name, postalCode, stateOrProvinceCode, countryCode, shipping }) => ({
    warehouse_id: id,
    name,
    address: { postalCode, stateOrProvinceCode, countryCode },
    shipping,
  }));
  const json = Buffer.from(JSON.stringify({ status: 200, warehouses }));
  written.set(client, json);
  return json;
};

/** @throws {NoAccount} if one of the agreements cannot be used, because an empty list would be wrong */
const agreementsOf = ({ account, agreements }: Client): readonly Assigned[] => {
  if (account === NO_ACCOUNT) throw new NoAccount();
  return agreements;
};

export const clientCalls = {
  listWarehouses: call({
    ...{ is: 'GET /v1/client/warehouses', caller: 'client', limit: 'reads' },
    answer: warehouseList,
    doc: {
      tag: 'Quotes',
      summary: 'Get available warehouses',
      description: 'The warehouses of the calling client that a quote accepts: those in the United States.',
      success: { status: 200, description: 'The warehouses.', example: WAREHOUSES },
    },
    handle: ({ client, res }) => {
      sendJsonBytes(res, warehousesOf(client));
      return ANSWERED;
    },
  }),
  listServices: call({
    ...{ is: 'GET /v1/client/services', caller: 'client', limit: 'reads' },
    answer: serviceList,
    doc: {
      tag: 'Quotes',
      summary: 'Get shipping services',
      description: 'The services in force today, in the tariff’s order.',
      success: { status: 200, description: 'The services.', example: SERVICES },
    },
    handle: ({ service: { tariffs, now } }) => ({
      status: 200,
      services: tariffs.current().bookAt(now()).cards.map(serviceBody),
    }),
  }),
  listAgreements: call({
    ...{ is: 'GET /v1/client/agreements', caller: 'client', limit: 'reads' },
    answer: agreementsBody,
    doc: {
      tag: 'Quotes',
      summary: 'Get your agreements with carriers',
      description:
        'The agreements of the calling client, with the tier in force. A client without an agreement pays list prices.',
      success: { status: 200, description: 'The agreements.', example: AGREEMENTS },
      faults: ['service.unavailable'],
    },
    handle: ({ client, schedule, service }) => {
      const today = schedule.bookAt(service.now());
      const shown = shownOf(agreementsOf(client));
      return { status: 200, agreements: shown.map((one) => agreementSummary(one, schedule, today)) };
    },
  }),
  /** Another client's agreement gets the same answer as an agreement that does not exist. */
  getAgreement: call({
    ...{ is: 'GET /v1/client/agreements/{name}', caller: 'client', limit: 'reads' },
    answer: agreementBody,
    doc: {
      tag: 'Quotes',
      summary: 'Get one of your agreements, as tables',
      description:
        'The agreement as it is today. Before its first day and after its last day, as it is on that day. Another client’s agreement is not found.',
      success: { status: 200, description: 'The agreement.', example: AGREEMENT },
      faults: ['request.notFound', 'service.unavailable'],
    },
    find: async ({ client, id }) => shownOf(agreementsOf(client)).find(({ document }) => document.file.name === id),
    handle: ({ schedule, service, found }) => ({
      status: 200,
      ...agreementDetail(found, schedule, schedule.bookAt(service.now())),
    }),
  }),
  listLimits: call({
    ...{ is: 'GET /v1/client/limits', caller: 'client', limit: 'reads' },
    answer: limitList,
    doc: {
      tag: 'Quotes',
      summary: 'Get limits and their current use',
      description:
        'The limits of the calling client. A call over a limit gets `request.rateLimited`, which names the limit.',
      success: { status: 200, description: 'The limits.', example: LIMIT_LIST },
      faults: ['service.unavailable'],
    },
    handle: async ({ client: { id, limits }, service }) => {
      const use: Readonly<Record<string, number>> = { ...(await useOf(service.redis, id)) };
      const shown = LIMIT_NAMES.map((limit) => ({ limit, most: limits[limit], used: use[limit] ?? null }));
      return { status: 200, limits: shown };
    },
  }),
};

export const deliveryCalls = {
  listDeliveries: call({
    ...{ is: 'GET /v1/client/webhooks/deliveries', caller: 'batch', limit: 'reads' },
    query: z.strictObject({ limit: countUpTo(MOST_DELIVERIES, 100) }),
    answer: z.object({ deliveries: z.array(delivery) }),
    doc: {
      tag: 'Webhooks',
      summary: 'List the deliveries to the client’s webhook',
      description:
        'The attempts of the last seven days, newest first. When a batch ends, the service sends `batch.completed`, `batch.failed` or `batch.cancelled` to the client’s webhook, with the batch as `data`. Messages are signed according to the Standard Webhooks specification. The service retries for a day until the answer is 2xx.',
      success: {
        status: 200,
        description: 'The attempts, and the responses.',
        example: DELIVERIES,
      },
      faults: ['service.unavailable'],
    },
    handle: async ({ client, query, service: { redis, now } }) => ({
      deliveries: await deliveries.list(redis, client.id, query.limit, now()),
    }),
  }),
};
