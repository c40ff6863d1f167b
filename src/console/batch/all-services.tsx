/** The cost of a list with each service, best first: sentences, and a table with the same sums. */
import { allServicesText } from '../../lists/columns/all-services-text.ts';
import type { Batch, Summary } from '../calls.ts';
import { Notice, Skeleton } from '../ui/feedback.tsx';
import { allOf, count, counted, difference, money } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import type { Col } from '../ui/table.tsx';

type Sums = NonNullable<Summary['allServices']>;

interface Row {
  readonly name: string;
  readonly shipments: number;
  readonly notServed: number;
  readonly total: number;
  /** Difference from the list's own services, for the same shipments; undefined for the list itself. */
  readonly difference: number | undefined;
  /** The number of incomplete prices. */
  readonly incomplete: number;
}

const rowsOf = ({ rows, services, ...sums }: Sums): Row[] => {
  const { totalAsChosen, totalCheapest, saving, incompleteAsChosen, incompleteCheapest } = sums;
  const whole = { shipments: rows, notServed: 0 };
  return [
    { ...whole, name: 'As listed', total: totalAsChosen, difference: undefined, incomplete: incompleteAsChosen },
    {
      ...whole,
      name: 'Cheapest for each shipment',
      total: totalCheapest,
      difference: -saving,
      incomplete: incompleteCheapest,
    },
    ...services
      .filter(({ shipments }) => shipments > 0)
      .map(({ shippingService: name, totalNetCharge: total, ...service }) => ({
        ...service,
        name,
        total,
      })),
  ];
};

/** Notes next to a total that is not comparable with the others. The shipment columns may be out of sight. */
const notesOf = ({ shipments, notServed, incomplete }: Row): string[] => [
  ...(notServed === 0 ? [] : [`for ${count(shipments)} of ${count(shipments + notServed)}`]),
  ...(incomplete === 0 || incomplete === shipments ? [] : [`${count(incomplete)} incomplete`]),
];

const totalOf = (row: Row) => (
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

const COLUMNS: readonly Col<Row>[] = [
  ['Service', ({ name }) => name, 'head'],
  ['Total', totalOf, 'number'],
  [
    'Difference',
    ({ difference: more }) =>
      more === undefined ? '–' : <span class={more < 0 ? 'tone good' : undefined}>{difference(more)}</span>,
    'number',
  ],
];

/** Only if they differ. */
const SHIPMENTS: readonly Col<Row>[] = [
  ['Shipments', ({ shipments }) => count(shipments), 'number'],
  ['Not served', ({ notServed }) => count(notServed), 'number'],
];

/** The number of rows before the others are asked for: the list itself, and its cheapest services. */
const MOST = 5;

const CAPTION =
  'Each difference is for the same shipments. It compares a service with the one that the row names, or with the cheapest if the row names none.';

const Found = ({ sums: coded, faulted }: { readonly sums: Sums; readonly faulted: number }) => {
  const nameOf = useServiceName();
  const services = coded.services.map((own) => ({ ...own, shippingService: nameOf(own.shippingService) }));
  const sums = { ...coded, services };
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
        cols={services.some(({ notServed }) => notServed > 0) ? [...COLUMNS, ...SHIPMENTS] : COLUMNS}
        of={rowsOf(sums)}
        keyOf={({ name }) => name}
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
