/** Tariffs on the pages: the list with the coverage of each, and the zones of a warehouse. */
import { z } from 'zod';
import { TARIFF_PARTS } from '../../../rating/charges.ts';

const inForce = z.enum(['now', 'later', 'past']);

/** Whether a part of the price is in the tariff, missing, or not charged by the carrier. */
export const partState = z.enum(['present', 'missing', 'none']);

/**
 * The coverage of a service by a tariff, today or on its first day.
 * @param warehouse identifies warehouses: ids for the warehouses of one client
 */
export const coverageRow = <W extends z.ZodType>(warehouse: W) =>
  z.object({
    shippingService: z.string(),
    /** Warehouses by the source of their zones. */
    zones: z.array(
      z.object({ zones: z.enum(['charted', 'distance', 'estimated', 'unreached']), warehouses: z.array(warehouse) }),
    ),
    /** In percent, such as `26.00`. Null if there is no rate on that day. Dates are `YYYY-MM-DD`. */
    fuelPercent: z.string().nullable(),
    /** The last day with a fuel rate. Null if there is no end, or there was no rate. */
    fuelLastDay: z.string().nullable(),
    /** The first day with a rate, if there is no rate on that day. */
    fuelNextDay: z.string().nullable(),
    areaTiers: z.int(),
    areaZipCodes: z.int(),
    maximumLengthIn: z.int().nullable(),
    maximumLengthPlusGirthIn: z.int().nullable(),
    parts: z.record(z.enum(TARIFF_PARTS), partState),
  });

/** The common members of every service. */
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
      /** Whether it is in force only if no other tariff is. */
      fallback: z.boolean(),
      /** `now` if any of its services is in force. `past` if others have replaced all of them. */
      inForce,
      services: z.array(
        z.object({
          ...serviceMembers,
          maximumWeightLb: z.int(),
          dimensionalFactor: z.int(),
          inForce,
        }),
      ),
      /** For services that are in force or will be. */
      coverage: z.object({ date: z.string(), services: z.array(coverageRow(z.int())) }),
    }),
  ),
  /** Fuel rates of services in force that have ended or will end within a week. */
  fuelEnds: z.array(
    z.object({
      carrier: z.string(),
      services: z.array(z.string()),
      /** Whether these are all services of the carrier in the tariff. */
      allServices: z.boolean(),
      lastDay: z.string(),
      hasEnded: z.boolean(),
      /** Whether the last rate still applies. */
      carries: z.boolean(),
    }),
  ),
  /** The client's warehouses that are in no zone chart today, by carrier. */
  uncharted: z.array(
    z.object({
      warehouse_id: z.int(),
      carrier: z.string(),
      services: z.array(z.string()),
      /** Whether these are all services of the carrier. */
      allServices: z.boolean(),
      /** Whether zones from there are estimated by distance, or shipments from there are not accepted. */
      zones: z.enum(['estimated', 'unreached']),
    }),
  ),
});
export type TariffsBody = z.output<typeof tariffsBody>;

/** `GET /console/tariffs/zones?service=&warehouse_id=&date=`. The date is `YYYY-MM-DD`. Default: today. */
export const zonesBody = z.object({
  shippingService: z.string(),
  tariff: z.string(),
  /** The ZIP3 of the warehouse. */
  origin: z.string(),
  /** The zone (`1` to `8`) of most ZIP codes in each ZIP3. A ZIP3 without service is absent. */
  zones: z.record(z.string(), z.string()),
  /** The number of ZIP3s that also have ZIP codes in other zones. */
  exceptions: z.int(),
  /** Whether the zones were estimated from distances because no chart has this origin. */
  estimated: z.boolean(),
});
export type ZonesBody = z.output<typeof zonesBody>;
