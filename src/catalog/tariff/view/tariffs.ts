/** The list of tariffs for a client, and the zones of its warehouse. */
import { must } from '../../../base/must.ts';
import type { Card, RateBook, Warehouse } from '../../../rating/card.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { zip5Of } from '../../../rating/rate.ts';
import type { Shipper } from '../../../rating/terms.ts';
import { fuelEndsNow } from '../check/fuel-ends.ts';
import { coverageOf, originsIn, type ServiceCoverage, unchartedFor } from '../coverage.ts';
import { dayIn, hasTransit, type Schedule } from '../schedule.ts';
import { ZIP5S_PER_ZIP3, zipText } from '../zip.ts';
import { zonesByZip3 } from '../zones-by-zip3.ts';

/* The coverage of tariffs for the console: parts of the price by service, and the zones of the client's warehouses. */

const ZONES = ['charted', 'distance', 'estimated', 'unreached'] as const;

interface ShownCoverage extends Pick<ServiceCoverage, 'service' | 'areas' | 'parts'> {
  readonly fuel: { readonly [K in 'percent' | 'lastDay' | 'nextDay']?: string | undefined };
  readonly zones: Pick<ServiceCoverage['zones'], 'warehouses'>;
  readonly limits: Pick<ServiceCoverage['limits'], 'lengthIn' | 'lengthPlusGirthIn'>;
}

/**
 * The coverage of a service by a tariff, today or on its first day.
 * @param warehouseOf returns a warehouse by its label
 */
export const coverageRowOf = <W>(
  { service, zones, fuel, areas, limits, parts }: ShownCoverage,
  warehouseOf: (label: string) => W,
) => ({
  shippingService: service,
  /** Warehouses by the source of their zones. */
  zones: ZONES.map((known) => ({
    zones: known,
    warehouses: zones.warehouses.filter((one) => one.zones === known).map(({ warehouse }) => warehouseOf(warehouse)),
  })).filter(({ warehouses }) => warehouses.length > 0),
  /** In percent, such as `26.00`. Null if there is no rate on that day. Dates are `YYYY-MM-DD`. */
  fuelPercent: fuel.percent === undefined ? null : dollarText(Math.round(Number(fuel.percent) * 100)),
  /** The last day with a fuel rate. Null if there is no end, or there was no rate. */
  fuelLastDay: fuel.lastDay ?? null,
  /** The first day with a rate, if there is no rate on that day. */
  fuelNextDay: fuel.nextDay ?? null,
  areaTiers: areas.tiers.length,
  areaZipCodes: areas.zipCodes,
  maximumLengthIn: limits.lengthIn,
  maximumLengthPlusGirthIn: limits.lengthPlusGirthIn,
  parts,
});

/**
 * @param id a tariff of the schedule
 * @param day a day on which the tariff has begun
 * @param isWanted whether a service is shown
 */
const coverageBody = (
  schedule: Schedule,
  id: string,
  day: string,
  shipper: Pick<Shipper, 'warehouses'>,
  isWanted: (code: string) => boolean,
) => {
  const own = must(schedule.only(id), `the tariff ${id}`);
  const origins = originsIn(shipper, String);
  const services = own.documents.flatMap((document) => {
    const wanted = document.file.services.filter(({ code }) => isWanted(code));
    const shown = { ...document, file: { ...document.file, services: wanted } };
    return coverageOf(shown, own.bookOn(day).cards, { day, origins }).services;
  });
  return { date: day, services: services.map((service) => coverageRowOf(service, Number)) };
};

/** Fuel rates of services in force that have ended or will end within a week. */
const fuelEndsBody = (schedule: Schedule, instant: Date) =>
  fuelEndsNow(schedule, instant).map(({ carrier, services, allServices, lastDay, hasEnded, carries }) => ({
    carrier,
    services,
    /** Whether these are all services of the carrier in the tariff. */
    allServices,
    lastDay,
    hasEnded,
    /** Whether the last rate still applies. */
    carries,
  }));

type InForce = 'now' | 'later' | 'past';

type Told = Pick<Card, 'code' | 'carrier' | 'description' | 'addressLineRequired'>;
/** The common members of every service. */
export const serviceBody = ({ code, carrier, description, addressLineRequired }: Told) => ({
  ...{ shippingService: code, carrier, description, addressLineRequired },
});

/** Which tariffs and services are in force. @param book the rate cards in force at the instant */
export const tariffsInForce = (schedule: Schedule, book: RateBook, instant: Date) =>
  schedule.documents.map(({ file }, at) => {
    const id = must(schedule.ids[at], 'the id of a tariff');
    const today = dayIn(file.timeZone, instant);
    const isToCome = file.effective > today;
    const services = file.services.map((service) => {
      const isNow = book.byCode.get(service.code)?.tariff === id;
      const inForce: InForce = isNow ? 'now' : isToCome ? 'later' : 'past';
      return { service, inForce };
    });
    /** `now` if any of its services is in force. `past` if others have replaced all of them. */
    const inForce: InForce = services.some((one) => one.inForce === 'now') ? 'now' : isToCome ? 'later' : 'past';
    return { id, file, day: isToCome ? file.effective : today, inForce, services };
  });

/** @param now the cards in force today */
const entriesOf = (schedule: Schedule, now: RateBook, instant: Date, shipper: Pick<Shipper, 'warehouses'>) =>
  tariffsInForce(schedule, now, instant).map(({ id, file, day, inForce, services }) => ({
    /** Name and version, as in `?tariff=`. */
    id,
    name: file.name,
    version: id.slice(file.name.length + 1),
    description: file.description,
    effectiveDate: file.effective,
    /** Whether it is in force only if no other tariff is. */
    fallback: file.fallback,
    inForce,
    services: services.map(({ service, inForce: own }) => {
      const { maximumActualLb: maximumWeightLb, dimensionalFactor } = service;
      return { ...serviceBody(service), maximumWeightLb, dimensionalFactor, inForce: own };
    }),
    /** For services that are in force or will be. */
    coverage: coverageBody(schedule, id, day, shipper, (code) =>
      services.some(({ service, inForce: own }) => service.code === code && own !== 'past'),
    ),
  }));

/** `GET /console/tariffs`: the tariffs, with what ends or is missing for the shipper. */
export const tariffsBodyOf = (schedule: Schedule, instant: Date, shipper: Pick<Shipper, 'warehouses'>) => {
  const book = schedule.bookAt(instant);
  const uncharted = [...shipper.warehouses.values()].flatMap((warehouse) =>
    unchartedFor(book.cards, warehouse).map((entry) => ({ warehouse_id: warehouse.id, ...entry })),
  );
  return {
    tariffs: entriesOf(schedule, book, instant, shipper),
    fuelEnds: fuelEndsBody(schedule, instant),
    hasTransit: hasTransit(schedule),
    /** The client's warehouses that are in no zone chart today, by carrier. */
    uncharted,
  };
};
export type TariffsBody = ReturnType<typeof tariffsBodyOf>;

/**
 * `GET /console/tariffs/zones?service=&warehouse_id=&date=`. The date is `YYYY-MM-DD`. Default: today.
 * @param warehouse a warehouse in the United States
 */
export const zoneMapOf = (card: Card, { postalCode }: Warehouse) => {
  const origin = zip5Of(postalCode);
  return {
    shippingService: card.code,
    tariff: card.tariff,
    /** The ZIP3 of the warehouse. */
    origin: zipText(Math.floor(origin / ZIP5S_PER_ZIP3), 3),
    ...zonesByZip3(card, origin),
    /** Whether the zones were estimated from distances because no chart has this origin. */
    estimated: card.zones.sourceOf(origin, origin).estimated,
  };
};
export type ZonesBody = ReturnType<typeof zoneMapOf>;
