/**
 * Adds up the rows of a comparison. It adds up the base once for all scenarios. For each scenario, it only adds up
 * differences from the base and rows without a price. So most rows of most scenarios cost only a few additions.
 */

import { Failed } from '../../base/failed.ts';
import { getOrMake } from '../../base/maps.ts';
import { missing } from '../../base/must.ts';
import { STATES, stateIndexOf } from '../../catalog/tariff/zones-by-zip3.ts';
import { causesOf } from '../../rating/attribution.ts';
import { programsOff } from '../../rating/discount-items.ts';
import type { Price } from '../../rating/price.ts';
import { destinationOf, type Rated } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';
import { missingParts, warningTypes } from '../../rating/warning.ts';
import { PROGRAM_PART } from '../columns/plain-words.ts';
import { BAND_KEYS, bandOf, plus } from '../output/tally.ts';
import { BASE, DISCOUNT, type KnownCards, type SeenRow, type SeenSide } from './known-cards.ts';
import {
  addRow,
  type Both,
  EXTREME_ROWS,
  type ExtremeRow,
  keepExtreme,
  noRows,
  type ScenarioSums,
  type Sums,
} from './sums.ts';

/** Rows and cents, by number. The arrays grow as needed. */
const createLedger = (): { readonly rows: number[]; readonly cents: number[] } => ({ rows: [], cents: [] });
type Ledger = ReturnType<typeof createLedger>;

/** Adds an amount at an index of a list, which may be too short for it. */
const addAt = (list: number[], at: number, amount: number): void => {
  while (list.length <= at) list.push(0);
  list[at] = (list[at] ?? missing('a sum')) + amount;
};

const book = ({ rows, cents }: Ledger, at: number, amount: number): void => {
  addAt(rows, at, 1);
  addAt(cents, at, amount);
};

/** Rate zones are 1 to 8, so index 0 is unused. */
const ZONES = 9;
const BANDS = BAND_KEYS.length;
const PLACES_PER_SERVICE = ZONES * BANDS;

/** The base's current row: where it counts, and its charges. */
interface BaseRow {
  /** Service, zone and weight band in one number. */
  place: number;
  /** Index into `STATES`. */
  state: number;
  /** The numbers of its charges that are not 0. Only the first `count` entries are valid. */
  readonly charges: number[];
  count: number;
  /** By charge number: the last row with this charge, and its cents there. */
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

const createLedgers = () => ({ places: createLedger(), states: createLedger(), charges: createLedger() });
type Ledgers = ReturnType<typeof createLedgers>;

/** Adds the current row to ledgers. */
const bookRow = ({ places, states, charges }: Ledgers, row: BaseRow, netCents: number): void => {
  book(places, row.place, netCents);
  book(states, row.state, netCents);
  for (let at = 0; at < row.count; at++) {
    const number = row.charges[at] ?? missing('the number of a charge');
    book(charges, number, row.cents[number] ?? missing('the cents of a charge'));
  }
};

const createBaseSums = (cards: KnownCards) => {
  const row: BaseRow = { place: 0, state: 0, charges: [], count: 0, seenIn: [], cents: [] };
  const ledgers = createLedgers();
  const faults = new Map<string, number>();
  const warned: number[] = [];
  const totals = { rows: 0, priced: 0, cents: 0 };
  return {
    row,
    ledgers,
    /** @param number the row's number, from 1 */
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
    result: (): Sums['base'] => ({ ...totals, faults: Object.fromEntries(faults), ...warnedBy(warned) }),
  };
};

/** Converts rows by warning bits to rows by warning type and rows by the part that is missing from their prices. */
const warnedBy = (byBits: readonly number[]): Pick<ScenarioSums, 'warnings' | 'missing'> => {
  const warnings: Record<string, number> = {};
  const missing: Record<string, number> = {};
  byBits.forEach((rows, bits) => {
    if (rows === 0) return;
    for (const type of warningTypes(bits)) warnings[type] = (warnings[type] ?? 0) + rows;
    for (const part of missingParts(bits)) missing[part] = (missing[part] ?? 0) + rows;
  });
  return { warnings, missing };
};

/** How a scenario differs from the base: rows that it cannot price, and the differences of the other rows. */
interface Differences {
  readonly missing: Ledger;
  readonly cents: readonly number[];
  /** Rows that only the scenario has in this ledger. */
  readonly extraRows?: readonly number[];
}

type Named = (at: number) => string;

/** Returns sums by name of the rows that both sides price. Leaves out names without such rows. */
const comparedBy = (
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

/** Returns functions that name the parts of a place. */
const placeNames = ({ services: { list } }: KnownCards): Readonly<Record<'service' | 'zone' | 'weight', Named>> => ({
  service: (place) => list[Math.floor(place / PLACES_PER_SERVICE)] ?? missing('the service of a place'),
  zone: (place) => String(Math.floor((place % PLACES_PER_SERVICE) / BANDS)),
  weight: (place) => BAND_KEYS[place % BANDS] ?? missing('the band of a place'),
});

const stateName: Named = (state) => STATES[state] ?? missing('the name of a state');

type Moves = Pick<ScenarioSums, 'cheaper' | 'same' | 'dearer'>;
const noMoves = (): Moves => ({ cheaper: noRows(), same: noRows(), dearer: noRows() });

const numbers = (): number[] => [];

/** Returns the running sums of a scenario. @param chooses whether it chooses among warehouses */
const createRunning = (chooses: boolean) => {
  const alone: Pick<ScenarioSums, 'onlyBase' | 'onlyScenario' | 'neither' | 'mostDearer' | 'mostCheaper'> = {
    ...{ onlyBase: { rows: 0, cents: 0 }, onlyScenario: { rows: 0, cents: 0 }, neither: 0 },
    ...{ mostDearer: [], mostCheaper: [] },
  };
  return {
    missing: createLedgers(),
    /** Cents more than the base, by the base's indexes. */
    places: numbers(),
    states: numbers(),
    charges: numbers(),
    /** By charge number: rows in which only the scenario has the charge, and the last row that was counted. */
    extraRows: numbers(),
    seenIn: numbers(),
    /** By the base's service, then by the scenario's. */
    moves: [] as Moves[][],
    warehouses: chooses ? new Map<number, Both>() : undefined,
    warned: numbers(),
    baseWarned: numbers(),
    faults: new Map<string, number>(),
    /** Sums that go into the result unchanged. */
    alone,
    causes: { zone: 0, weight: 0, multiweight: 0, minimum: 0 },
    /** Cents that each agreement program takes off less than in the base. */
    programs: new Map<string, number>(),
  };
};
type Running = ReturnType<typeof createRunning>;

/** Adds the differences of the charges. */
const addCharges = (own: Running, base: BaseRow, row: number, price: Price, numbers: readonly number[]): void => {
  const add = (number: number, amount: number): void => {
    addAt(own.charges, number, amount);
    if (base.seenIn[number] === row || own.seenIn[number] === row) return;
    addAt(own.extraRows, number, 1);
    while (own.seenIn.length <= number) own.seenIn.push(0);
    own.seenIn[number] = row;
  };
  for (let at = 0; at < base.count; at++) {
    const number = base.charges[at] ?? missing('the number of a charge');
    addAt(own.charges, number, -(base.cents[number] ?? missing('the cents of a charge')));
  }
  add(BASE, price.baseCents);
  if (price.discountCents !== 0) add(DISCOUNT, -price.discountCents);
  const { surcharges } = price;
  for (let at = 0; at < surcharges.length; at++) {
    const amount = surcharges[at] ?? missing('the amount of a charge');
    if (amount !== 0) add(numbers[at] ?? missing('the number of a charge'), amount);
  }
};

/** Whether zone, weight and minimums cannot cause a difference. Then any difference of base charges is from the rates. */
const isRateAlone = (first: Price, other: Price): boolean =>
  first.terms === undefined &&
  other.terms === undefined &&
  first.column === other.column &&
  first.billingWeightLb === other.billingWeightLb &&
  first.card.columns === other.card.columns;

const addPrograms = (programs: Map<string, number>, off: ReadonlyMap<string, number>, sign: number): void => {
  for (const [program, cents] of off) programs.set(program, (programs.get(program) ?? 0) + sign * cents);
};

const addCauses = (
  { causes, programs }: Running,
  shipment: Shipment,
  before: Rated,
  after: Rated,
  first: Price,
  other: Price,
) => {
  if (shipment.packages.length === 1 && isRateAlone(first, other)) return;
  const { zoneCents, weightCents, multiweightCents, minimumCents } = causesOf(
    shipment,
    { price: first, originPostalCode: before.warehouse.postalCode },
    { price: other, originPostalCode: after.warehouse.postalCode },
  );
  causes.zone += zoneCents;
  causes.weight += weightCents;
  causes.multiweight += multiweightCents;
  causes.minimum += minimumCents;
  addPrograms(programs, programsOff(first, shipment, before.warehouse.postalCode), 1);
  addPrograms(programs, programsOff(other, shipment, after.warehouse.postalCode), -1);
};

/** Keeps a row if its difference is one of the largest. Rows must come in order. */
const addExtreme = (rows: ExtremeRow[], row: number, base: Price, price: Price): void => {
  const last = rows[EXTREME_ROWS - 1];
  const difference = Math.abs(price.netCents - base.netCents);
  if (last !== undefined && difference <= Math.abs(last.netCents - last.baseCents)) return;
  const { netCents: baseCents } = base;
  keepExtreme(rows, {
    row,
    baseService: base.card.code,
    service: price.card.code,
    baseCents,
    netCents: price.netCents,
  });
};

const movesAt = ({ moves }: Running, from: number, to: number): Moves => {
  while (moves.length <= from) moves.push([]);
  const own = moves[from] ?? missing('the moves of a service');
  while (own.length <= to) own.push(noMoves());
  return own[to] ?? missing('the sums of a move');
};

interface Added {
  readonly row: number;
  readonly seen: SeenRow;
  /** The row in the base's sums. */
  readonly base: BaseRow;
  readonly cards: KnownCards;
}

/** Adds a row that both sides price. */
const addPriced = (own: Running, { row, seen, base, cards }: Added, side: SeenSide): void => {
  const {
    shipment,
    base: { price: first, known: from, rated: before },
  } = seen;
  const { price: other, known: to, rated: after } = side;
  if (first === undefined || other === undefined || from === undefined || to === undefined) return;
  if (shipment === undefined || before instanceof Failed || after instanceof Failed) return;
  const { netCents: was } = first;
  const { netCents: is } = other;
  addRow(movesAt(own, from.service, to.service)[is < was ? 'cheaper' : is > was ? 'dearer' : 'same'], was, is);
  if (other.warnings !== 0) addAt(own.warned, other.warnings, 1);
  if (first.warnings !== 0) addAt(own.baseWarned, first.warnings, 1);
  if (own.warehouses !== undefined) addRow(getOrMake(own.warehouses, after.warehouse.id, noRows), was, is);
  if (other === first) return;
  addAt(own.places, base.place, is - was);
  addAt(own.states, base.state, is - was);
  addCharges(own, base, row, other, cards.chargesOn(other.charges));
  addCauses(own, shipment, before, after, first, other);
  if (is !== was) addExtreme(is > was ? own.alone.mostDearer : own.alone.mostCheaper, row, first, other);
};

const addScenario = (own: Running, added: Added, side: SeenSide): void => {
  const { alone } = own;
  const before = added.seen.base.price;
  if (side.rated instanceof Failed) {
    const { type } = side.rated.fault;
    own.faults.set(type, (own.faults.get(type) ?? 0) + 1);
    if (before === undefined) alone.neither += 1;
    else {
      alone.onlyBase.rows += 1;
      alone.onlyBase.cents += before.netCents;
      bookRow(own.missing, added.base, before.netCents);
    }
  } else if (before === undefined) {
    alone.onlyScenario.rows += 1;
    alone.onlyScenario.cents += (side.price ?? missing('the price of a scenario')).netCents;
  } else addPriced(own, added, side);
};

const allOf = ({ cheaper, same, dearer }: Moves): Both => plus(plus(cheaper, same), dearer);

/** Returns the moves by name, and their total. */
const movesOf = ({ moves }: Running, { services: { list } }: KnownCards) => {
  let total = noMoves();
  const named: Record<string, Both> = {};
  for (const [from, own] of moves.entries())
    for (const [to, move] of own.entries()) {
      total = plus(total, move);
      const sum = allOf(move);
      if (sum.rows > 0) named[`${list[from]}>${list[to]}`] = sum;
    }
  return { compared: allOf(total), ...total, moves: named };
};

/** Returns the difference by cause. ZONE to MINIMUM are there if any row is compared. MULTIWEIGHT is left out if it is 0. */
const attributionOf = (
  { causes: { zone, weight, multiweight, minimum }, programs }: Running,
  { BASE: base = noRows(), DISCOUNT: off = noRows(), ...surcharges }: ScenarioSums['byCharge'],
): ScenarioSums['attribution'] => {
  if (base.rows === 0) return {};
  const parts: Record<string, number> = {
    ZONE: zone,
    WEIGHT: weight,
    RATE: base.netCents - base.baseCents - zone - weight - multiweight,
    ...(multiweight === 0 ? {} : { MULTIWEIGHT: multiweight }),
    DISCOUNT: off.netCents - off.baseCents - minimum - [...programs.values()].reduce((sum, cents) => sum + cents, 0),
    MINIMUM: minimum,
  };
  for (const [program, cents] of programs) parts[`${PROGRAM_PART}${program}`] = cents;
  for (const [type, { baseCents, netCents }] of Object.entries(surcharges)) parts[type] = netCents - baseCents;
  return parts;
};

/** @param base the ledgers of the base */
const scenarioSumsOf = (own: Running, base: Ledgers, cards: KnownCards): ScenarioSums => {
  const names = placeNames(cards);
  const places = { missing: own.missing.places, cents: own.places };
  const charges = { missing: own.missing.charges, cents: own.charges, extraRows: own.extraRows };
  const byCharge = comparedBy((at) => cards.charges.list[at] ?? missing('the name of a charge'), base.charges, charges);
  return {
    ...movesOf(own, cards),
    ...own.alone,
    byService: comparedBy(names.service, base.places, places),
    byZone: comparedBy(names.zone, base.places, places),
    byWeight: comparedBy(names.weight, base.places, places),
    byState: comparedBy(stateName, base.states, { missing: own.missing.states, cents: own.states }),
    byWarehouse: Object.fromEntries(own.warehouses ?? []),
    byCharge,
    attribution: attributionOf(own, byCharge),
    ...warnedBy(own.warned),
    baseMissing: warnedBy(own.baseWarned).missing,
    faults: Object.fromEntries(own.faults),
  };
};

/** @param choosing parallel to the scenarios: whether each chooses among warehouses */
export const createSummer = (choosing: readonly boolean[], cards: KnownCards) => {
  const base = createBaseSums(cards);
  const scenarios = choosing.map(createRunning);
  return {
    /** Adds a row. Row numbers increase from 1. */
    add: (row: number, seen: SeenRow): void => {
      base.add(row, seen);
      const added = { row, seen, base: base.row, cards };
      for (let at = 0; at < scenarios.length; at++) {
        const own = scenarios[at];
        const side = seen.sides[at];
        if (own !== undefined && side !== undefined) addScenario(own, added, side);
      }
    },
    result: (): Sums => ({
      base: base.result(),
      scenarios: scenarios.map((own) => scenarioSumsOf(own, base.ledgers, cards)),
    }),
  };
};
