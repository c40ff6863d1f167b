/** The tariffs for the console: the list of tariffs, a service's zones from a warehouse, and its rate card. */
import type { RequestHandler } from 'express';
import { must } from '../../must.ts';
import { type Card, NO_COLUMN, type RateBook, type Shipper, type Warehouse } from '../../rating/card.ts';
import type { Surcharge } from '../../rating/charges.ts';
import { declaredValueText, reasonsOf } from '../../rating/explain.ts';
import { Failed, type Result } from '../../rating/fault.ts';
import { dollarText } from '../../rating/quantity.ts';
import { zip5Of } from '../../rating/rate.ts';
import type { Terms } from '../../rating/terms.ts';
import { DEGREES } from '../../tariff/distance.ts';
import { dayIn, type Schedule } from '../../tariff/schedule.ts';
import { unchartedFor } from '../../tariff/uncharted.ts';
import { ZIP5S_PER_ZIP3, zipText } from '../../tariff/zip.ts';
import { callerOf } from '../auth.ts';
import { readQuery } from '../batch-options.ts';
import { sendFault, sendJson } from '../reply.ts';
import { coverageBody, fuelEndsBody } from './coverage.ts';
import {
  type CardBody,
  type CentroidsBody,
  cardQuery,
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

/** `GET /console/tariffs/zones` */
const showZones =
  (deps: TariffDeps): RequestHandler =>
  (req, res) => {
    const query = readQuery(zonesQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const { service, date, warehouse_id: warehouseId } = query;
    const card = cardOn(deps, service, date);
    if (card instanceof Failed) return sendFault(res, card.fault);
    const warehouse = callerOf(res).warehouses.get(warehouseId);
    if (warehouse === undefined || warehouse.countryCode !== 'US')
      return sendFault(res, { type: 'getRates.unknownWarehouse', warehouseId, country: warehouse?.countryCode });
    sendJson(res, 200, zoneMapOf(card, warehouse));
  };

/** No agreement is for this warehouse alone: see `accountOf`. */
const NO_WAREHOUSE = -1;

/** `GET /console/tariffs/card` */
const showCard =
  (deps: TariffDeps): RequestHandler =>
  (req, res) => {
    const query = readQuery(cardQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const card = cardOn(deps, query.service, query.date);
    if (card instanceof Failed) return sendFault(res, card.fault);
    const terms = callerOf(res).account.termsOn(bookOn(deps, query.date), NO_WAREHOUSE);
    sendJson(res, 200, rateCardOf(card, terms.get(card)));
  };

/** `GET /console/centroids`: the same for everybody until the service is updated, so it is cached for a day. */
const showCentroids: RequestHandler = (_req, res) => {
  const body: CentroidsBody = {};
  for (const [zip3, [latitude, longitude]] of DEGREES) body[zipText(zip3, 3)] = [latitude, longitude];
  res.setHeader('Cache-Control', 'private, max-age=86400');
  sendJson(res, 200, body);
};

/** Cents; 0 means no rate. */
const rated = (cents: number | undefined): number | null => (cents === undefined || cents === 0 ? null : cents);

const computationOf = ({ amount }: Surcharge, { surcharges }: Card): string => {
  if (amount.per === 'percent') {
    const of = amount.of.map((index) => must(surcharges[index], 'the surcharge of a percentage').type);
    return `${dollarText(amount.rate)} % of ${[...new Set([...(amount.ofBase ? ['base'] : []), ...of])].join(', ')}`;
  }
  if (amount.per === 'declaredValue') return declaredValueText(amount);
  const [least, most] = [Math.min(...amount.centsByColumn), Math.max(...amount.centsByColumn)];
  const sum = least === most ? `$${dollarText(least)}` : `$${dollarText(least)} to $${dollarText(most)}, by zone,`;
  return `${sum} per ${amount.per}`;
};

const rowsOf = ({ columns, rates, topLb }: Card): CardBody['rows'] =>
  Array.from({ length: topLb }, (_, row) => ({
    weightLb: row + 1,
    charges: columns.map((_column, at) => rated(rates[at * (topLb + 1) + row + 1])),
  }));

/** The one percentage that every package has; null if there is none, or if it depends on the package. */
const flatDiscountOf = (terms: Terms | undefined): string | null => {
  const [, only, ...others] = terms?.discounts?.combinations ?? [];
  return only === undefined || others.length > 0 ? null : dollarText(only.rate);
};

/** @param terms what the client's agreement says of the card */
const rateCardOf = (card: Card, terms: Terms | undefined): CardBody => {
  const { multiweight } = card;
  return {
    shippingService: card.code,
    carrier: card.carrier,
    description: card.description,
    tariff: card.tariff,
    zones: [...card.columns],
    rateZones: card.rateZones.map(String),
    rows: rowsOf(card),
    perPoundAbove: card.centsPerLbAboveTop?.map(rated) ?? null,
    minimumChargeCents: card.minimumNetCents,
    discountPercent: flatDiscountOf(terms),
    multiweight:
      multiweight === undefined
        ? null
        : {
            minimumTotalLb: multiweight.minimumTotalLb,
            minimumAverageLb: multiweight.minimumAverageLb,
            breaks: multiweight.breaks.map(({ fromLb, centsPerLb }) => ({ fromLb, charges: centsPerLb.map(rated) })),
          },
    surcharges: card.surcharges.map((surcharge) => ({
      type: surcharge.type,
      description: surcharge.description,
      computation: computationOf(surcharge, card),
      because: reasonsOf(surcharge, card),
    })),
  };
};

/** The column that most of a ZIP3's ZIP codes have, and whether all have it. */
const columnOfZip3 = ({ zones }: Card, origin: number, zip3: number): { column: number; isUniform: boolean } => {
  const counts = new Map<number, number>();
  for (let zip5 = zip3 * ZIP5S_PER_ZIP3; zip5 < (zip3 + 1) * ZIP5S_PER_ZIP3; zip5++) {
    const column = zones.columnOf(origin, zip5);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const [[column = NO_COLUMN] = []] = [...counts].sort(([, a], [, b]) => b - a);
  return { column, isUniform: counts.size === 1 };
};

/** @param warehouse one in the United States */
const zoneMapOf = (card: Card, { postalCode }: Warehouse): ZonesBody => {
  const origin = zip5Of(postalCode);
  const originZip3 = Math.floor(origin / ZIP5S_PER_ZIP3);
  const zones: Record<string, string> = {};
  let exceptions = 0;
  for (const zip3 of DEGREES.keys()) {
    const { column, isUniform } = columnOfZip3(card, origin, zip3);
    if (!isUniform) exceptions += 1;
    if (column !== NO_COLUMN)
      zones[zipText(zip3, 3)] = String(must(card.rateZones[column], 'the zone of a rate column'));
  }
  const [lat = null, lon = null] = DEGREES.get(originZip3) ?? [];
  return {
    shippingService: card.code,
    tariff: card.tariff,
    origin: { zip3: zipText(originZip3, 3), lat, lon },
    zones,
    exceptions,
    estimated: card.zones.sourceOf(origin, origin).estimated,
  };
};

/** Handlers of these calls, for routes behind `requireCaller`. */
export const tariffHandlers = (deps: TariffDeps) => ({
  listTariffs: listTariffs(deps),
  getZones: showZones(deps),
  getCard: showCard(deps),
  getCentroids: showCentroids,
});
