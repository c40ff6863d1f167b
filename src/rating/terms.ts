/**
 * Terms of a client's agreement for one service on one day, in flat arrays parallel to the card: discounts, minimum
 * charges, caps, and charges that replace the list's surcharges. `src/catalog/agreement/compile.ts` makes them.
 */
import { missing } from '../base/must.ts';
import type { Card, RateBook, Warehouse } from './card.ts';
import type { ShipmentOptions, Signature } from './charges.ts';
import { type BasisPoints, basisPoints, percentOf } from './quantity.ts';

/** One percentage of a discount, or one amount. */
export interface DiscountPart {
  readonly type: 'DISCOUNT' | 'EARNED_DISCOUNT';
  readonly description: string;
  /** Applies only while this tier is in force. */
  readonly tier?: string;
  /** Negative if it raises the base. */
  readonly rate: BasisPoints;
  /** Off each package, instead of a rate. */
  readonly cents?: number;
  /** File and row. Undefined for a percentage from the client's own settings. */
  readonly source?: string;
}

/** The discount parts that apply to some cells, and their sum, at most 100%. */
export interface Combination {
  readonly rate: BasisPoints;
  readonly parts: readonly DiscountPart[];
}

/** Discounts by kind of address, packages or multiweight, rate column and weight band. */
export interface DiscountTable {
  /** Band of each whole pound. Heavier weights use the last band. */
  readonly bands: Uint16Array;
  readonly bandCount: number;
  readonly columnCount: number;
  /** Indexes into `combinations`, at `((multiweight * 2 + residential) * columns + column) * bandCount + band`. */
  readonly cells: Uint16Array;
  readonly combinations: readonly Combination[];
  /** Basis points, parallel to `combinations`. */
  readonly rates: Int16Array;
  /** Cents off each package in addition, parallel to `combinations`. Undefined if no combination has any. */
  readonly cents: Int32Array | undefined;
}

export type ChangeKind =
  | ('percent off' | 'amount off' | 'points off')
  | ('fixed' | 'exactly' | 'waived' | 'at most' | 'own rate');

/** A change of an amount in cents or a rate in basis points. `value` has that unit, or is basis points of `percent off`. */
export interface ChargeChange {
  readonly kind: ChangeKind;
  readonly value: number;
  /** How the value was calculated, in words: `3.00% above 5.15`. */
  readonly reckoned?: string;
  readonly source: string;
  /** Rate columns that the change is limited to. */
  readonly columns?: ReadonlySet<number>;
  /** Applies only while this tier is in force. */
  readonly tier?: string;
}

/** The program that earned a tier, and how it was earned, in words. */
export interface EarnedTier {
  readonly program: string;
  readonly text: string;
}

export interface ChangedCharge {
  /** By column, instead of the list's: cents, or the basis points of a percentage. */
  readonly byColumn: Int32Array;
  /** In the order in which they apply. */
  readonly changes: readonly ChargeChange[];
  /** Lowest billing weight that the charge applies to, in pounds. */
  readonly fromLb: number;
  /** The charge that replaces this one from a heavier weight on. */
  readonly heavier: ChangedCharge | undefined;
}

/** Parallel to the card's surcharges. Undefined where the list surcharge applies. */
export type OwnCharges = readonly (ChangedCharge | undefined)[];

/** Bits of `price.incomplete`, by the requested signature, parallel to the card's columns. */
export type WaivedParts = Readonly<Record<Signature | 'none', Int32Array>>;

/** The minimum that a discount leaves of a package's base, and the line that states it. */
export interface Minimum {
  readonly cents: number;
  readonly source?: string;
  /** Parallel to the card's columns, if they differ. `cents` is then the lowest of them. */
  readonly byColumn?: readonly Minimum[];
}

/** Caps on a package's base after its discount. */
export interface RateCaps {
  readonly topLb: number;
  /** Cents at `column * (topLb + 1) + pounds`; 0 where there is no cap. */
  readonly cents: Int32Array;
  /** How far the cap is above last year's rates, in words. */
  readonly description: string;
  /** The file of last year's rates. */
  readonly source: string;
}

type OtherBilling = NonNullable<ShipmentOptions['billing']>;

/** Every object sets every member. All have the same shape, so rating reads them fast. */
export interface Terms {
  /** The agreement's name. */
  readonly agreement: string;
  /** Last day of an agreement that has ended. The list price then applies. */
  readonly endedOn: string | undefined;
  /** The list's card, with the agreement's own rates and divisor if it has any. */
  readonly card: Card;
  /** Source of the rates, if they are the agreement's own. */
  readonly ratesSource: string | undefined;
  readonly discounts: DiscountTable | undefined;
  readonly minimum: { readonly commercial: Minimum; readonly residential: Minimum };
  readonly caps: RateCaps | undefined;
  /** By kind of address, usually the same for both. Undefined if the list's surcharges apply. */
  readonly charges: { readonly commercial: OwnCharges; readonly residential: OwnCharges } | undefined;
  /** Parts of the bill that the agreement waives, so that no price lacks them. Undefined if there are none. */
  readonly waived: { readonly commercial: WaivedParts; readonly residential: WaivedParts } | undefined;
  /** Tiers in force that programs have earned, by name. Undefined if there are none. */
  readonly earned: ReadonlyMap<string, EarnedTier> | undefined;
  /** Last day of the spend that the tier is based on, if it is too old to be certain. Null if no spend is known. */
  readonly spendUntil: string | null | undefined;
  /** Warning bits: see `warning.ts`. */
  readonly warnings: number;
  /** Terms that replace these if somebody else pays, or for a return. Undefined if they are the same. */
  readonly byBilling: Readonly<Record<OtherBilling, Terms>> | undefined;
}

/** Returns the terms that apply to a kind of billing. @param billing undefined if the shipper pays */
export const termsFor = (terms: Terms | undefined, billing: OtherBilling | undefined): Terms | undefined =>
  terms?.byBilling === undefined || billing === undefined ? terms : terms.byBilling[billing];

/** Terms of a client's agreements for the cards of a day. */
export interface Account {
  /** Returns the terms of each card that an agreement of the warehouse covers. They are parallel to the book's cards. */
  readonly termsOn: (book: RateBook, warehouseId: number) => CardTerms;
}

/** Parallel to the cards of a book. Empty if no agreement covers any. */
export type CardTerms = readonly (Terms | undefined)[];

export const NO_TERMS: CardTerms = [];

/** The account of a client without agreements. */
export const LIST_PRICES: Account = { termsOn: () => NO_TERMS };

const NO_DISCOUNT: Combination = { rate: basisPoints(0), parts: [] };

/** Returns the index into `combinations` for a weight and a column. */
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

/** Returns the discount parts for a weight and a column. */
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

/** Returns a percentage of a base, rounded half away from zero. The percentage may be negative. */
export const signedPercentOf = (baseCents: number, rate: number): number =>
  rate < 0 ? -percentOf(baseCents, basisPoints(-rate)) : percentOf(baseCents, basisPoints(rate));

/** Returns the cents that percentages and amounts take off a base, at most all of it. */
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

/** Returns the cap on a package's net base in cents; 0 without one. */
export const capAt = ({ caps }: Terms, column: number, billingLb: number): number =>
  caps === undefined || billingLb > caps.topLb
    ? 0
    : (caps.cents[column * (caps.topLb + 1) + billingLb] ?? missing('a rate cap'));

export const minimumOf = ({ minimum }: Terms, residential: boolean, column: number): Minimum => {
  const own = residential ? minimum.residential : minimum.commercial;
  return own.byColumn === undefined ? own : (own.byColumn[column] ?? missing('the minimum of a column'));
};

/** Returns the discount of one package in cents without the minimum: percentages, then amounts, then the cap. */
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

/** Limits a discount. A negative discount stays as it is, and a minimum charge never raises a base. */
const leaving = (off: number, most: number): number => (off < 0 ? off : Math.max(0, Math.min(off, most)));

/** Returns the discount of one package in cents, limited by the minimum. */
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

/** Returns the discount of a shipment that is rated as a whole, in cents, before the minimum limits it. */
export const discountTogetherBeforeMinimum = (
  terms: Terms,
  column: number,
  ratedLb: number,
  residential: boolean,
  baseCents: number,
): number => partsOff(terms, column, ratedLb, residential, true, baseCents);

/** Returns the discount of a shipment that is rated as a whole, in cents, limited by the minimum. */
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

/** Returns the charge that replaces a surcharge of the card. Undefined if the list surcharge applies. */
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
 * Returns an amount in cents or a percentage in basis points after one change. `percent off` rounds half up. For an
 * amount it rounds what comes off, as for the base. For a percentage it rounds the rest: 25% off 26.50% is 19.88%.
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
      // If the list charges nothing, the agreement charges nothing.
      return amount === 0 ? 0 : value;
    case 'own rate':
      return value;
    case 'waived':
      return 0;
    default:
      return kind satisfies never;
  }
};

/** Returns an amount or a percentage after all changes of a column. */
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

/** Returns the bits of `price.incomplete` that an agreement waives. */
export const waivedOn = (
  terms: Terms | undefined,
  column: number,
  residential: boolean,
  signature: Signature | 'none' = 'none',
): number =>
  terms?.waived === undefined
    ? 0
    : (terms.waived[residential ? 'residential' : 'commercial'][signature][column] ?? missing('the waived parts'));

/** A client that ships: its registered warehouses and the terms of its agreements. */
export interface Shipper {
  readonly warehouses: ReadonlyMap<number, Warehouse>;
  readonly account: Account;
}
