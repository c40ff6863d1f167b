/** An agreement's tiers for its client: which tiers are in force, since when, and what the next tiers require. */
import { must } from '../../../base/must.ts';
import { dollars } from '../../../rating/quantity.ts';
import { periodOn } from '../../tariff/days.ts';
import type { AgreementDocument } from '../document.ts';
import { bandStart, bandsOf, nextBand, type Program, programsOf, type Tier, tierOn } from '../tiers.ts';
import { changeDaysOf, filesOn, tierOfDay } from '../versions.ts';
import type { AgreementDetail, AgreementSummary } from './schemas.ts';

const REASONS = { inForce: 'agreed', grace: 'grace', average: 'average', nothing: 'unknown' } as const;

/** The start of the unbroken period in which a tier is in force until a day. Undefined if the tier is unknown. */
const sinceOf = (document: AgreementDocument, { program, tier, by }: Tier, day: string): string | undefined => {
  if (by === 'nothing') return undefined;
  const { effective } = document.file;
  let since = day;
  for (const start of changeDaysOf(document).toReversed()) {
    if (start > day) continue;
    const before = tierOfDay(document, start, program);
    if (start < effective || before?.tier !== tier || before?.by === 'nothing') break;
    since = start;
  }
  return since;
};

type ShownTier = NonNullable<AgreementSummary['tier']>;

const untilOf = ({ inForce, grace }: Program, { by, until }: Tier, day: string): string | undefined => {
  if (by === 'inForce') return periodOn(inForce, day)?.until;
  if (by === 'grace') return grace?.until;
  return until === undefined || until < day ? undefined : until;
};

const shownTier = (document: AgreementDocument, program: Program, tier: Tier, day: string): ShownTier => ({
  tier: tier.tier ?? null,
  by: REASONS[tier.by],
  since: sinceOf(document, tier, day) ?? null,
  until: untilOf(program, tier, day) ?? null,
  uncertain: tier.isUncertain,
});

/** The rules of lines without a program come first. */
const ownRules = (document: AgreementDocument, day: string): Program =>
  must(programsOf(filesOn(document, day).file)[0], 'the rules of tiers');

/** @param day a day on which the agreement is in force */
export const tierNow = (document: AgreementDocument, day: string): AgreementSummary['tier'] => {
  const tier = tierOfDay(document, day);
  return tier === undefined ? null : shownTier(document, ownRules(document, day), tier, day);
};

/** The figures and bands of a program, or of lines without one, on a day. Amounts are cents or packages. */
const standingOf = (document: AgreementDocument, program: Program, { tier }: Tier, day: string) => {
  const version = filesOn(document, day);
  const bands = bandsOf(version.tables.tiers, program);
  // The tier by figures alone, ignoring agreed tiers.
  const alone = tierOn(version, { ...program, inForce: [], grace: undefined }, document.file.effective, day);
  const { by, averageCents, figure = averageCents, weeks = 0, spendUntil = '' } = alone;
  const earned =
    by !== 'average' || figure === undefined
      ? null
      : { value: figure, weeks, lastDay: spendUntil, tier: alone.tier ?? null };
  const next = nextBand(bands, tier, earned?.value);
  const from = next && bandStart(next);
  return {
    bands: bands.map((line) => ({ tier: line.tier, from: bandStart(line), inForce: line.tier === tier })),
    earned,
    next:
      next === undefined || from === undefined
        ? null
        : { tier: next.tier, from, missing: earned && from - earned.value },
  };
};

/** @param day a day on which the agreement is in force */
export const tiersTable = (document: AgreementDocument, day: string): AgreementDetail['tiers'] => {
  const tier = tierOfDay(document, day);
  if (tier === undefined) return null;
  const rules = ownRules(document, day);
  const { bands, earned, next } = standingOf(document, rules, tier, day);
  return {
    bands: bands.map(({ from, ...band }) => ({ tier: band.tier, fromUsd: dollars(from), inForce: band.inForce })),
    averageWeeks: rules.averageWeeks,
    spend: earned && {
      ...{ averageUsd: dollars(earned.value), weeks: earned.weeks, lastWeekEnding: earned.lastDay, tier: earned.tier },
    },
    next: next && {
      ...{ tier: next.tier, fromUsd: dollars(next.from) },
      missingUsd: next.missing === null ? null : dollars(next.missing),
    },
  };
};

/** @param day a day on which the agreement is in force @returns undefined without programs */
export const programTables = (document: AgreementDocument, day: string): AgreementDetail['programs'] => {
  const tables = programsOf(filesOn(document, day).file).flatMap((rules) => {
    const { program, period, averageWeeks } = rules;
    const tier = program === undefined ? undefined : tierOfDay(document, day, program);
    if (program === undefined || tier === undefined) return [];
    const { measure = 'spend' } = tier;
    const amount = (value: number): number => (measure === 'spend' ? dollars(value) : value);
    const { bands, earned, next } = standingOf(document, rules, tier, day);
    return [
      {
        ...{ program, measure, period, averageWeeks: period === 'quarter' ? null : averageWeeks },
        tier: shownTier(document, rules, tier, day),
        bands: bands.map((band) => ({ ...band, from: amount(band.from) })),
        figure: earned && { ...earned, value: amount(earned.value) },
        next: next && {
          ...{ tier: next.tier, from: amount(next.from) },
          missing: next.missing === null ? null : amount(next.missing),
        },
      },
    ];
  });
  return tables.length === 0 ? undefined : tables;
};
