/**
 * Adds up the rows of a comparison: the base, and each scenario next to the base. It runs for each row and each scenario, so it
 * keeps sums by number, and makes its objects without spreads, because V8 gives each spread its own hidden class.
 */

import { Failed } from '../../base/failed.ts';
import { count, getOrMake } from '../../base/maps.ts';
import { missing } from '../../base/must.ts';
import { STATES, stateIndexOf } from '../../catalog/tariff/zones-by-zip3.ts';
import { causesOf } from '../../rating/attribution.ts';
import { programsOff } from '../../rating/discount-items.ts';
import type { Result } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import { zip5Of } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';
import { missingParts, warningTypes } from '../../rating/warning.ts';
import { PROGRAM_PART } from '../columns/plain-words.ts';
import { BAND_KEYS, bandOf, plus } from '../output/tally.ts';
import { DISCOUNT, type Seen, type SeenNames } from './seen.ts';
import {
  addAlone,
  addRow,
  type Both,
  EXTREME_ROWS,
  type ExtremeRow,
  keepExtreme,
  noRows,
  type ScenarioSums,
  type Sums,
} from './sums.ts';

/** A row that the base prices, and where it counts. */
export interface PricedRow {
  /** From 1. */
  readonly number: number;
  readonly shipment: Shipment;
  readonly seen: Seen;
  readonly zone: number;
  /** Indexes into `BAND_KEYS` and `STATES`. */
  readonly band: number;
  readonly state: number;
}

const noCharge = () => ({ rows: 0, baseCents: 0, netCents: 0, seenIn: 0 });
/** The sum of a charge, and the last row that has the charge. */
type ChargeSum = ReturnType<typeof noCharge>;

/** @param chooses whether the scenario chooses among warehouses */
const createRunning = (chooses: boolean) => ({
  cheaper: noRows(),
  dearer: noRows(),
  onlyBase: { rows: 0, cents: 0 },
  onlyScenario: { rows: 0, cents: 0 },
  neither: 0,
  mostDearer: [] as ExtremeRow[],
  mostCheaper: [] as ExtremeRow[],
  zones: [] as Both[],
  bands: [] as Both[],
  states: [] as Both[],
  /** By the base's service, then by the scenario's. */
  moves: [] as Both[][],
  warehouses: chooses ? new Map<number, Both>() : undefined,
  base: noCharge(),
  charges: [] as ChargeSum[],
  causes: { zone: 0, weight: 0, multiweight: 0, minimum: 0 },
  /** Cents that each agreement program takes off less than in the base. */
  programs: new Map<string, number>(),
  /** Rows by the warning bits of the scenario's price, and of the base's. */
  warned: new Map<number, number>(),
  baseWarned: new Map<number, number>(),
  faults: new Map<string, number>(),
});
type Running = ReturnType<typeof createRunning>;

const sumAt = (sums: Both[], at: number): Both => {
  while (sums.length <= at) sums.push(noRows());
  return sums[at] ?? missing('a sum');
};

const moveAt = (moves: Both[][], from: number, to: number): Both => {
  while (moves.length <= from) moves.push([]);
  return sumAt(moves[from] ?? missing('the moves of a service'), to);
};

const chargeAt = (sums: ChargeSum[], at: number): ChargeSum => {
  while (sums.length <= at) sums.push(noCharge());
  return sums[at] ?? missing('the sum of a charge');
};

/** Adds an amount on the sides that have it. The row counts once. */
const addCharge = (sum: ChargeSum, row: number, amount: number, inBase: boolean, inScenario: boolean): void => {
  if (sum.seenIn !== row) sum.rows += 1;
  sum.seenIn = row;
  if (inBase) sum.baseCents += amount;
  if (inScenario) sum.netCents += amount;
};

/** Adds the charges of a price on the sides that have it. */
const addCharges = (
  own: Running,
  row: number,
  { price, surcharges }: Seen,
  inBase: boolean,
  inScenario: boolean,
): void => {
  addCharge(own.base, row, price.baseCents, inBase, inScenario);
  if (price.discountCents !== 0)
    addCharge(chargeAt(own.charges, DISCOUNT), row, -price.discountCents, inBase, inScenario);
  for (let at = 0; at < surcharges.length; at++) {
    const amount = price.surcharges[at] ?? missing('the amount of a charge');
    if (amount === 0) continue;
    const sum = chargeAt(own.charges, surcharges[at] ?? missing('the number of a charge'));
    addCharge(sum, row, amount, inBase, inScenario);
  }
};

/** Whether zone, weight and minimums cannot cause a difference. Then any difference of base charges is from the rates. */
const isRateAlone = (first: Price, other: Price): boolean =>
  first.terms === undefined &&
  other.terms === undefined &&
  first.column === other.column &&
  first.billingWeightLb === other.billingWeightLb &&
  first.card.columns === other.card.columns;

const addCauses = ({ causes, programs }: Running, shipment: Shipment, before: Seen, after: Seen): void => {
  if (shipment.packages.length === 1 && isRateAlone(before.price, after.price)) return;
  const { postalCode: from } = before.warehouse;
  const { postalCode: to } = after.warehouse;
  const { zoneCents, weightCents, multiweightCents, minimumCents } = causesOf(
    shipment,
    { price: before.price, originPostalCode: from },
    { price: after.price, originPostalCode: to },
  );
  causes.zone += zoneCents;
  causes.weight += weightCents;
  causes.multiweight += multiweightCents;
  causes.minimum += minimumCents;
  for (const [program, cents] of programsOff(before.price, shipment, from)) count(programs, program, cents);
  for (const [program, cents] of programsOff(after.price, shipment, to)) count(programs, program, -cents);
};

/** Keeps a row if its difference is one of the largest. Rows must come in order. */
const addExtreme = (rows: ExtremeRow[], row: number, before: Price, after: Price): void => {
  const last = rows[EXTREME_ROWS - 1];
  const { netCents: baseCents } = before;
  const { netCents } = after;
  if (last !== undefined && Math.abs(netCents - baseCents) <= Math.abs(last.netCents - last.baseCents)) return;
  keepExtreme(rows, { row, baseService: before.card.code, service: after.card.code, baseCents, netCents });
};

/** Adds a row that both sides price. */
const addPriced = (own: Running, row: PricedRow, after: Seen): void => {
  const { number, shipment, seen: before } = row;
  const { price: first } = before;
  const { price: other } = after;
  const { netCents: was } = first;
  const { netCents: is } = other;
  addRow(sumAt(own.zones, row.zone), was, is);
  addRow(sumAt(own.bands, row.band), was, is);
  addRow(sumAt(own.states, row.state), was, is);
  addRow(moveAt(own.moves, before.service, after.service), was, is);
  if (own.warehouses !== undefined) addRow(getOrMake(own.warehouses, after.warehouse.id, noRows), was, is);
  if (other.warnings !== 0) count(own.warned, other.warnings);
  if (first.warnings !== 0) count(own.baseWarned, first.warnings);
  addCharges(own, number, before, true, before === after);
  if (before === after) return;
  addCharges(own, number, after, false, true);
  addCauses(own, shipment, before, after);
  if (is === was) return;
  addRow(is > was ? own.dearer : own.cheaper, was, is);
  addExtreme(is > was ? own.mostDearer : own.mostCheaper, number, first, other);
};

/** @param row undefined if the base has no price */
const addScenario = (own: Running, row: PricedRow | undefined, after: Result<Seen>): void => {
  if (after instanceof Failed) {
    count(own.faults, after.fault.type);
    if (row === undefined) own.neither += 1;
    else addAlone(own.onlyBase, row.seen.price.netCents);
  } else if (row === undefined) addAlone(own.onlyScenario, after.price.netCents);
  else addPriced(own, row, after);
};

/** Converts rows by warning bits to rows by warning type and rows by the part that is missing from their prices. */
const warnedBy = (byBits: ReadonlyMap<number, number>): Pick<ScenarioSums, 'warnings' | 'missing'> => {
  const [warnings, missing] = [new Map<string, number>(), new Map<string, number>()];
  for (const [bits, rows] of [...byBits].sort(([a], [b]) => a - b)) {
    for (const type of warningTypes(bits)) count(warnings, type, rows);
    for (const part of missingParts(bits)) count(missing, part, rows);
  }
  return { warnings: Object.fromEntries(warnings), missing: Object.fromEntries(missing) };
};

/** Returns sums by name. Leaves out those without rows. */
const named = (names: readonly string[], sums: readonly Both[] = []): Record<string, Both> =>
  Object.fromEntries(
    sums.flatMap(({ rows, baseCents, netCents }, at) =>
      rows === 0 ? [] : [[names[at] ?? missing('the name of a sum'), { rows, baseCents, netCents }]],
    ),
  );

/** Returns the difference by cause. ZONE to MINIMUM are there if any row is compared. MULTIWEIGHT is left out if it is 0. */
const attributionOf = (
  { causes: { zone, weight, multiweight, minimum }, programs }: Running,
  { BASE: base = noRows(), DISCOUNT: discount = noRows(), ...surcharges }: ScenarioSums['byCharge'],
): ScenarioSums['attribution'] => {
  if (base.rows === 0) return {};
  const parts: Record<string, number> = {
    ZONE: zone,
    WEIGHT: weight,
    RATE: base.netCents - base.baseCents - zone - weight - multiweight,
    ...(multiweight === 0 ? {} : { MULTIWEIGHT: multiweight }),
    DISCOUNT: [...programs.values()].reduce(
      (rest, cents) => rest - cents,
      discount.netCents - discount.baseCents - minimum,
    ),
    MINIMUM: minimum,
  };
  for (const [program, cents] of programs) parts[`${PROGRAM_PART}${program}`] = cents;
  for (const [type, { baseCents, netCents }] of Object.entries(surcharges)) parts[type] = netCents - baseCents;
  return parts;
};

const scenarioSumsOf = (own: Running, names: SeenNames): ScenarioSums => {
  const { cheaper, dearer, onlyBase, onlyScenario, neither, mostDearer, mostCheaper, moves } = own;
  const services = names.services();
  const byCharge = { ...named(['BASE'], [own.base]), ...named(names.charges(), own.charges) };
  const byService = named(
    services,
    moves.map((to) => to.reduce(plus, noRows())),
  );
  const compared = Object.values(byService).reduce(plus, noRows());
  const same = {
    rows: compared.rows - cheaper.rows - dearer.rows,
    baseCents: compared.baseCents - cheaper.baseCents - dearer.baseCents,
    netCents: compared.netCents - cheaper.netCents - dearer.netCents,
  };
  return {
    ...{ compared, cheaper, same, dearer, onlyBase, onlyScenario, neither, byService },
    byZone: named(Object.keys(own.zones), own.zones),
    byWeight: named(BAND_KEYS, own.bands),
    byState: named(STATES, own.states),
    moves: Object.assign(
      {},
      ...moves.map((to, at) =>
        named(
          services.map((name) => `${services[at]}>${name}`),
          to,
        ),
      ),
    ),
    byWarehouse: Object.fromEntries(own.warehouses ?? []),
    byCharge,
    attribution: attributionOf(own, byCharge),
    ...warnedBy(own.warned),
    baseMissing: warnedBy(own.baseWarned).missing,
    faults: Object.fromEntries(own.faults),
    ...{ mostDearer, mostCheaper },
  };
};

/** @param choosing parallel to the scenarios: whether each chooses among warehouses */
export const createSummer = (choosing: readonly boolean[], names: SeenNames) => {
  const totals = { rows: 0, priced: 0, cents: 0 };
  const faults = new Map<string, number>();
  const warned = new Map<number, number>();
  const scenarios = choosing.map(createRunning);
  return {
    /** Adds the base of a row. Row numbers increase from 1. @returns undefined if it has no price */
    base: (number: number, shipment: Result<Shipment>, seen: Result<Seen>): PricedRow | undefined => {
      totals.rows += 1;
      if (seen instanceof Failed) count(faults, seen.fault.type);
      if (seen instanceof Failed || shipment instanceof Failed) return undefined;
      const { card, column, billingWeightLb, netCents, warnings } = seen.price;
      totals.priced += 1;
      totals.cents += netCents;
      if (warnings !== 0) count(warned, warnings);
      const zone = card.rateZones[column] ?? missing('the zone of a price');
      const state = stateIndexOf(zip5Of(shipment.postalCode));
      return { number, shipment, seen, zone, band: bandOf(billingWeightLb), state };
    },
    /** Adds the same row in a scenario. @param after the base's own object if its price is the base's */
    scenario: (at: number, row: PricedRow | undefined, after: Result<Seen>): void =>
      addScenario(scenarios[at] ?? missing('the sums of a scenario'), row, after),
    result: (): Sums => ({
      base: { ...totals, faults: Object.fromEntries(faults), ...warnedBy(warned) },
      scenarios: scenarios.map((own) => scenarioSumsOf(own, names)),
    }),
  };
};
