/**
 * Merges the zone charts of one carrier, from any number of files, into charts of a tariff with as few rows as possible.
 *
 * A zone for a ZIP5 in one file wins over a zone for its ZIP3 in another, and any zone wins over none. Two files that give
 * different zones at the same level contradict each other.
 *
 * Zones in Alaska, Hawaii, the territories and military post cannot be derived from distance. Only charts decide whether a
 * service goes there, and in which zone. Rows for all origins (`000-999`) state this once, so that it also applies to
 * origins without a chart. If no chart gives a zone, such a row blocks the estimate. An origin's own rows win over rows for
 * all origins, and only state what differs. Nothing is estimated from origins in those places.
 */
import { byText } from '../../base/by-text.ts';
import { getOrMake, grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { ZoneChart } from '../../catalog/tariff/document.ts';
import { capped } from '../../catalog/tariff/findings.ts';
import {
  contains,
  countOf,
  FAR_ORIGINS,
  MILITARY,
  rangeText,
  ZIP3S,
  ZIP5S,
  ZIP5S_PER_ZIP3,
  zipRangeOf,
  zipText,
  zonesIn,
} from '../../catalog/tariff/zip.ts';
import { byServiceOrder } from '../carriers.ts';
import { isContiguous } from '../read/carrier.ts';
import type { ParsedChart } from '../read/reader.ts';
import type { FromFile } from './prices.ts';

/*
 * The zones of one origin in one chart column, by ZIP5. They are painted from a file's rows, overlaid with those of other files,
 * and packed into rows again.
 */

/** Typed arrays with an element for each ZIP5. */
export interface Column {
  /** A number from `ZoneNames`. 0 if no file states the zone. */
  readonly zone: Uint16Array;
  /** 5 if the zone is for a ZIP5 or a range of ZIP5s, otherwise 3. */
  readonly level: Uint8Array;
  /** Index of the file that gave the zone. */
  readonly file: Uint16Array;
}

/** Numbers for zone names, shared by all columns. */
class ZoneNames {
  readonly #names: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** Starts at 1. No service also has a number, with an empty name. */
  numberOf(zone: string): number {
    const known = this.#numbers.get(zone);
    if (known !== undefined) return known;
    const number = this.#names.push(zone);
    this.#numbers.set(zone, number);
    return number;
  }

  /** Also empty for 0. */
  nameOf(number: number): string {
    return number === 0 ? '' : must(this.#names[number - 1], 'the name of a zone');
  }
}

const blankColumn = (): Column => ({
  zone: new Uint16Array(ZIP5S),
  level: new Uint8Array(ZIP5S),
  file: new Uint16Array(ZIP5S),
});

/** The zone of a ZIP5, which is from 0 to 99999. */
const zoneAt = ({ zone }: Column, zip: number): number => must(zone[zip], 'the zone of a ZIP5');

/** Paints the zones of one column of a chart. More specific rows win. */
const paint = ({ chart }: ParsedChart, column: string, zones: ZoneNames, file: number): Column => {
  const painted = blankColumn();
  painted.file.fill(file);
  for (const { range, zone } of zonesIn(chart, column)) {
    painted.zone.fill(zones.numberOf(zone), range.from, range.to + 1);
    painted.level.fill(countOf(range) < ZIP5S_PER_ZIP3 ? 5 : 3, range.from, range.to + 1);
  }
  return painted;
};

export interface Disagreements {
  /** Texts by ZIP3, so that a file with different zones everywhere does not make 100,000 lines. */
  readonly contradictions: Set<string>;
  /** Counts of ZIP5s by text. */
  readonly refinements: Map<string, number>;
}

interface OverlayContext {
  readonly files: readonly string[];
  readonly describe: (zip3: string) => string;
  readonly zones: ZoneNames;
  readonly found: Disagreements;
}

/** Whether the added zone replaces the existing one. Notes disagreements. */
const replaces = (
  zip: number,
  base: Column,
  added: Column,
  { files, describe, zones, found }: OverlayContext,
): boolean => {
  const [before, now] = [zoneAt(base, zip), zoneAt(added, zip)];
  const none = zones.numberOf('');
  if (before === 0 || before === none) return true;
  if (now === none) return false;
  const levelOf = ({ level }: Column): number => must(level[zip], 'the level of a ZIP5');
  const fileOf = ({ file }: Column): string => must(files[must(file[zip], 'the file of a ZIP5')], 'a file');
  const [fileBefore, fileNow] = [fileOf(base), fileOf(added)];
  if (levelOf(added) === levelOf(base)) {
    const where = describe(zipText(Math.floor(zip / ZIP5S_PER_ZIP3), 3));
    found.contradictions.add(
      `${where}: zone ${zones.nameOf(before)} in ${fileBefore}, zone ${zones.nameOf(now)} in ${fileNow}`,
    );
    return false;
  }
  const isFiner = levelOf(added) > levelOf(base);
  const [fine, coarse] = isFiner ? [fileNow, fileBefore] : [fileBefore, fileNow];
  const text = `${fine} gives ZIP5s other zones than ${coarse} gives their ZIP3s, and wins`;
  found.refinements.set(text, (found.refinements.get(text) ?? 0) + 1);
  return isFiner;
};

/** Adds the zones of one file to those of earlier files. */
const overlay = (base: Column, added: Column, context: OverlayContext): void => {
  for (let zip = 0; zip < ZIP5S; zip++) {
    const zone = zoneAt(added, zip);
    if (zone === 0 || zone === base.zone[zip] || !replaces(zip, base, added, context)) continue;
    base.zone[zip] = zone;
    base.level[zip] = must(added.level[zip], 'the level of a ZIP5');
    base.file[zip] = must(added.file[zip], 'the file of a ZIP5');
  }
};

/** For each ZIP5, the index of its zones in all columns. At index 0, all zones are 0. */
const combine = (columns: readonly Column[]): { combined: Uint32Array; tuples: number[][] } => {
  const combined = new Uint32Array(ZIP5S);
  const nothing = columns.map(() => 0);
  const tuples: number[][] = [nothing];
  const known = new Map<string, number>([[nothing.join(), 0]]);
  let last = 0;
  for (let zip = 0; zip < ZIP5S; zip++) {
    // Neighbors usually have the same zones.
    if (zip === 0 || columns.some(({ zone }) => zone[zip] !== zone[zip - 1])) {
      const tuple = columns.map((column) => zoneAt(column, zip));
      const key = tuple.join();
      last = known.get(key) ?? tuples.push(tuple) - 1;
      known.set(key, last);
    }
    combined[zip] = last;
  }
  return { combined, tuples };
};

/** The most common zones of a ZIP3; 0 if any of its ZIP5s has no zone. */
const baseOf = (hundred: Uint32Array): number => {
  const first = must(hundred[0], 'the first ZIP5 of a ZIP3');
  if (hundred.every((tuple) => tuple === first)) return first;
  const counts = new Map<number, number>();
  for (const tuple of hundred) counts.set(tuple, (counts.get(tuple) ?? 0) + 1);
  if (counts.has(0)) return 0;
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
};

/** Packs the columns of an origin into rows: runs of ZIP3s, and runs of ZIP5s that differ from their ZIP3. */
const rowsOf = (origin: string, columns: readonly Column[], zones: ZoneNames): ZoneChart['rows'][number][] => {
  const { combined, tuples } = combine(columns);
  const rows: ZoneChart['rows'][number][] = [];
  const add = (from: number, to: number, tuple: number): void => {
    const names = must(tuples[tuple], 'the zones of a run').map((number) => zones.nameOf(number));
    rows.push({ origin, destination: rangeText({ from, to }), zones: names });
  };
  const bases = Array.from({ length: ZIP3S }, (_, zip3) =>
    baseOf(combined.subarray(zip3 * ZIP5S_PER_ZIP3, (zip3 + 1) * ZIP5S_PER_ZIP3)),
  );
  const baseAt = (zip3: number): number => must(bases[zip3], 'the zones of a ZIP3');
  for (let from = 0, zip3 = 1; zip3 <= ZIP3S; zip3++) {
    if (zip3 < ZIP3S && baseAt(zip3) === baseAt(from)) continue;
    if (baseAt(from) !== 0) add(from * ZIP5S_PER_ZIP3, zip3 * ZIP5S_PER_ZIP3 - 1, baseAt(from));
    from = zip3;
  }
  for (let from = 0, zip = 1; zip <= ZIP5S; zip++) {
    if (combined[zip] === combined[from] && zip % ZIP5S_PER_ZIP3 !== 0) continue;
    const tuple = must(combined[from], 'the zones of a ZIP5');
    if (tuple !== 0 && tuple !== baseAt(Math.floor(from / ZIP5S_PER_ZIP3))) add(from, zip - 1, tuple);
    from = zip;
  }
  return rows;
};

const EVERYWHERE = '000-999';
/** Destinations whose zones cannot be derived from distance. */
const FAR = [...FAR_ORIGINS, ...MILITARY];
const FAR_ZIP5S: readonly number[] = FAR.flatMap((range) => {
  const { from, to } = zipRangeOf(range);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
});
/** Most contradictions that are listed individually. */
const MAX_NAMED = 20;

export type SourceChart = FromFile<ParsedChart>;

type Row = ZoneChart['rows'][number];

const isFarOrigin = (origin: string): boolean =>
  FAR_ORIGINS.some((range) => contains(zipRangeOf(range), zipRangeOf(origin)));

/**
 * The most common zone of each far destination in one column. Zones of the contiguous states are not counted, because they depend
 * on the origin.
 * @param differ collects the ZIP3s for which charts give different zones
 */
const commonOf = (columns: readonly Column[], zones: ZoneNames, differ: Set<string>): Column => {
  const common = blankColumn();
  for (const zip of FAR_ZIP5S) {
    const votes = new Map<number, number>();
    for (const column of columns) {
      const zone = must(column.zone[zip], 'the zone of a ZIP5');
      const name = zones.nameOf(zone);
      if (name !== '' && !isContiguous(name)) votes.set(zone, (votes.get(zone) ?? 0) + 1);
    }
    if (votes.size > 1) differ.add(zipText(Math.floor(zip / ZIP5S_PER_ZIP3), 3));
    const [[zone] = [zones.numberOf('')]] = [...votes].sort(([a, m], [b, n]) => n - m || a - b);
    common.zone[zip] = zone;
  }
  return common;
};

/** Fills gaps in an origin's columns from the common columns, then removes what is the same in both. */
const subtractCommon = (own: readonly Column[], common: readonly Column[]): void => {
  for (const zip of FAR_ZIP5S) {
    own.forEach(({ zone }, index) => {
      if (zone[zip] === 0) zone[zip] = must(common[index]?.zone[zip], 'a common zone');
    });
    if (own.every(({ zone }, index) => zone[zip] === common[index]?.zone[zip]))
      for (const { zone } of own) zone[zip] = 0;
  }
};

/** The rows of all of a chart's origins, and the rows that apply to every origin. */
const allRowsOf = (
  byOrigin: ReadonlyMap<string, readonly Column[]>,
  columns: number,
  zones: ZoneNames,
  differ: Set<string>,
): Row[] => {
  const none = zones.numberOf('');
  const everywhere = byOrigin.get(EVERYWHERE);
  if (everywhere !== undefined) {
    // A file gives zones for all origins. Block only the far destinations that it omits.
    for (const zip of FAR_ZIP5S)
      if (everywhere.every(({ zone }) => zone[zip] === 0)) for (const { zone } of everywhere) zone[zip] = none;
    return [...byOrigin].flatMap(([origin, own]) => rowsOf(origin, own, zones));
  }
  const inland = [...byOrigin].filter(([origin]) => !isFarOrigin(origin)).map(([, own]) => own);
  const common = Array.from({ length: columns }, (_, index) =>
    commonOf(
      inland.map((own) => must(own[index], 'a column of an origin')),
      zones,
      differ,
    ),
  );
  for (const own of inland) subtractCommon(own, common);
  const blocked = FAR_ORIGINS.filter((origin) => !byOrigin.has(origin)).map((origin) => ({
    origin,
    destination: EVERYWHERE,
    zones: new Array<string>(columns).fill(''),
  }));
  return [
    ...rowsOf(EVERYWHERE, common, zones),
    ...blocked,
    ...[...byOrigin].flatMap(([origin, own]) => rowsOf(origin, own, zones)),
  ];
};

export const BLOCKED_COLUMN = 'zone';

/** A chart without zones. It only blocks estimates to and from the far places. */
export const blockedChart = (): ZoneChart => ({
  columns: [BLOCKED_COLUMN],
  rows: allRowsOf(new Map(), 1, new ZoneNames(), new Set()),
});

const withoutService = (column: Column, destinations: readonly string[], zones: ZoneNames): Column => {
  for (const { from, to } of destinations.map(zipRangeOf)) column.zone.fill(zones.numberOf(''), from, to + 1);
  return column;
};

/** Columns share a chart if they have the same origins. With different origins, a missing zone would mean no service. */
const groupsOf = (originsOf: ReadonlyMap<string, readonly string[]>) => {
  const groups = new Map<string, { first: string; columns: string[]; origins: readonly string[] }>();
  for (const [column, origins] of [...originsOf].sort(([a], [b]) => byServiceOrder(a, b))) {
    getOrMake(groups, origins.join(), () => ({ first: column, columns: [], origins })).columns.push(column);
  }
  return [...groups.values()].sort((a, b) => b.columns.length - a.columns.length || byText(a.first, b.first));
};

/**
 * Merges the charts of one carrier.
 * @param name the name of the first chart. If columns have different origins, there are several charts. The names of the others
 * contain the name of their first column
 * @param undelivered destinations that the carrier does not serve, whatever its charts say
 * @returns `chartOf`: the chart of each column, `originsOf`: the origins of each column
 */
export const mergeCharts = (name: string, sources: readonly SourceChart[], undelivered: readonly string[]) => {
  const files = [...new Set(sources.map(({ file }) => file))].sort(byText);
  const zones = new ZoneNames();
  const found: Disagreements = { contradictions: new Set(), refinements: new Map() };
  const byOrigin = grouped(
    sources.toSorted((a, b) => byText(a.file, b.file)),
    ({ reading }) => reading.origin,
  );
  const originsOf = new Map<string, string[]>();
  for (const [origin, charts] of [...byOrigin].sort(([a], [b]) => byText(a, b)))
    for (const column of new Set(charts.flatMap(({ reading }) => reading.chart.columns)))
      getOrMake(originsOf, column, () => []).push(origin);
  const columnAt = (origin: string, column: string): Column => {
    const describe = (zip3: string): string => `origin ${origin}, destination ${zip3}, column ${column}`;
    const painted = must(byOrigin.get(origin), `the charts of ${origin}`)
      .filter(({ reading }) => reading.chart.columns.includes(column))
      .map(({ file, reading }) => paint(reading, column, zones, files.indexOf(file)));
    const [first, ...others] = painted;
    const base = must(first, `the column ${column} of ${origin}`);
    for (const added of others) overlay(base, added, { files, describe, zones, found });
    return base;
  };
  const charts: Record<string, ZoneChart> = {};
  const differ = new Set<string>();
  const chartOf = new Map<string, string>();
  for (const [index, { first, columns, origins }] of groupsOf(originsOf).entries()) {
    const slug = first.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    const bare = slug.startsWith(`${name}-`) ? slug.slice(name.length + 1) : slug;
    const named = index === 0 ? name : `${name}-${bare}`.slice(0, 40);
    let chart = named;
    // Different column names can give the same chart name.
    for (let copy = 2; Object.hasOwn(charts, chart); copy++) chart = `${named.slice(0, 36)}-${copy}`;
    const columnsAt = (origin: string): Column[] =>
      columns.map((column) => withoutService(columnAt(origin, column), undelivered, zones));
    const byColumns = new Map(origins.map((origin) => [origin, columnsAt(origin)]));
    charts[chart] = { columns, rows: allRowsOf(byColumns, columns.length, zones, differ) };
    for (const column of columns) chartOf.set(column, chart);
  }
  return {
    charts,
    chartOf,
    originsOf,
    contradictions: capped(
      [...found.contradictions],
      MAX_NAMED,
      (more) => `and ${more} more lanes of ${name} on which files disagree`,
    ),
    warnings: [
      ...[...found.refinements].map(([text, count]) => `${text} (${count} ZIP5s)`),
      ...(differ.size === 0
        ? []
        : [
            `The charts of ${name} give different zones for the destinations ${[...differ].join(', ')}: origins without a chart get the most common one`,
          ]),
    ],
  };
};
