/** What is said of a list at upload: which column means what, values for columns that it lacks, how it is read. */
import type { Field } from '../../list/fields.ts';
import type { Query } from '../api.ts';

export interface ListOptions {
  /** Column by field, where somebody chose it; empty: the field has no column. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  readonly warehouse_id: string;
  readonly units: string;
  readonly shippingService: string;
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
  shippingService: '',
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

/** The options as parameters of an upload and of its preview. */
export const queryOf = (filename: string, said: ListOptions): Query<'createBatch'> => ({
  filename: filename.slice(0, 255),
  columns: columnsText(said.columns),
  warehouse_id: said.warehouse_id,
  units: said.units,
  shippingService: said.shippingService,
  encoding: said.encoding,
  delimiter: said.delimiter,
  sheet: said.sheet,
  repair: said.repair ? 'all' : '',
  services: said.allServices ? 'all' : '',
  explain: said.explain ? 'true' : '',
});
