/**
 * What the quoted rows of a list with `?services=all` cost by each service, beside what the same rows cost as chosen (by the
 * service that the row names, or by the cheapest if it names none) and by the cheapest service of each. Rows with a fault
 * count nowhere.
 */
import { z } from 'zod';
import type { Price } from '../rating/price.ts';
import { isIncomplete } from '../rating/warning.ts';
import type { ServicePrices } from './service-prices.ts';

/** Sums over the rows that a service takes. */
const serviceTotals = z.object({
  shipments: z.int(),
  /** By this service. */
  netCents: z.int(),
  /** The same rows as chosen. */
  asChosenCents: z.int(),
  /** The same rows, each by its cheapest service. */
  cheapestCents: z.int(),
  /** How many of the prices by this service are incomplete. */
  incomplete: z.int(),
});
type ServiceTotals = z.output<typeof serviceTotals>;

export const allServicesTotals = z.object({
  /** The number of quoted rows. */
  rows: z.int(),
  asChosenCents: z.int(),
  cheapestCents: z.int(),
  /** How many of the prices as chosen, and of the cheapest, are incomplete. */
  incompleteAsChosen: z.int(),
  incompleteCheapest: z.int(),
  /** Every service of the list's tariffs, by code. */
  services: z.record(z.string(), serviceTotals),
});
export type AllServicesTotals = Readonly<z.output<typeof allServicesTotals>>;

const NONE: Readonly<ServiceTotals> = { shipments: 0, netCents: 0, asChosenCents: 0, cheapestCents: 0, incomplete: 0 };

/** @param services the codes of the services, in the order of `ServicePrices` */
export const createAllServices = (services: readonly string[]) => {
  const sum = { rows: 0, asChosenCents: 0, cheapestCents: 0, incompleteAsChosen: 0, incompleteCheapest: 0 };
  const totals = services.map((code) => ({ code, ...NONE }));
  return {
    add: (chosen: Price, { byService, cheapest }: ServicePrices): void => {
      sum.rows += 1;
      sum.asChosenCents += chosen.netCents;
      sum.cheapestCents += cheapest.netCents;
      if (isIncomplete(chosen.warnings)) sum.incompleteAsChosen += 1;
      if (isIncomplete(cheapest.warnings)) sum.incompleteCheapest += 1;
      for (let at = 0; at < totals.length; at++) {
        const [price, total] = [byService[at], totals[at]];
        if (price === undefined || total === undefined) continue;
        total.shipments += 1;
        total.netCents += price.netCents;
        total.asChosenCents += chosen.netCents;
        total.cheapestCents += cheapest.netCents;
        if (isIncomplete(price.warnings)) total.incomplete += 1;
      }
    },
    result: (): AllServicesTotals => ({
      ...sum,
      services: Object.fromEntries(totals.map(({ code, ...total }) => [code, total])),
    }),
  };
};

const plus = (a: Readonly<ServiceTotals> = NONE, b: Readonly<ServiceTotals>): ServiceTotals => ({
  shipments: a.shipments + b.shipments,
  netCents: a.netCents + b.netCents,
  asChosenCents: a.asChosenCents + b.asChosenCents,
  cheapestCents: a.cheapestCents + b.cheapestCents,
  incomplete: a.incomplete + b.incomplete,
});

/** The sums of no rows are absent. */
export const addAllServices = (
  a: AllServicesTotals | undefined,
  b: AllServicesTotals | undefined,
): AllServicesTotals | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  const services: Record<string, ServiceTotals> = { ...a.services };
  for (const [code, more] of Object.entries(b.services)) services[code] = plus(services[code], more);
  return {
    rows: a.rows + b.rows,
    asChosenCents: a.asChosenCents + b.asChosenCents,
    cheapestCents: a.cheapestCents + b.cheapestCents,
    incompleteAsChosen: a.incompleteAsChosen + b.incompleteAsChosen,
    incompleteCheapest: a.incompleteCheapest + b.incompleteCheapest,
    services,
  };
};
