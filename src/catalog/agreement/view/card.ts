/** A service's rate card for a client: the list's charges, and what the client pays under its agreement. */
import { must } from '../../../base/must.ts';
import type { Card, Multiweight } from '../../../rating/card.ts';
import { reasonsOf } from '../../../rating/charge-text.ts';
import type { Surcharge } from '../../../rating/charges.ts';
import { ownTableOf } from '../../../rating/multiweight.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { capAt, combinationAt, discountBeforeMinimum, type Terms } from '../../../rating/terms.ts';
import { statesByColumn } from '../../tariff/zones-by-zip3.ts';
import { type Variant, variantsOf } from '../compile-charges.ts';
import { rateCardOf } from '../overview.ts';

/** Cents; 0 means no rate. */
const rated = (cents: number | undefined): number | null => (cents === undefined || cents === 0 ? null : cents);

const money = (cents: number): string => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

const amountText = ({ amount }: Surcharge, all: readonly number[]): string => {
  const cents = all.filter((_, column) => !('unknown' in amount && amount.unknown.has(column)));
  if (cents.length === 0) return 'unknown';
  const [least, most] = [Math.min(...cents), Math.max(...cents)];
  const sum = least === most ? money(least) : `${money(least)} to ${money(most)} by zone`;
  return amount.per === 'package' ? sum : `${sum} per ${amount.per}`;
};

const percentText = (basisPoints: number): string => `${basisPoints / 100}%`;

const computationOf = (surcharge: Surcharge): string => {
  const { amount } = surcharge;
  if (amount.per === 'percent') return percentText(amount.rate);
  if (amount.per === 'declaredValue')
    return `${money(amount.centsPer100)} per $100 of the declared value, at least ${money(amount.minimumCents)}`;
  return amountText(surcharge, amount.centsByColumn);
};

const subjectsOf = ({ amount }: Surcharge, { surcharges }: Card): string[] | null => {
  if (amount.per !== 'percent') return null;
  const of = amount.of.map((index) => must(surcharges[index], 'the surcharge of a percentage').description);
  return [...new Set([...(amount.ofBase ? ['Base charge'] : []), ...of])];
};

/** What the client pays instead of a list surcharge. */
const ownComputation = (surcharge: Surcharge, { own: { byColumn, changes } }: Variant): string => {
  const { amount } = surcharge;
  if (changes.some(({ kind, columns }) => kind === 'waived' && columns === undefined)) return 'waived';
  const own = [...byColumn];
  const [least, most] = [Math.min(...own), Math.max(...own)];
  if (amount.per === 'percent')
    return least === most ? percentText(least) : `${percentText(least)} to ${percentText(most)} by zone`;
  return amount.per === 'declaredValue' ? 'less, by your agreement' : amountText(surcharge, own);
};

/** Whether a cap or a minimum determined a net charge. */
const limitAt = (terms: Terms, column: number, billingLb: number, residential: boolean, row: Charged): Limit => {
  if ((row.swallowed[column] ?? 0) > 0) return 'minimum';
  const list = row.list[column] ?? 0;
  const capCents = capAt(terms, column, billingLb);
  const uncapped = discountBeforeMinimum({ ...terms, caps: undefined }, column, billingLb, residential, list);
  return capCents > 0 && list - uncapped > capCents ? 'cap' : null;
};

/** What determined a net charge, if not the percentages. */
type Limit = 'minimum' | 'cap' | null;
type Charged = ReturnType<typeof rateCardOf>['rows'][number];

const percentAt = (terms: Terms | undefined, column: number, lb: number, residential: boolean, together: boolean) =>
  terms === undefined ? '0.00' : dollarText(combinationAt(terms, column, lb, residential, together).rate);

/** Multiweight prices. Percentages are at `fromLb`. `perLb`: how many pounds a charge is for. @param isOf whether the table prices a column */
const multiweightOf = (
  table: Multiweight | undefined,
  isOf: (column: number) => boolean,
  percentIn: (column: number, fromLb: number) => string,
) => {
  if (table === undefined) return null;
  const { minimumTotalLb, minimumAverageLb, perLb } = table;
  const breaks = table.breaks.map(({ fromLb, cents }) => ({
    fromLb,
    charges: cents.map((price, column) => (isOf(column) ? rated(price) : null)),
    percents: cents.map((_, column) => percentIn(column, fromLb)),
  }));
  const isEmpty = breaks.every((row) => row.charges.every((price) => price === null));
  return isEmpty ? null : { minimumTotalLb, minimumAverageLb, perLb, breaks };
};

/** Charges per pound of a heavier package. Null if the service does not carry such packages. */
const aboveOf = (card: Card, terms: Terms | undefined, residential: boolean) => {
  const { centsPerLbAboveTop, topLb } = card;
  if (centsPerLbAboveTop === undefined) return null;
  const percents = card.columns.map((_, column) => percentAt(terms, column, topLb + 1, residential, false));
  return { topLb, charges: centsPerLbAboveTop.map(rated), percents };
};

/**
 * `GET /console/tariffs/card?service=&date=&warehouse_id=&address=`: a service's rate card for the client. All charges are in
 * cents by rate column, with null where there is no rate. Percentages have two decimals. Without a warehouse, agreements for
 * only some warehouses do not apply.
 * @param terms the terms of the client's agreement for the card @param origin the ZIP5 of the warehouse
 */
export const cardBodyOf = (list: Card, terms: Terms | undefined, isHome: boolean, origin?: number) => {
  const card = terms?.card ?? list;
  const { code: shippingService, carrier, description, tariff, columns: zones } = card;
  const { residential, rows, minimumCents, ratesSource } = rateCardOf(list, terms, isHome);
  const isOwn = (column: number): boolean => ownTableOf(card, column) !== undefined;
  const percentTogether = (column: number, lb: number): string => percentAt(terms, column, lb, residential, true);
  return {
    ...{ shippingService, carrier, description, tariff },
    rateType: terms === undefined || terms.endedOn !== undefined ? ('LIST' as const) : ('ACCOUNT' as const),
    /** Null for list prices and the client's flat discounts. */
    agreement: terms === undefined || terms.agreement === '' ? null : terms.agreement,
    /** The last day of the agreement if it has expired. Then the price is the list's. */
    endedOn: terms?.endedOn ?? null,
    /** The address type of the prices: from the query, or the only one that the service delivers to. */
    address: residential ? ('residential' as const) : ('commercial' as const),
    /** Whether the list's charges below are the agreement's own. */
    ownRates: ratesSource !== undefined,
    zones,
    /** The zone, `1` to `8`, that each column is reported as. */
    rateZones: card.rateZones.map(String),
    /** The states and territories that each column covers from the warehouse. Null without a warehouse. */
    states: origin === undefined ? null : statesByColumn(card, origin),
    rows: rows.map((row) => ({
      ...{ weight: row.weight, list: row.list, net: row.net },
      /** The agreed discounts, before minimums and caps. */
      percents: zones.map((_, column) => percentAt(terms, column, row.billingLb, residential, false)),
      limits: zones.map((_, column) =>
        terms === undefined ? null : limitAt(terms, column, row.billingLb, residential, row),
      ),
    })),
    above: aboveOf(card, terms, residential),
    /** The minimum for a package's base charge after discounts. */
    minimumChargeCents: minimumCents,
    listMinimumChargeCents: list.minimumNetCents,
    /** The list's multiweight prices, and the agreement's own multiweight prices for the other columns. */
    multiweight: multiweightOf(card.multiweight, (column) => !isOwn(column), percentTogether),
    ownMultiweight: multiweightOf(card.ownMultiweight, isOwn, percentTogether),
    surcharges: list.surcharges.map((surcharge, at) => {
      const own = terms?.charges === undefined ? [] : variantsOf(terms.charges, at);
      const yours = own
        .filter(({ address: to }) => to === undefined || (to === 'residential') === residential)
        .map((variant) => [...variant.when, ownComputation(surcharge, variant)].join(': '));
      return {
        type: surcharge.type,
        description: surcharge.description,
        /** How the surcharge is computed, per package by default: `$4.20`, `$0.50 to $2.00 by zone per pound`, `12.5%`. */
        computation: computationOf(surcharge),
        /** The charges that a percentage applies to, each name once. Null for an amount. */
        of: subjectsOf(surcharge, list),
        /** What the client pays instead: `$3.15`, `waived`. Null if it pays the list's charge. */
        yours: yours.length === 0 ? null : yours.join('; '),
        /** All conditions that must be true. */
        because: reasonsOf(surcharge, list),
      };
    }),
  };
};
export type CardBody = ReturnType<typeof cardBodyOf>;
