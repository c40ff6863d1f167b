/** What the prices of a tariff contain, by carrier, and a line about fuel rates that end. */
import type { ComponentChildren } from 'preact';
import type { TariffsBody } from '../calls.ts';
import { allOf, carrierText, count, counted, dayOf } from '../ui/format.ts';
import { Named } from '../ui/kit.tsx';
import { Table } from '../ui/table.tsx';

type OwnRow = TariffsBody['tariffs'][number]['coverage']['services'][number];
/** Warehouses have only ids, or ids with the names of their clients. */
interface Row extends Omit<OwnRow, 'zones'> {
  readonly zones: readonly {
    readonly zones: OwnRow['zones'][number]['zones'];
    readonly warehouses: readonly (number | string)[];
  }[];
}
interface Coverage {
  readonly date: string;
  readonly services: readonly Row[];
}
type State = Row['parts']['fuel'];

const Missing = ({ more = '' }: { readonly more?: string }) => (
  <>
    <span class="mark warn">missing</span>
    {more}
  </>
);

/** @param children shown if the tariff has the part */
const Part = ({ state, children = 'yes' }: { readonly state: State; readonly children?: ComponentChildren }) => {
  if (state === 'missing') return <Missing />;
  return state === 'none' ? <span class="hint">none</span> : children;
};

/** @param date `YYYY-MM-DD`. A rate may apply after its last day */
const Fuel = ({
  row: { parts, fuelPercent, fuelLastDay, fuelNextDay },
  date,
}: {
  readonly row: Row;
  readonly date: string;
}) => {
  if (parts.fuel === 'missing') {
    if (fuelLastDay !== null) return <Missing more={` after ${dayOf(fuelLastDay)}`} />;
    return <Missing more={fuelNextDay === null ? '' : ` before ${dayOf(fuelNextDay)}`} />;
  }
  return (
    <Part state={parts.fuel}>
      {Number(fuelPercent)}%{' '}
      {fuelLastDay === null ? null : fuelLastDay < date ? (
        <span class="mark warn">ended {dayOf(fuelLastDay)}</span>
      ) : (
        <span class="nowrap">to {dayOf(fuelLastDay)}</span>
      )}
    </Part>
  );
};

const ZONES = {
  charted: 'Chart',
  distance: 'By distance',
  estimated: 'Estimated',
  unreached: 'Not served',
} as const;

const MOST_NAMED = 4;

/** `Chart`, or with the warehouses if they differ: `Chart: 101. Estimated: 102, 103`. If there are many, it counts them. */
const zonesText = ({ zones }: Row): string => {
  const [first, ...others] = zones;
  if (first === undefined) return 'no warehouse';
  if (others.length === 0) return ZONES[first.zones];
  const named = (warehouses: readonly (number | string)[]): string =>
    warehouses.length > MOST_NAMED ? counted(warehouses.length, 'warehouse') : warehouses.join(', ');
  return zones.map((one) => `${ZONES[one.zones]}: ${named(one.warehouses)}`).join('. ');
};

const limitsText = ({ maximumLengthIn: length, maximumLengthPlusGirthIn: girth }: Row): string =>
  [
    ...(length === null ? [] : [`${count(length)} in long`]),
    ...(girth === null ? [] : [`${count(girth)} in length plus girth`]),
  ].join(' or ');

const OPTIONS = [
  ['signature', 'signature'],
  ['saturday', 'Saturday'],
  ['declaredValue', 'declared value'],
] as const;

const Options = ({ parts }: Row) => {
  const named = (state: State) => OPTIONS.filter(([part]) => parts[part] === state).map(([, label]) => label);
  const [present, missing] = [named('present'), named('missing')];
  if (missing.length === 0) return <>{present.length === 0 ? <Part state="none" /> : present.join(', ')}</>;
  return (
    <>
      {present.length === 0 ? '' : `${present.join(', ')}. `}
      <span class="tone warn">Not included:</span> {missing.join(', ')}
    </>
  );
};

interface Known {
  readonly code: string;
  readonly carrier: string;
  readonly name: string;
}

interface Group extends Row {
  readonly title: string;
  readonly names: string;
}

/** Groups a carrier's services whose prices contain the same parts into a row. */
const groupsOf = (rows: readonly Row[], known: readonly Known[]): readonly Group[] => {
  const named = (code: string): Known => known.find((one) => one.code === code) ?? { code, carrier: '', name: code };
  const groups = new Map<string, { readonly row: Row; readonly services: Known[] }>();
  for (const row of rows) {
    const service = named(row.shippingService);
    const key = JSON.stringify([service.carrier, { ...row, shippingService: '' }]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { row, services: [service] });
    else group.services.push(service);
  }
  return [...groups.values()].map(({ row, services }) => {
    const [{ code, carrier, name }] = [services[0] ?? named(row.shippingService)];
    if (services.length === 1) return { ...row, title: name, names: name === code ? '' : code };
    const isAll = services.length === rows.filter((one) => named(one.shippingService).carrier === carrier).length;
    const title = `${isAll ? 'All ' : ''}${services.length} ${carrier} services`;
    return { ...row, title, names: services.map((one) => one.name).join(', ') };
  });
};

interface CoverageProps {
  readonly name: string;
  readonly coverage: Coverage;
  readonly known: readonly Known[];
}

export const CoverageTable = ({ name, coverage, known }: CoverageProps) =>
  coverage.services.length === 0 ? null : (
    <Table
      caption={`What prices from ${name} include on ${dayOf(coverage.date)}. If a part is missing, the price is too low and carries a warning.`}
      rows={groupsOf(coverage.services, known)}
      keyOf={({ shippingService }) => shippingService}
      cards
      cols={[
        ['Services', ({ title, names }) => <Named name={title} text={names} />, 'head'],
        coverage.services.some(({ zones }) => zones.length > 0) && ['Zones', zonesText],
        ['Fuel', (row) => <Fuel row={row} date={coverage.date} />],
        ['Residential', ({ parts }) => <Part state={parts.residential} />],
        [
          'Delivery area',
          ({ parts, areaTiers, areaZipCodes }) => (
            <Part state={parts.deliveryArea}>
              {counted(areaTiers, 'tier')}, {count(areaZipCodes)} ZIP codes
            </Part>
          ),
        ],
        ['Handling', ({ parts }) => <Part state={parts.handling} />],
        ['Size limits', (row) => <Part state={row.parts.limits}>{limitsText(row)}</Part>],
        ['Options', Options],
      ]}
    />
  );

type FuelEnd = TariffsBody['fuelEnds'][number];

/** Fuel rates that end on the same day share a line. */
const linesOf = (ends: readonly FuelEnd[]): readonly string[] =>
  [...new Set(ends.map(({ lastDay }) => lastDay))].map((day) => {
    const own = ends.filter(({ lastDay }) => lastDay === day);
    return `${allOf(own.map(carrierText))}: ${own[0]?.hasEnded === true ? 'the last rate ended on' : 'there are no rates after'} ${dayOf(day)}.`;
  });

export const FuelLine = ({ fuelEnds }: Pick<TariffsBody, 'fuelEnds'>) => {
  if (fuelEnds.length === 0) return null;
  const ended = fuelEnds.filter((end) => end.hasEnded);
  const title = ended.some(({ carries }) => !carries)
    ? 'Prices do not include fuel'
    : ended.length > 0
      ? 'Prices use the last known fuel rate'
      : 'Fuel rates end within a week';
  return (
    <p>
      <strong>{title}.</strong> {linesOf(fuelEnds).join(' ')} Ask your operator to add the next rates.
    </p>
  );
};
