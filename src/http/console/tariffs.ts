/** The tariffs for the console: the list of tariffs, a service's zones from a warehouse, and its rate card. */

import type { RequestHandler, Response } from 'express';
import { cardBodyOf } from '../../agreement/view/card.ts';
import type { Card, RateBook, Warehouse } from '../../rating/card.ts';
import { Failed, type Result } from '../../rating/fault.ts';
import type { Schedule } from '../../tariff/schedule.ts';
import { centroidsOf, tariffsBodyOf, zoneMapOf } from '../../tariff/view/tariffs.ts';
import { callerOf } from '../auth.ts';
import { readQuery } from '../input.ts';
import { sendFault, sendJson } from '../reply.ts';
import { cardQuery, type DraftsBody, zonesQuery } from './schemas.ts';

export interface TariffDeps {
  readonly tariffs: { readonly current: () => Schedule };
  readonly now: () => Date;
}

/** `GET /console/tariffs` */
const listTariffs =
  ({ tariffs, now }: TariffDeps): RequestHandler =>
  (_req, res) =>
    sendJson(res, 200, tariffsBodyOf(tariffs.current(), now(), callerOf(res)));

/** The cards of a day, by default today. */
const bookOn = ({ tariffs, now }: TariffDeps, day: string | undefined): RateBook =>
  day === undefined ? tariffs.current().bookAt(now()) : tariffs.current().bookOn(day);

/** The card of a service on a day, by default today. */
const cardOn = (deps: TariffDeps, service: string, day: string | undefined): Result<Card> => {
  const book = bookOn(deps, day);
  if (book.cards.length === 0) return new Failed({ type: 'getRates.noTariff', shipDate: book.day });
  return book.byCode.get(service) ?? new Failed({ type: 'getRates.unknownShippingService', shippingService: service });
};

/** A warehouse of the caller in the United States. */
const warehouseOf = (res: Response, warehouseId: number): Result<Warehouse> => {
  const warehouse = callerOf(res).warehouses.get(warehouseId);
  if (warehouse !== undefined && warehouse.countryCode === 'US') return warehouse;
  return new Failed({ type: 'getRates.unknownWarehouse', warehouseId, country: warehouse?.countryCode });
};

/** `GET /console/tariffs/zones` */
const showZones =
  (deps: TariffDeps): RequestHandler =>
  (req, res) => {
    const query = readQuery(zonesQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const { service, date, warehouse_id: warehouseId } = query;
    const card = cardOn(deps, service, date);
    if (card instanceof Failed) return sendFault(res, card.fault);
    const warehouse = warehouseOf(res, warehouseId);
    if (warehouse instanceof Failed) return sendFault(res, warehouse.fault);
    sendJson(res, 200, zoneMapOf(card, warehouse));
  };

/** No warehouse: agreements that are for some warehouses alone do not count. See `accountOf`. */
const NO_WAREHOUSE = -1;

/** `GET /console/tariffs/card` */
const showCard =
  (deps: TariffDeps): RequestHandler =>
  (req, res) => {
    const query = readQuery(cardQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const { service, date, warehouse_id: warehouseId, address } = query;
    const card = cardOn(deps, service, date);
    if (card instanceof Failed) return sendFault(res, card.fault);
    const warehouse = warehouseId === undefined ? undefined : warehouseOf(res, warehouseId);
    if (warehouse instanceof Failed) return sendFault(res, warehouse.fault);
    const terms = callerOf(res).account.termsOn(bookOn(deps, date), warehouse?.id ?? NO_WAREHOUSE);
    sendJson(res, 200, cardBodyOf(card, terms.get(card), address === 'residential'));
  };

/** `GET /console/centroids`: the same for everybody until the service is updated, so it is cached for a day. */
const showCentroids: RequestHandler = (_req, res) => {
  sendJson(res, 200, centroidsOf(), 'private, max-age=86400');
};

/** `GET /console/drafts` */
const listDrafts: RequestHandler = (_req, res) => {
  const body: DraftsBody = { drafts: [...callerOf(res).drafts] };
  sendJson(res, 200, body);
};

/** Handlers of these calls, for routes behind `requireCaller`. */
export const tariffHandlers = (deps: TariffDeps) => ({
  listTariffs: listTariffs(deps),
  listDrafts,
  getZones: showZones(deps),
  getCard: showCard(deps),
  getCentroids: showCentroids,
});
