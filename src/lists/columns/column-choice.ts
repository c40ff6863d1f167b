/**
 * Assigns the columns of a header to fields. The caller's choice wins, then a field's own name, then the most certain alias.
 * A specific name (`Ship To Zip`) ranks before a general one (`Zip`). If two columns have equal rank, the caller must
 * choose.
 */

import { getOrMake } from '../../base/maps.ts';
import { FEW, type InSlices, mapInSlices } from '../../base/time-slices.ts';
import type { Problems } from '../../files/input/text-options.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { PLAIN } from '../rows/decimal.ts';
import { type Meaning, meaningOf, unitInName } from './aliases.ts';
import {
  type Field,
  fieldNamed,
  isSide,
  MOST_NAME_CHARACTERS,
  type NamedColumns,
  normal,
  repeatedName,
  SIDES,
} from './fields.ts';
import { weightPerName } from './name-grammar.ts';

/** The first rows of a list. */
export type Sample = readonly (readonly string[])[];

/** Returns the cells of a column that are not empty. */
export const cellsIn = (sample: Sample, index: number): readonly string[] =>
  sample.flatMap((row) => row[index]?.trim() || []);

/** A column that has or could have a meaning. */
export interface Claim extends Meaning {
  readonly index: number;
  readonly name: string;
}

export interface Choice {
  readonly chosen: ReadonlyMap<Field, Claim>;
  /** Fields whose column was named by the caller or has the field's own name. */
  readonly exact: ReadonlySet<Field>;
  /** Columns that lost a field to a more certain column. */
  readonly passedOver: readonly Claim[];
  readonly problems: Problems;
}

export const quotedName = ({ name, index }: Pick<Claim, 'name' | 'index'>): string =>
  `"${shownName(name)}" (column ${index + 1})`;

const SHOWN_CHARACTERS = 100;

/** Returns a name for messages and findings, shortened if necessary. */
export const shownName = (name: string): string =>
  name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;

/** Returns the parameter that assigns this column to a field. */
export const choosing = (field: Field, name: string): string =>
  `?columns=${field}:${shownName(name).replaceAll(/[\\,]/g, '\\$&')}`;

const quoted = (claims: readonly Claim[]): string => {
  const shown = claims.slice(0, 5).map(quotedName).join(' and ');
  return claims.length > 5 ? `${shown} and ${claims.length - 5} more` : shown;
};

/** Explains how to choose one of several columns. Columns with the same name are numbered. */
const choosingOne = (field: Field, claims: readonly Claim[]): string => {
  const [first, second] = claims.map(({ name }) => name.trim());
  const isSame = claims.every(({ name }) => name.trim() === first);
  const name = first ?? '';
  return isSame && second !== undefined
    ? `${choosing(field, `${name} (1)`)} chooses the first of that name, ${choosing(field, `${name} (2)`)} the second`
    : `${choosing(field, name)} chooses one`;
};

export const claimedTwice = (field: Field, claims: readonly Claim[]): string =>
  `two columns claim it: ${quoted(claims)}; ${choosingOne(field, claims)}`;

type ClaimsByField = ReadonlyMap<Field, readonly Claim[]>;

function* claimsBy(
  header: readonly string[],
  meaning: (name: string, index: number) => Meaning | undefined,
): InSlices<Map<Field, Claim[]>> {
  const claims = new Map<Field, Claim[]>();
  const meanings = yield* mapInSlices(header, meaning, FEW);
  for (const [index, name] of header.entries()) {
    const found = meanings[index];
    if (found !== undefined) getOrMake(claims, found.field, (): Claim[] => []).push({ ...found, index, name });
  }
  return claims;
}

const withUnit = (field: Field, name: string): Meaning => {
  const unit = unitInName(name, field);
  return { field, rank: 0, ...(unit === undefined ? {} : { unit }) };
};

/** A name and a number among the columns with that name: `Weight (2)`. */
const NUMBERED = /^(.*\S) ?\(([1-9]\d{0,2})\)$/s;

/** Finds the columns that the caller names, and the first problem with the names. */
function* namedColumns(
  header: readonly string[],
  named: NamedColumns,
): InSlices<{ readonly claims: ReadonlyMap<Field, Claim>; readonly problem: string | undefined }> {
  const claims = new Map<Field, Claim>();
  const taken = new Set<number>();
  const problems: string[] = [];
  const matching = function* (field: Field, isNamed: (own: string) => boolean): InSlices<Claim[] | undefined> {
    return (yield* claimsBy(header, (own) => (isNamed(own) ? withUnit(field, own) : undefined))).get(field);
  };
  for (const [field, name] of named) {
    if (name === '') continue;
    const called =
      (yield* matching(field, (own) => own.trim() === name)) ??
      (yield* matching(field, (own) => repeatedName(own) === repeatedName(name)));
    const [, base, place] =
      called === undefined && name.length <= MOST_NAME_CHARACTERS ? (NUMBERED.exec(name) ?? []) : [];
    const numbered = base === undefined ? undefined : yield* matching(field, (own) => own.trim() === base);
    const found = called ?? numbered?.slice(Number(place) - 1, Number(place));
    const [claim] = found ?? [];
    if (claim === undefined) problems.push(`names "${shownName(name)}" for ${field}, which is not in the header`);
    else if (found !== undefined && found.length > 1)
      problems.push(`names ${quoted(found)} for ${field}: two columns; ${choosingOne(field, found)}`);
    else if (taken.has(claim.index)) problems.push(`names "${shownName(name)}" for two fields`);
    else {
      taken.add(claim.index);
      claims.set(field, claim);
    }
  }
  return { claims, problem: problems[0] };
}

/** Returns the most certain claims. */
const surest = (claims: readonly Claim[]): readonly Claim[] => {
  const least = Math.min(...claims.map(({ rank }) => rank));
  return claims.filter(({ rank }) => rank === least);
};

/** Finds a column of pounds and a column of ounces that together are one weight. */
const poundsAndOunces = (claims: readonly Claim[]): readonly [Claim, Claim] | undefined => {
  const of = (unit: string): readonly Claim[] => surest(claims.filter((claim) => claim.unit === unit));
  const [pounds, ounces] = [of('LB'), of('OZ')];
  const [lb] = pounds;
  const [oz] = ounces;
  return lb === undefined || oz === undefined || pounds.length > 1 || ounces.length > 1 ? undefined : [lb, oz];
};

/** Drops a single letter such as `L` unless all sides have columns. Drops `dimensions` if any side has one. */
const beside = (claims: ClaimsByField, has: (field: Field) => boolean): ClaimsByField => {
  const hasAll = SIDES.every(has);
  const isMeant = ({ field, letter }: Claim): boolean =>
    field === 'dimensions' ? !SIDES.some(has) : letter !== true || hasAll;
  return new Map([...claims].map(([field, own]) => [field, own.filter(isMeant)]));
};

/** Prefers weights of one package over weights of the whole shipment. Used if rows have a number of packages. */
const withoutWhole = (claims: readonly Claim[]): readonly Claim[] => {
  const each = claims.filter(({ name }) => weightPerName(name) !== 'shipment');
  return each.length > 0 ? each : claims;
};

/** Assigns a pair of pounds and ounces to two fields. */
const withPair = (claims: ClaimsByField, hasPackages: boolean): ClaimsByField => {
  const weights = claims.get('weight_value') ?? [];
  const pair = poundsAndOunces(hasPackages ? withoutWhole(weights) : weights);
  if (pair === undefined) return claims;
  const [pounds, ounces] = pair;
  const rest = weights.filter((claim) => !pair.includes(claim));
  // The pair states its units, so no other weight column is more certain.
  return new Map(claims)
    .set('weight_value', [{ ...pounds, rank: -1 }, ...rest])
    .set('weight_ounces', [{ ...ounces, field: 'weight_ounces', rank: 0 }]);
};

/** Whether a weight of the whole shipment needs no finding, because the chosen column has the weight of each package. */
const isAnswered = (other: Claim, by: Claim): boolean =>
  other.field === 'weight_value' && weightPerName(by.name) === 'package' && weightPerName(other.name) === 'shipment';

/** Whether a column `Units` counts something. If its cells are all numbers, it is not a unit of weight. */
const isCount = (name: string, index: number, sample: Sample): boolean => {
  const cells = normal(name) === 'units' ? cellsIn(sample, index) : [];
  return cells.length > 0 && cells.every((cell) => PLAIN.test(cell));
};

/**
 * Chooses the columns of a header. A problem with the caller's names is under `columns`. The other fields are still chosen.
 * @param sample the first rows of the list
 */
export function* chooseColumns(header: readonly string[], named: NamedColumns, sample: Sample = []): InSlices<Choice> {
  const { claims: asked, problem } = yield* namedColumns(header, named);
  const taken = new Set([...asked.values()].map(({ index }) => index));
  const counts = yield* mapInSlices(header, (name, index) => isCount(name, index, sample));
  const isFree = (index: number): boolean => !taken.has(index) && counts[index] !== true;
  const own = yield* claimsBy(header, (name, index) => {
    const field = isFree(index) ? fieldNamed(name) : undefined;
    // `Length` may belong to a product if there is also `Package Length`.
    const isOwn = field !== undefined && (!isSide(field) || name.trim() === field);
    return isOwn ? { field, rank: 0 } : undefined;
  });
  const paired = !named.has('weight_value') && !named.has('weight_ounces') && !own.has('weight_value');
  const claimed = yield* claimsBy(header, (name, index) => (isFree(index) ? meaningOf(name) : undefined));
  const has = (field: Field): boolean =>
    asked.has(field) || (!named.has(field) && (own.has(field) || claimed.has(field)));
  const hasPackages = has('packages');
  const meant = beside(claimed, has);
  const aliased = paired ? withPair(meant, hasPackages) : meant;
  const chosen = new Map<Field, Claim>();
  const passedOver: Claim[] = [];
  const problems: Record<string, string> = problem === undefined ? {} : { columns: problem };
  const exact = new Set<Field>(asked.keys());
  for (const field of FIELD_NAMES) {
    const choice = asked.get(field);
    const others = aliased.get(field) ?? [];
    if (choice === undefined && (named.has(field) || (isSide(field) && asked.has('dimensions')))) continue;
    const fixed = choice === undefined ? own.get(field) : [choice];
    if (fixed !== undefined) exact.add(field);
    const claims =
      fixed ??
      (others.length > 0 ? surest(hasPackages && field === 'weight_value' ? withoutWhole(others) : others) : []);
    const [claim] = claims;
    // Any line of the address will do: rating only needs to know whether there is one.
    if (claims.length > 1 && field !== 'addressLine') problems[field] = claimedTwice(field, claims);
    else if (claim !== undefined) {
      chosen.set(field, claim);
      passedOver.push(...others.filter((other) => other.index !== claim.index && !isAnswered(other, claim)));
    }
  }
  return { chosen, exact, passedOver, problems };
}
