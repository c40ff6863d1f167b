/** Adds up the rows of a comparison. */

import { Failed, type Result } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import { warningTypes } from '../rating/warning.ts';
import { weightBand } from '../rows/tally.ts';
import { type Both, emptySums, keepExtreme, type ScenarioSums, type Sums } from './sums.ts';

type Outcome = Result<Price>;

const into = (sum: Both, baseCents: number, netCents: number): void => {
  sum.rows += 1;
  sum.baseCents += baseCents;
  sum.netCents += netCents;
};

const book = (ledger: Record<string, Both>, key: string, baseCents: number, netCents: number): void => {
  const entry = ledger[key];
  if (entry === undefined) ledger[key] = { rows: 1, baseCents, netCents };
  else into(entry, baseCents, netCents);
};

const count = (counts: Record<string, number>, key: string, add = 1): void => {
  counts[key] = (counts[key] ?? 0) + add;
};

const zoneOf = ({ card, column }: Price): string => String(card.rateZones[column] ?? '');

/** The cost of each kind of charge on both sides. */
const chargesOf = (base: Price, price: Price): ReadonlyMap<string, readonly [number, number]> => {
  const sides = new Map<string, [number, number]>();
  const add = (type: string, side: 0 | 1, amount: number): void => {
    if (amount === 0) return;
    const both = sides.get(type) ?? [0, 0];
    both[side] += amount;
    sides.set(type, both);
  };
  for (const [side, own] of [
    [0, base],
    [1, price],
  ] as const) {
    add('BASE', side, own.baseCents);
    add('DISCOUNT', side, -own.discountCents);
    for (const [index, amount] of own.surcharges.entries()) {
      const type = own.charges.surcharges[index]?.type;
      if (type !== undefined) add(type, side, amount);
    }
  }
  return sides;
};

/** A row that both sides price. */
const compare = (sums: ScenarioSums, row: number, base: Price, price: Price): void => {
  const [before, after] = [base.netCents, price.netCents];
  const difference = after - before;
  into(sums.compared, before, after);
  into(difference > 0 ? sums.dearer : difference < 0 ? sums.cheaper : sums.same, before, after);
  book(sums.byService, base.card.code, before, after);
  book(sums.byZone, zoneOf(base), before, after);
  book(sums.byWeight, weightBand(base.billingWeightLb), before, after);
  book(sums.moves, `${base.card.code}>${price.card.code}`, before, after);
  for (const [type, [was, is]] of chargesOf(base, price)) {
    book(sums.byCharge, type, was, is);
    count(sums.attribution, type, is - was);
  }
  for (const type of warningTypes(price.warnings)) count(sums.warnings, type);
  const extreme = { row, baseService: base.card.code, service: price.card.code, baseCents: before, netCents: after };
  if (difference > 0) keepExtreme(sums.mostDearer, extreme);
  if (difference < 0) keepExtreme(sums.mostCheaper, extreme);
};

export interface Summer {
  /** Adds a row. @param outcomes beside the scenarios */
  readonly add: (row: number, base: Outcome, outcomes: readonly Outcome[]) => void;
  readonly result: () => Sums;
}

export const createSummer = (scenarios: number): Summer => {
  const sums = emptySums(scenarios);

  const addScenario = (own: ScenarioSums, row: number, base: Outcome, outcome: Outcome): void => {
    if (outcome instanceof Failed) {
      count(own.faults, outcome.fault.type);
      if (base instanceof Failed) own.neither += 1;
      else {
        own.onlyBase.rows += 1;
        own.onlyBase.cents += base.netCents;
      }
    } else if (base instanceof Failed) {
      own.onlyScenario.rows += 1;
      own.onlyScenario.cents += outcome.netCents;
    } else compare(own, row, base, outcome);
  };

  return {
    add: (row, base, outcomes) => {
      sums.base.rows += 1;
      if (base instanceof Failed) count(sums.base.faults, base.fault.type);
      else {
        sums.base.priced += 1;
        sums.base.cents += base.netCents;
        for (const type of warningTypes(base.warnings)) count(sums.base.warnings, type);
      }
      for (const [index, own] of sums.scenarios.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined) addScenario(own, row, base, outcome);
      }
    },
    result: () => sums,
  };
};
