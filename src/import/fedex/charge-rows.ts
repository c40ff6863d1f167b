/** Rows of FedEx's fee tables as the charge readers see them, and code that the charge readers share. */
import { getOrMake } from '../../base/maps.ts';
import type { Measures } from '../../catalog/tariff/charge-catalog.ts';
import { dollarText } from '../../rating/quantity.ts';
import type { ParsedCharge } from '../read/reader.ts';
import { type Amount, amountsIn, type NamedServices, type SharedZones } from './fee-text.ts';
import { FEDEX_GROUND_SERVICES, FEDEX_PACKAGE_SERVICES } from './services.ts';

type Entry = ParsedCharge['entry'];

/** One column of a row, for a charge on packages within the United States. */
export interface ChargeRow {
  /** For example, `page 4`. */
  readonly at: string;
  readonly names: NamedServices;
  /** All text of the row, for messages. */
  readonly whole: string;
  readonly cell: string;
}

export interface Draft extends Omit<ParsedCharge, 'carrier'> {
  /** The first ship date, from a footnote. */
  readonly begins?: string | undefined;
  /** The last ship date before the day in a footnote. */
  readonly ends?: string | undefined;
  /** Measures that apply from a later date, in addition to those of `entry.when.anyOf`. */
  readonly later?: readonly Measures[];
}

/** Context for reading a charge. Rows that cannot be understood go to `refuse`. */
export interface Context {
  readonly shared: SharedZones;
  readonly refuse: (row: ChargeRow, problem: string) => [];
}

/**
 * Finds what each service pays: the amount of the row that names it, or else of the row for all package services.
 * @returns services grouped by amount
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

/** Returns the amount of each row that has a single amount per package. */
export const singles = (rows: readonly ChargeRow[], { refuse }: Context): { row: ChargeRow; value: Amount }[] =>
  rows
    .filter(({ names }) => names.maximumFor === undefined)
    .flatMap((row) => {
      const [amount, ...more] = amountsIn(row.cell) ?? [];
      if (amount?.per === 'package' && amount.label === '' && amount.qualifier === '' && more.length === 0)
        return [{ row, value: amount }];
      return refuse(row, NOT_UNDERSTOOD);
    });

export const perPackage = (cents: number): Entry['amount'] => ({ per: 'package', usd: dollarText(cents) });

/** A charge per package for some services. @param entry all but its amount */
export const draftOf = (
  { at }: ChargeRow,
  services: readonly string[],
  { cents, from }: Amount,
  entry: Omit<Entry, 'amount'>,
): Draft => ({ services, at, begins: from, entry: { ...entry, amount: perPackage(cents) } });

export const isGround = (code: string): boolean => FEDEX_GROUND_SERVICES.includes(code);

/** Splits codes into express services and ground services. Omits empty groups. */
export const byNetwork = (codes: readonly string[]): string[][] =>
  [codes.filter((code) => !isGround(code)), codes.filter(isGround)].filter(({ length }) => length > 0);

/** Returns the amounts per shipment from rows that state maximum charges. */
export const maximaOf = (rows: readonly ChargeRow[], { refuse }: Context): { row: ChargeRow; amounts: Amount[] }[] =>
  rows
    .filter(({ names }) => names.maximumFor !== undefined)
    .flatMap((row) => {
      const amounts = amountsIn(row.cell);
      if (amounts?.every(({ per, from }) => per === 'shipment' && from === undefined)) return [{ row, amounts }];
      return refuse(row, 'is not understood: the most that a shipment pays would be missing');
    });

/** The maximum charge for a shipment with multiweight prices, in cents, for ground and for express services. */
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

/** Groups services by maximum charge. */
export const withMaxima = (codes: readonly string[], { ground, express }: ReturnType<typeof maximumOf>) =>
  (ground === express ? [[...codes]] : byNetwork(codes)).map((group) => {
    const cents = group.every(isGround) ? ground : express;
    return { group, cap: cents === undefined ? {} : { multiweightMaximumUsd: dollarText(cents) } };
  });
