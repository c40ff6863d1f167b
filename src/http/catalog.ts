/** What a client can name in a rate request: its own warehouses, and the services in force today. */
import type { RequestHandler } from 'express';
import type { RateBooks } from '../rating/quote.ts';
import { callerOf } from './auth.ts';
import { sendJson } from './reply.ts';

/** `GET /v1/client/warehouses`, for routes behind `requireCaller`. */
export const listWarehouses: RequestHandler = (_req, res) => {
  const warehouses = [...callerOf(res).warehouses.values()].map(
    ({ id, name, postalCode, stateOrProvinceCode, countryCode }) => ({
      warehouse_id: id,
      name,
      address: { postalCode, stateOrProvinceCode, countryCode },
    }),
  );
  sendJson(res, 200, { status: 200, warehouses });
};

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
