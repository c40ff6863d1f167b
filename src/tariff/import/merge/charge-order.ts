/** The order of a tariff's surcharges. */
import type { SurchargeEntry } from '../../document.ts';

const ORDER: readonly RegExp[] = [
  /^(?:ADDITIONAL_HANDLING|OVERSIZE|UNAUTHORIZED)/,
  /^RESIDENTIAL/,
  /^DELIVERY_AREA/,
  /^DEMAND_/,
  /^(?!SIGNATURE_|SATURDAY_|DECLARED_VALUE$)/,
  /^(?:SIGNATURE_|SATURDAY_)/,
];

const rankOf = ({ type, amount }: SurchargeEntry): number => {
  const at = ORDER.findIndex((pattern) => pattern.test(type));
  if (amount.per !== 'percent') return at === -1 ? ORDER.length : at;
  if (type === 'FUEL') return ORDER.length + 2;
  return ORDER.length + (amount.of.includes('FUEL') ? 3 : 1);
};

/** Compares surcharges by kind. Percentages come last, because they are taken of others. */
export const byKind = (a: SurchargeEntry, b: SurchargeEntry): number => rankOf(a) - rankOf(b);
