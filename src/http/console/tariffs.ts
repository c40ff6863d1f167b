/** The tariffs as the console shows them: which there are, a service's zones from a warehouse, its rate card. */
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { Card, RateBook } from '../../rating/card.ts';
import type { Fault } from '../../rating/fault.ts';
import { DEGREES } from '../../tariff/distance.ts';
import { dayIn, type Schedule } from '../../tariff/schedule.ts';
import { unchartedFor } from '../../tariff/uncharted.ts';
import { zipText } from '../../tariff/zip.ts';
import { callerOf } from '../auth.ts';
import { invalid } from '../batch-options.ts';
import { sendFault, sendJson } from '../reply.ts';
import { rateCardOf } from './rate-card.ts';
import type { CentroidsBody, TariffsBody } from './schemas.ts';
import { zoneMapOf } from './zone-map.ts';

export interface TariffDeps {
  readonly tariffs: { readonly current: () => Schedule };
  readonly now: () => Date;
}

type Entry = TariffsBody['tariffs'][number];
type InForce = Entry['inForce'];

const cardQuery = z.strictObject({
  service: z.string().min(1).max(10),
  date: z.iso.date('must be YYYY-MM-DD').optional(),
});
const zonesQuery = cardQuery.extend({
  warehouse_id: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a warehouse')
    .transform(Number),
});

/** @param now the cards in force today */
const entriesOf = ({ documents, ids }: Schedule, now: RateBook, instant: Date): Entry[] =>
  documents.map(({ file }, at) => {
    const id = ids[at] ?? '';
    const isToCome = file.effective > dayIn(file.timeZone, instant);
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
    };
  });

/** `GET /console/tariffs` */
export const listTariffs =
  ({ tariffs, now }: TariffDeps): RequestHandler =>
  (_req, res) => {
    const [schedule, instant] = [tariffs.current(), now()];
    const book = schedule.bookAt(instant);
    const uncharted = [...callerOf(res).warehouses.values()].flatMap((warehouse) =>
      unchartedFor(book.cards, warehouse).map((entry) => ({ warehouse_id: warehouse.id, ...entry })),
    );
    sendJson(res, 200, { tariffs: entriesOf(schedule, book, instant), uncharted } satisfies TariffsBody);
  };

/** The card of a service on a day, today's where none is named. */
const cardOn = ({ tariffs, now }: TariffDeps, service: string, day: string | undefined): Card | Fault => {
  const book = day === undefined ? tariffs.current().bookAt(now()) : tariffs.current().bookOn(day);
  if (book.cards.length === 0) return { type: 'getRates.noTariff', shipDate: book.day };
  return book.byCode.get(service) ?? { type: 'getRates.unknownShippingService', shippingService: service };
};

const queryOf = <T extends z.ZodType>(schema: T, req: Request): { query: z.output<T> } | Fault => {
  const parsed = schema.safeParse(req.query);
  return parsed.success ? { query: parsed.data } : invalid(parsed.error);
};

/** `GET /console/tariffs/zones` */
export const showZones =
  (deps: TariffDeps): RequestHandler =>
  (req, res) => {
    const read = queryOf(zonesQuery, req);
    if ('type' in read) return sendFault(res, read);
    const { service, date, warehouse_id: warehouseId } = read.query;
    const card = cardOn(deps, service, date);
    if ('type' in card) return sendFault(res, card);
    const warehouse = callerOf(res).warehouses.get(warehouseId);
    if (warehouse === undefined || warehouse.countryCode !== 'US')
      return sendFault(res, { type: 'getRates.unknownWarehouse', warehouseId, country: warehouse?.countryCode });
    sendJson(res, 200, zoneMapOf(card, warehouse));
  };

/** `GET /console/tariffs/card` */
export const showCard =
  (deps: TariffDeps): RequestHandler =>
  (req, res) => {
    const read = queryOf(cardQuery, req);
    if ('type' in read) return sendFault(res, read);
    const card = cardOn(deps, read.query.service, read.query.date);
    if ('type' in card) return sendFault(res, card);
    sendJson(res, 200, rateCardOf(card, callerOf(res)));
  };

/** `GET /console/centroids`: the same for everybody until the service is another, so it is kept a day. */
export const showCentroids: RequestHandler = (_req, res) => {
  const body: CentroidsBody = {};
  for (const [zip3, [latitude, longitude]] of DEGREES) body[zipText(zip3, 3)] = [latitude, longitude];
  res.setHeader('Cache-Control', 'private, max-age=86400');
  sendJson(res, 200, body);
};
