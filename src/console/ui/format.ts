/** Numbers, times and ranges as text. */
import { must } from '../../base/must.ts';

type Options = Intl.NumberFormatOptions;

/** Returns a function that formats numbers. */
const numbers = (options?: Options): ((value: number) => string) => new Intl.NumberFormat('en-US', options).format;
const dollars = (options?: Options) => numbers({ style: 'currency', currency: 'USD', ...options });
const percents = (options: Options) => numbers({ style: 'percent', ...options });

const cents = dollars();
const differences = dollars({ signDisplay: 'exceptZero' });
const differentShares = percents({ maximumFractionDigits: 2, signDisplay: 'exceptZero' });
const shares = percents({ maximumFractionDigits: 1 });
const instants = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const clocks = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });
const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const zones = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' });

export const count = numbers();
/** Uses a minus sign, which is as wide as a plus sign. */
const signed = (text: string): string => text.replace('-', '−');
/** @param value in dollars */
export const money = (value: number): string => signed(cents(value));
/** Formats dollars without cents. @param value in dollars */
export const wholeMoney = dollars({ maximumFractionDigits: 0 });
/** Formats `+$12.00` for more, `−$12.00` for less. @param value in dollars */
export const difference = (value: number): string => signed(differences(value));
/** Formats with a sign: `+4.2%`. @param value in percent; null if there is nothing to compare with */
export const differencePercent = (value: number | null): string =>
  value === null ? '—' : signed(differentShares(value / 100));
/** @param part of `whole`. If `whole` is 0, the result is 0%. A small part is never 0%, and an incomplete part never 100%. */
export const percent = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : part / whole;
  if (share > 0 && share < 0.001) return 'under 0.1%';
  return share < 1 && share > 0.999 ? 'over 99.9%' : shares(share);
};

const roughCounts = numbers({ maximumSignificantDigits: 2 });
const roughDollars = dollars({ maximumSignificantDigits: 3 });

/** Formats an estimate without meaningless digits: `about 5,000`. */
export const about = (value: number): string => `about ${roughCounts(value)}`;
/** Formats `about $171,000`. @param value in dollars */
export const aboutMoney = (value: number): string => `about ${roughDollars(Math.round(value))}`;

const names = new Intl.ListFormat('en-US');
/** Formats `101, 102, and 103`. */
export const allOf = (some: readonly string[]): string => names.format(some);
const choices = new Intl.ListFormat('en-US', { type: 'disjunction' });
/** Formats `101, 102, or 103`. */
export const anyOf = (some: readonly string[]): string => choices.format(some);

/** Capitalizes the first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats `UPS`, or `UPS (UPS-GROUND)` if only some of its services are meant. */
export const carrierText = (of: { carrier: string; services: readonly string[]; allServices: boolean }): string =>
  of.allServices ? of.carrier : `${of.carrier} (${of.services.join(', ')})`;

/** Formats `1 row`, `2 rows`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** @param instant RFC 3339 */
export const instant = (text: string): string => instants.format(new Date(text));
/** Formats `2:24 PM`. @param text RFC 3339 */
export const clock = (text: string): string => clocks.format(new Date(text));
/** Formats the browser's time zone then: `EST`. @param text RFC 3339 */
export const zoneOf = (text: string): string =>
  zones.formatToParts(new Date(text)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
export const day = (text: string): string => days.format(new Date(text));
/** @param date `YYYY-MM-DD`, the same day in every time zone */
export const dayOf = (date: string): string => day(`${date}T12:00`);
/** Formats ids of tariffs and agreements with their dates, without the version hash: `fedex-2026 from Jan 5, 2026`. */
export const withoutVersions = (text: string): string =>
  text.replaceAll(/@(\d{4}-\d\d-\d\d)-[0-9a-f]{8}\b/g, (_, date: string) => ` from ${dayOf(date)}`);

/** Today in the browser's time zone, `YYYY-MM-DD`. */
export const today = (): string => new Date().toLocaleDateString('en-CA');

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Formats a duration in its two largest units: `under 1 s`, `45 s`, `3 min 20 s`, `2 h 5 min`, `6 days`. */
export const duration = (seconds: number): string => {
  if (seconds < 1) return 'under 1 s';
  const whole = Math.round(seconds);
  if (whole < MINUTE_S) return `${whole} s`;
  if (whole < HOUR_S) return `${Math.floor(whole / MINUTE_S)} min ${whole % MINUTE_S} s`;
  if (whole < DAY_S) return `${Math.floor(whole / HOUR_S)} h ${Math.floor((whole % HOUR_S) / MINUTE_S)} min`;
  return counted(Math.floor(whole / DAY_S), 'day');
};

/** Formats `about 1 second`, `about 3 min 20 s`. */
export const aboutTime = (seconds: number): string =>
  `about ${seconds < MINUTE_S ? counted(Math.max(1, Math.round(seconds)), 'second') : duration(seconds)}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;
const KILO = 1_000;

export const bytes = (value: number): string => {
  let left = value;
  let unit = 0;
  for (; left >= KILO && unit < UNITS.length - 1; unit += 1) left /= KILO;
  return `${unit === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${must(UNITS[unit], 'a unit of bytes')}`;
};

/** Formats three-digit ZIP codes as ranges: `005, 010–027`. */
export const zipRanges = (zip3s: readonly string[]): string => {
  const ranges: { from: string; to: string }[] = [];
  for (const zip3 of [...zip3s].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && Number(zip3) === Number(last.to) + 1) last.to = zip3;
    else ranges.push({ from: zip3, to: zip3 });
  }
  return ranges.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(', ');
};

/**
 * Returns the name of a charge. Handling and signatures always have the same names, even if carriers use other names:
 * `Additional handling, weight` and `Direct signature required`.
 * @param description from the tariff; undefined for a charge that the tariff lacks
 */
export const chargeTitle = (type: string, description?: string): string => {
  const [, group, sort = ''] = /^(ADDITIONAL_HANDLING|SIGNATURE|DELIVERY_AREA)_([A-Z]+)$/.exec(type) ?? [];
  const words = sort.toLowerCase();
  if (group === 'ADDITIONAL_HANDLING') return `Additional handling, ${words}`;
  if (group === 'SIGNATURE') return `${sort.charAt(0)}${words.slice(1)} signature required`;
  if (description !== undefined) return description;
  return words === '' ? type.charAt(0) + type.slice(1).replaceAll('_', ' ').toLowerCase() : `Delivery area, ${words}`;
};
