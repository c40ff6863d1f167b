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

export const NOTHING_SAID: ListOptions = {
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
export const queryOf = (filename: string, said: ListOptions): Query<'createBatch'> => ({
  filename: filename.slice(0, 255),
  columns: columnsText(said.columns),
  warehouse_id: said.warehouse_id,
  units: said.units,
  dimension_units: said.dimension_units,
  shippingService: said.shippingService,
  service_map: servicesText(said.services),
  encoding: said.encoding,
  delimiter: said.delimiter,
  sheet: said.sheet,
  repair: said.repair ? 'all' : '',
  services: said.allServices ? 'all' : '',
  explain: said.explain ? 'true' : '',
});

interface MoreOptionsProps {
  readonly preview: Preview | undefined;
  readonly said: ListOptions;
  readonly onSaid: (said: ListOptions) => void;
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

export const MoreOptions = ({ preview, said, onSaid, isWorkbook }: MoreOptionsProps) => (
  <section class="panel" aria-labelledby="more-options">
    <h2 id="more-options">Reading and output options</h2>
    <div class="mapping">
      {isWorkbook ? (
        <TextField
          label="Sheet"
          value={said.sheet}
          onChange={(sheet) => onSaid({ ...said, sheet })}
          hint="By name or number. The default is the first."
        />
      ) : (
        <>
          <Select
            label="Encoding"
            value={said.encoding}
            options={asFound(ENCODINGS, said.encoding === '' ? preview?.dialect.encoding : undefined)}
            onChange={(encoding) => onSaid({ ...said, encoding })}
          />
          <Select
            label="Separator"
            value={said.delimiter}
            options={asFound(DELIMITERS, said.delimiter === '' ? preview?.dialect.delimiter : undefined)}
            onChange={(delimiter) => onSaid({ ...said, delimiter })}
          />
        </>
      )}
    </div>
    <div class="stack small">
      <Checkbox
        label="Compare all services"
        hint="Adds the net charge of each service, and the cheapest one."
        checked={said.allServices}
        onChange={(allServices) => onSaid({ ...said, allServices })}
      />
      <Checkbox
        label="Explain each price"
        hint="Adds columns that explain each charge."
        checked={said.explain}
        onChange={(explain) => onSaid({ ...said, explain })}
      />
    </div>
  </section>
);
