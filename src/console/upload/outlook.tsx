/**
 * The expected result of running the list: figures, faults by kind, and the choices that change them, such as whether rows are
 * lines of orders.
 */
import { type Field, isSide } from '../../lists/columns/fields.ts';
import { NO_COLUMN } from '../../lists/columns/orders.ts';
import type { FaultKind, Preview } from '../calls.ts';
import { labelOf } from '../fault-words.ts';
import { Figures } from '../ui/charts.tsx';
import { Button, Checkbox, Select } from '../ui/controls.tsx';
import { doubtsOf } from '../ui/doubts.ts';
import { Doubts, Folded, Notice } from '../ui/feedback.tsx';
import { FaultKinds } from '../ui/findings.tsx';
import { about, aboutMoney, count, counted, money, percent } from '../ui/format.ts';
import { RawRows } from './first-rows.tsx';
import { usePreviewed } from './list-work.ts';
import { Questions } from './mapping.tsx';
import { cureOf, INCHES, isRefused, isTitle, namesIn, shipmentsIn } from './next-step.ts';

/** Formats a share of the rows that the preview has read. */
const ofRows = (rows: number, { rowsRead, estimate }: Preview): string =>
  `${count(rows)} of ${estimate.exact ? '' : 'the first '}${counted(rowsRead, 'row')}`;

/** Formats a share of the list's shipments, estimated if not all rows were read. Rows of one order are one shipment. */
const ofShipments = (some: number, preview: Preview): string => {
  const { exact } = preview.estimate;
  const [read, all] = [preview.rowsRead - preview.joined, shipmentsIn(preview)];
  if (exact) return `${count(some)} of ${counted(read, 'shipment')}`;
  return all === null
    ? `${count(some)} of the first ${counted(read, 'shipment')}`
    : `${about((some * all) / read).replace('a', 'A')} of ${about(all)} shipments`;
};

/** Figures of the list: exact if all of it was read, otherwise estimated from its beginning. */
const ListFigures = () => {
  const { preview } = usePreviewed();
  const { rowsRead, quoted, joined, estimate } = preview;
  const shipments = rowsRead - joined;
  const all = shipmentsIn(preview);
  const [said, saidMoney] = estimate.exact ? [count, money] : [about, aboutMoney];
  const rows = estimate.rows === null ? `${count(rowsRead)} or more` : said(estimate.rows);
  const { totalNetCharge: total } = estimate;
  const basis = estimate.exact ? `for ${counted(quoted, 'shipment')}` : `from the first ${counted(rowsRead, 'row')}`;
  return (
    <Figures
      of={[
        total === null
          ? ['Total net charge', 'unknown', 'known after the run']
          : [
              'Total net charge',
              quoted === 0 ? '—' : saidMoney(total),
              quoted === 0 ? 'no shipment has a price' : basis,
            ],
        [
          'Shipments',
          all === null ? `${count(shipments)} or more` : said(all),
          `in ${rows} ${estimate.rows === 1 ? 'row' : 'rows'}${estimate.exact ? '' : `, ${count(rowsRead)} read so far`}`,
        ],
        ['Priced', percent(quoted, shipments), ofShipments(quoted, preview)],
      ]}
    />
  );
};

type Found = NonNullable<Preview['orders']>;

/** Formats `500 rows belong to 400 orders`. */
const belonging = ({ rows, orders }: Found, { estimate }: Preview): string => {
  const which = estimate.exact ? counted(rows, 'row') : `The first ${counted(rows, 'row')}`;
  return `${which} ${rows === 1 ? 'belongs' : 'belong'} to ${counted(orders, 'order')}`;
};

const Orders = () => {
  const { preview, options, choose } = usePreviewed();
  const { orders: found } = preview;
  const join = (orders: string): void => choose({ orders, item_quantity: '' });
  if (found === null)
    return options.orders === NO_COLUMN ? (
      <p class="split">
        Each row is priced separately, even if several rows have the same order number.
        <Button onClick={() => join('')}>Undo</Button>
      </p>
    ) : null;
  if (!found.isJoined)
    return (
      <Notice kind="warning" announced={false} title={`${belonging(found, preview)} by “${found.column}”`}>
        <p>Each row is now priced as a separate shipment. Are the rows of an order one shipment?</p>
        <p class="actions">
          <Button kind="primary" onClick={() => join(found.column)}>
            Price each order as one shipment
          </Button>
          <Button onClick={() => join(NO_COLUMN)}>Each row is a shipment</Button>
        </p>
      </Notice>
    );
  const names = namesIn(preview).filter((name) => name !== '' && name !== found.column);
  return (
    <Folded
      title={`${belonging(found, preview)}: they are priced as ${counted(found.orders, 'shipment')}`}
      box="stack small"
    >
      <p class="hint">
        “{found.column}” is the order number. The weight of an order is the sum of its rows. The first row of an order
        gets the price.
      </p>
      <div class="fields">
        <Select
          label="The weight of a row counts"
          value={options.item_quantity || (found.quantity ?? NO_COLUMN)}
          options={[
            { value: NO_COLUMN, label: 'Once' },
            ...names.map((name) => ({ value: name, label: `Times “${name}”` })),
          ]}
          onChange={(quantity) => choose({ item_quantity: quantity })}
        />
        <Button onClick={() => join(NO_COLUMN)}>Price each row separately</Button>
      </div>
    </Folded>
  );
};

/** Scrolls to a control of the page. */
export const goToControl = (id: string): void => {
  const control = document.getElementById(id);
  // Opens the folded sections that contain the control. They may be nested.
  for (let fold = control?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.setAttribute('open', '');
  control?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
};

/** The first values of the dimensions: `length 12, width 9, height 4`. */
const sidesIn = ({ mapping }: Preview): string => {
  const sides = mapping.fields.flatMap(({ field, samples: [first] }) =>
    isSize(field) && first !== undefined ? [`${labelOf(field).toLowerCase()} ${first}`] : [],
  );
  return sides.join(', ');
};

const isSize = (field: Field): boolean => isSide(field) || field === 'dimensions';

const Cure = ({ kind, title }: { readonly kind: FaultKind; readonly title: string }) => {
  const { preview, options, services, choose } = usePreviewed();
  const cure = cureOf(kind, preview, options, services);
  const isOfSides = cure !== undefined && 'options' in cure && cure.options === INCHES;
  return cure === undefined ? null : (
    <>
      {isOfSides ? (
        <p class="hint">In the list: {sidesIn(preview)}. In the United States the unit is usually inches.</p>
      ) : null}
      <p class="row small">
        <Button kind="quiet" onClick={() => ('id' in cure ? goToControl(cure.id) : choose(cure.options))}>
          {cure.label}
          <span class="visually-hidden">: {title}</span>
        </Button>
        {isOfSides ? (
          <Button kind="quiet" onClick={() => choose({ dimension_units: 'CM' })}>
            Centimeters
          </Button>
        ) : null}
      </p>
    </>
  );
};

/** The cost of running the list despite its faults. */
const FaultsAhead = () => {
  const { preview } = usePreviewed();
  const { faultKinds, faulted, estimate } = preview;
  if (faulted === 0) return null;
  const rowsOf = ({ rows, estimatedRows }: FaultKind): string =>
    estimate.exact || estimatedRows === null ? count(rows) : about(estimatedRows);
  return (
    <div class="stack small">
      <h2 id="faults">{ofShipments(faulted, preview)} would have a problem</h2>
      <p class="hint">
        After the run, you can correct these rows under Problems. Row 1 is the first row below your column names.
      </p>
      <FaultKinds kinds={faultKinds} most={3} rowsOf={rowsOf}>
        {(kind, title) => <Cure kind={kind} title={title} />}
      </FaultKinds>
    </div>
  );
};

type RepairKind = Preview['repairAll']['kinds'][number];

const visible = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '');

const repairText = ({ what, before, after, input_row }: RepairKind): string => {
  const label = what === 'dimensions' ? 'Dimensions' : labelOf(what);
  return visible(before) === visible(after)
    ? `${label}: spaces and invisible characters are removed`
    : `${label}: “${before}” in row ${count(input_row)} is read as “${after}”`;
};

/** Offers repairs, each kind once. The user decides. */
const Repairs = () => {
  const { preview, options, choose } = usePreviewed();
  const { repairs, repairAll, faulted } = preview;
  const { repair } = options;
  if (repairAll.rows === 0 && !repair) return null;
  const fewer = repair ? 0 : faulted - repairAll.faulted;
  return (
    <Checkbox
      label={
        repair
          ? `${ofRows(repairs.rows, preview)} fixed automatically`
          : `Fix ${ofRows(repairAll.rows, preview)} automatically${fewer > 0 ? `: ${count(fewer)} fewer ${fewer === 1 ? 'problem' : 'problems'}` : ''}`
      }
      hint={
        <>
          Only what is certain. The output column quote_repairs shows every change.
          {(repair ? repairs : repairAll).kinds.map((kind) => (
            <span class="sub" key={kind.what}>
              {repairText(kind)} ({counted(kind.rows, 'row')})
            </span>
          ))}
        </>
      }
      checked={repair}
      onChange={(wanted) => choose({ repair: wanted })}
    />
  );
};

export const Outlook = () => {
  const { preview, options, choose } = usePreviewed();
  if (isTitle(preview)) return <RawRows />;
  if (isRefused(preview))
    return (
      <>
        <Questions />
        <RawRows />
      </>
    );
  const { emptyWeights } = preview.repairs;
  return (
    <section class="panel" aria-label="Preview">
      <ListFigures />
      {emptyWeights === 0 ? null : (
        <p>
          {ofRows(emptyWeights, preview)} {emptyWeights === 1 ? 'has no weight and takes' : 'have no weight and take'}{' '}
          {options.empty_weight}. Each of them says so.
        </p>
      )}
      <Doubts
        doubts={doubtsOf(preview, preview.quoted)}
        lead={preview.estimate.exact ? '' : `In the first ${count(preview.rowsRead)} rows: `}
      />
      <Orders />
      <FaultsAhead />
      <Repairs />
      <div class="fields ruled">
        <Checkbox
          label="Compare all services"
          hint="Adds the net charge of each service, and the cheapest one."
          checked={options.allServices}
          onChange={(allServices) => choose({ allServices })}
        />
        <Checkbox
          label="Explain each price"
          hint="Adds columns that explain each charge."
          checked={options.explain}
          onChange={(explain) => choose({ explain })}
        />
      </div>
    </section>
  );
};
