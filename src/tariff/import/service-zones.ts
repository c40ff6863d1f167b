/** Which chart, and which column of it, gives a service its zones; and what stands in where no chart does. */
import type { TariffFileInput, ZoneChart } from '../document.ts';
import { DISTANCE_MILES, distanceColumnsOf, slugOf } from './carrier-rules.ts';
import { BARRED_COLUMN, barredChart, type MergedCharts, mergeCharts, type SourceChart } from './merge-charts.ts';
import { ALL_SERVICES } from './own-zones.ts';

/** The charts of one carrier. */
export interface CarrierZones extends MergedCharts {
  /** Column by service code. */
  readonly columnOf: Readonly<Record<string, string>>;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Merges the charts of one carrier. */
export const carrierZonesOf = (carrier: string, sources: readonly SourceChart[]): CarrierZones => {
  const own = sources.filter(({ chart }) => chart.carrier === carrier);
  const pairs = own.flatMap(({ chart }) => Object.entries(chart.columnOf)).sort(([, a], [, b]) => byText(a, b));
  const columnOf: Record<string, string> = {};
  // A column named by the code itself is nearer than one that is shared.
  for (const [code, column] of pairs) if (columnOf[code] === undefined || column === code) columnOf[code] = column;
  return { ...mergeCharts(slugOf(carrier), own), columnOf };
};

export interface ServiceZones {
  readonly zones: TariffFileInput['services'][number]['zones'];
  /** The zones that its chart has. */
  readonly names: readonly string[];
  readonly warning?: string;
}

/** The chart column of a service: its own carrier's, else one that is for all services. */
const columnFor = (
  code: string,
  carrier: string,
  byCarrier: ReadonlyMap<string, CarrierZones>,
): { readonly column: string; readonly chart: string } | undefined => {
  for (const zones of [byCarrier.get(carrier), byCarrier.get(ALL_SERVICES)]) {
    const column = zones?.columnOf[code] ?? zones?.columnOf[ALL_SERVICES];
    const chart = column === undefined ? undefined : zones?.chartOf.get(column);
    if (column !== undefined && chart !== undefined) return { column, chart };
  }
  return undefined;
};

/**
 * The zones of a service.
 * @param columns its rate columns
 * @param charts the tariff's; one that bars what no distance can tell is added where a service has no chart at all
 */
export const serviceZonesOf = (
  { code, carrier, columns }: { readonly code: string; readonly carrier: string; readonly columns: readonly string[] },
  byCarrier: ReadonlyMap<string, CarrierZones>,
  charts: Record<string, ZoneChart>,
): ServiceZones => {
  const miles = DISTANCE_MILES[carrier];
  const distanceColumns = miles === undefined ? undefined : distanceColumnsOf(columns);
  const distances =
    miles === undefined || distanceColumns === undefined ? {} : { distanceMiles: [...miles], distanceColumns };
  const own = columnFor(code, carrier, byCarrier);
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
