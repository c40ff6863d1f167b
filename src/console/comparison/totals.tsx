/** The scenarios side by side: a sentence and a table row for each, and what none of their sums contain. */
import type { RowGroup } from '../../batch/work/compared-rows.ts';
import type { ComparisonSummary } from '../calls.ts';
import { warningTitle } from '../fault-words.ts';
import { guidanceOf } from '../guide.ts';
import { Chart, Figures } from '../ui/charts.tsx';
import { Doubts, Notice } from '../ui/feedback.tsx';
import { byCount } from '../ui/findings.tsx';
import { count, counted, difference, differencePercent, money, withoutVersions } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { apartOf, beforeVerdict, bothLack, type ScenarioSummary, titleOf, verdictOf } from './words.ts';

/** What all scenarios lack or estimate is shown once, below them. */
export const Headlines = ({ summary: { scenarios, base } }: { readonly summary: ComparisonSummary }) => {
  const clauses = scenarios.map((scenario) => bothLack(scenario, base));
  const isShared = new Set(clauses.map(String)).size === 1;
  return (
    <>
      <ul class="plain stack small headlines">
        {scenarios.map((scenario, index) => (
          <li key={index} class={scenario.difference < 0 ? 'less' : scenario.difference > 0 ? 'more' : 'same'}>
            <strong>{titleOf(scenario.name)}</strong>
            {beforeVerdict(scenario)} {verdictOf(scenario)}.{' '}
            {isShared ? '' : clauses[index]?.map((clause) => `${clause}.`).join(' ')}
            {apartOf(scenario)}
          </li>
        ))}
      </ul>
      {isShared ? <Doubts doubts={clauses[0] ?? []} /> : null}
    </>
  );
};

/** The totals as bars, if the scenarios have the same shipments. */
export const SideBySide = ({ scenarios }: Pick<ComparisonSummary, 'scenarios'>) => {
  const [first] = scenarios;
  if (first === undefined || scenarios.some(({ baseTotal }) => baseTotal !== first.baseTotal)) return null;
  return (
    <Chart
      title="Totals side by side"
      columns={['Scenario', 'Total']}
      rows={[{ name: 'Now', total: first.baseTotal }, ...scenarios].map(({ name, total }, index) => ({
        ...{ key: String(index), label: titleOf(name), value: total, text: money(total) },
      }))}
    />
  );
};

/** Rows that are not in the difference, as buttons that show them. */
const Apart = ({ scenario, onOpen }: { readonly scenario: ScenarioSummary; readonly onOpen: OnOpen | undefined }) => {
  const { onlyBase, onlyScenario, neither, name } = scenario;
  const apart = [
    { value: 'onlyBase', label: 'only now', shipments: onlyBase.shipments, total: onlyBase.total },
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

interface KindsProps {
  readonly by: 'fault' | 'warning';
  /** The number of rows by type. */
  readonly of: Readonly<Record<string, number>>;
  /** The name of the scenario. */
  readonly name: string;
  readonly onOpen: OnOpen | undefined;
}

/** Types of problems or warnings, as buttons that show their rows. */
const Kinds = ({ by, of, name, onOpen }: KindsProps) => (
  <ul class="plain stack tiny">
    {byCount(of).map(([type, rows]) => {
      const title = by === 'fault' ? guidanceOf(type).title : warningTitle(type);
      const text = counted(rows, 'row');
      const open = (): void => onOpen?.({ by, value: type, title, text });
      return (
        <li key={type}>
          <button type="button" class="link" disabled={onOpen === undefined} onClick={open}>
            {title}: {text}
            <span class="visually-hidden">, show them of {name}</span>
          </button>
        </li>
      );
    })}
  </ul>
);

interface TotalsProps {
  readonly summary: ComparisonSummary;
  /** Undefined if there are no rows to show. */
  readonly onOpen: ((scenario: number) => OnOpen) | undefined;
}

export const Totals = ({ summary, onOpen }: TotalsProps) => {
  const isDoubtful = summary.scenarios.some(({ warnings }) => Object.keys(warnings).length > 0);
  return (
    <div class="totals">
      <Rows
        caption="Totals of the scenarios"
        cards
        of={summary.scenarios.map((scenario, index) => ({ scenario, index }))}
        keyOf={({ index }) => index}
        cols={[
          [
            'Scenario',
            ({ scenario: { name, changes } }) => (
              <>
                {titleOf(name)}
                {changes.toLowerCase() === name.toLowerCase() ? null : (
                  <span class="sub">{withoutVersions(changes)}</span>
                )}
              </>
            ),
            'head',
          ],
          ['Now', ({ scenario }) => money(scenario.baseTotal), 'number'],
          ['In the scenario', ({ scenario }) => money(scenario.total), 'number'],
          ['Difference', ({ scenario }) => <strong>{difference(scenario.difference)}</strong>, 'number'],
          ['Percent', ({ scenario }) => differencePercent(scenario.percent), 'number'],
          ['Shipments compared', ({ scenario }) => count(scenario.shipments), 'number'],
          ['Not compared', ({ scenario, index }) => <Apart scenario={scenario} onOpen={onOpen?.(index)} />],
          isDoubtful && [
            'Warnings',
            ({ scenario: { warnings, name }, index }) => (
              <Kinds by="warning" of={warnings} name={name} onOpen={onOpen?.(index)} />
            ),
          ],
        ]}
      />
    </div>
  );
};

export interface Behind {
  readonly by: RowGroup;
  readonly value: string;
  /** Such as `Zone 8`. */
  readonly title: string;
  /** Such as `12 shipments, +$34.10`. */
  readonly text: string;
}

export type OnOpen = (behind: Behind) => void;

type Join = NonNullable<ComparisonSummary['join']>;

export const Joined = ({ join }: { readonly join: Join }) => {
  const { gone, new: added, duplicates, withoutKey } = join;
  return (
    <Figures
      figures={[
        { label: 'New shipments', value: count(added.shipments), note: money(added.total) },
        { label: 'Shipments gone', value: count(gone.shipments), note: money(gone.total) },
        {
          label: 'Repeated keys',
          value: count(duplicates.base + duplicates.with),
          note: `${count(duplicates.base)} before, ${count(duplicates.with)} after`,
        },
        {
          label: 'Rows without a key',
          value: count(withoutKey.base + withoutKey.with),
          note: `${count(withoutKey.base)} before, ${count(withoutKey.with)} after`,
        },
      ]}
    />
  );
};

interface UnpricedProps extends Pick<KindsProps, 'onOpen'> {
  readonly scenario: ScenarioSummary;
}

/** The rows that this scenario cannot price, by reason. */
export const Unpriced = ({ scenario: { faults, name }, onOpen }: UnpricedProps) =>
  Object.keys(faults).length === 0 ? null : (
    <Notice kind="info" title="Rows that this scenario cannot price">
      <Kinds by="fault" of={faults} name={name} onOpen={onOpen} />
    </Notice>
  );
