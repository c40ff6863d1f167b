/** Charges for people, in a short form. */
import type { SurchargeEntry } from '../../document.ts';

/** `zones 3-4, column 22, other zones`. */
const zonesText = (columns: readonly string[]): string => {
  const zones = columns.flatMap((column) => /^zone (\d)$/.exec(column)?.[1] ?? []);
  const named = columns.filter((column) => !/^zone \d$/.test(column));
  const runs = zones.length > 1 && Number(zones.at(-1)) - Number(zones[0]) === zones.length - 1;
  const text = runs ? `${zones[0]}-${zones.at(-1)}` : zones.join(', ');
  const numbered = text === '' ? [] : [`zone${zones.length > 1 ? 's' : ''} ${text}`];
  return [...numbered, ...named.map((column) => (column === '*' ? 'other zones' : `column ${column}`))].join(', ');
};

const byAmount = (usd: Readonly<Record<string, string>>): string => {
  const columns = new Map<string, string[]>();
  // Keys that are whole numbers come first in an object, but zones come first for a person.
  const inOrder = Object.entries(usd).sort(
    ([a], [b]) => Number(!a.startsWith('zone ')) - Number(!b.startsWith('zone ')),
  );
  for (const [column, amount] of inOrder) columns.set(amount, [...(columns.get(amount) ?? []), column]);
  return [...columns].map(([amount, own]) => `${amount} (${zonesText(own)})`).join(', ');
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
