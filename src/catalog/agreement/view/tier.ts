/** The tier of an agreement for its client: which one is in force since when, and what the next one needs. */

import { dollars } from '../../../rating/quantity.ts';
import { centsOf } from '../../tariff/compile-charges.ts';
import { periodOn } from '../../tariff/days.ts';
import type { AgreementDocument } from '../document.ts';
import { type Tier, tierOn } from '../tiers.ts';
import { changeDaysOf, filesOn, tierOfDay, type Version } from '../versions.ts';
import type { AgreementDetail, AgreementSummary } from './schemas.ts';

const REASONS = { inForce: 'agreed', grace: 'grace', average: 'average', nothing: 'unknown' } as const;

/** The first day from which a tier has been in force until a day; undefined if nothing says which tier it is. */
const sinceOf = (document: AgreementDocument, { tier, by }: Tier, day: string): string | undefined => {
  if (by === 'nothing') return undefined;
  const { effective } = document.file;
  let since = day;
  for (const start of changeDaysOf(document).toReversed()) {
    if (start > day) continue;
    const before = tierOfDay(document, start);
    if (start < effective || before?.tier !== tier || before?.by === 'nothing') break;
    since = start;
  }
  return since;
};

const untilOf = ({ file: { earned } }: Version, { by }: Tier, day: string): string | undefined => {
  if (by === 'inForce') return periodOn(earned.inForce, day)?.until;
  return by === 'grace' ? earned.grace?.until : undefined;
};

/** @param day on which the agreement is in force */
export const tierNow = (document: AgreementDocument, day: string): AgreementSummary['tier'] => {
  const tier = tierOfDay(document, day);
  if (tier === undefined) return null;
  return {
    tier: tier.tier ?? null,
    by: REASONS[tier.by],
    since: sinceOf(document, tier, day) ?? null,
    until: untilOf(filesOn(document, day), tier, day) ?? null,
    uncertain: tier.isUncertain,
  };
};

/** The tier that the spend alone gives, whatever was agreed on. */
const bySpend = ({ file, tables }: Version, effective: string, day: string): Tier | undefined => {
  const earned = { ...file.earned, inForce: [], grace: undefined };
  const tier = tierOn({ file: { ...file, earned }, tables }, effective, day);
  return tier?.by === 'average' ? tier : undefined;
};

/** @param day on which the agreement is in force */
export const tiersTable = (document: AgreementDocument, day: string): AgreementDetail['tiers'] => {
  const tier = tierOfDay(document, day);
  if (tier === undefined) return null;
  const version = filesOn(document, day);
  const bands = version.tables.tiers;
  const earned = bySpend(version, document.file.effective, day);
  const { averageCents, weeks, spendUntil } = earned ?? {};
  const place = bands.findIndex((band) => band.tier === tier.tier);
  const next = bands.find((band, at) => at > place && centsOf(band.fromUsd) > (averageCents ?? -1));
  return {
    bands: bands.map((band) => ({
      tier: band.tier,
      fromUsd: dollars(centsOf(band.fromUsd)),
      inForce: band.tier === tier.tier,
    })),
    averageWeeks: version.file.earned.averageWeeks,
    spend:
      averageCents === undefined || weeks === undefined || spendUntil === undefined
        ? null
        : { averageUsd: dollars(averageCents), weeks, lastWeekEnding: spendUntil, tier: earned?.tier ?? null },
    next:
      next === undefined
        ? null
        : {
            tier: next.tier,
            fromUsd: dollars(centsOf(next.fromUsd)),
            missingUsd: averageCents === undefined ? null : dollars(centsOf(next.fromUsd) - averageCents),
          },
  };
};
