/**
 * FedEx's charges for large, heavy and unauthorized packages. The tables state the amounts. The measures are those of the
 * FedEx Service Guide 2026, by the numbers on its pages.
 */
import { shifted } from '../../days.ts';
import {
  byNetwork,
  type ChargeRow,
  type Context,
  type Draft,
  isGround,
  NOT_UNDERSTOOD,
  perPackage,
  ruled,
  singles,
  usdOf,
} from './charge-rows.ts';
import { type SharedZones, type ZoneAmounts, zoneAmountsIn } from './fee-text.ts';

const HANDLING = 'handling';
/** Volume, and the weight of oversize packages, count from this day on (pages 127 and 128). */
const VOLUME_FROM = '2026-01-12';

/** The amounts on a ship date; null in zones whose amount begins later, because the file does not state the one before. */
const amountsOn = ({ zones }: ZoneAmounts, day: string): (number | null)[] =>
  zones.map(({ cents, from = '' }) => (from <= day ? cents : null));

/** The days on which amounts of some zones begin, with the day before all of them first. */
const stepsOf = ({ zones }: ZoneAmounts): readonly string[] =>
  ['', ...new Set(zones.flatMap(({ from }) => from ?? []))].sort();

/**
 * The amounts by zone. Notes name zones of FedEx Ground that share an amount (14 and 22). Express services have other
 * zones of that number.
 */
const usdByZone = (
  cents: readonly (number | null)[],
  codes: readonly string[],
  shared: SharedZones,
): Record<string, string | null> => {
  if (cents.every((amount) => amount === null)) return { '*': null };
  const usd = cents.map((amount) => (amount === null ? null : usdOf(amount)));
  const byZone = usd.map((amount, index) => [`zone ${index + 2}`, amount] as const);
  const columns = !codes.every(isGround)
    ? []
    : [...shared].flatMap(([zone, names]) => names.map((name) => [name, usd[Number(zone) - 2] ?? null] as const));
  return Object.fromEntries([...byZone, ...columns]);
};

interface Handling {
  readonly type: string;
  readonly description: string;
  readonly when: Draft['entry']['when'];
  readonly later?: Draft['later'];
  readonly leastBillingWeightLb?: number;
}

const HANDLING_PARTS: Readonly<Record<string, Handling>> = {
  // Page 127.
  dimension: {
    type: 'ADDITIONAL_HANDLING_DIMENSION',
    description: 'Additional handling, dimension',
    when: { anyOf: [{ lengthOverIn: 48 }, { secondSideOverIn: 30 }, { lengthPlusGirthOverIn: 105 }] },
    later: { from: VOLUME_FROM, anyOf: [{ cubicInchesOver: 10_368 }] },
    leastBillingWeightLb: 40,
  },
  weight: {
    type: 'ADDITIONAL_HANDLING_WEIGHT',
    description: 'Additional handling, weight',
    when: { actualWeightOverLb: 50 },
  },
  packaging: {
    type: 'ADDITIONAL_HANDLING_PACKAGING',
    description: 'Additional handling, packaging',
    when: { nonStandardPackaging: true },
  },
};

// Pages 128 and 129.
const OVERSIZE: Handling = {
  type: 'OVERSIZE',
  description: 'Oversize',
  when: { anyOf: [{ lengthOverIn: 96 }, { lengthPlusGirthOverIn: 130 }] },
  later: { from: VOLUME_FROM, anyOf: [{ cubicInchesOver: 17_280 }, { actualWeightOverLb: 110 }] },
  leastBillingWeightLb: 90,
};

// Page 128.
const UNAUTHORIZED: Handling = {
  type: 'UNAUTHORIZED',
  description: 'Unauthorized package',
  when: { anyOf: [{ lengthOverIn: 108 }, { lengthPlusGirthOverIn: 165 }, { actualWeightOverLb: 150 }] },
  leastBillingWeightLb: 90,
};

const handlingDraft = (
  { type, description, when, later, leastBillingWeightLb }: Handling,
  {
    row,
    codes,
    begins,
    ends,
    amount,
  }: Pick<Draft, 'begins' | 'ends'> & {
    row: ChargeRow;
    codes: readonly string[];
    amount: Draft['entry']['amount'];
  },
): Draft => ({
  services: codes,
  at: row.at,
  begins,
  ends,
  ...(later === undefined ? {} : { later }),
  entry: {
    type,
    description,
    when,
    dearestOf: HANDLING,
    ...(leastBillingWeightLb === undefined ? {} : { leastBillingWeightLb }),
    amount,
  },
});

const byZone = (rows: readonly ChargeRow[], parts: Readonly<Record<string, Handling>>, context: Context): Draft[] => {
  const read = rows.flatMap((row) => {
    const values = zoneAmountsIn(row.cell);
    if (values?.every(({ part }) => Object.hasOwn(parts, part))) return values.map((value) => ({ row, value }));
    context.refuse(row, NOT_UNDERSTOOD);
    return [];
  });
  return Object.entries(parts).flatMap(([name, handling]) =>
    ruled(
      read.filter(({ value }) => value.part === name),
      context,
    ).flatMap(({ row, codes, value }) =>
      byNetwork(codes).flatMap((group) =>
        stepsOf(value).map((day, at, steps) => {
          const next = steps[at + 1];
          return handlingDraft(handling, {
            row,
            codes: group,
            begins: day === '' ? undefined : day,
            ends: next === undefined ? undefined : shifted(next, -1),
            amount: { per: 'package', usd: usdByZone(amountsOn(value, day), group, context.shared) },
          });
        }),
      ),
    ),
  );
};

export const unauthorized = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  ruled(singles(rows, context), context).map(({ row, codes, value }) =>
    handlingDraft(UNAUTHORIZED, { row, codes, begins: value.from, amount: perPackage(value.cents) }),
  );

export const additionalHandling = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  byZone(rows, HANDLING_PARTS, context);

export const oversize = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  byZone(rows, { '': OVERSIZE }, context);
