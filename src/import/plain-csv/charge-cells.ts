/** Parses the cells of a charge row: amounts, zones, thresholds, and requested options. */
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import type { Measure } from '../../rating/charges.ts';
import { keysOf, SIGNATURES } from '../../rating/fields.ts';
import { type Cents, cents, dollarText } from '../../rating/quantity.ts';
import { centsInText } from '../read/reader.ts';
import type { PlainRow } from './table.ts';

type Condition = SurchargeEntry['when'];
type Measures = NonNullable<Condition['anyOf']>[number];

const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  lengthOverIn: 'in long',
  secondSideOverIn: 'in on the second side',
  lengthPlusGirthOverIn: 'in of length plus girth',
  cubicInchesOver: 'cubic in',
  actualWeightOverLb: 'lb',
  billingWeightOverLb: 'lb billed',
};
/** Measures and their columns: `lengthOverIn` is in `length_over_in`. */
const MEASURES = keysOf(MEASURE_WORDS).map((measure) => ({
  measure,
  column: measure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  words: MEASURE_WORDS[measure],
}));

/** All columns of a list of charges. */
export const CHARGE_COLUMNS = [
  ...['charge', 'carrier', 'services', 'address', 'area', 'zone_from', 'zone_to', 'rate', 'per', 'type', 'description'],
  ...MEASURES.map(({ column }) => column),
  ...['least_billing_weight_lb', 'multiweight_maximum_usd', 'signature', 'saturday', 'free_usd', 'minimum_usd'],
  ...['from', 'until'],
];

/** Formats `over 48 in long, over 30 in on the second side`. */
export const measuresText = (anyOf: readonly Measures[]): string =>
  anyOf
    .flatMap((limits) => MEASURES.map(({ measure, words }) => ({ limit: limits[measure], words })))
    .flatMap(({ limit, words }) => (limit === undefined ? [] : [`over ${limit.toLocaleString('en-US')} ${words}`]))
    .join(', ');

export const wholeIn = (row: PlainRow, column: string): number | undefined => {
  const text = row.matching(column, /^\d{1,6}$/, 'not a whole number');
  return text === undefined ? undefined : Number(text);
};

/** Formats money as the tariff does. */
export const moneyIn = (row: PlainRow, column: string): string | undefined => {
  if (row.text(column) === '') return undefined;
  const found = centsInText(row.text(column));
  return found ? dollarText(cents(found)) : row.refuse(column, 'not an amount in dollars');
};

/** The amount of a row. */
export const centsOfRow = (row: PlainRow): Cents | undefined => {
  const found = centsInText(row.text('rate'));
  return found ? cents(found) : row.refuse('usd', 'not an amount in dollars', row.text('rate'));
};

/** The zones of a row, as keys of amounts: `zone 3`, or `*` if it names none. */
export const zonesIn = (row: PlainRow): readonly string[] => {
  const [from, to] = ['zone_from', 'zone_to'].map((column) =>
    row.matching(column, /^[1-8]$/, 'not a zone from 1 to 8'),
  );
  if (from === undefined) {
    if (to !== undefined) row.refuse('zone_to', 'there is no zone_from');
    return ['*'];
  }
  const [first, last] = [Number(from), Number(to ?? 8)];
  if (last < first) row.refuse('zone_to', 'ends before zone_from begins');
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `zone ${first + index}`);
};

/** The thresholds of a row. A package over any of them pays the charge. */
export const measuresIn = (row: PlainRow): Measures[] =>
  MEASURES.flatMap(({ column, measure }) => {
    const limit = wholeIn(row, column);
    return limit === undefined ? [] : [{ [measure]: limit }];
  });

/** True for homes, false for businesses, undefined for both. If the cell is empty, the charge's name may say it. */
export const residentialIn = (row: PlainRow, words: readonly string[]): boolean | undefined => {
  const text = row.text('address').toLowerCase();
  if (text === 'residential' || text === 'commercial') return text === 'residential';
  if (text !== '') return row.refuse('address', 'neither residential nor commercial');
  return words.includes('residential') ? true : words.includes('commercial') ? false : undefined;
};

/** The options that the request must ask for. */
export const optionsIn = (row: PlainRow): Pick<Condition, 'signature' | 'saturday'> => {
  const asked = row.text('signature').toLowerCase();
  const named = asked.split(/[|;]/).map((one) => one.trim());
  const signature = SIGNATURES.filter((one) => named.includes(one));
  if (asked !== '' && signature.length < named.length) row.refuse('signature', `not of ${SIGNATURES.join(', ')}`);
  const saturday = row.matching('saturday', /^(?:yes|no|true|false)$/i, 'neither yes nor no');
  const isOnSaturday = saturday !== undefined && /^(?:yes|true)$/i.test(saturday);
  return { ...(signature.length > 0 && { signature }), ...(isOnSaturday && { saturday: true }) };
};
