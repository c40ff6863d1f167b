/** What the pages show of tariffs: the list with what each covers, and the zones of a warehouse. */
import { z } from 'zod';
import { TARIFF_PARTS } from '../../../rating/charges.ts';

const inForce = z.enum(['now', 'later', 'past']);

/** Whether the tariff has a part of the price, lacks it, or the carrier does not charge it. */
export const partState = z.enum(['present', 'missing', 'none']);

/**
 * What a tariff has for a service, today or on its first day.
 * @param warehouse how warehouses are named: those of one client by their ids
 */
export const coverageRow = <W extends z.ZodType>(warehouse: W) =>
  z.object({
    shippingService: z.string(),
    /** The warehouses by how their zones are known. */
    zones: z.array(
      z.object({ zones: z.enum(['charted', 'distance', 'estimated', 'unreached']), warehouses: z.array(warehouse) }),
    ),
    /** In percent, such as `26.00`; null if there is no rate on that day. Dates are `YYYY-MM-DD`. */
    fuelPercent: z.string().nullable(),
    /** The last day with a fuel rate; null if there is no end, or there was no rate. */
    fuelLastDay: z.string().nullable(),
    /** If there is no rate on that day: the first day with one. */
    fuelNextDay: z.string().nullable(),
    areaTiers: z.int(),
    areaZipCodes: z.int(),
    maximumLengthIn: z.int().nullable(),
    maximumLengthPlusGirthIn: z.int().nullable(),
    parts: z.record(z.enum(TARIFF_PARTS), partState),
  });

/** What is told of every service. */
export const serviceMembers = {
  shippingService: z.string(),
  carrier: z.string(),
  description: z.string(),
  addressLineRequired: z.boolean(),
};

/** `GET /console/tariffs` */
export const tariffsBody = z.object({
  tariffs: z.array(
    z.object({
      /** Name and version, as in `?tariff=`. */
      id: z.string(),
      name: z.string(),
      version: z.string(),
      description: z.string(),
      /** `YYYY-MM-DD` */
      effectiveDate: z.string(),
      /** Whether it is in force only while no other tariff is. */
      fallback: z.boolean(),
      /** `now` if any of its services is in force; `past` if others have replaced all of them. */
      inForce,
      services: z.array(
        z.object({
          ...serviceMembers,
          maximumWeightLb: z.int(),
          dimensionalFactor: z.int(),
          inForce,
        }),
      ),
      /** Of the services that are in force or to come. */
      coverage: z.object({ date: z.string(), services: z.array(coverageRow(z.int())) }),
    }),
  ),
  /** Fuel rates of services in force that have ended, or end within a week. */
  fuelEnds: z.array(
    z.object({
      carrier: z.string(),
      services: z.array(z.string()),
      /** Whether these are all services of the carrier in the tariff. */
      allServices: z.boolean(),
      lastDay: z.string(),
      hasEnded: z.boolean(),
      /** Whether the last rate holds on. */
      carries: z.boolean(),
    }),
  ),
  /** The client's warehouses that no zone chart has today, by carrier. */
  uncharted: z.array(
    z.object({
      warehouse_id: z.int(),
      carrier: z.string(),
      services: z.array(z.string()),
      /** Whether these are all services of the carrier. */
      allServices: z.boolean(),
      /** Whether zones from there are estimated by distance, or shipments from there are not served. */
      zones: z.enum(['estimated', 'unreached']),
    }),
  ),
});
export type TariffsBody = z.output<typeof tariffsBody>;

/** `GET /console/tariffs/zones?service=&warehouse_id=&date=`; the date is `YYYY-MM-DD`, today unless given. */
export const zonesBody = z.object({
  shippingService: z.string(),
  tariff: z.string(),
  /** The ZIP3 of the warehouse. */
  origin: z.string(),
  /** For each ZIP3, the zone (`1` to `8`) of most of its ZIP codes. A ZIP3 that is not served is absent. */
  zones: z.record(z.string(), z.string()),
  /** How many ZIP3s have ZIP codes of other zones too. */
  exceptions: z.int(),
  /** Whether the zones were estimated from distances, because no chart has this origin. */
  estimated: z.boolean(),
});
export type ZonesBody = z.output<typeof zonesBody>;
