/** Names of services in a list that are no codes: what each is read as, to be chosen by menu. */
import { useApi } from '../api.ts';
import type { Preview } from '../calls.ts';
import { useLoad } from '../load.ts';
import { Select } from '../ui/field.tsx';
import { counted } from '../ui/format.ts';
import type { ListOptions } from './list-options.ts';

interface ServiceNamesProps {
  readonly preview: Preview;
  readonly said: ListOptions;
  readonly onSaid: (said: ListOptions) => void;
}

/** The menu's values that are no codes. */
const AS_IT_IS = ' ';
const ALL = '';

export const ServiceNames = ({ preview, said, onSaid }: ServiceNamesProps) => {
  const api = useApi();
  const { data } = useLoad((signal) => api.call('services', { signal }), []);
  const names = preview.services.filter(({ name, code }) => name !== code);
  if (names.length === 0) return null;
  const services = (data?.services ?? []).map(({ shippingService, description }) => ({
    value: shippingService,
    label: `${shippingService} ${description}`,
  }));
  const choose = (name: string, value: string): void => {
    const { [name]: _, ...others } = said.services;
    onSaid({ ...said, services: value === AS_IT_IS ? others : { ...others, [name]: value } });
  };
  return (
    <section class="panel" aria-labelledby="service-names">
      <h2 id="service-names">What the names of services stand for</h2>
      <div class="mapping">
        {names.map(({ name, code, rows }) => {
          const chosen = said.services[name];
          const found =
            chosen === undefined && code !== null ? `Known by itself: ${code}` : 'No service: these rows have a fault';
          return (
            <div class="mapping-field" key={name}>
              <Select
                label={name}
                value={chosen ?? AS_IT_IS}
                options={[
                  { value: AS_IT_IS, label: found },
                  ...services,
                  { value: ALL, label: 'All, the cheapest is taken' },
                ]}
                onChange={(value) => choose(name, value)}
                hint={counted(rows, 'row')}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
};
