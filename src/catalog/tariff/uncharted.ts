/** The carriers without a zone chart for a warehouse. Their prices from there are estimated or missing. */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { Card, Warehouse } from '../../rating/card.ts';
import { zip5Of } from '../../rating/rate.ts';

/**
 * The carriers without a zone chart, and their services without one.
 * @param cards the cards in force. Warehouses outside the United States are omitted because they cannot ship
 */
export const unchartedFor = (
  cards: readonly Card[],
  { postalCode, countryCode }: Pick<Warehouse, 'postalCode' | 'countryCode'>,
) => {
  const found = (countryCode === 'US' ? cards : []).flatMap(({ carrier, code, zones }) => {
    const known = zones.originOf(zip5Of(postalCode));
    return known === 'charted' ? [] : [{ carrier, code, zones: known }];
  });
  return [...grouped(found, ({ carrier, zones }) => `${carrier} ${zones}`).values()].map((same) => {
    const { carrier, zones } = must(same[0], 'a service');
    const services = same.map(({ code }) => code);
    /** Whether these are all services of the carrier. */
    const allServices = cards.every((card) => card.carrier !== carrier || services.includes(card.code));
    return { carrier, services, zones, allServices };
  });
};
export type Uncharted = ReturnType<typeof unchartedFor>[number];

/** An explanation to print after the name of the warehouse. */
export const unchartedText = ({ carrier, services, allServices, zones }: Uncharted): string => {
  const of = allServices ? carrier : `${carrier} (${services.join(', ')})`;
  return zones === 'estimated'
    ? `${of} has no zone chart for this origin; zones are estimated from the distance`
    : `${of} has no zone chart for this origin; nothing can be quoted from there`;
};
