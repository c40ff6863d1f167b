/** The options of an upload, as parameters of the call and as controls. */
import type { Field } from '../../rows/fields.ts';
import type { Query } from '../api.ts';
import type { Preview } from '../calls.ts';
import { Checkbox, type Option, Select, TextField } from '../ui/controls.tsx';

export interface ListOptions {
  /** Chosen columns by field. An empty name means that the field has no column. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  readonly warehouse_id: string;
  readonly units: string;
  readonly dimension_units: string;
  readonly shippingService: string;
  /** Chosen service codes by the name in the list. An empty code means all services. */
  readonly services: Readonly<Record<string, string>>;
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheet: string;
  readonly repair: boolean;
  readonly allServices: boolean;
  readonly explain: boolean;
}

export const DEFAULT_OPTIONS: ListOptions = {
  columns: {},
  warehouse_id: '',
  units: '',
  dimension_units: '',
  shippingService: '',
  services: {},
  encoding: '',
  delimiter: '',
  sheet: '',
  repair: false,
  allServices: false,
  explain: false,
};

const escaped = (name: string): string => name.replaceAll(/[\\,]/g, '\\$&');

/** In the form of `?columns=`. */
const columnsText = (columns: ListOptions['columns']): string =>
  Object.entries(columns)
    .map(([field, column]) => `${field}:${escaped(column)}`)
    .join(',');

/** In the form of `?service_map=`. Names that differ only in case and punctuation are the same. */
const servicesText = (services: ListOptions['services']): string => {
  const entries = new Map<string, string>();
  for (const [name, code] of Object.entries(services))
    entries.set(name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''), `${escaped(name)}:${code}`);
  return [...entries.values()].join(',');
};

/** The options as parameters of an upload and of its preview. */
export const queryOf = (filename: string, listOptions: ListOptions): Query<'createBatch'> => ({
  filename: filename.slice(0, 255),
  columns: columnsText(listOptions.columns),
  warehouse_id: listOptions.warehouse_id,
  units: listOptions.units,
  dimension_units: listOptions.dimension_units,
  shippingService: listOptions.shippingService,
  service_map: servicesText(listOptions.services),
  encoding: listOptions.encoding,
  delimiter: listOptions.delimiter,
  sheet: listOptions.sheet,
  repair: listOptions.repair ? 'all' : '',
  services: listOptions.allServices ? 'all' : '',
  explain: listOptions.explain ? 'true' : '',
});

interface MoreOptionsProps {
  readonly preview: Preview | undefined;
  readonly listOptions: ListOptions;
  readonly onListOptions: (listOptions: ListOptions) => void;
  readonly isWorkbook: boolean;
}

const ENCODINGS: readonly Option[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 (older Excel)' },
  { value: 'utf-16le', label: 'UTF-16 little-endian' },
  { value: 'utf-16be', label: 'UTF-16 big-endian' },
];
const DELIMITERS: readonly Option[] = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
  { value: '|', label: 'Vertical bar' },
];
const labelIn = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;
const asFound = (options: readonly Option[], found: string | undefined): readonly Option[] => [
  { value: '', label: found === undefined ? 'Detect' : `Detected: ${labelIn(options, found)}` },
  ...options,
];

export const MoreOptions = ({ preview, listOptions, onListOptions, isWorkbook }: MoreOptionsProps) => (
  <section class="panel" aria-labelledby="more-options">
    <h2 id="more-options">Reading and output options</h2>
    <div class="mapping">
      {isWorkbook ? (
        <TextField
          label="Sheet"
          value={listOptions.sheet}
          onChange={(sheet) => onListOptions({ ...listOptions, sheet })}
          hint="By name or number. The default is the first."
        />
      ) : (
        <>
          <Select
            label="Encoding"
            value={listOptions.encoding}
            options={asFound(ENCODINGS, listOptions.encoding === '' ? preview?.dialect.encoding : undefined)}
            onChange={(encoding) => onListOptions({ ...listOptions, encoding })}
          />
          <Select
            label="Separator"
            value={listOptions.delimiter}
            options={asFound(DELIMITERS, listOptions.delimiter === '' ? preview?.dialect.delimiter : undefined)}
            onChange={(delimiter) => onListOptions({ ...listOptions, delimiter })}
          />
        </>
      )}
    </div>
    <div class="stack small">
      <Checkbox
        label="Compare all services"
        hint="Adds the net charge of each service, and the cheapest one."
        checked={listOptions.allServices}
        onChange={(allServices) => onListOptions({ ...listOptions, allServices })}
      />
      <Checkbox
        label="Explain each price"
        hint="Adds columns that explain each charge."
        checked={listOptions.explain}
        onChange={(explain) => onListOptions({ ...listOptions, explain })}
      />
    </div>
  </section>
);
