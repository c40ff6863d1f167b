/** Menus that map columns to fields and service names to codes. */
import type { Field } from '../../rows/fields.ts';
import { useApi, useLoad } from '../api.ts';
import type { Preview } from '../calls.ts';
import { FIELD_GUIDES, type FieldGuide } from '../guide.ts';
import { type Option, Select } from '../ui/controls.tsx';
import { counted } from '../ui/format.ts';
import type { ListOptions } from './list-options.tsx';

interface MappingProps {
  /** Names of all columns, as far as they are known. */
  readonly header: readonly string[];
  readonly preview: Preview | undefined;
  /** What the service finds wrong with what the columns mean, by field; `columns` is about those chosen here. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly said: ListOptions;
  readonly onSaid: (said: ListOptions) => void;
}

const NO_COLUMN: Option = { value: '', label: 'No column' };
const UNITS: readonly Option[] = [
  { value: '', label: 'Choose' },
  { value: 'LB', label: 'Pounds (LB)' },
  { value: 'KG', label: 'Kilograms (KG)' },
  { value: 'OZ', label: 'Ounces' },
  { value: 'G', label: 'Grams' },
];
const LENGTHS: readonly Option[] = [
  { value: '', label: 'Choose' },
  { value: 'IN', label: 'Inches (IN)' },
  { value: 'CM', label: 'Centimeters (CM)' },
];

/** The fields that a value for all rows can be said for, and the values. */
const useDefaults = (): Readonly<Partial<Record<Field, { name: DefaultName; options: readonly Option[] }>>> => {
  const api = useApi();
  const { data: warehouses } = useLoad((signal) => api.call('warehouses', { signal }), []);
  const { data: services } = useLoad((signal) => api.call('services', { signal }), []);
  return {
    warehouse_id: {
      name: 'warehouse_id',
      options: [
        { value: '', label: 'Choose' },
        ...(warehouses?.warehouses ?? []).map(({ warehouse_id, name }) => ({
          value: String(warehouse_id),
          label: `${warehouse_id} ${name}`,
        })),
      ],
    },
    weight_units: { name: 'units', options: UNITS },
    dimension_units: { name: 'dimension_units', options: LENGTHS },
    shippingService: {
      name: 'shippingService',
      options: [
        { value: '', label: 'All, the cheapest is taken' },
        ...(services?.services ?? []).map(({ shippingService, description }) => ({
          value: shippingService,
          label: `${shippingService} ${description}`,
        })),
      ],
    },
  };
};
type DefaultName = 'warehouse_id' | 'units' | 'dimension_units' | 'shippingService';

/** In the words of this page: the service's own speak of parameters. */
const problemOf = (problems: MappingProps['problems'], { field }: FieldGuide, column: string): string | undefined => {
  const problem = problems[field];
  if (problem === undefined) return undefined;
  if (column !== '') return `“${column}” cannot be it: ${String(problem)}.`;
  if (String(problem).startsWith('two columns')) return `Two columns could be it. Choose one.`;
  return field === 'warehouse_id' || field === 'weight_units'
    ? `No column was found: choose one, or the same for all rows.`
    : `No column was found: choose the one that has it.`;
};

export const Mapping = ({ header, preview, problems, said, onSaid }: MappingProps) => {
  const defaults = useDefaults();
  const names = [...new Set(header)];
  const options = [NO_COLUMN, ...names.map((name) => ({ value: name, label: name === '' ? '(no name)' : name }))];
  const columnOf = (field: Field): string =>
    said.columns[field] ?? preview?.columns.find((column) => column.field === field)?.column ?? '';

  const menu = (guide: FieldGuide) => {
    const { field, label, required } = guide;
    const column = columnOf(field);
    const forAll = defaults[field];
    const found = preview?.defaults[field];
    const stated = forAll !== undefined && said[forAll.name] === '' ? found : undefined;
    return (
      <div class="mapping-field" key={field}>
        <Select
          label={required === true ? `${label} (required)` : label}
          value={column}
          error={problemOf(problems, guide, column)}
          options={options}
          onChange={(value) => onSaid({ ...said, columns: { ...said.columns, [field]: value } })}
          hint={stated === undefined ? undefined : `${stated} for all rows, as the name of a column says.`}
        />
        {column === '' && forAll !== undefined && stated === undefined ? (
          <Select
            label={`${label} for all rows`}
            labelHidden
            value={said[forAll.name]}
            options={forAll.options.map((option) =>
              option.value === '' && option.label === 'Choose'
                ? { value: '', label: 'The same for all rows: choose' }
                : option,
            )}
            onChange={(value) => onSaid({ ...said, [forAll.name]: value })}
          />
        ) : null}
      </div>
    );
  };
  const isShown = ({ field, required }: FieldGuide): boolean =>
    required === true ||
    field === 'shippingService' ||
    (field === 'dimension_units' && columnOf('length') !== '') ||
    columnOf(field) !== '' ||
    field in said.columns ||
    field in problems;
  const hidden = FIELD_GUIDES.filter((guide) => !isShown(guide));
  return (
    <section class="panel" aria-labelledby="mapping">
      <h2 id="mapping">What the columns mean</h2>
      {typeof problems['columns'] === 'string' ? <p class="field-error">The choice {problems['columns']}.</p> : null}
      <div class="mapping">{FIELD_GUIDES.filter(isShown).map(menu)}</div>
      {hidden.length === 0 ? null : (
        <details>
          <summary>
            {hidden.length} more that a list may have: {hidden.map(({ label }) => label).join(', ')}
          </summary>
          <div class="mapping">{hidden.map(menu)}</div>
        </details>
      )}
      {preview === undefined || preview.unknownColumns.count === 0 ? null : (
        <p class="hint">
          All other columns are passed through unchanged: {preview.unknownColumns.names.slice(0, 12).join(', ')}
          {preview.unknownColumns.count > 12 ? ' and more' : ''}.
        </p>
      )}
    </section>
  );
};

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
