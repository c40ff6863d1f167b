/** A service's rate card for a client: the list's charges, and what the client pays by its agreement. */
import { rateCardOf } from '../../agreement/rate-card.ts';
import { must } from '../../must.ts';
import type { Card } from '../../rating/card.ts';
import { declaredValueText, reasonsOf } from '../../rating/charge-text.ts';
import type { Surcharge } from '../../rating/charges.ts';
import { dollarText, percentOf } from '../../rating/quantity.ts';
import { type ChangedCharge, capAt, combinationAt, type Terms } from '../../rating/terms.ts';
import type { CardBody } from './schemas.ts';

type Row = CardBody['rows'][number];

/** Cents; 0 means no rate. */
const rated = (cents: number | undefined): number | null => (cents === undefined || cents === 0 ? null : cents);

const amountText = ({ amount }: Surcharge, all: readonly number[]): string => {
  const cents = all.filter((_, column) => !('unknown' in amount && amount.unknown.has(column)));
  if (cents.length === 0) return 'unknown';
  const [least, most] = [Math.min(...cents), Math.max(...cents)];
  const sum = least === most ? `$${dollarText(least)}` : `$${dollarText(least)} to $${dollarText(most)}, by zone,`;
  return `${sum} per ${amount.per}`;
};

const computationOf = (surcharge: Surcharge, { surcharges }: Card): string => {
  const { amount } = surcharge;
  if (amount.per === 'percent') {
    const of = amount.of.map((index) => must(surcharges[index], 'the surcharge of a percentage').type);
    return `${dollarText(amount.rate)}% of ${[...new Set([...(amount.ofBase ? ['base'] : []), ...of])].join(', ')}`;
  }
  return amount.per === 'declaredValue' ? declaredValueText(amount) : amountText(surcharge, amount.centsByColumn);
};

/** What the client pays instead of a surcharge of the list. */
const ownComputation = (surcharge: Surcharge, { byColumn, changes }: ChangedCharge): string => {
  const { amount } = surcharge;
  if (changes.some(({ kind, columns }) => kind === 'waived' && columns === undefined)) return 'waived';
  const own = [...byColumn];
  const [least, most] = [Math.min(...own), Math.max(...own)];
  if (amount.per === 'percent')
    return least === most ? `${dollarText(least)}%` : `${dollarText(least)} to ${dollarText(most)}%, by zone`;
  return amount.per === 'declaredValue' ? 'less, by your agreement' : amountText(surcharge, own);
};

/** Which of cap and minimum made a net charge what it is. */
const limitAt = (terms: Terms, column: number, billingLb: number, residential: boolean, row: Charged): Limit => {
  if ((row.swallowed[column] ?? 0) > 0) return 'minimum';
  const list = row.list[column] ?? 0;
  const capCents = capAt(terms, column, billingLb);
  const off = percentOf(list, combinationAt(terms, column, billingLb, residential, false).rate);
  return capCents > 0 && list - off > capCents ? 'cap' : null;
};

type Limit = Row['limits'][number];
type Charged = ReturnType<typeof rateCardOf>['rows'][number];

const percentAt = (terms: Terms | undefined, column: number, lb: number, residential: boolean, together: boolean) =>
  terms === undefined ? '0.00' : dollarText(combinationAt(terms, column, lb, residential, together).rate);

const multiweightOf = (card: Card, terms: Terms | undefined, residential: boolean): CardBody['multiweight'] => {
  const { multiweight } = card;
  if (multiweight === undefined) return null;
  return {
    minimumTotalLb: multiweight.minimumTotalLb,
    minimumAverageLb: multiweight.minimumAverageLb,
    breaks: multiweight.breaks.map(({ fromLb, centsPerLb }) => ({
      fromLb,
      charges: centsPerLb.map(rated),
      percents: card.columns.map((_, column) => percentAt(terms, column, fromLb, residential, true)),
    })),
  };
};

const aboveOf = (card: Card, terms: Terms | undefined, residential: boolean): CardBody['above'] => {
  const { centsPerLbAboveTop, topLb } = card;
  if (centsPerLbAboveTop === undefined) return null;
  const percents = card.columns.map((_, column) => percentAt(terms, column, topLb + 1, residential, false));
  return { topLb, charges: centsPerLbAboveTop.map(rated), percents };
};

/** @param terms what the client's agreement says of the card */
export const cardBodyOf = (list: Card, terms: Terms | undefined, isHome: boolean): CardBody => {
  const card = terms?.card ?? list;
  const { residential, rows, minimumCents, ratesSource } = rateCardOf(list, terms, isHome);
  return {
    shippingService: card.code,
    carrier: card.carrier,
    description: card.description,
    tariff: card.tariff,
    rateType: terms === undefined || terms.endedOn !== undefined ? 'LIST' : 'ACCOUNT',
    agreement: terms === undefined || terms.agreement === '' ? null : terms.agreement,
    endedOn: terms?.endedOn ?? null,
    address: residential ? 'residential' : 'commercial',
    ownRates: ratesSource !== undefined,
    zones: [...card.columns],
    rateZones: card.rateZones.map(String),
    rows: rows.map((row) => ({
      weight: row.weight,
      list: [...row.list],
      net: [...row.net],
      limits: card.columns.map((_, column) =>
        terms === undefined ? null : limitAt(terms, column, row.billingLb, residential, row),
      ),
    })),
    above: aboveOf(card, terms, residential),
    minimumChargeCents: minimumCents,
    listMinimumChargeCents: list.minimumNetCents,
    multiweight: multiweightOf(card, terms, residential),
    surcharges: list.surcharges.map((surcharge, at) => {
      const own = terms?.charges?.[at];
      return {
        type: surcharge.type,
        description: surcharge.description,
        computation: computationOf(surcharge, list),
        yours: own === undefined ? null : ownComputation(surcharge, own),
        because: reasonsOf(surcharge, list),
      };
    }),
  };
};
