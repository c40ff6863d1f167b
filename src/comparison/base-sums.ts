/**
 * Adds up the base of a comparison, once for all scenarios. A scenario adds only what differs from it, and the rows that it
 * has no price for: most rows of most scenarios then cost a few additions.
 */
import { missing } from '../must.ts';
import { Failed } from '../rating/fault.ts';
import { destinationOf } from '../rating/rate.ts';
import { warningTypes } from '../rating/warning.ts';
import { BAND_KEYS, bandOf } from '../rows/tally.ts';
import { STATES, stateIndexOf } from '../tariff/zip-states.ts';
import { BASE, DISCOUNT, type KnownCards } from './known-cards.ts';
import type { SeenRow } from './seen.ts';
import { type Both, noRows, type Sums } from './sums.ts';

/** Rows and cents by number. They grow. */
export interface Ledger {
  readonly rows: number[];
  readonly cents: number[];
}
const createLedger = (): Ledger => ({ rows: [], cents: [] });

/** Adds to a list of numbers that may be shorter than the place. */
export const addAt = (list: number[], at: number, amount: number): void => {
  while (list.length <= at) list.push(0);
  list[at] = (list[at] ?? missing('a sum')) + amount;
};

const book = ({ rows, cents }: Ledger, at: number, amount: number): void => {
  addAt(rows, at, 1);
  addAt(cents, at, amount);
};

/** Rate zones are 1 to 8. */
const ZONES = 9;
const BANDS = BAND_KEYS.length;
const PLACES_PER_SERVICE = ZONES * BANDS;

/** The current row of the base: where it counts, and what its charges are. */
export interface BaseRow {
  /** The service, the zone and the weight band in one number. */
  place: number;
  /** In `STATES`. */
  state: number;
  /** The numbers of its charges that are not 0: the first `count` of these. */
  readonly charges: number[];
  count: number;
  /** By number, the row in which a charge was seen last, and its cents there. */
  readonly seenIn: number[];
  readonly cents: number[];
}

const addCharge = (base: BaseRow, number: number, row: number, amount: number): void => {
  const { charges, seenIn, cents } = base;
  while (seenIn.length <= number) {
    seenIn.push(0);
    cents.push(0);
  }
  if (seenIn[number] === row) cents[number] = (cents[number] ?? missing('the cents of a charge')) + amount;
  else {
    charges[base.count++] = number;
    seenIn[number] = row;
    cents[number] = amount;
  }
};

export interface Ledgers {
  readonly places: Ledger;
  readonly states: Ledger;
  readonly charges: Ledger;
}

export const createLedgers = (): Ledgers => ({
  places: createLedger(),
  states: createLedger(),
  charges: createLedger(),
});

/** Counts the current row in ledgers. */
export const bookRow = ({ places, states, charges }: Ledgers, row: BaseRow, netCents: number): void => {
  book(places, row.place, netCents);
  book(states, row.state, netCents);
  for (let at = 0; at < row.count; at++) {
    const number = row.charges[at] ?? missing('the number of a charge');
    book(charges, number, row.cents[number] ?? missing('the cents of a charge'));
  }
};

export const createBaseSums = (cards: KnownCards) => {
  const row: BaseRow = { place: 0, state: 0, charges: [], count: 0, seenIn: [], cents: [] };
  const ledgers = createLedgers();
  const faults = new Map<string, number>();
  const warned: number[] = [];
  const totals = { rows: 0, priced: 0, cents: 0 };
  return {
    row,
    ledgers,
    /** @param number of the row, from 1 */
    add: (number: number, { shipment, base: { price, known, rated } }: SeenRow): void => {
      totals.rows += 1;
      if (rated instanceof Failed) {
        faults.set(rated.fault.type, (faults.get(rated.fault.type) ?? 0) + 1);
        return;
      }
      if (price === undefined || known === undefined || shipment === undefined) return;
      const { card, column, billingWeightLb, charges, surcharges, baseCents, discountCents, netCents } = price;
      totals.priced += 1;
      totals.cents += netCents;
      const zone = card.rateZones[column] ?? missing('the zone of a price');
      row.place = known.service * PLACES_PER_SERVICE + zone * BANDS + bandOf(billingWeightLb);
      row.state = stateIndexOf(destinationOf(shipment));
      row.count = 0;
      addCharge(row, BASE, number, baseCents);
      if (discountCents !== 0) addCharge(row, DISCOUNT, number, -discountCents);
      const numbers = cards.chargesOn(charges);
      for (let at = 0; at < surcharges.length; at++) {
        const amount = surcharges[at] ?? missing('the amount of a charge');
        if (amount !== 0) addCharge(row, numbers[at] ?? missing('the number of a charge'), number, amount);
      }
      bookRow(ledgers, row, netCents);
      if (price.warnings !== 0) addAt(warned, price.warnings, 1);
    },
    result: (): Sums['base'] => ({ ...totals, faults: Object.fromEntries(faults), warnings: countsOf(warned) }),
  };
};

/** Rows by the type of a warning, of rows by warning bits. */
export const countsOf = (byBits: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  byBits.forEach((rows, bits) => {
    if (rows > 0) for (const type of warningTypes(bits)) counts[type] = (counts[type] ?? 0) + rows;
  });
  return counts;
};

/** What a scenario has beside the base: rows that it has no price for, and the differences of the others. */
export interface Differences {
  readonly missing: Ledger;
  readonly cents: readonly number[];
  /** Rows that only the scenario has in the ledger. */
  readonly extraRows?: readonly number[];
}

type Named = (at: number) => string;

/** The sums by name of the rows that both sides price. Those without such a row are left out. */
export const comparedBy = (
  name: Named,
  base: Ledger,
  { missing, cents, extraRows = [] }: Differences,
): Record<string, Both> => {
  const sums: Record<string, Both> = {};
  for (let at = 0; at < Math.max(base.rows.length, cents.length); at++) {
    const rows = (base.rows[at] ?? 0) - (missing.rows[at] ?? 0) + (extraRows[at] ?? 0);
    if (rows === 0) continue;
    const baseCents = (base.cents[at] ?? 0) - (missing.cents[at] ?? 0);
    const key = name(at);
    const sum = sums[key] ?? noRows();
    sums[key] = sum;
    sum.rows += rows;
    sum.baseCents += baseCents;
    sum.netCents += baseCents + (cents[at] ?? 0);
  }
  return sums;
};

/** The parts of a place. */
export const placeNames = ({
  services: { list },
}: KnownCards): Readonly<Record<'service' | 'zone' | 'weight', Named>> => ({
  service: (place) => list[Math.floor(place / PLACES_PER_SERVICE)] ?? missing('the service of a place'),
  zone: (place) => String(Math.floor((place % PLACES_PER_SERVICE) / BANDS)),
  weight: (place) => BAND_KEYS[place % BANDS] ?? missing('the band of a place'),
});

export const stateName: Named = (state) => STATES[state] ?? missing('the name of a state');
