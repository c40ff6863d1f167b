/** A book with exactly these cards. */
import type { Card, RateBook } from '../../src/rating/card.ts';

export const bookOfCards = (cards: readonly Card[], day = '2026-06-01'): RateBook => ({
  cards,
  byCode: new Map(cards.map((card) => [card.code, card])),
  day,
  starts: new Map(),
});
