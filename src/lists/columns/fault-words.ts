/**
 * What people read of a fault: on pages, in workbooks and in a terminal. The fault itself is the same everywhere: its message
 * speaks to programs too, with paths and parameters.
 */
import { nameAt } from '../../rating/fields.ts';

/** What a clause of a message has if it speaks of API calls and parameters. Pages have controls for these. */
const OF_CALLS = /\?[a-z_]+=|\b(?:GET|POST|PUT|DELETE) \/|\brates\.[a-z]/;

/** Whether a clause speaks of API calls, or belongs to one before it that does: `Add ?columns=weight_value: to ignore it`. */
export const isOfCalls = (clause: string, at: number, all: readonly string[]): boolean => {
  const before = all[at - 1];
  return OF_CALLS.test(clause) || (before?.endsWith(':') === true && OF_CALLS.test(before));
};

/** What programs call kinds of values, in words. */
const WORDS: readonly (readonly [string, string])[] = [
  ['must be a string', 'must be text'],
  [
    'must have at most 10 characters; GET /v1/client/services',
    'is in no tariff: a code has at most 10 characters; GET /v1/client/services',
  ],
  ['a unit belongs in units, KG or LB', 'give its unit separately, as KG or LB'],
  ['or use ?encoding=windows-1252 if it is in that encoding', 'or choose its encoding below'],
];

/** A message in words, without its clauses about API calls. It ends in a period if it did, or if its end is gone. */
export const withoutCalls = (message: string): string => {
  const said = WORDS.reduce((text, [term, words]) => text.replace(term, words), message);
  const clauses = said.split(/(?<=[;:]) /);
  const kept = clauses.filter((...clause) => !isOfCalls(...clause));
  if (kept.length === clauses.length) return said;
  const text = kept.join(' ').replace(/[;:]$/, '');
  return said.endsWith('.') && !text.endsWith('.') ? `${text}.` : text;
};

const INVALID = /^The request is invalid: (\S+) ([^(]*)(?: \(and \d+ more\))?\.$/;

/** A shipment's fault as sentences: one for each field that its arguments name, else its message. */
export const sentencesOf = (
  type: string,
  message: string,
  args: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const fields = type === 'getRates.invalidRequest' ? Object.entries(args) : [];
  if (fields.length > 0) return fields.map(([path, problem]) => `${nameAt(path)} ${withoutCalls(String(problem))}.`);
  // Where the arguments are not known, the message alone names the field.
  const [, path, problem] = INVALID.exec(message) ?? [];
  return [
    path === undefined || problem === undefined ? withoutCalls(message) : `${nameAt(path)} ${withoutCalls(problem)}.`,
  ];
};

/** The arguments of a fault in a cell. A cell that was shortened has none. */
export const argumentsIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/**
 * The fault of a row as its cells have it, in words: `Weight is required. See column “lbs”.`
 * @param args the cell `fault_arguments`. @param column the cell `fault_column`
 */
export const rowFaultText = (type: string, message: string, args: string, column: string): string => {
  const sentences = sentencesOf(type, message, argumentsIn(args));
  // Of several problems, the column is that of the first one alone.
  const where = column === '' || sentences.length > 1 ? [] : [`See column “${column}”.`];
  return [...sentences, ...where].join(' ');
};
