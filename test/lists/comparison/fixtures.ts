/** Comparisons in tests: a world of tariffs, agreements and warehouses, and lists that are compared in it. */
import { parse } from 'csv-parse/sync';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { comparisonColumns } from '../../../src/lists/comparison/columns.ts';
import { createComparer } from '../../../src/lists/comparison/compare-rows.ts';
import { resolveScenarios, type ScenarioSources } from '../../../src/lists/comparison/resolve.ts';
import { columnNames, type Scenario } from '../../../src/lists/comparison/scenario.ts';
import { baseSide, scenarioSide } from '../../../src/lists/comparison/side.ts';
import type { ComparedRows } from '../../../src/lists/comparison/sums.ts';
import { addSums, emptySums } from '../../../src/lists/comparison/sums.ts';
import { EMPTY_TALLY, plus } from '../../../src/lists/output/tally.ts';
import { outputHeader } from '../../../src/lists/rows/rate-rows.ts';
import { demoShipper, planList } from '../rows/fixtures.ts';
import { madeAgreement, madeTariff } from './made.ts';
import type { Said, World } from './separately.ts';

const ONE = madeTariff({ name: 'one', prefix: 'ONE', effective: '2026-01-05' });
const ONE_NEXT = madeTariff({ name: 'one', prefix: 'ONE', effective: '2027-01-04', raise: 61 });
const TWO = madeTariff({ name: 'two', prefix: 'TWO', effective: '2025-01-06', raise: 17 });
const TWO_NEXT = madeTariff({ name: 'two', prefix: 'TWO', effective: '2026-12-28', raise: -31 });
/** Of another carrier, which the base does not have. */
const NEW = madeTariff({ name: 'new', prefix: 'NEW', effective: '2026-09-01', raise: 5 });

/** Two carriers, an agreement with one of them, and three warehouses in the United States. */
export const WORLD: World = {
  tariffs: [ONE, TWO],
  named: new Map([
    ['one', [ONE, ONE_NEXT]],
    ['two', [TWO, TWO_NEXT]],
    ['new', [NEW]],
  ]),
  agreements: new Map([
    ['own', madeAgreement('own', 'ONE', 1)],
    ['draft', madeAgreement('draft', 'TWO', 2)],
    ['next', madeAgreement('next', 'ONE', 3)],
  ]),
  own: [madeAgreement('own', 'ONE', 1)],
  warehouses: demoShipper.warehouses,
  instant: new Date('2026-06-01T12:00:00Z'),
};

/** The agreements and tariffs of a world, as scenarios find them. */
const sourcesOf = (world: World): ScenarioSources => ({
  base: scheduleOf(world.tariffs),
  schedule: scheduleOf([...new Set([...world.tariffs, ...[...world.named.values()].flat()])]),
  warehouses: world.warehouses,
  agreement: (name) => world.agreements.get(name),
  agreements: [...world.agreements.keys()],
});

export const SOURCES: ScenarioSources = sourcesOf(WORLD);

export interface Compared extends ComparedRows {
  /** With the header. */
  readonly text: string;
}

/** Compares a list, chunk by chunk. Fails if a scenario cannot be resolved. */
export const comparedIn = (
  world: World,
  list: Buffer,
  scenarios: readonly Scenario[],
  chunkRows = 5_000,
  sources = sourcesOf(world),
): Compared => {
  const { scenarios: resolved, issues } = resolveScenarios(scenarios, sources);
  if (issues.length > 0) throw new Error(JSON.stringify(issues));
  const planned = planList(list, { chunkRows });
  if (!('plan' in planned)) throw new Error('the list is refused');
  const { columns, plan } = planned;
  const account = accountOf({ discounts: new Map(), agreements: world.own.map((document) => ({ document })) });
  const base = { schedule: sources.base, shipper: { warehouses: world.warehouses, account }, instant: world.instant };
  const context = {
    ...{ columns, keepFormulas: false, maximumRowBytes: 1_048_576, scenarios },
    ...{ base: baseSide(base), sides: resolved.map((one) => scenarioSide(base, one)) },
  };
  const parts = plan.chunks.map(({ from, to, firstRow }) => {
    const comparer = createComparer(list.subarray(from, to), firstRow, context);
    while (comparer.step(100));
    return comparer.result();
  });
  const output = Buffer.concat(parts.map((part) => part.output));
  return {
    output,
    text: Buffer.concat([outputHeader(columns, false, comparisonColumns(scenarios)), output]).toString(),
    tally: parts.reduce((sum, { tally }) => plus(sum, tally), EMPTY_TALLY),
    sums: parts.reduce((sum, { sums }) => addSums(sum, sums), emptySums(scenarios.length)),
  };
};

/** The same in the world above. */
export const compared = (list: Buffer, scenarios: readonly Scenario[], chunkRows?: number): Compared =>
  comparedIn(WORLD, list, scenarios, chunkRows, SOURCES);

/** What an output says of one side of each row: of the base, or of a scenario by its column's name. */
export interface SaidBySide extends Said {
  readonly difference: string;
  readonly from: string;
}

export const saidBy = (rows: readonly Readonly<Record<string, string>>[], side: string): SaidBySide[] =>
  rows.map((row) => ({
    net: row[`net_${side}`] ?? '',
    service: row[`service_${side}`] ?? '',
    zone: row[`zone_${side}`] ?? '',
    carrierZone: row[`carrier_zone_${side}`] ?? '',
    weight: row[`billing_weight_${side}`] ?? '',
    warnings: row[`warnings_${side}`] ?? '',
    fault: row[`fault_${side}`] ?? '',
    difference: row[`difference_${side}`] ?? '',
    from: row[`from_${side}`] ?? '',
  }));

export const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true });

export { columnNames };
