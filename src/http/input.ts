/** Checks the input of calls against schemas. Each problem names its field. */
import type { Request } from 'express';
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { check, pathText } from '../base/validation.ts';
import type { Fault, Result } from '../rating/fault.ts';
import type { HttpResult } from './faults.ts';
import { readJson } from './server/body.ts';

/**
 * Checks a value from a request.
 * @param unknownMember the problem of a member that the schema does not have
 * @returns the value, or `getRates.invalidRequest` with the problem of each field
 */
export const readInput = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  unknownMember = 'is not a member that this call knows',
): Result<z.output<S>> => {
  const read = check(schema, value, unknownMember);
  if (!(read instanceof Failed)) return read;
  const issues = read.fault.map(({ path, message }) => ({
    path: path.length === 0 ? 'body' : pathText(path),
    message,
  }));
  return new Failed({ type: 'getRates.invalidRequest', issues });
};

/** A refusal that explains the problem of each field. */
export const invalid = (problems: Readonly<Record<string, string>>): Failed<Fault> =>
  new Failed({
    type: 'getRates.invalidRequest',
    issues: Object.entries(problems).map(([path, message]) => ({ path, message })),
  });

/** Checks the query of a call. Problems are reported like problems of a body's fields. */
export const readQuery = <S extends z.ZodType>(schema: S, { query }: Pick<Request, 'query'>): Result<z.output<S>> => {
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  return repeated.length > 0
    ? invalid(Object.fromEntries(repeated.map((name) => [name, 'occurs more than once'])))
    : readInput(schema, query, 'is not a parameter of this call');
};

/** Reads and checks a JSON body. @param limit in bytes */
export const readBodyAs = async <S extends z.ZodType>(
  schema: S,
  req: Request,
  limit: number,
): Promise<HttpResult<z.output<S>>> => {
  const body = await readJson(req, { limit });
  return body instanceof Failed ? body : readInput(schema, body.json);
};

/** A parameter with a number from 1 to at most 999. @param usual its value if it is not given */
export const countUpTo = (most: number, usual: number) => {
  const rule = `must be a whole number from 1 to ${most}`;
  const number = z
    .string()
    .regex(/^[1-9]\d{0,2}$/, rule)
    .transform(Number);
  return number.refine((count) => count <= most, rule).default(usual);
};
