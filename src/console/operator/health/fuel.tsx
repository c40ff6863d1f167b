/** Fuel rates that have ended or will end within a week, with the last eight weeks, and a form for the next rate. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { HealthBody, TariffChangeBody } from '../../calls.ts';
import { Form, type FormField, useForm } from '../../ui/form.tsx';
import { dayOf } from '../../ui/format.ts';
import { Panel } from '../../ui/kit.tsx';
import { Table } from '../../ui/table.tsx';
import { Changed, Refusal } from '../tariffs/words.tsx';
import { type FuelEnd, fuelText } from './judge.ts';
import { Mark } from './parts.tsx';

const DAY_MS = 86_400_000;
const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

interface NextProps {
  readonly end: FuelEnd;
  readonly of: FuelEnd['recent'][number];
  readonly onAdded: (change: TariffChangeBody) => void;
}

/** The rates of services that share them, and the field for the next one. */
const NextRate = ({ end, of: { services, rates }, onAdded }: NextProps) => {
  const api = useApi();
  const form = useForm();
  const { tariff, carrier, lastDay } = end;
  const fields: readonly FormField[] = [
    {
      at: 'percent',
      label: 'Next rate, percent',
      inputMode: 'decimal',
      placeholder: 'Such as 21.5',
      most: 6,
      required: true,
    },
    {
      at: 'effectiveDate',
      label: 'From',
      name: 'The first day',
      type: 'date',
      initial: dayAfter(lastDay),
      required: true,
    },
  ];
  return (
    <div class="stack small">
      <Table
        caption={services.join(', ')}
        cols={rates.map(({ from, percent }) => [`from ${dayOf(from)}`, () => `${percent}%`, 'number'])}
        rows={[carrier]}
        keyOf={(row) => row}
      />
      <Form
        label={`Next fuel rate of ${carrier}, ${services.join(', ')}`}
        fields={fields}
        form={form}
        action="Add the rate"
        told={Refusal}
        send={async (typed) => {
          const json = { ...typed, tariff, carrier, services };
          onAdded(await api.call('POST /ops/tariffs/fuel', { json }));
        }}
        class="fields"
      />
    </div>
  );
};

interface FuelProps extends Pick<HealthBody, 'fuel'> {
  readonly onAdded: () => void;
}

export const Fuel = ({ fuel, onAdded }: FuelProps) => {
  const [change, setChange] = useState<TariffChangeBody>();
  const added = (done: TariffChangeBody): void => {
    setChange(done);
    onAdded();
  };
  return (
    <Panel title="Fuel rates">
      {change === undefined ? null : <Changed change={change} />}
      {fuel === null ? (
        <p>The tariffs in force are unknown.</p>
      ) : (
        <ul class="plain stack small anywhere health-list">
          {fuel.length > 0 ? null : (
            <li>
              <Mark kind="good" />
              <span>No fuel rate in force ends within a week.</span>
            </li>
          )}
          {fuel.map((end) => (
            <li key={`${end.tariff} ${end.carrier} ${end.services.join()}`}>
              <Mark kind={end.hasEnded ? 'bad' : 'warn'} />
              <div class="stack small">
                <span>
                  {fuelText(end)} <span class="hint">{end.tariff}</span>
                </span>
                {end.recent.map((of) => (
                  <NextRate key={of.services.join()} end={end} of={of} onAdded={added} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
};
