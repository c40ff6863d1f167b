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
const headline = ({ name, shipments, total, baseTotal, difference, percent }: ScenarioBody): string => {
  if (shipments === 0) return `${name}: no shipment has a price both as listed and in the scenario.`;
  const on = `on ${counted(shipments, 'shipment')}.`;
  if (difference === 0) return `${name}: ${dollarsText(total)}, the same as listed ${on}`;
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

export const saidOf = (
  { id, summary, findings }: Compared,
  { output }: { readonly output?: string | undefined },
  seconds: number,
): Said => ({
  json: () => ({ ...(id !== undefined && { id }), ...summary, findings }),
  notes: [
    `${id === undefined ? '' : `Comparison ${id}: `}${counted(summary.base.rows, 'row')} as listed and in ` +
      `${counted(summary.scenarios.length, 'scenario')} in ${seconds.toFixed(1)} s` +
      `${output === undefined || output === '-' ? '' : `, in ${output}`}`,
    ...summary.scenarios.map(headline),
    ...findingLines(findings),
  ],
  exit: isPriced(summary) ? EXIT.done : EXIT.faulted,
});
