/** A client's warehouses, and the carriers without a zone chart for their origins. */
import { useState } from 'preact/hooks';
import type { OperatorClient } from '../../calls.ts';
import { Button } from '../../ui/controls.tsx';
import { Dialog, Notice } from '../../ui/feedback.tsx';
import { Form, type FormField, type Typed, textIn, useForm } from '../../ui/form.tsx';
import { allOf, carrierText } from '../../ui/format.ts';
import { Ask, Panel, Rows } from '../../ui/kit.tsx';
import type { PartProps } from '../part.tsx';

type Warehouse = OperatorClient['warehouses'][number];

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

const CITIES = ['New_York', 'Chicago', 'Denver', 'Phoenix', 'Los_Angeles', 'Anchorage', 'Puerto_Rico'];
const ZONES = [...CITIES.map((city) => `America/${city}`), 'Pacific/Honolulu'];

/** @param own the zone of the warehouse, which may be elsewhere */
const zoneField = (own: readonly string[]): FormField => ({
  at: 'shipping.timeZone',
  label: 'Time zone',
  options: [
    { value: '', label: 'None' },
    ...[...new Set([...own, ...ZONES])].map((value) => ({
      value,
      label: value.replace(/^.*\//, '').replace('_', ' '),
    })),
  ],
  hint: 'For ship days and delivery dates.',
});

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((label) => ({ value: label.toUpperCase(), label }));

/** When it hands packages over to carriers. */
const HOURS: readonly FormField[] = [
  { at: 'shipping.cutoff', label: 'Cutoff', type: 'time', hint: 'Later orders leave on the next ship day.' },
  { at: 'shipping.days', label: 'Ship days', type: 'checks', initial: 'MON TUE WED THU FRI', options: DAYS },
];

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

const Charts = ({ uncharted, address }: Warehouse) => {
  if (address.countryCode !== 'US') return <>Outside the US: not supported</>;
  if (uncharted.length === 0) return <span class="hint">all carriers</span>;
  const kinds = [...new Set(uncharted.map(({ zones }) => zones))];
  return (
    <>
      {kinds.map((kind) => (
        <p key={kind}>
          No chart of {allOf(uncharted.filter(({ zones }) => zones === kind).map(carrierText))}: {CONSEQUENCES[kind]}
        </p>
      ))}
    </>
  );
};

const placeText = ({ address: { stateOrProvinceCode, postalCode, countryCode } }: Warehouse): string =>
  `${stateOrProvinceCode} ${postalCode}${countryCode === 'US' ? '' : `, ${countryCode}`}`;

/** The texts of a warehouse's fields. */
const typedOf = ({ warehouse_id, name, address, shipping }: Warehouse): Typed => ({
  ...{ warehouse_id: String(warehouse_id), name },
  ...Object.fromEntries(Object.entries(address).map(([part, text]) => [`address.${part}`, text])),
  'shipping.timeZone': shipping?.timeZone ?? '',
  ...(shipping && { 'shipping.cutoff': shipping.cutoff ?? '', 'shipping.days': shipping.days.join(' ') }),
});

interface EditProps extends Pick<PartProps, 'client' | 'change'> {
  /** The warehouse to change. Undefined: a new one. */
  readonly of: Warehouse | undefined;
  readonly onClose: () => void;
}

const Edit = ({ client: { warehouses }, change, of: own, onClose }: EditProps) => {
  const form = useForm(own && typedOf(own));
  const zone = zoneField(own?.shipping === undefined ? [] : [own.shipping.timeZone]);
  const fields = [
    ...WAREHOUSE.map((field) => ({ ...field, required: true, readOnly: field === NUMBER && own !== undefined })),
    ...[zone, ...(textIn(form, zone) === '' ? [] : HOURS)],
  ];
  const taken = warehouses.find(({ warehouse_id }) => String(warehouse_id) === textIn(form, NUMBER).trim());
  const action = own === undefined ? 'Add the warehouse' : 'Save the warehouse';
  return (
    <Dialog title={own === undefined ? 'Add a warehouse' : `Edit ${own.warehouse_id} · ${own.name}`} onClose={onClose}>
      <Form
        fields={fields}
        form={form}
        kind="primary"
        under="warehouses[0]."
        action={own === undefined && taken !== undefined ? `Replace ${taken.name}` : action}
        send={async (warehouse) => {
          // A warehouse that is also removed does not keep its hours.
          await change({ warehouses: [warehouse], removeWarehouses: own === undefined ? [] : [own.warehouse_id] });
          onClose();
        }}
        layout={(show) => <div class="fields short">{show(fields)}</div>}
      >
        <Button onClick={onClose}>Cancel</Button>
      </Form>
    </Dialog>
  );
};

export const Warehouses = ({ client, canChange, change }: PartProps) => {
  const [edited, edit] = useState<Warehouse | 'new'>();
  const actions = (one: Warehouse) => (
    <span class="nowrap">
      <Button kind="quiet" onClick={() => edit(one)}>
        Edit<span class="visually-hidden"> warehouse {one.warehouse_id}</span>
      </Button>
      <Ask
        kind="quiet"
        label="Remove"
        about={`warehouse ${one.warehouse_id}`}
        title={`Remove warehouse ${one.warehouse_id}?`}
        action="Remove the warehouse"
        call={() => change({ removeWarehouses: [one.warehouse_id] })}
      >
        <p>
          {client.name} can no longer ship from {one.name}. Existing batches keep it.
        </p>
      </Ask>
    </span>
  );
  return (
    <Panel title="Warehouses" lead="Where this client ships from. The zone charts are from the tariffs in force today.">
      <Rows
        of={client.warehouses.toSorted((a, b) => a.warehouse_id - b.warehouse_id)}
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
          canChange && ['Change', actions, 'actions'],
        ]}
      />
      {canChange ? (
        <div class="actions start">
          <Button kind="primary" onClick={() => edit('new')}>
            Add a warehouse
          </Button>
        </div>
      ) : null}
      {edited === undefined ? null : (
        <Edit
          client={client}
          change={change}
          of={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
        />
      )}
    </Panel>
  );
};
