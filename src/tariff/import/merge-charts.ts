/**
 * The zone charts of one carrier, read from any number of files, as the charts of a tariff: one table for all origins,
 * in as few rows as say the same.
 *
 * A zone that one file gives at a ZIP5 wins over what another gives at its ZIP3, and any zone wins over none; where two
 * files give different zones at one level, they contradict.
 *
 * A distance says nothing of Alaska, Hawaii, the territories and military post. Whether a service goes there, and in
 * which zone, the charts alone decide: what they say is written once, for all origins (`000-999`), so that it holds for
 * origins without a chart too. Where no chart gives a zone, that row bars the estimate. An origin's own chart wins, and
 * what it leaves unsaid is read from the common row. Nothing is estimated from an origin there.
 */
import type { ZoneChart } from '../document.ts';
import { contains, ZIP3S, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../zip.ts';
import { isContiguous, MILITARY, serviceRank } from './carrier-rules.ts';
import type { ChartReading } from './reading.ts';
import { blankColumn, type Column, type Disagreements, lay, paint, ZIP5S, ZoneNames } from './zone-column.ts';

const EVERYWHERE = '000-999';
/** Puerto Rico and the Virgin Islands, Hawaii, Guam and its neighbors, Alaska. */
const FAR_ORIGINS = ['006-009', '967-968', '969', '995-999'];
/** Destinations of which a distance says nothing: those, and military post. */
const FAR = [...FAR_ORIGINS, ...MILITARY];
const MAX_NAMED = 20;

/** A chart and the file that it comes from. */
export interface SourceChart {
  readonly file: string;
  readonly chart: ChartReading;
}

export interface MergedCharts {
  /** By name. */
  readonly charts: Readonly<Record<string, ZoneChart>>;
  /** Which chart has a column. */
  readonly chartOf: ReadonlyMap<string, string>;
  /** Of each column, the origins that have it. */
  readonly originsOf: ReadonlyMap<string, readonly string[]>;
  readonly contradictions: readonly string[];
  readonly warnings: readonly string[];
}

type Row = ZoneChart['rows'][number];

/** For each ZIP5 a number that stands for its zones in all columns; 0 where none of them says anything. */
const combine = (columns: readonly Column[]): { combined: Uint32Array; tuples: number[][] } => {
  const combined = new Uint32Array(ZIP5S);
  const tuples: number[][] = [[]];
  const known = new Map<string, number>([[columns.map(() => 0).join(), 0]]);
  let last = 0;
  for (let zip = 0; zip < ZIP5S; zip++) {
    // Neighbors mostly have the same zones.
    if (zip === 0 || columns.some(({ at }) => at[zip] !== at[zip - 1])) {
      const tuple = columns.map(({ at }) => at[zip] ?? 0);
      const key = tuple.join();
      last = known.get(key) ?? tuples.push(tuple) - 1;
      known.set(key, last);
    }
    combined[zip] = last;
  }
  return { combined, tuples };
};

/** What a ZIP3 says where its ZIP5s do not say otherwise: what most say; nothing where any of them says nothing. */
const baseOf = (hundred: Uint32Array): number => {
  const first = hundred[0] ?? 0;
  if (hundred.every((tuple) => tuple === first)) return first;
  const counts = new Map<number, number>();
  for (const tuple of hundred) counts.set(tuple, (counts.get(tuple) ?? 0) + 1);
  if (counts.has(0)) return 0;
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
};

const FAR_ZIP5S: readonly number[] = FAR.flatMap((range) => {
  const { from, to } = zipRangeOf(range);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
});

const isFarOrigin = (origin: string): boolean =>
  FAR_ORIGINS.some((range) => contains(zipRangeOf(range), zipRangeOf(origin)));

/** An origin's columns as rows: runs of ZIP3s, and within a ZIP3 runs of the ZIP5s that differ. */
const rowsOf = (origin: string, columns: readonly Column[], zones: ZoneNames): Row[] => {
  const { combined, tuples } = combine(columns);
  const rows: Row[] = [];
  const add = (from: number, to: number, digits: 3 | 5, tuple: number): void => {
    const [first, last] = [zipText(from, digits), zipText(to, digits)];
    const destination = from === to ? first : `${first}-${last}`;
    rows.push({ origin, destination, zones: (tuples[tuple] ?? []).map((number) => zones.nameOf(number)) });
  };
  const bases = Array.from({ length: ZIP3S }, (_, zip3) =>
    baseOf(combined.subarray(zip3 * ZIP5S_PER_ZIP3, (zip3 + 1) * ZIP5S_PER_ZIP3)),
  );
  for (let from = 0, zip3 = 1; zip3 <= ZIP3S; zip3++) {
    if (zip3 < ZIP3S && bases[zip3] === bases[from]) continue;
    if (bases[from] !== 0) add(from, zip3 - 1, 3, bases[from] ?? 0);
    from = zip3;
  }
  for (let from = 0, zip = 1; zip <= ZIP5S; zip++) {
    if (combined[zip] === combined[from] && zip % ZIP5S_PER_ZIP3 !== 0) continue;
    const tuple = combined[from] ?? 0;
    if (tuple !== 0 && tuple !== bases[Math.floor(from / ZIP5S_PER_ZIP3)]) add(from, zip - 1, 5, tuple);
    from = zip;
  }
  return rows;
};

/**
 * What the charts say of the far destinations in one column: of each ZIP5 the zone that most of them give, else none.
 * A zone of the contiguous states is an origin's own matter, and so is having no service or saying nothing.
 * @param differ filled with the ZIP3s to which they give different zones
 */
const commonOf = (columns: readonly Column[], zones: ZoneNames, differ: Set<string>): Column => {
  const common = blankColumn();
  for (const zip of FAR_ZIP5S) {
    const votes = new Map<number, number>();
    for (const { at } of columns) {
      const zone = at[zip] ?? 0;
      const name = zones.nameOf(zone);
      if (name !== '' && !isContiguous(name)) votes.set(zone, (votes.get(zone) ?? 0) + 1);
    }
    if (votes.size > 1) differ.add(zipText(Math.floor(zip / ZIP5S_PER_ZIP3), 3));
    const [[zone] = [zones.numberOf('')]] = [...votes].sort(([a, m], [b, n]) => n - m || a - b);
    common.at[zip] = zone;
  }
  return common;
};

/** Leaves out of an origin's columns what the common ones say too, once it has from them what it does not say itself. */
const leaveCommon = (own: readonly Column[], common: readonly Column[]): void => {
  for (const zip of FAR_ZIP5S) {
    own.forEach(({ at }, index) => {
      if (at[zip] === 0) at[zip] = common[index]?.at[zip] ?? 0;
    });
    if (own.every(({ at }, index) => at[zip] === common[index]?.at[zip])) for (const { at } of own) at[zip] = 0;
  }
};

/** The rows of a chart for all its origins, those for far destinations and origins among them. */
const allRowsOf = (
  byOrigin: ReadonlyMap<string, readonly Column[]>,
  columns: number,
  zones: ZoneNames,
  differ: Set<string>,
): Row[] => {
  const none = zones.numberOf('');
  const everywhere = byOrigin.get(EVERYWHERE);
  if (everywhere !== undefined) {
    // A chart for all origins says itself what holds there; only what it leaves out is barred.
    for (const zip of FAR_ZIP5S)
      if (everywhere.every(({ at }) => at[zip] === 0)) for (const { at } of everywhere) at[zip] = none;
    return [...byOrigin].flatMap(([origin, own]) => rowsOf(origin, own, zones));
  }
  const inland = [...byOrigin].filter(([origin]) => !isFarOrigin(origin)).map(([, own]) => own);
  const common = Array.from({ length: columns }, (_, index) =>
    commonOf(
      inland.flatMap((own) => own[index] ?? []),
      zones,
      differ,
    ),
  );
  for (const own of inland) leaveCommon(own, common);
  const barred = FAR_ORIGINS.filter((origin) => !byOrigin.has(origin)).map((origin) => ({
    origin,
    destination: EVERYWHERE,
    zones: new Array<string>(columns).fill(''),
  }));
  return [
    ...rowsOf(EVERYWHERE, common, zones),
    ...barred,
    ...[...byOrigin].flatMap(([origin, own]) => rowsOf(origin, own, zones)),
  ];
};

export const BARRED_COLUMN = 'zone';

/** A chart that has no zones, but bars estimates from and to Alaska, Hawaii, the territories and military post. */
export const barredChart = (): ZoneChart => ({
  columns: [BARRED_COLUMN],
  rows: allRowsOf(new Map(), 1, new ZoneNames(), new Set()),
});

const withoutService = (column: Column, destinations: readonly string[], zones: ZoneNames): Column => {
  for (const { from, to } of destinations.map(zipRangeOf)) column.at.fill(zones.numberOf(''), from, to + 1);
  return column;
};

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Groups of columns that have the same origins: an empty cell would say that there is no service, not that nobody said. */
const groupsOf = (originsOf: ReadonlyMap<string, readonly string[]>): string[][] => {
  const groups = new Map<string, string[]>();
  for (const [column, origins] of [...originsOf].sort(([a], [b]) => serviceRank(a) - serviceRank(b) || byText(a, b))) {
    const group = groups.get(origins.join()) ?? [];
    groups.set(origins.join(), group);
    group.push(column);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length || byText(a[0] ?? '', b[0] ?? ''));
};

/**
 * Merges the charts of one carrier.
 * @param name the name of the chart that it makes; where columns have different origins there are several, the others
 * named after their first column too
 * @param undelivered destinations that the carrier does not go to, whatever its charts say
 */
export const mergeCharts = (
  name: string,
  sources: readonly SourceChart[],
  undelivered: readonly string[],
): MergedCharts => {
  const files = [...new Set(sources.map(({ file }) => file))].sort(byText);
  const zones = new ZoneNames();
  const found: Disagreements = { contradictions: new Set(), refinements: new Map() };
  const byOrigin = new Map<string, SourceChart[]>();
  for (const source of sources.toSorted((a, b) => byText(a.file, b.file))) {
    const own = byOrigin.get(source.chart.origin) ?? [];
    byOrigin.set(source.chart.origin, own);
    own.push(source);
  }
  const originsOf = new Map<string, string[]>();
  for (const origin of [...byOrigin.keys()].sort(byText))
    for (const column of new Set(byOrigin.get(origin)?.flatMap(({ chart }) => chart.chart.columns))) {
      const known = originsOf.get(column) ?? [];
      originsOf.set(column, known);
      known.push(origin);
    }
  const columnAt = (origin: string, column: string): Column => {
    const describe = (zip3: string): string => `origin ${origin}, destination ${zip3}, column ${column}`;
    let base: Column | undefined;
    for (const { file, chart } of byOrigin.get(origin) ?? []) {
      if (!chart.chart.columns.includes(column)) continue;
      const painted = paint(chart, column, zones, files.indexOf(file));
      if (base === undefined) base = painted;
      else lay(base, painted, { files, describe, zones, found });
    }
    return base ?? blankColumn();
  };
  const charts: Record<string, ZoneChart> = {};
  const differ = new Set<string>();
  const chartOf = new Map<string, string>();
  for (const [index, columns] of groupsOf(originsOf).entries()) {
    const own = (columns[0] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const bare = own.startsWith(`${name}-`) ? own.slice(name.length + 1) : own;
    const named = index === 0 ? name : `${name}-${bare}`.slice(0, 40);
    let chart = named;
    // Columns called after a service and after its kind may give one name.
    for (let copy = 2; Object.hasOwn(charts, chart); copy++) chart = `${named.slice(0, 36)}-${copy}`;
    const byColumns = new Map(
      (originsOf.get(columns[0] ?? '') ?? []).map((origin) => [
        origin,
        columns.map((column) => withoutService(columnAt(origin, column), undelivered, zones)),
      ]),
    );
    charts[chart] = { columns, rows: allRowsOf(byColumns, columns.length, zones, differ) };
    for (const column of columns) chartOf.set(column, chart);
  }
  const contradictions = [...found.contradictions];
  const more = contradictions.length - MAX_NAMED;
  return {
    charts,
    chartOf,
    originsOf,
    contradictions: [
      ...contradictions.slice(0, MAX_NAMED),
      ...(more > 0 ? [`and ${more} more lanes of ${name} on which files disagree`] : []),
    ],
    warnings: [
      ...[...found.refinements].map(([text, count]) => `${text} (${count} ZIP5s)`),
      ...(differ.size === 0
        ? []
        : [
            `The charts of ${name} give different zones to the destinations ${[...differ].join(', ')}: from an origin without a chart the zone is the one that most of them give`,
          ]),
    ],
  };
};
