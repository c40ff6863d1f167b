/**
 * The sums of a comparison: the scenarios side by side, with a sentence and a table row for each, what none of their sums contain,
 * and the sources of a scenario's difference by cause, service, zone, weight and more.
 */
import type { RowGroup } from '../../batch/work/compared-rows.ts';
import type { ComparisonSummary } from '../calls.ts';
import { guidanceOf, warningTitle } from '../fault-words.ts';
import { Chart, Figures } from '../ui/charts.tsx';
import { Doubts, Folded } from '../ui/feedback.tsx';
import { byCount } from '../ui/findings.tsx';
import { count, counted, difference, differencePercent, money, withoutVersions } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import {
  apartOf,
  bandKey,
  bandName,
  beforeVerdict,
  bothLack,
  chargeName,
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

export interface Behind {
  readonly by: RowGroup;
  readonly value: string;
  /** Such as `Zone 8`. */
  readonly title: string;
  /** Such as `12 shipments, +$34.10`. */
  readonly text: string;
}

export type OnOpen = (behind: Behind) => void;

interface Opener extends Behind {
  readonly label: string;
  /** The rest of the label, for screen readers. */
  readonly more: string;
}

interface OpenersProps {
  readonly of: readonly Opener[];
  /** Undefined if there are no rows to show. */
  readonly onOpen: OnOpen | undefined;
}

/** Buttons that show rows. */
const Openers = ({ of: openers, onOpen }: OpenersProps) => (
  <ul class="plain stack tiny">
    {openers.map(({ label, more, ...behind }) => (
      <li key={behind.value}>
        <button type="button" class="link" disabled={onOpen === undefined} onClick={() => onOpen?.(behind)}>
          {label}
          <span class="visually-hidden">{more}</span>
        </button>
      </li>
    ))}
  </ul>
);

/** Rows that are not in the difference. */
const apartIn = ({ onlyBase, onlyScenario, neither, name }: ScenarioSummary, sides: Sides): readonly Opener[] => {
  const apart = (value: string, label: string, shipments: number, total = ''): readonly Opener[] => {
    if (shipments === 0) return [];
    const behind: Behind = { by: 'outcome', value, title: `Priced ${label}`, text: counted(shipments, 'row') + total };
    return [{ ...behind, label: `${count(shipments)} ${label}`, more: `: show the rows of ${name}` }];
  };
  return [
    ...apart('onlyBase', `only ${sides.inBase}`, onlyBase.shipments, `, ${money(onlyBase.total)}`),
    ...apart('onlyScenario', `only ${sides.inScenario}`, onlyScenario.shipments, `, ${money(onlyScenario.total)}`),
    ...apart('neither', 'unpriced in both', neither),
  ];
};

/** Types of problems or warnings. @param of the number of rows by type @param name the name of the scenario */
const kindsIn = (by: 'fault' | 'warning', of: Readonly<Record<string, number>>, name: string): readonly Opener[] =>
  byCount(of).map(([value, rows]) => {
    const title = by === 'fault' ? guidanceOf(value).title : warningTitle(value);
    const text = counted(rows, 'row');
    return { by, value, title, text, label: `${title}: ${text}`, more: `, show them of ${name}` };
  });

interface TotalsProps extends SidesProps {
  readonly summary: ComparisonSummary;
  /** Undefined if there are no rows to show. */
  readonly onOpen: ((scenario: number) => OnOpen) | undefined;
}

export const Totals = ({ summary, sides, onOpen }: TotalsProps) => {
  const sumOf = ({ shipments }: ScenarioSummary, text: string) => (shipments === 0 ? '—' : text);
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
          [sides.base, ({ scenario }) => sumOf(scenario, money(scenario.baseTotal)), 'number'],
          [sides.scenario, ({ scenario }) => sumOf(scenario, money(scenario.total)), 'number'],
          [
            'Difference',
            ({ scenario }) => (
              <strong>
                {sumOf(scenario, difference(scenario.difference))}
                <span class="sub">{scenario.percent === null ? '' : differencePercent(scenario.percent)}</span>
              </strong>
            ),
            'number',
          ],
          ['Shipments compared', ({ scenario }) => count(scenario.shipments), 'number'],
          [
            'Not compared',
            ({ scenario, index }) => {
              const apart = apartIn(scenario, sides);
              return apart.length === 0 ? 'none' : <Openers of={apart} onOpen={onOpen?.(index)} />;
            },
          ],
          isDoubtful && [
            'Warnings',
            ({ scenario: { warnings, name }, index }) => (
              <Openers of={kindsIn('warning', warnings, name)} onOpen={onOpen?.(index)} />
            ),
          ],
        ]}
      />
    </div>
  );
};

interface JoinedProps extends SidesProps {
  readonly base: ComparisonSummary['base'];
  readonly join: NonNullable<ComparisonSummary['join']>;
}

const pricedText = ({ priced, rows }: Pick<JoinedProps['base'], 'priced' | 'rows'>): string =>
  `${count(priced)} of ${counted(rows, 'row')} priced`;

/** The whole totals of two lists, and what only one of them has. */
export const Joined = ({ base, join, sides }: JoinedProps) => {
  const { gone, new: added, duplicates, withoutKey } = join;
  const each = (of: { readonly base: number; readonly with: number }): string =>
    `${count(of.base)} ${sides.inBase}, ${count(of.with)} ${sides.inScenario}`;
  return (
    <Figures
      of={[
        [`${sides.base}, all rows`, money(base.totalNetCharge), pricedText(base)],
        [`${sides.scenario}, all rows`, money(join.with.totalNetCharge), pricedText(join.with)],
        [`Only ${sides.inScenario}`, count(added.shipments), money(added.total)],
        [`Only ${sides.inBase}`, count(gone.shipments), money(gone.total)],
        ['Repeated keys', count(duplicates.base + duplicates.with), each(duplicates)],
        ['Rows without a key', count(withoutKey.base + withoutKey.with), each(withoutKey)],
      ]}
    />
  );
};

interface ScenarioProps extends SidesProps, Pick<OpenersProps, 'onOpen'> {
  readonly scenario: ScenarioSummary;
}

/** The rows that the scenario cannot price, by reason. */
export const Unpriced = ({ scenario: { faults, name }, sides, onOpen }: ScenarioProps) => {
  const rows = Object.values(faults).reduce((sum, own) => sum + own, 0);
  return rows === 0 ? null : (
    <Folded title={`${counted(rows, 'row')} without a price ${sides.inScenario}`}>
      <Openers of={kindsIn('fault', faults, name)} onOpen={onOpen} />
    </Folded>
  );
};

type Compared = Pick<ScenarioSummary, 'shipments' | 'difference'>;

/** Number of bars in a chart before the rest is folded. */
const MOST_BARS = 10;

/** The largest differences first. */
const bySize = <T extends Compared>(entries: readonly T[]): readonly T[] =>
  [...entries].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));

const isMoved = ({ difference: value }: { readonly difference: number }): boolean => value !== 0;

/** The title of a chart of groups, the header of their names, and what the chart shows. */
type Words = readonly [title: string, of: string, description?: string];

export const MoneyMoves = ({ scenario, sides, onOpen }: ScenarioProps) => {
  const nameOf = useServiceName();
  const { byService, moves, byZone, byBillingWeight, byState, byWarehouse, byCharge } = scenario;
  const causes = scenario.attribution.filter(isMoved);
  /**
   * A chart of the differences by one kind of group. None without groups.
   * @param by the grouping for requests of the rows behind a bar. Undefined: they cannot be shown
   * @param name the label of an entry, and the value that identifies its rows
   */
  const groups = <T extends Compared>(
    [title, of, description]: Words,
    by: Behind['by'] | undefined,
    entries: readonly T[],
    name: (entry: T) => readonly [label: string, value: string],
  ) =>
    entries.length === 0 ? null : (
      <div class="panel">
        <Chart
          title={title}
          {...(description !== undefined && { description })}
          columns={[of, 'Difference', 'Shipments']}
          signed
          most={MOST_BARS}
          opens="show its shipments"
          rows={entries.map((entry) => {
            const [label, key] = name(entry);
            const [text, note] = [difference(entry.difference), count(entry.shipments)];
            const behind = `${counted(entry.shipments, 'shipment')}, ${text}`;
            return {
              ...{ label, key, value: entry.difference, text, note },
              open: by && onOpen && (() => onOpen({ by, value: key, title: label, text: behind })),
            };
          })}
        />
      </div>
    );
  const changed = `From the service ${sides.inBase} to the one ${sides.inScenario}.`;
  const charged = 'A shipment counts for each of its charges.';
  return (
    <>
      {causes.length === 0 ? null : (
        <div class="panel">
          <Chart
            title="Where the money moves"
            description="The difference by its cause. Each cause is measured after those above it. They add up to the whole difference. Causes that changed nothing are left out."
            columns={['Cause', 'Difference']}
            signed
            rows={causes.map(({ part, difference: value }) => ({
              ...{ key: part, label: chargeName(part), value, text: difference(value) },
            }))}
            total={difference(scenario.difference)}
          />
        </div>
      )}
      {onOpen === undefined ? null : <p class="hint screen-only">Choose a bar to see the shipments behind it.</p>}
      <div class="cols even">
        {groups(['By service', 'Service', `The service ${sides.inBase}.`], 'service', bySize(byService), (own) => [
          nameOf(own.shippingService),
          own.shippingService,
        ])}
        {groups(
          ['Changed services', 'Change', changed],
          'move',
          bySize(moves.filter(({ from, to }) => from !== to)),
          ({ from, to }) => [`${nameOf(from)} → ${nameOf(to)}`, `${from}>${to}`],
        )}
        {groups(['By zone', 'Zone'], 'zone', byZone, ({ rateZone }) => [`Zone ${rateZone}`, rateZone])}
        {groups(['By billing weight', 'Billing weight'], 'weight', byBillingWeight, (band) => [
          bandName(band),
          bandKey(band),
        ])}
        {groups(['By state', 'State', 'Where the shipments go.'], 'state', bySize(byState), ({ state }) => [
          state,
          state,
        ])}
        {groups(
          ['By warehouse', 'Warehouse', 'Where the scenario ships from.'],
          'warehouse',
          bySize(byWarehouse),
          ({ warehouse_id: id }) => [`Warehouse ${id}`, String(id)],
        )}
        {groups(['By kind of charge', 'Charge', charged], undefined, bySize(byCharge.filter(isMoved)), ({ type }) => [
          chargeName(type),
          type,
        ])}
      </div>
    </>
  );
};
