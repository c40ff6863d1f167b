/** The price of a row on one side of a comparison. What rows repeat is made once: names as numbers, and cells as bytes. */

import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { writeCell } from '../../files/csv/cell.ts';
import type { Card, Warehouse } from '../../rating/card.ts';
import type { LaneCharges } from '../../rating/charges.ts';
import type { Price } from '../../rating/price.ts';
import { cheapestOf, type Rated } from '../../rating/rate.ts';

export interface Seen {
  readonly price: Price;
  readonly warehouse: Warehouse;
  /** The number of its service. */
  readonly service: number;
  /** The numbers of its surcharges. */
  readonly surcharges: readonly number[];
  /** By rate column: cells with the service, the zone and the carrier's name for it, such as `,C1-GROUND,5,5,`. */
  readonly cells: readonly Buffer[];
}

/** The number of the discount among the charges. A tariff may have a surcharge of the same name. */
export const DISCOUNT = 0;

/** The number of lanes that are kept. In a list with declared values, each row may have its own lane. */
const MOST_LANES = 20_000;

export const createSeen = () => {
  const services = new Map<string, number>();
  const types = new Map([['DISCOUNT', DISCOUNT]]);
  const cards = new Map<Card, Pick<Seen, 'service' | 'cells'>>();
  const lanes = new Map<LaneCharges, readonly number[]>();
  /** Numbers names in the order of their first use. */
  const numberIn = (names: Map<string, number>, name: string): number => getOrMake(names, name, () => names.size);

  const cardOf = ({ code, columns, rateZones }: Card): Pick<Seen, 'service' | 'cells'> => ({
    service: numberIn(services, code),
    cells: columns.map((name, column) =>
      Buffer.from(`,${code},${must(rateZones[column], 'the zone of a column')},${writeCell(name)},`),
    ),
  });

  return {
    see: (rated: Rated): Seen => {
      const price = cheapestOf(rated);
      const { card, charges } = price;
      if (lanes.size >= MOST_LANES) lanes.clear();
      const surcharges = getOrMake(lanes, charges, () => charges.surcharges.map(({ type }) => numberIn(types, type)));
      const { service, cells } = getOrMake(cards, card, () => cardOf(card));
      return { price, warehouse: rated.warehouse, service, surcharges, cells };
    },
    services: (): string[] => [...services.keys()],
    charges: (): string[] => [...types.keys()],
  };
};
export type SeenNames = ReturnType<typeof createSeen>;
