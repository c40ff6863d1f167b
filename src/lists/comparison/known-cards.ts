/** What rows repeat of cards and lanes: names as numbers, and cells as bytes. Each is made once. */

import { must } from '../../base/must.ts';
import { writeCell } from '../../files/csv/cell.ts';
import type { Card } from '../../rating/card.ts';
import type { LaneCharges } from '../../rating/charges.ts';
import type { Result } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import type { Rated } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';

/** Names by number, in the order in which they come. */
export interface Names {
  readonly list: readonly string[];
  readonly numberOf: (name: string) => number;
}

const createNames = (...first: readonly string[]): Names => {
  const list = [...first];
  const numbers = new Map(list.map((name, number) => [name, number]));
  return {
    list,
    numberOf: (name) => {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, list.length);
      return list.push(name) - 1;
    },
  };
};

export interface KnownCard {
  /** The number of its service. */
  readonly service: number;
  /** `,C1-GROUND,5,5,` by column: the service, the zone, and the carrier's name of it. */
  readonly cells: readonly Buffer[];
}

/** The numbers of charges that every price has. */
export const BASE = 0;
export const DISCOUNT = 1;

export type KnownCards = ReturnType<typeof createKnownCards>;

/** Lanes that are kept: a list of shipments with declared values has one for each row. */
const MOST_LANES = 20_000;

export const createKnownCards = () => {
  const services = createNames();
  const charges = createNames('BASE', 'DISCOUNT');
  const cards = new Map<Card, KnownCard>();
  const lanes = new Map<LaneCharges, readonly number[]>();
  return {
    services,
    /** `BASE`, `DISCOUNT` and the types of surcharges. */
    charges,
    of: (card: Card): KnownCard => {
      const known = cards.get(card);
      if (known !== undefined) return known;
      const { code, columns, rateZones } = card;
      const own: KnownCard = {
        service: services.numberOf(code),
        cells: columns.map((name, column) =>
          Buffer.from(`,${code},${must(rateZones[column], 'the zone of a column')},${writeCell(name)},`),
        ),
      };
      cards.set(card, own);
      return own;
    },
    /** The numbers of a lane's surcharges, beside them. */
    chargesOn: (lane: LaneCharges): readonly number[] => {
      const known = lanes.get(lane);
      if (known !== undefined) return known;
      const own = lane.surcharges.map(({ type }) => charges.numberOf(type));
      if (lanes.size >= MOST_LANES) lanes.clear();
      lanes.set(lane, own);
      return own;
    },
  };
};

/** What a side of a comparison says of the row. */
export interface SeenSide {
  rated: Result<Rated>;
  /** That of `rated` and its card, if it has one. */
  price: Price | undefined;
  known: KnownCard | undefined;
}

/** A row as the sides see it. One object is used for all rows. */
export interface SeenRow {
  /** Undefined if the row cannot be read. */
  shipment: Shipment | undefined;
  readonly base: SeenSide;
  /** Beside the scenarios. A price that is the base's own is the same object. */
  readonly sides: readonly SeenSide[];
}
