/** What makes a total doubtful, in clauses short enough to stand beside it. */
import { partName } from '../../lists/columns/plain-words.ts';
import type { Summary } from '../calls.ts';
import type { Warning } from '../fault-words.ts';
import { counted } from './format.ts';

/** Of the prices in a total: how many have each warning, and how many lack each part. */
export interface Doubtful {
  readonly warnings: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
}

/** The limits of size are a part of the tariff, and of no price. */
const NO_CHARGE = 'limits';

const LIST = new Intl.ListFormat('en-US', { type: 'disjunction' });

const BASED = 'based on ';

/** What a price is based on in place of what is not known, by its warning. */
export const ESTIMATES = { 'fuel.stale': 'the last known fuel rate', 'zone.estimated': 'an estimated zone' } as const;

const WORDS: Readonly<Record<string, string>> = {
  'fuel.stale': BASED + ESTIMATES['fuel.stale'],
  'zone.estimated': BASED + ESTIMATES['zone.estimated'],
  'agreement.ended': 'at the list price, because the agreement ended',
  'agreement.tierUncertain': `${BASED}a tier that may have changed`,
};

/** The parts that some of the prices lack. */
export const lackedBy = (missing: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(missing).filter((part) => part !== NO_CHARGE);

const clauseOf = (count: number, prices: number, words: readonly string[]): string => {
  const all = words.map((one, at) => (words[at - 1]?.startsWith(BASED) ? one.replace(BASED, '') : one)).join(' and ');
  if (count < prices) return `${counted(count, 'price')} ${count === 1 ? 'is' : 'are'} ${all}`;
  return `${prices === 1 ? 'This price is' : 'All prices are'} ${all}`;
};

/** As clauses: one of what all prices have, then one of each other. @param prices how many the total has */
export const doubtsOf = ({ warnings, missing }: Doubtful, prices: number): readonly string[] => {
  const lacked = lackedBy(missing);
  const counts = [...new Set(lacked.map((part) => missing[part] ?? 0))];
  const without = counts.map((count) => {
    const parts = lacked.filter((part) => missing[part] === count);
    return [count, `without ${LIST.format(parts.map(partName))}`] as const;
  });
  const others = Object.entries(WORDS).map(([type, words]) => [warnings[type] ?? 0, words] as const);
  const said = [...without, ...others].filter(([count]) => count > 0);
  const ofAll = said.filter(([count]) => count >= prices).map(([, words]) => words);
  const ofSome = said.filter(([count]) => count < prices);
  return [
    ...(ofAll.length === 0 ? [] : [clauseOf(prices, prices, ofAll)]),
    ...ofSome.map(([count, words]) => clauseOf(count, prices, [words])),
  ];
};

/** Those of a batch's total. @param prices how many it has */
export const doubtsIn = (
  { warnings, incomplete }: Pick<Summary, 'warnings' | 'incomplete'>,
  prices: number,
): readonly string[] => {
  const counts = Object.fromEntries(warnings.map(({ type, shipments }) => [type, shipments]));
  return doubtsOf({ warnings: counts, missing: incomplete.missing }, prices);
};

/** Those that all of these prices have, as one clause at most. */
export const doubtsOfAll = (prices: readonly (readonly Warning[])[]): readonly string[] => {
  const shared = (namesOf: (warning: Warning) => readonly unknown[]) =>
    Object.fromEntries(
      sharedBy(prices.map((own) => own.flatMap(namesOf).map(String))).map((name) => [name, prices.length]),
    );
  const partsOf = ({ arguments: { missing } }: Warning): readonly unknown[] => (Array.isArray(missing) ? missing : []);
  return doubtsOf({ warnings: shared(({ type }) => [type]), missing: shared(partsOf) }, prices.length);
};

/** What is in each of several lists: it is said once. */
export const sharedBy = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((name) => others.every((names) => names.includes(name)));
