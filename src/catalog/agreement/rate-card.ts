/** The effective rate card: the list price, the discount and the net price of a package of each weight. */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { Card, SmallRates } from '../../rating/card.ts';
import { discountOn, type Terms } from '../../rating/terms.ts';

/** A weight of the card. Lists are parallel to `RateCard.columns`, in cents, with null where there is no rate. */
export interface RateCardRow {
  /** `1`, or `8 oz` below a pound. */
  readonly weight: string;
  /** The billing weight. */
  readonly billingLb: number;
  readonly list: readonly (number | null)[];
  readonly discount: readonly (number | null)[];
  readonly net: readonly (number | null)[];
  /** The part of the percentages and the cap that the minimum cancels. */
  readonly swallowed: readonly (number | null)[];
}

export interface RateCard {
  readonly code: string;
  readonly residential: boolean;
  readonly columns: readonly string[];
  /** Where the rates are, if they are the agreement's own. */
  readonly ratesSource?: string;
  readonly minimumCents: number;
  readonly rows: readonly RateCardRow[];
}

const NO_MINIMUM = { commercial: { cents: 0 }, residential: { cents: 0 } } as const;

/** A base by column, 0 where there is no rate, and what the terms take off. */
const rowOf = (
  weight: string,
  billingLb: number,
  base: readonly number[],
  terms: Terms | undefined,
  residential: boolean,
): RateCardRow => {
  const free = terms === undefined ? undefined : { ...terms, minimum: NO_MINIMUM };
  const off = (own: Terms | undefined): number[] =>
    base.map((cents, column) => (own === undefined ? 0 : discountOn(own, column, billingLb, residential, cents)));
  const discount = off(terms);
  const wanted = off(free);
  const rated = (pick: (list: number, discount: number, wanted: number) => number): (number | null)[] =>
    base.map((cents, at) =>
      cents === 0 ? null : pick(cents, must(discount[at], 'a discount'), must(wanted[at], 'a wanted discount')),
    );
  return {
    weight,
    billingLb,
    list: rated((list) => list),
    discount: rated((_, given) => given),
    net: rated((list, given) => list - given),
    swallowed: rated((_, given, whole) => whole - given),
  };
};

const ounceRows = (ounces: SmallRates, terms: Terms | undefined, residential: boolean): RateCardRow[] =>
  ounces.labels.map((label, at) =>
    rowOf(label, 1, must(ounces.centsByColumn[at], 'a row of ounces'), terms, residential),
  );

/**
 * The rate card of a service for single packages without dimensions.
 * @param list the tariff's card
 * @param terms the agreement's terms for the card; undefined: the list price
 */
export const rateCardOf = (list: Card, terms: Terms | undefined, residential: boolean): RateCard => {
  const card = terms?.card ?? list;
  const { code, columns, topLb, rates, ounces, deliversTo } = card;
  const isHome = deliversTo === 'homes' || (residential && deliversTo !== 'businesses');
  const weights = Array.from({ length: topLb }, (_, at) => at + 1);
  return {
    code,
    residential: isHome,
    columns,
    ...present({ ratesSource: terms?.ratesSource }),
    minimumCents: (isHome ? terms?.minimum.residential : terms?.minimum.commercial)?.cents ?? card.minimumNetCents,
    rows: [
      ...(ounces === undefined ? [] : ounceRows(ounces, terms, isHome)),
      ...weights.map((pounds) => {
        const base = columns.map((_, column) => must(rates[column * (topLb + 1) + pounds], 'a rate of the card'));
        return rowOf(String(pounds), pounds, base, terms, isHome);
      }),
    ],
  };
};
