/** Adds up two rated lists that are joined by a key. */
import { EMPTY_TALLY, weightBand } from '../rows/tally.ts';
import { addRow, type Both, type ComparedRows, emptyJoin, emptySums, keepExtreme, noRows, type Sums } from './sums.ts';

/** A row of a rated list, as its output has it. */
export interface JoinedRow {
  /** As the scanner's text. */
  readonly key: string;
  /** The row's number in its list. */
  readonly row: number;
  readonly priced: boolean;
  /** Amounts are 0 without a price. */
  readonly netCents: number;
  readonly baseCents: number;
  readonly discountCents: number;
  readonly surchargeCents: number;
  readonly service: string;
  readonly zone: string;
  readonly carrierZone: string;
  readonly weight: string;
  readonly fault: string;
}

const book = (ledger: Record<string, Both>, key: string, before: number, after: number): void => {
  const sum = ledger[key] ?? noRows();
  ledger[key] = sum;
  addRow(sum, before, after);
};

const count = (counts: Record<string, number>, key: string, add = 1): void => {
  counts[key] = (counts[key] ?? 0) + add;
};

/** The cause of a difference of the base charge: the one that changed alone, else the rates. */
const causeOf = (base: JoinedRow, other: JoinedRow): string => {
  if (base.service !== other.service) return 'RATE';
  if (base.zone !== other.zone) return base.weight === other.weight ? 'ZONE' : 'RATE';
  return base.weight === other.weight ? 'RATE' : 'WEIGHT';
};

export interface JoinSummer {
  /** A shipment of one list or of both. */
  readonly joined: (base: JoinedRow | undefined, other: JoinedRow | undefined) => void;
  /** A row whose key names no single shipment. */
  readonly apart: (side: 'base' | 'with', row: JoinedRow) => void;
  readonly result: () => Pick<ComparedRows, 'tally' | 'sums'>;
}

export const createJoinSummer = (): JoinSummer => {
  const sums: Sums = emptySums(1);
  const join = emptyJoin();
  const [pair] = sums.scenarios;
  if (pair === undefined) throw new Error('a join has one scenario');
  const faults: Record<string, number> = {};

  const see = (side: 'base' | 'with', row: JoinedRow): void => {
    const list = side === 'base' ? sums.base : join.with;
    list.rows += 1;
    if (row.priced) {
      list.priced += 1;
      list.cents += row.netCents;
    } else {
      count(list.faults, row.fault);
      count(faults, row.fault);
    }
  };

  const compare = (base: JoinedRow, other: JoinedRow): void => {
    const [before, after] = [base.netCents, other.netCents];
    const difference = after - before;
    addRow(pair.compared, before, after);
    addRow(difference > 0 ? pair.dearer : difference < 0 ? pair.cheaper : pair.same, before, after);
    book(pair.byService, base.service, before, after);
    book(pair.byZone, base.zone, before, after);
    book(pair.byWeight, weightBand(Number(base.weight)), before, after);
    book(pair.moves, `${base.service}>${other.service}`, before, after);
    book(pair.byCharge, 'BASE', base.baseCents, other.baseCents);
    book(pair.byCharge, 'DISCOUNT', -base.discountCents, -other.discountCents);
    book(pair.byCharge, 'SURCHARGES', base.surchargeCents, other.surchargeCents);
    count(pair.attribution, causeOf(base, other), other.baseCents - base.baseCents);
    count(pair.attribution, 'DISCOUNT', base.discountCents - other.discountCents);
    count(pair.attribution, 'SURCHARGES', other.surchargeCents - base.surchargeCents);
    const extreme = { row: base.row, baseService: base.service, service: other.service };
    if (difference !== 0)
      keepExtreme(difference > 0 ? pair.mostDearer : pair.mostCheaper, {
        ...extreme,
        baseCents: before,
        netCents: after,
      });
  };

  const pairUp = (base: JoinedRow, other: JoinedRow): void => {
    if (!other.priced) count(pair.faults, other.fault);
    if (base.priced && other.priced) compare(base, other);
    else if (base.priced) {
      pair.onlyBase.rows += 1;
      pair.onlyBase.cents += base.netCents;
    } else if (other.priced) {
      pair.onlyScenario.rows += 1;
      pair.onlyScenario.cents += other.netCents;
    } else pair.neither += 1;
  };

  return {
    joined: (base, other) => {
      if (base !== undefined) see('base', base);
      if (other !== undefined) see('with', other);
      if (base !== undefined && other !== undefined) pairUp(base, other);
      else if (base !== undefined) {
        join.gone.rows += 1;
        join.gone.cents += base.netCents;
      } else if (other !== undefined) {
        join.added.rows += 1;
        join.added.cents += other.netCents;
      }
    },
    apart: (side, row) => {
      see(side, row);
      (row.key === '' ? join.withoutKey : join.duplicates)[side] += 1;
    },
    result: () => {
      const processed = sums.base.rows + join.with.rows;
      const quoted = sums.base.priced + join.with.priced;
      return {
        tally: { ...EMPTY_TALLY, processed, quoted, faulted: processed - quoted, faults },
        sums: { ...sums, join },
      };
    },
  };
};
