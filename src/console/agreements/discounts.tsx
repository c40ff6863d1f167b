/**
 * What comes off in an agreement. Its tiers: which ones are in force and why, the figures that set them, and what the next ones
 * need. Its discounts, as tables in the layout of printed agreements.
 */
import type { ComponentChildren } from 'preact';
import { groupsOf } from '../../base/maps.ts';
import type { Agreement } from '../calls.ts';
import { Figures } from '../ui/charts.tsx';
import { Notice, Progress } from '../ui/feedback.tsx';
import { capital, count, counted, dayOf, money, wholeMoney } from '../ui/format.ts';
import { type Col, Table } from '../ui/table.tsx';
import { type Grid, type GridColumn, type GridRow, gridsOf, offOf } from './discount-grid.ts';
import { billingText, servicesText, tierReason, tierText } from './words.ts';

export interface Props {
  readonly agreement: Agreement;
}

interface PartProps {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children: ComponentChildren;
}

/** A part of an agreement. */
export const Part = ({ title, lead, children }: PartProps) => (
  <section class="stack">
    <h3>{title}</h3>
    {lead === undefined ? null : <p class="hint">{lead}</p>}
    {children}
  </section>
);

type Program = NonNullable<Agreement['programs']>[number];
/** Tiers by average weekly spend are shown like the tiers of a program, but without a name. */
type Shown = Omit<Program, 'program'> & { readonly program: string | null };

/** The tiers of lines without a program. */
const unnamed = ({ tier, tiers }: Agreement): readonly Shown[] => {
  if (tier === null || tiers === null) return [];
  const { bands, averageWeeks, spend, next } = tiers;
  return [
    {
      ...{ program: null, measure: 'spend', period: 'week', averageWeeks, tier },
      bands: bands.map(({ fromUsd, ...band }) => ({ ...band, from: fromUsd })),
      figure: spend && { value: spend.averageUsd, weeks: spend.weeks, lastDay: spend.lastWeekEnding, tier: spend.tier },
      next: next && { tier: next.tier, from: next.fromUsd, missing: next.missingUsd },
    },
  ];
};

const KINDS = { week: 'average weekly', quarter: 'quarterly', year: 'annualized' } as const;
const EACH = { week: 'a week', quarter: 'a quarter', year: 'a year' } as const;
const STANDING = { week: 'average', quarter: 'last quarter', year: 'annual rate' } as const;

const amount = ({ measure }: Shown, value: number): string =>
  measure === 'packages' ? counted(value, 'package') : Number.isInteger(value) ? wholeMoney(value) : money(value);

/** Formats `average weekly spend`. */
const figureName = ({ measure, period }: Shown): string => `${KINDS[period]} ${measure}`;

const figureNote = ({ figure, period, averageWeeks }: Shown): string => {
  if (figure === null) return 'not known yet';
  const { weeks, lastDay } = figure;
  if (period === 'quarter') return `in the quarter to ${dayOf(lastDay)}`;
  const known = weeks === (averageWeeks ?? weeks) ? 'over' : `${count(weeks)} known of`;
  return `${known} ${counted(averageWeeks ?? weeks, 'week')}, to ${dayOf(lastDay)}`;
};

const nextNote = (shown: Shown): string => {
  const { next, figure, period } = shown;
  if (next === null) return 'It is the highest tier';
  if (next.missing === null || figure === null) return `${EACH[period]}, for ${tierText(next.tier)}`;
  return `more ${EACH[period]}${period === 'week' ? ' on average' : ''}, for ${tierText(next.tier)}`;
};

const nextValue = (shown: Shown): string => {
  const { next } = shown;
  if (next === null) return '—';
  return amount(shown, next.missing ?? next.from);
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

/** @param next where the next band begins */
const bandText = (shown: Shown, from: number, next: number | undefined): string => {
  if (next === undefined) return `${amount(shown, from)} and up`;
  return shown.measure === 'spend'
    ? `${amount(shown, from)} to under ${amount(shown, next)}`
    : `${count(from)} to ${amount(shown, next - 1)}`;
};

const uncertainText = ({ figure, measure, period }: Shown): string =>
  figure === null
    ? `The service does not know the ${measure}.`
    : `The last ${period === 'quarter' ? 'quarter' : 'week'} of ${measure} that the service knows ended on ${dayOf(figure.lastDay)}. The discount may change when newer ${measure} ${measure === 'spend' ? 'is' : 'are'} known.`;

/** Marks the tier that decides. An agreement that ended shows the tier of its last day. */
const TierMark = ({ isPast }: { readonly isPast: boolean }) =>
  isPast ? <span class="mark">last</span> : <span class="mark good">in force</span>;

/** What comes off in a tier: `5%`, or with the names of several discounts `Ground 3% to 7%, Portfolio 2%`. */
const tierOffs = ({ discounts }: Agreement, tier: string): string => {
  const named = groupsOf(
    discounts.filter((line) => line.tier === tier),
    ({ discount }) => discount,
  );
  return named
    .map((lines) => {
      const offs = lines.toSorted((a, b) => a.percent - b.percent).map(offOf);
      const range = [...new Set([offs[0], offs.at(-1)])].join(' to ');
      return named.length > 1 ? `${lines[0]?.discount} ${range}` : range;
    })
    .join(', ');
};

const TierPanel = ({ shown, agreement }: Props & { readonly shown: Shown }) => {
  const { program, tier, figure, next, bands } = shown;
  const isPast = agreement.inForce === 'past';
  const name = figureName(shown);
  const reason = tierReason(tier, program === null ? undefined : name);
  const notes = [below(shown), byFigures(shown)].filter((note) => note !== undefined);
  return (
    <section class="panel">
      <h3>{program === null ? 'Tier' : `${program}: tier`}</h3>
      {figure === null && next === null && tier.tier !== null ? (
        <p>
          <strong>{tierText(tier.tier)}, the highest.</strong> {capital(reason)}. {capital(name)} not known yet.
        </p>
      ) : (
        <Figures
          of={[
            [isPast ? 'On its last day' : 'In force', tier.tier === null ? 'No tier' : tierText(tier.tier), reason],
            [capital(name), figure ? amount(shown, figure.value) : '—', figureNote(shown)],
            ...(isPast ? [] : [['Needed for the next tier', nextValue(shown), nextNote(shown)] as const]),
          ]}
        />
      )}
      {figure === null || next === null || isPast ? null : (
        <div class="stack small">
          <Progress
            label={`${capital(name)}, of what ${tierText(next.tier)} needs`}
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
      {tier.uncertain && agreement.inForce === 'now' ? (
        <Notice kind="warning" title="The tier may have changed" text={uncertainText(shown)} />
      ) : null}
      {program !== null && bands.length === 0 ? null : (
        <Table
          caption={`Tiers by ${name}`}
          cards
          rows={bands.map((band, at) => ({ ...band, figures: bandText(shown, band.from, bands[at + 1]?.from) }))}
          keyOf={(band) => band.tier}
          cols={[
            [
              'Tier',
              (band) => (
                <>
                  {tierText(band.tier)} {band.inForce ? <TierMark isPast={isPast} /> : null}
                </>
              ),
              'head',
            ],
            [capital(name), (band) => band.figures],
            ['Off', (band) => tierOffs(agreement, band.tier), 'number'],
          ]}
        />
      )}
    </section>
  );
};

/** The tiers of lines without a program, and the tiers of each program. */
export const Tiers = ({ agreement }: Props) => (
  <>
    {[...unnamed(agreement), ...(agreement.programs ?? [])].map((shown) => (
      <TierPanel key={shown.program ?? ''} shown={shown} agreement={agreement} />
    ))}
  </>
);

const ADDRESSES = { any: '', residential: 'To a home', commercial: 'To a business' } as const;

const zonesText = (zones: readonly string[]): string => {
  const text = zones.map((zone) => zone.replace('-', '–')).join(', ');
  return zones.length === 1 && !text.includes('–') ? `Zone ${text}` : `Zones ${text}`;
};

/** The conditions of a column, without `shared`, which the caption has. */
const conditionsOf = ({ address, billing, zones, isRest }: GridColumn, shared: string): readonly string[] => {
  const where = zones === null ? (isRest ? 'Other zones' : '') : zonesText(zones);
  return [ADDRESSES[address], billingText(billing), where].filter((text) => text !== '' && text !== shared);
};

interface LabelProps {
  readonly column: GridColumn;
  readonly shared: string;
  readonly isPast: boolean;
}

const ColumnLabel = ({ column, shared, isPast }: LabelProps) => {
  const { tier, counts } = column;
  const words = conditionsOf(column, shared);
  return (
    <>
      {tier === null ? null : (
        <span class="sub">
          {tierText(tier)} {counts ? <TierMark isPast={isPast} /> : null}
        </span>
      )}
      {words.length > 0 || tier !== null ? words.join(', ') : 'Discount'}
    </>
  );
};

const weightText = ({ fromLb, toLb }: Pick<GridRow, 'fromLb' | 'toLb'>): string => {
  if (toLb === null) return fromLb === 1 ? 'All weights' : `${count(fromLb)} lb and up`;
  return fromLb === toLb ? `${count(fromLb)} lb` : `${count(fromLb)}–${count(toLb)} lb`;
};

const APPLIES = {
  both: '',
  packages: 'On single packages',
  multiweight: 'On shipments that are rated as a whole',
} as const;

/** The first row, if all rows have the same services. */
const onlyServices = ({ rows }: Grid): GridRow | undefined => {
  const [first] = rows;
  return rows.every(({ services }) => services?.join() === first?.services?.join()) ? first : undefined;
};

/** Who pays, if it is the same in all columns. */
const billingOf = ({ columns }: Grid): string => {
  const [first = '', ...others] = new Set(columns.map(({ billing }) => billingText(billing)));
  return others.length === 0 ? first : '';
};

const ruleText = ({ betterOf }: Grid): string =>
  betterOf === null ? '' : `Of the discounts in “${betterOf}”, only the highest applies`;

const captionOf = (grid: Grid, agreement: Agreement): string => {
  const only = onlyServices(grid);
  const where = only === undefined ? '' : `: ${servicesText(only.services, agreement)}`;
  const paid = grid.columns.length > 1 ? billingOf(grid) : '';
  const conditions = [APPLIES[grid.appliesTo], paid, ruleText(grid)].filter((text) => text !== '');
  return [`${grid.discount}${where}`, ...conditions].join('. ');
};

/** Screen readers read the name of a service in each row. Only the first row shows it. */
const ServiceCell = ({ row, grid, agreement }: { row: GridRow; grid: Grid; agreement: Agreement }) => {
  const before = grid.rows[grid.rows.indexOf(row) - 1];
  const isSame = before !== undefined && before.services?.join() === row.services?.join();
  return <span class={isSame ? 'visually-hidden' : undefined}>{servicesText(row.services, agreement)}</span>;
};

const offText = (off: string | null, counts: boolean) =>
  off === null ? '—' : counts ? off : <span class="hint">{off}</span>;

const DiscountTable = ({ grid, agreement }: { readonly grid: Grid; readonly agreement: Agreement }) => {
  const isOne = onlyServices(grid) !== undefined;
  const hasWeights = isOne || grid.rows.some(({ fromLb, toLb }) => fromLb > 1 || toLb !== null);
  const service: Col<GridRow> = ['Service', (row) => <ServiceCell {...{ row, grid, agreement }} />, 'head'];
  const weight: Col<GridRow> = ['Billing weight', weightText, isOne ? 'head' : undefined];
  return (
    <div class={headingParts(grid) > MOST_NARROW ? 'wide' : undefined}>
      <Table
        caption={captionOf(grid, agreement)}
        cards={grid.columns.length > 1}
        rows={grid.rows}
        keyOf={({ key }) => key}
        cols={[
          !isOne && service,
          hasWeights && weight,
          ...grid.columns.map(
            (column, at): Col<GridRow> => [
              <ColumnLabel
                column={column}
                shared={grid.columns.length > 1 ? billingOf(grid) : ''}
                isPast={agreement.inForce === 'past'}
              />,
              ({ offs }) => offText(offs[at] ?? null, column.counts),
              'number',
            ],
          ),
        ]}
      />
    </div>
  );
};

/** Whether a grid has one cell. A tier has a table for itself, which says whether it is in force. */
const isSingle = ({ rows, columns: [column, ...others] }: Grid): boolean =>
  rows.length === 1 && others.length === 0 && column?.tier === null;

/** Discounts of one cell, one below the other. */
const SingleDiscounts = ({ grids, agreement }: { readonly grids: readonly Grid[]; readonly agreement: Agreement }) => {
  const rows = grids.flatMap((grid) =>
    grid.rows.flatMap((row) => grid.columns.map((column) => ({ ...grid, ...row, column, grid }))),
  );
  const appliesText = ({ column, appliesTo, fromLb, toLb, grid }: (typeof rows)[number]): string =>
    [
      ...conditionsOf(column, ''),
      fromLb > 1 || toLb !== null ? weightText({ fromLb, toLb }) : '',
      APPLIES[appliesTo],
      ruleText(grid),
    ]
      .filter((text) => text !== '')
      .join('. ');
  return (
    <div class="wide">
      <Table
        caption="Discounts with one percentage or amount"
        captionHidden
        cards
        rows={rows}
        keyOf={({ grid }) => JSON.stringify(grid)}
        cols={[
          ['Discount', ({ discount }) => discount, 'head'],
          ['Service', ({ services }) => servicesText(services, agreement)],
          rows.some((row) => appliesText(row) !== '') && ['Applies', appliesText],
          ['Off', ({ offs: [off = null], column }) => offText(off, column.counts), 'number'],
        ]}
      />
    </div>
  );
};

/** Tables whose headings have more parts than this take the whole width. */
const MOST_NARROW = 4;

const headingParts = (grid: Grid): number =>
  grid.columns
    .map((column) => conditionsOf(column, billingOf(grid)).length + (column.tier === null ? 0 : 1))
    .reduce((parts, own) => parts + Math.max(1, own), 0);

/** Grids of one cell share a table. */
const Grids = ({ grids, agreement }: Props & { readonly grids: readonly Grid[] }) => {
  const single = grids.filter(isSingle);
  return (
    <div class="cols">
      {grids
        .filter((grid) => !single.includes(grid))
        .map((grid) => (
          <DiscountTable key={JSON.stringify(grid)} {...{ grid, agreement }} />
        ))}
      {single.length === 0 ? null : <SingleDiscounts grids={single} agreement={agreement} />}
    </div>
  );
};

/** What the discounts on a service add up to, for services with several. */
export const Totals = ({ agreement }: Props) => {
  const { discounts, totals, inForce, date } = agreement;
  const lines = discounts.filter(({ counts }) => counts);
  const namesOf = (code: string): readonly string[] =>
    lines.filter(({ services }) => services?.includes(code) !== false).map(({ discount }) => discount);
  const added = totals.filter(({ services }) => services?.some((code) => new Set(namesOf(code)).size > 1));
  if (added.length === 0) return null;
  return (
    <Part
      title={inForce === 'now' ? 'Total off today' : `Total off on ${dayOf(date)}`}
      lead={`What the discounts on a package add up to${discounts.every(({ billing }) => billing === null) ? '' : ' if the shipper pays'}. The price stays at the minimum charge or above.`}
    >
      <Grids grids={groupsOf(added, ({ services }) => `${services}`).flatMap(gridsOf)} agreement={agreement} />
    </Part>
  );
};

export const Discounts = ({ agreement }: Props) => {
  const { discounts, tier } = agreement;
  if (discounts.length === 0) return <p class="hint">There is no discount on base charges.</p>;
  return (
    <Part
      title="Discounts"
      lead={`Percent off the list base charge, before surcharges. Different discounts on one package add up.${tier === null ? '' : ' Tier discounts apply only while the tier is in force.'}`}
    >
      <Grids grids={gridsOf(discounts)} agreement={agreement} />
    </Part>
  );
};
