/**
 * Counts and sums of rated rows, for the state and the summary of a batch. The tallies of chunks add up to the tally of the
 * batch, in any order.
 */
import type { Fault } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import { warningTypes } from '../rating/warning.ts';

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
}

export const WEIGHT_BANDS = [1, 2, 5, 10, 20, 50, 100, 150] as const;

type Mutable = { shipments: number; netCents: number };
type Ledger = Map<string, Mutable>;

export interface TallyBuilder {
  /** @param compared whether the row named no service, so that this price is the cheapest of all */
  readonly quoted: (price: Price, compared?: boolean) => void;
  readonly faulted: (fault: Fault) => void;
  readonly result: () => Tally;
}

const band = (pounds: number): string => {
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

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

export const createTally = (): TallyBuilder => {
  const services: Ledger = new Map();
  const zones: Ledger = new Map();
  const weights: Ledger = new Map();
  const warnings: Ledger = new Map();
  const faults = new Map<string, number>();
  const cheapest = new Map<string, number>();
  let quotedRows = 0;
  let faultedRows = 0;
  return {
    quoted: (price, compared = false) => {
      quotedRows += 1;
      book(services, price.card.code, price.netCents);
      book(zones, String(price.card.rateZones[price.column] ?? ''), price.netCents);
      book(weights, band(price.billingWeightLb), price.netCents);
      if (compared) count(cheapest, price.card.code);
      if (price.warnings !== 0) for (const type of warningTypes(price.warnings)) book(warnings, type, price.netCents);
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
      byService: Object.fromEntries(services),
      byZone: Object.fromEntries(zones),
      byWeight: Object.fromEntries(weights),
      cheapest: Object.fromEntries(cheapest),
      warnings: Object.fromEntries(warnings),
    }),
  };
};

const addSpend = (a: Readonly<Record<string, Spend>>, b: Readonly<Record<string, Spend>>): Record<string, Spend> => {
  const sum: Record<string, Spend> = { ...a };
  for (const [key, { shipments, netCents }] of Object.entries(b)) {
    const held = sum[key];
    sum[key] = { shipments: shipments + (held?.shipments ?? 0), netCents: netCents + (held?.netCents ?? 0) };
  }
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

export const addTallies = (a: Tally, b: Tally): Tally => ({
  processed: a.processed + b.processed,
  quoted: a.quoted + b.quoted,
  faulted: a.faulted + b.faulted,
  faults: addCounts(a.faults, b.faults),
  byService: addSpend(a.byService, b.byService),
  byZone: addSpend(a.byZone, b.byZone),
  byWeight: addSpend(a.byWeight, b.byWeight),
  cheapest: addCounts(a.cheapest, b.cheapest),
  warnings: addSpend(a.warnings, b.warnings),
});

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
