/** What is said of a list at upload: which column means what, values for columns that it lacks, how it is read. */
import type { Field } from '../../rows/fields.ts';
import type { Query } from '../api.ts';

export interface ListOptions {
  /** Column by field, where somebody chose it; empty: the field has no column. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  readonly warehouse_id: string;
  readonly units: string;
  readonly dimension_units: string;
  readonly shippingService: string;
  /** Code by the name that the list has for a service, where somebody chose it; empty: all services. */
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

/** As `?columns=` takes them. */
const columnsText = (columns: ListOptions['columns']): string =>
  Object.entries(columns)
    .map(([field, column]) => `${field}:${escaped(column)}`)
    .join(',');

/** As `?service_map=` takes them: names that differ in case and punctuation alone are one. */
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
