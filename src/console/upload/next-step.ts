/**
 * What the columns of a previewed list mean, in words, and the next step. It depends on what running the list now would cost.
 */
import { type Field, numberedNames } from '../../lists/columns/fields.ts';
import { specOf } from '../../rating/fields.ts';
import type { FaultKind, Preview } from '../calls.ts';
import { labelOf } from '../fault-words.ts';
import { about, count, counted } from '../ui/format.ts';
import { bareName, type Choices, FOR_ALL, type ListOptions } from './list-options.ts';

export type MappedField = Preview['mapping']['fields'][number];

/** How a field was found, and the tone: `warn` if the user should check it. */
export const HOWS = {
  chosen: { text: 'Chosen by you', tone: 'accent' },
  name: { text: 'Matched by name', tone: 'good' },
  alias: { text: 'Recognized name', tone: 'good' },
  likely: { text: 'Likely: please check', tone: 'warn' },
  unit: { text: 'From a column name', tone: 'good' },
  forAll: { text: 'The same for all rows', tone: 'accent' },
  declined: { text: 'Excluded by you', tone: 'accent' },
  none: { text: 'Not found', tone: '' },
} as const satisfies Readonly<Record<MappedField['how'], unknown>>;

export const howOf = ({ field, how, column, problem }: MappedField, remembered: Choices['columns']) => {
  if (problem !== null) return { text: how === 'none' ? 'Missing' : 'Unclear', tone: 'warn' };
  const isRemembered = how === 'chosen' && remembered[field] === column;
  return isRemembered ? { text: 'Saved choice', tone: 'accent' } : HOWS[how];
};

/** The names for choosing among the visible columns. */
export const namesIn = ({ mapping }: Preview): readonly string[] =>
  numberedNames(mapping.columns.map(({ name }) => name));

/** The columns that join the rows of orders: their number, and the quantity of a line. */
export const orderColumnsIn = ({ orders }: Preview): readonly string[] =>
  orders?.isJoined === true ? [orders.column, ...(orders.quantity === null ? [] : [orders.quantity])] : [];

/** The name within a sentence: `ZIP code`, `warehouse`. */
const nameOf = (field: Field): string => specOf(field).short ?? labelOf(field).toLowerCase();

export const hasForAll = (field: Field): field is keyof typeof FOR_ALL => field in FOR_ALL;

/**
 * The problem in the terms of this page instead of the API's parameters.
 * @param proposed number of columns that may be meant
 */
export const problemOf = ({ field, column, problem }: MappedField, proposed: number): string | undefined => {
  if (problem === null) return undefined;
  if (problem.startsWith('two columns')) return 'Two columns fit. Choose one.';
  if (proposed > 0) return `No column is certain. Is it ${proposed === 1 ? 'this one' : 'one of these'}?`;
  if (column !== null) return `“${column}” does not fit. Choose another column.`;
  return hasForAll(field)
    ? 'No column was found. Choose one, or a value for all rows.'
    : 'No column was found. Choose one.';
};

/** The id of the heading above the service names. */
export const SERVICE_NAMES = 'service-names';

/** Whether rows with this service name have a fault. */
export const isUnknown = ({ code }: Preview['services'][number]): boolean => code === null;

/** The id of a field's menu, so that buttons can lead to it. */
export const menuIdOf = (field: Field): string => `column-of-${field}`;

/** Where this page fixes a fault: the label of a button, and the id of the control that it leads to. */
interface Place {
  readonly label: string;
  readonly id: string;
}

/** A choice that fixes rows at once. */
interface Change {
  readonly label: string;
  readonly options: Partial<ListOptions>;
}

interface NextStep {
  /** What the main button does instead of running the list. */
  readonly first?: Place | Change;
  /** The label of the button that runs the list. */
  readonly run: string;
}

const placeOfField = (field: Field): Place => {
  const isColumn = !hasForAll(field) || field === 'weight_value';
  return { label: `Choose the ${nameOf(field)}${isColumn ? ' column' : ''}`, id: menuIdOf(field) };
};

/** The number of shipments in the list, estimated if not all rows were read; null if the number of rows is unknown. */
export const shipmentsIn = ({ rowsRead, joined, estimate: { rows } }: Preview): number | null =>
  rows === null ? null : Math.round((rows * (rowsRead - joined)) / Math.max(1, rowsRead));

/** At least half of the rows. */
const isMost = (rows: number, all: number): boolean => rows * 2 >= all;

/** The finding about dimensions without a unit, and the most likely unit in the United States. */
export const NO_UNIT = 'dimensions.noUnit';
export const INCHES: Partial<ListOptions> = { dimension_units: 'IN' };

/** The id of the control for the weight of rows that have none. */
export const EMPTY_WEIGHT = 'empty-weight';

/** Whether rows have an empty cell in the weight column. */
export const isWithoutWeight = ({ field, examples }: FaultKind): boolean =>
  field === 'weight_value' && examples.some(({ value }) => value === '');

/** Number of rows where the repairs remove this problem. */
const repairableRows = ({ type, field }: FaultKind, { repairAll }: Preview): number =>
  repairAll.kinds
    .flatMap(({ removes }) => removes)
    .reduce((sum, removed) => (removed.type === type && removed.field === field ? sum + removed.rows : sum), 0);

const repairOf = (rows: number): Change => ({ label: `Fix ${counted(rows, 'row')}`, options: { repair: true } });

/** Offers the code of a service name that is written in other letters. Others are chosen by the user. */
const nameServices = (preview: Preview, { services }: ListOptions, known: Known): Place | Change => {
  for (const { name } of preview.services.filter(isUnknown))
    for (const { shippingService: code } of known)
      if (bareName(code) === bareName(name))
        return { label: `Read “${name}” as ${code}`, options: { services: { ...services, [name]: code } } };
  return { label: 'Choose the services', id: SERVICE_NAMES };
};

type Known = readonly { readonly shippingService: string }[];

/** What fixes all rows of a kind at once; undefined if each row is wrong in a different way. */
export const cureOf = (kind: FaultKind, preview: Preview, own: ListOptions, known: Known = []) => {
  const { type, field, rows } = kind;
  if (type === 'getRates.unknownShippingService' && preview.services.some(isUnknown))
    return nameServices(preview, own, known);
  const repairable = own.repair ? 0 : repairableRows(kind, preview);
  if (repairable > 0 && isMost(repairable, rows)) return repairOf(repairable);
  if (field === 'dimension_units' && preview.findings.some(({ type }) => type === NO_UNIT))
    return { label: 'Read the sides as inches', options: INCHES };
  if (field !== null && isMost(rows, preview.rowsRead)) return placeOfField(field);
  if (repairable > 0) return repairOf(repairable);
  return isWithoutWeight(kind) ? { label: `Give ${rows === 1 ? 'it' : 'them'} a weight`, id: EMPTY_WEIGHT } : undefined;
};

const runLabel = ({ estimate }: Preview): string => {
  if (estimate.rows === null) return 'Quote all rows';
  const rows =
    estimate.rows === 1
      ? 'this row'
      : `all${estimate.exact ? '' : ','} ${(estimate.exact ? count : about)(estimate.rows)} rows`;
  return `Quote ${rows}`;
};

/** Whether the service would refuse the list. */
export const isRefused = ({ problems }: Preview): boolean => Object.keys(problems).length > 0;

/** Whether a title was read as column names. Then the names mean nothing. */
export const isTitle = (preview: Preview): boolean => preview.suggestedHeaderRow !== null && isRefused(preview);

/** The service omits a field that was not found. */
export const mappedIn = ({ mapping }: Preview, field: Field): MappedField =>
  mapping.fields.find((own) => own.field === field) ?? {
    ...{ field, how: 'none', column: null, position: null },
    ...{ value: null, samples: [], problem: null },
  };

export const isRequired = (field: Field): boolean => specOf(field).required !== undefined;

/** Whether no row can be quoted without an answer about a field. */
export const isAskedFor = (preview: Preview, field: Field): boolean => {
  const { column, value } = mappedIn(preview, field);
  return isRequired(field) && column === null && value === null;
};

/** Whether the user should check how the list is read. The header row comes first, because problems lead to it. */
export const isReadingUnclear = (preview: Preview): boolean =>
  preview.suggestedHeaderRow === null &&
  // The page asks about fields without a column above.
  ((isRefused(preview) && preview.mapping.fields.every(({ problem }) => problem === null)) ||
    preview.findings.some(({ type }) => /^(?:sheet|rows)\./.test(type)) ||
    preview.mapping.fields.some(({ how }) => how === 'likely'));

/** The next step for a list that the service would accept. */
export const nextStep = (preview: Preview, listOptions: ListOptions): NextStep => {
  const { faulted, rowsRead, joined, faultKinds, repairAll } = preview;
  if (!isMost(faulted, rowsRead - joined)) return { run: runLabel(preview) };
  const run = 'Run anyway';
  if (!listOptions.repair && isMost(faulted - repairAll.faulted, faulted))
    return { first: repairOf(repairAll.rows), run };
  const [kind] = faultKinds;
  const first = kind !== undefined && isMost(kind.rows, faulted) ? cureOf(kind, preview, listOptions) : undefined;
  return first === undefined ? { run: runLabel(preview) } : { first, run };
};
