/** Warnings of quotes in plain words. */
import { partName } from '../rows/plain-words.ts';
import type { Summary } from './calls.ts';
import { counted, dayOf } from './ui/format.ts';

export { warningTitle } from '../rows/plain-words.ts';

const LIST = new Intl.ListFormat('en-US');

const incompleteText = (missing: readonly string[]): string => {
  const charges = missing.filter((part) => part !== 'limits').map(partName);
  const sentences: string[] = [];
  if (charges.length > 0)
    sentences.push(
      `This price does not include ${LIST.format(charges)}, because the tariff has none for this day. The bill may be higher.`,
    );
  if (missing.includes('limits'))
    sentences.push('The tariff does not say how large a package may be: the carrier may refuse one that is too large.');
  return sentences.join(' ');
};

interface Warning {
  readonly type: string;
  readonly message: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A day of a warning's arguments. */
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

export const warningText = ({ type, message, arguments: { missing, endedOn, spendUntil } }: Warning): string => {
  if (type === 'price.incomplete' && Array.isArray(missing)) return incompleteText(missing.map(String));
  if (type === 'agreement.ended' && isDay(endedOn))
    return `Your agreement ended on ${dayOf(endedOn)}. This is the list price.`;
  if (type === 'agreement.tierUncertain' && isDay(spendUntil))
    return `Your tier rests on your spend up to ${dayOf(spendUntil)}. Your discount may have changed since then.`;
  return message;
};

/** What the prices of a batch lack, and in how many rows. */
export const missingText = ({ missing }: Summary['incomplete']): string =>
  LIST.format(Object.entries(missing).map(([part, rows]) => `${partName(part)} (${counted(rows, 'row')})`));
