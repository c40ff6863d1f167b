/** What makes a total doubtful, in words short enough to stand beside it in its own size. */
import { partName } from '../lists/columns/plain-words.ts';
import type { Warning } from './fault-words.ts';
import { counted } from './ui/format.ts';

/** Of the prices in a total: how many have each warning, and how many lack each part. */
export interface Doubtful {
  readonly warnings: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
}

/** The limits of size are a part of the tariff, and of no price. */
const NO_CHARGE = 'limits';

const WORDS: Readonly<Record<string, string>> = {
  'fuel.stale': 'with the last known fuel rate',
  'zone.estimated': 'with an estimated zone',
  'agreement.ended': 'at the list price, because the agreement ended',
  'agreement.tierUncertain': 'with a tier that may have changed',
};

/** The parts that some of the prices lack. */
export const lackedBy = ({ missing }: Pick<Doubtful, 'missing'>): readonly string[] =>
  Object.keys(missing).filter((part) => part !== NO_CHARGE);

/** @param prices how many the total has. If all of them have a doubt, their number is not said */
export const doubtsOf = (of: Doubtful, prices: number): readonly string[] => {
  const said = (count: number, words: string): string =>
    count === prices ? words : `${counted(count, 'price')} ${words}`;
  const without = lackedBy(of).map((part) => said(of.missing[part] ?? 0, `without ${partName(part)}`));
  const others = Object.entries(WORDS).flatMap(([type, words]) => {
    const count = of.warnings[type];
    return count === undefined ? [] : [said(count, words)];
  });
  return [...without, ...others];
};

/** Those of one price. */
export const doubtsOfPrice = (warnings: readonly Warning[]): readonly string[] => {
  const missing = warnings.flatMap(({ arguments: { missing: parts } }) => (Array.isArray(parts) ? parts : []));
  const once = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));
  return doubtsOf({ warnings: once(warnings.map(({ type }) => type)), missing: once(missing.map(String)) }, 1);
};
