/**
 * The rate card of a service as tables: packages by weight and zone with the client's price and the list price, surcharges, and
 * shipments rated as a whole.
 */
import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';

import { PaysContext } from '../agreements/pays.ts';
import { HIGHEST, highestText } from '../agreements/words.ts';
import type { CardBody } from '../calls.ts';
import { href, operatorHref } from '../navigation.tsx';
import { Checkbox, Segments, Select } from '../ui/controls.tsx';
import { Folded, Notice } from '../ui/feedback.tsx';
import { allOf, capital, chargeTitle, counted, dayOf, money } from '../ui/format.ts';
import { Named, Rows, Waived } from '../ui/kit.tsx';
import { serviceOptions } from '../ui/service-names.tsx';
import { type Col, Table } from '../ui/table.tsx';

const CENTS = 100;

type Cents = number | null;

const isOwn = ({ rateType }: CardBody): boolean => rateType === 'ACCOUNT';

const price = (cents: number | null | undefined): string => (cents == null ? '—' : money(cents / CENTS));

/** Places outside the contiguous states. */
const FAR: Readonly<Record<string, string>> = {
  AK: 'Alaska',
  HI: 'Hawaii',
  PR: 'Puerto Rico',
  VI: 'Virgin Islands',
  GU: 'Guam',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
  PW: 'Palau',
  FM: 'Micronesia',
  MH: 'Marshall Islands',
  AA: 'military post',
  AE: 'military post',
  AP: 'military post',
};

const NOT_HERE = 'not from here';

/** The places of a column without contiguous states: `part of Alaska, Hawaii`. */
const farPlaces = (states: NonNullable<CardBody['states']>, column: number): string | undefined => {
  const own = states[column] ?? [];
  if (own.some((state) => FAR[state] === undefined)) return undefined;
  const isPart = (state: string): boolean => states.some((other, at) => at !== column && other.includes(state));
  const named = Object.keys(FAR).filter((state) => own.includes(state));
  return [...new Set(named.map((state) => `${isPart(state) ? 'part of ' : ''}${FAR[state]}`))].join(', ');
};

/** A column of rates: its index in the lists of the card, and its header. */
interface Column {
  readonly at: number;
  readonly label: ComponentChildren;
  /** The carrier's name for a zone that the map and reports count as another zone. */
  readonly counted?: string;
}

const columnOf = ({ zones, rateZones, states }: CardBody, at: number): Column => {
  const [name = '', zone = ''] = [zones[at], rateZones[at]];
  const far = states === null ? undefined : farPlaces(states, at);
  const isMain = states === null ? rateZones.indexOf(zone) === rateZones.lastIndexOf(zone) : far === undefined;
  if (name === zone)
    return { at, label: far === '' ? <Named name={`Zone ${name}`} text={NOT_HERE} /> : `Zone ${name}` };
  if (isMain) return { at, label: <Named name={`Zone ${zone}`} text={name} /> };
  const text = far === undefined ? `as zone ${zone}` : far || NOT_HERE;
  return { at, label: <Named name={`Zone ${name}`} text={text} />, counted: name };
};

/** The columns, ordered by zone number. */
const columnsOf = (card: CardBody): readonly Column[] => {
  const zoneOf = ({ at, counted: name }: Column): number =>
    Number(name ?? card.rateZones[at]) || Number.POSITIVE_INFINITY;
  return card.zones.map((_, at) => columnOf(card, at)).sort((a, b) => zoneOf(a) - zoneOf(b));
};

interface CardProps {
  readonly card: CardBody;
  /** The visible columns. */
  readonly columns: readonly Column[];
}

/** Explains the carrier's own zone names. */
const ZoneNames = ({ card, columns }: CardProps) => {
  const counted = columns.flatMap(({ at, counted: name }) => (name === undefined ? [] : [{ at, name }]));
  const zones = new Set(counted.map(({ at }) => card.rateZones[at]));
  const hasOwn = columns.filter(({ at }) => card.zones[at] !== card.rateZones[at]).length > counted.length;
  if (counted.length === 0 && !hasOwn) return null;
  return (
    <p class="hint">
      {hasOwn ? `The numbers below zones are those of ${card.carrier}. ` : ''}
      {counted.length === 0
        ? ''
        : `${card.carrier} has zones of its own for some destinations: ${allOf(counted.map(({ name }) => name))}. The map and reports count them as zone ${[...zones].join(' or ')}.`}
    </p>
  );
};

/** Formats an agreed percentage: `−18%`. Empty if there is none. */
const offText = (rate = '0'): string => (Number(rate) === 0 ? '' : `−${Number(rate)}%`);

const offsOf = ({ list, percents }: CardBody['rows'][number]): readonly string[] =>
  percents.filter((_, at) => list[at] !== null).map(offText);

/** The agreed discount of most prices in a row. */
const usualOff = (row: CardBody['rows'][number]): string => {
  const offs = offsOf(row);
  const times = (off: string): number => offs.filter((other) => other === off).length;
  return offs.toSorted((a, b) => times(b) - times(a))[0] ?? '';
};

/** The agreed discount, if all prices have the same. */
const onlyOff = ({ rows }: CardBody): string => {
  const [off = '', ...others] = new Set(rows.flatMap(offsOf));
  return others.length === 0 ? off : '';
};

/** What the agreement takes off in addition to the percentage, in cents. None where a limit sets the price. */
const moreOff = ({ list, net, limits, percents }: CardBody['rows'][number], at: number): number => {
  const [before = null, after = null, limit = null] = [list[at], net[at], limits[at]];
  if (before === null || after === null || limit !== null) return 0;
  const more = Math.round(before * (1 - Number(percents[at] ?? 0) / 100)) - after;
  // A cent is rounding.
  return more > 1 ? more : 0;
};

/** A charge, with its discount below if that is not the usual one of its row: `$8.20`, then `−18%`. A limit tints it. */
const Charge = ({ row, at }: { readonly row: CardBody['rows'][number]; readonly at: number }) => {
  const [net = null, limit = null] = [row.net[at], row.limits[at]];
  const [off, more] = [offText(row.percents[at]), moreOff(row, at)];
  if (net === row.list[at] && limit === null) return <>{price(net)}</>;
  return (
    <>
      <span class={limit ?? undefined}>{price(net)}</span>
      {limit === null ? null : <span class="visually-hidden"> {limit}</span>}
      {off === usualOff(row) ? null : <span class="sub">{off}</span>}
      {more === 0 ? null : <span class="sub">{`after −${price(more)}`}</span>}
    </>
  );
};

/** @param cell the cell at an index in the lists of the card */
const zoneCols = <Row,>(
  columns: readonly Column[],
  cell: (row: Row, at: number) => ComponentChildren,
): readonly Col<Row>[] => columns.map(({ at, label }) => [label, (row) => cell(row, at), 'number']);

/** Most packages weigh less. One click shows the others. */
const FIRST_ROWS = 50;

/** Above the limit, packages pay for every pound, not only for the pounds above it. */
type Row = CardBody['rows'][number] | NonNullable<CardBody['above']>;

const Charges = ({ card, columns }: CardProps) => {
  const pays = useContext(PaysContext).toLowerCase();
  const own = `What ${pays} for a package by ${card.description} before surcharges, with the discount`;
  const base = `Base charge of a package by ${card.description}, in US dollars`;
  const hasOff = onlyOff(card) === '' && card.rows.some((row) => usualOff(row) !== '');
  return (
    <Rows
      caption={`${isOwn(card) ? own : base}, by billing weight and zone`}
      dense
      most={FIRST_ROWS}
      of={[...card.rows, ...(card.above === null ? [] : [card.above])]}
      keyOf={(row) => ('weight' in row ? row.weight : 'above')}
      cols={[
        [
          'lb',
          (row) => ('weight' in row ? row.weight : <Named name={`over ${row.topLb}`} text="per lb" />),
          'head number',
        ],
        hasOff && ['Discount', (row) => <span class="hint">{'weight' in row ? usualOff(row) : ''}</span>, 'number'],
        ...zoneCols<Row>(columns, (row, at) =>
          'weight' in row ? <Charge row={row} at={at} /> : <PoundPrice row={row} at={at} />,
        ),
      ]}
    />
  );
};

interface PerPound {
  readonly charges: readonly Cents[];
  readonly percents: readonly string[];
}

/** A price per pound, and the discount on the sum. */
const PoundPrice = ({ row, at }: { readonly row: PerPound; readonly at: number }) => {
  const cents = row.charges[at] ?? null;
  return (
    <>
      {price(cents)}
      {cents === null ? null : <span class="sub">{offText(row.percents[at])}</span>}
    </>
  );
};

const ownPriceText = ({ ownMultiweight }: CardBody): string =>
  `the agreement’s price per ${ownMultiweight?.perLb === 1 ? 'pound' : '100 pounds'}`;

const poundPriceText = (card: CardBody): string =>
  isOwn(card) ? 'list price per pound and the discount' : 'base charge per pound';

interface MultiweightProps extends Pick<CardProps, 'columns'> {
  readonly table: CardBody['multiweight'];
  /** What the prices are for. */
  readonly what: string;
}

const Multiweight = ({ columns, table, what }: MultiweightProps) => {
  if (table === null) return null;
  const { minimumTotalLb, minimumAverageLb, breaks } = table;
  return (
    <Table
      caption={`Several packages totaling ${minimumTotalLb} lb or more, each counted as at least ${minimumAverageLb} lb: ${what}, if that is lower`}
      dense
      rows={breaks}
      keyOf={({ fromLb }) => fromLb}
      cols={[
        ['From lb', ({ fromLb }) => fromLb, 'head number'],
        ...zoneCols<PerPound>(columns, (row, at) => <PoundPrice row={row} at={at} />),
      ]}
    />
  );
};

type Surcharge = CardBody['surcharges'][number];

/** What a percentage applies to. The names of surcharges are folded. */
const Subjects = ({ of: [first, ...others] }: { readonly of: readonly string[] }) => {
  if (first === undefined) return null;
  if (others.length === 0) return <span class="sub">of {first}</span>;
  return (
    <Folded class="sub" title={`of the ${first.toLowerCase()} and ${counted(others.length, 'surcharge')}`}>
      {others.join('; ')}
    </Folded>
  );
};

/** The conditions, except for the one that a line above the table names. */
const When = ({ because, of }: Surcharge) => (
  <>
    {capital(because.filter((reason) => reason !== HIGHEST).join('; ') || 'always')}
    {of === null ? null : <Subjects of={of} />}
  </>
);

export const ADDRESSES = [
  { value: 'commercial', label: 'a business' },
  { value: 'residential', label: 'a home' },
] as const;

export interface CardQuery {
  readonly service: string;
  readonly address: string;
}

interface ChosenCardProps {
  readonly services: Parameters<typeof serviceOptions>[0];
  readonly children: (chosen: CardQuery) => ComponentChildren;
}

/** The rate card of the service and the kind of address that people choose. */
export const ChosenCard = ({ services, children }: ChosenCardProps) => {
  const [service, setService] = useState(services[0]?.shippingService ?? '');
  const [address, setAddress] = useState<string>(ADDRESSES[0].value);
  return (
    <>
      <div class="tariff-choice limited">
        <Select label="Service" value={service} onChange={setService} options={serviceOptions(services)} />
        <Select label="To" value={address} onChange={setAddress} options={ADDRESSES} />
      </div>
      {children({ service, address })}
    </>
  );
};

/** The condition of surcharges that only apply to the other kind of address. */
const OTHERS = { commercial: 'residential address', residential: 'commercial address' } as const;

const OwnAmount = ({ yours }: Surcharge) =>
  yours === null ? <>same as list</> : <strong>{yours === 'waived' ? <Waived /> : yours}</strong>;

/** @param of the surcharges to show */
export const SurchargeTable = ({ card, of }: { readonly card: CardBody; readonly of: readonly Surcharge[] }) => {
  const pays = useContext(PaysContext);
  const own = of.filter(({ because }) => !because.includes(OTHERS[card.address]));
  return (
    <div class="stack small surcharges">
      {own.length === 0 ? null : (
        <p class="hint">Amounts are per package, unless they say otherwise.{highestText(own)}</p>
      )}
      <Rows
        caption="Surcharges on the base charge"
        of={own}
        keyOf={({ type, computation, because }) => `${type} ${computation} ${because.join()}`}
        cards
        empty={<p class="hint">{card.surcharges.length === 0 ? 'The tariff has no surcharges for it.' : 'None.'}</p>}
        cols={[
          ['Surcharge', ({ type, description }) => chargeTitle(type, description), 'head'],
          ['When', When],
          [isOwn(card) ? 'List price' : 'Price', ({ computation }) => computation, 'number'],
          own.some(({ yours }) => yours !== null) && [pays, OwnAmount, 'number'],
        ]}
      />
    </div>
  );
};

/** Terms that affect a price in addition to percentages. */
const Limits = ({ card }: { readonly card: CardBody }) => {
  const limits = new Set(card.rows.flatMap((row) => row.limits));
  const off = onlyOff(card);
  const minimums = card.rows.flatMap(({ net, limits: own }) => net.filter((_, at) => own[at] === 'minimum'));
  const highest = Math.max(card.minimumChargeCents, ...minimums.map((cents) => cents ?? 0));
  return (
    <ul class="plain stack tiny">
      {off === '' ? null : (
        <li>
          <strong>Discount: {off.slice(1)} off at every weight and in every zone.</strong>
        </li>
      )}
      <li>
        <strong>
          Minimum charge: {price(card.minimumChargeCents)}
          {highest > card.minimumChargeCents ? ` to ${price(highest)}, by zone,` : ''} per package.
        </strong>{' '}
        Discounts never go below it.{' '}
        {limits.has('minimum') ? (
          <>
            It sets the prices in <span class="mark warn">this color</span>.
          </>
        ) : (
          'It changes none of these prices.'
        )}
      </li>
      {limits.has('cap') ? (
        <li>
          The cap of the agreement sets the prices in <span class="mark accent">this color</span>.
        </li>
      ) : null}
      {card.ownRates ? (
        <li>The agreement has its own rates for this service. They are shown here as the list price.</li>
      ) : null}
    </ul>
  );
};

/** The card with only list prices. */
const listOf = (card: CardBody): CardBody => ({
  ...card,
  rows: card.rows.map((row) => ({ ...row, net: row.list, limits: [], percents: [] })),
  above: card.above && { ...card.above, percents: [] },
});

export const RateCard = ({ card }: { readonly card: CardBody }) => {
  const pays = useContext(PaysContext);
  const [isAll, setAll] = useState(false);
  const [prices, setPrices] = useState('net');
  const every = columnsOf(card);
  const reached = every.filter(({ at }) => card.states?.[at]?.length !== 0);
  const columns = isAll ? every : reached;
  const shown = prices === 'net' ? card : listOf(card);
  const [tariff] = card.tariff.split('@', 1);
  return (
    <>
      <div class="split">
        <h2>
          {card.description} to {ADDRESSES.find(({ value }) => value === card.address)?.label}
        </h2>
        {isOwn(card) ? (
          <Segments
            label="Prices"
            options={[
              { value: 'net', label: pays },
              { value: 'list', label: 'List price' },
            ]}
            value={prices}
            onChange={setPrices}
          />
        ) : null}
      </div>
      {card.endedOn === null ? null : (
        <Notice
          kind="warning"
          title="The agreement has ended"
          text={`It ended on ${dayOf(card.endedOn)}. ${pays} the list price.`}
        />
      )}
      {isOwn(card) ? <Limits card={card} /> : null}
      {/* The first table scrolls by itself, so that the zones stay visible. */}
      <div class="pinned stack rate-card">
        <Charges card={shown} columns={columns} />
        <Multiweight columns={columns} table={card.multiweight} what={poundPriceText(card)} />
        <Multiweight columns={columns} table={card.ownMultiweight} what={ownPriceText(card)} />
      </div>
      <div class="stack small">
        <p class="hint">
          {isOwn(card)
            ? 'Price of a package by billing weight, after the discount, before fuel and other surcharges.'
            : 'Base charge of a package by its billing weight, before fuel and other surcharges.'}{' '}
          {card.above === null ? '' : `Over ${card.above.topLb} lb: the ${poundPriceText(card)}, for every pound. `}
          {isOwn(card) || card.endedOn !== null
            ? ''
            : `${pays} the list price, ${pays === 'A client pays' ? 'unless it has a discount or an agreement' : 'because this service has no discount'}. `}
          Tariff <a href={pays === 'You pay' ? href.tariffs : operatorHref('tariffs', card.tariff)}>{tariff}</a>.
        </p>
        <ZoneNames card={card} columns={columns} />
        {reached.length === every.length ? null : (
          <Checkbox label="Also show zones not used from this warehouse" checked={isAll} onChange={setAll} />
        )}
      </div>
    </>
  );
};
