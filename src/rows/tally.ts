/**
 * Counts and sums of rated rows, for the state and the summary of a batch. The tallies of chunks add up to the tally of the
 * batch, in any order.
 */
import { missing } from '../must.ts';
import type { Fault } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import { missingParts, warningTypes } from '../rating/warning.ts';
import { type AllServicesTotals, addAllServices, createAllServices } from './all-services.ts';
import type { ServicePrices } from './service-prices.ts';

export interface Spend {
  readonly shipments: number;
  readonly netCents: number;
}

export interface Tally {
  readonly processed: number;
  readonly quoted: number;
  readonly faulted: number;
  /** The number of rows by fault type. */
  readonly faults: Readonly<Record<string, number>>;
  readonly byService: Readonly<Record<string, Spend>>;
  readonly byZone: Readonly<Record<string, Spend>>;
  /** By upper bound of the billing weight in pounds: `1`, `2`, `5`, … and `over`. */
  readonly byWeight: Readonly<Record<string, Spend>>;
  /** For quoted rows that name no service: the number of rows by cheapest service. */
  readonly cheapest: Readonly<Record<string, number>>;
  /** Quoted rows by warning type. A row with two warnings counts for both. */
  readonly warnings: Readonly<Record<string, Spend>>;
  /** Quoted rows with `price.incomplete`: the number of rows by missing part. A row counts for each part that it lacks. */
  readonly missing: Readonly<Record<string, number>>;
  /** Only of lists with `?services=all`. */
  readonly allServices?: AllServicesTotals | undefined;
}

export const WEIGHT_BANDS = [1, 2, 5, 10, 20, 50, 100, 150] as const;

type Mutable = { shipments: number; netCents: number };
type Ledger = Map<string, Mutable>;

export interface TallyBuilder {
  /**
   * @param compared whether the row named no service, so that this price is the cheapest of all
   * @param prices its prices by every service, if the list has them
   */
  readonly quoted: (price: Price, compared?: boolean, prices?: ServicePrices) => void;
  readonly faulted: (fault: Fault) => void;
  readonly result: () => Tally;
}

const plus = (a: Spend = { shipments: 0, netCents: 0 }, b: Spend): Spend => ({
  shipments: a.shipments + b.shipments,
  netCents: a.netCents + b.netCents,
});

/** The upper bound of the weight band, as a key: `1`, `2`, `5`, … or `over`. */
export const weightBand = (pounds: number): string => {
  for (const bound of WEIGHT_BANDS) if (pounds <= bound) return String(bound);
  return 'over';
};

const book = (ledger: Ledger, key: string, netCents: number): void => {
  const entry = ledger.get(key);
  if (entry === undefined) ledger.set(key, { shipments: 1, netCents });
  else {
    entry.shipments += 1;
    entry.netCents += netCents;
  }
};

const count = (counts: Map<string, number>, key: string, rows = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + rows);
};

/** Rows by the bits of their price's warnings. Whole lists have a warning, so the bits are spelled out only once. */
const createWarned = () => {
  const byBits: (Mutable | undefined)[] = [];
  return {
    add: (bits: number, netCents: number): void => {
      const entry = byBits[bits];
      if (entry === undefined) byBits[bits] = { shipments: 1, netCents };
      else {
        entry.shipments += 1;
        entry.netCents += netCents;
      }
    },
    result: (): Pick<Tally, 'warnings' | 'missing'> => {
      const warnings: Record<string, Spend> = {};
      const missing = new Map<string, number>();
      byBits.forEach((entry, bits) => {
        if (entry === undefined) return;
        for (const type of warningTypes(bits)) warnings[type] = plus(warnings[type], entry);
        for (const part of missingParts(bits)) count(missing, part, entry.shipments);
      });
      return { warnings, missing: Object.fromEntries(missing) };
    },
  };
};

/** @param services the codes of the services that each row is priced by, if the list has prices by every service */
export const createTally = (services: readonly string[] = []): TallyBuilder => {
  const byService: Ledger = new Map();
  const zones: Ledger = new Map();
  const weights: Ledger = new Map();
  const warned = createWarned();
  const allServices = services.length > 0 ? createAllServices(services) : undefined;
  const faults = new Map<string, number>();
  const cheapest = new Map<string, number>();
  let quotedRows = 0;
  let faultedRows = 0;
  return {
    quoted: (price, compared = false, prices = undefined) => {
      quotedRows += 1;
      book(byService, price.card.code, price.netCents);
      book(zones, String(price.card.rateZones[price.column] ?? missing('the zone of a price')), price.netCents);
      book(weights, weightBand(price.billingWeightLb), price.netCents);
      if (compared) count(cheapest, price.card.code);
      if (price.warnings !== 0) warned.add(price.warnings, price.netCents);
      if (prices !== undefined) allServices?.add(price, prices);
    },
    faulted: ({ type }) => {
      faultedRows += 1;
      count(faults, type);
    },
    result: () => ({
      processed: quotedRows + faultedRows,
      quoted: quotedRows,
      faulted: faultedRows,
      faults: Object.fromEntries(faults),
      byService: Object.fromEntries(byService),
      byZone: Object.fromEntries(zones),
      byWeight: Object.fromEntries(weights),
      cheapest: Object.fromEntries(cheapest),
      ...warned.result(),
      ...(allServices && { allServices: allServices.result() }),
    }),
  };
};

const addSpend = (a: Readonly<Record<string, Spend>>, b: Readonly<Record<string, Spend>>): Record<string, Spend> => {
  const sum: Record<string, Spend> = { ...a };
  for (const [key, more] of Object.entries(b)) sum[key] = plus(sum[key], more);
  return sum;
};

const addCounts = (
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> => {
  const sum: Record<string, number> = { ...a };
  for (const [key, more] of Object.entries(b)) sum[key] = (sum[key] ?? 0) + more;
  return sum;
};

export const EMPTY_TALLY: Tally = createTally().result();

/** All net charges together. */
export const netCentsOf = ({ byService }: Pick<Tally, 'byService'>): number =>
  Object.values(byService).reduce((sum, { netCents }) => sum + netCents, 0);

export const addTallies = (a: Tally, b: Tally): Tally => {
  const allServices = addAllServices(a.allServices, b.allServices);
  return {
    processed: a.processed + b.processed,
    quoted: a.quoted + b.quoted,
    faulted: a.faulted + b.faulted,
    faults: addCounts(a.faults, b.faults),
    byService: addSpend(a.byService, b.byService),
    byZone: addSpend(a.byZone, b.byZone),
    byWeight: addSpend(a.byWeight, b.byWeight),
    cheapest: addCounts(a.cheapest, b.cheapest),
    warnings: addSpend(a.warnings, b.warnings),
    missing: addCounts(a.missing, b.missing),
    ...(allServices && { allServices }),
  };
};

/** Subtracts one faulted row for each of these fault types. */
export const withoutFaults = (tally: Tally, types: readonly string[]): Tally => {
  const faults: Record<string, number> = { ...tally.faults };
  for (const type of types) faults[type] = (faults[type] ?? 0) - 1;
  return {
    ...tally,
    processed: tally.processed - types.length,
    faulted: tally.faulted - types.length,
    faults: Object.fromEntries(Object.entries(faults).filter(([, count]) => count > 0)),
  };
};
