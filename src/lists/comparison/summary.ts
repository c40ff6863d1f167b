/** The summary of a comparison for people: what each scenario costs, what changes, and why. */
import { z } from 'zod';
import { isFuelType } from '../../rating/charges.ts';
import { dollars } from '../../rating/quantity.ts';
import { PROGRAM_PART } from '../columns/plain-words.ts';
import { inBands } from '../output/tally.ts';
import { nameOf, OTHER_BATCH, type Scenario, scenarioSchema, scenarioText } from './scenario.ts';
import type { Both, ExtremeRow, JoinSums, ResultSums, ScenarioSums, Sums } from './sums.ts';

const count = z.int().gte(0);
const money = z.number();
const missing = z
  .record(z.string(), count)
  .describe('Rows by the part that is missing from their price, such as `fuel`. The carrier will bill more for them.');

/** Shipments that both sides price. */
const compared = {
  shipments: count,
  baseTotal: money,
  total: money,
  difference: money.describe('`total` minus `baseTotal`. Negative: the scenario is cheaper.'),
  percent: z.number().nullable().describe('The difference in percent of `baseTotal`; null if that is 0.'),
};
const comparedSchema = z.object(compared);

const missingBySide = {
  missing: missing.describe(
    'Compared shipments by the part that is missing from the scenario’s price, such as `fuel`.',
  ),
  baseMissing: missing.describe('Compared shipments by the part that is missing from the base price.'),
};

/** What a scenario comes to, in a list of comparisons. */
export const scenarioResult = z.object({ ...compared, ...missingBySide });
export type ScenarioResult = z.output<typeof scenarioResult>;

export const resultOf = ({ compared: sum, ...lacking }: ResultSums): ScenarioResult => ({
  ...{ ...comparedBody(sum), missing: lacking.missing, baseMissing: lacking.baseMissing },
});
type Compared = z.output<typeof comparedSchema>;

const side = z.object({ shipments: count, total: money });
const sideBody = ({ rows, cents }: JoinSums['gone']): z.output<typeof side> => ({
  shipments: rows,
  total: dollars(cents),
});

const counts = z.record(z.string(), count);
const list = { rows: count, priced: count, totalNetCharge: money, faults: counts, warnings: counts };
const listBody = ({ rows, priced, cents, faults, warnings }: JoinSums['with']) => ({
  ...{ rows, priced, totalNetCharge: dollars(cents), faults, warnings },
});

const extreme = z.object({
  row: z.int(),
  baseService: z.string(),
  shippingService: z.string(),
  baseNetCharge: money,
  totalNetCharge: money,
  difference: money,
});

const scenarioSummary = z.object({
  name: z.string(),
  changes: z.string().describe('What the scenario changes, in words.'),
  scenario: scenarioSchema,
  ...compared,
  dearer: comparedSchema,
  cheaper: comparedSchema,
  same: comparedSchema,
  onlyBase: side.describe('Shipments that the scenario cannot price. No other sum includes them.'),
  onlyScenario: side.describe('Shipments that only the scenario can price. No other sum includes them.'),
  neither: count,
  byService: z.array(z.object({ shippingService: z.string(), ...compared })),
  byZone: z.array(z.object({ rateZone: z.string(), ...compared })),
  byBillingWeight: z.array(z.object({ overLb: z.number(), toLb: z.number().nullable(), ...compared })),
  byState: z.array(z.object({ state: z.string(), ...compared })),
  moves: z.array(z.object({ from: z.string(), to: z.string(), ...compared })),
  byWarehouse: z.array(z.object({ warehouse_id: z.int(), ...compared })),
  byCharge: z.array(z.object({ type: z.string(), ...compared })),
  attribution: z
    .array(z.object({ part: z.string(), difference: money }))
    .describe('Where the difference comes from, in this order. The parts add up to `difference`.'),
  warnings: counts,
  ...missingBySide,
  faults: counts,
  largestIncreases: z.array(extreme),
  largestDecreases: z.array(extreme),
});

const bySide = z.object({ base: count, with: count });

/** Two batches that are joined by a key. */
const joinSummary = z
  .object({
    with: z.object(list),
    gone: side.describe('Shipments that only the base has, and their cost.'),
    new: side.describe('Shipments that only the other batch has, and their cost.'),
    duplicates: bySide.describe('Rows whose key occurs more than once in a batch. They are not compared.'),
    withoutKey: bySide,
  })
  .describe('Present if two batches are joined. The only scenario is then the other batch.');

export const comparisonSummarySchema = z.object({
  base: z.object({ ...list, missing }),
  currency: z.literal('USD'),
  scenarios: z.array(scenarioSummary),
  join: joinSummary.optional(),
});
export type ComparisonSummary = z.output<typeof comparisonSummarySchema>;

const percentOf = (difference: number, base: number): number | null =>
  base === 0 ? null : Math.round((difference / base) * 10_000) / 100;

const comparedBody = ({ rows, baseCents, netCents }: Both): Compared => ({
  shipments: rows,
  baseTotal: dollars(baseCents),
  total: dollars(netCents),
  difference: dollars(netCents - baseCents),
  percent: percentOf(netCents - baseCents, baseCents),
});

const sorted = <T>(ledger: Readonly<Record<string, Both>>, body: (key: string) => T): (T & Compared)[] =>
  Object.entries(ledger)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, sum]) => ({ ...body(key), ...comparedBody(sum) }));

const extremeBody = ({ row, baseService, service, baseCents, netCents }: ExtremeRow) => ({
  row,
  baseService,
  shippingService: service,
  baseNetCharge: dollars(baseCents),
  totalNetCharge: dollars(netCents),
  difference: dollars(netCents - baseCents),
});

/** The first parts of a difference, in order. Fuel comes next, then all other surcharges by name. */
const FIRST_PARTS = ['ZONE', 'WEIGHT', 'RATE', 'MULTIWEIGHT', 'DISCOUNT', 'MINIMUM'];

const partRank = (part: string): number => {
  const at = FIRST_PARTS.indexOf(part.startsWith(PROGRAM_PART) ? 'DISCOUNT' : part);
  if (at !== -1) return at;
  return isFuelType(part) ? FIRST_PARTS.length : FIRST_PARTS.length + 1;
};

const attributionBody = (attribution: ScenarioSums['attribution']) =>
  Object.entries(attribution)
    .sort(([a], [b]) => partRank(a) - partRank(b) || (a < b ? -1 : 1))
    .map(([part, cents]) => ({ part, difference: dollars(cents) }));

const scenarioBody = (scenario: Scenario, sums: ScenarioSums): z.output<typeof scenarioSummary> => ({
  name: nameOf(scenario),
  changes: scenarioText(scenario),
  scenario,
  ...resultOf(sums),
  dearer: comparedBody(sums.dearer),
  cheaper: comparedBody(sums.cheaper),
  same: comparedBody(sums.same),
  onlyBase: sideBody(sums.onlyBase),
  onlyScenario: sideBody(sums.onlyScenario),
  neither: sums.neither,
  byService: sorted(sums.byService, (shippingService) => ({ shippingService })),
  byZone: sorted(sums.byZone, (rateZone) => ({ rateZone })),
  byBillingWeight: inBands(sums.byWeight, comparedBody),
  byState: sorted(sums.byState, (state) => ({ state })),
  moves: sorted(sums.moves, (key) => {
    const [from = '', to = ''] = key.split('>');
    return { from, to };
  }),
  byWarehouse: sorted(sums.byWarehouse, (id) => ({ warehouse_id: Number(id) })),
  byCharge: sorted(sums.byCharge, (type) => ({ type })),
  attribution: attributionBody(sums.attribution),
  warnings: sums.warnings,
  faults: sums.faults,
  largestIncreases: sums.mostDearer.map(extremeBody),
  largestDecreases: sums.mostCheaper.map(extremeBody),
});

const joinBody = ({ with: other, gone, added, duplicates, withoutKey }: JoinSums): z.output<typeof joinSummary> => ({
  with: listBody(other),
  gone: sideBody(gone),
  new: sideBody(added),
  duplicates,
  withoutKey,
});

/** @param scenarios parallel to `sums.scenarios` */
export const comparisonSummaryOf = (sums: Sums, scenarios: readonly Scenario[]): ComparisonSummary => ({
  base: { ...listBody(sums.base), missing: sums.base.missing },
  currency: 'USD',
  scenarios: scenarios.flatMap((scenario, index) => {
    const own = sums.scenarios[index];
    if (own === undefined) return [];
    const body = scenarioBody(scenario, own);
    return [sums.join === undefined ? body : { ...body, changes: OTHER_BATCH }];
  }),
  ...(sums.join === undefined ? {} : { join: joinBody(sums.join) }),
});
