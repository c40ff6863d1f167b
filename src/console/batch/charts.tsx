/** Charts of a batch: spend by service, cheapest services, shipments by zone and by weight. */
import type { Summary } from '../calls.ts';
import { BarChart, ShareChart } from '../ui/charts.tsx';
import { count, counted, money } from '../ui/format.ts';

/** Empty members filter nothing, and leave the order of the list. */
export interface RowFilter {
  readonly outcome: 'all' | 'quoted' | 'faulted';
  readonly search: string;
  readonly service: string;
  readonly zone: string;
  readonly carrierZone: string;
  readonly weight: string;
  readonly fault: string;
  readonly sort: string;
}

const shipments = (value: number): string => counted(value, 'shipment');

/** As the filter of rows names a band. */
export const bandKey = ({ toLb }: Summary['byBillingWeight'][number]): string =>
  toLb === null ? 'over' : String(toLb);

export const bandOf = ({ overLb, toLb }: Summary['byBillingWeight'][number]): string => {
  if (toLb === null) return `over ${overLb} lb`;
  return toLb === overLb + 1 ? `${toLb} lb` : `${overLb + 1} to ${toLb} lb`;
};

/** Largest first. */
const descending = <T extends { readonly shipments: number }>(shares: readonly T[]): readonly T[] =>
  [...shares].sort((a, b) => b.shipments - a.shipments);

interface ChartsProps {
  readonly summary: Summary;
  /** Shows rows of the output. */
  readonly onRows: (filter: Partial<RowFilter>) => void;
}

export const Charts = ({ summary, onRows }: ChartsProps) => {
  if (summary.rows.quoted === 0) return null;
  const cheapest = descending(summary.cheapest);
  return (
    <section class="charts" aria-label="Charts">
      <BarChart
        title="Spend by service"
        columns={{ label: 'Service', text: 'Net charge', note: 'Shipments' }}
        rows={[...summary.byService]
          .sort((a, b) => b.totalNetCharge - a.totalNetCharge)
          .map(({ shippingService, totalNetCharge, shipments: number }) => ({
            label: shippingService,
            value: totalNetCharge,
            text: money(totalNetCharge),
            note: shipments(number),
            onOpen: () => onRows({ service: shippingService }),
          }))}
      />
      {cheapest.length === 0 ? null : (
        <ShareChart
          title="Cheapest service"
          description="Rows that name no service."
          columns={{ label: 'Service', text: 'Shipments' }}
          shares={cheapest.map(({ shippingService, shipments: number }) => ({
            label: shippingService,
            value: number,
            text: shipments(number),
          }))}
        />
      )}
      <BarChart
        title="Shipments by zone"
        columns={{ label: 'Zone', text: 'Shipments', note: 'Net charge' }}
        rows={summary.byZone.map(({ rateZone, totalNetCharge, shipments: number }) => ({
          label: `Zone ${rateZone}`,
          value: number,
          text: count(number),
          note: money(totalNetCharge),
          onOpen: () => onRows({ zone: rateZone }),
        }))}
      />
      <BarChart
        title="Shipments by billing weight"
        columns={{ label: 'Billing weight', text: 'Shipments', note: 'Net charge' }}
        rows={summary.byBillingWeight.map((band) => ({
          label: bandOf(band),
          value: band.shipments,
          text: count(band.shipments),
          note: money(band.totalNetCharge),
          onOpen: () => onRows({ weight: bandKey(band) }),
        }))}
      />
    </section>
  );
};
