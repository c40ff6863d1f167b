/**
 * Assigns the columns of a header to fields. The caller's choice wins, then a field's own name, then the most certain alias:
 * a specific name (`Ship To Zip`) ranks before a general one (`Zip`). Two columns of equal rank are a problem that the caller
 * must resolve.
 */

import { FEW, type InSlices, mapInSlices } from '../time-slices.ts';
import { isLikely, type Meaning, meaningOf, unitInName } from './aliases.ts';
import { FIELDS, type Field, fieldNamed, isSide, normal, SIDES } from './fields.ts';
import type { NamedColumns } from './named-columns.ts';

export type Problems = Readonly<Record<string, string>>;

/** A column that has a meaning or could have it. */
export interface Claim extends Meaning {
  readonly index: number;
  readonly name: string;
}

export interface Choice {
  readonly chosen: ReadonlyMap<Field, Claim>;
  /** Fields whose column the caller named or has the field's own name. */
  readonly exact: ReadonlySet<Field>;
  /** Columns that lost a field to a more certain column. */
  readonly passedOver: readonly Claim[];
  readonly problems: Problems;
}

export const quotedName = ({ name, index }: Pick<Claim, 'name' | 'index'>): string =>
  `"${shownName(name)}" (column ${index + 1})`;

const SHOWN_CHARACTERS = 100;

/** A name for messages and findings, shortened if necessary. */
export const shownName = (name: string): string =>
  name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}…` : name;

/** The parameter that assigns this column to a field. */
export const choosing = (field: Field, name: string): string =>
  `?columns=${field}:${shownName(name).replaceAll(/[\\,]/g, '\\$&')}`;

const quoted = (claims: readonly Claim[]): string => {
  const shown = claims.slice(0, 5).map(quotedName).join(' and ');
  return claims.length > 5 ? `${shown} and ${claims.length - 5} more` : shown;
};

export const claimedTwice = (field: Field, claims: readonly Claim[]): string =>
  `two columns claim it: ${quoted(claims)}; ${
    claims.every(({ name }) => name === claims[0]?.name)
      ? 'give one of them another name'
      : `${choosing(field, claims[0]?.name ?? '')} chooses one`
  }`;

type ClaimsByField = ReadonlyMap<Field, readonly Claim[]>;

function* claimsBy(
  header: readonly string[],
  meaning: (name: string, index: number) => Meaning | undefined,
): InSlices<Map<Field, Claim[]>> {
  const claims = new Map<Field, Claim[]>();
  const meanings = yield* mapInSlices(header, meaning, FEW);
  for (const [index, name] of header.entries()) {
    const found = meanings[index];
    if (found === undefined) continue;
    const held = claims.get(found.field);
    if (held === undefined) claims.set(found.field, [{ ...found, index, name }]);
    else held.push({ ...found, index, name });
  }
  return claims;
}

const withUnit = (field: Field, name: string): Meaning => {
  const unit = unitInName(name, field);
  return { field, rank: 0, ...(unit === undefined ? {} : { unit }) };
};

interface Asked {
  readonly claims: ReadonlyMap<Field, Claim>;
  readonly problem?: string;
}

/** The columns that the caller names, and the first problem with the names. */
function* namedColumns(header: readonly string[], named: NamedColumns): InSlices<Asked> {
  const claims = new Map<Field, Claim>();
  const taken = new Set<number>();
  const problems: string[] = [];
  const matching = function* (field: Field, isNamed: (own: string) => boolean): InSlices<Claim[] | undefined> {
    return (yield* claimsBy(header, (own) => (isNamed(own) ? withUnit(field, own) : undefined))).get(field);
  };
  for (const [field, name] of named) {
    if (name === '') continue;
    const found =
      (yield* matching(field, (own) => own.trim() === name)) ??
      (yield* matching(field, (own) => normal(own) === normal(name)));
    const [claim] = found ?? [];
    if (claim === undefined) problems.push(`names "${shownName(name)}" for ${field}, which is not in the header`);
    else if (found !== undefined && found.length > 1) problems.push(`names ${quoted(found)} for ${field}: two columns`);
    else if (taken.has(claim.index)) problems.push(`names "${shownName(name)}" for two fields`);
    else {
      taken.add(claim.index);
      claims.set(field, claim);
    }
  }
  const [problem] = problems;
  return { claims, ...(problem !== undefined && { problem }) };
}

/** The most certain claims. */
const surest = (claims: readonly Claim[]): readonly Claim[] => {
  const least = Math.min(...claims.map(({ rank }) => rank));
  return claims.filter(({ rank }) => rank === least);
};

/** A column of pounds and a column of ounces that together are one weight. */
const poundsAndOunces = (claims: readonly Claim[]): readonly [Claim, Claim] | undefined => {
  const of = (unit: string): readonly Claim[] => surest(claims.filter((claim) => claim.unit === unit));
  const [pounds, ounces] = [of('LB'), of('OZ')];
  const [lb] = pounds;
  const [oz] = ounces;
  return lb === undefined || oz === undefined || pounds.length > 1 || ounces.length > 1 ? undefined : [lb, oz];
};

/** The claims by aliases. A pair of pounds and ounces claims two fields. */
function* aliasClaims(
  header: readonly string[],
  isFree: (index: number) => boolean,
  paired: boolean,
): InSlices<ClaimsByField> {
  const claims = yield* claimsBy(header, (name, index) => (isFree(index) ? meaningOf(name) : undefined));
  const pair = paired ? poundsAndOunces(claims.get('weight_value') ?? []) : undefined;
  if (pair === undefined) return claims;
  const [pounds, ounces] = pair;
  const rest = (claims.get('weight_value') ?? []).filter((claim) => !pair.includes(claim));
  // The pair states its units, so no other weight column is more certain.
  claims.set('weight_value', [{ ...pounds, rank: -1 }, ...rest]);
  claims.set('weight_ounces', [{ ...ounces, field: 'weight_ounces', rank: 0 }]);
  return claims;
}

/** Leaves out what means a side only beside the other sides, such as `L` without `W` and `H`, and one cell for all beside them. */
const beside = (claims: ClaimsByField, has: (field: Field) => boolean): ClaimsByField => {
  const hasAll = SIDES.every(has);
  const isMeant = ({ field, letter }: Claim): boolean =>
    field === 'dimensions' ? !SIDES.some(has) : letter !== true || hasAll;
  return new Map([...claims].map(([field, own]) => [field, own.filter(isMeant)]));
};

/** If rows have a number of packages, the weight of a whole order is not the weight of each package. */
const isOfAll = (claim: Claim, hasPackages: boolean): boolean =>
  hasPackages && claim.field === 'weight_value' && isLikely(claim);

/** Chooses the columns of a header. A problem with the caller's names is under `columns`; the other fields are chosen. */
export function* chooseColumns(header: readonly string[], named: NamedColumns): InSlices<Choice> {
  const { claims: asked, problem } = yield* namedColumns(header, named);
  const taken = new Set([...asked.values()].map(({ index }) => index));
  const isFree = (index: number): boolean => !taken.has(index);
  const own = yield* claimsBy(header, (name, index) => {
    const field = isFree(index) ? fieldNamed(name) : undefined;
    // `Length` may belong to a product if there is also `Package Length`.
    const isOwn = field !== undefined && (!isSide(field) || name.trim() === field);
    return isOwn ? { field, rank: 0 } : undefined;
  });
  const paired = !named.has('weight_value') && !named.has('weight_ounces') && !own.has('weight_value');
  const claimed = yield* aliasClaims(header, isFree, paired);
  const has = (field: Field): boolean =>
    asked.has(field) || (!named.has(field) && (own.has(field) || claimed.has(field)));
  const aliased = beside(claimed, has);
  const hasPackages = has('packages');
  const chosen = new Map<Field, Claim>();
  const passedOver: Claim[] = [];
  const problems: Record<string, string> = problem === undefined ? {} : { columns: problem };
  const exact = new Set<Field>(asked.keys());
  for (const field of FIELDS) {
    const choice = asked.get(field);
    const others = (aliased.get(field) ?? []).filter((claim) => !isOfAll(claim, hasPackages));
    if (choice === undefined && (named.has(field) || (isSide(field) && asked.has('dimensions')))) continue;
    const fixed = choice === undefined ? own.get(field) : [choice];
    if (fixed !== undefined) exact.add(field);
    const claims = fixed ?? (others.length > 0 ? surest(others) : []);
    const [claim] = claims;
    // Any line of the address will do: rating only needs to know whether there is one.
    if (claims.length > 1 && field !== 'addressLine') problems[field] = claimedTwice(field, claims);
    else if (claim !== undefined) {
      chosen.set(field, claim);
      passedOver.push(...others.filter(({ index }) => index !== claim.index));
    }
  }
  return { chosen, exact, passedOver, problems };
}
