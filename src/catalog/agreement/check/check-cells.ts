/** Computes an agreement's prices cell by cell to find discounts that the minimum cancels and sums above 100%. */
import type { Card } from '../../../rating/card.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { discountBeforeMinimum, discountOn, type Minimum, type Terms } from '../../../rating/terms.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, warning } from '../../tariff/findings.ts';
import { termsOf } from '../compile.ts';
import { once } from '../findings.ts';
import type { Held } from '../subject.ts';

const WHOLE = 10_000;
const ADDRESSES = ['commercial', 'residential'] as const;

/** Cells where the minimum cancels some of a discount. A cell is a zone, a pound and an address type. */
interface Swallowed {
  /** Cells that have a discount. */
  readonly discounted: number;
  /** Discounted cells where the minimum cancels some of the discount. */
  readonly cells: number;
  readonly zones: readonly string[];
  readonly fromLb: number;
  readonly toLb: number;
  readonly addresses: readonly (typeof ADDRESSES)[number][];
  readonly mostCents: number;
}

/** @returns undefined if the minimum cancels nothing */
const swallowedBy = (terms: Terms): Swallowed | undefined => {
  const { columns, topLb, rates } = terms.card;
  let [discounted, cells, mostCents, fromLb, toLb] = [0, 0, 0, Number.POSITIVE_INFINITY, 0];
  const zones = new Set<string>();
  const addresses = new Set<(typeof ADDRESSES)[number]>();
  for (const address of ADDRESSES)
    for (const [column, zone] of columns.entries())
      for (let pounds = 1; pounds <= topLb; pounds++) {
        const base = rates[column * (topLb + 1) + pounds] ?? 0;
        const residential = address === 'residential';
        const off = base === 0 ? 0 : discountBeforeMinimum(terms, column, pounds, residential, base);
        if (off === 0) continue;
        discounted += 1;
        const taken = off - discountOn(terms, column, pounds, residential, base);
        if (taken <= 0) continue;
        cells += 1;
        zones.add(zone);
        addresses.add(address);
        fromLb = Math.min(fromLb, pounds);
        toLb = Math.max(toLb, pounds);
        mostCents = Math.max(mostCents, taken);
      }
  if (cells === 0) return undefined;
  return { discounted, cells, zones: [...zones], fromLb, toLb, addresses: [...addresses], mostCents };
};

const swallowedText = ({ discounted, cells, zones, fromLb, toLb, addresses, mostCents }: Swallowed): string => {
  const pounds = fromLb === toLb ? `${fromLb} lb` : `${fromLb} to ${toLb} lb`;
  const where = `zone ${zones.join(', ')}, ${pounds}, ${addresses.join(' and ')}`;
  return `${cells} of ${discounted} discounted prices (${where}), by up to $${dollarText(mostCents)}`;
};

const minimumText = ({ cents, source }: Minimum): string =>
  `$${dollarText(cents)} ${source === undefined ? 'in the list' : `in ${source}`}`;

/** Reports cells that the minimum limits, once per service, and discounts that add up to more than 100%. */
export const checkCells = ({ document, cards, day, fileOf }: Held): Finding[] =>
  cards.flatMap((card): Finding[] => {
    const terms = termsOf(document, card, day);
    if (terms === undefined) return [];
    const all = [terms, ...Object.values(terms.byBilling ?? {})];
    return once(all.flatMap((own) => findingsOf(own, card, fileOf('discounts'))));
  });

const findingsOf = (terms: Terms, card: Card, file: string): Finding[] => {
  const { commercial, residential } = terms.minimum;
  const minimums = [commercial, residential].map(minimumText);
  const swallowed = swallowedBy(terms);
  const above = (terms.discounts?.combinations ?? []).find(
    ({ parts }) => parts.reduce((sum, { rate }) => sum + rate, 0) > WHOLE,
  );
  const at = `${file} ${card.code}`;
  const names = above?.parts.map(({ description }) => description).join(' + ');
  return collected(
    swallowed &&
      warning(
        at,
        `the minimum charge of ${card.code}, ${[...new Set(minimums)].join(' and ')}, limits ${swallowedText(swallowed)}. If the contract says otherwise, correct minimums.csv`,
      ),
    above &&
      warning(at, `${names} add up to more than 100%, and count as 100%: correct them, or name them in better_of`),
  );
};
