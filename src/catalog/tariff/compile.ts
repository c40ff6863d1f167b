/**
 * Compiles a tariff's document into cards for the core: names become indexes, dollars become cents, tables become flat
 * arrays. `check.ts` must have found no errors in the document. A missing cell fails the compilation. Then the core can read
 * cards without checks, and a damaged card never looks like an unserved weight.
 */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { type Card, ESTIMATED, type Multiweight, NO_COLUMN, type SmallRates } from '../../rating/card.ts';
import { REFUSALS } from '../../rating/charges.ts';
import { cents, inches, ounces, type SideRounding } from '../../rating/quantity.ts';
import { areasOf, chargesOn, rateZoneOf } from './compile-charges.ts';
import { shifted, stepOn } from './days.ts';
import type { RateTable, ServiceEntry, SurchargeEntry, TariffDocument } from './document.ts';
import { chargesOf } from './fuel.ts';
import { tariffId } from './identity.ts';
import { CUBIC } from './prices.ts';
import { transitOf } from './transit.ts';
import { compileZones, type Distances, groupsOf, type OriginGroup, type ZoneRules } from './zones.ts';

/** The rate cell that is the minimum for a discounted base. Default: 1 lb in the column of the nearest zone. */
export const minimumNetCell = (service: ServiceEntry, table: RateTable): { column: string; weightLb: number } => {
  if (service.minimumNet !== undefined) return service.minimumNet;
  let [nearest = ''] = table.columns;
  for (const column of table.columns)
    if ((rateZoneOf(service, column) ?? 9) < (rateZoneOf(service, nearest) ?? 9)) nearest = column;
  return { column: nearest, weightLb: 1 };
};

const hasSaturday = (document: TariffDocument, code: string): boolean =>
  chargesOf(document, code).some(({ when }) => when.saturday === true);

/** Whether a service has no Saturday delivery: its carrier charges for it, but the service neither charges nor is free. */
const hasNoSaturday = (document: TariffDocument, { code, carrier, hasNo }: ServiceEntry): boolean =>
  !hasNo.includes('saturday') &&
  !hasSaturday(document, code) &&
  document.file.services.some((other) => other.carrier === carrier && hasSaturday(document, other.code));

/** How a service rounds sides on a day. */
const sideRoundingOn = ({ sideRounding = 'up' }: ServiceEntry, day: string): SideRounding =>
  typeof sideRounding === 'string' ? sideRounding : stepOn(sideRounding, day).rounding;

/** The cents of each column, with 0 for no rate. Every column must have a cell. */
const centsByColumn = (cells: readonly (number | null)[], columns: readonly string[], where: string): number[] => {
  if (cells.length !== columns.length)
    throw new Error(`${where} has ${cells.length} cells for ${columns.length} columns`);
  return cells.map((cents) => cents ?? 0);
};

/** The cents by rate column. A place of -1 means that the table lacks the column, so it has no price. */
const atPlaces = (cells: readonly number[], places: readonly number[]): number[] =>
  places.map((place) => (place === -1 ? 0 : must(cells[place], 'a cell of a rate table')));

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
  terms: NonNullable<ServiceEntry['multiweight']>,
  columns: readonly string[],
): Multiweight => {
  const file = `multiweight/${service.code}.csv`;
  const table = must(document.multiweight[service.code], file);
  const places = columns.map((column) => table.columns.indexOf(column));
  return {
    ...terms,
    perLb: 1,
    breaks: table.breaks.map(({ fromLb, centsPerLb }) => {
      const cells = centsByColumn(centsPerLb, table.columns, `${file} row ${fromLb}`);
      return { fromLb, cents: atPlaces(cells, places) };
    }),
  };
};

const smallRatesOf = (
  file: string,
  own: readonly string[],
  columns: readonly string[],
  rows: readonly { readonly limit: number; readonly label: string; readonly cents: readonly (number | null)[] }[],
): SmallRates => {
  const places = columns.map((column) => own.indexOf(column));
  return {
    limits: rows.map(({ limit }) => limit),
    labels: rows.map(({ label }) => label),
    centsByColumn: rows.map(({ cents: row }, index) => {
      return atPlaces(centsByColumn(row, own, `${file} row ${index + 2}`), places);
    }),
  };
};

/** The rows in ounces, by a card's columns. */
export const ouncesOf = (
  file: string,
  { columns: own, ounces: rows = [] }: RateTable,
  columns: readonly string[],
): Pick<Card, 'ounces'> => {
  if (rows.length === 0) return {};
  const limited = rows.map(({ upToOz, cents: row }) => ({ limit: ounces(upToOz), label: `${upToOz} oz`, cents: row }));
  return { ounces: smallRatesOf(file, own, columns, limited) };
};

const cubicOf = (
  { cubic }: TariffDocument,
  code: string,
  { only, ...limits }: NonNullable<ServiceEntry['cubic']>,
  columns: readonly string[],
): NonNullable<Card['cubic']> => {
  const file = `cubic/${code}.csv`;
  const table = must(cubic[code], file);
  const rates = smallRatesOf(file, table.columns, columns, CUBIC.rowsOf(table));
  return { ...limits, inInches: table.inInches === true, only: only === true, ...rates };
};

/** The lowest price by volume, for a service that has no other prices. */
const smallestOf = ({ cubic }: TariffDocument, { code, cubic: terms }: ServiceEntry): number | undefined => {
  const prices = cubic[code]?.tiers.flatMap(({ cents: row }) => row.filter((price) => price !== null)) ?? [];
  return terms?.only === true ? Math.min(...prices) : undefined;
};

/** The parts of a card that price packages by weight and size. */
type Bases = Pick<Card, 'topLb' | 'columns' | 'rates' | 'centsPerLbAboveTop' | 'ounces' | 'cubic'>;

const lowest = (all: readonly number[]): number => Math.min(...all.filter((each) => each > 0));

/** Adds the lowest prices of packages: see `Card.leastCents`. */
export const withLeast = <B extends Bases>(bases: B): B & Pick<Card, 'leastCents'> => {
  const { topLb, columns, rates, centsPerLbAboveTop = [], ounces: small, cubic } = bases;
  const leastCents = new Float64Array(topLb + 2);
  let byWeight = lowest(centsPerLbAboveTop) * (topLb + 1);
  leastCents[topLb + 1] = byWeight;
  for (let weightLb = topLb; weightLb >= 0; weightLb--) {
    const row = columns.map((_, column) => must(rates[column * (topLb + 1) + weightLb], 'a rate of the table'));
    byWeight = Math.min(byWeight, lowest(row), ...(weightLb > 1 ? [] : [lowest(small?.centsByColumn.flat() ?? [])]));
    leastCents[weightLb] = byWeight;
  }
  if (cubic !== undefined) {
    const byVolume = lowest(cubic.centsByColumn.flat());
    leastCents.forEach((least, weightLb) => {
      if (weightLb <= cubic.maximumActualLb) leastCents[weightLb] = Math.min(least, byVolume);
    });
  }
  return { ...bases, leastCents };
};

type Groups = ReadonlyMap<string, readonly OriginGroup[]>;

const chartRulesOf = (
  name: string,
  { column, chartDate }: ServiceEntry['zones'],
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
    ...present({ chartDate }),
  };
};

const zoneRulesOf = (
  { file, charts }: TariffDocument,
  { zones }: ServiceEntry,
  columns: readonly string[],
  groups: Groups,
): ZoneRules => {
  const indexes = new Map(columns.map((column, index) => [column, index]));
  // The service does not deliver to zones without a rate column.
  const indexOf = (column: string): number => indexes.get(column) ?? NO_COLUMN;
  const distances: Distances | undefined = zones.distanceMiles && {
    boundsMiles: zones.distanceMiles,
    columns: (zones.distanceColumns ?? columns).map(indexOf),
  };
  const chart = zones.chart === undefined ? undefined : chartRulesOf(zones.chart, zones, charts, groups, indexOf);
  return { notServed: file.notServed, ...present({ distances, chart }) };
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
      maximumLength: inches(service.maximumLengthIn ?? Number.POSITIVE_INFINITY),
      maximumLengthPlusGirth: inches(service.maximumLengthPlusGirthIn ?? Number.POSITIVE_INFINITY),
      dimensionalOverCubicIn: service.dimensionalOverCubicIn,
      maximumDimensionalLb: service.maximumDimensionalLb ?? Number.POSITIVE_INFINITY,
      ...present({ deliversTo: service.deliversTo }),
      refusals: REFUSALS.filter(
        ({ member }) =>
          service.refuses?.includes(member) || (member === 'saturday' && hasNoSaturday(document, service)),
      ),
      rateZones: columns.map((column) => must(rateZoneOf(service, column), `the zone of ${file} column ${column}`)),
      ...withLeast({
        topLb: rows.length,
        columns,
        rates: ratesOf(file, table),
        ...(centsPerLbAboveTop && {
          centsPerLbAboveTop: centsByColumn(centsPerLbAboveTop, columns, `${file} row per_lb`),
        }),
        ...ouncesOf(file, table, columns),
        ...(service.cubic && { cubic: cubicOf(document, service.code, service.cubic, columns) }),
      }),
      minimumNetCents: cents(
        must(smallestOf(document, service) ?? floorCents, `the minimum net charge of ${service.code}`),
      ),
      ...(service.multiweight && { multiweight: multiweightOf(document, service, service.multiweight, columns) }),
      zones: compileZones(zoneRulesOf(document, service, columns, groups)),
      ...present({ transit: transitOf(document, service, columns) }),
      areas: areas.byZip,
      ...chargesOn(document, service, columns, areas, day),
    };
  });
};

/** The cards with the surcharges and the rounding of another day. They share everything else. */
export const cardsOn = (document: TariffDocument, cards: readonly Card[], day: string): Card[] => {
  const areas = areasOf(document);
  return cards.map((card) => {
    const service = document.file.services.find(({ code }) => code === card.code);
    if (service === undefined) return card;
    return {
      ...card,
      sideRounding: sideRoundingOn(service, day),
      ...chargesOn(document, service, card.columns, areas, day),
    };
  });
};

/** The days on which a surcharge or one of its periods begins, and the days after they end. */
const changesOf = ({ from, until, amount }: SurchargeEntry): (string | undefined)[] => {
  const periods = amount.per === 'percent' && typeof amount.rate !== 'string' ? amount.rate : [];
  return [{ from, until }, ...periods].flatMap((period) => [
    period.from,
    period.until === undefined ? undefined : shifted(period.until, 1),
  ]);
};

/** The days on which surcharges or side rounding change, in ascending order. */
export const changeDays = ({ file }: TariffDocument): string[] => {
  const roundings = file.services.flatMap(({ sideRounding }) =>
    typeof sideRounding === 'object' ? sideRounding.map(({ from }) => from) : [],
  );
  const days = [...file.surcharges.flatMap(changesOf), ...roundings];
  return [...new Set(days.filter((day) => day !== undefined))].sort();
};
