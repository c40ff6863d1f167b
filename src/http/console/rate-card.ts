/** A service's rate card as a table for people: what the core prices with, its surcharges in words. */
import type { Card, Shipper, Surcharge } from '../../rating/card.ts';
import { reasonsOf } from '../../rating/explain.ts';
import { dollarText } from '../../rating/quantity.ts';
import { discountOf } from '../../rating/rate.ts';
import type { CardBody } from './schemas.ts';

/** Cents, where 0 stands for no rate. */
const rated = (cents: number | undefined): number | null => (cents === undefined || cents === 0 ? null : cents);

const computationOf = ({ amount }: Surcharge, { surcharges }: Card): string => {
  if (amount.per === 'percent') {
    const of = amount.of.map((index) => surcharges[index]?.type ?? '');
    return `${dollarText(amount.rate)} % of ${[...(amount.ofBase ? ['base'] : []), ...of].join(', ')}`;
  }
  const [least, most] = [Math.min(...amount.centsByColumn), Math.max(...amount.centsByColumn)];
  const sum = least === most ? `$${dollarText(least)}` : `$${dollarText(least)} to $${dollarText(most)}, by zone,`;
  return `${sum} per ${amount.per}`;
};

const rowsOf = ({ columns, rates, topLb }: Card): CardBody['rows'] =>
  Array.from({ length: topLb }, (_, row) => ({
    weightLb: row + 1,
    charges: columns.map((_column, at) => rated(rates[at * (topLb + 1) + row + 1])),
  }));

/** @param shipper whose discount is told */
export const rateCardOf = (card: Card, shipper: Shipper): CardBody => {
  const discount = discountOf(shipper, card);
  const { multiweight } = card;
  return {
    shippingService: card.code,
    carrier: card.carrier,
    description: card.description,
    tariff: card.tariff,
    zones: [...card.columns],
    rateZones: card.rateZones.map(String),
    rows: rowsOf(card),
    perPoundAbove: card.centsPerLbAboveTop?.map(rated) ?? null,
    minimumChargeCents: card.minimumNetCents,
    discountPercent: discount === 0 ? null : dollarText(discount),
    multiweight:
      multiweight === undefined
        ? null
        : {
            minimumTotalLb: multiweight.minimumTotalLb,
            minimumAverageLb: multiweight.minimumAverageLb,
            breaks: multiweight.breaks.map(({ fromLb, centsPerLb }) => ({ fromLb, charges: centsPerLb.map(rated) })),
          },
    surcharges: card.surcharges.map((surcharge) => ({
      type: surcharge.type,
      description: surcharge.description,
      computation: computationOf(surcharge, card),
      because: reasonsOf(surcharge, card),
    })),
  };
};
