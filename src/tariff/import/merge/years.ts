/** Files of another year than the tariff. A file of a carrier is for one year. */
import { shifted } from '../../days.ts';
import type { ParsedCharge, Source } from '../read/reader.ts';

/** Carriers publish new rates every year, 52 or 53 weeks after those before. */
const RATES_DAYS = 350;
/** The carriers' rates of one year begin within some weeks of each other, and one tariff may hold both. */
const EARLY_DAYS = 31;

/** The days on which a tariff with these rates may begin; undefined if the file states no date. */
const yearOf = ({ effective, year }: Source['reading']): { of: string; from: string; before: string } | undefined => {
  if (effective !== undefined)
    return { of: effective, from: shifted(effective, -EARLY_DAYS), before: shifted(effective, RATES_DAYS) };
  if (year === undefined) return undefined;
  return { of: year, from: shifted(`${year}-01-01`, -EARLY_DAYS), before: `${year}-12-20` };
};

/** A question for each file whose rates are of another year than the tariff. */
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
/** Rates and charges of one year begin within some weeks of each other. */
const SAME_YEAR_DAYS = 180;

/** The date that the rates of the carriers of these charges state; undefined if they state none. */
const ratesDate = (charges: readonly ParsedCharge[], sources: readonly Source[]): string | undefined => {
  const carriers = new Set(charges.map(({ carrier }) => carrier));
  const dates = sources.flatMap(({ reading: { rates, effective } }) =>
    effective !== undefined && rates.some(({ carrier }) => carriers.has(carrier)) ? [effective] : [],
  );
  return dates.toSorted().at(-1);
};

/** What is wrong with the dates of a file of charges, if it is of another year than the tariff. */
export const misdatedCharges = (
  { file, reading: { charges, effective: stated } }: Source,
  effective: string,
  sources: readonly Source[],
): string[] => {
  if (charges.length === 0) return [];
  const begins = charges.flatMap(({ entry: { from } }) => from ?? []);
  const ends = charges.flatMap(({ entry: { until } }) => until ?? []);
  const rated = ratesDate(charges, sources);
  if (stated !== undefined && rated !== undefined && stated < shifted(rated, -SAME_YEAR_DAYS))
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
