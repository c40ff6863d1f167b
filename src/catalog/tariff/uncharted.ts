/** The carriers without a zone chart for a warehouse. Their prices from there are estimated or missing. */
import { getOrMake } from '../../base/maps.ts';
import type { Card, Warehouse } from '../../rating/card.ts';
import { zip5Of } from '../../rating/rate.ts';

export interface Uncharted {
  readonly carrier: string;
  /** The services without a chart. */
  readonly services: string[];
  /** Whether these are all services of the carrier. */
  readonly allServices: boolean;
  readonly zones: 'estimated' | 'unreached';
}

/** @param cards the cards in force. Warehouses outside the United States are omitted because they cannot ship */
export const unchartedFor = (
  cards: readonly Card[],
  { postalCode, countryCode }: Pick<Warehouse, 'postalCode' | 'countryCode'>,
): readonly Uncharted[] => {
  if (countryCode !== 'US') return [];
  const origin = zip5Of(postalCode);
  const found = new Map<string, Omit<Uncharted, 'allServices'>>();
  for (const { carrier, code, zones } of cards) {
    const known = zones.originOf(origin);
    if (known === 'charted') continue;
    const entry = getOrMake(found, `${carrier} ${known}`, () => ({ carrier, services: [], zones: known }));
    entry.services.push(code);
  }
  return [...found.values()].map((entry) => ({
    ...entry,
    allServices: cards.every(({ carrier, code }) => carrier !== entry.carrier || entry.services.includes(code)),
  }));
};

/** An explanation to print after the name of the warehouse. */
export const unchartedText = ({ carrier, services, allServices, zones }: Uncharted): string => {
  const of = allServices ? carrier : `${carrier} (${services.join(', ')})`;
  return zones === 'estimated'
    ? `${of} has no zone chart for this origin; zones are estimated from the distance`
    : `${of} has no zone chart for this origin; nothing can be quoted from there`;
};
