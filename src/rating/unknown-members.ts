/**
 * Finds members of a request that the service does not know. Integrators send whole addresses, so such members are
 * accepted. A misspelled `residental` changes the price, so warnings name them (contract, Warnings).
 */
import { z } from 'zod';
import { rateRequest } from './shipment.ts';
import { unknownMemberWarning, type Warning } from './warning.ts';

/** Members allowed at one place of a request: those of an object, or of each entry of a list. */
interface Known {
  readonly members?: ReadonlyMap<string, Known>;
  readonly entries?: Known;
}

const NOTHING: Known = {};

const knownTo = (schema: z.core.$ZodType): Known => {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return { members: new Map(Object.entries(shape).map(([name, member]) => [name, knownTo(member)])) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return knownTo(schema.unwrap());
  if (schema instanceof z.ZodPipe) return knownTo(schema.out);
  return schema instanceof z.ZodArray ? { entries: knownTo(schema.element) } : NOTHING;
};

const REQUEST = knownTo(rateRequest);

/** Maximum number of warnings for one request. The last one says how many more members there are. */
const MOST_NAMED = 20;
const MOST_NAME_CHARACTERS = 64;

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** Returns the JSON path of a member as faults write it. A name that is not plain is in brackets. */
const pathTo = (place: string, name: string): string => {
  const short = name.length > MOST_NAME_CHARACTERS ? `${name.slice(0, MOST_NAME_CHARACTERS)}…` : name;
  if (!PLAIN_NAME.test(short)) return `${place}[${JSON.stringify(short)}]`;
  return place === '' ? short : `${place}.${short}`;
};

interface Found {
  readonly paths: string[];
  count: number;
}

const look = (value: unknown, { members, entries }: Known, place: string, found: Found): void => {
  if (Array.isArray(value)) {
    if (entries === undefined) return;
    for (const [at, entry] of value.entries()) look(entry, entries, `${place}[${at}]`, found);
    return;
  }
  if (members === undefined || typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const known = members.get(name);
    if (known === undefined) {
      found.count += 1;
      if (found.paths.length < MOST_NAMED) found.paths.push(pathTo(place, name));
    } else if (known !== NOTHING) look(member, known, place === '' ? name : `${place}.${name}`, found);
  }
};

/**
 * Finds the members of a request body that are not fields of a request.
 * @param body a body that was read without a fault
 * @returns a warning for each of the first twenty
 */
export const unknownMembers = (body: unknown): readonly Warning[] => {
  const found: Found = { paths: [], count: 0 };
  look(body, REQUEST, '', found);
  const more = found.count - found.paths.length;
  return found.paths.map((member, at) => unknownMemberWarning(member, at === MOST_NAMED - 1 ? more : 0));
};
