/**
 * The rate card of a service as tables: packages by weight and zone with what the client pays and the list's, surcharges,
 * and shipments rated as a whole.
 */
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { PaysContext } from '../agreements/pays.ts';
import type { CardBody } from '../calls.ts';
import { Notice } from '../ui/feedback.tsx';
import { allOf, counted, dayOf, money, percent } from '../ui/format.ts';
import { Named, Rows, Waived } from '../ui/kit.tsx';
import { type Col, Table } from '../ui/table.tsx';

const CENTS = 100;

type Cents = number | null;
type Limit = CardBody['rows'][number]['limits'][number];

const isOwn = ({ rateType }: CardBody): boolean => rateType === 'ACCOUNT';

const price = (cents: number | null | undefined): string => (cents == null ? '—' : money(cents / CENTS));

/** What is not in the contiguous states. */
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

/** The places of a column that goes to no contiguous state: `part of Alaska, Hawaii`. */
const farPlaces = (states: NonNullable<CardBody['states']>, column: number): string | undefined => {
  const own = states[column] ?? [];
  if (own.some((state) => FAR[state] === undefined)) return undefined;
  const isPart = (state: string): boolean => states.some((other, at) => at !== column && other.includes(state));
  const named = Object.keys(FAR).filter((state) => own.includes(state));
  return [...new Set(named.map((state) => `${isPart(state) ? 'part of ' : ''}${FAR[state]}`))].join(', ');
};

/** A column of rates: its place in the lists of the card, and what its head says. */
interface Column {
  readonly at: number;
  readonly label: ComponentChildren;
  /** The carrier's name of a zone that the map and reports count as another. */
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

/** The columns, those that do not occur from the warehouse last. */
const columnsOf = (card: CardBody): readonly Column[] =>
  card.zones
    .map((_, at) => columnOf(card, at))
    .sort((a, b) => Number(card.states?.[a.at]?.length === 0) - Number(card.states?.[b.at]?.length === 0));

/** What the carrier's own names of zones mean. */
const ZoneNames = ({ card }: { readonly card: CardBody }) => {
  const counted = columnsOf(card).flatMap(({ at, counted: name }) => (name === undefined ? [] : [{ at, name }]));
  const zones = new Set(counted.map(({ at }) => card.rateZones[at]));
  const hasOwn = card.zones.filter((name, at) => name !== card.rateZones[at]).length > counted.length;
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

/** A charge with the list's under it: `$8.20`, then `$10.00 −18%`. */
const Charge = ({ list, net, limit }: { readonly list: Cents; readonly net: Cents; readonly limit: Limit }) => {
  if (list === null || net === null || list === net) return <>{price(net)}</>;
  return (
    <>
      {limit === null ? null : <span class="mark warn">{limit === 'cap' ? 'cap' : 'min'}</span>}
      <strong>{price(net)}</strong>
      <span class="sub">
        <s>{price(list)}</s> −{percent(list - net, list)}
      </span>
    </>
  );
};

const Charges = ({ card }: { readonly card: CardBody }) => {
  const pays = useContext(PaysContext).toLowerCase();
  const own = `What ${pays} for a package by ${card.description} before surcharges, then the list price and the discount`;
  const base = `Base charge of a package by ${card.description}, in US dollars`;
  return (
    <Rows
      caption={`${isOwn(card) ? own : base}, by billing weight and zone`}
      dense
      of={card.rows}
      keyOf={({ weight }) => weight}
      cols={[
        ['lb', ({ weight }) => weight, 'head number'],
        ...columnsOf(card).map(
          ({ at, label }): Col<CardBody['rows'][number]> => [
            label,
            ({ list, net, limits }) => (
              <Charge list={list[at] ?? null} net={net[at] ?? null} limit={limits[at] ?? null} />
            ),
            'number',
          ],
        ),
      ]}
    />
  );
};

interface PerPound {
  readonly charges: readonly Cents[];
  readonly percents: readonly string[];
}

/** A price per pound, and the discount that is taken of the sum. */
const PoundPrice = ({ row, column }: { readonly row: PerPound; readonly column: number }) => {
  const cents = row.charges[column] ?? null;
  const off = row.percents[column];
  return (
    <>
      {price(cents)}
      {cents === null || off === undefined || off === '0.00' ? null : <span class="sub">−{Number(off)}%</span>}
    </>
  );
};

const poundColumns = <Row extends PerPound>(card: CardBody) =>
  columnsOf(card).map(
    ({ at, label }): Col<Row> => [label, (row: Row) => <PoundPrice row={row} column={at} />, 'number'],
  );

/** Heavier packages are charged for every pound, not only for those above the limit. */
const Above = ({ card }: { readonly card: CardBody }) => {
  const { above } = card;
  if (above === null) return null;
  return (
    <Table
      caption={`A package billed at more than ${above.topLb} lb: ${poundPriceText(card)}, for every pound`}
      dense
      rows={[above]}
      keyOf={() => above.topLb}
      cols={[['lb', ({ topLb }) => `over ${topLb}`, 'head number'], ...poundColumns<typeof above>(card)]}
    />
  );
};

const ownPriceText = ({ ownMultiweight }: CardBody): string =>
  `the agreement’s price per ${ownMultiweight?.perLb === 1 ? 'pound' : '100 pounds'}`;

const poundPriceText = (card: CardBody): string =>
  isOwn(card) ? 'list price per pound and the discount' : 'base charge per pound';

interface MultiweightProps {
  readonly card: CardBody;
  readonly table: CardBody['multiweight'];
  /** What the prices are. */
  readonly what: string;
}

const Multiweight = ({ card, table, what }: MultiweightProps) => {
  if (table === null) return null;
  const { minimumTotalLb, minimumAverageLb, breaks } = table;
  return (
    <Table
      caption={`Several packages totaling ${minimumTotalLb} lb or more, each counted as at least ${minimumAverageLb} lb: ${what}, if that is lower`}
      dense
      rows={breaks}
      keyOf={({ fromLb }) => fromLb}
      cols={[['From lb', ({ fromLb }) => fromLb, 'head number'], ...poundColumns<(typeof breaks)[number]>(card)]}
    />
  );
};

type Surcharge = CardBody['surcharges'][number];

/** What a percentage is taken of: the names of surcharges are folded. */
const Subjects = ({ of: [first, ...others] }: { readonly of: readonly string[] }) => {
  if (first === undefined) return null;
  if (others.length === 0) return <span class="sub">of {first}</span>;
  return (
    <details class="sub">
      <summary>
        of the {first.toLowerCase()} and {counted(others.length, 'surcharge')}
      </summary>
      {others.join('; ')}
    </details>
  );
};

const SurchargeName = ({ description, because, of }: Surcharge) => (
  <div>
    {description}
    {because.length > 0 || of === null ? <span class="sub">{because.join('; ') || 'always'}</span> : null}
    {of === null ? null : <Subjects of={of} />}
  </div>
);

const OwnAmount = ({ yours }: Surcharge) =>
  yours === null ? <>same as list</> : <strong>{yours === 'waived' ? <Waived /> : yours}</strong>;

interface SurchargesProps {
  readonly card: CardBody;
  /** Those that are shown. */
  readonly of: readonly Surcharge[];
}

export const SurchargeTable = ({ card, of }: SurchargesProps) => {
  const pays = useContext(PaysContext);
  return (
    <Rows
      caption="Surcharges on the base charge"
      of={of}
      keyOf={({ type, computation, because }) => `${type} ${computation} ${because.join()}`}
      cards
      empty={<p class="hint">There are none.</p>}
      cols={[
        ['Surcharge', SurchargeName, 'head'],
        [isOwn(card) ? 'List price' : 'Price', ({ computation }) => computation, 'number'],
        of.some(({ yours }) => yours !== null) && [pays, OwnAmount, 'number'],
      ]}
    />
  );
};

const ADDRESSES = { commercial: 'a business', residential: 'a home' } as const;

/** What decides a price beside the percentages. */
const Limits = ({ card }: { readonly card: CardBody }) => {
  const limits = new Set(card.rows.flatMap((row) => row.limits));
  return (
    <ul class="plain stack tiny">
      <li>
        <strong>Minimum charge: {price(card.minimumChargeCents)} per package.</strong> A discount never leaves less.{' '}
        {limits.has('minimum') ? (
          <>
            Prices marked <span class="mark warn">min</span> would be lower without it.
          </>
        ) : (
          'It changes none of these prices.'
        )}
      </li>
      {limits.has('cap') ? (
        <li>
          Prices marked <span class="mark warn">cap</span> would be higher without the cap of the agreement.
        </li>
      ) : null}
      {card.ownRates ? (
        <li>The agreement has its own rates for this service. They are shown here as the list price.</li>
      ) : null}
    </ul>
  );
};

const Standing = ({ card }: { readonly card: CardBody }) => {
  const pays = useContext(PaysContext);
  if (card.endedOn !== null)
    return (
      <Notice kind="warning" title="The agreement has ended">
        <p>
          It ended on {dayOf(card.endedOn)}. {pays} the list price.
        </p>
      </Notice>
    );
  if (!isOwn(card)) return <p>{pays} the list price, without a discount on this service.</p>;
  return <Limits card={card} />;
};

export const RateCard = ({ card }: { readonly card: CardBody }) => (
  <>
    <div class="stack small">
      <h2>
        {card.description} to {ADDRESSES[card.address]}
      </h2>
      <p class="lead">
        {isOwn(card)
          ? 'Price of a package before surcharges, by its billing weight. Under it, the list price and the discount.'
          : 'Base charge of a package by its billing weight.'}{' '}
        From tariff {card.tariff.split('@')[0]}.
      </p>
      <Standing card={card} />
      <ZoneNames card={card} />
    </div>
    {/* The first table scrolls by itself, so that the zones stay visible. */}
    <div class="pinned stack rate-card">
      <Charges card={card} />
      <Above card={card} />
      <Multiweight card={card} table={card.multiweight} what={poundPriceText(card)} />
      <Multiweight card={card} table={card.ownMultiweight} what={ownPriceText(card)} />
    </div>
  </>
);
