/** Earned tiers: which one is in force on a day, and why. */
import { centsOf } from '../tariff/compile-charges.ts';
import { periodOn, shifted } from '../tariff/days.ts';
import type { AgreementFile, AgreementTables, TierLine } from './document.ts';

export interface Tier {
  /** Absent: the average is below the first band. */
  readonly tier?: string;
  /** What decided: a tier that was set, the grace period, the average spend, or that nothing is known. */
  readonly by: 'inForce' | 'grace' | 'average' | 'nothing';
  /** The average in cents a week, and the weeks that it is of. */
  readonly averageCents?: number;
  readonly weeks?: number;
  /** The last week that counted. */
  readonly spendUntil?: string;
  /** The spend is older than the week before the last. */
  readonly isUncertain: boolean;
}

interface Files {
  readonly file: AgreementFile;
  readonly tables: Pick<AgreementTables, 'tiers' | 'spend'>;
}

const WEEK_DAYS = 7;
/** The spend of a week may come in a week late. */
const LATE_DAYS = 7;

/** The position of the band that an average is in; -1 below the first. `sum` is of so many weeks, in cents. */
const bandOf = (tiers: readonly TierLine[], sum: number, weeks: number): number =>
  tiers.findLastIndex(({ fromUsd }) => sum >= centsOf(fromUsd) * weeks);

interface WeekTier {
  /** The first day that it is in force. */
  readonly from: string;
  readonly weekEnding: string;
  readonly band: number;
  readonly sum: number;
  readonly weeks: number;
}

/** The tier from each week's average on. It rises at once, and falls after so many lower weeks in a row. */
const weekTiers = ({ file, tables }: Files): WeekTier[] => {
  const { averageWeeks, lowerAfterWeeks, fromDaysAfter } = file.earned;
  const spend = tables.spend.toSorted((a, b) => (a.weekEnding < b.weekEnding ? -1 : 1));
  let band = -1;
  let lower = 0;
  return spend.map(({ weekEnding }, index) => {
    const counted = spend.slice(Math.max(0, index + 1 - averageWeeks), index + 1);
    const sum = counted.reduce((total, { usd }) => total + centsOf(usd), 0);
    const own = bandOf(tables.tiers, sum, counted.length);
    lower = own < band ? lower + 1 : 0;
    if (own > band || index === 0 || lower >= lowerAfterWeeks) {
      band = own;
      lower = 0;
    }
    return { from: shifted(weekEnding, fromDaysAfter), weekEnding, band, sum, weeks: counted.length };
  });
};

/** The days on which the tier, or what it rests on, may change. */
export const tierSteps = (files: Files, effective: string): string[] => {
  const { inForce, grace, fromDaysAfter } = files.file.earned;
  if (files.tables.tiers.length === 0 && inForce.length === 0 && grace === undefined) return [];
  const weeks = weekTiers(files);
  const last = weeks.at(-1);
  return [
    effective,
    ...inForce.flatMap(({ from, until }) => [from, ...(until === undefined ? [] : [shifted(until, 1)])]),
    ...(grace === undefined ? [] : [shifted(grace.until, 1)]),
    ...weeks.map(({ from }) => from),
    ...(last === undefined ? [] : [shifted(last.weekEnding, WEEK_DAYS + fromDaysAfter + LATE_DAYS)]),
  ];
};

/** The tier on a day; undefined if the agreement has no tiers. */
export const tierOn = (files: Files, effective: string, day: string): Tier | undefined => {
  const { tiers } = files.tables;
  const { inForce, grace, fromDaysAfter } = files.file.earned;
  if (tiers.length === 0 && inForce.length === 0 && grace === undefined) return undefined;
  const set = periodOn(inForce, day);
  if (set !== undefined) return { tier: set.tier, by: 'inForce', isUncertain: false };
  if (grace !== undefined && effective <= day && day <= grace.until)
    return { tier: grace.tier, by: 'grace', isUncertain: false };
  const week = weekTiers(files).findLast(({ from }) => from <= day);
  if (week === undefined) return { by: 'nothing', isUncertain: tiers.length > 0 };
  const { weekEnding, sum, weeks, band } = week;
  const tier = tiers[band]?.tier;
  return {
    ...(tier === undefined ? {} : { tier }),
    by: 'average',
    averageCents: Math.floor(sum / weeks),
    weeks,
    spendUntil: weekEnding,
    isUncertain: day >= shifted(weekEnding, WEEK_DAYS + fromDaysAfter + LATE_DAYS),
  };
};
