/** Finds files for another year than the tariff's. Each carrier file is for one year. */
import { shifted } from '../../catalog/tariff/days.ts';
import type { Source } from '../read/reader.ts';

/** Carriers publish new rates every year, after 52 or 53 weeks. */
const RATES_DAYS = 350;
/** Carriers' rates for one year begin within a few weeks of each other, and one tariff may contain several carriers. */
const EARLY_DAYS = 31;

/** The days on which a tariff with these rates may begin; undefined if the file states no date. */
const yearOf = ({ effective, year }: Source['reading']): { of: string; from: string; before: string } | undefined => {
  if (effective !== undefined)
    return { of: effective, from: shifted(effective, -EARLY_DAYS), before: shifted(effective, RATES_DAYS) };
  if (year === undefined) return undefined;
  return { of: year, from: shifted(`${year}-01-01`, -EARLY_DAYS), before: `${year}-12-20` };
};

/** A question for each file whose rates are for another year than the tariff's. */
export const misdatedRates = (sources: readonly Source[], effective: string): string[] =>
  sources.flatMap(({ file, reading }) => {
    const year = reading.rates.length === 0 ? undefined : yearOf(reading);
    if (year === undefined || (year.from <= effective && effective < year.before)) return [];
    const question = effective < year.from ? 'is there the list before it?' : 'is there a newer one?';
    return [`${file} has the rates of ${year.of}, and the tariff begins on ${effective}: ${question}`];
  });

/** Carriers publish new charges every year. */
const YEAR_DAYS = 365;
const OLD_SHEET_DAYS = 548;
/** A sheet states the charges of its year and the year before, and may be published half a year late. */
const LATE_SHEET_DAYS = 548;
/** Rates and charges for one year begin within this many days of each other. */
const SAME_YEAR_DAYS = 180;

/** The dates of files with rates, or with charges, for these carriers. */
const datesOf = (kind: 'rates' | 'charges', carriers: ReadonlySet<string>, sources: readonly Source[]): string[] =>
  sources.flatMap(({ reading: { effective, [kind]: entries } }) =>
    effective !== undefined && entries.some(({ carrier }) => carriers.has(carrier)) ? [effective] : [],
  );

/** Whether a sheet is for another year than the rates. A later sheet is not, if other sheets cover the years between. */
const isOfAnotherYear = (stated: string, rated: string, sheets: readonly string[]): boolean => {
  const last = shifted(rated, LATE_SHEET_DAYS);
  return stated < shifted(rated, -SAME_YEAR_DAYS) || (stated > last && sheets.every((date) => date > last));
};

/** The problems with the dates of a charge file, if it is for another year than the tariff's. */
export const misdatedCharges = (
  { file, reading: { charges, effective: stated } }: Source,
  effective: string,
  sources: readonly Source[],
): string[] => {
  if (charges.length === 0) return [];
  const begins = charges.flatMap(({ entry: { from } }) => from ?? []);
  const ends = charges.flatMap(({ entry: { until } }) => until ?? []);
  const carriers = new Set(charges.map(({ carrier }) => carrier));
  const rated = datesOf('rates', carriers, sources).toSorted().at(-1);
  // A list of rates states few charges, so it is not a sheet.
  const sheets = datesOf(
    'charges',
    carriers,
    sources.filter(({ reading }) => reading.rates.length === 0),
  );
  if (stated !== undefined && rated !== undefined && isOfAnotherYear(stated, rated, sheets))
    return [`${file} is of ${stated}, and the rates are of ${rated}: import the file for the year of the rates`];
  const advice = `and the tariff begins on ${effective}: import the file for the year of the rates`;
  const last = ends.toSorted().at(-1);
  if (last !== undefined && ends.length === charges.length && last < effective)
    return [`${file}: the last of its charges ends on ${last}, ${advice}`];
  const first = begins.toSorted()[0];
  if (first !== undefined && begins.length === charges.length && first > shifted(effective, YEAR_DAYS))
    return [`${file}: the first of its charges begins on ${first}, ${advice}`];
  const isDated = stated !== undefined || charges.every(({ entry: { from, until } }) => (from ?? until) !== undefined);
  const newest = [...begins, ...ends, ...(stated === undefined ? [] : [stated])].toSorted().at(-1);
  return isDated && newest !== undefined && newest < shifted(effective, -OLD_SHEET_DAYS)
    ? [`${file} is of ${newest}, ${advice}`]
    : [];
};
