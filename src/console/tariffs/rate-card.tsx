/** The rate card of a service as tables: packages by weight and zone, surcharges, and shipments rated as a whole. */
import { must } from '../../must.ts';
import type { CardBody } from '../calls.ts';
import { money } from '../ui/format.ts';
import { Table } from '../ui/table.tsx';

const CENTS = 100;

const price = (cents: number | null | undefined): string => (cents == null ? '—' : money(cents / CENTS));

/** The label of a column, with its zone if the names differ. */
const columnLabel = ({ zones, rateZones }: CardBody, column: number): string => {
  const [name = '', zone = ''] = [zones[column], rateZones[column]];
  return name === zone ? `Zone ${name}` : `${name} (zone ${zone})`;
};

const columnsOf = <Row extends { readonly charges: readonly (number | null)[] }>(card: CardBody) =>
  card.zones.map((name, column) => ({
    key: name,
    label: columnLabel(card, column),
    numeric: true,
    cell: ({ charges }: Row) => price(charges[column]),
  }));

const Charges = ({ card }: { readonly card: CardBody }) => {
  return (
    // The table scrolls by itself, so that the zones stay visible. The tab key must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="rate-card" tabIndex={0} aria-label={`Rate card of ${card.shippingService}, scrolls`}>
      <table class="table dense">
        <caption class="visually-hidden">
          Base charge of a package by {card.shippingService}, in US dollars, by billing weight and zone
        </caption>
        <thead>
          <tr>
            <th scope="col" class="numeric">
              LB
            </th>
            {card.zones.map((name, column) => (
              <th key={name} scope="col" class="numeric">
                {columnLabel(card, column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {card.rows.map(({ weightLb, charges }) => (
            <tr key={weightLb}>
              <th scope="row" class="numeric">
                {weightLb}
              </th>
              {card.zones.map((name, column) => (
                <td key={name} class="numeric">
                  {price(charges[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** Heavier packages are charged for every pound, not only for those above the limit. */
const Above = ({ card }: { readonly card: CardBody }) => {
  if (card.perPoundAbove === null) return null;
  const top = must(card.rows.at(-1), 'the last row of a rate card').weightLb;
  return (
    <Table
      caption={`A package billed at more than ${top} LB: base charge per pound, for all its pounds`}
      dense
      rows={[{ charges: card.perPoundAbove }]}
      keyOf={() => top}
      columns={columnsOf(card)}
    />
  );
};

const Multiweight = ({ card }: { readonly card: CardBody }) => {
  if (card.multiweight === null) return null;
  const { minimumTotalLb, minimumAverageLb, breaks } = card.multiweight;
  return (
    <Table
      caption={`Several packages of together ${minimumTotalLb} LB or more, each counted as at least ${minimumAverageLb} LB: base charge per pound, if that is lower`}
      dense
      rows={breaks}
      keyOf={({ fromLb }) => fromLb}
      columns={[
        { key: 'from', label: 'From LB', heads: true, numeric: true, cell: ({ fromLb }) => fromLb },
        ...columnsOf<(typeof breaks)[number]>(card),
      ]}
    />
  );
};

const Surcharges = ({ card }: { readonly card: CardBody }) =>
  card.surcharges.length === 0 ? null : (
    <Table
      caption="Surcharges on the base charge"
      rows={card.surcharges}
      keyOf={({ type, computation, because }) => `${type} ${computation} ${because.join()}`}
      columns={[
        { key: 'description', label: 'Surcharge', heads: true, cell: ({ description }) => description },
        {
          key: 'computation',
          label: 'How much',
          cell: ({ computation }) => <span class="computation">{computation}</span>,
        },
        {
          key: 'because',
          label: 'When',
          cell: ({ because }) => (because.length === 0 ? 'always' : because.join('; ')),
        },
      ]}
    />
  );

export const RateCard = ({ card }: { readonly card: CardBody }) => (
  <>
    <p class="lead">
      {card.description} by {card.carrier}, tariff <code>{card.tariff}</code>. Base charge of a package by its billing
      weight.{' '}
      {card.discountPercent === null
        ? 'You have no discount.'
        : `Your discount: ${card.discountPercent} %. Minimum charge: ${price(card.minimumChargeCents)} per package.`}
    </p>
    <Charges card={card} />
    <Above card={card} />
    <Multiweight card={card} />
    <Surcharges card={card} />
  </>
);
