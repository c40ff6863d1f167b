/**
 * The tariffs with their services and what their prices contain, by carrier, and lines about fuel rates that end and warehouses
 * without a zone chart.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { must } from '../../base/must.ts';
import type { TariffsBody } from '../calls.ts';
import { operatorHref } from '../navigation.tsx';
import { Folded } from '../ui/feedback.tsx';
import { allOf, carrierText, count, counted, dayOf } from '../ui/format.ts';
import { Named, Rows } from '../ui/kit.tsx';
import { groupedServices } from '../ui/service-names.tsx';
import { Table } from '../ui/table.tsx';

export type Tariff = TariffsBody['tariffs'][number];

type Row = Tariff['coverage']['services'][number];
type State = Row['parts']['fuel'];

/** Whether the reader can add what is missing. */
const CanAddContext = createContext(false);

/** @param at the operator's page where it can be added */
const Missing = ({ more = '', at = operatorHref('tariffs') }: { readonly more?: string; readonly at?: string }) => (
  <>
    <a class="mark warn" {...(useContext(CanAddContext) && { href: at })}>
      missing
    </a>
    {more === '' ? null : <span class="tone warn"> {more}</span>}
  </>
);

/** @param children shown if the tariff has the part */
const Part = ({ state, children = 'yes' }: { readonly state: State; readonly children?: ComponentChildren }) => {
  if (state === 'missing') return <Missing />;
  return state === 'none' ? <span class="hint">none</span> : children;
};

/** @param date `YYYY-MM-DD`. A rate may apply after its last day */
const fuelOn = (date: string, { parts, fuelPercent, fuelLastDay, fuelNextDay }: Row) => {
  if (parts.fuel === 'missing') {
    if (fuelLastDay !== null) return <Missing more={` after ${dayOf(fuelLastDay)}`} at={operatorHref('health')} />;
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
  const named = (warehouses: readonly number[]): string =>
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
      <Missing more={missing.join(', ')} />
    </>
  );
};

/** Groups a carrier's services whose prices contain the same parts into a row. */
const groupsOf = ({ coverage, services }: Tariff) =>
  groupedServices(
    coverage.services.map((row) => {
      const known = services.find(({ shippingService }) => shippingService === row.shippingService);
      const { carrier, description } = must(known, 'a service of the tariff');
      return { ...row, carrier, description };
    }),
    (row) => JSON.stringify({ ...row, shippingService: '', description: '' }),
  );

const CoverageTable = ({ tariff }: { readonly tariff: Tariff }) => {
  const { name, coverage } = tariff;
  const add = useContext(CanAddContext)
    ? ' To add it, import its file in a draft with the same name and first day.'
    : '';
  return coverage.services.length === 0 ? null : (
    <Table
      caption={`What prices from ${name} include on ${dayOf(coverage.date)}. Without a charge, prices are too low. Without size limits, packages that the carrier refuses get a price. Quotes warn of both.${add}`}
      rows={groupsOf(tariff)}
      keyOf={({ shippingService }) => shippingService}
      cards
      cols={[
        ['Services', ({ title, names }) => <Named name={<span class="nowrap">{title}</span>} text={names} />, 'head'],
        coverage.services.some(({ zones }) => zones.length > 0) && ['Zones', zonesText],
        ['Fuel', (row) => fuelOn(coverage.date, row)],
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
};

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

export const MARKS = { now: 'mark good', later: 'mark accent', past: 'mark' } as const;
const WORDS = { now: 'in force', later: 'upcoming', past: 'replaced' } as const;

interface StateProps {
  readonly inForce: keyof typeof WORDS;
  readonly services: readonly { readonly inForce: keyof typeof WORDS }[];
}

/** Whether a tariff is in force, and how many of its services are, if other tariffs replaced some. */
export const TariffState = ({ inForce, services }: StateProps) => {
  const now = services.filter((service) => service.inForce === 'now').length;
  const isPart = inForce === 'now' && now < services.length;
  return <span class={MARKS[inForce]}>{isPart ? `${now} of ${services.length} in force` : WORDS[inForce]}</span>;
};

/** More about the services: their limits and requirements. */
const Terms = ({ tariff: { id, name, description, services } }: { readonly tariff: Tariff }) => (
  <>
    <Rows
      caption={`Services of ${name}`}
      cards
      of={services}
      keyOf={({ shippingService }) => shippingService}
      cols={[
        ['Service', ({ description, shippingService }) => <Named name={description} text={shippingService} />, 'head'],
        ['Carrier', ({ carrier }) => carrier],
        ['State', ({ inForce }) => WORDS[inForce]],
        ['Maximum, lb', ({ maximumWeightLb }) => count(maximumWeightLb), 'number'],
        ['Dimensional factor', ({ dimensionalFactor }) => count(dimensionalFactor), 'number'],
        ['Street', ({ addressLineRequired }) => (addressLineRequired ? 'required' : 'not required')],
      ]}
    />
    <p class="hint">
      Version <code class="anywhere">{id}</code>. {description}
    </p>
  </>
);

const TariffSection = ({ tariff, alone }: { tariff: Tariff; alone: boolean }) => {
  const { name, description, effectiveDate, fallback, inForce, services } = tariff;
  const from = fallback ? 'Used only while no other tariff is in force.' : `From ${dayOf(effectiveDate)}.`;
  if (inForce === 'past')
    return (
      <Folded title={`Tariff “${name}”: ${fallback ? 'not in use' : 'replaced'}. ${from}`}>
        <Terms tariff={tariff} />
      </Folded>
    );
  return (
    <section class="stack">
      <div hidden={alone}>
        <h2>
          Tariff “{name}” <TariffState inForce={inForce} services={services} />
        </h2>
        <p class="hint">
          {from} {fallback ? `${description.split('. ', 1).join()}.` : ''}
        </p>
      </div>
      <CoverageTable tariff={tariff} />
      <Folded title="Weight limits, requirements and version">
        <Terms tariff={tariff} />
      </Folded>
    </section>
  );
};

const ORDER = ['now', 'later', 'past'] as const;

/** @param alone whether the head of the page names the tariff */
export const TariffList = ({ tariffs, alone = false }: { tariffs: readonly Tariff[]; alone?: boolean }) => (
  <CanAddContext.Provider value={alone}>
    {ORDER.flatMap((state) => tariffs.filter(({ inForce }) => inForce === state)).map((tariff) => (
      <TariffSection key={tariff.id} tariff={tariff} alone={alone} />
    ))}
  </CanAddContext.Provider>
);

type Uncharted = TariffsBody['uncharted'][number];

const CONSEQUENCES = {
  estimated: 'Zones from there are estimated by distance, and quotes say so.',
  unreached: 'Nothing can be quoted from there.',
} as const;

/** Formats `No zone chart for warehouses 101 (UPS) and 102 (FedEx, UPS).` */
const sentenceOf = (entries: readonly Uncharted[]): string => {
  const ids = [...new Set(entries.map(({ warehouse_id }) => warehouse_id))];
  const named = ids.map(
    (id) =>
      `${id} (${entries
        .filter(({ warehouse_id }) => warehouse_id === id)
        .map(carrierText)
        .join(', ')})`,
  );
  return `No zone chart for ${ids.length === 1 ? 'warehouse' : 'warehouses'} ${allOf(named)}.`;
};

export const UnchartedLines = ({ uncharted }: Pick<TariffsBody, 'uncharted'>) => (
  <>
    {(['estimated', 'unreached'] as const).map((kind) => {
      const own = uncharted.filter(({ zones }) => zones === kind);
      return own.length === 0 ? null : (
        <p key={kind}>
          <strong>{sentenceOf(own)}</strong> {CONSEQUENCES[kind]}
        </p>
      );
    })}
  </>
);
