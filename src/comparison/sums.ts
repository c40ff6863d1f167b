/**
 * What a comparison adds up, for its summary. The sums of chunks add up to the sums of the list, in any order. All amounts
 * are cents. A row counts in a difference only if both sides price it.
 */
import { z } from 'zod';
import type { Tally } from '../rows/tally.ts';

const count = z.int().gte(0);
const amount = z.int();

/** Rows that both sides price, and what they cost on each. */
const both = z.object({ rows: count, baseCents: amount, netCents: amount });
export type Both = z.output<typeof both>;

const byKey = z.record(z.string(), both);

/** A row with a large difference. */
const extremeRow = z.object({
  row: z.int().gte(1),
  baseService: z.string(),
  service: z.string(),
  baseCents: amount,
  netCents: amount,
});
export type ExtremeRow = z.output<typeof extremeRow>;

const scenarioSums = z.object({
  compared: both,
  /** Compared rows that cost more, less or the same. */
  dearer: both,
  cheaper: both,
  same: both,
  /** Rows that one side alone can price, and their cost on that side. They are in no other sum. */
  onlyBase: z.object({ rows: count, cents: amount }),
  onlyScenario: z.object({ rows: count, cents: amount }),
  neither: count,
  /** Compared rows by what they are in the base. */
  byService: byKey,
  byZone: byKey,
  byWeight: byKey,
  byState: byKey,
  /** By the service of the base and that of the scenario: `C2-GROUND>C1-GROUND`. */
  moves: byKey,
  /** By the warehouse that the scenario ships from, if it chooses one. */
  byWarehouse: byKey,
  /** What each kind of charge costs on each side: `BASE`, `DISCOUNT` (negative) and the types of surcharges. */
  byCharge: byKey,
  /** The difference by its cause: see `attribution.ts`. They add up to the difference of `compared`. */
  attribution: z.record(z.string(), amount),
  /** Compared rows by the type of a warning that the scenario's price has. */
  warnings: z.record(z.string(), count),
  /** Rows that the scenario cannot price, by fault. */
  faults: z.record(z.string(), count),
  /** The rows with the largest differences, largest first; of equals the first row. */
  mostDearer: z.array(extremeRow),
  mostCheaper: z.array(extremeRow),
});
export type ScenarioSums = z.output<typeof scenarioSums>;

const listSums = z.object({ rows: count, priced: count, cents: amount, faults: z.record(z.string(), count) });
const rowsAndCents = z.object({ rows: count, cents: amount });
const rowsBySide = z.object({ base: count, with: count });

/** Two lists that are joined by a key: what stands beside the shipments that both have. See `join.ts`. */
const joinSums = z.object({
  /** The list that the base is compared with. */
  with: listSums,
  /** Shipments that one list alone has, and their cost. Those without a price cost nothing. */
  gone: rowsAndCents,
  added: rowsAndCents,
  /** Rows whose key occurs more than once in a list, and rows without a key. They are in no other sum. */
  duplicates: rowsBySide,
  withoutKey: rowsBySide,
});
export type JoinSums = z.output<typeof joinSums>;

export const sumsSchema = z.object({
  /** The list as it is. */
  base: z.object({
    rows: count,
    priced: count,
    cents: amount,
    faults: z.record(z.string(), count),
    warnings: z.record(z.string(), count),
  }),
  scenarios: z.array(scenarioSums),
  /** Present if two lists are joined. Then the one scenario is the other list. */
  join: joinSums.optional(),
});
export type Sums = z.output<typeof sumsSchema>;

/** How many of the rows with the largest differences are kept in each direction. */
export const EXTREME_ROWS = 20;

const noRows = (): Both => ({ rows: 0, baseCents: 0, netCents: 0 });

const plus = (a: Both, b: Both): Both => ({
  rows: a.rows + b.rows,
  baseCents: a.baseCents + b.baseCents,
  netCents: a.netCents + b.netCents,
});

const merged = <T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  add: (x: T, y: T) => T,
): Record<string, T> => {
  const sum = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const before = sum.get(key);
    sum.set(key, before === undefined ? value : add(before, value));
  }
  return Object.fromEntries(sum);
};

const number = (a: number, b: number): number => a + b;

/** Rows by the size of their difference, largest first; of equals the first row. */
export const byDifference = (a: ExtremeRow, b: ExtremeRow): number =>
  Math.abs(b.netCents - b.baseCents) - Math.abs(a.netCents - a.baseCents) || a.row - b.row;

/** Puts a row among those with the largest differences. */
export const keepExtreme = (rows: ExtremeRow[], row: ExtremeRow): void => {
  let at = rows.length;
  for (; at > 0; at--) {
    const before = rows[at - 1];
    if (before === undefined || byDifference(before, row) < 0) break;
  }
  if (at === EXTREME_ROWS) return;
  rows.splice(at, 0, row);
  if (rows.length > EXTREME_ROWS) rows.pop();
};

const extremes = (a: readonly ExtremeRow[], b: readonly ExtremeRow[]): ExtremeRow[] =>
  [...a, ...b].sort(byDifference).slice(0, EXTREME_ROWS);

const addScenario = (a: ScenarioSums, b: ScenarioSums): ScenarioSums => ({
  compared: plus(a.compared, b.compared),
  dearer: plus(a.dearer, b.dearer),
  cheaper: plus(a.cheaper, b.cheaper),
  same: plus(a.same, b.same),
  onlyBase: { rows: a.onlyBase.rows + b.onlyBase.rows, cents: a.onlyBase.cents + b.onlyBase.cents },
  onlyScenario: { rows: a.onlyScenario.rows + b.onlyScenario.rows, cents: a.onlyScenario.cents + b.onlyScenario.cents },
  neither: a.neither + b.neither,
  byService: merged(a.byService, b.byService, plus),
  byZone: merged(a.byZone, b.byZone, plus),
  byWeight: merged(a.byWeight, b.byWeight, plus),
  byState: merged(a.byState, b.byState, plus),
  moves: merged(a.moves, b.moves, plus),
  byWarehouse: merged(a.byWarehouse, b.byWarehouse, plus),
  byCharge: merged(a.byCharge, b.byCharge, plus),
  attribution: merged(a.attribution, b.attribution, number),
  warnings: merged(a.warnings, b.warnings, number),
  faults: merged(a.faults, b.faults, number),
  mostDearer: extremes(a.mostDearer, b.mostDearer),
  mostCheaper: extremes(a.mostCheaper, b.mostCheaper),
});

const noScenario = (): ScenarioSums => ({
  ...{ compared: noRows(), dearer: noRows(), cheaper: noRows(), same: noRows() },
  ...{ onlyBase: { rows: 0, cents: 0 }, onlyScenario: { rows: 0, cents: 0 }, neither: 0 },
  ...{ byService: {}, byZone: {}, byWeight: {}, byState: {}, moves: {}, byWarehouse: {}, byCharge: {} },
  ...{ attribution: {}, warnings: {}, faults: {}, mostDearer: [], mostCheaper: [] },
});

export const emptyJoin = (): JoinSums => ({
  with: { rows: 0, priced: 0, cents: 0, faults: {} },
  gone: { rows: 0, cents: 0 },
  added: { rows: 0, cents: 0 },
  duplicates: { base: 0, with: 0 },
  withoutKey: { base: 0, with: 0 },
});

const addJoins = (a: JoinSums, b: JoinSums): JoinSums => ({
  with: {
    rows: a.with.rows + b.with.rows,
    priced: a.with.priced + b.with.priced,
    cents: a.with.cents + b.with.cents,
    faults: merged(a.with.faults, b.with.faults, number),
  },
  gone: { rows: a.gone.rows + b.gone.rows, cents: a.gone.cents + b.gone.cents },
  added: { rows: a.added.rows + b.added.rows, cents: a.added.cents + b.added.cents },
  duplicates: { base: a.duplicates.base + b.duplicates.base, with: a.duplicates.with + b.duplicates.with },
  withoutKey: { base: a.withoutKey.base + b.withoutKey.base, with: a.withoutKey.with + b.withoutKey.with },
});

/** The sums of no rows. @param scenarios how many there are */
export const emptySums = (scenarios: number): Sums => ({
  base: { rows: 0, priced: 0, cents: 0, faults: {}, warnings: {} },
  scenarios: Array.from({ length: scenarios }, noScenario),
});

/** Both must be of the same scenarios. */
export const addSums = (a: Sums, b: Sums): Sums => ({
  base: {
    rows: a.base.rows + b.base.rows,
    priced: a.base.priced + b.base.priced,
    cents: a.base.cents + b.base.cents,
    faults: merged(a.base.faults, b.base.faults, number),
    warnings: merged(a.base.warnings, b.base.warnings, number),
  },
  scenarios: a.scenarios.map((own, index) => addScenario(own, b.scenarios[index] ?? noScenario())),
  ...(a.join === undefined && b.join === undefined
    ? {}
    : { join: addJoins(a.join ?? emptyJoin(), b.join ?? emptyJoin()) }),
});

export interface ComparedRows {
  /** The rows of the output, without the header. */
  readonly output: Buffer;
  /** A row is quoted if the base and all scenarios price it. Else it counts for the first fault. */
  readonly tally: Tally;
  readonly sums: Sums;
}
