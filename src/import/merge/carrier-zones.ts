/**
 * Finds the chart and the column for a service's zones, or what replaces them if there is no chart. Finds charts that do not fit
 * their origin.
 */
import { byText } from '../../base/by-text.ts';
import { must } from '../../base/must.ts';
import { bandOf, isInUse, milesBetween } from '../../catalog/tariff/distance.ts';
import type { TariffFileInput, ZoneChart } from '../../catalog/tariff/document.ts';
import { ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../../catalog/tariff/zip.ts';
import { knownCarrier, slugOf } from '../carriers.ts';
import { distanceColumnsOf, isContiguous, reportedZone } from '../read/carrier.ts';
import { ALL_SERVICES, type ParsedChart } from '../read/reader.ts';
import { BLOCKED_COLUMN, blockedChart, mergeCharts, type SourceChart } from './charts.ts';

/** The charts of one carrier, and its chart columns by service code. */
export type CarrierZones = ReturnType<typeof carrierZonesOf>;

/** Adds a column to a chart, as a copy of another column. */
const withCopy = (chart: ZoneChart, from: string, to: string): ZoneChart => {
  const at = chart.columns.indexOf(from);
  if (at === -1 || chart.columns.includes(to)) return chart;
  return {
    columns: [...chart.columns, to],
    rows: chart.rows.map((row) => ({
      ...row,
      zones: [...row.zones, must(row.zones[at], `a zone of the column ${from}`)],
    })),
  };
};

/**
 * Gives a chart the columns of the other charts. If a service has its own column in one file and shares a column in another, it
 * gets its own column in both. A column for all services becomes every column.
 */
const inColumns = (reading: ParsedChart, named: readonly string[], shared: readonly string[]): ParsedChart => {
  let { chart } = reading;
  for (const code of named) {
    const column = reading.columnOf[code];
    if (column !== undefined) chart = withCopy(chart, column, code);
  }
  const general = reading.columnOf[ALL_SERVICES];
  if (general !== undefined) for (const column of shared) chart = withCopy(chart, general, column);
  return { ...reading, chart };
};

/** Merges the charts of one carrier, including the charts for all carriers. */
export const carrierZonesOf = (carrier: string, sources: readonly SourceChart[]) => {
  const charts = sources.filter(({ reading }) => [carrier, ALL_SERVICES].includes(reading.carrier));
  const pairs = charts.flatMap(({ reading }) => Object.entries(reading.columnOf)).sort(([, a], [, b]) => byText(a, b));
  const columnOf: Record<string, string> = {};
  // A column named after the service wins over a shared one.
  for (const [code, column] of pairs) if (columnOf[code] === undefined || column === code) columnOf[code] = column;
  const named = Object.keys(columnOf).filter((code) => columnOf[code] === code);
  const { [ALL_SERVICES]: _, ...own } = columnOf;
  const shared = [...new Set(Object.values(own))];
  const aligned = charts.map(({ file, reading }) => ({ file, reading: inColumns(reading, named, shared) }));
  return { ...mergeCharts(slugOf(carrier), aligned, knownCarrier(carrier)?.undelivered ?? []), columnOf };
};

export interface ServiceZones {
  readonly zones: TariffFileInput['services'][number]['zones'];
  /** The names of the zones in its chart. */
  readonly names: readonly string[];
  /** The consequence of having no chart. */
  readonly uncharted?: string;
}

/**
 * Finds the zones of a service.
 * @param columns its rate columns
 * @param charts the tariff's charts. For a service without a chart, adds one that blocks estimates for the far places
 */
export const serviceZonesOf = (
  { code, carrier, columns }: { readonly code: string; readonly carrier: string; readonly columns: readonly string[] },
  carrierZones: CarrierZones | undefined,
  charts: Record<string, ZoneChart>,
): ServiceZones => {
  const miles = knownCarrier(carrier)?.distanceMiles;
  const distanceColumns = miles === undefined ? undefined : distanceColumnsOf(columns);
  const distances =
    miles === undefined || distanceColumns === undefined ? {} : { distanceMiles: [...miles], distanceColumns };
  const column = carrierZones?.columnOf[code] ?? carrierZones?.columnOf[ALL_SERVICES];
  const chart = column === undefined ? undefined : carrierZones?.chartOf.get(column);
  if (column !== undefined && chart !== undefined) {
    const { columns: chartColumns, rows } = must(charts[chart], `the chart ${chart}`);
    const at = chartColumns.indexOf(column);
    // The column is missing only if another carrier's chart has the same name, which is a contradiction.
    const zones = at === -1 ? [] : rows.map((row) => must(row.zones[at], `a zone of the column ${column}`));
    const names = [...new Set(zones)].filter((zone) => zone !== '');
    return { zones: { chart, column, ...distances }, names };
  }
  const name = `${slugOf(carrier)}-estimated`;
  charts[name] = blockedChart();
  const reach =
    distanceColumns === undefined ? 'no destination is reached' : 'all zones are estimated from the distance';
  return { zones: { chart: name, column: BLOCKED_COLUMN, ...distances }, names: [], uncharted: reach };
};

/** Charts with fewer destinations or zones are not checked. An operator may have made them by another rule. */
const MIN_DESTINATIONS = 50;
const MIN_ZONES = 5;
/** A chart that fits its origin this well is right. */
const GOOD_FIT = 0.93;
/** A chart that fits worse, and fits no other place better, is not a carrier's chart. The carriers' own charts fit at 89%. */
const MIN_FIT = 0.85;
/**
 * Zones are from another place if it is this far away and fits this much better. The carriers' own charts fit best within 35
 * miles of their origin, because carriers measure from a building, and distances here are from the center of a ZIP3. A chart from
 * more than 150 miles away fits at least 6% worse.
 */
const FAR_MILES = 150;
const MAX_BELOW_BEST = 0.06;
const ZIP3S_IN_USE = Array.from({ length: 1_000 }, (_, zip3) => zip3).filter(isInUse);

/** The ZIP3 of a destination, and its zone from 2 to 8. */
type Lane = readonly [zip3: number, zone: number];

const zip3sOf = (zips: string): number[] => {
  const { from, to } = zipRangeOf(zips);
  const [first, last] = [Math.floor(from / ZIP5S_PER_ZIP3), Math.floor(to / ZIP5S_PER_ZIP3)];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(isInUse);
};

const lanesOf = ({ rows }: ZoneChart): readonly Lane[] => {
  const zones = new Map<number, number>();
  for (const { destination, zones: cells } of rows) {
    const zone = cells.find(isContiguous);
    if (zone !== undefined) for (const zip3 of zip3sOf(destination)) zones.set(zip3, reportedZone(zone));
  }
  return [...zones];
};

/** The origin that fits the lanes best. `fit` is the share of lanes whose zone fits the distance. */
const bestOf = (origins: readonly number[], lanes: readonly Lane[], boundsMiles: readonly number[]) =>
  origins
    .map((zip3) => ({
      zip3,
      fit: lanes.filter(([to, zone]) => bandOf(milesBetween(zip3, to), boundsMiles) + 2 === zone).length / lanes.length,
    }))
    .reduce((a, b) => (b.fit > a.fit ? b : a));

/**
 * Returns a line for each chart whose zones do not fit the distances from its origin. If the chart states its origin, this is
 * only a warning. Otherwise, somebody entered the origin and may be wrong.
 */
export const misplacedCharts = (charts: readonly SourceChart[]) => {
  const found = charts.flatMap(({ file, reading: chart }) => {
    const boundsMiles = knownCarrier(chart.carrier)?.distanceMiles;
    const origins = zip3sOf(chart.origin);
    const lanes = lanesOf(chart.chart);
    if (boundsMiles === undefined || lanes.length < MIN_DESTINATIONS || origins.length === 0) return [];
    if (new Set(lanes.map(([, zone]) => zone)).size < MIN_ZONES) return [];
    const own = bestOf(origins, lanes, boundsMiles);
    if (own.fit >= GOOD_FIT) return [];
    const best = bestOf(ZIP3S_IN_USE, lanes, boundsMiles);
    const isFar = origins.every((zip3) => milesBetween(zip3, best.zip3) > FAR_MILES);
    if (!isFar || (own.fit >= MIN_FIT && best.fit - own.fit <= MAX_BELOW_BEST)) return [];
    const line =
      `${file}: ${Math.round(own.fit * 100)}% of the zones fit the distances from ${chart.origin}, and ` +
      `${Math.round(best.fit * 100)}% fit those from ${zipText(best.zip3, 3)}: is the origin right?`;
    return [{ line, isStated: chart.statesOrigin === true }];
  });
  const linesOf = (stated: boolean): string[] => found.filter((one) => one.isStated === stated).map(({ line }) => line);
  return { contradictions: linesOf(false), warnings: linesOf(true) };
};
