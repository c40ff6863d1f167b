/** Warnings of quotes in plain words. */
import type { PricePart } from '../rating/charges.ts';
import type { Summary } from './calls.ts';
import { counted, dayOf } from './ui/format.ts';

const TITLES: ReadonlyMap<string, string> = new Map([
  ['zone.estimated', 'Estimated zone'],
  ['price.incomplete', 'Incomplete price'],
  ['service.homesOnly', 'Priced as a home'],
  ['agreement.ended', 'Agreement ended'],
  ['agreement.tierUncertain', 'Tier may have changed'],
]);

export const warningTitle = (type: string): string => TITLES.get(type) ?? type;

const PARTS: Readonly<Record<PricePart, string>> = {
  fuel: 'the fuel surcharge',
  residential: 'the residential charge',
  deliveryArea: 'delivery area surcharges',
  handling: 'additional handling and oversize charges',
  limits: 'the largest size that the carrier takes',
  signature: 'the charge for the signature',
  saturday: 'the charge for Saturday delivery',
  declaredValue: 'the charge for the declared value',
};
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(PARTS));
const LIST = new Intl.ListFormat('en-US');

/** The name of a part for people. An unknown part is shown by its own name. */
const nameOf = (part: string): string => NAMES.get(part) ?? part;

const incompleteText = (missing: readonly string[]): string => {
  const charges = missing.filter((part) => part !== 'limits').map(nameOf);
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
  LIST.format(Object.entries(missing).map(([part, rows]) => `${nameOf(part)} (${counted(rows, 'row')})`));
