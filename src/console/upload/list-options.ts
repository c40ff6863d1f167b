/** The options of an upload, as parameters of the call. */
import type { Field } from '../../lists/columns/fields.ts';
import type { ConsoleCalls } from '../calls.ts';

export const UPLOAD = 'POST /v1/client/shipment/rates/batches';

/** Fields that can have one value for all rows, with their parameters. */
export const FOR_ALL = {
  warehouse_id: 'warehouse_id',
  weight_value: 'weight',
  weight_units: 'units',
  shippingService: 'shippingService',
  residential: 'residential',
  dimension_units: 'dimension_units',
} as const satisfies Readonly<Partial<Record<Field, string>>>;

/** How to read cells: parameters with one value for the list. */
const FORMS = ['empty_weight', 'decimal', 'date_order', 'weight_per', 'orders', 'item_quantity'] as const;

/** The choices that consist of one text. */
const TEXTS = [...Object.values(FOR_ALL), ...FORMS] as const;

/** How to read the file: parameters with one text. */
const OF_FILE = ['encoding', 'delimiter', 'quotes', 'sheet', 'header_row'] as const;

type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** How to read a list with a header. Choices can be saved. */
export interface Choices extends Texts<(typeof TEXTS)[number]> {
  /** Chosen columns by field. An empty name means that the field has no column. */
  readonly columns: Readonly<Partial<Record<Field, string>>>;
  /** Chosen service codes by the name in the list. An empty code means all services. */
  readonly services: Texts<string>;
}

export interface ListOptions extends Choices, Texts<(typeof OF_FILE)[number]> {
  readonly repair: boolean;
  readonly allServices: boolean;
  readonly explain: boolean;
}

/** The text of each name; empty for a name without one. */
const textsAt = <Name extends string>(names: readonly Name[], texts: Readonly<Partial<Record<Name, string>>>) =>
  Object.fromEntries(names.map((name) => [name, texts[name] ?? ''])) as Texts<Name>;

const escaped = (name: string): string => name.replaceAll(/[\\,]/g, '\\$&');

/** In the form of `?columns=`. */
const columnsText = (columns: ListOptions['columns']): string =>
  Object.entries(columns)
    .map(([field, column]) => `${field}:${escaped(column)}`)
    .join(',');

/** Names of services that differ only in case and punctuation are equal. */
export const bareName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** In the form of `?service_map=`. */
const servicesText = (services: ListOptions['services']): string => {
  const entries = new Map<string, string>();
  for (const [name, code] of Object.entries(services)) entries.set(bareName(name), `${escaped(name)}:${code}`);
  return [...entries.values()].join(',');
};

/** The choices as parameters, without empty ones. */
export const textsOf = (choices: Choices): Readonly<Record<string, string>> => {
  const texts = {
    columns: columnsText(choices.columns),
    service_map: servicesText(choices.services),
    ...textsAt(TEXTS, choices),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
};

export const hasChoices = (choices: Choices): boolean => Object.keys(textsOf(choices)).length > 0;

/** Pairs of a name and a value. A comma or a backslash in them has a backslash before it. */
const pairsIn = (text: string, colonOf: (pair: string) => number): readonly (readonly [string, string])[] =>
  (text.match(/(?:\\.|[^\\,])+/gsu) ?? []).map((pair) => {
    const [before, after] = [pair.slice(0, colonOf(pair)), pair.slice(colonOf(pair) + 1)];
    return [before.replaceAll(/\\(.)/gsu, '$1'), after.replaceAll(/\\(.)/gsu, '$1')];
  });

/** The choices in saved parameters. */
export const choicesIn = (texts: Readonly<Partial<Record<string, string>>>): Choices => ({
  ...textsAt(TEXTS, texts),
  columns: Object.fromEntries(pairsIn(texts['columns'] ?? '', (pair) => pair.indexOf(':'))),
  services: Object.fromEntries(pairsIn(texts['service_map'] ?? '', (pair) => pair.lastIndexOf(':'))),
});

export const DEFAULT_OPTIONS: ListOptions = {
  ...choicesIn({}),
  ...textsAt(OF_FILE, {}),
  ...{ repair: false, allServices: false, explain: false },
};

/** The options as parameters of an upload and of its preview. */
export const queryOf = (filename: string, listOptions: ListOptions): ConsoleCalls[typeof UPLOAD]['query'] => ({
  filename: filename.slice(0, 255),
  ...textsOf(listOptions),
  ...textsAt(OF_FILE, listOptions),
  repair: listOptions.repair ? 'all' : '',
  services: listOptions.allServices ? 'all' : '',
  explain: listOptions.explain ? 'true' : '',
});
