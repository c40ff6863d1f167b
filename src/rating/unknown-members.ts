/**
 * Members of a request that the service does not know. Integrators send whole addresses, so they are not refused; but a
 * misspelled `residental` changes the price, so they are named (contract, Warnings).
 */
import { z } from 'zod';
import { rateRequest } from './shipment.ts';
import { unknownMemberWarning, type Warning } from './warning.ts';

/** What the request may have at a place: the members of an object, or what each entry of a list may have. */
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

/** Warnings of one request. The last of them says how many more there are. */
const MOST_NAMED = 20;
const MOST_NAME_CHARACTERS = 64;

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** The JSON path of a member, as faults write it; a name that is not plain stands in brackets. */
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
 * The members of a request body that no field of the request is.
 * @param body one that was read without a fault
 * @returns a warning for each, the first twenty of them
 */
export const unknownMembers = (body: unknown): readonly Warning[] => {
  const found: Found = { paths: [], count: 0 };
  look(body, REQUEST, '', found);
  const more = found.count - found.paths.length;
  return found.paths.map((member, at) => unknownMemberWarning(member, at === MOST_NAMED - 1 ? more : 0));
};
