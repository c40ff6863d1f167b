/** A tariff's content for each service, and what its prices lack on a day. */
import { getOrMake, grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { Card, OriginZones, Warehouse } from '../../rating/card.ts';
import type { Surcharge, TariffPart } from '../../rating/charges.ts';
import { SIGNATURES } from '../../rating/fields.ts';
import { zip5Of } from '../../rating/rate.ts';
import type { Shipper } from '../../rating/terms.ts';
import { surchargesOn } from './compile-charges.ts';
import type { AreaList, ServiceEntry, SurchargeEntry, TariffDocument } from './document.ts';
import { fuelOn } from './fuel.ts';
import { contains, ZIP5S, zipRangeOf } from './zip.ts';

/* The carriers without a zone chart for a warehouse. Their prices from there are estimated or missing. */

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

/** A warehouse in the United States. */
export interface CoveredOrigin {
  readonly label: string;
  readonly zip5: string;
}

export const originsIn = (
  { warehouses }: Pick<Shipper, 'warehouses'>,
  labelOf: (warehouseId: number) => string,
): readonly CoveredOrigin[] =>
  [...warehouses.values()]
    .filter(({ countryCode }) => countryCode === 'US')
    .map(({ id, postalCode }) => ({ label: labelOf(id), zip5: postalCode.slice(0, 5) }));

export type Coverage = ReturnType<typeof coverageOf>;
export type ServiceCoverage = Coverage['services'][number];

const EVERYWHERE = { from: 0, to: ZIP5S - 1 };

const originsOf = ({ charts }: TariffDocument, { zones }: ServiceEntry): string[] => {
  const chart = zones.chart === undefined ? undefined : must(charts[zones.chart], `zones/${zones.chart}.csv`);
  const origins = new Set(chart?.rows.map(({ origin }) => origin) ?? []);
  return [...origins].filter((origin) => !contains(zipRangeOf(origin), EVERYWHERE)).sort();
};

/** ZIP codes by tier. Lists are long and never change, so each list is counted once. */
const tierCounts = new WeakMap<AreaList, ReadonlyMap<string, number>>();
const countsOf = (list: AreaList): ReadonlyMap<string, number> =>
  getOrMake(tierCounts, list, () => {
    const zipCodes = new Map<string, Set<number>>();
    for (const { zip, tier } of list.rows) {
      const own = getOrMake(zipCodes, tier, () => new Set());
      const { from, to } = zipRangeOf(zip);
      for (let zip5 = from; zip5 <= to; zip5++) own.add(zip5);
    }
    return new Map([...zipCodes].map(([tier, { size }]) => [tier, size]));
  });

/** The tiers that surcharges name. Two surcharges may name the same tier, such as for homes and for businesses. */
const areasOf = ({ areas }: TariffDocument, surcharges: readonly SurchargeEntry[]) => {
  const named = new Map(
    surcharges.flatMap(({ when: { area } }) => (area ? [[`${area.list} ${area.tier}`, area]] : [])),
  );
  const zipCodes = [...named.values()].map(({ list, tier }) => {
    return must(countsOf(must(areas[list], `areas/${list}.csv`)).get(tier), `the tier ${tier} of areas/${list}.csv`);
  });
  return {
    tiers: [...new Set([...named.values()].map(({ tier }) => tier))],
    zipCodes: zipCodes.reduce((sum, count) => sum + count, 0),
  };
};

const ratesOf = (document: TariffDocument, { code, cubic }: ServiceEntry) => {
  const { columns, cents, ounces = [] } = must(document.rates[code], `rates/${code}.csv`);
  const [lightest] = ounces;
  return {
    /** The lightest row. */
    from: lightest === undefined ? '1 lb' : `${lightest.upToOz} oz`,
    toLb: cents.length,
    columns,
    /** Whether small packages may be priced by volume. */
    byVolume: cubic !== undefined,
  };
};

/** The parts of a price, as the core's quotes report them on the card's day. `none`: the carrier does not charge it. */
const partsOf = (
  { hasNo, deliversTo }: ServiceEntry,
  { lacks, surcharges, refusals }: Pick<Card, 'lacks' | 'surcharges' | 'refusals'>,
): Readonly<Record<TariffPart, 'present' | 'missing' | 'none'>> => {
  const stateOf = (part: TariffPart, isPresent: boolean) =>
    isPresent
      ? 'present'
      : hasNo.includes(part) ||
          refusals.some(({ member }) => member === part) ||
          (part === 'residential' && deliversTo === 'businesses')
        ? 'none'
        : 'missing';
  const found = (part: TariffPart, isOf: (surcharge: Surcharge) => boolean) => stateOf(part, surcharges.some(isOf));
  const charged = (part: TariffPart) => stateOf(part, !lacks.has(part) && !hasNo.includes(part));
  return {
    fuel: charged('fuel'),
    residential: charged('residential'),
    deliveryArea: charged('deliveryArea'),
    handling: charged('handling'),
    limits: charged('limits'),
    signature: found('signature', ({ when }) => when.signature !== undefined),
    saturday: found('saturday', ({ when }) => when.saturday === true),
    declaredValue: found('declaredValue', ({ amount }) => amount.per === 'declaredValue'),
  };
};

/**
 * The coverage of each service of a tariff without errors.
 * @param cards the tariff's cards on the day
 * @param origins the warehouses, if known
 */
export const coverageOf = (
  document: TariffDocument,
  cards: readonly Pick<Card, 'code' | 'lacks' | 'surcharges' | 'refusals' | 'zones'>[],
  { day, origins }: { readonly day: string; readonly origins: readonly CoveredOrigin[] },
) => {
  const services = document.file.services.map((service) => {
    const { code, carrier, zones } = service;
    const own = cards.find((one) => one.code === code);
    const card = must(own, `the card of ${code}`);
    const zonesFrom = (zip5: string): OriginZones | 'distance' => {
      const known = card.zones.originOf(Number(zip5));
      return known === 'charted' && zones.chart === undefined ? 'distance' : known;
    };
    return {
      service: code,
      carrier,
      rates: ratesOf(document, service),
      zones: {
        /** The origins of the service's chart. */
        origins: originsOf(document, service),
        warehouses: origins.map(({ label, zip5 }) => ({ warehouse: label, zones: zonesFrom(zip5) })),
      },
      fuel: fuelOn(document, code, day),
      areas: areasOf(document, surchargesOn(document, code, day)),
      limits: {
        weightLb: service.maximumActualLb,
        lengthIn: service.maximumLengthIn ?? null,
        lengthPlusGirthIn: service.maximumLengthPlusGirthIn ?? null,
      },
      /** The signatures with a charge. */
      signatures: SIGNATURES.filter((kind) => card.surcharges.some(({ when }) => when.signature?.has(kind) === true)),
      parts: partsOf(service, card),
    };
  });
  return { day, services };
};
