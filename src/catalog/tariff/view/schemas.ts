/** What pages show of a tariff's services. */
import { z } from 'zod';
import { TARIFF_PARTS } from '../../../rating/charges.ts';

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
