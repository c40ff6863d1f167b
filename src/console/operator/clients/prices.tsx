/** What a client pays: percentages off by service, and agreements with carriers. */
import { useRef, useState } from 'preact/hooks';
import { periodText } from '../../agreements/words.ts';
import { useApi, useCall } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { Button } from '../../ui/controls.tsx';
import { FaultNotice, Notice } from '../../ui/feedback.tsx';
import { Form, type FormField, type FormState, textIn, useForm } from '../../ui/form.tsx';
import { dayOf, today } from '../../ui/format.ts';
import { Ask, Named, Panel, Rows, useAct } from '../../ui/kit.tsx';
import { groupedServices, serviceOptions } from '../../ui/service-names.tsx';
import { agreementHref, agreementsHref, type PartProps } from '../part.tsx';

type Service = OperatorClient['services'][number];
type Assigned = OperatorClient['agreements'][number];

const PERCENT = /^(?:100(?:\.00?)?|\d{1,2}(?:\.\d{1,2})?)$/;

/** Removes the sign from `35%` or `35 %`. */
const withoutSign = (text: string): string => text.trim().replace(/ ?%$/, '');

const DiscountText = ({ discount, agreements }: Service) => {
  if (discount === null) return agreements.length === 0 ? <>List price</> : null;
  if (agreements.some(({ warehouses }) => warehouses === null))
    return <p class="hint">{discount}% off has no effect while the agreement applies.</p>;
  return (
    <p>
      <strong>{discount}% off</strong>
      {agreements.length === 0 ? '' : ' elsewhere'}
    </p>
  );
};

/** What services in a row have in common. A service with its own discount gets its own row. */
const termsOf = ({ shippingService, discount, agreements, inForce }: Service): string =>
  JSON.stringify([discount === null ? '' : shippingService, agreements, inForce]);

const Pays = (service: Service) => (
  <>
    {service.agreements.map(({ name, warehouses, off }) => (
      <p key={name}>
        {off === null ? 'List base charge' : <strong>{off} off</strong>}{' '}
        <span class="nowrap">
          under <a href={agreementHref(name)}>{name}</a>
        </span>
        {warehouses === null ? '' : ` for warehouses ${warehouses.join(', ')}`}
      </p>
    ))}
    <DiscountText {...service} />
    {service.carrier === null ? <p class="hint">No tariff has this service.</p> : null}
    {service.carrier !== null && !service.inForce ? <p class="hint">No tariff in force today has it.</p> : null}
  </>
);

const serviceField = (services: readonly Service[]): FormField => ({
  at: 'service',
  label: 'Service',
  initial: services[0]?.shippingService ?? '',
  options: serviceOptions(services),
});

const SURE_TEXT = 'Yes, 100% off: the base charge is only the minimum';
const SURE: FormField = { at: 'sure', label: SURE_TEXT, type: 'check', value: () => undefined };

interface DiscountFormProps extends PartProps {
  readonly form: FormState;
  readonly onDone: (text: string | undefined) => void;
}

const DiscountForm = ({ client, make, form, onDone }: DiscountFormProps) => {
  const api = useApi();
  const { name, services } = client;
  const which = serviceField(services);
  const chosen = services.find(({ shippingService }) => shippingService === textIn(form, which));
  const decides = chosen !== undefined && chosen.agreements.length > 0;
  const from: FormField = {
    at: 'from',
    label: 'From ship date',
    name: 'The first ship date',
    type: 'date',
    initial: today(),
    required: true,
  };
  const percent: FormField = {
    at: 'percent',
    label: 'Percent off',
    name: 'The percentage',
    inputMode: 'decimal',
    placeholder: `such as ${chosen?.discount ?? '35'}`,
    most: 8,
    required: true,
    value: withoutSign,
    wrong: (text) =>
      PERCENT.test(withoutSign(text)) ? undefined : 'Type a percentage from 0 to 100, such as 35 or 12.5.',
  };
  const isWhole = Number(withoutSign(textIn(form, percent))) === 100;
  return (
    <Form
      title="Set a discount"
      fields={[which, percent, ...(decides ? [from] : []), ...(isWhole ? [SURE] : [])]}
      isReady={!isWhole || textIn(form, SURE) !== ''}
      form={form}
      kind="primary"
      action="Set the discount"
      send={async (json) => {
        onDone(undefined);
        const changed = await make((asked) => api.call('POST /ops/clients/{id}/discount', asked), json);
        const given = `${withoutSign(textIn(form, percent))}% off ${textIn(form, which)}`;
        onDone(
          changed.agreements.length === 0
            ? `${name} now has ${given}. The next quote has it.`
            : `${name} has ${given} from ${dayOf(textIn(form, from))} on, through its agreement ${changed.agreements.join(' and ')}.`,
        );
      }}
    >
      {decides ? (
        <p class="hint">
          The agreement {chosen.agreements.map((one) => one.name).join(' and ')} sets the price of this service. The
          percentage goes into it, and from that day it is the agreement’s only discount on the service.
        </p>
      ) : null}
    </Form>
  );
};

export const Discounts = (props: PartProps) => {
  const { client, make, canChange } = props;
  const api = useApi();
  const removal = useAct();
  const form = useForm();
  const ref = useRef<HTMLDivElement>(null);
  const [done, setDone] = useState<string>();
  const edit = (service: string, percent: string): void => {
    form.setTyped({ ...form.typed, service, percent });
    ref.current?.querySelector('input')?.focus();
  };
  const remove = (service: string): Promise<void> =>
    removal.run(async () => {
      setDone(undefined);
      const json = { service, percent: null };
      await make((asked) => api.call('POST /ops/clients/{id}/discount', asked), json);
      setDone(`${client.name} no longer has a discount on ${service}.`);
    });
  const buttons = ({ shippingService, discount }: Service) =>
    discount === null ? null : (
      <div class="actions">
        <Button kind="quiet" onClick={() => edit(shippingService, discount)}>
          Edit<span class="visually-hidden"> the discount on {shippingService}</span>
        </Button>
        <Button kind="quiet" onClick={() => remove(shippingService)} busy={removal.busy}>
          Remove<span class="visually-hidden"> the discount on {shippingService}</span>
        </Button>
      </div>
    );
  return (
    <Panel
      title="Pricing"
      lead="Percentages come off the base charge. The base charge never goes below the minimum: the 1 lb rate to the nearest zone, unless an agreement sets another."
    >
      <div class="pays">
        <Rows
          of={groupedServices(client.services, termsOf)}
          cards
          caption="What the client pays by service"
          keyOf={({ shippingService }) => shippingService}
          empty={<p class="hint">No tariff is in force, so there are no services.</p>}
          cols={[
            ['Services', ({ title, names }) => <Named name={title} text={names} />, 'head'],
            ['Pays', Pays],
            canChange && ['Change', buttons, 'actions'],
          ]}
        />
      </div>
      <FaultNotice fault={removal.fault} />
      {done === undefined ? null : <Notice announced kind="done" text={done} />}
      {canChange && client.services.length > 0 ? (
        <div class="percent-off" ref={ref}>
          <DiscountForm {...props} form={form} onDone={setDone} />
        </div>
      ) : null}
    </Panel>
  );
};

const daysText = ({ effective, until }: Assigned): string =>
  effective === null ? 'missing, or has errors' : periodText({ effective, until });

const numbersIn = (text: string): readonly string[] => text.split(/[,\s]+/).filter((part) => part !== '');

const GIVEN: readonly FormField[] = [
  {
    at: 'warehouses',
    label: 'Only for warehouses',
    name: 'The list of warehouses',
    placeholder: 'all',
    value: (text) => (numbersIn(text).length === 0 ? undefined : numbersIn(text).map(Number)),
    wrong: (text) =>
      numbersIn(text).every((part) => /^\d{1,10}$/.test(part))
        ? undefined
        : 'Type warehouse numbers, such as 101, 102.',
  },
  { at: 'account', label: 'Account number', most: 40, placeholder: 'such as 1X2Y3Z' },
];

const GiveForm = ({ client, change }: PartProps) => {
  const { data } = useCall('GET /ops/agreements');
  const form = useForm();
  if (data === undefined) return null;
  const isAssigned = ({ name }: { readonly name: string }): boolean =>
    client.agreements.some((one) => one.name === name);
  const first = data.agreements.find((one) => !isAssigned(one)) ?? data.agreements[0];
  if (first === undefined)
    return (
      <p class="hint">
        There are no agreements yet. <a href={`${agreementsHref}?new`}>Upload one</a>.
      </p>
    );
  const name: FormField = {
    at: 'name',
    label: 'Agreement',
    initial: first.name,
    options: data.agreements.map((one) => ({ value: one.name, label: `${one.name} (${one.carrier})` })),
  };
  return (
    <Form
      title="Assign an agreement"
      fields={[name, ...GIVEN]}
      form={form}
      under="agreements[0]."
      action="Assign"
      send={(given) => change({ agreements: [given] })}
    />
  );
};

export const ClientAgreements = (props: PartProps) => {
  const { client, canChange, change } = props;
  const remove = ({ name }: Assigned) => (
    <Ask
      kind="quiet"
      label="Remove"
      about={`agreement ${name}`}
      title={`Remove the agreement ${name}?`}
      action="Remove the agreement"
      call={() => change({ removeAgreements: [name] })}
    >
      <p>
        {client.name} then pays the list price less its discounts. Existing batches keep the agreement. The agreement
        itself stays.
      </p>
    </Ask>
  );
  const link = ({ name, description }: Assigned) => (
    <Named name={<a href={agreementHref(name)}>{name}</a>} text={description} />
  );
  return (
    <Panel
      title="Agreements"
      lead="A carrier’s negotiated prices. For its services, an agreement replaces the list prices and the discounts above."
    >
      <Rows
        of={client.agreements}
        cards
        caption="Agreements of the client"
        keyOf={({ name, warehouses }) => `${name} ${warehouses?.join() ?? ''}`}
        empty={<p class="hint">No agreement yet.</p>}
        cols={[
          ['Agreement', link, 'head'],
          ['Carrier', (one) => one.carrier ?? '—'],
          ['Ship dates', daysText],
          ['Warehouses', (one) => one.warehouses?.join(', ') ?? 'all'],
          ['Account', (one) => one.account ?? '—'],
          canChange && ['Change', remove, 'actions'],
        ]}
      />
      {canChange ? <GiveForm {...props} /> : null}
    </Panel>
  );
};
