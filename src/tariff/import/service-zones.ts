/** Which chart, and which column of it, gives a service its zones; and what stands in where no chart does. */
import type { TariffFileInput, ZoneChart } from '../document.ts';
import { DISTANCE_MILES, distanceColumnsOf, slugOf, UNDELIVERED } from './carrier-rules.ts';
import { BARRED_COLUMN, barredChart, type MergedCharts, mergeCharts, type SourceChart } from './merge-charts.ts';
import { ALL_SERVICES } from './own-zones.ts';
import type { ChartReading } from './reading.ts';

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
    rows: chart.rows.map((row) => ({ ...row, zones: [...row.zones, row.zones[at] ?? ''] })),
  };
};

/**
 * A chart in the columns of the others. Where one file names a column by a service and another has it share one, the
 * service gets its own from both; a column for all services is every column.
 */
const inColumns = (reading: ChartReading, named: readonly string[], shared: readonly string[]): ChartReading => {
  let { chart } = reading;
  for (const code of named) chart = withCopy(chart, reading.columnOf[code] ?? '', code);
  const general = reading.columnOf[ALL_SERVICES];
  if (general !== undefined) for (const column of shared) chart = withCopy(chart, general, column);
  return { ...reading, chart };
};

/** Merges the charts of one carrier, and those that are for any. */
export const carrierZonesOf = (carrier: string, sources: readonly SourceChart[]): CarrierZones => {
  const own = sources.filter(({ chart }) => chart.carrier === carrier || chart.carrier === ALL_SERVICES);
  const pairs = own.flatMap(({ chart }) => Object.entries(chart.columnOf)).sort(([, a], [, b]) => byText(a, b));
  const columnOf: Record<string, string> = {};
  // A column named by the code itself is nearer than one that is shared.
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
  /** The zones that its chart has. */
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
 * @param charts the tariff's; one that bars what no distance can tell is added where a service has no chart at all
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
    const chart = charts[own.chart];
    const at = chart?.columns.indexOf(own.column) ?? -1;
    const names = [...new Set(chart?.rows.map(({ zones }) => zones[at] ?? ''))].filter((zone) => zone !== '');
    return { zones: { ...own, ...distances }, names };
  }
  const name = `${slugOf(carrier)}-estimated`;
  charts[name] = barredChart();
  const reach = distanceColumns === undefined ? 'it reaches nothing' : 'all its zones are estimated from the distance';
  return {
    zones: { chart: name, column: BARRED_COLUMN, ...distances },
    names: [],
    warning: `${code} has no zone chart: ${reach}`,
  };
};
