/**
 * Checks values against Zod schemas, with problems in plain words: the same for requests, settings and files.
 * Every message continues a sentence that begins with the name of the value: `must be …`, `has …`, `is …`.
 */
import type { z } from 'zod';
import { Failed } from './failed.ts';

export interface Problem {
  /** From the root of the value; empty for the root itself. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Returns a path as users write it: `services[0].code`; empty for the root. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  );

const isNumber = (origin: string): boolean => origin === 'number' || origin === 'int';

/** Returns text such as `3 characters` for a text or `1 entry` for a list. */
const lengthText = (origin: string, length: number | bigint): string => {
  const [one, many] = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
  return `${length} ${Number(length) === 1 ? one : many}`;
};

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a date, YYYY-MM-DD',
  datetime: 'must be a time in UTC, such as 2026-01-31T12:00:00Z',
  url: 'must be a URL',
};

/**
 * The error map for all schemas. Undefined where the schema has its own message. A message never repeats the value,
 * because a value may be long or private.
 */
export const problemText = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${TYPES[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'too_big':
      return isNumber(issue.origin)
        ? `must be at most ${issue.maximum}`
        : `must have at most ${lengthText(issue.origin, issue.maximum)}`;
    case 'too_small':
      if (isNumber(issue.origin)) return `must be ${issue.inclusive ? 'at least' : 'greater than'} ${issue.minimum}`;
      return `must have at least ${lengthText(issue.origin, issue.minimum)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format];
    default:
      return undefined;
  }
};

/** Returns whether the value does not even have the type of this branch of a union. */
const isOtherType = (issues: readonly z.core.$ZodIssue[]): boolean =>
  issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/** Returns the issues of the branch that the value was most likely meant for. Otherwise, names all types. */
const unionIssues = (branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] => {
  const [likely] = branches.filter((issues) => !isOtherType(issues)).sort((a, b) => a.length - b.length);
  if (likely !== undefined) return likely;
  const [first] = branches.flat();
  const messages = new Set(branches.flat().map(({ message }) => message));
  return first === undefined ? [] : [{ ...first, message: [...messages].join(', or ') }];
};

/** Zod's message for a union without its own message. */
const NO_MESSAGE = 'Invalid input';

const problemsOf = (issue: z.core.$ZodIssue, unknownMember: string): readonly Problem[] => {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownMember }));
  if (issue.code === 'invalid_union' && issue.inclusive !== false) {
    if (issue.options !== undefined)
      return [{ path, message: `must be one of ${issue.options.map(String).join(', ')}` }];
    if (message !== NO_MESSAGE) return [{ path, message }];
    return unionIssues(issue.errors).flatMap((inner) =>
      problemsOf({ ...inner, path: [...path, ...inner.path] }, unknownMember),
    );
  }
  if (issue.code === 'invalid_key')
    return issue.issues.map((inner) => ({ path, message: `is not a valid name: it ${inner.message}` }));
  return [{ path, message }];
};

/** Whether a limit, such as that of every whole number, says less than another one on the same value. */
const isWider = (one: z.core.$ZodIssue, other: z.core.$ZodIssue): boolean =>
  one.code === 'too_big' &&
  other.code === 'too_big' &&
  one.maximum > other.maximum &&
  pathText(one.path) === pathText(other.path);

/**
 * Checks a value.
 * @param unknownMember the message for a member that the schema does not have
 * @returns the value as the schema reads it, or every problem
 */
export const check = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  unknownMember = 'is unknown: correct its name, or remove it',
): z.output<S> | Failed<readonly Problem[]> => {
  const checked = schema.safeParse(value, { error: problemText });
  if (checked.success) return checked.data;
  const { issues } = checked.error;
  const told = issues.filter((issue) => !issues.some((other) => isWider(issue, other)));
  return new Failed(told.flatMap((issue) => problemsOf(issue, unknownMember)));
};
