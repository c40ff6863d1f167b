/** The scenarios beside each other: a sentence and a row of a table for each. */
import type { ComparisonSummary } from '../calls.ts';
import { count, counted, difference, differencePercent, money } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import type { OnOpen } from './behind.ts';
import { apartOf, changesText, type ScenarioSummary, titleOf, verdictOf } from './words.ts';

export const Headlines = ({ summary }: { readonly summary: ComparisonSummary }) => (
  <ul class="plain stack small headlines">
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
    <ul class="plain stack tiny">
      {apart.map(({ value, label, shipments, total }) => (
        <li key={value}>
          <button
            type="button"
            class="link"
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
    <Rows
      caption="Totals of the scenarios"
      of={summary.scenarios.map((scenario, index) => ({ scenario, index }))}
      keyOf={({ index }) => index}
      cols={[
        [
          'Scenario',
          ({ scenario: { name, changes } }) => (
            <>
              {titleOf(name)}
              {changes.toLowerCase() === name.toLowerCase() ? null : <span class="sub">{changesText(changes)}</span>}
            </>
          ),
          'head',
        ],
        ['As it is', ({ scenario }) => money(scenario.baseTotal), 'number'],
        ['In the scenario', ({ scenario }) => money(scenario.total), 'number'],
        ['Difference', ({ scenario }) => <strong>{difference(scenario.difference)}</strong>, 'number'],
        ['Percent', ({ scenario }) => differencePercent(scenario.percent), 'number'],
        ['Shipments compared', ({ scenario }) => count(scenario.shipments), 'number'],
        ['Not compared', ({ scenario, index }) => <Apart scenario={scenario} onOpen={onOpen?.(index)} />],
      ]}
    />
  </div>
);
