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

const WORDS: Readonly<Record<string, string>> = {
  'fuel.stale': 'based on the last known fuel rate',
  'zone.estimated': 'based on an estimated zone',
  'agreement.ended': 'at the list price, because the agreement ended',
  'agreement.tierUncertain': 'based on a tier that may have changed',
};

/** The parts that some of the prices lack. */
export const lackedBy = (missing: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(missing).filter((part) => part !== NO_CHARGE);

/** Beside a total: `without the fuel surcharge`. Empty if its prices lack nothing. @param prices how many the total has */
export const withoutText = (missing: Doubtful['missing'], prices: number): string => {
  const lacked = lackedBy(missing);
  if (lacked.length === 0) return '';
  const isAll = lacked.every((part) => missing[part] === prices);
  return `${isAll ? 'without' : 'in part without'} ${LIST.format(lacked.map(partName))}`;
};

const clauseOf = (count: number, prices: number, words: string): string => {
  if (count < prices) return `${counted(count, 'price')} ${count === 1 ? 'is' : 'are'} ${words}`;
  return `${prices === 1 ? 'This price is' : 'All prices are'} ${words}`;
};

/** As clauses. @param prices how many the total has */
export const doubtsOf = ({ warnings, missing }: Doubtful, prices: number): readonly string[] => {
  const lacked = lackedBy(missing);
  const counts = [...new Set(lacked.map((part) => missing[part] ?? 0))];
  const without = counts.map((count) => {
    const parts = lacked.filter((part) => missing[part] === count);
    return clauseOf(count, prices, `without ${LIST.format(parts.map(partName))}`);
  });
  const others = Object.entries(WORDS).flatMap(([type, words]) => {
    const count = warnings[type];
    return count === undefined ? [] : [clauseOf(count, prices, words)];
  });
  return [...without, ...others];
};

/** Those of a batch's total. @param prices how many it has */
export const doubtsIn = (
  { warnings, incomplete }: Pick<Summary, 'warnings' | 'incomplete'>,
  prices: number,
): readonly string[] => {
  const counts = Object.fromEntries(warnings.map(({ type, shipments }) => [type, shipments]));
  return doubtsOf({ warnings: counts, missing: incomplete.missing }, prices);
};

/** Those of one price. */
export const doubtsOfPrice = (warnings: readonly Warning[]): readonly string[] => {
  const missing = warnings.flatMap(({ arguments: { missing: parts } }) => (Array.isArray(parts) ? parts : []));
  const once = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));
  return doubtsOf({ warnings: once(warnings.map(({ type }) => type)), missing: once(missing.map(String)) }, 1);
};
