/**
 * The rate card of a service as tables: packages by weight and zone with what the client pays and the list's, surcharges,
 * and shipments rated as a whole.
 */
import type { CardBody } from '../calls.ts';
import { Notice } from '../ui/feedback.tsx';
import { dayOf, money, percent } from '../ui/format.ts';
import { Rows, Waived } from '../ui/kit.tsx';
import { type Col, Table } from '../ui/table.tsx';

const CENTS = 100;

type Cents = number | null;
type Limit = CardBody['rows'][number]['limits'][number];

const isOwn = ({ rateType }: CardBody): boolean => rateType === 'ACCOUNT';

const price = (cents: number | null | undefined): string => (cents == null ? '—' : money(cents / CENTS));

/** The label of a column, with its zone if the names differ. */
const columnLabel = ({ zones, rateZones }: CardBody, column: number): string => {
  const [name = '', zone = ''] = [zones[column], rateZones[column]];
  return name === zone ? `Zone ${name}` : `${name} (zone ${zone})`;
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
  const own = `What you pay for a package by ${card.shippingService} before surcharges, then the list price and your discount`;
  const base = `Base charge of a package by ${card.shippingService}, in US dollars`;
  return (
    // The table scrolls by itself, so that the zones stay visible.
    <div class="pinned rate-card">
      <Rows
        caption={`${isOwn(card) ? own : base}, by billing weight and zone`}
        dense
        of={card.rows}
        keyOf={({ weight }) => weight}
        cols={[
          ['LB', ({ weight }) => weight, 'head number'],
          ...card.zones.map(
            (_, column): Col<CardBody['rows'][number]> => [
              columnLabel(card, column),
              ({ list, net, limits }) => (
                <Charge list={list[column] ?? null} net={net[column] ?? null} limit={limits[column] ?? null} />
              ),
              'number',
            ],
          ),
        ]}
      />
    </div>
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
  card.zones.map(
    (_, column): Col<Row> => [
      columnLabel(card, column),
      (row: Row) => <PoundPrice row={row} column={column} />,
      'number',
    ],
  );

/** Heavier packages are charged for every pound, not only for those above the limit. */
const Above = ({ card }: { readonly card: CardBody }) => {
  const { above } = card;
  if (above === null) return null;
  return (
    <Table
      caption={`A package billed at more than ${above.topLb} LB: ${poundPriceText(card)}, for every pound`}
      dense
      rows={[above]}
      keyOf={() => above.topLb}
      cols={poundColumns(card)}
    />
  );
};

const ownPriceText = ({ ownMultiweight }: CardBody): string =>
  `your agreement’s price per ${ownMultiweight?.perLb === 1 ? 'pound' : '100 pounds'}`;

const poundPriceText = (card: CardBody): string =>
  isOwn(card) ? 'list price per pound and your discount' : 'base charge per pound';

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
      caption={`Several packages totaling ${minimumTotalLb} LB or more, each counted as at least ${minimumAverageLb} LB: ${what}, if that is lower`}
      dense
      rows={breaks}
      keyOf={({ fromLb }) => fromLb}
      cols={[['From LB', ({ fromLb }) => fromLb, 'head number'], ...poundColumns<(typeof breaks)[number]>(card)]}
    />
  );
};

type Surcharge = CardBody['surcharges'][number];

const YourAmount = ({ yours }: Surcharge) => (
  <span class="anywhere">
    {yours === null ? 'same as list' : <strong>{yours === 'waived' ? <Waived /> : yours}</strong>}
  </span>
);

const Surcharges = ({ card }: { readonly card: CardBody }) =>
  card.surcharges.length === 0 ? null : (
    <Table
      caption="Surcharges on the base charge"
      rows={card.surcharges}
      keyOf={({ type, computation, because }) => `${type} ${computation} ${because.join()}`}
      cols={[
        ['Surcharge', ({ description }) => description, 'head'],
        [isOwn(card) ? 'List price' : 'How much', ({ computation }) => <span class="anywhere">{computation}</span>],
        card.surcharges.some(({ yours }) => yours !== null) && ['You pay', YourAmount],
        ['When', ({ because }) => (because.length === 0 ? 'always' : because.join('; '))],
      ]}
    />
  );

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
          Prices marked <span class="mark warn">cap</span> would be higher without the cap of your agreement.
        </li>
      ) : null}
      {card.ownRates ? (
        <li>Your agreement has its own rates for this service. They are shown here as the list price.</li>
      ) : null}
    </ul>
  );
};

const Standing = ({ card }: { readonly card: CardBody }) => {
  if (card.endedOn !== null)
    return (
      <Notice kind="warning" title="Your agreement has ended">
        <p>It ended on {dayOf(card.endedOn)}. You pay the list price.</p>
      </Notice>
    );
  if (!isOwn(card)) return <p>You pay the list price. You have no discount on this service.</p>;
  return <Limits card={card} />;
};

export const RateCard = ({ card }: { readonly card: CardBody }) => (
  <>
    <p class="lead">
      {card.description} by {card.carrier}, tariff <code>{card.tariff}</code>.{' '}
      {isOwn(card)
        ? `What you pay for a package to ${ADDRESSES[card.address]}, before surcharges, by its billing weight. Under it, the list price and your discount.`
        : 'Base charge of a package by its billing weight.'}
    </p>
    <Standing card={card} />
    <Charges card={card} />
    <Above card={card} />
    <Multiweight card={card} table={card.multiweight} what={poundPriceText(card)} />
    <Multiweight card={card} table={card.ownMultiweight} what={ownPriceText(card)} />
    <Surcharges card={card} />
  </>
);
