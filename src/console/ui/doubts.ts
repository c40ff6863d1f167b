/** Reasons to doubt a total, in clauses short enough to be next to it. */
import { partName } from '../../lists/columns/plain-words.ts';
import type { Summary } from '../calls.ts';
import type { Warning } from '../fault-words.ts';
import { anyOf, counted } from './format.ts';

/** Counts of the prices in a total: by warning, and by missing part. */
export interface Doubtful {
  readonly warnings: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
}

/** Size limits are a part of the tariff, but not of a price. */
const NO_CHARGE = 'limits';

const BASED = 'based on ';

/** What a price uses instead of unknown values, by warning. */
export const ESTIMATES = { 'fuel.stale': 'the last known fuel rate', 'zone.estimated': 'an estimated zone' } as const;

const WORDS: Readonly<Record<string, string>> = {
  'fuel.stale': BASED + ESTIMATES['fuel.stale'],
  'zone.estimated': BASED + ESTIMATES['zone.estimated'],
  'saturday.otherDay': 'for Saturday delivery of packages that arrive on another day',
  'agreement.ended': 'at the list price, because the agreement ended',
  'agreement.tierUncertain': `${BASED}a tier that may have changed`,
};

/** `without the fuel surcharge or the residential charge` */
const withoutText = (parts: readonly string[]): string => `without ${anyOf(parts.map(partName))}`;

/** The parts that a warning names as missing. */
const partsOf = ({ arguments: { missing } }: Warning): readonly unknown[] => (Array.isArray(missing) ? missing : []);

/** What a price lacks, so that it is only the least that the carrier will bill. Empty if it lacks nothing. */
export const lackOf = (warnings: readonly Warning[] = []): string => {
  const parts = warnings
    .flatMap(partsOf)
    .map(String)
    .filter((part) => part !== NO_CHARGE);
  return parts.length === 0 ? '' : withoutText(parts);
};

/** The parts that some of the prices lack. */
export const lackedBy = (missing: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(missing).filter((part) => part !== NO_CHARGE);

const clauseOf = (count: number, prices: number, words: readonly string[]): string => {
  const all = words.map((one, at) => (words[at - 1]?.startsWith(BASED) ? one.replace(BASED, '') : one)).join(' and ');
  if (count < prices) return `${counted(count, 'price')} ${count === 1 ? 'is' : 'are'} ${all}`;
  return `${prices === 1 ? 'This price is' : 'All prices are'} ${all}`;
};

/** Clauses: one for what all prices have, then one for each other doubt. @param prices number of prices in the total */
export const doubtsOf = ({ warnings, missing }: Doubtful, prices: number): readonly string[] => {
  const lacked = lackedBy(missing);
  const counts = [...new Set(lacked.map((part) => missing[part] ?? 0))];
  const without = counts.map((count) => {
    const parts = lacked.filter((part) => missing[part] === count);
    return [count, withoutText(parts)] as const;
  });
  const others = Object.entries(WORDS).map(([type, words]) => [warnings[type] ?? 0, words] as const);
  // Outputs name the warning, but not the parts.
  if (Object.keys(missing).length === 0) others.unshift([warnings['price.incomplete'] ?? 0, 'incomplete']);
  const said = [...without, ...others].filter(([count]) => count > 0);
  const ofAll = said.filter(([count]) => count >= prices).map(([, words]) => words);
  const ofSome = said.filter(([count]) => count < prices);
  return [
    ...(ofAll.length === 0 ? [] : [clauseOf(prices, prices, ofAll)]),
    ...ofSome.map(([count, words]) => clauseOf(count, prices, [words])),
  ];
};

/** Doubts about a batch's total. @param prices number of prices in it */
export const doubtsIn = (
  { warnings, incomplete }: Pick<Summary, 'warnings' | 'incomplete'>,
  prices: number,
): readonly string[] => {
  const counts = Object.fromEntries(warnings.map(({ type, shipments }) => [type, shipments]));
  return doubtsOf({ warnings: counts, missing: incomplete.missing }, prices);
};

/** The doubts that all of these prices share, as at most one clause. */
export const doubtsOfAll = (prices: readonly (readonly Warning[])[]): readonly string[] => {
  const shared = (namesOf: (warning: Warning) => readonly unknown[]) =>
    Object.fromEntries(
      sharedBy(prices.map((own) => own.flatMap(namesOf).map(String))).map((name) => [name, prices.length]),
    );
  return doubtsOf({ warnings: shared(({ type }) => [type]), missing: shared(partsOf) }, prices.length);
};

/** The entries that all lists share, so that they are shown once. */
export const sharedBy = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((name) => others.every((names) => names.includes(name)));
