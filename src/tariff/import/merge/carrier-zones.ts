/**
 * The chart and the column that give a service its zones, or what replaces them if there is no chart. Finds charts that do
 * not fit their origin.
 */
import { must } from '../../../must.ts';
import { bandOf, isInUse, milesBetween } from '../../distance.ts';
import type { TariffFileInput, ZoneChart } from '../../document.ts';
import { ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../../zip.ts';
import {
  DISTANCE_MILES,
  distanceColumnsOf,
  isContiguous,
  reportedZone,
  slugOf,
  UNDELIVERED,
} from '../read/carrier-rules.ts';
import { ALL_SERVICES, type ParsedChart } from '../read/reader.ts';
import { BLOCKED_COLUMN, blockedChart, type MergedCharts, mergeCharts, type SourceChart } from './charts.ts';

/** The charts of one carrier. */
export interface CarrierZones extends MergedCharts {
  /** Column by service code. */
  readonly columnOf: Readonly<Record<string, string>>;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A chart with one more column, a copy of another. */
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
 * Gives a chart the columns of the other charts. If one file has a column for a service that shares a column in another,
 * the service gets its own column in both. A column for all services becomes every column.
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

/** Merges the charts of one carrier and those for all carriers. */
export const carrierZonesOf = (carrier: string, sources: readonly SourceChart[]): CarrierZones => {
  const own = sources.filter(({ chart }) => chart.carrier === carrier || chart.carrier === ALL_SERVICES);
  const pairs = own.flatMap(({ chart }) => Object.entries(chart.columnOf)).sort(([, a], [, b]) => byText(a, b));
  const columnOf: Record<string, string> = {};
  // A column named after the service wins over a shared one.
  for (const [code, column] of pairs) if (columnOf[code] === undefined || column === code) columnOf[code] = column;
  const named = Object.keys(columnOf).filter((code) => columnOf[code] === code);
  const shared = [
    ...new Set(Object.entries(columnOf).flatMap(([code, column]) => (code === ALL_SERVICES ? [] : [column]))),
  ];
  const aligned = own.map(({ file, chart }) => ({ file, chart: inColumns(chart, named, shared) }));
  return { ...mergeCharts(slugOf(carrier), aligned, UNDELIVERED[carrier] ?? []), columnOf };
};

export interface ServiceZones {
  readonly zones: TariffFileInput['services'][number]['zones'];
  /** The names of the zones in its chart. */
  readonly names: readonly string[];
  readonly warning?: string;
}

/** The chart column of a service, and its chart. */
const columnFor = (code: string, zones: CarrierZones | undefined): { column: string; chart: string } | undefined => {
  const column = zones?.columnOf[code] ?? zones?.columnOf[ALL_SERVICES];
  const chart = column === undefined ? undefined : zones?.chartOf.get(column);
  return column === undefined || chart === undefined ? undefined : { column, chart };
};

/**
 * The zones of a service.
 * @param columns its rate columns
 * @param charts the tariff's charts. For a service without a chart, adds one that blocks estimates to the far places
 */
export const serviceZonesOf = (
  { code, carrier, columns }: { readonly code: string; readonly carrier: string; readonly columns: readonly string[] },
  carrierZones: CarrierZones | undefined,
  charts: Record<string, ZoneChart>,
): ServiceZones => {
  const miles = DISTANCE_MILES[carrier];
  const distanceColumns = miles === undefined ? undefined : distanceColumnsOf(columns);
  const distances =
    miles === undefined || distanceColumns === undefined ? {} : { distanceMiles: [...miles], distanceColumns };
  const own = columnFor(code, carrierZones);
  if (own !== undefined) {
    const { columns: chartColumns, rows } = must(charts[own.chart], `the chart ${own.chart}`);
    const at = chartColumns.indexOf(own.column);
    // The column is missing only if another carrier's chart has the same name, which is a contradiction.
    const zones = at === -1 ? [] : rows.map((row) => must(row.zones[at], `a zone of the column ${own.column}`));
    const names = [...new Set(zones)].filter((zone) => zone !== '');
    return { zones: { ...own, ...distances }, names };
  }
  const name = `${slugOf(carrier)}-estimated`;
  charts[name] = blockedChart();
  const reach =
    distanceColumns === undefined ? 'it reaches no destination' : 'all its zones are estimated from the distance';
  return {
    zones: { chart: name, column: BLOCKED_COLUMN, ...distances },
    names: [],
    warning: `${code} has no zone chart: ${reach}`,
  };
};

/** A chart with fewer destinations or zones is not checked: an operator may have made it by another rule. */
const MIN_DESTINATIONS = 50;
const MIN_ZONES = 5;
/** In the carriers' own charts, at least 89% of the zones fit the distance. */
const GOOD_FIT = 0.93;
const MIN_FIT = 0.85;
/** The true origin fits at most 4% fewer zones than the best origin. One 200 miles away fits at least 7% fewer. */
const MAX_BELOW_BEST = 0.06;
const ZIP3S_IN_USE = Array.from({ length: 1_000 }, (_, zip3) => zip3).filter(isInUse);

/** The ZIP3 of a destination, and its zone from 2 to 8. */
type Lane = readonly [zip3: number, zone: number];

const lanesOf = ({ rows }: SourceChart['chart']['chart']): readonly Lane[] => {
  const zones = new Map<number, number>();
  for (const { destination, zones: cells } of rows) {
    const zone = cells.find(isContiguous);
    const { from, to } = zipRangeOf(destination);
    const [first, last] = [Math.floor(from / ZIP5S_PER_ZIP3), Math.floor(to / ZIP5S_PER_ZIP3)];
    if (zone !== undefined)
      for (let zip3 = first; zip3 <= last; zip3++) if (isInUse(zip3)) zones.set(zip3, reportedZone(zone));
  }
  return [...zones];
};

/** The share of lanes whose zone fits the distance. */
const fitOf = (origin: number, lanes: readonly Lane[], boundsMiles: readonly number[]): number =>
  lanes.filter(([zip3, zone]) => bandOf(milesBetween(origin, zip3), boundsMiles) + 2 === zone).length / lanes.length;

/** The middle ZIP3 of an origin range. */
const middleOf = (origin: string): number => {
  const { from, to } = zipRangeOf(origin);
  return Math.floor((from + to) / 2 / ZIP5S_PER_ZIP3);
};

const bestOf = (lanes: readonly Lane[], boundsMiles: readonly number[]): { zip3: number; fit: number } =>
  ZIP3S_IN_USE.map((zip3) => ({ zip3, fit: fitOf(zip3, lanes, boundsMiles) })).reduce((a, b) =>
    b.fit > a.fit ? b : a,
  );

/** A line for each chart whose zones do not fit the distances from its origin. */
export const misplacedCharts = (charts: readonly SourceChart[]): readonly string[] =>
  charts.flatMap(({ file, chart }) => {
    const boundsMiles = DISTANCE_MILES[chart.carrier];
    const origin = middleOf(chart.origin);
    const lanes = lanesOf(chart.chart);
    if (boundsMiles === undefined || lanes.length < MIN_DESTINATIONS || !isInUse(origin)) return [];
    if (new Set(lanes.map(([, zone]) => zone)).size < MIN_ZONES) return [];
    const fit = fitOf(origin, lanes, boundsMiles);
    if (fit >= GOOD_FIT) return [];
    const best = bestOf(lanes, boundsMiles);
    if (fit >= MIN_FIT && best.fit - fit <= MAX_BELOW_BEST) return [];
    return [
      `${file}: ${Math.round(fit * 100)}% of the zones fit the distances from ${chart.origin}, and ` +
        `${Math.round(best.fit * 100)}% fit those from ${zipText(best.zip3, 3)}: is the origin right?`,
    ];
  });
