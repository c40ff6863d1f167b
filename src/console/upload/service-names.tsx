/** The service names in the list, and the tariffs' services that they mean. */
import type { Preview } from '../calls.ts';
import { Select } from '../ui/controls.tsx';
import { counted } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { serviceOptions } from '../ui/service-names.tsx';
import type { Col } from '../ui/table.tsx';
import { usePreviewed } from './list-work.ts';
import { isUnknown, SERVICE_NAMES } from './mapping-words.ts';

type Name = Preview['services'][number];

/** Menu values that are not codes. */
const AS_IT_IS = ' ';
const ALL = '';

/** The names that are not service codes. Names that had no service come first, and keep their place when they get one. */
const namesIn = ({ services }: Preview, chosen: Readonly<Record<string, string>>): readonly Name[] => {
  const isFirst = (name: Name): number => Number(isUnknown(name) || chosen[name.name] !== undefined);
  return services
    .filter(({ name, code }) => name !== code)
    .sort((a, b) => isFirst(b) - isFirst(a) || b.rows - a.rows || a.name.localeCompare(b.name));
};

export const ServiceNames = () => {
  const { preview, services: known, options, choose } = usePreviewed();
  const names = namesIn(preview, options.services);
  if (names.length === 0) return null;
  const services = serviceOptions(known);
  const put = (name: string, value: string): void => {
    const { [name]: _, ...others } = options.services;
    choose({ services: value === AS_IT_IS ? others : { ...others, [name]: value } });
  };
  const asItIs = ({ name, code }: Name): string =>
    options.services[name] === undefined && code !== null
      ? `Recognized: ${code === ALL ? 'all services' : code}`
      : 'No service: these rows have a problem';
  const columns: readonly Col<Name>[] = [
    [
      'In your list',
      ({ name, rows }) => (
        <>
          {name} <span class="sub">{counted(rows, 'row')}</span>
        </>
      ),
      'head',
    ],
    [
      'Service',
      (own) => (
        <Select
          label={own.name}
          labelHidden
          value={options.services[own.name] ?? AS_IT_IS}
          options={[
            { value: AS_IT_IS, label: asItIs(own) },
            ...services,
            { value: ALL, label: 'All: the cheapest is used' },
          ]}
          onChange={(value) => put(own.name, value)}
        />
      ),
    ],
  ];
  const unknown = names.filter(isUnknown).reduce((sum, { rows }) => sum + rows, 0);
  return (
    <section class="panel" aria-labelledby={SERVICE_NAMES}>
      <div class="stack small">
        <h2 id={SERVICE_NAMES} tabIndex={-1}>
          What the service names mean
        </h2>
        <p class="hint">
          {unknown === 0
            ? 'Every name has a service.'
            : `${counted(unknown, 'row')} read so far ${unknown === 1 ? 'has' : 'have'} a name without a service. Choose one for each name.`}
        </p>
      </div>
      <div class="service-names">
        <Rows caption="Service names and their services" cols={columns} of={names} keyOf={({ name }) => name} />
      </div>
    </section>
  );
};
