/** The tariffs for the console: the list of tariffs, a service's zones from a warehouse, and its rate card. */
import type { RequestHandler, Response } from 'express';
import { must } from '../../must.ts';
import type { Card, RateBook, Warehouse } from '../../rating/card.ts';
import { Failed, type Result } from '../../rating/fault.ts';
import { zip5Of } from '../../rating/rate.ts';
import type { Shipper } from '../../rating/terms.ts';
import { DEGREES } from '../../tariff/distance.ts';
import { dayIn, type Schedule } from '../../tariff/schedule.ts';
import { unchartedFor } from '../../tariff/uncharted.ts';
import { ZIP5S_PER_ZIP3, zipText } from '../../tariff/zip.ts';
import { zonesByZip3 } from '../../tariff/zones-by-zip3.ts';
import { callerOf } from '../auth.ts';
import { readQuery } from '../batch-options.ts';
import { sendFault, sendJson } from '../reply.ts';
import { coverageBody, fuelEndsBody } from './coverage.ts';
import { cardBodyOf } from './rate-card.ts';
import {
  type CentroidsBody,
  cardQuery,
  type DraftsBody,
  type TariffsBody,
  type ZonesBody,
  zonesQuery,
} from './schemas.ts';

export interface TariffDeps {
  readonly tariffs: { readonly current: () => Schedule };
  readonly now: () => Date;
}

type Entry = TariffsBody['tariffs'][number];
type InForce = Entry['inForce'];

/** @param now the cards in force today */
const entriesOf = (schedule: Schedule, now: RateBook, instant: Date, shipper: Shipper): Entry[] =>
  schedule.documents.map(({ file }, at) => {
    const id = must(schedule.ids[at], 'the id of a tariff');
    const today = dayIn(file.timeZone, instant);
    const isToCome = file.effective > today;
    const services = file.services.map((service) => {
      const isNow = now.byCode.get(service.code)?.tariff === id;
      const inForce: InForce = isNow ? 'now' : isToCome ? 'later' : 'past';
      const { carrier, description, addressLineRequired, maximumActualLb, dimensionalFactor } = service;
      return {
        shippingService: service.code,
        carrier,
        description,
        addressLineRequired,
        maximumWeightLb: maximumActualLb,
        dimensionalFactor,
        inForce,
      };
    });
    return {
      id,
      name: file.name,
      version: id.slice(file.name.length + 1),
      description: file.description,
      effectiveDate: file.effective,
      fallback: file.fallback,
      inForce: services.some(({ inForce }) => inForce === 'now') ? 'now' : isToCome ? 'later' : 'past',
      services,
      coverage: coverageBody(schedule, id, isToCome ? file.effective : today, shipper, (code) =>
        services.some((one) => one.shippingService === code && one.inForce !== 'past'),
      ),
    };
  });

/** `GET /console/tariffs` */
const listTariffs =
  ({ tariffs, now }: TariffDeps): RequestHandler =>
  (_req, res) => {
    const [schedule, instant] = [tariffs.current(), now()];
    const book = schedule.bookAt(instant);
    const shipper = callerOf(res);
    const uncharted = [...shipper.warehouses.values()].flatMap((warehouse) =>
      unchartedFor(book.cards, warehouse).map((entry) => ({ warehouse_id: warehouse.id, ...entry })),
    );
    const body: TariffsBody = {
      tariffs: entriesOf(schedule, book, instant, shipper),
      fuelEnds: fuelEndsBody(schedule, instant),
      uncharted,
    };
    sendJson(res, 200, body);
  };

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

/** The centroids of the ZIP3s. */
export const centroidsOf = (): CentroidsBody => {
  const body: CentroidsBody = {};
  for (const [zip3, [latitude, longitude]] of DEGREES) body[zipText(zip3, 3)] = [latitude, longitude];
  return body;
};

/** `GET /console/centroids`: the same for everybody until the service is updated, so it is cached for a day. */
const showCentroids: RequestHandler = (_req, res) => {
  sendJson(res, 200, centroidsOf(), 'private, max-age=86400');
};

/** @param warehouse one in the United States */
const zoneMapOf = (card: Card, { postalCode }: Warehouse): ZonesBody => {
  const origin = zip5Of(postalCode);
  const originZip3 = Math.floor(origin / ZIP5S_PER_ZIP3);
  const [lat = null, lon = null] = DEGREES.get(originZip3) ?? [];
  return {
    shippingService: card.code,
    tariff: card.tariff,
    origin: { zip3: zipText(originZip3, 3), lat, lon },
    ...zonesByZip3(card, origin),
    estimated: card.zones.sourceOf(origin, origin).estimated,
  };
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
