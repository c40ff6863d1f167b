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
import {
  apartOf,
  beforeVerdict,
  bothLack,
  doubtsOfLists,
  type ScenarioSummary,
  type Sides,
  titleOf,
  verdictOf,
} from './words.ts';

interface SidesProps {
  readonly sides: Sides;
}

/** What all scenarios lack or estimate is shown once, below them. */
export const Headlines = ({ summary, sides }: SidesProps & { readonly summary: ComparisonSummary }) => {
  const { scenarios, base, join } = summary;
  const clauses = scenarios.map((scenario) =>
    join === undefined ? bothLack(scenario, base) : doubtsOfLists(base, join.with, sides),
  );
  const isShared = new Set(clauses.map(String)).size === 1;
  return (
    <>
      <ul class="plain stack small headlines">
        {scenarios.map((scenario, index) => (
          <li key={index} class={scenario.difference < 0 ? 'less' : scenario.difference > 0 ? 'more' : 'same'}>
            <strong>{titleOf(scenario.name)}</strong>
            {beforeVerdict(scenario)} {verdictOf(scenario)}
            {join === undefined || scenario.shipments === 0 ? '' : ' in both lists'}.{' '}
            {isShared ? '' : clauses[index]?.map((clause) => `${clause}.`).join(' ')}
            {apartOf(scenario, sides)}
          </li>
        ))}
      </ul>
      {isShared ? <Doubts doubts={clauses[0] ?? []} /> : null}
    </>
  );
};

/** The totals as bars, if the scenarios have the same shipments. */
export const SideBySide = ({ scenarios, sides }: SidesProps & Pick<ComparisonSummary, 'scenarios'>) => {
  const [first] = scenarios;
  if (first === undefined || first.shipments === 0 || scenarios.some(({ baseTotal }) => baseTotal !== first.baseTotal))
    return null;
  return (
    <Chart
      title={sides.noun === 'List' ? 'Shipments in both lists, side by side' : 'Totals side by side'}
      columns={[sides.noun, 'Total']}
      rows={[{ name: sides.base, total: first.baseTotal }, ...scenarios].map(({ name, total }, index) => ({
        ...{ key: String(index), label: titleOf(name), value: total, text: money(total) },
      }))}
    />
  );
};

/** Rows that are not in the difference, as buttons that show them. */
const Apart = ({
  scenario,
  sides,
  onOpen,
}: SidesProps & { readonly scenario: ScenarioSummary; readonly onOpen: OnOpen | undefined }) => {
  const { onlyBase, onlyScenario, neither, name } = scenario;
  const apart = [
    { value: 'onlyBase', label: `only ${sides.inBase}`, shipments: onlyBase.shipments, total: onlyBase.total },
    {
      value: 'onlyScenario',
      label: `only ${sides.inScenario}`,
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

interface TotalsProps extends SidesProps {
  readonly summary: ComparisonSummary;
  /** Undefined if there are no rows to show. */
  readonly onOpen: ((scenario: number) => OnOpen) | undefined;
}

export const Totals = ({ summary, sides, onOpen }: TotalsProps) => {
  const isDoubtful = summary.scenarios.some(({ warnings }) => Object.keys(warnings).length > 0);
  return (
    <div class="totals">
      <Rows
        caption={summary.join === undefined ? 'Totals of the scenarios' : 'Totals of the shipments in both lists'}
        cards
        of={summary.scenarios.map((scenario, index) => ({ scenario, index }))}
        keyOf={({ index }) => index}
        cols={[
          [
            sides.noun,
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
          [sides.base, ({ scenario }) => money(scenario.baseTotal), 'number'],
          [sides.scenario, ({ scenario }) => money(scenario.total), 'number'],
          ['Difference', ({ scenario }) => <strong>{difference(scenario.difference)}</strong>, 'number'],
          ['Percent', ({ scenario }) => differencePercent(scenario.percent), 'number'],
          ['Shipments compared', ({ scenario }) => count(scenario.shipments), 'number'],
          [
            'Not compared',
            ({ scenario, index }) => <Apart scenario={scenario} sides={sides} onOpen={onOpen?.(index)} />,
          ],
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

interface JoinedProps extends SidesProps {
  readonly base: ComparisonSummary['base'];
  readonly join: NonNullable<ComparisonSummary['join']>;
}

/** The whole totals of two lists, and what only one of them has. */
export const Joined = ({ base, join, sides }: JoinedProps) => {
  const { gone, new: added, duplicates, withoutKey } = join;
  const each = (of: { readonly base: number; readonly with: number }): string =>
    `${count(of.base)} ${sides.inBase}, ${count(of.with)} ${sides.inScenario}`;
  return (
    <Figures
      figures={[
        ...[
          { label: sides.base, list: base },
          { label: sides.scenario, list: join.with },
        ].map(({ label, list }) => ({
          ...{ label: `${label}, all rows`, value: money(list.totalNetCharge) },
          note: `${count(list.priced)} of ${counted(list.rows, 'row')} priced`,
        })),
        { label: `Only ${sides.inScenario}`, value: count(added.shipments), note: money(added.total) },
        { label: `Only ${sides.inBase}`, value: count(gone.shipments), note: money(gone.total) },
        { label: 'Repeated keys', value: count(duplicates.base + duplicates.with), note: each(duplicates) },
        { label: 'Rows without a key', value: count(withoutKey.base + withoutKey.with), note: each(withoutKey) },
      ]}
    />
  );
};

interface UnpricedProps extends SidesProps, Pick<KindsProps, 'onOpen'> {
  readonly scenario: ScenarioSummary;
}

/** The rows that the scenario cannot price, by reason. */
export const Unpriced = ({ scenario: { faults, name }, sides, onOpen }: UnpricedProps) =>
  Object.keys(faults).length === 0 ? null : (
    <Notice kind="info" title={`Rows without a price ${sides.inScenario}`}>
      <Kinds by="fault" of={faults} name={name} onOpen={onOpen} />
    </Notice>
  );
