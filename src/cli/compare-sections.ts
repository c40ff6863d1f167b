/** The tables of a comparison's page: shipments by service, zone, weight and state. */
import type { ComparisonSummary } from '../comparison/summary.ts';
import { type Amounts, added, amountsTable, type Labeled } from './compare-table.ts';
import { count } from './format.ts';

type ScenarioBody = ComparisonSummary['scenarios'][number];

/** The lines of a table that are shown; the others are one line. */
const MOST_LINES = 10;

/** Lines under a title; nothing if there are none. */
export const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const byDifference = (a: Amounts, b: Amounts): number => Math.abs(b.difference) - Math.abs(a.difference);

/** The largest differences, and the rest as one line. */
const largest = (rows: readonly Labeled[], rest: (others: number) => string): readonly Labeled[] => {
  if (rows.length <= MOST_LINES + 1) return rows;
  const sorted = rows.toSorted(byDifference);
  const others = sorted.slice(MOST_LINES);
  return [...sorted.slice(0, MOST_LINES), { label: rest(others.length), ...added(others) }];
};

const amountsSection = (title: string, heading: string, rows: readonly Labeled[]): string[] =>
  rows.length === 0 ? [] : section(title, amountsTable(heading, rows));

const weightLabel = (overLb: number, toLb: number | null): string =>
  toLb === null ? `over ${overLb} lb` : overLb === 0 ? `up to ${toLb} lb` : `over ${overLb} to ${toLb} lb`;

/** Zones that are numbers in their order, then the others. */
const byZone = (a: { readonly rateZone: string }, b: { readonly rateZone: string }): number =>
  a.rateZone.localeCompare(b.rateZone, 'en-US', { numeric: true });

const moveRows = ({ moves }: ScenarioBody): readonly Labeled[] => {
  const gone = moves.filter(({ from, to }) => from !== to);
  const stayed = moves.filter(({ from, to }) => from === to);
  if (gone.length === 0) return [];
  return [
    ...largest(
      gone.map((move) => ({ label: `${move.from} to ${move.to}`, ...move })),
      (others) => `${count(others)} other moves`,
    ),
    ...(stayed.length === 0 ? [] : [{ label: 'same service', ...added(stayed) }]),
  ];
};

/** @param warehouses their names by id */
export const tables = (scenario: ScenarioBody, warehouses: ReadonlyMap<number, string>): string[] => [
  ...amountsSection('By service as it is:', 'service', [
    ...scenario.byService.map((one) => ({ label: one.shippingService, ...one })),
    ...(scenario.byService.length > 1 ? [{ ...scenario, label: 'all services' }] : []),
  ]),
  ...amountsSection('Shipments that change their service:', 'from and to', moveRows(scenario)),
  ...amountsSection(
    'By warehouse that the scenario ships from:',
    'warehouse',
    scenario.byWarehouse.map((one) => ({
      label: warehouses.get(one.warehouse_id) ?? `warehouse ${one.warehouse_id}`,
      ...one,
    })),
  ),
  ...amountsSection(
    'By zone as it is:',
    'zone',
    scenario.byZone
      .toSorted(byZone)
      .map((one) => ({ label: one.rateZone === '' ? 'no zone' : `zone ${one.rateZone}`, ...one })),
  ),
  ...amountsSection(
    'By billed weight as it is:',
    'weight',
    scenario.byBillingWeight.map((one) => ({ label: weightLabel(one.overLb, one.toLb), ...one })),
  ),
  ...amountsSection(
    'By state of the destination:',
    'state',
    largest(
      scenario.byState.map((one) => ({ label: one.state, ...one })),
      (others) => `${count(others)} other states`,
    ),
  ),
];
