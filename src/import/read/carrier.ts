/** What a carrier is to an import: one declaration of its services, its rules and its files. `carriers.ts` lists them. */
import { byText } from '../../base/by-text.ts';
import type { ServiceEntry, SurchargeEntry, TariffFile } from '../../catalog/tariff/document.ts';
import type { PdfPage } from './pdf.ts';
import type { ParsedChart, ParsedFile, Reader } from './reader.ts';
import type { Sheet } from './xlsx.ts';

/** The limits of a service, where it goes, and what it does not offer or charge. */
type Limit = 'maximumActualLb' | 'maximumLengthIn' | 'maximumLengthPlusGirthIn' | 'dimensionalOverCubicIn';
type Terms = Partial<Pick<ServiceEntry, Limit | 'deliversTo' | 'transit' | 'refusesPoBox' | 'refuses' | 'hasNo'>>;

export interface CarrierService {
  readonly code: string;
  /** As the carrier's files name it. */
  readonly description: string;
  /** Beginnings of words in the title of a price list that has its prices alone: all of any of these. */
  readonly named?: readonly (readonly string[])[];
  readonly terms: Terms;
  /** It has no list rates, so files may well lack it. */
  readonly byContract?: true;
}

/** A kind of file of a carrier. The content decides whether a file is one, never the name. */
export interface FileKind<Content> {
  /** Such as `a zone locator`. */
  readonly called: string;
  readonly is: (content: Content) => boolean;
  readonly read: (content: Content) => ParsedFile;
}

export interface Carrier {
  /** In its own spelling. */
  readonly name: string;
  /** What its service codes have before the first hyphen. */
  readonly prefix: string;
  /** Its short name, for charts. */
  readonly slug: string;
  /** From the slowest to the fastest. */
  readonly services: readonly CarrierService[];
  /** Groups of services, as its tables of fuel and charges name them. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** The columns in its charts of services that have none of their own. */
  readonly columnOf: ParsedChart['columnOf'];
  /** Upper bounds of zones 2 to 7 in miles, fitted to its charts. */
  readonly distanceMiles?: readonly number[];
  /** How it measures sides. */
  readonly sideRounding: (effective: string) => ServiceEntry['sideRounding'];
  /** Its holidays. */
  readonly calendar: NonNullable<TariffFile['calendars']>[string];
  /** It sets fuel every week. */
  readonly hasWeeklyFuel: boolean;
  /** It publishes the thresholds of the catalog of charges. */
  readonly hasPublishedRules: boolean;
  /** What it charges, in case that no file states how much. Quotes then say that they lack it. */
  readonly unpriced?: readonly Pick<SurchargeEntry, 'type' | 'description' | 'when'>[];
  /** Destinations that it does not serve, although they are inside a wide range of its charts. */
  readonly undelivered: readonly string[];
  readonly pdfs: readonly FileKind<readonly PdfPage[]>[];
  readonly workbooks: readonly FileKind<readonly Sheet[]>[];
  /** Files of text, which `accepts` tells from those of others. */
  readonly texts: readonly Reader[];
}

/** Longer texts are no titles. */
const LONGEST_TITLE = 200;

/** The service whose words a title has: `Priority Mail - Retail`. Express is another service. */
export const titledIn = (services: readonly CarrierService[], title: string): CarrierService | undefined => {
  const words = title.length > LONGEST_TITLE ? [] : title.toLowerCase().split(/[^a-z0-9]+/);
  if (words.includes('express')) return undefined;
  const has = (wanted: string): boolean => words.some((word) => word.startsWith(wanted));
  return services.find(({ named = [] }) => named.some((all) => all.every(has)));
};

/** A comparison of codes by their order in a list. Others come last, by text. */
export const orderOf =
  (codes: readonly string[]) =>
  (a: string, b: string): number => {
    const rankOf = (code: string): number => (codes.includes(code) ? codes.indexOf(code) : codes.length);
    return rankOf(a) - rankOf(b) || byText(a, b);
  };
