/** Fuel rates that have ended or will end within a week, with the last eight weeks, and a form for the next rate. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { HealthBody, TariffChangeBody } from '../../calls.ts';
import { Form, type FormField, useForm } from '../../ui/form.tsx';
import { allOf, dayOf } from '../../ui/format.ts';
import { Panel } from '../../ui/kit.tsx';
import { type Col, Table } from '../../ui/table.tsx';
import { Changed, Refusal } from '../tariffs/words.tsx';
import type { FuelEnd } from './judge.ts';
import { Mark } from './parts.tsx';

const DAY_MS = 86_400_000;
const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** Services that share their rates. */
interface Group {
  readonly end: FuelEnd;
  readonly of: FuelEnd['recent'][number];
}

/** Formats `FedEx Ground` and `FedEx Home Delivery` as `Ground, Home Delivery`. */
const namesIn = ({ end: { carrier }, of: { names } }: Group): string =>
  names.map((name) => (name.startsWith(`${carrier} `) ? name.slice(carrier.length + 1) : name)).join(', ');

const Head = (group: Group) => {
  const { carrier, hasEnded, lastDay } = group.end;
  return (
    <span>
      <Mark kind={hasEnded ? 'bad' : 'warn'} /> {carrier}{' '}
      <span class="hint">
        {hasEnded ? 'ended' : 'ends'} {dayOf(lastDay)}
      </span>
      <span class="sub">{namesIn(group)}</span>
    </span>
  );
};

interface NextProps extends Group {
  readonly onAdded: (change: TariffChangeBody) => void;
}

const NextRate = ({ end, of: { services }, onAdded }: NextProps) => {
  const api = useApi();
  const form = useForm();
  const { tariff, carrier, lastDay } = end;
  const fields: readonly FormField[] = [
    {
      ...{ at: 'percent', label: 'Next rate, percent', labelHidden: true, inputMode: 'decimal' },
      ...{ placeholder: '21.5 %', most: 6, required: true },
    },
    {
      ...{ at: 'effectiveDate', label: 'From', labelHidden: true, name: 'The first day', type: 'date' },
      ...{ initial: dayAfter(lastDay), required: true },
    },
  ];
  return (
    <Form
      label={`Next fuel rate of ${carrier}, ${services.join(', ')}`}
      fields={fields}
      form={form}
      action="Add"
      told={Refusal}
      send={async (typed) => {
        const json = { ...typed, tariff, carrier, services };
        onAdded(await api.call('POST /ops/tariffs/fuel', { json }));
      }}
      class="fuel-next"
    />
  );
};

interface FuelProps extends Pick<HealthBody, 'fuel'> {
  readonly onAdded: () => void;
}

/** Shows nothing while no rate ends. */
export const Fuel = ({ fuel, onAdded }: FuelProps) => {
  const [change, setChange] = useState<TariffChangeBody>();
  const added = (done: TariffChangeBody): void => {
    setChange(done);
    onAdded();
  };
  const groups = (fuel ?? []).flatMap((end) => end.recent.map((of): Group => ({ end, of })));
  if (groups.length === 0) return change === undefined ? null : <Changed change={change} />;
  const days = [...new Set(groups.flatMap(({ of }) => of.rates.map(({ from }) => from)))].toSorted().toReversed();
  const years = [...new Set(days.map((day) => day.slice(0, 4)))].toReversed();
  const tariffs = [...new Set(groups.map(({ end }) => `tariff ${end.tariff.split('@', 1)[0]}`))];
  const cols: readonly Col<Group>[] = [
    ['Services', Head, 'head'],
    ['Next rate, from', (group) => <NextRate {...group} onAdded={added} />],
    ...days.map(
      (day): Col<Group> => [
        dayOf(day).split(',', 1)[0],
        ({ of }) => {
          const rate = of.rates.find(({ from }) => from === day);
          return rate === undefined ? '' : `${rate.percent}%`;
        },
        'number',
      ],
    ),
  ];
  return (
    <Panel title="Fuel rates" lead={`Weeks of ${allOf(years)}, newest first. From ${allOf(tariffs)}.`}>
      {change === undefined ? null : <Changed change={change} />}
      <div class="fuel">
        <Table
          caption="Fuel rates that end"
          captionHidden
          cards="pairs"
          cols={cols}
          rows={groups}
          keyOf={({ end, of }) => `${end.tariff} ${of.services.join()}`}
        />
      </div>
    </Panel>
  );
};
