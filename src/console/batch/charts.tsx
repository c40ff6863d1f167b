/**
 * The result of a batch in numbers: its cost with each service, best first, in sentences and as a table, and charts of spend by
 * service, cheapest services, shipments by zone and by weight.
 */
import { allServicesText } from '../../lists/columns/all-services-text.ts';
import type { Batch, Summary } from '../calls.ts';
import { bandKey, bandName } from '../comparison/words.ts';
import { Chart, type ChartProps } from '../ui/charts.tsx';
import { Notice, Skeleton } from '../ui/feedback.tsx';
import { allOf, count, counted, difference, money, percent } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import type { RowFilter } from './row-filter.tsx';

type Sums = NonNullable<Summary['allServices']>;

interface ServiceRow {
  readonly name: string;
  readonly shipments: number;
  readonly notServed: number;
  readonly total: number;
  /** Difference from the list's own services, for the same shipments; undefined for the list itself. */
  readonly difference: number | undefined;
  /** The number of incomplete prices. */
  readonly incomplete: number;
}

const rowsOf = ({ rows, services, ...sums }: Sums): ServiceRow[] => {
  const { totalAsChosen, totalCheapest, saving, incompleteAsChosen, incompleteCheapest } = sums;
  const whole = { shipments: rows, notServed: 0 };
  const cheapest = { name: 'Cheapest for each shipment', total: totalCheapest, difference: -saving };
  return [
    { ...whole, name: 'As in the list', total: totalAsChosen, difference: undefined, incomplete: incompleteAsChosen },
    { ...whole, ...cheapest, incomplete: incompleteCheapest },
    ...services
      .filter(({ shipments }) => shipments > 0)
      .map(({ shippingService: name, totalNetCharge: total, ...service }) => ({ ...service, name, total })),
  ];
};

/** Notes next to a total that is not comparable with the others. The shipment columns may be out of sight. */
const notesOf = ({ shipments, notServed, incomplete }: ServiceRow): string[] => [
  ...(notServed === 0 ? [] : [`for ${count(shipments)} of ${count(shipments + notServed)}`]),
  ...(incomplete === 0 || incomplete === shipments ? [] : [`${count(incomplete)} incomplete`]),
];

const totalOf = (row: ServiceRow) => (
  <>
    {row.incomplete > 0 ? 'at least ' : ''}
    {money(row.total)}
    {notesOf(row).map((note) => (
      <span key={note} class="sub">
        {note}
      </span>
    ))}
  </>
);

/** The number of rows before the others are asked for: the list itself, and its cheapest services. */
const MOST = 5;

const CAPTION =
  'Each difference is for the same shipments. It compares a service with the one that the row names, or with the cheapest if the row names none.';

const Found = ({ sums: coded, faulted }: { readonly sums: Sums; readonly faulted: number }) => {
  const nameOf = useServiceName();
  const services = coded.services.map((own) => ({ ...own, shippingService: nameOf(own.shippingService) }));
  const sums = { ...coded, services };
  const isUnlike = services.some(({ notServed }) => notServed > 0);
  const unfit = services.filter(({ shipments }) => shipments === 0);
  const sentences = allServicesText(sums);
  if (sentences.length === 0) return <p class="hint">No row has a quote, so there is nothing to compare.</p>;
  return (
    <>
      <div class="stack tiny headlines">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <p class="hint">{CAPTION}</p>
      <Rows
        caption={CAPTION}
        cols={[
          ['Service', ({ name }) => name, 'head'],
          ['Total', totalOf, 'number'],
          [
            'Difference',
            ({ difference: more, notServed }) =>
              more === undefined ? (
                '–'
              ) : (
                <span class={more < 0 && notServed === 0 ? 'tone good' : undefined}>{difference(more)}</span>
              ),
            'number',
          ],
          isUnlike && ['Shipments', ({ shipments }) => count(shipments), 'number'],
          isUnlike && ['Not served', ({ notServed }) => count(notServed), 'number'],
        ]}
        of={rowsOf(sums)}
        keyOf={({ name }) => name}
        cards
        most={MOST}
      />
      {unfit.length === 0 ? null : (
        <p class="hint">No price for any of them: {allOf(unfit.map((own) => own.shippingService))}.</p>
      )}
      {faulted === 0 ? null : (
        <p class="hint">
          {counted(faulted, 'shipment')} with a problem {faulted === 1 ? 'is' : 'are'} not in these totals.
        </p>
      )}
    </>
  );
};

interface AllServicesProps {
  readonly batch: Batch;
  readonly summary: Summary | undefined;
  readonly loading: boolean;
}

/** Shows nothing for lists without the prices of all services. */
export const AllServices = ({ batch, summary, loading }: AllServicesProps) => {
  if (batch.options['services'] !== 'all' || (summary === undefined && !loading)) return null;
  return (
    <section class="panel all-services pinned" aria-labelledby="all-services">
      <h2 id="all-services">All services compared</h2>
      {summary === undefined ? (
        <Skeleton lines={5} label="Loading the services" />
      ) : summary.allServices === undefined ? (
        <Notice kind="info" text="No row has a quote, so there is nothing to compare." />
      ) : (
        <Found sums={summary.allServices} faulted={summary.rows.faulted} />
      )}
    </section>
  );
};

interface ChartsProps {
  readonly summary: Summary;
  /** Shows rows of the output. Undefined if they are gone. */
  readonly onRows: ((filter: Partial<RowFilter>) => void) | undefined;
}

type SummaryChart = ChartProps & { readonly only: (label: string) => string };

const useCharts = ({ summary, onRows }: ChartsProps): readonly SummaryChart[] => {
  const nameOf = useServiceName();
  const cheapest = summary.cheapest.toSorted((a, b) => b.shipments - a.shipments);
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
      rows: summary.byService
        .toSorted((a, b) => b.totalNetCharge - a.totalNetCharge)
        .map(({ shippingService, totalNetCharge, shipments: number }) => ({
          ...{ key: shippingService, label: nameOf(shippingService) },
          value: totalNetCharge,
          text: money(totalNetCharge),
          note: count(number),
          open: onRows && (() => onRows({ service: shippingService })),
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
        open: onRows && (() => onRows({ zone: rateZone })),
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
        open: onRows && (() => onRows({ weight: bandKey(band) })),
      })),
    },
  ];
};

/** Sentences that replace charts with only one bar. */
export const InWords = ({ summary }: Pick<ChartsProps, 'summary'>) => {
  const sentences = useCharts({ summary, onRows: undefined }).flatMap(({ only, rows: [first, second] }) =>
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
