/** Checks that a tariff's zones are complete and consistent. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import { isInUse } from '../distance.ts';
import type { Finding, ServiceEntry, TariffDocument, ZoneChart } from '../document.ts';
import { capped, error, errorsIn, noPrice, severalOf, warning } from '../findings.ts';
import { contains, countOf, ZIP3S, ZIP5S, ZIP5S_PER_ZIP3, type ZipRange, zipRangeOf, zipText } from '../zip.ts';

const MAX_FINDINGS_PER_CHART = 50;

const checkDistances = ({ zones }: ServiceEntry, columns: readonly string[], at: string): Finding[] => {
  const { distanceMiles: bounds, distanceColumns } = zones;
  if (bounds === undefined)
    return distanceColumns === undefined ? [] : [error(`${at}.distanceColumns`, 'distanceMiles is missing')];
  const findings: Finding[] = [];
  if (bounds.some((bound, index) => index > 0 && bound <= must(bounds[index - 1], 'the bound before')))
    findings.push(error(`${at}.distanceMiles`, 'must increase'));
  const bands = bounds.length + 1;
  const named = distanceColumns ?? columns;
  if (distanceColumns === undefined ? named.length < bands : named.length !== bands)
    findings.push(error(`${at}.distanceMiles`, `makes ${bands} zones, but there are ${named.length} columns for them`));
  for (const column of named.filter((name) => !columns.includes(name)))
    findings.push(error(`${at}.distanceColumns`, `${column} is not a column of the rate table`));
  return findings;
};

/** Every zone of a service's chart should have a rate column or be a known zone without rates. */
const checkChartZones = (
  service: ServiceEntry,
  { name, column, chart }: { readonly name: string; readonly column: string; readonly chart: ZoneChart },
  columns: readonly string[],
): Finding[] => {
  const at = chart.columns.indexOf(column);
  const seen = new Set<string>(['']);
  const unpriced: string[] = [];
  const findings: Finding[] = [];
  for (const [index, { zones }] of chart.rows.entries()) {
    const zone = must(zones[at], 'a zone of a chart');
    if (seen.has(zone)) continue;
    seen.add(zone);
    if (columns.includes(zone)) continue;
    const message = `zone ${zone} is neither a column of rates/${service.code}.csv nor one of its rateZones`;
    if (Object.hasOwn(service.rateZones, zone)) unpriced.push(zone);
    else findings.push(error(`zones/${name}.csv row ${index + 2} column ${column}`, message));
  }
  if (unpriced.length > 0) {
    const zones = unpriced.sort((a, b) => Number(a) - Number(b));
    const lacks = `${zones.length === 1 ? 'zone' : 'zones'} ${severalOf(zones)}`;
    const message = `no rates for ${lacks} of zones/${name}.csv, so nothing can be quoted there`;
    findings.push(noPrice(`rates/${service.code}.csv`, message));
  }
  return findings;
};

/** A service needs a chart with its column, distances, or both. They must name its rate columns. */
export const checkServiceZones = (document: TariffDocument, service: ServiceEntry, serviceAt: string): Finding[] => {
  const at = `${serviceAt}.zones`;
  const { chart: name, column, distanceMiles } = service.zones;
  const columns = document.rates[service.code]?.columns ?? [];
  const findings = checkDistances(service, columns, at);
  if (name === undefined) {
    if (distanceMiles === undefined) findings.push(error(at, 'names neither a chart nor distances'));
    return findings;
  }
  const chart = Object.hasOwn(document.charts, name) ? document.charts[name] : undefined;
  if (chart === undefined) findings.push(error(`${at}.chart`, `zones/${name}.csv is missing`));
  else if (column === undefined) findings.push(error(`${at}.column`, `is missing: name a column of zones/${name}.csv`));
  else if (!chart.columns.includes(column))
    findings.push(error(`${at}.column`, `zones/${name}.csv has no column ${column}`));
  else findings.push(...checkChartZones(service, { name, column, chart }, columns));
  return findings;
};

interface ChartRow {
  readonly index: number;
  readonly range: ZipRange;
  readonly zones: readonly string[];
}

const alike = (a: ChartRow, b: ChartRow): boolean => a.zones.join() === b.zones.join();

/**
 * Checks the rows of one origin, from the widest to the narrowest. A row contradicts a wider one if their zones differ, and
 * the row crosses the wider one's edge or has exactly the same ZIP codes.
 * @param owner filled with the index of the narrowest row of each ZIP5, or -1
 */
const checkOverlaps = (file: string, rows: readonly ChartRow[], owner: Int32Array): Finding[] => {
  const findings: Finding[] = [];
  owner.fill(-1);
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  for (const row of rows.toSorted((a, b) => countOf(b.range) - countOf(a.range) || a.index - b.index)) {
    const { from, to } = row.range;
    for (const under of new Set([must(owner[from], 'the row of a ZIP5'), must(owner[to], 'the row of a ZIP5')])) {
      const other = byIndex.get(under);
      if (other === undefined) continue;
      const same = countOf(other.range) === countOf(row.range);
      if (contains(other.range, row.range) && !same) continue;
      const at = `${file} row ${Math.max(row.index, other.index) + 2}`;
      const first = Math.min(row.index, other.index) + 2;
      if (!alike(row, other))
        findings.push(error(at, `contradicts row ${first}, which has some of the same ZIP codes`));
      else if (contains(other.range, row.range)) findings.push(warning(at, `says the same as row ${first}`));
    }
    owner.fill(row.index, from, to + 1);
  }
  return findings;
};

/** ZIP3s in use without a row of the origin. Destinations in `elsewhere` do not need one. */
const unlisted = (owner: Int32Array, elsewhere: readonly ZipRange[]): string[] => {
  const missing: string[] = [];
  for (let zip3 = 0; zip3 < ZIP3S; zip3++) {
    const from = zip3 * ZIP5S_PER_ZIP3;
    const all = { from, to: from + ZIP5S_PER_ZIP3 - 1 };
    if (!isInUse(zip3) || elsewhere.some((range) => contains(range, all))) continue;
    if (owner.subarray(all.from, all.to + 1).every((row) => row === -1)) missing.push(zipText(zip3, 3));
  }
  return missing;
};

/** If two origins overlap, one must contain the other. `exceptions` are the contained origins. */
const checkOrigins = (file: string, origins: readonly string[]): { findings: Finding[]; exceptions: Set<string> } => {
  const findings: Finding[] = [];
  const exceptions = new Set<string>();
  const around: { readonly origin: string; readonly range: ZipRange }[] = [];
  const inOrder = origins
    .map((origin) => ({ origin, range: zipRangeOf(origin) }))
    .sort((a, b) => a.range.from - b.range.from || b.range.to - a.range.to);
  for (const next of inOrder) {
    while ((around.at(-1)?.range.to ?? ZIP5S) < next.range.from) around.pop();
    const last = around.at(-1);
    if (last !== undefined) {
      if (!contains(last.range, next.range) || countOf(last.range) === countOf(next.range))
        findings.push(error(file, `the origins ${last.origin} and ${next.origin} overlap, and neither is narrower`));
      if (countOf(last.range) < ZIP5S) exceptions.add(next.origin);
    }
    around.push(next);
  }
  return { findings, exceptions };
};

const checkChart = (name: string, chart: ZoneChart, notServed: readonly ZipRange[]): Finding[] => {
  const file = `zones/${name}.csv`;
  const rows = chart.rows.map(({ origin, destination, zones }, index) => ({
    ...{ origin, index, range: zipRangeOf(destination), zones },
  }));
  const origins = grouped(rows, ({ origin }) => origin);
  const { findings, exceptions } = checkOrigins(file, [...origins.keys()]);
  const general = chart.rows.filter(({ origin }) => countOf(zipRangeOf(origin)) === ZIP5S);
  const elsewhere = [...notServed, ...general.map(({ destination }) => zipRangeOf(destination))];
  const owner = new Int32Array(ZIP5S);
  for (const [origin, own] of origins) {
    findings.push(...checkOverlaps(file, own, owner));
    // An exception within a wider origin does not need to list every destination.
    if (exceptions.has(origin) || countOf(zipRangeOf(origin)) === ZIP5S) continue;
    const missing = unlisted(owner, elsewhere);
    if (missing.length === 0) continue;
    const message = `no row for ZIP codes that begin with ${severalOf(missing)}, so nothing can be quoted there`;
    findings.push(noPrice(`${file} origin ${origin}`, message));
  }
  return findings;
};

export const checkCharts = ({ charts, file }: TariffDocument): Finding[] => {
  const notServed = file.notServed.map(zipRangeOf);
  return Object.entries(charts).flatMap(([name, chart]) => {
    const findings = checkChart(name, chart, notServed);
    const rest = findings.slice(MAX_FINDINGS_PER_CHART);
    const worst = errorsIn(rest).length > 0 ? error : warning;
    return capped(findings, MAX_FINDINGS_PER_CHART, (more) => worst(`zones/${name}.csv`, `and ${more} more`));
  });
};
