/** Describes in words what a surcharge costs, when it applies and how its amount was calculated. */
import { must } from '../base/must.ts';
import type { Card } from './card.ts';
import { CONDITIONS, MEASURE_NAMES, MEASURES, type Measures, type Percentage, type Surcharge } from './charges.ts';
import type { Price } from './price.ts';
import { dollarText } from './quantity.ts';
import { type ChangedCharge, type ChangeKind, ownCharge } from './terms.ts';

const measureReasons = (measures: Measures): string[] =>
  MEASURE_NAMES.flatMap((measure) => {
    const limit = measures[measure];
    return limit === undefined ? [] : [MEASURES[measure](limit)];
  });

/** Returns every condition of a surcharge, in words. */
export const reasonsOf = ({ when, dearestOf, amount }: Surcharge, card: Card): string[] => {
  const reasons: string[] = [];
  if (amount.per === 'declaredValue') reasons.push(`declared value over $${dollarText(amount.freeCents)}`);
  if (when.residential !== undefined) reasons.push(when.residential ? 'residential address' : 'commercial address');
  if (when.area !== undefined) reasons.push('ZIP code in this area');
  if (when.columns !== undefined)
    reasons.push(`zone ${[...when.columns].map((column) => card.columns[column]).join(' or ')}`);
  reasons.push(...measureReasons(when));
  if (when.anyOf !== undefined)
    reasons.push(when.anyOf.map((measures) => measureReasons(measures).join(' and ')).join(', or '));
  for (const { member, because } of CONDITIONS) {
    const asked = when[member];
    if (asked !== undefined) reasons.push(asked === true ? because : `${[...asked].join(' or ')} ${because}`);
  }
  if (when.declaredValueUnderCents !== undefined)
    reasons.push(`declared value under $${dollarText(when.declaredValueUnderCents)} for each package`);
  if (dearestOf !== undefined) reasons.push(`only the highest of the ${dearestOf.replaceAll('-', ' ')} charges`);
  return reasons;
};

/** What a percentage was taken of, as it stands in one list of charges: `base 9.66`, `14.81 (base 9.66, RESIDENTIAL 5.15)`. */
const subjectText = (
  amount: Percentage,
  surcharges: readonly Surcharge[],
  baseCents: number,
  charges: readonly number[],
  index: number,
): string => {
  const parts: [string, number][] = amount.ofBase ? [['base', baseCents]] : [];
  surcharges.slice(0, index).forEach(({ type }, at) => {
    const charged = must(charges[at], 'the line of a surcharge');
    if (amount.of.includes(at) && charged > 0) parts.push([type, charged]);
  });
  const total = dollarText(parts.reduce((sum, [, part]) => sum + part, 0));
  const text = parts.map(([name, part]) => `${name} ${dollarText(part)}`).join(', ');
  return parts.length > 1 ? `${total} (${text})` : text || total;
};

/** Describes how a charge on the declared value is calculated. */
const declaredValueText = ({
  centsPer100,
  minimumCents,
}: Extract<Surcharge['amount'], { per: 'declaredValue' }>): string =>
  `${dollarText(centsPer100)} per 100.00 of the declared value, at least ${dollarText(minimumCents)}`;

/** Describes how the agreement changes a surcharge of the list. */
const changeTexts = (own: ChangedCharge, terms: Price['terms'], column: number, unit: string): string[] =>
  own.changes
    .filter(({ columns }) => columns === undefined || columns.has(column))
    .map(({ kind, value, source, reckoned, tier = '' }) => {
      const text = dollarText(value);
      const what: Readonly<Record<ChangeKind, string>> = {
        'percent off': `less ${text}%`,
        'amount off': `less ${text}`,
        'points off': `less ${text} points`,
        fixed: `fixed at ${text}${unit}`,
        exactly: `exactly ${text}${unit}`,
        waived: 'waived',
        'at most': `at most ${text}${unit}`,
        'own rate': `${text}${unit} by the agreement`,
      };
      const reasons = [reckoned, terms?.earned?.get(tier)?.text, source].filter((reason) => reason !== undefined);
      return `${what[kind]} (${reasons.join(', ')})`;
    });

/** Describes how a charge was calculated: the list's amount, the agreement's changes, and the result. */
export const computationOf = (
  price: Price,
  index: number,
  charged: number,
  baseCents: number,
  billingLb: number,
  subject: readonly number[],
): { readonly text: string; readonly source?: string | undefined } => {
  const { column, terms, residential } = price;
  const { surcharges, places } = price.charges;
  const { amount, source, multiweightMaximumCents: mostCents } = must(surcharges[index], 'the surcharge of a charge');
  const own = terms && ownCharge(terms, must(places[index], 'the place of a surcharge'), residential, billingLb);
  if (amount.per === 'percent') {
    const rate = own === undefined ? amount.rate : must(own.byColumn[column], 'the rate of an agreement');
    const changes =
      own === undefined
        ? ''
        : `: ${[`${dollarText(amount.rate)}% in the list`, ...changeTexts(own, terms, column, '%')].join(', ')}`;
    return {
      text: `${dollarText(rate)}% of ${subjectText(amount, surcharges, baseCents, subject, index)}${changes}`,
      source: amount.source ?? source,
    };
  }
  const changes =
    own === undefined
      ? ''
      : changeTexts(own, terms, column, '')
          .map((text) => `, ${text}`)
          .join('');
  if (amount.per === 'declaredValue') return { text: `${declaredValueText(amount)}${changes}`, source };
  const list = must(amount.centsByColumn[column], 'the amount of a surcharge');
  const each = own === undefined ? list : must(own.byColumn[column], 'the amount of an agreement');
  const full = amount.per === 'pound' ? each * billingLb : each;
  const result = own === undefined ? '' : ` = ${dollarText(each)}`;
  const text =
    amount.per === 'pound'
      ? `${dollarText(list)} per LB${changes}${result} × ${billingLb} LB`
      : `${dollarText(list)} per ${amount.per}${changes}${result}`;
  const limited =
    charged < full && mostCents !== undefined ? `, limited to ${dollarText(mostCents)} for the shipment` : '';
  return { text: `${text}${limited}`, source };
};
