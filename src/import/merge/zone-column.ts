/**
 * The zones of one origin in one chart column, by ZIP5. They are painted from a file's rows, overlaid with those of other files,
 * and packed into rows again.
 */
import { must } from '../../base/must.ts';
import type { ZoneChart } from '../../catalog/tariff/document.ts';
import { countOf, rangeText, ZIP3S, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../../catalog/tariff/zip.ts';
import type { ParsedChart } from '../read/reader.ts';

const ZIP5S = ZIP3S * ZIP5S_PER_ZIP3;

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
export class ZoneNames {
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

export const blankColumn = (): Column => ({
  zone: new Uint16Array(ZIP5S),
  level: new Uint8Array(ZIP5S),
  file: new Uint16Array(ZIP5S),
});

/** The zone of a ZIP5, which is from 0 to 99999. */
const zoneAt = ({ zone }: Column, zip: number): number => must(zone[zip], 'the zone of a ZIP5');

/** Paints the zones of one column of a chart. More specific rows win. */
export const paint = ({ chart }: ParsedChart, column: string, zones: ZoneNames, file: number): Column => {
  const painted = blankColumn();
  painted.file.fill(file);
  const place = chart.columns.indexOf(column);
  const ranged = chart.rows.map((row) => ({
    range: zipRangeOf(row.destination),
    zone: must(row.zones[place], `a zone of the column ${column}`),
  }));
  for (const { range, zone } of ranged.sort((a, b) => countOf(b.range) - countOf(a.range))) {
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
export const overlay = (base: Column, added: Column, context: OverlayContext): void => {
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
export const rowsOf = (origin: string, columns: readonly Column[], zones: ZoneNames): ZoneChart['rows'][number][] => {
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
