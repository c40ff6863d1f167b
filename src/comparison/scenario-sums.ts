/** Adds up a scenario of a comparison, as what differs from the base. */
import { missing } from '../must.ts';
import { causesOf } from '../rating/attribution.ts';
import { Failed } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import type { Rated } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import { plus } from '../rows/tally.ts';
import {
  addAt,
  type BaseRow,
  bookRow,
  comparedBy,
  countsOf,
  createLedgers,
  type Ledgers,
  placeNames,
  stateName,
} from './base-sums.ts';
import { BASE, DISCOUNT, type KnownCards } from './known-cards.ts';
import type { SeenRow, SeenSide } from './seen.ts';
import { addRow, type Both, EXTREME_ROWS, type ExtremeRow, keepExtreme, noRows, type ScenarioSums } from './sums.ts';

type Moves = Pick<ScenarioSums, 'cheaper' | 'same' | 'dearer'>;
const noMoves = (): Moves => ({ cheaper: noRows(), same: noRows(), dearer: noRows() });

/** What a scenario adds up while rows come. */
export interface Running {
  readonly missing: Ledgers;
  /** Cents more than the base, by the base's numbers. */
  readonly places: number[];
  readonly states: number[];
  readonly charges: number[];
  /** By charge: rows where only the scenario has it; and the row in which it was counted last. */
  readonly extraRows: number[];
  readonly seenIn: number[];
  /** By the service of the base and that of the scenario. */
  readonly moves: Moves[][];
  /** Of a scenario that chooses among warehouses. */
  readonly warehouses: Map<number, Both> | undefined;
  readonly warned: number[];
  readonly faults: Map<string, number>;
  /** What stands by itself. */
  readonly alone: Pick<ScenarioSums, 'onlyBase' | 'onlyScenario' | 'neither' | 'mostDearer' | 'mostCheaper'>;
  readonly causes: { zone: number; weight: number; minimum: number };
}

/** @param chooses whether it chooses among warehouses */
export const createRunning = (chooses: boolean): Running => ({
  missing: createLedgers(),
  ...{ places: [], states: [], charges: [], extraRows: [], seenIn: [], moves: [] },
  ...{ warehouses: chooses ? new Map() : undefined, warned: [], faults: new Map() },
  alone: {
    ...{ onlyBase: { rows: 0, cents: 0 }, onlyScenario: { rows: 0, cents: 0 }, neither: 0 },
    ...{ mostDearer: [], mostCheaper: [] },
  },
  causes: { zone: 0, weight: 0, minimum: 0 },
});

/** Adds what the charges differ by. */
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

/** Whether neither zone nor weight nor a minimum can make a difference: then all of the base's is the rate table's. */
const isRateAlone = (first: Price, other: Price): boolean =>
  first.terms === undefined &&
  other.terms === undefined &&
  first.column === other.column &&
  first.billingWeightLb === other.billingWeightLb &&
  first.card.columns === other.card.columns;

const addCauses = (
  { causes }: Running,
  shipment: Shipment,
  before: Rated,
  after: Rated,
  first: Price,
  other: Price,
) => {
  if (shipment.packages.length === 1 && isRateAlone(first, other)) return;
  const { zoneCents, weightCents, minimumCents } = causesOf(
    shipment,
    { price: first, originPostalCode: before.warehouse.postalCode },
    { price: other, originPostalCode: after.warehouse.postalCode },
  );
  causes.zone += zoneCents;
  causes.weight += weightCents;
  causes.minimum += minimumCents;
};

/** Keeps a row with a difference, if it is one of the largest. Rows come in their order. */
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

const addWarehouse = (warehouses: Map<number, Both>, id: number, before: number, after: number): void => {
  const sum = warehouses.get(id) ?? noRows();
  addRow(sum, before, after);
  warehouses.set(id, sum);
};

/** Adds a row that both sides price. */
const addPriced = (
  own: Running,
  row: number,
  seen: SeenRow,
  side: SeenSide,
  base: BaseRow,
  cards: KnownCards,
): void => {
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
  if (own.warehouses !== undefined) addWarehouse(own.warehouses, after.warehouse.id, was, is);
  if (other === first) return;
  addAt(own.places, base.place, is - was);
  addAt(own.states, base.state, is - was);
  addCharges(own, base, row, other, cards.chargesOn(other.charges));
  addCauses(own, shipment, before, after, first, other);
  if (is !== was) addExtreme(is > was ? own.alone.mostDearer : own.alone.mostCheaper, row, first, other);
};

/** Adds a row. @param base the row as the base's sums have it */
export const addScenario = (
  own: Running,
  row: number,
  seen: SeenRow,
  side: SeenSide,
  base: BaseRow,
  cards: KnownCards,
): void => {
  const { alone } = own;
  const before = seen.base.price;
  if (side.rated instanceof Failed) {
    const { type } = side.rated.fault;
    own.faults.set(type, (own.faults.get(type) ?? 0) + 1);
    if (before === undefined) alone.neither += 1;
    else {
      alone.onlyBase.rows += 1;
      alone.onlyBase.cents += before.netCents;
      bookRow(own.missing, base, before.netCents);
    }
  } else if (before === undefined) {
    alone.onlyScenario.rows += 1;
    alone.onlyScenario.cents += (side.price ?? missing('the price of a scenario')).netCents;
  } else addPriced(own, row, seen, side, base, cards);
};

const allOf = ({ cheaper, same, dearer }: Moves): Both => plus(plus(cheaper, same), dearer);

/** The moves by name, and all of them together. */
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

/** The difference by its causes. All of the first five are there if any row is compared. */
const attributionOf = (
  { causes: { zone, weight, minimum } }: Running,
  { BASE: base = noRows(), DISCOUNT: off = noRows(), ...surcharges }: ScenarioSums['byCharge'],
): ScenarioSums['attribution'] => {
  if (base.rows === 0) return {};
  const parts: Record<string, number> = {
    ZONE: zone,
    WEIGHT: weight,
    RATE: base.netCents - base.baseCents - zone - weight,
    DISCOUNT: off.netCents - off.baseCents - minimum,
    MINIMUM: minimum,
  };
  for (const [type, { baseCents, netCents }] of Object.entries(surcharges)) parts[type] = netCents - baseCents;
  return parts;
};

/** @param base the ledgers of the base */
export const scenarioSumsOf = (own: Running, base: Ledgers, cards: KnownCards): ScenarioSums => {
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
    warnings: countsOf(own.warned),
    faults: Object.fromEntries(own.faults),
  };
};
