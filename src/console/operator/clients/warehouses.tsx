/** A client's warehouses, and the carriers without a zone chart for their origins. */
import type { OperatorClient } from '../../calls.ts';
import { Notice } from '../../ui/feedback.tsx';
import { Form, type FormField, textIn, useForm } from '../../ui/form.tsx';
import { allOf } from '../../ui/format.ts';
import { Ask, Panel, Rows } from '../../ui/kit.tsx';
import type { PartProps } from './part.tsx';

type Warehouse = OperatorClient['warehouses'][number];
type Uncharted = Warehouse['uncharted'][number];

/** More than a code needs. A field that cut off `New Jersey` would save `NEW`. The service checks what is typed. */
const MOST_TYPED = 40;

const upper = (text: string): string => text.trim().toUpperCase();

const NUMBER: FormField = {
  at: 'warehouse_id',
  label: 'Number',
  inputMode: 'numeric',
  most: 10,
  placeholder: '101',
  value: (text) => (/^\d{1,10}$/.test(text.trim()) ? Number(text) : null),
};

/** The fields of a warehouse. The service checks their values. */
export const WAREHOUSE: readonly FormField[] = [
  NUMBER,
  { at: 'name', label: 'Name', most: 80, placeholder: 'Newark' },
  { at: 'address.stateOrProvinceCode', label: 'State', most: MOST_TYPED, placeholder: 'NJ', value: upper },
  { at: 'address.postalCode', label: 'ZIP code', most: MOST_TYPED, placeholder: '07001', value: (text) => text.trim() },
  { at: 'address.countryCode', label: 'Country', most: MOST_TYPED, initial: 'US', value: upper },
];

/** When it hands packages over to carriers, for delivery dates. Without a time zone there are no dates. */
const SHIPPING: readonly FormField[] = [
  {
    at: 'shipping.timeZone',
    label: 'Time zone',
    most: 60,
    placeholder: 'America/Phoenix',
    hint: 'For delivery dates. Optional.',
    value: (text) => text.trim() || undefined,
  },
  {
    at: 'shipping.cutoff',
    label: 'Cutoff',
    most: 5,
    placeholder: '15:00',
    hint: 'Later orders leave on the next ship day.',
    value: (text) => text.trim() || undefined,
  },
  {
    at: 'shipping.days',
    label: 'Ship days',
    most: MOST_TYPED,
    placeholder: 'MON TUE WED THU FRI',
    value: (text) => (text.trim() === '' ? undefined : upper(text).split(/[ ,]+/)),
  },
];

const FIELDS = [...WAREHOUSE.map((field) => ({ ...field, required: true })), ...SHIPPING];

/** `3:00 PM` for `15:00`. */
const timeText = (time: string): string =>
  new Date(`2026-01-01T${time}`).toLocaleTimeString('en-US', { timeStyle: 'short' });

const Hours = ({ shipping }: Warehouse) =>
  shipping === undefined ? (
    <span class="hint">any day</span>
  ) : (
    <>
      {shipping.days.join(' ')}
      {shipping.cutoff === undefined ? '' : ` until ${timeText(shipping.cutoff)}`}
      <span class="sub">{shipping.timeZone}</span>
    </>
  );

const CONSEQUENCES = {
  estimated: 'zones are estimated by distance',
  unreached: 'nothing can be quoted',
} as const;

const carrierOf = ({ carrier, services, allServices }: Uncharted): string =>
  allServices ? carrier : `${carrier} (${services.join(', ')})`;

const Charts = ({ uncharted, address }: Warehouse) => {
  if (address.countryCode !== 'US') return <>Outside the US: not supported</>;
  if (uncharted.length === 0) return <span class="hint">all carriers</span>;
  const kinds = [...new Set(uncharted.map(({ zones }) => zones))];
  return (
    <>
      {kinds.map((kind) => (
        <p key={kind}>
          No chart of {allOf(uncharted.filter(({ zones }) => zones === kind).map(carrierOf))}: {CONSEQUENCES[kind]}
        </p>
      ))}
    </>
  );
};

const placeText = ({ address: { stateOrProvinceCode, postalCode, countryCode } }: Warehouse): string =>
  `${stateOrProvinceCode} ${postalCode}${countryCode === 'US' ? '' : `, ${countryCode}`}`;

export const Warehouses = ({ client: { name, warehouses }, canChange, change }: PartProps) => {
  const form = useForm();
  const replaced = warehouses.find(({ warehouse_id }) => String(warehouse_id) === textIn(form, NUMBER).trim());
  const remove = ({ warehouse_id, name: place }: Warehouse) => (
    <Ask
      kind="quiet"
      label="Remove"
      about={`warehouse ${warehouse_id}`}
      title={`Remove warehouse ${warehouse_id}?`}
      action="Remove the warehouse"
      call={() => change({ removeWarehouses: [warehouse_id] })}
    >
      <p>
        {name} can no longer ship from {place}. Existing batches keep it.
      </p>
    </Ask>
  );
  return (
    <Panel title="Warehouses" lead="Where this client ships from. The zone charts are from the tariffs in force today.">
      <Rows
        of={warehouses}
        cards
        caption="Warehouses of the client"
        keyOf={({ warehouse_id }) => warehouse_id}
        most={50}
        empty={<Notice kind="warning" text="Without a warehouse nothing can be quoted. Add the first one." />}
        cols={[
          ['Warehouse', (one) => `${one.warehouse_id} · ${one.name}`, 'head'],
          ['Place', placeText],
          ['Ships', Hours],
          ['Zone charts', Charts],
          canChange && ['Change', remove, 'actions'],
        ]}
      />
      {canChange ? (
        <fieldset class="ruled stack">
          <legend>Add a warehouse</legend>
          <Form
            fields={FIELDS}
            form={form}
            class="fields"
            kind="primary"
            under="warehouses[0]."
            label="Add a warehouse"
            action={replaced === undefined ? 'Add the warehouse' : `Replace ${replaced.name}`}
            send={(warehouse) => change({ warehouses: [warehouse] })}
          />
        </fieldset>
      ) : null}
    </Panel>
  );
};
