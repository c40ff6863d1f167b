/** Compiles a tariff's surcharges for a service and a day: names become indexes, dollars become cents. */
import { getOrMake, grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { Card } from '../../rating/card.ts';
import { chargeTable, hasMeasures } from '../../rating/charge-table.ts';
import { isDemand, isFuel, type PricePart, type Surcharge, type SurchargeCondition } from '../../rating/charges.ts';
import { basisPointsOf, type Cents, cents } from '../../rating/quantity.ts';
import { periodOn } from './days.ts';
import type { ServiceEntry, SurchargeEntry, TariffDocument } from './document.ts';
import { chargesAt } from './fuel.ts';
import { ZIP5S, zipRangeOf } from './zip.ts';

/** `12.50` is 1250. */
export const centsOf = (money: string): Cents => cents(Number(money.replace('.', '')));

/** The zone from 1 to 8 that a rate column is reported as. Undefined if the service has none. */
export const rateZoneOf = ({ rateZones }: ServiceEntry, column: string): number | undefined => {
  if (Object.hasOwn(rateZones, column)) return rateZones[column];
  return /^[1-8]$/.test(column) ? Number(column) : undefined;
};

/** The percentage in force on a day, and its source. Undefined if there is none. */
const rateOn = ({ rate }: Extract<SurchargeEntry['amount'], { per: 'percent' }>, day: string) =>
  typeof rate === 'string' ? { rate, source: undefined } : periodOn(rate, day);

const isInForce = ({ from, until, amount }: SurchargeEntry, day: string): boolean =>
  (from === undefined || from <= day) &&
  (until === undefined || day <= until) &&
  (amount.per !== 'percent' || rateOn(amount, day) !== undefined);

/** The surcharges of a service on a day in the core's order: as listed, with percentages last. */
export const surchargesOn = (document: TariffDocument, code: string, day: string): SurchargeEntry[] => {
  const own = chargesAt(document, code, day).entries.filter((entry) => isInForce(entry, day));
  return [
    ...own.filter(({ amount }) => amount.per !== 'percent'),
    ...own.filter(({ amount }) => amount.per === 'percent'),
  ];
};

interface Subject {
  readonly service: ServiceEntry;
  readonly columns: readonly string[];
  readonly areas: DocumentAreas;
  readonly day: string;
}

/** @param own all surcharges of the service on the day, in the core's order */
const amountOf = (
  { amount }: SurchargeEntry,
  own: readonly SurchargeEntry[],
  { service, columns, day }: Subject,
): Surcharge['amount'] => {
  if (amount.per === 'percent') {
    const { rate, source } = must(rateOn(amount, day), 'the rate of a percentage in force');
    const of = own.flatMap(({ type }, index) => (amount.of.includes(type) ? [index] : []));
    const ofBase = amount.of.includes('BASE');
    return { per: 'percent', rate: basisPointsOf(rate), ofBase, of, ...present({ source }) };
  }
  if (amount.per === 'declaredValue')
    return {
      per: 'declaredValue',
      freeCents: cents(amount.freeUsd * 100),
      centsPer100: centsOf(amount.usdPer100),
      minimumCents: centsOf(amount.minimumUsd),
    };
  const { per, usd } = amount;
  const amounts = columns.map((column): string | null => {
    if (typeof usd === 'string') return usd;
    const key = [column, `zone ${rateZoneOf(service, column)}`, '*'].find((name) => Object.hasOwn(usd, name));
    return key === undefined ? '0.00' : (usd[key] ?? null);
  });
  const unknown = new Set(amounts.flatMap((amount, at) => (amount === null ? [at] : [])));
  const centsByColumn = amounts.map((amount): Cents => centsOf(amount ?? '0.00'));
  return { per, centsByColumn, ...(unknown.size > 0 && { unknown }) };
};

/** Numbers for areas. ZIP codes with the same tier in each list of a document share a number. */
type DocumentAreas = ReturnType<typeof numberAreas>;

const numberAreas = ({ areas }: TariffDocument) => {
  /** By ZIP5. 0 if a ZIP code has no tier in any list. */
  const byZip = new Uint32Array(ZIP5S);
  /** The tiers of each number, by list. */
  const numbered: ReadonlyMap<string, string>[] = [new Map()];
  for (const [list, { rows }] of Object.entries(areas)) {
    const known = new Map<string, number>();
    for (const { zip, tier } of rows) {
      const { from, to } = zipRangeOf(zip);
      for (let zip5 = from; zip5 <= to; zip5++) {
        const before = must(byZip[zip5], 'the area number of a ZIP code');
        const tiers = must(numbered[before], 'the tiers of an area number');
        if (tiers.get(list) === tier) continue;
        byZip[zip5] = getOrMake(known, `${before} ${tier}`, () => numbered.push(new Map([...tiers, [list, tier]])) - 1);
      }
    }
  }
  /** The numbers with a tier. */
  const of = (list: string, tier: string): ReadonlySet<number> =>
    new Set(numbered.flatMap((tiers, number) => (tiers.get(list) === tier ? [number] : [])));
  const tiersIn = (list: string): readonly string[] => [...new Set(numbered.flatMap((tiers) => tiers.get(list) ?? []))];
  return { count: numbered.length, byZip, of, tiersIn };
};

const numbered = new WeakMap<TariffDocument['areas'], DocumentAreas>();

/** The area numbers of a document, computed once. */
export const areasOf = (document: TariffDocument): DocumentAreas =>
  getOrMake(numbered, document.areas, () => numberAreas(document));

/**
 * Tiers without a charge in area lists whose other tiers have one.
 * @param own all surcharges of a service on a day
 */
export const unchargedTiers = (document: TariffDocument, own: readonly SurchargeEntry[]) => {
  const charged = own.flatMap((entry) => (isDemand(entry) ? [] : (entry.when.area ?? [])));
  return [...grouped(charged, ({ list }) => list)].flatMap(([list, same]) =>
    areasOf(document)
      .tiersIn(list)
      .flatMap((tier) => (same.some((area) => area.tier === tier) ? [] : { list, tier })),
  );
};

const conditionOf = ({ when }: SurchargeEntry, { columns, areas }: Subject): SurchargeCondition => {
  const { area, columns: named, anyOf, declaredValueUnderUsd: under, signature, billing, ...others } = when;
  return present({
    ...others,
    signature: signature && new Set(signature),
    billing: billing && new Set(billing),
    declaredValueUnderCents: under === undefined ? undefined : cents(under * 100),
    anyOf: anyOf?.map(present),
    area: area && areas.of(area.list, area.tier),
    columns: named && new Set(named.map((column) => columns.indexOf(column))),
  }) as SurchargeCondition;
};

const surchargeOf = (entry: SurchargeEntry, own: readonly SurchargeEntry[], subject: Subject): Surcharge => {
  const { type, description, source, dearestOf, leastBillingWeightLb, multiweightMaximumUsd } = entry;
  return {
    type,
    description,
    when: conditionOf(entry, subject),
    ...present({ tier: entry.when.area?.tier }),
    amount: amountOf(entry, own, subject),
    ...present({ source, dearestOf, leastBillingWeightLb }),
    ...(multiweightMaximumUsd && { multiweightMaximumCents: centsOf(multiweightMaximumUsd) }),
  };
};

/** Charges for some homes, such as large packages to homes, are not the residential charge. */
const isResidential = (surcharge: Surcharge): boolean =>
  surcharge.type.startsWith('RESIDENTIAL')
    ? surcharge.when.residential !== false
    : surcharge.when.residential === true &&
      surcharge.when.area === undefined &&
      !isDemand(surcharge) &&
      !hasMeasures(surcharge);

/** Charges for heavy packages to an area or in a demand season do not cover other packages, so they are not handling. */
const isHandling = (surcharge: Surcharge): boolean =>
  hasMeasures(surcharge) && surcharge.when.area === undefined && !isDemand(surcharge);

/** The parts of a carrier's bill that the tariff lacks for a service on a day. `residential` only concerns homes. */
const partsLacking = (service: ServiceEntry, surcharges: readonly Surcharge[]): ReadonlySet<PricePart> => {
  const lacks = new Set<PricePart>();
  if (!surcharges.some(isFuel)) lacks.add('fuel');
  if (!surcharges.some(isResidential)) lacks.add('residential');
  if (!surcharges.some(({ when }) => when.area !== undefined)) lacks.add('deliveryArea');
  if (!surcharges.some(isHandling)) lacks.add('handling');
  if (service.maximumLengthIn === undefined && service.maximumLengthPlusGirthIn === undefined) lacks.add('limits');
  for (const part of service.hasNo) lacks.delete(part);
  return lacks;
};

/** A card's surcharges on a day. */
export const chargesOn = (
  document: TariffDocument,
  service: ServiceEntry,
  columns: readonly string[],
  areas: DocumentAreas,
  day: string,
): Pick<Card, 'surcharges' | 'staleFuel' | 'lacks' | 'charges'> => {
  const own = surchargesOn(document, service.code, day);
  const surcharges = own.map((entry) => surchargeOf(entry, own, { service, columns, areas, day }));
  const lacks = partsLacking(service, surcharges);
  const uncharged = new Set(unchargedTiers(document, own).flatMap(({ list, tier }) => [...areas.of(list, tier)]));
  const lacksThere = new Set<PricePart>([...lacks, 'deliveryArea']);
  const lacksIn = (area: number): ReadonlySet<PricePart> => (uncharged.has(area) ? lacksThere : lacks);
  return {
    surcharges,
    staleFuel: chargesAt(document, service.code, day).staleFuel,
    lacks,
    charges: chargeTable(surcharges, lacksIn, new Set(service.hasNo), columns.length, areas.count),
  };
};
