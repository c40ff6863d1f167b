/** A service's rate card for a client: the list's charges, and what the client pays under its agreement. */
import { z } from 'zod';
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

/** By rate column, with null where there is no rate. */
const charges = z.array(z.int().nullable());

/** The client's discount by rate column, in percent such as `12.50`. */
const percents = z.array(z.string());

/** Multiweight prices. Percentages are at `fromLb`. */
const wholeTable = z.object({
  minimumTotalLb: z.int(),
  minimumAverageLb: z.int(),
  /** How many pounds a charge is for: 1 or 100. */
  perLb: z.int(),
  breaks: z.array(z.object({ fromLb: z.int(), charges, percents })),
});

/**
 * `GET /console/tariffs/card?service=&date=&warehouse_id=&address=`: a service's rate card for the client. All charges are
 * in cents. Without a warehouse, agreements for only some warehouses do not apply.
 */
export const cardBody = z.object({
  shippingService: z.string(),
  carrier: z.string(),
  description: z.string(),
  tariff: z.string(),
  rateType: z.enum(['LIST', 'ACCOUNT']),
  /** The agreement of the prices. Null for list prices and the client's flat discounts. */
  agreement: z.string().nullable(),
  /** The last day of the agreement if it has expired. Then the price is the list's. */
  endedOn: z.string().nullable(),
  /** The address type of the prices: from the query, or the only one that the service delivers to. */
  address: z.enum(['commercial', 'residential']),
  /** Whether the list's charges below are the agreement's own. */
  ownRates: z.boolean(),
  /** The card's rate columns. Most have the names of their zones. */
  zones: z.array(z.string()),
  /** The zone, `1` to `8`, that each column is reported as. */
  rateZones: z.array(z.string()),
  /** The states and territories that each column covers from the warehouse. Null without a warehouse. */
  states: z.array(z.array(z.string())).nullable(),
  rows: z.array(
    z.object({
      /** In pounds, or `8 oz`. */
      weight: z.string(),
      list: charges,
      net: charges,
      /** What determined the net charge, if not the percentages. */
      limits: z.array(z.enum(['minimum', 'cap']).nullable()),
    }),
  ),
  /** Charges per pound of a heavier package. Null if the service does not carry such packages. */
  above: z.object({ topLb: z.int(), charges, percents }).nullable(),
  /** The minimum for a package's base charge after discounts. */
  minimumChargeCents: z.int(),
  listMinimumChargeCents: z.int(),
  /** The list's multiweight prices, and the agreement's own multiweight prices for the other columns. */
  multiweight: wholeTable.nullable(),
  ownMultiweight: wholeTable.nullable(),
  surcharges: z.array(
    z.object({
      type: z.string(),
      description: z.string(),
      /** How the surcharge is computed, per package by default: `$4.20`, `$0.50 to $2.00 by zone per pound`, `12.5%`. */
      computation: z.string(),
      /** The charges that a percentage applies to, each name once. Null for an amount. */
      of: z.array(z.string()).nullable(),
      /** What the client pays instead: `$3.15`, `waived`. Null if it pays the list's charge. */
      yours: z.string().nullable(),
      /** All conditions that must be true. Empty if the surcharge always applies. */
      because: z.array(z.string()),
    }),
  ),
});
export type CardBody = z.output<typeof cardBody>;

type Row = CardBody['rows'][number];

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

type Limit = Row['limits'][number];
type Charged = ReturnType<typeof rateCardOf>['rows'][number];

const percentAt = (terms: Terms | undefined, column: number, lb: number, residential: boolean, together: boolean) =>
  terms === undefined ? '0.00' : dollarText(combinationAt(terms, column, lb, residential, together).rate);

/** @param isOf whether the table prices a column */
const multiweightOf = (
  table: Multiweight | undefined,
  isOf: (column: number) => boolean,
  percentIn: (column: number, fromLb: number) => string,
): CardBody['multiweight'] => {
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

const aboveOf = (card: Card, terms: Terms | undefined, residential: boolean): CardBody['above'] => {
  const { centsPerLbAboveTop, topLb } = card;
  if (centsPerLbAboveTop === undefined) return null;
  const percents = card.columns.map((_, column) => percentAt(terms, column, topLb + 1, residential, false));
  return { topLb, charges: centsPerLbAboveTop.map(rated), percents };
};

/** @param terms the terms of the client's agreement for the card @param origin the ZIP5 of the warehouse */
export const cardBodyOf = (list: Card, terms: Terms | undefined, isHome: boolean, origin?: number): CardBody => {
  const card = terms?.card ?? list;
  const { residential, rows, minimumCents, ratesSource } = rateCardOf(list, terms, isHome);
  const isOwn = (column: number): boolean => ownTableOf(card, column) !== undefined;
  const percentTogether = (column: number, lb: number): string => percentAt(terms, column, lb, residential, true);
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
    states: origin === undefined ? null : statesByColumn(card, origin),
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
        computation: computationOf(surcharge),
        of: subjectsOf(surcharge, list),
        yours: yours.length === 0 ? null : yours.join('; '),
        because: reasonsOf(surcharge, list),
      };
    }),
  };
};
