/** Charts of a batch: spend by service, cheapest services, shipments by zone and by weight. */
import type { Summary } from '../calls.ts';
import { bandName } from '../comparison/words.ts';
import { Chart, type ChartProps } from '../ui/charts.tsx';
import { count, money, percent } from '../ui/format.ts';
import { useServiceName } from '../ui/service-names.tsx';

/** Empty members do not filter, and keep the order of the list. */
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

/** The row filter's name for a weight band. */
export const bandKey = ({ toLb }: Summary['byBillingWeight'][number]): string =>
  toLb === null ? 'over' : String(toLb);

/** Largest first. */
const descending = <T extends { readonly shipments: number }>(shares: readonly T[]): readonly T[] =>
  [...shares].sort((a, b) => b.shipments - a.shipments);

interface ChartsProps {
  readonly summary: Summary;
  /** Shows rows of the output. */
  readonly onRows: (filter: Partial<RowFilter>) => void;
}

type SummaryChart = ChartProps & { readonly only: (label: string) => string };

const useCharts = ({ summary, onRows }: ChartsProps): readonly SummaryChart[] => {
  const nameOf = useServiceName();
  const cheapest = descending(summary.cheapest);
  const all = cheapest.reduce((sum, { shipments: number }) => sum + number, 0);
  const { quoted } = summary.rows;
  const isAll = all === quoted;
  const isOne = quoted === 1;
  return [
    {
      title: 'Spend by service',
      only: (service) =>
        `${isOne ? 'The priced shipment goes' : `All ${count(quoted)} priced shipments go`} by ${service}${isAll ? `, the cheapest${isOne ? '' : ' for each'}` : ''}.`,
      columns: ['Service', 'Net charge', 'Shipments'],
      opens: 'show its rows',
      rows: [...summary.byService]
        .sort((a, b) => b.totalNetCharge - a.totalNetCharge)
        .map(({ shippingService, totalNetCharge, shipments: number }) => ({
          ...{ key: shippingService, label: nameOf(shippingService) },
          value: totalNetCharge,
          text: money(totalNetCharge),
          note: count(number),
          open: () => onRows({ service: shippingService }),
        })),
    },
    {
      title: 'Cheapest service',
      only: (service) =>
        isAll ? '' : `${service} is the cheapest for each of the ${count(all)} that name no service.`,
      description: 'Shipments that name no service.',
      columns: ['Service', 'Share', 'Shipments'],
      rows: cheapest.map(({ shippingService, shipments: number }) => ({
        ...{ key: shippingService, label: nameOf(shippingService) },
        value: number,
        text: percent(number, all),
        note: count(number),
      })),
    },
    {
      title: 'Shipments by zone',
      only: (zone) => `${isOne ? 'It goes' : 'All go'} to ${zone.replace('Z', 'z')}.`,
      columns: ['Zone', 'Shipments', 'Net charge'],
      opens: 'show its rows',
      rows: summary.byZone.map(({ rateZone, totalNetCharge, shipments: number }) => ({
        label: `Zone ${rateZone}`,
        value: number,
        text: count(number),
        note: money(totalNetCharge),
        open: () => onRows({ zone: rateZone }),
      })),
    },
    {
      title: 'Shipments by billing weight',
      only: (weight) => `${isOne ? 'It is' : 'All are'} billed at ${weight}.`,
      columns: ['Billing weight', 'Shipments', 'Net charge'],
      opens: 'show its rows',
      rows: summary.byBillingWeight.map((band) => ({
        label: bandName(band),
        value: band.shipments,
        text: count(band.shipments),
        note: money(band.totalNetCharge),
        open: () => onRows({ weight: bandKey(band) }),
      })),
    },
  ];
};

/** Sentences that replace charts with only one bar. */
export const InWords = (props: ChartsProps) => {
  const sentences = useCharts(props).flatMap(({ only, rows: [first, second] }) =>
    first === undefined || second !== undefined ? [] : [only(first.label)],
  );
  const text = sentences.join(' ').trim();
  return text === '' ? null : <p>{text}</p>;
};

export const Charts = (props: ChartsProps) => {
  const charts = useCharts(props).filter(({ rows }) => rows.length > 1);
  return charts.length === 0 ? null : (
    <section class="cols even" aria-label="Charts">
      {charts.map(({ only: _, ...chart }) => (
        <div key={chart.title} class="panel">
          <Chart {...chart} />
        </div>
      ))}
    </section>
  );
};
