/** Sources of a scenario's difference: by cause, service, zone, weight and more. */
import { Chart } from '../ui/charts.tsx';
import { count, counted, difference } from '../ui/format.ts';
import { useServiceName } from '../ui/service-names.tsx';
import type { Behind, OnOpen } from './totals.tsx';
import { bandName, chargeName, type ScenarioSummary, type Sides } from './words.ts';

type Compared = Pick<ScenarioSummary, 'shipments' | 'difference'>;

/** Number of bars in a chart before the rest is folded. */
const MOST_BARS = 10;

/** The largest differences first. */
const bySize = <T extends Compared>(entries: readonly T[]): readonly T[] =>
  [...entries].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));

interface MovesProps {
  readonly scenario: ScenarioSummary;
  readonly sides: Sides;
  /** Undefined if there are no rows to show. */
  readonly onOpen: OnOpen | undefined;
}

interface GroupsProps<T> {
  readonly title: string;
  readonly description?: string;
  /** The header of the names. */
  readonly of: string;
  readonly entries: readonly T[];
  /** The grouping for requests of the rows behind a bar. Undefined: they cannot be shown. */
  readonly by?: Behind['by'];
  /** The label of an entry, and the value that identifies its rows. */
  readonly name: (entry: T) => readonly [label: string, value: string];
  readonly onOpen?: OnOpen | undefined;
}

/** A chart of the differences by one kind of group. Empty without groups. */
const Groups = <T extends Compared>({ title, description, of, entries, by, name, onOpen }: GroupsProps<T>) =>
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

const isMoved = ({ difference: value }: { readonly difference: number }): boolean => value !== 0;

export const MoneyMoves = ({ scenario, sides, onOpen }: MovesProps) => {
  const nameOf = useServiceName();
  const { byService, moves, byZone, byBillingWeight, byState, byWarehouse, byCharge } = scenario;
  const causes = scenario.attribution.filter(isMoved);
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
        <Groups
          {...{
            title: 'By service',
            description: `The service ${sides.inBase}.`,
            of: 'Service',
            by: 'service',
            onOpen,
          }}
          entries={bySize(byService)}
          name={({ shippingService }) => [nameOf(shippingService), shippingService]}
        />
        <Groups
          {...{ title: 'Changed services', of: 'Change', by: 'move', onOpen }}
          description={`From the service ${sides.inBase} to the one ${sides.inScenario}.`}
          entries={bySize(moves.filter(({ from, to }) => from !== to))}
          name={({ from, to }) => [`${nameOf(from)} → ${nameOf(to)}`, `${from}>${to}`]}
        />
        <Groups
          {...{ title: 'By zone', of: 'Zone', by: 'zone', onOpen }}
          entries={byZone}
          name={({ rateZone }) => [`Zone ${rateZone}`, rateZone]}
        />
        <Groups
          {...{ title: 'By billing weight', of: 'Billing weight', by: 'weight', onOpen }}
          entries={byBillingWeight}
          name={(band) => [bandName(band), band.toLb === null ? 'over' : String(band.toLb)]}
        />
        <Groups
          {...{ title: 'By state', description: 'Where the shipments go.', of: 'State', by: 'state', onOpen }}
          entries={bySize(byState)}
          name={({ state }) => [state, state]}
        />
        <Groups
          {...{ title: 'By warehouse', of: 'Warehouse', by: 'warehouse', onOpen }}
          description="Where the scenario ships from."
          entries={bySize(byWarehouse)}
          name={({ warehouse_id: id }) => [`Warehouse ${id}`, String(id)]}
        />
        <Groups
          {...{ title: 'By kind of charge', description: 'A shipment counts for each of its charges.', of: 'Charge' }}
          entries={bySize(byCharge.filter(isMoved))}
          name={({ type }) => [chargeName(type), type]}
        />
      </div>
    </>
  );
};
