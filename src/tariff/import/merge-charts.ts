/**
 * The zone charts of one carrier, read from any number of files, as the charts of a tariff: one table for all origins,
 * in as few rows as say the same.
 *
 * A zone that one file gives at a ZIP5 wins over what another gives at its ZIP3, and any zone wins over none; where two
 * files give different zones at one level, they contradict. What all charts say alike of Alaska and Hawaii is said once,
 * for all origins (`000-999`), so that it holds too where the zone is estimated from the distance; origins there and in
 * the territories are reached by no estimate.
 */
import type { ZoneChart } from '../document.ts';
import { ZIP3S, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../zip.ts';
import { isContiguous, serviceRank } from './carrier-rules.ts';
import type { ChartReading } from './reading.ts';
import { blankColumn, type Column, type Disagreements, lay, paint, ZIP5S, ZoneNames } from './zone-column.ts';

const EVERYWHERE = '000-999';
/** Hawaii and Alaska. */
const OFFSHORE = ['967-968', '995-999'];
/** Origins of which a distance says nothing: Puerto Rico and the Virgin Islands, Hawaii, Guam and its neighbors, Alaska. */
const OFFSHORE_ORIGINS = ['006-009', '967-968', '969', '995-999'];
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

const isOffshore = (destination: string): boolean => {
  const { from } = zipRangeOf(destination);
  return OFFSHORE.some((range) => zipRangeOf(range).from <= from && from <= zipRangeOf(range).to);
};

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
  // Runs end where Alaska and Hawaii begin and end, whose rows may be said once for all origins.
  const breaks = new Set(
    OFFSHORE.flatMap((range) => range.split('-').map(Number)).map((n, i) => (i % 2 === 0 ? n : n + 1)),
  );
  for (let from = 0, zip3 = 1; zip3 <= ZIP3S; zip3++) {
    if (zip3 < ZIP3S && bases[zip3] === bases[from] && !breaks.has(zip3)) continue;
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

/** Moves what all origins say alike of Alaska and Hawaii to rows for all origins, and bars estimates from and to there. */
const sayOffshoreOnce = (byOrigin: ReadonlyMap<string, readonly Row[]>, columns: number): Row[] => {
  const none = new Array<string>(columns).fill('');
  // A chart for all origins says itself what holds there.
  if (byOrigin.has(EVERYWHERE)) return [...byOrigin.values()].flat();
  const general: Row[] = [
    ...OFFSHORE_ORIGINS.map((origin) => ({ origin, destination: EVERYWHERE, zones: none })),
    ...OFFSHORE.map((destination) => ({ origin: EVERYWHERE, destination, zones: none })),
  ].filter(({ origin }) => !byOrigin.has(origin));
  const offshore = [...byOrigin].map(([origin, rows]) => ({
    origin,
    rows: rows.filter(({ destination }) => isOffshore(destination)),
  }));
  const inland = offshore.filter(({ origin }) => !isOffshore(origin));
  const said = inland.map(({ rows }) =>
    rows.map(({ destination, zones }) => `${destination} ${zones.join()}`).join(';'),
  );
  // A zone of the contiguous states there is that origin's own matter, as only a chart of one's own making has it.
  const isTheirs = inland.every(({ rows }) => rows.every(({ zones }) => !zones.some(isContiguous)));
  const isAlike = said.length > 0 && isTheirs && said.every((text) => text === said[0]);
  const own = [...byOrigin].flatMap(([origin, rows]) =>
    isAlike && !isOffshore(origin) ? rows.filter(({ destination }) => !isOffshore(destination)) : rows,
  );
  if (!isAlike) return [...general, ...own];
  const common = (inland[0]?.rows ?? []).map((row) => ({ ...row, origin: EVERYWHERE }));
  const stated = new Set(common.map(({ destination }) => destination));
  return [
    ...general.filter(({ origin, destination }) => origin !== EVERYWHERE || !stated.has(destination)),
    ...common,
    ...own,
  ];
};

export const BARRED_COLUMN = 'zone';

/** A chart that has no zones, but bars estimates from and to Alaska, Hawaii and the territories. */
export const barredChart = (): ZoneChart => ({ columns: [BARRED_COLUMN], rows: sayOffshoreOnce(new Map(), 1) });

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
 */
export const mergeCharts = (name: string, sources: readonly SourceChart[]): MergedCharts => {
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
  const chartOf = new Map<string, string>();
  for (const [index, columns] of groupsOf(originsOf).entries()) {
    const own = (columns[0] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const chart = index === 0 ? name : `${name}-${own.replace(new RegExp(`^${name}-`), '')}`.slice(0, 40);
    const rows = new Map(
      (originsOf.get(columns[0] ?? '') ?? []).map((origin) => [
        origin,
        rowsOf(
          origin,
          columns.map((column) => columnAt(origin, column)),
          zones,
        ),
      ]),
    );
    charts[chart] = { columns, rows: sayOffshoreOnce(rows, columns.length) };
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
    warnings: [...found.refinements].map(([text, count]) => `${text} (${count} ZIP5s)`),
  };
};
