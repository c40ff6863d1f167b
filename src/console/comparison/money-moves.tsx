/** Where the money moves in one scenario: its difference by cause, service, zone, weight and more. */

import { DifferenceChart, type DifferenceRow } from '../ui/difference-chart.tsx';
import { count, counted, difference } from '../ui/format.ts';
import type { Behind, OnOpen } from './behind.ts';
import { bandName, partName, type ScenarioSummary } from './words.ts';

type Compared = Pick<ScenarioSummary, 'shipments' | 'difference'>;

/** Bars that a chart shows before the rest is folded. */
const MOST_BARS = 10;

const NOTE = 'Shipments';

/** The largest differences first. */
const bySize = <T extends Compared>(entries: readonly T[]): readonly T[] =>
  [...entries].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));

interface MovesProps {
  readonly scenario: ScenarioSummary;
  /** Undefined if there are no rows to show. */
  readonly onOpen: OnOpen | undefined;
}

const textOf = ({ shipments, difference: own }: Compared): string =>
  `${counted(shipments, 'shipment')}, ${difference(own)}`;

/** Rows of a chart that open. */
const rowsOf = <T extends Compared>(
  entries: readonly T[],
  onOpen: OnOpen | undefined,
  by: Behind['by'],
  name: (entry: T) => { readonly label: string; readonly value: string; readonly title?: string },
): readonly DifferenceRow[] =>
  entries.map((entry) => {
    const { label, value, title = label } = name(entry);
    return {
      key: value,
      label,
      value: entry.difference,
      note: count(entry.shipments),
      open: onOpen && (() => onOpen({ by, value, title, text: textOf(entry) })),
    };
  });

const isMoved = ({ difference: value }: { readonly difference: number }): boolean => value !== 0;

const Causes = ({ scenario }: Pick<MovesProps, 'scenario'>) => (
  <section class="panel" aria-label="Where the money moves">
    <DifferenceChart
      title="Where the money moves"
      description="The difference by its cause. Each cause is measured after those above it, and together they are the whole difference. Causes that changed nothing are left out."
      columns={{ label: 'Cause' }}
      rows={scenario.attribution
        .filter(isMoved)
        .map(({ part, difference: value }) => ({ key: part, label: partName(part), value }))}
      total={scenario.difference}
    />
  </section>
);

export const MoneyMoves = ({ scenario, onOpen }: MovesProps) => {
  const { byService, moves, byZone, byBillingWeight, byState, byWarehouse, byCharge } = scenario;
  const changed = moves.filter(({ from, to }) => from !== to);
  return (
    <>
      {scenario.attribution.every((cause) => !isMoved(cause)) ? null : <Causes scenario={scenario} />}
      {onOpen === undefined ? null : <p class="hint">Choose a bar to see the shipments behind it.</p>}
      <div class="charts">
        <DifferenceChart
          title="By service"
          description="As the list is now."
          columns={{ label: 'Service', note: NOTE }}
          rows={rowsOf(bySize(byService), onOpen, 'service', ({ shippingService }) => ({
            label: shippingService,
            value: shippingService,
          }))}
          most={MOST_BARS}
        />
        {changed.length === 0 ? null : (
          <DifferenceChart
            title="Changed services"
            description="From the service now to that of the scenario."
            columns={{ label: 'Change', note: NOTE }}
            rows={rowsOf(bySize(changed), onOpen, 'move', ({ from, to }) => ({
              label: `${from} → ${to}`,
              value: `${from}>${to}`,
              title: `${from} to ${to}`,
            }))}
            most={MOST_BARS}
          />
        )}
        <DifferenceChart
          title="By zone"
          columns={{ label: 'Zone', note: NOTE }}
          rows={rowsOf(byZone, onOpen, 'zone', ({ rateZone }) => ({ label: `Zone ${rateZone}`, value: rateZone }))}
        />
        <DifferenceChart
          title="By billing weight"
          columns={{ label: 'Billing weight', note: NOTE }}
          rows={rowsOf(byBillingWeight, onOpen, 'weight', (band) => ({
            label: bandName(band),
            value: band.toLb === null ? 'over' : String(band.toLb),
          }))}
        />
        {byState.length === 0 ? null : (
          <DifferenceChart
            title="By state"
            description="Where the shipments go."
            columns={{ label: 'State', note: NOTE }}
            rows={rowsOf(bySize(byState), onOpen, 'state', ({ state }) => ({ label: state, value: state }))}
            most={MOST_BARS}
          />
        )}
        {byWarehouse.length === 0 ? null : (
          <DifferenceChart
            title="By warehouse"
            description="Where the scenario ships from."
            columns={{ label: 'Warehouse', note: NOTE }}
            rows={rowsOf(bySize(byWarehouse), onOpen, 'warehouse', ({ warehouse_id }) => ({
              label: `Warehouse ${warehouse_id}`,
              value: String(warehouse_id),
            }))}
            most={MOST_BARS}
          />
        )}
        {byCharge.some(isMoved) ? (
          <DifferenceChart
            title="By kind of charge"
            description="A shipment counts for each of its charges."
            columns={{ label: 'Charge', note: NOTE }}
            rows={bySize(byCharge.filter(isMoved)).map(({ type, difference: value, shipments }) => ({
              key: type,
              label: partName(type),
              value,
              note: count(shipments),
            }))}
            most={MOST_BARS}
          />
        ) : null}
      </div>
    </>
  );
};
