/** Declares a carrier for imports: its services, its rules and its files. `carriers.ts` lists the carriers. */
import { byText } from '../../base/by-text.ts';
import type { ServiceEntry, SurchargeEntry, TariffFile } from '../../catalog/tariff/document.ts';
import type { PdfPage } from './pdf.ts';
import type { ParsedChart, ParsedFile, Reader } from './reader.ts';
import type { Sheet } from './xlsx.ts';

/** A service's limits and destinations, and what it does not offer or charge. */
type Limit = 'maximumActualLb' | 'maximumLengthIn' | 'maximumLengthPlusGirthIn' | 'dimensionalOverCubicIn';
type Terms = Partial<Pick<ServiceEntry, Limit | 'deliversTo' | 'transit' | 'refusesPoBox' | 'refuses' | 'hasNo'>>;

export interface CarrierService {
  readonly code: string;
  /** The name in the carrier's files. */
  readonly description: string;
  /** Beginnings of words. A price list is only for this service if its title has all words of any entry. */
  readonly named?: readonly (readonly string[])[];
  readonly terms: Terms;
  /** Whether it has no list rates, so that files may lack it. */
  readonly byContract?: true;
}

/** A kind of carrier file. Recognized by content, never by name. */
export interface FileKind<Content> {
  /** Such as `a zone locator`. */
  readonly called: string;
  readonly is: (content: Content) => boolean;
  readonly read: (content: Content) => ParsedFile;
}

export interface Carrier {
  /** In its own spelling. */
  readonly name: string;
  /** The part of its service codes before the first hyphen. */
  readonly prefix: string;
  /** Short name, for charts. */
  readonly slug: string;
  /** From the slowest to the fastest. */
  readonly services: readonly CarrierService[];
  /** Groups of services, as named in its fuel and charge tables. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** For services without a column of their own: the column they share in its charts. */
  readonly columnOf: ParsedChart['columnOf'];
  /** Miles: upper bounds of zones 2 to 7, fitted to its charts. */
  readonly distanceMiles?: readonly number[];
  /** How it rounds sides, in a tariff of this date. */
  readonly sideRounding: (effective: string) => ServiceEntry['sideRounding'];
  readonly calendar: NonNullable<TariffFile['calendars']>[string];
  /** Whether it sets a new fuel rate every week. */
  readonly hasWeeklyFuel: boolean;
  /** Whether it publishes the thresholds in the charge catalog. */
  readonly hasPublishedRules: boolean;
  /** Charges that it has even if no file states the amount. Quotes then report them as missing. */
  readonly unpriced?: readonly Pick<SurchargeEntry, 'type' | 'description' | 'when'>[];
  /** Destinations that it does not serve, although wide ranges in its charts include them. */
  readonly undelivered: readonly string[];
  readonly pdfs: readonly FileKind<readonly PdfPage[]>[];
  readonly workbooks: readonly FileKind<readonly Sheet[]>[];
  /** Readers of text files. `accepts` recognizes each kind. */
  readonly texts: readonly Reader[];
}

/** Longer texts are not titles. */
const LONGEST_TITLE = 200;

/** The service whose words a title contains: `Priority Mail - Retail`. Express is a different service. */
export const titledIn = (services: readonly CarrierService[], title: string): CarrierService | undefined => {
  const words = title.length > LONGEST_TITLE ? [] : title.toLowerCase().split(/[^a-z0-9]+/);
  if (words.includes('express')) return undefined;
  const has = (wanted: string): boolean => words.some((word) => word.startsWith(wanted));
  return services.find(({ named = [] }) => named.some((all) => all.every(has)));
};

/** Compares codes by their order in a list. Others come last, in text order. */
export const orderOf =
  (codes: readonly string[]) =>
  (a: string, b: string): number => {
    const rankOf = (code: string): number => (codes.includes(code) ? codes.indexOf(code) : codes.length);
    return rankOf(a) - rankOf(b) || byText(a, b);
  };
