/** The scenarios beside each other: a sentence and a row of a table for each. */
import type { ComparisonSummary } from '../calls.ts';
import { count, counted, difference, differencePercent, money } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';
import type { OnOpen } from './behind.ts';
import { apartOf, changesText, type ScenarioSummary, titleOf, verdictOf } from './words.ts';

export const Headlines = ({ summary }: { readonly summary: ComparisonSummary }) => (
  <ul class="headlines">
    {summary.scenarios.map((scenario, index) => (
      <li key={index} class={scenario.difference < 0 ? 'less' : scenario.difference > 0 ? 'more' : 'same'}>
        <strong>{titleOf(scenario.name)}</strong> {verdictOf(scenario)}.{apartOf(scenario)}
      </li>
    ))}
  </ul>
);

/** Rows that are in no difference, as buttons that show them. */
const Apart = ({ scenario, onOpen }: { readonly scenario: ScenarioSummary; readonly onOpen: OnOpen | undefined }) => {
  const { onlyBase, onlyScenario, neither, name } = scenario;
  const apart = [
    { value: 'onlyBase', label: 'only as it is', shipments: onlyBase.shipments, total: onlyBase.total },
    {
      value: 'onlyScenario',
      label: 'only in the scenario',
      shipments: onlyScenario.shipments,
      total: onlyScenario.total,
    },
    { value: 'neither', label: 'neither', shipments: neither, total: undefined },
  ].filter(({ shipments }) => shipments > 0);
  if (apart.length === 0) return <>none</>;
  return (
    <ul class="apart">
      {apart.map(({ value, label, shipments, total }) => (
        <li key={value}>
          <button
            type="button"
            class="link-button"
            disabled={onOpen === undefined}
            onClick={() =>
              onOpen?.({
                by: 'outcome',
                value,
                title: `Priced ${label}`,
                text: `${counted(shipments, 'row')}${total === undefined ? '' : `, ${money(total)}`}`,
              })
            }
          >
            {count(shipments)} {label}
            <span class="visually-hidden">: show the rows of {name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
};

interface TotalsProps {
  readonly summary: ComparisonSummary;
  /** Undefined if there are no rows to show. */
  readonly onOpen: ((scenario: number) => OnOpen) | undefined;
}

export const Totals = ({ summary, onOpen }: TotalsProps) => (
  <div class="totals">
    <Table
      caption="Totals of the scenarios"
      captionHidden
      rows={summary.scenarios.map((scenario, index) => ({ scenario, index }))}
      keyOf={({ index }) => index}
      columns={[
        {
          key: 'name',
          label: 'Scenario',
          heads: true,
          cell: ({ scenario: { name, changes } }) => (
            <>
              {titleOf(name)}
              {changes.toLowerCase() === name.toLowerCase() ? null : (
                <span class="hint block changes">{changesText(changes)}</span>
              )}
            </>
          ),
        },
        { key: 'base', label: 'As it is', numeric: true, cell: ({ scenario }) => money(scenario.baseTotal) },
        { key: 'total', label: 'In the scenario', numeric: true, cell: ({ scenario }) => money(scenario.total) },
        {
          key: 'difference',
          label: 'Difference',
          numeric: true,
          cell: ({ scenario }) => <strong>{difference(scenario.difference)}</strong>,
        },
        {
          key: 'percent',
          label: 'Percent',
          numeric: true,
          cell: ({ scenario }) => differencePercent(scenario.percent),
        },
        {
          key: 'shipments',
          label: 'Shipments compared',
          numeric: true,
          cell: ({ scenario }) => count(scenario.shipments),
        },
        {
          key: 'apart',
          label: 'Not compared',
          cell: ({ scenario, index }) => <Apart scenario={scenario} onOpen={onOpen?.(index)} />,
        },
      ]}
    />
  </div>
);
