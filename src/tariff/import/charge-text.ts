/** Charges for people, in a short form. */
import type { SurchargeEntry } from '../document.ts';

const byAmount = (usd: Readonly<Record<string, string>>): string => {
  const columns = new Map<string, string[]>();
  for (const [column, amount] of Object.entries(usd)) {
    const named = column === '*' ? 'other zones' : /^\d/.test(column) ? `zone ${column}` : column;
    columns.set(amount, [...(columns.get(amount) ?? []), named]);
  }
  return [...columns].map(([amount, named]) => `${amount} (${named.join(', ')})`).join(', ');
};

/** `6.45 per package`. */
export const amountText = ({ amount }: Pick<SurchargeEntry, 'amount'>): string => {
  if (amount.per === 'declaredValue')
    return `${amount.usdPer100} per 100 dollars of value over ${amount.freeUsd}, at least ${amount.minimumUsd}`;
  if (amount.per !== 'percent')
    return `${typeof amount.usd === 'string' ? amount.usd : byAmount(amount.usd)} per ${amount.per}`;
  const rate = typeof amount.rate === 'string' ? amount.rate : amount.rate.map((one) => one.rate).join(', ');
  return `${rate} % of ${amount.of.join(', ')}`;
};
