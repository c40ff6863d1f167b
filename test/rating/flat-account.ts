/** The smallest agreement: a percentage off the base of a service. */
import { accountOf } from '../../src/catalog/agreement/account.ts';
import type { Card } from '../../src/rating/card.ts';
import { basisPointsOf } from '../../src/rating/quantity.ts';
import type { Account, Terms } from '../../src/rating/terms.ts';
import { bookOfCards } from './book-of-cards.ts';

/** @param percents such as `{ GROUND: '12.5' }` */
export const flatAccount = (percents: Readonly<Record<string, string>>): Account =>
  accountOf({
    discounts: new Map(Object.entries(percents).map(([code, percent]) => [code, basisPointsOf(percent)])),
    agreements: [],
  });

/** Returns the terms of a flat percentage for a card. */
export const flatTerms = (card: Card, percent: string): Terms | undefined =>
  flatAccount({ [card.code]: percent }).termsOn(bookOfCards([card]), 1)[0];
