/**
 * Compiles a tariff's document into cards for the core: names become indexes, dollars become cents, tables become flat
 * arrays. `check.ts` must have found no errors in the document. A missing cell fails the compilation. So the core can read
 * a card without checks, and a damaged card never looks like a weight that is not served.
 */
import { must } from '../must.ts';
import {
  type Card,
  ESTIMATED,
  type Multiweight,
  NO_COLUMN,
  type Surcharge,
  type SurchargeCondition,
} from '../rating/card.ts';
import { type BasisPoints, basisPointsOf, type Cents, cents, type SideRounding } from '../rating/quantity.ts';
import type { RateTable, ServiceEntry, SurchargeEntry, TariffDocument } from './document.ts';
import { tariffId } from './identity.ts';
import { zipRangeOf } from './zip.ts';
import { compileZones, type Distances, groupsOf, type OriginGroup, type ZoneRules } from './zones.ts';

/** `12.50` is 1250. */
export const centsOf = (money: string): Cents => cents(Number(money.replace('.', '')));

/** The zone from 1 to 8 that a rate column is reported as; undefined if the service names none. */
export const rateZoneOf = ({ rateZones }: ServiceEntry, column: string): number | undefined => {
  if (Object.hasOwn(rateZones, column)) return rateZones[column];
  return /^[1-8]$/.test(column) ? Number(column) : undefined;
};

/** The rate cell that is the minimum of a discounted base. Default: 1 lb in the column of the nearest zone. */
export const minimumNetCell = (service: ServiceEntry, table: RateTable): { column: string; weightLb: number } => {
  if (service.minimumNet !== undefined) return service.minimumNet;
  let [nearest = ''] = table.columns;
  for (const column of table.columns)
    if ((rateZoneOf(service, column) ?? 9) < (rateZoneOf(service, nearest) ?? 9)) nearest = column;
  return { column: nearest, weightLb: 1 };
};

/** The surcharges of a service in the core's order: as listed, but percentages last. */
const surchargesOf = (document: TariffDocument, code: string): SurchargeEntry[] => {
  const own = document.file.surcharges.filter(({ services }) => services === undefined || services.includes(code));
  return [
    ...own.filter(({ amount }) => amount.per !== 'percent'),
    ...own.filter(({ amount }) => amount.per === 'percent'),
  ];
};

/** The step of a schedule that is in force on a day. The first step is also in force before its date. */
const stepOn = <T extends { readonly from: string }>(schedule: readonly T[], day: string): T => {
  const steps = schedule.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return must(steps.findLast(({ from }) => from <= day) ?? steps[0], 'a step of a schedule');
};

/** The percentage in force on a day. */
const rateOn = (rate: string | readonly { readonly from: string; readonly rate: string }[], day: string): BasisPoints =>
  basisPointsOf(typeof rate === 'string' ? rate : stepOn(rate, day).rate);

/** How a service measures sides on a day. */
const sideRoundingOn = ({ sideRounding = 'up' }: ServiceEntry, day: string): SideRounding =>
  typeof sideRounding === 'string' ? sideRounding : stepOn(sideRounding, day).rounding;

/** @param own all surcharges of the service, in the core's order */
const amountOf = (
  { amount }: SurchargeEntry,
  own: readonly SurchargeEntry[],
  columns: readonly string[],
  day: string,
): Surcharge['amount'] => {
  if (amount.per === 'percent') {
    const of = own.flatMap(({ type }, index) => (amount.of.includes(type) ? [index] : []));
    return { per: 'percent', rate: rateOn(amount.rate, day), ofBase: amount.of.includes('BASE'), of };
  }
  const { per, usd } = amount;
  const forColumn = (column: string): string | undefined => {
    if (typeof usd === 'string') return usd;
    return Object.hasOwn(usd, column) ? usd[column] : usd['*'];
  };
  return { per, centsByColumn: columns.map((column) => centsOf(forColumn(column) ?? '0.00')) };
};

type Areas = (list: string, tier: string) => ReadonlySet<number>;

/** ZIP5s by list and tier. Each set is made once, for all surcharges that name it. */
const areasOf = (document: TariffDocument): Areas => {
  const known = new Map<string, ReadonlySet<number>>();
  return (list, tier) => {
    const key = `${list}/${tier}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const zips = new Set<number>();
    for (const row of must(document.areas[list], `areas/${list}.csv`).rows) {
      if (row.tier !== tier) continue;
      const { from, to } = zipRangeOf(row.zip);
      for (let zip = from; zip <= to; zip++) zips.add(zip);
    }
    known.set(key, zips);
    return zips;
  };
};

const conditionOf = ({ when }: SurchargeEntry, columns: readonly string[], areas: Areas): SurchargeCondition => {
  const { residential, area, columns: named, ...measures } = when;
  return {
    // Omits absent measures: they must not be members with the value undefined.
    ...Object.fromEntries(Object.entries(measures).filter(([, limit]) => limit !== undefined)),
    ...(residential === undefined ? {} : { residential }),
    ...(area === undefined ? {} : { area: areas(area.list, area.tier) }),
    ...(named === undefined ? {} : { columns: new Set(named.map((column) => columns.indexOf(column))) }),
  };
};

const surchargeOf = (
  entry: SurchargeEntry,
  own: readonly SurchargeEntry[],
  columns: readonly string[],
  areas: Areas,
  day: string,
): Surcharge => ({
  type: entry.type,
  description: entry.description,
  when: conditionOf(entry, columns, areas),
  amount: amountOf(entry, own, columns, day),
  ...(entry.dearestOf === undefined ? {} : { dearestOf: entry.dearestOf }),
  ...(entry.leastBillingWeightLb === undefined ? {} : { leastBillingWeightLb: entry.leastBillingWeightLb }),
});

/** The cents of each column; 0 means no rate. Every column must have a cell. */
const centsByColumn = (cells: readonly (number | null)[], columns: readonly string[], where: string): number[] => {
  if (cells.length !== columns.length)
    throw new Error(`${where} has ${cells.length} cells for ${columns.length} columns`);
  return cells.map((cents) => cents ?? 0);
};

const ratesOf = (file: string, { columns, cents: rows }: RateTable): Int32Array => {
  const rates = new Int32Array(columns.length * (rows.length + 1));
  rows.forEach((row, index) => {
    for (const [at, rate] of centsByColumn(row, columns, `${file} row ${index + 2}`).entries())
      rates[at * (rows.length + 1) + index + 1] = rate;
  });
  return rates;
};

const multiweightOf = (
  document: TariffDocument,
  service: ServiceEntry,
  terms: Omit<Multiweight, 'breaks'>,
  columns: readonly string[],
): Multiweight => {
  const file = `multiweight/${service.code}.csv`;
  const table = must(document.multiweight[service.code], file);
  const places = columns.map((column) => table.columns.indexOf(column));
  return {
    ...terms,
    breaks: table.breaks.map(({ fromLb, centsPerLb }) => {
      const cells = centsByColumn(centsPerLb, table.columns, `${file} row ${fromLb}`);
      // A rate column that is not in the table has no multiweight price.
      return { fromLb, centsPerLb: places.map((place) => cells[place] ?? 0) };
    }),
  };
};

type Groups = ReadonlyMap<string, readonly OriginGroup[]>;

const chartRulesOf = (
  name: string,
  column: string | undefined,
  charts: TariffDocument['charts'],
  groups: Groups,
  indexOf: (zone: string) => number,
): NonNullable<ZoneRules['chart']> => {
  const file = `zones/${name}.csv`;
  const at = must(charts[name], file).columns.indexOf(must(column, `the column of ${file}`));
  if (at === -1) throw new Error(`${file} has no column ${column}`);
  const what = `a zone in ${file} column ${column}`;
  return {
    name,
    groups: must(groups.get(name), file),
    columnOf: (zones) => indexOf(must(zones[at], what)),
  };
};

const zoneRulesOf = (
  { file, charts }: TariffDocument,
  { zones }: ServiceEntry,
  columns: readonly string[],
  groups: Groups,
): ZoneRules => {
  const indexes = new Map(columns.map((column, index) => [column, index]));
  // The service does not reach zones without a rate column.
  const indexOf = (column: string): number => indexes.get(column) ?? NO_COLUMN;
  const distances: Distances | undefined = zones.distanceMiles && {
    boundsMiles: zones.distanceMiles,
    columns: (zones.distanceColumns ?? columns).map(indexOf),
  };
  const chart =
    zones.chart === undefined ? undefined : chartRulesOf(zones.chart, zones.column, charts, groups, indexOf);
  return {
    notServed: file.notServed,
    ...(distances === undefined ? {} : { distances }),
    ...(chart === undefined ? {} : { chart }),
  };
};

/**
 * Compiles a tariff.
 * @param day `YYYY-MM-DD`: percentages and rounding of this day. Default: the effective date
 * @returns a card for each service, in the file's order
 */
export const compileTariff = (document: TariffDocument, day = document.file.effective): Card[] => {
  const tariff = tariffId(document);
  const areas = areasOf(document);
  const groups = new Map(Object.entries(document.charts).map(([name, chart]) => [name, groupsOf(chart)]));
  return document.file.services.map((service): Card => {
    const file = `rates/${service.code}.csv`;
    const table = must(document.rates[service.code], file);
    const { columns, cents: rows, centsPerLbAboveTop } = table;
    if (columns.length >= ESTIMATED)
      throw new Error(`${file} has ${columns.length} columns; at most ${ESTIMATED - 1} fit`);
    const floor = minimumNetCell(service, table);
    const floorCents = rows[floor.weightLb - 1]?.[columns.indexOf(floor.column)];
    return {
      code: service.code,
      carrier: service.carrier,
      description: service.description,
      tariff,
      addressLineRequired: service.addressLineRequired,
      refusesPoBox: service.refusesPoBox,
      dimensionalFactor: service.dimensionalFactor,
      sideRounding: sideRoundingOn(service, day),
      maximumActualLb: service.maximumActualLb,
      topLb: rows.length,
      columns,
      rateZones: columns.map((column) => must(rateZoneOf(service, column), `the zone of ${file} column ${column}`)),
      rates: ratesOf(file, table),
      ...(centsPerLbAboveTop === undefined
        ? {}
        : { centsPerLbAboveTop: centsByColumn(centsPerLbAboveTop, columns, `${file} row per_lb`) }),
      minimumNetCents: cents(must(floorCents, `the minimum net charge of ${service.code}`)),
      ...(service.multiweight === undefined
        ? {}
        : { multiweight: multiweightOf(document, service, service.multiweight, columns) }),
      zones: compileZones(zoneRulesOf(document, service, columns, groups)),
      chargesShipments: surchargesOf(document, service.code).some(({ amount }) => amount.per === 'shipment'),
      surcharges: surchargesOf(document, service.code).map((entry, _index, own) =>
        surchargeOf(entry, own, columns, areas, day),
      ),
    };
  });
};

/** The cards with the percentages and the rounding of another day. Shares everything else. */
export const cardsOn = (document: TariffDocument, cards: readonly Card[], day: string): Card[] =>
  cards.map((card) => {
    const service = document.file.services.find(({ code }) => code === card.code);
    const sideRounding = service === undefined ? card.sideRounding : sideRoundingOn(service, day);
    const entries = surchargesOf(document, card.code);
    const surcharges = card.surcharges.map((surcharge, index) => {
      const entry = entries[index];
      return entry?.amount.per === 'percent'
        ? { ...surcharge, amount: amountOf(entry, entries, card.columns, day) }
        : surcharge;
    });
    return { ...card, sideRounding, surcharges };
  });

/** The days on which a percentage or a rounding of sides changes, in ascending order. */
export const changeDays = ({ file }: TariffDocument): string[] => {
  const days = file.surcharges.flatMap(({ amount }) =>
    amount.per === 'percent' && typeof amount.rate !== 'string' ? amount.rate.map(({ from }) => from) : [],
  );
  const roundings = file.services.flatMap(({ sideRounding }) =>
    typeof sideRounding === 'object' ? sideRounding.map(({ from }) => from) : [],
  );
  return [...new Set([...days, ...roundings])].sort();
};
