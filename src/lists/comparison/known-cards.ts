/** Keeps what rows repeat about cards and lanes: names as numbers, and cells as bytes. Each is made once. */

import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { writeCell } from '../../files/csv/cell.ts';
import type { Card } from '../../rating/card.ts';
import type { LaneCharges } from '../../rating/charges.ts';
import type { Result } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import type { Rated } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';

/** Numbers names in the order of their first use. */
const createNames = (...first: readonly string[]) => {
  const list = [...first];
  const numbers = new Map(list.map((name, number) => [name, number]));
  return {
    list,
    numberOf: (name: string): number => getOrMake(numbers, name, () => list.push(name) - 1),
  };
};

export interface KnownCard {
  /** The number of its service. */
  readonly service: number;
  /** By rate column: cells with the service, the zone and the carrier's name for it, such as `,C1-GROUND,5,5,`. */
  readonly cells: readonly Buffer[];
}

/** The numbers of charges that every price has. */
export const BASE = 0;
export const DISCOUNT = 1;

export type KnownCards = ReturnType<typeof createKnownCards>;

/** The number of lanes that are kept. In a list with declared values, each row may have its own lane. */
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
    /** Returns the charge numbers of a lane's surcharges, parallel to the surcharges. */
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

/** The outcome of a row on one side of a comparison. */
export interface SeenSide {
  rated: Result<Rated>;
  /** The price in `rated` and its card. Undefined after a fault. */
  price: Price | undefined;
  known: KnownCard | undefined;
}

/** The outcomes of a row on all sides. One object is used for all rows. */
export interface SeenRow {
  /** Undefined if the row cannot be read. */
  shipment: Shipment | undefined;
  readonly base: SeenSide;
  /** Parallel to the scenarios. If a scenario has the base's own price, it is the same object. */
  readonly sides: readonly SeenSide[];
}
