/** What a client pays for each service, and the form that gives it a percentage off. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { OperatorClient } from '../../calls.ts';
import { Button, Select, TextField } from '../../ui/controls.tsx';
import { FaultNotice, Notice } from '../../ui/feedback.tsx';
import { dayOf } from '../../ui/format.ts';
import { Table } from '../../ui/table.tsx';
import { Part, type PartProps } from './part.tsx';
import { type Changing, useChange } from './use-change.ts';

type Service = OperatorClient['services'][number];

const PERCENT = /^(?:100(?:\.00?)?|\d{1,2}(?:\.\d{1,2})?)$/;

/** `35`, `35%` or `35 %` as the service takes it; undefined if it is no percentage. */
const percentOf = (text: string): string | undefined => {
  const percent = text.trim().replace(/ ?%$/, '');
  return PERCENT.test(percent) ? percent : undefined;
};

const whereText = (warehouses: readonly number[] | null): string =>
  warehouses === null ? '' : ` for warehouses ${warehouses.join(', ')}`;

const PaysCell = ({ service }: { readonly service: Service }) => {
  const { discount, agreements, carrier, inForce } = service;
  const isAll = agreements.some(({ warehouses }) => warehouses === null);
  return (
    <>
      {agreements.map(({ name, warehouses }) => (
        <p key={name}>
          Agreement {name}
          {whereText(warehouses)}
        </p>
      ))}
      {discount === null ? (
        agreements.length === 0 ? (
          'List price'
        ) : null
      ) : isAll ? (
        <p class="hint">{discount}% off does not count, because the agreement decides.</p>
      ) : (
        <p>
          <strong>{discount}% off</strong>
          {agreements.length === 0 ? '' : ' elsewhere'}
        </p>
      )}
      {carrier === null ? <p class="hint">No tariff has this service.</p> : null}
      {carrier !== null && !inForce ? <p class="hint">No tariff in force today has it.</p> : null}
    </>
  );
};

interface FormProps extends PartProps {
  readonly changing: Changing;
  readonly onDone: (text: string) => void;
}

const DiscountForm = ({ client, onChanged, changing, onDone }: FormProps) => {
  const api = useApi();
  const { id, services } = client;
  const [service, setService] = useState(services[0]?.shippingService ?? '');
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const [from, setFrom] = useState(() => new Date().toLocaleDateString('en-CA'));
  const chosen = services.find(({ shippingService }) => shippingService === service);
  const decides = chosen !== undefined && chosen.agreements.length > 0;
  const submit = (event: Event): void => {
    event.preventDefault();
    const percent = percentOf(text);
    setWrong(percent === undefined);
    if (percent === undefined) return;
    changing.make(async () => {
      const changed = await api.call('discountService', { id, json: { service, percent, ...(decides && { from }) } });
      onChanged(changed);
      setText('');
      onDone(
        changed.agreements.length === 0
          ? `${client.name} now has ${percent}% off ${service}. The next quote has it.`
          : `${client.name} has ${percent}% off ${service} from ${dayOf(from)} on, by its agreement ${changed.agreements.join(' and ')}.`,
      );
    });
  };
  return (
    <form class={decides ? 'discount-form dated' : 'discount-form'} onSubmit={submit}>
      <Select
        label="Service"
        value={service}
        onChange={setService}
        options={services.map(({ shippingService, description }) => ({
          value: shippingService,
          label: description === '' ? shippingService : `${shippingService}, ${description}`,
        }))}
      />
      <TextField
        label="Percent off"
        value={text}
        onChange={setText}
        inputMode="decimal"
        placeholder={chosen?.discount ?? '35'}
        error={isWrong ? 'Type a percentage from 0 to 100, such as 35 or 12.5.' : undefined}
        maxLength={8}
        required
      />
      {decides ? <TextField label="From ship date" type="date" value={from} onChange={setFrom} required /> : null}
      <Button kind="primary" submit busy={changing.busy}>
        Set the discount
      </Button>
      {decides ? (
        <p class="hint discount-note">
          The agreement {chosen.agreements.map(({ name }) => name).join(' and ')} decides for this service. From that
          day, the percentage replaces its discounts on it. All else in the agreement stays.
        </p>
      ) : null}
    </form>
  );
};

/** @param canChange false for a revoked client, and for clients that cannot be changed */
export const Discounts = (props: PartProps & { readonly canChange: boolean }) => {
  const { client, onChanged, canChange } = props;
  const api = useApi();
  const changing = useChange();
  const [done, setDone] = useState<string>();
  const remove = (service: string): void =>
    changing.make(async () => {
      onChanged(await api.call('discountService', { id: client.id, json: { service, percent: null } }));
      setDone(`${client.name} no longer has a discount on ${service}.`);
    });
  return (
    <Part
      title="What it pays"
      lead="A discount is a percentage off the base charge. It leaves at least the rate for 1 lb to the nearest zone."
    >
      {canChange && client.services.length > 0 ? (
        <DiscountForm {...props} changing={changing} onDone={setDone} />
      ) : null}
      {changing.fault === undefined ? null : <FaultNotice fault={changing.fault} />}
      {done === undefined || changing.fault !== undefined ? null : (
        <Notice kind="info">
          <p>{done}</p>
        </Notice>
      )}
      {client.services.length === 0 ? (
        <p class="hint">No tariff is in force, so there are no services.</p>
      ) : (
        <Table
          caption="What the client pays by service"
          captionHidden
          rows={client.services}
          keyOf={({ shippingService }) => shippingService}
          columns={[
            {
              key: 'service',
              label: 'Service',
              heads: true,
              cell: ({ shippingService, description }) => (
                <>
                  {shippingService}
                  <span class="hint client-id">{description}</span>
                </>
              ),
            },
            { key: 'pays', label: 'Pays', cell: (service) => <PaysCell service={service} /> },
            ...(canChange
              ? [
                  {
                    key: 'change',
                    label: <span class="visually-hidden">Change</span>,
                    numeric: true,
                    cell: ({ shippingService, discount }: Service) =>
                      discount === null ? null : (
                        <Button kind="quiet" onClick={() => remove(shippingService)} busy={changing.busy}>
                          Remove<span class="visually-hidden"> the discount on {shippingService}</span>
                        </Button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </Part>
  );
};
