/** Earned tiers: which ones are in force on a day, and why. */
import { grouped } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { periodOn, quarterEnd, shifted } from '../tariff/days.ts';
import type { AgreementFile, AgreementTables, Period, SpendLine, TierLine } from './document.ts';

export const MEASURES = ['spend', 'packages'] as const;
export type Measure = (typeof MEASURES)[number];

/** The rules of a program, or of lines without a program. */
export interface Program extends Omit<AgreementFile['earned'], 'programs'> {
  /** Absent for lines without a program. These use average weekly spend. */
  readonly program?: string;
  readonly period: Period;
}

/** The tier of a program, or of lines without a program. */
export interface Tier {
  readonly program?: string;
  readonly measure?: Measure;
  readonly period?: Period;
  /** Absent: the average is below the first band. */
  readonly tier?: string;
  /** The reason: a tier that was set, the grace period, the average spend, or no data. */
  readonly by: 'inForce' | 'grace' | 'average' | 'nothing';
  /** The average in cents per week, and the number of weeks in it. */
  readonly averageCents?: number;
  /** The figure of a program: cents or packages per period. */
  readonly figure?: number;
  readonly weeks?: number;
  /** The last day included in the figures. */
  readonly spendUntil?: string;
  /** The last day before the next figure of a program takes effect. */
  readonly until?: string;
  /** Whether the spend is older than the week before last. */
  readonly isUncertain: boolean;
}

interface Files {
  readonly file: AgreementFile;
  readonly tables: Pick<AgreementTables, 'tiers' | 'spend'>;
}

const WEEK_DAYS = 7;
/** A week's spend may arrive a week late. */
const LATE_DAYS = 7;
const YEAR_WEEKS = 52;

/** Puts lines without a program first. */
export const programsOf = ({ earned: { programs = {}, ...own } }: AgreementFile): Program[] => [
  { ...own, period: 'week' },
  ...Object.entries(programs).map(([program, rules]) => ({ program, ...rules })),
];

export const bandsOf = (tiers: readonly TierLine[], { program }: Pick<Program, 'program'>): readonly TierLine[] =>
  tiers.filter((line) => line.program === program);

/** The program of each tier. Undefined for tiers of lines without a program. */
export const tierPrograms = (file: AgreementFile, { tiers }: Pick<AgreementTables, 'tiers'>) =>
  new Map([
    ...programsOf(file).flatMap(({ program, inForce, grace }) =>
      [...inForce, ...(grace === undefined ? [] : [grace])].map(({ tier }) => [tier, program] as const),
    ),
    // The first line wins if a name occurs twice.
    ...tiers.toReversed().map(({ tier, program }) => [tier, program] as const),
  ]);

/** Returns whether a program counts packages or spend. */
export const measureOf = (bands: readonly TierLine[]): Measure =>
  bands.some(({ fromPackages }) => fromPackages !== undefined) ? 'packages' : 'spend';

/** Where a band begins, in cents or packages. */
export const bandStart = ({ fromUsd, fromPackages = 0 }: TierLine): number =>
  fromUsd === undefined ? fromPackages : centsOf(fromUsd);

/** The weeks that a program counts, by date: its own, or else the weeks without a program. */
export const weeksOf = (spend: readonly SpendLine[], { program }: Pick<Program, 'program'>): readonly SpendLine[] => {
  const own = spend.some((line) => line.program === program) ? program : undefined;
  return spend.filter((line) => line.program === own).sort((a, b) => (a.weekEnding < b.weekEnding ? -1 : 1));
};

/** Returns the end of the week or quarter that follows one with this end. */
const nextEnd = (end: string, period: Period): string =>
  period === 'quarter' ? quarterEnd(shifted(end, 1)) : shifted(end, WEEK_DAYS);

/** Weeks that are counted together, up to `end`. */
interface Counted {
  readonly end: string;
  readonly weeks: readonly SpendLine[];
}

/** The quarters whose weeks are all known. A week belongs to the quarter of its last day. */
const quartersOf = (spend: readonly SpendLine[]): Counted[] => {
  const isOf = (end: string, week: SpendLine | undefined, days: number): boolean =>
    week !== undefined && quarterEnd(shifted(week.weekEnding, days)) === end;
  return [...grouped(spend, ({ weekEnding }) => quarterEnd(weekEnding))]
    .filter(([end, weeks]) => !isOf(end, weeks[0], -WEEK_DAYS) && !isOf(end, weeks.at(-1), WEEK_DAYS))
    .map(([end, weeks]) => ({ end, weeks }));
};

const countedOf = (spend: readonly SpendLine[], { period, averageWeeks }: Program): Counted[] =>
  period === 'quarter'
    ? quartersOf(spend)
    : spend.map(({ weekEnding }, index) => ({
        end: weekEnding,
        weeks: spend.slice(Math.max(0, index + 1 - averageWeeks), index + 1),
      }));

/**
 * The band from each week or quarter on. It rises at once. It falls after a set number of lower figures in a row. A figure
 * is `sum` times `times`, divided by `over`, in cents or packages.
 */
const foundTiers = ({ tables }: Files, program: Program) => {
  const { period, lowerAfterWeeks, fromDaysAfter } = program;
  const bands = bandsOf(tables.tiers, program);
  const isPackages = measureOf(bands) === 'packages';
  let band = -1;
  let lower = 0;
  return countedOf(weeksOf(tables.spend, program), program).map(({ end, weeks }, index) => {
    const sum = weeks.reduce((all, { usd, packages = 0 }) => all + (isPackages ? packages : centsOf(usd ?? '0.00')), 0);
    const times = period === 'year' ? YEAR_WEEKS : 1;
    const over = period === 'quarter' ? 1 : weeks.length;
    // The last band that the figure reaches, or -1 below the first.
    const own = bands.findLastIndex((line) => sum * times >= bandStart(line) * over);
    lower = own < band ? lower + 1 : 0;
    if (own > band || index === 0 || lower >= lowerAfterWeeks) {
      band = own;
      lower = 0;
    }
    return { from: shifted(end, fromDaysAfter), end, band, sum, times, over, weeks: weeks.length };
  });
};

/** The first day on which the tier is uncertain because a newer figure should have arrived. */
const staleFrom = (end: string, { period, fromDaysAfter }: Program): string =>
  shifted(nextEnd(end, period), fromDaysAfter + LATE_DAYS);

const hasTiers = ({ tables }: Files, { program, inForce, grace }: Program): boolean =>
  inForce.length > 0 || grace !== undefined || tables.tiers.some((line) => line.program === program);

/** The days on which a tier or its basis may change. */
export const tierSteps = (files: Files, effective: string): string[] =>
  programsOf(files.file)
    .filter((program) => hasTiers(files, program))
    .flatMap((program) => {
      const { inForce, grace } = program;
      const found = foundTiers(files, program);
      const last = found.at(-1);
      return [
        effective,
        ...inForce.flatMap(({ from, until }) => [from, ...(until === undefined ? [] : [shifted(until, 1)])]),
        ...(grace === undefined ? [] : [shifted(grace.until, 1)]),
        ...found.map(({ from }) => from),
        ...(last === undefined ? [] : [staleFrom(last.end, program)]),
      ];
    });

/** The tier of a program on a day. The program must have tiers. */
export const tierOn = (files: Files, program: Program, effective: string, day: string): Tier => {
  const { period, inForce, grace, fromDaysAfter } = program;
  const bands = bandsOf(files.tables.tiers, program);
  const own = program.program === undefined ? {} : { program: program.program, measure: measureOf(bands), period };
  const set = periodOn(inForce, day);
  if (set !== undefined) return { ...own, tier: set.tier, by: 'inForce', isUncertain: false };
  if (grace !== undefined && effective <= day && day <= grace.until)
    return { ...own, tier: grace.tier, by: 'grace', isUncertain: false };
  const found = foundTiers(files, program).findLast(({ from }) => from <= day);
  if (found === undefined) return { ...own, by: 'nothing', isUncertain: bands.length > 0 };
  const { end, band, sum, times, over, weeks } = found;
  const tier = bands[band]?.tier;
  const figure = Math.floor((sum * times) / over);
  return {
    ...own,
    ...present({ tier }),
    by: 'average',
    ...(program.program === undefined
      ? { averageCents: figure }
      : { figure, until: shifted(nextEnd(end, period), fromDaysAfter - 1) }),
    weeks,
    spendUntil: end,
    isUncertain: day >= staleFrom(end, program),
  };
};

/** The tiers on a day, with lines without a program first. Empty if the agreement has no tiers. */
export const tiersOn = (files: Files, effective: string, day: string): readonly Tier[] =>
  programsOf(files.file)
    .filter((program) => hasTiers(files, program))
    .map((program) => tierOn(files, program, effective, day));

/** Returns the first band above both a tier and a figure. */
export const nextBand = (
  bands: readonly TierLine[],
  tier: string | undefined,
  figure = Number.NEGATIVE_INFINITY,
): TierLine | undefined => {
  const place = bands.findIndex((band) => band.tier === tier);
  return bands.find((band, at) => at > place && bandStart(band) > figure);
};

/** Whether a line applies with the tiers in force. */
export const isInForce = ({ tier }: { readonly tier?: string }, tiers: readonly Tier[]): boolean =>
  tier === undefined || tiers.some((one) => one.tier === tier);

/** A figure of a program in words: `$61,200.00` or `1,200 packages`. */
export const amountOf = (measure: Measure, figure: number): string =>
  measure === 'packages'
    ? `${figure.toLocaleString('en-US')} ${figure === 1 ? 'package' : 'packages'}`
    : (figure / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

/** The basis of a tier in words. */
export const figureText = ({ measure = 'spend', period = 'week', figure, averageCents = 0, ...tier }: Tier): string => {
  const { weeks = 0, spendUntil = '' } = tier;
  const amount = amountOf(measure, figure ?? averageCents);
  const counted = `${weeks} ${weeks === 1 ? 'week' : 'weeks'} to ${spendUntil}`;
  const texts: Readonly<Record<Period, string>> = {
    week: `${amount} a week, the average of ${counted}`,
    quarter: `${amount} in the quarter to ${spendUntil}`,
    year: `${amount} a year, from the ${counted}`,
  };
  return texts[period];
};

/** A program's tier in words: `Ground volume: tier G2 by 61,200 packages in the quarter to 2026-06-30`. */
export const earnedText = (tier: Tier): string => {
  const reasons: Readonly<Record<Tier['by'], string>> = {
    inForce: 'as agreed',
    grace: 'in the grace period',
    average: `by ${figureText(tier)}`,
    nothing: '',
  };
  return `${tier.program}: tier ${tier.tier} ${reasons[tier.by]}`;
};

/** The tiers as JSON: the tier of lines without a program, and the tiers of any programs. */
export const tiersBody = (tiers: readonly Tier[]) => {
  const programs = tiers.filter(({ program }) => program !== undefined);
  const tier = tiers.find(({ program }) => program === undefined) ?? null;
  return { tier, ...(programs.length === 0 ? {} : { programs }) };
};
