/** The options of an upload, as parameters of the call. */
import type { Field } from '../../rows/fields.ts';
import type { Query } from '../api.ts';

/** Fields that can have one value for all rows, with the parameter that gives it. */
export const FOR_ALL = {
  warehouse_id: 'warehouse_id',
  weight_value: 'weight',
  weight_units: 'units',
  shippingService: 'shippingService',
  residential: 'residential',
  dimension_units: 'dimension_units',
} as const satisfies Readonly<Partial<Record<Field, string>>>;
type ForAll = (typeof FOR_ALL)[keyof typeof FOR_ALL];

/** How a list with a header is read. It can be remembered. */
export interface Choices extends Readonly<Record<ForAll, string>> {
  /** Chosen columns by field. An empty name means that the field has no column. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  /** Chosen service codes by the name in the list. An empty code means all services. */
  readonly services: Readonly<Record<string, string>>;
}

export interface ListOptions extends Choices {
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheet: string;
  readonly headerRow: string;
  readonly repair: boolean;
  readonly allServices: boolean;
  readonly explain: boolean;
}

export const NO_CHOICES: Choices = {
  columns: {},
  services: {},
  warehouse_id: '',
  weight: '',
  units: '',
  shippingService: '',
  residential: '',
  dimension_units: '',
};

export const DEFAULT_OPTIONS: ListOptions = {
  ...NO_CHOICES,
  encoding: '',
  delimiter: '',
  sheet: '',
  headerRow: '',
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
  weight: listOptions.weight,
  units: listOptions.units,
  dimension_units: listOptions.dimension_units,
  shippingService: listOptions.shippingService,
  residential: listOptions.residential,
  service_map: servicesText(listOptions.services),
  encoding: listOptions.encoding,
  delimiter: listOptions.delimiter,
  sheet: listOptions.sheet,
  header_row: listOptions.headerRow,
  repair: listOptions.repair ? 'all' : '',
  services: listOptions.allServices ? 'all' : '',
  explain: listOptions.explain ? 'true' : '',
});
