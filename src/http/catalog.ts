/** What a client can name in a rate request: its own warehouses that a quote accepts, and the services in force today. */
import type { RequestHandler } from 'express';
import type { Client } from '../clients/clients.ts';
import type { RateBooks } from '../rating/quote.ts';
import { callerOf } from './auth.ts';
import { sendJson, sendJsonBytes } from './reply.ts';

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
