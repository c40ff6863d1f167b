/** The output of `rates compare`. */
import type { ComparisonSummary } from '../../lists/comparison/summary.ts';
import { findingLines } from '../batch/list-options.ts';
import type { Said } from '../command.ts';
import { EXIT } from '../exit.ts';
import { counted, dollarsText } from '../format.ts';

/** The result of a comparison without its rows. */
export interface Compared {
  /** Only for a comparison that a service stores. */
  readonly id?: string;
  readonly summary: ComparisonSummary;
  readonly findings: readonly { readonly message: string }[];
}

type ScenarioBody = ComparisonSummary['scenarios'][number];

const percentText = (percent: number): string =>
  Math.abs(percent).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** One sentence about the scenario's cost. */
const headline = (
  { name, shipments, total, baseTotal, difference, percent }: ScenarioBody,
  isJoined: boolean,
): string => {
  if (shipments === 0)
    return `${name}: no shipment has a price both ${isJoined ? 'there and in the batch' : 'as listed and in the scenario'}.`;
  const on = `on ${counted(shipments, 'shipment')}${isJoined ? ' in both lists' : ''}.`;
  if (difference === 0)
    return `${name}: ${dollarsText(total)}, the same as ${isJoined ? 'in the batch' : 'listed'} ${on}`;
  const word = difference > 0 ? 'more' : 'less';
  const share = percent === null ? '' : ` (${percentText(percent)}%)`;
  return (
    `${name}: ${dollarsText(total)} instead of ${dollarsText(baseTotal)}, ` +
    `${dollarsText(Math.abs(difference))} ${word}${share} ${on}`
  );
};

/** Whether every row has a price both as listed and in each scenario. */
const isPriced = ({ base, scenarios }: ComparisonSummary): boolean =>
  base.priced === base.rows && scenarios.every(({ onlyBase, neither }) => onlyBase.shipments + neither === 0);

/** What is compared. The totals of two lists include rows that only one of them has. */
const sidesOf = ({ base, scenarios, join }: ComparisonSummary): string => {
  if (join === undefined)
    return `${counted(base.rows, 'row')} as listed and in ${counted(scenarios.length, 'scenario')}`;
  const [each, other] = [base, join.with].map(
    ({ rows, totalNetCharge }) => `${counted(rows, 'row')} for ${dollarsText(totalNetCharge)}`,
  );
  return `${each} and ${other} in ${scenarios[0]?.name}`;
};

export const saidOf = (
  { id, summary, findings }: Compared,
  { output }: { readonly output?: string | undefined },
  seconds: number,
): Said => ({
  json: () => ({ ...(id !== undefined && { id }), ...summary, findings }),
  notes: [
    `${id === undefined ? '' : `Comparison ${id}: `}${sidesOf(summary)} in ${seconds.toFixed(1)} s` +
      `${output === undefined || output === '-' ? '' : `, in ${output}`}`,
    ...summary.scenarios.map((one) => headline(one, summary.join !== undefined)),
    ...findingLines(findings),
  ],
  exit: isPriced(summary) ? EXIT.done : EXIT.faulted,
});
