/** A book with exactly these cards. */
import { type Card, cardList, type RateBook } from '../../src/rating/card.ts';

export const bookOfCards = (cards: readonly Card[], day = '2026-06-01'): RateBook => ({
  ...cardList(cards),
  day,
  starts: new Map(),
});
