/** Text about the mapping of a list. */
import { type Field, numberedNames } from '../../lists/columns/fields.ts';
import { specOf } from '../../rating/fields.ts';
import type { Preview } from '../calls.ts';
import { labelOf } from '../guide.ts';
import { type Choices, FOR_ALL } from './list-options.ts';

export type MappedField = Preview['mapping']['fields'][number];

/** How a field was found, and whether the user should check it. */
export interface How {
  readonly text: string;
  readonly tone: 'good' | 'accent' | 'warn' | '';
}

const HOWS: Readonly<Record<MappedField['how'], How>> = {
  chosen: { text: 'Chosen by you', tone: 'accent' },
  name: { text: 'Matched by name', tone: 'good' },
  alias: { text: 'Recognized name', tone: 'good' },
  likely: { text: 'Likely: please check', tone: 'warn' },
  unit: { text: 'From a column name', tone: 'good' },
  forAll: { text: 'The same for all rows', tone: 'accent' },
  declined: { text: 'Excluded by you', tone: 'accent' },
  none: { text: 'Not found', tone: '' },
};

export const howOf = ({ field, how, column, problem }: MappedField, remembered: Choices['columns']): How => {
  if (problem !== null) return { text: 'Unclear', tone: 'warn' };
  const isRemembered = how === 'chosen' && remembered[field] === column;
  return isRemembered ? { text: 'Remembered', tone: 'accent' } : HOWS[how];
};

/** The names for choosing among the visible columns. */
export const namesIn = ({ mapping }: Preview): readonly string[] =>
  numberedNames(mapping.columns.map(({ name }) => name));

/** The name within a sentence: `ZIP code`, `warehouse`. */
export const nameOf = (field: Field): string => specOf(field).short ?? labelOf(field).toLowerCase();

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
