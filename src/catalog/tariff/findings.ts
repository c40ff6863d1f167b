/** Helpers for findings, and for shortened lists. */
import { grouped } from '../../base/maps.ts';
import type { Finding } from './document.ts';

export const error = (at: string, message: string): Finding => ({ severity: 'error', at, message });
export const warning = (at: string, message: string): Finding => ({ severity: 'warning', at, message });
export const noPrice = (at: string, message: string): Finding => ({ ...warning(at, message), effect: 'unpriced' });
export const incomplete = (at: string, message: string): Finding => ({ ...warning(at, message), effect: 'incomplete' });

export const errorsIn = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity === 'error');

/** The findings of checks in order. A check without findings may return false or undefined. */
export const collected = (...checks: readonly (Finding | readonly Finding[] | false | undefined)[]): Finding[] =>
  checks.flatMap((check) => check || []);

/** The first items, and one that counts the remaining items. */
export const capped = <T>(items: readonly T[], most: number, rest: (more: number) => T): readonly T[] =>
  items.length <= most ? items : [...items.slice(0, most), rest(items.length - most)];

const MAX_NAMED = 5;

/** The first items as text, and the number of remaining items. */
export const severalOf = (items: readonly (string | number)[], separator = ', ', most = MAX_NAMED): string => {
  const more = items.length - most;
  return `${items.slice(0, most).join(separator)}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Groups names by their words. */
export const sharing = (said: readonly (readonly [name: string, words: string])[]): ReadonlyMap<string, string[]> =>
  new Map([...grouped(said, ([, words]) => words)].map(([words, own]) => [words, own.map(([name]) => name)]));
