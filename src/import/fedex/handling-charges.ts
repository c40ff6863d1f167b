/** FedEx's charges for large, heavy and unauthorized packages. The tables state the amounts. The catalog has the measures. */
import { present } from '../../base/present.ts';
import { CHARGES, type ChargeSpec, type ChargeType } from '../../catalog/tariff/charge-catalog.ts';
import { shifted } from '../../catalog/tariff/days.ts';
import { dollarText } from '../../rating/quantity.ts';
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
} from './charge-rows.ts';
import { type SharedZones, type ZoneAmounts, zoneAmountsIn } from './fee-text.ts';

/** The first days of amounts that begin later in some zones, after an empty entry for all days before. */
const stepsOf = ({ zones }: ZoneAmounts): readonly string[] =>
  ['', ...new Set(zones.flatMap(({ from }) => from ?? []))].sort();

/**
 * The amounts by zone on a ship date; null if the amount begins later, because the file does not state the earlier one. Notes
 * name FedEx Ground zones that share an amount (14 and 22). These numbers mean other zones in express services.
 */
const usdByZone = (
  { zones }: ZoneAmounts,
  day: string,
  codes: readonly string[],
  shared: SharedZones,
): Record<string, string | null> => {
  const usd = zones.map(({ cents, from = '' }) => (from <= day ? dollarText(cents) : null));
  if (usd.every((amount) => amount === null)) return { '*': null };
  const byZone = usd.map((amount, index) => [`zone ${index + 2}`, amount] as const);
  const columns = !codes.every(isGround)
    ? []
    : [...shared].flatMap(([zone, names]) => names.map((name) => [name, usd[Number(zone) - 2] ?? null] as const));
  return Object.fromEntries([...byZone, ...columns]);
};

/** The parts of additional handling, by their names in the tables. */
const HANDLING_PARTS: Readonly<Record<string, ChargeType>> = {
  dimension: 'ADDITIONAL_HANDLING_DIMENSION',
  weight: 'ADDITIONAL_HANDLING_WEIGHT',
  packaging: 'ADDITIONAL_HANDLING_PACKAGING',
};

/** The condition of a charge, without days. A single measure needs no list. */
const conditionOf = ({ when, published }: ChargeSpec): Draft['entry']['when'] => {
  const [only, ...more] = published?.anyOf ?? [];
  if (only === undefined) return { ...when };
  return more.length === 0 ? only : { anyOf: [only, ...more] };
};

const handlingDraft = (
  type: ChargeType,
  amount: Draft['entry']['amount'],
  of: Pick<Draft, 'services' | 'at' | 'begins' | 'ends'>,
): Draft => {
  const spec: ChargeSpec = CHARGES[type];
  const { description, dearestOf } = spec;
  const { later, leastBillingWeightLb } = spec.published ?? {};
  const limits = present({ dearestOf, leastBillingWeightLb });
  return { ...of, ...present({ later }), entry: { type, description, when: conditionOf(spec), ...limits, amount } };
};

const byZone = (rows: readonly ChargeRow[], parts: Readonly<Record<string, ChargeType>>, context: Context): Draft[] => {
  const read = rows.flatMap((row) => {
    const values = zoneAmountsIn(row.cell);
    if (values?.every(({ part }) => Object.hasOwn(parts, part))) return values.map((value) => ({ row, value }));
    context.refuse(row, NOT_UNDERSTOOD);
    return [];
  });
  return Object.entries(parts).flatMap(([name, type]) =>
    ruled(
      read.filter(({ value }) => value.part === name),
      context,
    ).flatMap(({ row, codes, value }) =>
      byNetwork(codes).flatMap((group) =>
        stepsOf(value).map((day, at, steps) => {
          const next = steps[at + 1];
          const usd = usdByZone(value, day, group, context.shared);
          return handlingDraft(
            type,
            { per: 'package', usd },
            {
              services: group,
              at: row.at,
              begins: day === '' ? undefined : day,
              ends: next === undefined ? undefined : shifted(next, -1),
            },
          );
        }),
      ),
    ),
  );
};

export const unauthorized = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  ruled(singles(rows, context), context).map(({ row, codes, value }) =>
    handlingDraft('UNAUTHORIZED', perPackage(value.cents), { services: codes, at: row.at, begins: value.from }),
  );

export const additionalHandling = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  byZone(rows, HANDLING_PARTS, context);

export const oversize = (rows: readonly ChargeRow[], context: Context): Draft[] =>
  byZone(rows, { '': 'OVERSIZE' }, context);
