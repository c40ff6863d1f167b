/** What rows repeat of cards and lanes: names as numbers, and cells as bytes. Each is made once. */
import { writeCell } from '../csv/cell.ts';
import { must } from '../must.ts';
import type { Card } from '../rating/card.ts';
import type { LaneCharges } from '../rating/charges.ts';

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

export interface KnownCards {
  readonly services: Names;
  /** `BASE`, `DISCOUNT` and the types of surcharges. */
  readonly charges: Names;
  readonly of: (card: Card) => KnownCard;
  /** The numbers of a lane's surcharges, beside them. */
  readonly chargesOn: (lane: LaneCharges) => readonly number[];
}

/** Lanes that are kept: a list of shipments with declared values has one for each row. */
const MOST_LANES = 20_000;

export const createKnownCards = (): KnownCards => {
  const services = createNames();
  const charges = createNames('BASE', 'DISCOUNT');
  const cards = new Map<Card, KnownCard>();
  const lanes = new Map<LaneCharges, readonly number[]>();
  return {
    services,
    charges,
    of: (card) => {
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
    chargesOn: (lane) => {
      const known = lanes.get(lane);
      if (known !== undefined) return known;
      const own = lane.surcharges.map(({ type }) => charges.numberOf(type));
      if (lanes.size >= MOST_LANES) lanes.clear();
      lanes.set(lane, own);
      return own;
    },
  };
};
