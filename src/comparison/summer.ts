/** Adds up the rows of a comparison. */
import { createBaseSums } from './base-sums.ts';
import type { KnownCards } from './known-cards.ts';
import { addScenario, createRunning, scenarioSumsOf } from './scenario-sums.ts';
import type { SeenRow } from './seen.ts';
import type { Sums } from './sums.ts';

export interface Summer {
  /** Adds a row. Numbers rise from 1. */
  readonly add: (row: number, seen: SeenRow) => void;
  readonly result: () => Sums;
}

/** @param choosing beside the scenarios: whether one chooses among warehouses */
export const createSummer = (choosing: readonly boolean[], cards: KnownCards): Summer => {
  const base = createBaseSums(cards);
  const scenarios = choosing.map(createRunning);
  return {
    add: (row, seen) => {
      base.add(row, seen);
      for (let at = 0; at < scenarios.length; at++) {
        const own = scenarios[at];
        const side = seen.sides[at];
        if (own !== undefined && side !== undefined) addScenario(own, row, seen, side, base.row, cards);
      }
    },
    result: () => ({
      base: base.result(),
      scenarios: scenarios.map((own) => scenarioSumsOf(own, base.ledgers, cards)),
    }),
  };
};
