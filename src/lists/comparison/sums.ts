/**
 * The sums of a comparison, for its summary. The sums of chunks add up to the sums of the list, in any order. All amounts
 * are in cents. A row counts in a difference only if both sides price it.
 */
import { z } from 'zod';
import { plus, type Tally } from '../output/tally.ts';

const count = z.int().gte(0);
const amount = z.int();

/** Rows that both sides price, and their cost on each side. */
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
  /** Rows that only one side can price, and their cost on that side. No other sum of the scenario includes them. */
  onlyBase: z.object({ rows: count, cents: amount }),
  onlyScenario: z.object({ rows: count, cents: amount }),
  neither: count,
  /** Compared rows by their service, zone, weight and state in the base. */
  byService: byKey,
  byZone: byKey,
  byWeight: byKey,
  byState: byKey,
  /** By the base's service and the scenario's: `C2-GROUND>C1-GROUND`. */
  moves: byKey,
  /** By the scenario's warehouse, if the scenario chooses one. */
  byWarehouse: byKey,
  /** What each kind of charge costs on each side: `BASE`, `DISCOUNT` (negative) and the types of surcharges. */
  byCharge: byKey,
  /** The difference by cause: see `attribution.ts`. The parts add up to the difference of `compared`. */
  attribution: z.record(z.string(), amount),
  /** Compared rows by warning type of the scenario's price. */
  warnings: z.record(z.string(), count),
  /** Compared rows by missing part: of the scenario's price, and of the base's price. */
  missing: z.record(z.string(), count),
  baseMissing: z.record(z.string(), count),
  /** Rows that the scenario cannot price, by fault. */
  faults: z.record(z.string(), count),
  /** The rows with the largest differences, largest first. Equal differences are in the order of the rows. */
  mostDearer: z.array(extremeRow),
  mostCheaper: z.array(extremeRow),
});
export type ScenarioSums = z.output<typeof scenarioSums>;

/** The sums that a list of comparisons shows. */
export const resultSums = scenarioSums.pick({ compared: true, missing: true, baseMissing: true });
export type ResultSums = z.output<typeof resultSums>;

const listSums = z.object({
  ...{ rows: count, priced: count, cents: amount },
  ...{ faults: z.record(z.string(), count), warnings: z.record(z.string(), count) },
});
const rowsAndCents = z.object({ rows: count, cents: amount });
const rowsBySide = z.object({ base: count, with: count });

/** Additional sums of two lists that are joined by a key. See `join.ts`. */
const joinSums = z.object({
  /** The list that the base is compared with. */
  with: listSums,
  /** Shipments that only one list has, and their cost. A shipment without a price costs nothing. */
  gone: rowsAndCents,
  added: rowsAndCents,
  /** Rows whose key occurs more than once in a list, and rows without a key. Only the totals of their list include them. */
  duplicates: rowsBySide,
  withoutKey: rowsBySide,
});
export type JoinSums = z.output<typeof joinSums>;

export const sumsSchema = z.object({
  /** The list as it is. */
  base: listSums.extend({ missing: z.record(z.string(), count) }),
  scenarios: z.array(scenarioSums),
  /** Present if two lists are joined. Then the other list is the only scenario. */
  join: joinSums.optional(),
});
export type Sums = z.output<typeof sumsSchema>;

/** The number of rows that are kept for the largest differences in each direction. */
export const EXTREME_ROWS = 20;

export const noRows = (): Both => ({ rows: 0, baseCents: 0, netCents: 0 });

/** Adds a row to a sum. */
export const addRow = (sum: Both, baseCents: number, netCents: number): void => {
  sum.rows += 1;
  sum.baseCents += baseCents;
  sum.netCents += netCents;
};

/** Adds a row that only one side prices. */
export const addAlone = (sum: ScenarioSums['onlyBase'], cents: number): void => {
  sum.rows += 1;
  sum.cents += cents;
};

/** Orders rows by the size of their difference, largest first. Equal differences are in the order of the rows. */
export const byDifference = (a: ExtremeRow, b: ExtremeRow): number =>
  Math.abs(b.netCents - b.baseCents) - Math.abs(a.netCents - a.baseCents) || a.row - b.row;

/** Inserts a row if its difference is one of the largest. */
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

const addScenario = (
  { mostDearer, mostCheaper, ...a }: ScenarioSums,
  { mostDearer: dearer, mostCheaper: cheaper, ...b }: ScenarioSums,
): ScenarioSums => ({
  ...plus(a, b),
  mostDearer: extremes(mostDearer, dearer),
  mostCheaper: extremes(mostCheaper, cheaper),
});

const noScenario = (): ScenarioSums => ({
  ...{ compared: noRows(), dearer: noRows(), cheaper: noRows(), same: noRows() },
  ...{ onlyBase: { rows: 0, cents: 0 }, onlyScenario: { rows: 0, cents: 0 }, neither: 0 },
  ...{ byService: {}, byZone: {}, byWeight: {}, byState: {}, moves: {}, byWarehouse: {}, byCharge: {} },
  ...{ attribution: {}, warnings: {}, missing: {}, baseMissing: {}, faults: {}, mostDearer: [], mostCheaper: [] },
});

const emptyList = () => ({ rows: 0, priced: 0, cents: 0, faults: {}, warnings: {} });

export const emptyJoin = (): JoinSums => ({
  with: emptyList(),
  gone: { rows: 0, cents: 0 },
  added: { rows: 0, cents: 0 },
  duplicates: { base: 0, with: 0 },
  withoutKey: { base: 0, with: 0 },
});

/** Returns the sums of no rows. @param scenarios the number of scenarios */
export const emptySums = (scenarios: number): Sums => ({
  base: { ...emptyList(), missing: {} },
  scenarios: Array.from({ length: scenarios }, noScenario),
});

/** Adds two sums of the same scenarios. */
export const addSums = (a: Sums, b: Sums): Sums => ({
  base: plus(a.base, b.base),
  scenarios: a.scenarios.map((own, index) => addScenario(own, b.scenarios[index] ?? noScenario())),
  ...((a.join ?? b.join) && { join: plus(a.join ?? emptyJoin(), b.join ?? emptyJoin()) }),
});

export interface ComparedRows {
  /** The rows of the output, without the header. */
  readonly output: Buffer;
  /** A row is quoted if the base and all scenarios price it. Otherwise it counts for its first fault. */
  readonly tally: Tally;
  readonly sums: Sums;
}
