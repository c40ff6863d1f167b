/** Checks the input of calls against schemas. Each problem names its field. */
import type { Request } from 'express';
import type { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { check, pathText } from '../base/validation.ts';
import type { Result } from '../rating/fault.ts';
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

/** Checks the query of a call. Problems are reported like problems of a body's fields. */
export const readQuery = <S extends z.ZodType>(schema: S, { query }: Pick<Request, 'query'>): Result<z.output<S>> =>
  readInput(schema, query, 'is not a parameter of this call');

/** Reads and checks a JSON body. @param limit in bytes */
export const readBodyAs = async <S extends z.ZodType>(
  schema: S,
  req: Request,
  limit: number,
): Promise<HttpResult<z.output<S>>> => {
  const body = await readJson(req, { limit });
  return body instanceof Failed ? body : readInput(schema, body.json);
};
