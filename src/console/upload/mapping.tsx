/** Menus that map columns to fields and service names to codes. */
import type { Field } from '../../rows/fields.ts';
import { useApi, useLoad } from '../api.ts';
import type { Preview } from '../calls.ts';
import { FIELD_GUIDES, type FieldGuide } from '../guide.ts';
import { type Option, Select } from '../ui/controls.tsx';
import { counted } from '../ui/format.ts';
import type { ListOptions } from './list-options.tsx';

interface MappingProps {
  /** The known column names. */
  readonly header: readonly string[];
  readonly preview: Preview | undefined;
  /** Problems by field. `columns` is about the columns chosen here. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly listOptions: ListOptions;
  readonly onListOptions: (listOptions: ListOptions) => void;
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

/** Fields that can have one value for all rows, and the values. */
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
        { value: 'any', label: 'Any: the cheapest is used' },
      ],
    },
    weight_units: { name: 'units', options: UNITS },
    dimension_units: { name: 'dimension_units', options: LENGTHS },
    shippingService: {
      name: 'shippingService',
      options: [
        { value: '', label: 'All: the cheapest is used' },
        ...(services?.services ?? []).map(({ shippingService, description }) => ({
          value: shippingService,
          label: `${shippingService} ${description}`,
        })),
      ],
    },
  };
};
type DefaultName = 'warehouse_id' | 'units' | 'dimension_units' | 'shippingService';

/** The problem in the terms of this page instead of parameters. */
const problemOf = (problems: MappingProps['problems'], { field }: FieldGuide, column: string): string | undefined => {
  const problem = problems[field];
  if (problem === undefined) return undefined;
  if (column !== '') return `“${column}” does not fit: ${String(problem)}.`;
  if (String(problem).startsWith('two columns')) return 'Two columns fit. Choose one.';
  return field === 'warehouse_id' || field === 'weight_units'
    ? 'No column was found. Choose one, or a value for all rows.'
    : 'No column was found. Choose one.';
};

export const Mapping = ({ header, preview, problems, listOptions, onListOptions }: MappingProps) => {
  const defaults = useDefaults();
  const names = [...new Set(header)];
  const options = [NO_COLUMN, ...names.map((name) => ({ value: name, label: name === '' ? '(no name)' : name }))];
  const columnOf = (field: Field): string =>
    listOptions.columns[field] ?? preview?.columns.find((column) => column.field === field)?.column ?? '';

  const menu = (guide: FieldGuide) => {
    const { field, label, required } = guide;
    const column = columnOf(field);
    const forAll = defaults[field];
    const found = preview?.defaults[field];
    const stated = forAll !== undefined && listOptions[forAll.name] === '' ? found : undefined;
    return (
      <div class="mapping-field" key={field}>
        <Select
          label={required === true ? `${label} (required)` : label}
          value={column}
          error={problemOf(problems, guide, column)}
          options={options}
          onChange={(value) => onListOptions({ ...listOptions, columns: { ...listOptions.columns, [field]: value } })}
          hint={stated === undefined ? undefined : `${stated} for all rows, from a column name.`}
        />
        {column === '' && forAll !== undefined && stated === undefined ? (
          <Select
            label={`${label} for all rows`}
            labelHidden
            value={listOptions[forAll.name]}
            options={forAll.options.map((option) =>
              option.value === '' && option.label === 'Choose'
                ? { value: '', label: 'Choose a value for all rows' }
                : option,
            )}
            onChange={(value) => onListOptions({ ...listOptions, [forAll.name]: value })}
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
    field in listOptions.columns ||
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
            {hidden.length} more fields: {hidden.map(({ label }) => label).join(', ')}
          </summary>
          <div class="mapping">{hidden.map(menu)}</div>
        </details>
      )}
      {preview === undefined || preview.unknownColumns.count === 0 ? null : (
        <p class="hint">
          Other columns are passed through unchanged: {preview.unknownColumns.names.slice(0, 12).join(', ')}
          {preview.unknownColumns.count > 12 ? ' and more' : ''}.
        </p>
      )}
    </section>
  );
};

interface ServiceNamesProps {
  readonly preview: Preview;
  readonly listOptions: ListOptions;
  readonly onListOptions: (listOptions: ListOptions) => void;
}

/** Values of the menu that are not codes. */
const AS_IT_IS = ' ';
const ALL = '';

export const ServiceNames = ({ preview, listOptions, onListOptions }: ServiceNamesProps) => {
  const api = useApi();
  const { data } = useLoad((signal) => api.call('services', { signal }), []);
  const names = preview.services.filter(({ name, code }) => name !== code);
  if (names.length === 0) return null;
  const services = (data?.services ?? []).map(({ shippingService, description }) => ({
    value: shippingService,
    label: `${shippingService} ${description}`,
  }));
  const choose = (name: string, value: string): void => {
    const { [name]: _, ...others } = listOptions.services;
    onListOptions({ ...listOptions, services: value === AS_IT_IS ? others : { ...others, [name]: value } });
  };
  return (
    <section class="panel" aria-labelledby="service-names">
      <h2 id="service-names">Service names</h2>
      <div class="mapping">
        {names.map(({ name, code, rows }) => {
          const chosen = listOptions.services[name];
          const found =
            chosen === undefined && code !== null ? `Recognized: ${code}` : 'No service: these rows have a fault';
          return (
            <div class="mapping-field" key={name}>
              <Select
                label={name}
                value={chosen ?? AS_IT_IS}
                options={[
                  { value: AS_IT_IS, label: found },
                  ...services,
                  { value: ALL, label: 'All: the cheapest is used' },
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
