/**
 * Describes faults for people: on pages, in workbooks and in a terminal. A fault's own message is also for programs, so it
 * has paths and parameters.
 */
import { type Field, fieldAt, problemAt } from '../../rating/fields.ts';

/** Signs of a clause about API calls and parameters. Pages have controls for these. */
const OF_CALLS = /\?[a-z_]+=|\b(?:GET|POST|PUT|DELETE) \/|\brates\.[a-z]/;

/** Whether a clause is about API calls, or continues such a clause: `Add ?columns=weight_value: to ignore it`. */
export const isOfCalls = (clause: string, at: number, all: readonly string[]): boolean => {
  const before = all[at - 1];
  return OF_CALLS.test(clause) || (before?.endsWith(':') === true && OF_CALLS.test(before));
};

/** Phrases in messages for programs, and their replacements for people. */
const WORDS: readonly (readonly [string, string])[] = [
  ['must be a string', 'must be text'],
  [
    'must have at most 10 characters; GET /v1/client/services',
    'is in no tariff: a code has at most 10 characters; GET /v1/client/services',
  ],
  ['a unit belongs in units, KG or LB', 'give its unit separately, as KG or LB'],
  ['or use ?encoding=windows-1252 if it is in that encoding', 'or choose its encoding below'],
];

/** Returns a message without its clauses about API calls. Keeps a final period. */
export const withoutCalls = (message: string): string => {
  const said = WORDS.reduce((text, [term, words]) => text.replace(term, words), message);
  const clauses = said.split(/(?<=[;:]) /);
  const kept = clauses.filter((...clause) => !isOfCalls(...clause));
  if (kept.length === clauses.length) return said;
  const text = kept.join(' ').replace(/[;:]$/, '');
  return said.endsWith('.') && !text.endsWith('.') ? `${text}.` : text;
};

const INVALID = /^The request is invalid: (\S+) ([^(]*)(?: \(and \d+ more\))?\.$/;

/** Returns a shipment's fault as sentences: one for each field in its arguments, or its message if they name no field. */
export const sentencesOf = (
  type: string,
  message: string,
  args: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const fields = type === 'getRates.invalidRequest' ? Object.entries(args) : [];
  if (fields.length > 0) return fields.map(([path, problem]) => `${problemAt(path, withoutCalls(String(problem)))}.`);
  // Without arguments, only the message names the field.
  const [, path, problem] = INVALID.exec(message) ?? [];
  return [
    path === undefined || problem === undefined ? withoutCalls(message) : `${problemAt(path, withoutCalls(problem))}.`,
  ];
};

/** The service, and its first day if it is yet to come. */
export const NOT_IN_FORCE = /^The shipping service (.+) is not in force on [\d-]+(?:; it starts on ([\d-]+))?\.$/;

/** One thing wrong with a row. */
export interface Problem {
  /** The same for all rows that lack the field, for all where it is wrong, and for all that ship too early for a service. */
  readonly kind: string;
  /** Undefined if the arguments do not name it. */
  readonly field: Field | undefined;
  /** The list's column, which may be that of no field. Empty if there is none. */
  readonly column?: string;
  readonly message: string;
}

/**
 * Returns what a fault says is wrong: each field once, or the row.
 * @param column the cell `fault_column`. @param main its field, if it has one. Arguments of the fault take precedence
 */
export const problemsOf = (
  type: string,
  message: string,
  args: Readonly<Record<string, unknown>>,
  column: string,
  main?: Field,
): readonly Problem[] => {
  // Only the column says what is wrong with a row that cannot be read. A query has no room for a longer name.
  const own = type.startsWith('row.') ? [column] : (NOT_IN_FORCE.exec(message)?.slice(1) ?? []);
  const kindOf = [type, ...own].join(' ').slice(0, 90).trimEnd();
  if (type !== 'getRates.invalidRequest') return [{ kind: kindOf, field: main, column, message }];
  const byField = new Map<Field | undefined, Problem>();
  for (const [path, told] of Object.entries(args)) {
    const field = fieldAt(path);
    const kind = `${type} ${field ?? ''}${told === 'is required' ? ' is missing' : ''}`;
    if (!byField.has(field)) byField.set(field, { kind, field, message: String(told) });
  }
  // A cell with arguments may have been shortened.
  return byField.size === 0 ? [{ kind: type, field: undefined, message }] : [...byField.values()];
};

/** Reads a fault's arguments from a cell. Returns none for a cell that was shortened. */
export const argumentsIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/**
 * Describes the fault of a row from its cells: `Weight is required. See column “lbs”.` @param args the cell
 * `fault_arguments`. @param column the cell `fault_column`
 */
export const rowFaultText = (type: string, message: string, args: string, column: string): string => {
  const sentences = sentencesOf(type, message, argumentsIn(args));
  // The column is only about the first problem.
  const where = column === '' || sentences.length > 1 ? [] : [`See column “${column}”.`];
  return [...sentences, ...where].join(' ');
};
