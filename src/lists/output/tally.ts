/**
 * Counts and sums of rated rows, for the state and the summary of a batch. The tallies of chunks add up to the tally of the
 * batch, in any order.
 */
import { z } from 'zod';
import { count, getOrMake } from '../../base/maps.ts';
import { missing } from '../../base/must.ts';
import type { Card } from '../../rating/card.ts';
import type { Fault } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import { isIncomplete, missingParts, warningTypes } from '../../rating/warning.ts';
import type { ServicePrices } from '../rows/extra-cells.ts';

const spend = z.object({ shipments: z.int(), netCents: z.int() });
export type Spend = z.output<typeof spend>;

/** Sums over the rows that a service takes. */
const serviceTotals = z.object({
  shipments: z.int(),
  /** In cents, by this service. */
  netCents: z.int(),
  /** In cents, for the same rows as chosen. */
  asChosenCents: z.int(),
  /** In cents, for the same rows, each by its cheapest service. */
  cheapestCents: z.int(),
  /** The number of incomplete prices by this service. */
  incomplete: z.int(),
});

/**
 * What the quoted rows of a list with `?services=all` cost: by each service, as chosen, and by the cheapest service of each
 * row. As chosen means by the service that the row names, or by the cheapest if it names none.
 */
const allServicesTotals = z.object({
  /** The number of quoted rows. */
  rows: z.int(),
  asChosenCents: z.int(),
  cheapestCents: z.int(),
  /** The number of incomplete prices as chosen, and of incomplete cheapest prices. */
  incompleteAsChosen: z.int(),
  incompleteCheapest: z.int(),
  /** Every service of the list's tariffs, by code. */
  services: z.record(z.string(), serviceTotals),
});

export const tallySchema = z.object({
  processed: z.int(),
  quoted: z.int(),
  faulted: z.int(),
  /** Rows whose order has its price or its fault in another row. Absent if there are none. */
  joined: z.int().optional(),
  /** The number of rows by fault type. */
  faults: z.record(z.string(), z.int()),
  byService: z.record(z.string(), spend),
  byZone: z.record(z.string(), spend),
  /** By upper bound of the billing weight in pounds: `1`, `2`, `5`, … and `over`. */
  byWeight: z.record(z.string(), spend),
  /** For quoted rows that name no service: the number of rows by cheapest service. */
  cheapest: z.record(z.string(), z.int()),
  /** Quoted rows by warning type. A row with two warnings counts for both. */
  warnings: z.record(z.string(), spend),
  /** Quoted rows with `price.incomplete`, by missing part. A row counts for each part that is missing. */
  missing: z.record(z.string(), z.int()),
  /** Only for lists with `?services=all`. */
  allServices: allServicesTotals.optional(),
});
export type Tally = z.output<typeof tallySchema>;

/** A number, or sums by name. */
type Sum = number | { readonly [name: string]: Sum | undefined };

/** Adds numbers, or sums by name. A name that only one side has keeps its sum. */
export const plus = <T extends Sum>(a: T, b: T): T => {
  if (typeof a === 'number' || typeof b === 'number') return (Number(a) + Number(b)) as T;
  const sum = new Map(Object.entries(a));
  for (const [name, more] of Object.entries(b)) {
    const before = sum.get(name);
    sum.set(name, before === undefined || more === undefined ? (before ?? more) : plus(before, more));
  }
  return Object.fromEntries(sum) as T;
};

const WEIGHT_BANDS = [1, 2, 5, 10, 20, 50, 100, 150] as const;
/** The keys of weight bands: the upper bound of the billing weight in pounds, and `over`. */
export const BAND_KEYS: readonly string[] = [...WEIGHT_BANDS.map(String), 'over'];

/** Returns the index into `BAND_KEYS` for a billing weight. */
export const bandOf = (pounds: number): number => {
  let at = 0;
  for (const bound of WEIGHT_BANDS) {
    if (pounds <= bound) return at;
    at += 1;
  }
  return at;
};
export const weightBand = (pounds: number): string => BAND_KEYS[bandOf(pounds)] ?? missing('a weight band');

/** Applies `body` to the sums of each weight band, lightest first. The heaviest band has no upper bound. */
export const inBands = <S, T>(byWeight: Readonly<Record<string, S>>, body: (sum: S) => T) =>
  BAND_KEYS.flatMap((key, at) => {
    const sum = byWeight[key];
    if (sum === undefined) return [];
    return [{ overLb: WEIGHT_BANDS[at - 1] ?? 0, toLb: WEIGHT_BANDS[at] ?? null, ...body(sum) }];
  });

/** Adds a row to the sum under a key. */
const book = <K>(sums: Map<K, Spend>, key: K, netCents: number, shipments = 1): void => {
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { shipments, netCents });
  else {
    sum.shipments += shipments;
    sum.netCents += netCents;
  }
};

/** What a service's card took: by rate column, and how many rows chose it as the cheapest. */
interface CardSums {
  readonly byColumn: Map<number, Spend>;
  cheapest: number;
}

/** @param sums by warning bits. Bits are converted to names only here, because all rows of a list may have a warning */
const warned = (sums: ReadonlyMap<number, Spend>): Pick<Tally, 'warnings' | 'missing'> => {
  const warnings: Tally['warnings'] = {};
  const missing = new Map<string, number>();
  for (const [bits, sum] of sums) {
    for (const type of warningTypes(bits)) warnings[type] = plus(warnings[type] ?? { shipments: 0, netCents: 0 }, sum);
    for (const part of missingParts(bits)) count(missing, part, sum.shipments);
  }
  return { warnings, missing: Object.fromEntries(missing) };
};

/** @param services the codes of the services, in the order of `ServicePrices` */
const createAllServices = (services: readonly string[]) => {
  const sum = { rows: 0, asChosenCents: 0, cheapestCents: 0, incompleteAsChosen: 0, incompleteCheapest: 0 };
  const none = { shipments: 0, netCents: 0, asChosenCents: 0, cheapestCents: 0, incomplete: 0 };
  const totals = services.map(() => ({ ...none }));
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
    result: () => ({ ...sum, services: Object.fromEntries(services.map((code, at) => [code, totals[at] ?? none])) }),
  };
};

/** @param services the codes of the services that price each row, if the list has prices by every service */
export const createTally = (services: readonly string[] = []) => {
  // A row is booked by its card and its rate column. Services and zones are added up at the end.
  const byCard = new Map<Card, CardSums>();
  const byBand = new Map<number, Spend>();
  const byWarnings = new Map<number, Spend>();
  const allServices = services.length > 0 ? createAllServices(services) : undefined;
  const faults = new Map<string, number>();
  let quoted = 0;
  let faulted = 0;
  let joined = 0;
  return {
    /**
     * @param compared whether the row named no service, so that this price is the cheapest of all
     * @param prices its prices by every service, if the list has them
     */
    quoted: (price: Price, compared = false, prices?: ServicePrices): void => {
      quoted += 1;
      const { card, column, billingWeightLb, warnings, netCents } = price;
      const sums = getOrMake(byCard, card, () => ({ byColumn: new Map(), cheapest: 0 }));
      book(sums.byColumn, column, netCents);
      book(byBand, bandOf(billingWeightLb), netCents);
      if (compared) sums.cheapest += 1;
      if (warnings !== 0) book(byWarnings, warnings, netCents);
      if (prices !== undefined) allServices?.add(price, prices);
    },
    faulted: ({ type }: Fault): void => {
      faulted += 1;
      count(faults, type);
    },
    joined: (): void => {
      joined += 1;
    },
    result: (): Tally => {
      const [byService, byZone] = [new Map<string, Spend>(), new Map<string, Spend>()];
      const cheapest = new Map<string, number>();
      for (const [card, sums] of byCard) {
        if (sums.cheapest > 0) count(cheapest, card.code, sums.cheapest);
        for (const [column, { shipments, netCents }] of sums.byColumn) {
          book(byService, card.code, netCents, shipments);
          book(byZone, String(card.rateZones[column] ?? missing('the zone of a price')), netCents, shipments);
        }
      }
      return {
        processed: quoted + faulted + joined,
        quoted,
        faulted,
        ...(joined > 0 && { joined }),
        faults: Object.fromEntries(faults),
        byService: Object.fromEntries(byService),
        byZone: Object.fromEntries(byZone),
        byWeight: Object.fromEntries(
          [...byBand].map(([band, sum]) => [BAND_KEYS[band] ?? missing('a weight band'), sum]),
        ),
        cheapest: Object.fromEntries(cheapest),
        ...warned(byWarnings),
        ...(allServices && { allServices: allServices.result() }),
      };
    },
  };
};

export const EMPTY_TALLY: Tally = createTally().result();

/** Returns the total of all net charges. */
export const netCentsOf = ({ byService }: Pick<Tally, 'byService'>): number =>
  Object.values(byService).reduce((sum, { netCents }) => sum + netCents, 0);
