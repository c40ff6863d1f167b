/**
 * Rows of FedEx's fee tables, as what reads the charges sees them, and what the charges share.
 */
import { getOrMake } from '../../base/maps.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { dollarText } from '../../rating/quantity.ts';
import type { ParsedCharge } from '../read/reader.ts';
import { type Amount, amountsIn, type NamedServices, type SharedZones } from './fee-text.ts';
import { FEDEX_GROUND_SERVICES, FEDEX_PACKAGE_SERVICES } from './services.ts';

type Entry = ParsedCharge['entry'];
type When = NonNullable<SurchargeEntry['when']>;
type Measures = NonNullable<When['anyOf']>;

/** A row of a charge that concerns packages within the United States, with one column's text. */
export interface ChargeRow {
  /** `page 4`. */
  readonly at: string;
  readonly names: NamedServices;
  /** All texts of the row, for messages. */
  readonly whole: string;
  readonly cell: string;
}

export interface Draft extends Omit<ParsedCharge, 'carrier'> {
  /** The ship date of a footnote. */
  readonly begins?: string | undefined;
  /** The last ship date before that of a footnote. */
  readonly ends?: string | undefined;
  /** Measures that count from a date on, besides those of `entry.when.anyOf`. */
  readonly later?: { readonly from: string; readonly anyOf: Measures };
}

/** What reads a charge: the rows that it could not understand go to `refuse`. */
export interface Context {
  readonly shared: SharedZones;
  readonly refuse: (row: ChargeRow, problem: string) => void;
}

/**
 * What each service pays: the amount of the row that names it, else of the row for all package services.
 * @returns services with the same amounts together
 */
export const ruled = <T>(rows: readonly { row: ChargeRow; value: T }[], { refuse }: Context) => {
  const rulings = new Map<string, { row: ChargeRow; codes: string[]; value: T }>();
  for (const code of FEDEX_PACKAGE_SERVICES) {
    const ofCode = rows.filter(({ row }) => row.names.codes.includes(code));
    const named = ofCode.filter(({ row }) => !row.names.general);
    const [first, ...more] = named.length > 0 ? named : ofCode;
    if (first === undefined) continue;
    const key = JSON.stringify(first.value);
    const other = more.find(({ value }) => JSON.stringify(value) !== key);
    if (other !== undefined) refuse(other.row, `contradicts another row for ${code}`);
    getOrMake(rulings, key, () => ({ row: first.row, codes: [], value: first.value })).codes.push(code);
  }
  return [...rulings.values()];
};

export const NOT_UNDERSTOOD = 'is not understood: the charge would be missing';

/** The one amount per package of each row. */
export const singles = (rows: readonly ChargeRow[], { refuse }: Context): { row: ChargeRow; value: Amount }[] =>
  rows
    .filter(({ names }) => names.maximumFor === undefined)
    .flatMap((row) => {
      const [amount, ...more] = amountsIn(row.cell) ?? [];
      if (amount?.per === 'package' && amount.label === '' && amount.qualifier === '' && more.length === 0)
        return [{ row, value: amount }];
      refuse(row, NOT_UNDERSTOOD);
      return [];
    });

export const perPackage = (cents: number): Entry['amount'] => ({ per: 'package', usd: dollarText(cents) });

export const isGround = (code: string): boolean => FEDEX_GROUND_SERVICES.includes(code);

/** Express services, then ground services; without empty groups. */
export const byNetwork = (codes: readonly string[]): string[][] =>
  [codes.filter((code) => !isGround(code)), codes.filter(isGround)].filter(({ length }) => length > 0);

/** Amounts per shipment of the rows that state maxima. */
export const maximaOf = (rows: readonly ChargeRow[], { refuse }: Context): { row: ChargeRow; amounts: Amount[] }[] =>
  rows
    .filter(({ names }) => names.maximumFor !== undefined)
    .flatMap((row) => {
      const amounts = amountsIn(row.cell);
      if (amounts?.every(({ per, from }) => per === 'shipment' && from === undefined)) return [{ row, amounts }];
      refuse(row, 'is not understood: the most that a shipment pays would be missing');
      return [];
    });

/** The most that a shipment with multiweight prices pays, in cents, of ground and of express services. */
export const maximumOf = (
  found: readonly { row: ChargeRow; amounts: readonly Amount[] }[],
  is: (amount: Amount) => boolean,
) => {
  const of = (network: 'ground' | 'express'): number | undefined =>
    found
      .filter(({ row }) => row.names.maximumFor?.[network] === true)
      .flatMap(({ amounts }) => amounts)
      .find(is)?.cents;
  return { ground: of('ground'), express: of('express') };
};

/** Each group of services, with its maximum. Services with the same maximum are together. */
export const withMaxima = (codes: readonly string[], { ground, express }: ReturnType<typeof maximumOf>) =>
  (ground === express ? [[...codes]] : byNetwork(codes)).map((group) => {
    const cents = group.every(isGround) ? ground : express;
    return { group, cap: cents === undefined ? {} : { multiweightMaximumUsd: dollarText(cents) } };
  });
