/**
 * What a client's agreement says of one service on one day, in flat arrays beside the card: discounts, the least that they
 * leave, caps, and what is charged instead of the list's surcharges. `src/catalog/agreement/compile.ts` makes these.
 */
import { missing } from '../base/must.ts';
import type { Card, RateBook, Warehouse } from './card.ts';
import type { ShipmentOptions } from './charges.ts';
import { type BasisPoints, basisPoints, percentOf } from './quantity.ts';

/** One percentage of a discount, or one amount. */
export interface DiscountPart {
  readonly type: 'DISCOUNT' | 'EARNED_DISCOUNT';
  readonly description: string;
  /** It counts while this tier is in force. */
  readonly tier?: string;
  /** Negative if it raises the base. */
  readonly rate: BasisPoints;
  /** Off each package, in place of a rate. */
  readonly cents?: number;
  /** File and row. Absent for a percentage that stands in the client's own settings. */
  readonly source?: string;
}

/** The parts that add up for some cells, and their sum, at most 100%. */
export interface Combination {
  readonly rate: BasisPoints;
  readonly parts: readonly DiscountPart[];
}

/** Discounts by kind of address, packages or multiweight, rate column and weight band. */
export interface DiscountTable {
  /** The band of each whole pound. Heavier weights have the last one. */
  readonly bands: Uint16Array;
  readonly bandCount: number;
  readonly columnCount: number;
  /** Indexes of `combinations` at `((multiweight * 2 + residential) * columns + column) * bandCount + band`. */
  readonly cells: Uint16Array;
  readonly combinations: readonly Combination[];
  /** The rates of `combinations`. */
  readonly rates: Int16Array;
  /** What `combinations` take off each package beside that, in cents; undefined if none does. */
  readonly cents: Int32Array | undefined;
}

export type ChangeKind =
  | ('percent off' | 'amount off' | 'points off')
  | ('fixed' | 'exactly' | 'waived' | 'at most' | 'own rate');

/** A change of an amount in cents or of a percentage in basis points. `value`: basis points of `percent off`, else as the amount. */
export interface ChargeChange {
  readonly kind: ChangeKind;
  readonly value: number;
  /** How the value came about, for people: `3.00% above 5.15`. */
  readonly reckoned?: string;
  readonly source: string;
  /** Rate columns that it is limited to. */
  readonly columns?: ReadonlySet<number>;
  /** It counts while this tier is in force. */
  readonly tier?: string;
}

/** The program that earned a tier, and by what, in words. */
export interface EarnedTier {
  readonly program: string;
  readonly text: string;
}

export interface ChangedCharge {
  /** In place of the list's, by column: cents, or the basis points of a percentage. */
  readonly byColumn: Int32Array;
  /** In the order in which they are made. */
  readonly changes: readonly ChargeChange[];
  /** The least billing weight that it is for, in pounds. */
  readonly fromLb: number;
  /** What is charged in place of this from a heavier weight on. */
  readonly heavier: ChangedCharge | undefined;
}

/** Beside the card's surcharges; undefined where the list's is charged. */
export type OwnCharges = readonly (ChangedCharge | undefined)[];

/** The least that a discount leaves of a package's base, and which line says so. */
export interface Minimum {
  readonly cents: number;
  readonly source?: string;
  /** Beside the card's columns, if these differ: `cents` is then the least of them. */
  readonly byColumn?: readonly Minimum[];
}

/** The most that a package's base is after its discount. */
export interface RateCaps {
  readonly topLb: number;
  /** Cents at `column * (topLb + 1) + pounds`; 0 where there is no cap. */
  readonly cents: Int32Array;
  /** For people: how far above last year's rates. */
  readonly description: string;
  /** The file of last year's rates. */
  readonly source: string;
}

type OtherBilling = NonNullable<ShipmentOptions['billing']>;

/** Each member stands in all terms, so that rating finds it at the same place. */
export interface Terms {
  /** The agreement's name. */
  readonly agreement: string;
  /** The day after which it is over: the price is the list's. */
  readonly endedOn: string | undefined;
  /** The list's card, with the agreement's rates and divisor if it has its own. */
  readonly card: Card;
  /** Where the rates stand, if they are the agreement's own. */
  readonly ratesSource: string | undefined;
  readonly discounts: DiscountTable | undefined;
  readonly minimum: { readonly commercial: Minimum; readonly residential: Minimum };
  readonly caps: RateCaps | undefined;
  /** By kind of address, mostly the same for both; undefined if the list's are charged. */
  readonly charges: { readonly commercial: OwnCharges; readonly residential: OwnCharges } | undefined;
  /** The tiers in force that programs have earned, by name; undefined without such a tier. */
  readonly earned: ReadonlyMap<string, EarnedTier> | undefined;
  /** The last week of spend that the tier was found by, if it is too old to be sure. */
  readonly spendUntil: string | undefined;
  /** Bits of its warnings: see `warning.ts`. */
  readonly warnings: number;
  /** In place of these where somebody else pays, or of a return; undefined if they are the same. */
  readonly byBilling: Readonly<Record<OtherBilling, Terms>> | undefined;
}

/** The terms that count if this is asked for. @param billing undefined if the shipper pays */
export const termsFor = (terms: Terms | undefined, billing: OtherBilling | undefined): Terms | undefined =>
  terms?.byBilling === undefined || billing === undefined ? terms : terms.byBilling[billing];

/** What a client's agreements say of the cards of a day. */
export interface Account {
  /** The terms of the cards that an agreement of the warehouse says something of. */
  readonly termsOn: (book: RateBook, warehouseId: number) => ReadonlyMap<Card, Terms>;
}

const NO_TERMS: ReadonlyMap<Card, Terms> = new Map();

/** The account of a client without agreements. */
export const LIST_PRICES: Account = { termsOn: () => NO_TERMS };

const NO_DISCOUNT: Combination = { rate: basisPoints(0), parts: [] };

/** The index of a weight's combination in a column. */
const placeOf = (
  { bands, bandCount, columnCount, cells }: DiscountTable,
  column: number,
  billingLb: number,
  residential: boolean,
  multiweight: boolean,
): number => {
  const band = billingLb < bands.length ? (bands[billingLb] ?? missing('the band of a weight')) : bandCount - 1;
  const kind = (multiweight ? 2 : 0) + (residential ? 1 : 0);
  return cells[(kind * columnCount + column) * bandCount + band] ?? missing('the cell of a discount');
};

/** The percentages that a weight has in a column. */
export const combinationAt = (
  { discounts }: Terms,
  column: number,
  billingLb: number,
  residential: boolean,
  multiweight: boolean,
): Combination => {
  if (discounts === undefined) return NO_DISCOUNT;
  return discounts.combinations[placeOf(discounts, column, billingLb, residential, multiweight)] ?? NO_DISCOUNT;
};

/** A percentage of a base, also a negative one, rounded half away from zero. */
export const signedPercentOf = (baseCents: number, rate: number): number =>
  rate < 0 ? -percentOf(baseCents, basisPoints(-rate)) : percentOf(baseCents, basisPoints(rate));

/** What percentages and amounts of a weight in a column take off a base, in cents: at most all of it. */
const partsOff = (
  { discounts }: Terms,
  column: number,
  billingLb: number,
  residential: boolean,
  multiweight: boolean,
  baseCents: number,
): number => {
  if (discounts === undefined) return 0;
  const place = placeOf(discounts, column, billingLb, residential, multiweight);
  const rate = discounts.rates[place] ?? missing('the rate of a discount');
  const off = signedPercentOf(baseCents, rate);
  if (discounts.cents === undefined) return off;
  return Math.min(baseCents, off + (discounts.cents[place] ?? missing('the amount of a discount')));
};

/** The cap of a package's net base in cents; 0 without one. */
export const capAt = ({ caps }: Terms, column: number, billingLb: number): number =>
  caps === undefined || billingLb > caps.topLb
    ? 0
    : (caps.cents[column * (caps.topLb + 1) + billingLb] ?? missing('a rate cap'));

export const minimumOf = ({ minimum }: Terms, residential: boolean, column: number): Minimum => {
  const own = residential ? minimum.residential : minimum.commercial;
  return own.byColumn === undefined ? own : (own.byColumn[column] ?? missing('the minimum of a column'));
};

/** The discount of one package in cents, before the minimum limits it: percentages first, then amounts, then the cap. */
export const discountBeforeMinimum = (
  terms: Terms,
  column: number,
  billingLb: number,
  residential: boolean,
  baseCents: number,
): number => {
  const off = partsOff(terms, column, billingLb, residential, false, baseCents);
  const capCents = capAt(terms, column, billingLb);
  return capCents > 0 && baseCents - off > capCents ? baseCents - capCents : off;
};

/** What a minimum leaves of a discount. A negative one is no less, and a minimum never raises a base. */
const leaving = (off: number, most: number): number => (off < 0 ? off : Math.max(0, Math.min(off, most)));

/** The discount of one package in cents. The minimum limits it. */
export const discountOn = (
  terms: Terms,
  column: number,
  billingLb: number,
  residential: boolean,
  baseCents: number,
): number => {
  const off = discountBeforeMinimum(terms, column, billingLb, residential, baseCents);
  return leaving(off, baseCents - minimumOf(terms, residential, column).cents);
};

/** The discount of a shipment that is rated as a whole, in cents, before the minimum limits it. */
export const discountTogetherBeforeMinimum = (
  terms: Terms,
  column: number,
  ratedLb: number,
  residential: boolean,
  baseCents: number,
): number => partsOff(terms, column, ratedLb, residential, true, baseCents);

/** The discount of a shipment that is rated as a whole, in cents. */
export const discountTogether = (
  terms: Terms,
  column: number,
  ratedLb: number,
  residential: boolean,
  baseCents: number,
  packages: number,
): number => {
  const off = discountTogetherBeforeMinimum(terms, column, ratedLb, residential, baseCents);
  return leaving(off, baseCents - minimumOf(terms, residential, column).cents * packages);
};

/** What is charged instead of the list's surcharge of a place in the card; undefined if the list's is charged. */
export const ownCharge = (
  { charges }: Terms,
  place: number,
  residential: boolean,
  billingLb: number,
): ChangedCharge | undefined => {
  if (charges === undefined) return undefined;
  let own = (residential ? charges.residential : charges.commercial)[place];
  while (own?.heavier !== undefined && own.heavier.fromLb <= billingLb) own = own.heavier;
  return own;
};

/**
 * An amount in cents, or a percentage in basis points, after one change. `percent off` rounds half up: of an amount what it
 * takes off, as of the base, and of a percentage what it leaves: 25% off 26.50% is 19.875%, so 19.88%.
 */
const changed = ({ kind, value }: ChargeChange, amount: number, isPercentage: boolean): number => {
  switch (kind) {
    case 'percent off':
      return isPercentage
        ? percentOf(amount, basisPoints(10_000 - value))
        : amount - percentOf(amount, basisPoints(value));
    case 'amount off':
    case 'points off':
      return Math.max(0, amount - value);
    case 'fixed':
    case 'at most':
      return Math.min(amount, value);
    case 'exactly':
      // What the list does not charge is not charged.
      return amount === 0 ? 0 : value;
    case 'own rate':
      return value;
    case 'waived':
      return 0;
    default:
      return kind satisfies never;
  }
};

/** An amount, or a percentage, after all changes that a column has. */
export const afterChanges = (
  { changes }: Pick<ChangedCharge, 'changes'>,
  column: number,
  amount: number,
  isPercentage = false,
): number =>
  changes.reduce(
    (left, change) =>
      change.columns === undefined || change.columns.has(column) ? changed(change, left, isPercentage) : left,
    amount,
  );

/** Who ships: a client's registered warehouses, and what it pays instead of the list. */
export interface Shipper {
  readonly warehouses: ReadonlyMap<number, Warehouse>;
  readonly account: Account;
}
