/** Declares a carrier for imports: its services, its rules and its files. `carriers.ts` lists the carriers. */
import { byText } from '../../base/by-text.ts';
import { present } from '../../base/present.ts';
import type { ServiceEntry, SurchargeEntry, TariffFile, TariffFileInput } from '../../catalog/tariff/document.ts';
import type { PdfPage } from './pdf.ts';
import type { ParsedChart, ParsedFile, Reader } from './reader.ts';
import type { Sheet } from './xlsx.ts';

/* Facts that files do not state and that apply to every carrier: limits, military post, and zone numbers. */

/** Cubic inches per pound, for files that state no factor, such as FedEx's list rates. */
export const DIMENSIONAL_FACTOR = 139;
export const MAXIMUM_ACTUAL_LB = 150;

/** FedEx and UPS round sides up to the inch from this day on. Earlier, they rounded to the nearest inch. */
const SIDES_UP_FROM = '2025-08-18';

/** Side rounding in a tariff of this date, for a carrier that changes from the nearest inch to rounding up on a day. */
export const roundedUpFrom = (day: string, effective: string): ServiceEntry['sideRounding'] => {
  if (effective >= day) return 'up';
  return [
    { from: effective, rounding: 'nearest' },
    { from: day, rounding: 'up' },
  ];
};

/** Side rounding by both carriers in a tariff of this date. */
export const upFrom2025 = (effective: string): ServiceEntry['sideRounding'] => roundedUpFrom(SIDES_UP_FROM, effective);

/** Whether a zone is in the contiguous states. Carriers number these zones 2 to 8 for each service (`102`, `302`). */
export const isContiguous = (zone: string): boolean => /^(?:[1-8]|[1-3][034][2-8])$/.test(zone);

/** The zone from 1 to 8 in which a rate column is reported. 8 for Alaska, Hawaii and anything farther. */
export const reportedZone = (column: string): number => (isContiguous(column) ? Number(column.slice(-1)) : 8);

/** The rate columns of zones 2 to 8, nearest first; undefined if any is missing. */
export const distanceColumnsOf = (columns: readonly string[]): string[] | undefined => {
  const nearest = [2, 3, 4, 5, 6, 7, 8].map((zone) =>
    columns.find((column) => isContiguous(column) && reportedZone(column) === zone),
  );
  return nearest.every((column) => column !== undefined) ? nearest : undefined;
};

/*
 * Carriers' holidays, on which they neither move nor deliver, and how certain each date is: stated by the carrier or its rule
 * (`sourced`), derived from the carrier's list of holidays and an earlier year (`derived`), or not confirmed for that weekday
 * (`check`). A holiday on a Saturday closes that Saturday. The Friday before is a normal day. Sources: Employee and Labor
 * Relations Manual 518.1 of the Postal Service; FedEx Service Guide 2025-07-14; for UPS the same six days.
 */

type Calendar = NonNullable<TariffFileInput['calendars']>[string];
type Holiday = Calendar['holidays'][number];

const on = (status: Holiday['status'], ...dates: readonly string[]): Holiday[] =>
  dates.map((date) => ({ date, status }));

const calendar = (...holidays: readonly Holiday[]): Calendar => ({
  holidays: holidays.toSorted((a, b) => byText(a.date, b.date)),
  until: '2027-12-31',
});

export const USPS_CALENDAR = calendar(
  ...on('sourced', '2026-01-01', '2026-01-19', '2026-02-16', '2026-05-25', '2026-06-19', '2026-07-04'),
  ...on('sourced', '2026-09-07', '2026-10-12', '2026-11-11', '2026-11-26', '2026-12-25'),
  ...on('derived', '2027-01-01', '2027-01-18', '2027-02-15', '2027-05-31', '2027-06-19', '2027-07-05'),
  ...on('derived', '2027-09-06', '2027-10-11', '2027-11-11', '2027-11-25', '2027-12-25'),
);

export const FEDEX_CALENDAR = calendar(
  ...on('derived', '2026-01-01', '2026-05-25', '2026-09-07', '2026-11-26', '2026-12-25'),
  ...on('derived', '2027-01-01', '2027-05-31', '2027-09-06', '2027-11-25', '2027-12-25'),
  ...on('check', '2026-07-04', '2027-07-05'),
);

export const UPS_CALENDAR = calendar(
  ...on('derived', '2026-01-01', '2026-05-25', '2026-07-04', '2026-09-07', '2026-11-26', '2026-12-25'),
  ...on('derived', '2027-01-01', '2027-05-31', '2027-07-05', '2027-09-06', '2027-11-25', '2027-12-25'),
);

type Transit = NonNullable<TariffFileInput['services'][number]['transit']>;

const WEEK = ['MON', 'TUE', 'WED', 'THU', 'FRI'] as const;

/** Business days from Monday to Friday. @param days the days that the service's name promises */
export const weekdays = (days?: number): Transit => ({ weekdays: [...WEEK], ...present({ days }) });

/** Monday to Saturday. */
export const MAIL_DAYS: Transit = { weekdays: [...WEEK, 'SAT'] };

/** A service's limits and destinations, and what it does not offer or charge. */
type Limit =
  | 'maximumActualLb'
  | 'maximumLengthIn'
  | 'maximumLengthPlusGirthIn'
  | 'dimensionalOverCubicIn'
  | 'maximumDimensionalLb';
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
  /**
   * The day from which the `later` thresholds of the charge catalog apply. Undefined if it publishes none of the
   * catalog's thresholds.
   */
  readonly volumeFrom?: string;
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
