/** The tier of an agreement: which one is in force and why, the average spend, and what the next one needs. */
import type { Agreement } from '../calls.ts';
import { Figures } from '../ui/charts.tsx';
import { Notice, Progress } from '../ui/feedback.tsx';
import { counted, dayOf, money } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';
import { tierReason, tierText } from './words.ts';

type Tiers = NonNullable<Agreement['tiers']>;
type Tier = NonNullable<Agreement['tier']>;

const nextNote = ({ next, spend }: Tiers): string => {
  if (next === null) return 'You are in the highest tier';
  if (next.missingUsd === null || spend === null) return `from ${money(next.fromUsd)} a week`;
  return `more a week on average, for ${tierText(next.tier)}`;
};

const nextValue = ({ next }: Tiers): string => {
  if (next === null) return '–';
  return next.missingUsd === null ? tierText(next.tier) : money(next.missingUsd);
};

/** What the spend alone would give, if the tier in force was set in another way. */
const bySpend = ({ spend }: Tiers, { by, tier }: Tier): string | undefined => {
  if (spend === null || by === 'average' || by === 'unknown' || spend.tier === tier) return undefined;
  return spend.tier === null
    ? 'Your spend alone is below the first tier.'
    : `Your spend alone would give ${tierText(spend.tier)}.`;
};

/** The tier in force falls later than the average, if the agreement says so. */
const below = ({ spend, bands }: Tiers, { tier }: Tier): string | undefined => {
  const needed = bands.find((band) => band.tier === tier)?.fromUsd;
  if (spend === null || tier === null || needed === undefined || spend.averageUsd >= needed) return undefined;
  return `Your average is below the ${money(needed)} that ${tierText(tier)} needs.`;
};

const bandText = ({ bands }: Tiers, at: number): string => {
  const [from, next] = [bands[at]?.fromUsd, bands[at + 1]?.fromUsd];
  if (from === undefined) return '';
  return next === undefined ? `${money(from)} and more` : `${money(from)} to ${money(next - 0.01)}`;
};

export const TierPanel = ({ tier, tiers }: { readonly tier: Tier; readonly tiers: Tiers }) => {
  const { spend, next, bands } = tiers;
  const notes = [below(tiers, tier), bySpend(tiers, tier)].filter((note) => note !== undefined);
  return (
    <section class="panel">
      <h3>Your tier</h3>
      <Figures
        figures={[
          { label: 'In force', value: tier.tier === null ? 'No tier' : tierText(tier.tier), note: tierReason(tier) },
          {
            label: 'Average weekly spend',
            value: spend === null ? '–' : money(spend.averageUsd),
            note:
              spend === null
                ? 'not known yet'
                : `of ${counted(spend.weeks, 'week')}, up to ${dayOf(spend.lastWeekEnding)}`,
          },
          { label: 'Needed for the next tier', value: nextValue(tiers), note: nextNote(tiers) },
        ]}
      />
      {spend === null || next === null ? null : (
        <div class="stack small">
          <Progress
            label={`Average weekly spend, of what ${tierText(next.tier)} needs`}
            value={spend.averageUsd}
            max={next.fromUsd}
          />
          <p class="hint">
            {money(spend.averageUsd)} of the {money(next.fromUsd)} that {tierText(next.tier)} needs
          </p>
        </div>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {tier.uncertain ? (
        <Notice kind="warning" announced={false} title="Your tier may have changed">
          <p>
            {spend === null
              ? 'The service does not know your spend.'
              : `The last week of spend that the service knows ended on ${dayOf(spend.lastWeekEnding)}. Your discount may change when newer spend is known.`}
          </p>
        </Notice>
      ) : null}
      <Table
        caption={`Tiers by average weekly spend, over ${counted(tiers.averageWeeks, 'week')}`}
        rows={bands.map((band, at) => ({ ...band, spend: bandText(tiers, at) }))}
        keyOf={(band) => band.tier}
        cols={[
          [
            'Tier',
            (band) => (
              <>
                {tierText(band.tier)} {band.inForce ? <span class="mark good">in force</span> : null}
              </>
            ),
            'head',
          ],
          ['Average weekly spend', (band) => band.spend],
        ]}
      />
    </section>
  );
};
