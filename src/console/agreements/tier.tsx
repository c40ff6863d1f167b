/** The tiers of an agreement: which ones are in force and why, the figures that set them, and what the next ones need. */
import type { Agreement } from '../calls.ts';
import { Figures } from '../ui/charts.tsx';
import { Notice, Progress } from '../ui/feedback.tsx';
import { counted, dayOf, money } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';
import { tierReason, tierText } from './words.ts';

type Program = NonNullable<Agreement['programs']>[number];
/** Tiers by average weekly spend are shown like the tiers of a program, but without a name. */
type Shown = Omit<Program, 'program'> & { readonly program: string | null };

/** The tiers of lines without a program. */
const unnamed = ({ tier, tiers }: Agreement): Shown | undefined => {
  if (tier === null || tiers === null) return undefined;
  const { bands, averageWeeks, spend, next } = tiers;
  return {
    ...{ program: null, measure: 'spend', period: 'week', averageWeeks, tier },
    bands: bands.map(({ fromUsd, ...band }) => ({ ...band, from: fromUsd })),
    figure: spend && { value: spend.averageUsd, weeks: spend.weeks, lastDay: spend.lastWeekEnding, tier: spend.tier },
    next: next && { tier: next.tier, from: next.fromUsd, missing: next.missingUsd },
  };
};

const KINDS = { week: 'average weekly', quarter: 'quarterly', year: 'annualized' } as const;
const EACH = { week: 'a week', quarter: 'a quarter', year: 'a year' } as const;
const STANDING = { week: 'average', quarter: 'last quarter', year: 'annual rate' } as const;

const amount = ({ measure }: Shown, value: number): string =>
  measure === 'spend' ? money(value) : counted(value, 'package');

/** Formats `average weekly spend`. */
const figureName = ({ measure, period }: Shown): string => `${KINDS[period]} ${measure}`;

const asTitle = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const figureNote = ({ figure, period }: Shown): string => {
  if (figure === null) return 'not known yet';
  const { weeks, lastDay } = figure;
  if (period === 'quarter') return `in the quarter to ${dayOf(lastDay)}`;
  return `${period === 'week' ? 'of' : 'by'} ${counted(weeks, 'week')}, up to ${dayOf(lastDay)}`;
};

const nextNote = (shown: Shown): string => {
  const { next, figure, period } = shown;
  if (next === null) return 'It is the highest tier';
  if (next.missing === null || figure === null) return `from ${amount(shown, next.from)} ${EACH[period]}`;
  return `more ${EACH[period]}${period === 'week' ? ' on average' : ''}, for ${tierText(next.tier)}`;
};

const nextValue = (shown: Shown): string => {
  const { next } = shown;
  if (next === null) return '—';
  return next.missing === null ? tierText(next.tier) : amount(shown, next.missing);
};

/** The tier that the figures alone would give, if something else set the tier in force. */
const byFigures = ({ figure, measure, tier: { by, tier } }: Shown): string | undefined => {
  if (figure === null || by === 'average' || by === 'unknown' || figure.tier === tier) return undefined;
  return figure.tier === null
    ? `The ${measure} alone ${measure === 'spend' ? 'is' : 'are'} below the first tier.`
    : `The ${measure} alone would give ${tierText(figure.tier)}.`;
};

/** Shown if the tier in force is kept although the figure is below it. */
const below = (shown: Shown): string | undefined => {
  const { figure, bands, period, tier } = shown;
  const needed = bands.find((band) => band.tier === tier.tier)?.from;
  if (figure === null || tier.tier === null || needed === undefined || figure.value >= needed) return undefined;
  return `The ${STANDING[period]} is below the ${amount(shown, needed)} that ${tierText(tier.tier)} needs.`;
};

const bandText = (shown: Shown, at: number): string => {
  const { bands, measure } = shown;
  const [from, next] = [bands[at]?.from, bands[at + 1]?.from];
  if (from === undefined) return '';
  if (next === undefined) return `${amount(shown, from)} and up`;
  return `${measure === 'spend' ? money(from) : from.toLocaleString('en-US')} to ${amount(shown, next - (measure === 'spend' ? 0.01 : 1))}`;
};

const captionOf = (shown: Shown): string => {
  const { averageWeeks, period } = shown;
  const weeks = averageWeeks === null ? '' : `, ${period === 'week' ? 'over' : 'by'} ${counted(averageWeeks, 'week')}`;
  return `Tiers by ${figureName(shown)}${weeks}`;
};

const Uncertain = ({ shown: { figure, measure, period } }: { readonly shown: Shown }) => (
  <Notice kind="warning" title="The tier may have changed">
    <p>
      {figure === null
        ? `The service does not know the ${measure}.`
        : `The last ${period === 'quarter' ? 'quarter' : 'week'} of ${measure} that the service knows ended on ${dayOf(figure.lastDay)}. The discount may change when newer ${measure} ${measure === 'spend' ? 'is' : 'are'} known.`}
    </p>
  </Notice>
);

const TierPanel = ({ shown }: { readonly shown: Shown }) => {
  const { program, tier, figure, next, bands } = shown;
  const name = figureName(shown);
  const notes = [below(shown), byFigures(shown)].filter((note) => note !== undefined);
  return (
    <section class="panel">
      <h3>{program === null ? 'Tier' : `${program}: tier`}</h3>
      {figure === null && next === null && tier.tier !== null ? (
        <p>
          <strong>{tierText(tier.tier)}, the highest.</strong>{' '}
          {asTitle(tierReason(tier, program === null ? undefined : name))}. {asTitle(name)} not known yet.
        </p>
      ) : (
        <Figures
          figures={[
            {
              label: 'In force',
              value: tier.tier === null ? 'No tier' : tierText(tier.tier),
              note: tierReason(tier, program === null ? undefined : name),
            },
            {
              label: asTitle(name),
              value: figure === null ? '—' : amount(shown, figure.value),
              note: figureNote(shown),
            },
            { label: 'Needed for the next tier', value: nextValue(shown), note: nextNote(shown) },
          ]}
        />
      )}
      {figure === null || next === null ? null : (
        <div class="stack small">
          <Progress
            label={`${asTitle(name)}, of what ${tierText(next.tier)} needs`}
            value={figure.value}
            max={next.from}
          />
          <p class="hint">
            {amount(shown, figure.value)} of the {amount(shown, next.from)} that {tierText(next.tier)} needs
          </p>
        </div>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {tier.uncertain ? <Uncertain shown={shown} /> : null}
      {program !== null && bands.length === 0 ? null : (
        <Table
          caption={captionOf(shown)}
          rows={bands.map((band, at) => ({ ...band, figures: bandText(shown, at) }))}
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
            [asTitle(name), (band) => band.figures],
          ]}
        />
      )}
    </section>
  );
};

/** The tiers of lines without a program, and the tiers of each program. */
export const Tiers = ({ agreement }: { readonly agreement: Agreement }) => {
  const own = unnamed(agreement);
  const all: readonly Shown[] = [...(own === undefined ? [] : [own]), ...(agreement.programs ?? [])];
  return (
    <>
      {all.map((shown) => (
        <TierPanel key={shown.program ?? ''} shown={shown} />
      ))}
    </>
  );
};
