/**
 * One column of one origin's zones, spread out ZIP5 by ZIP5, so that what several files say of it can be laid one upon
 * the other.
 */
import { countOf, ZIP3S, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../zip.ts';
import type { ChartReading } from './reading.ts';

export const ZIP5S = ZIP3S * ZIP5S_PER_ZIP3;

/** One column of one origin, ZIP5 by ZIP5: an index into `zones` plus 1, or 0 where nothing is said; and the level. */
export interface Column {
  readonly at: Uint16Array;
  /** 5 where a ZIP5 or a range of them said it, else 3. */
  readonly level: Uint8Array;
  readonly saidBy: Uint16Array;
}

/** The zones by number, shared by all columns. */
export class ZoneNames {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** From 1; no service is a zone of its own, named ''. */
  numberOf(zone: string): number {
    const known = this.#numbers.get(zone);
    if (known !== undefined) return known;
    const number = this.names.push(zone);
    this.#numbers.set(zone, number);
    return number;
  }

  nameOf(number: number): string {
    return this.names[number - 1] ?? '';
  }
}

export const blankColumn = (): Column => ({
  at: new Uint16Array(ZIP5S),
  level: new Uint8Array(ZIP5S),
  saidBy: new Uint16Array(ZIP5S),
});

/** What one chart says in one of its columns, the most specific row last. */
export const paint = ({ chart }: ChartReading, column: string, zones: ZoneNames, file: number): Column => {
  const painted = blankColumn();
  painted.saidBy.fill(file);
  const place = chart.columns.indexOf(column);
  const ranged = chart.rows.map((row) => ({ range: zipRangeOf(row.destination), zone: row.zones[place] ?? '' }));
  for (const { range, zone } of ranged.sort((a, b) => countOf(b.range) - countOf(a.range))) {
    painted.at.fill(zones.numberOf(zone), range.from, range.to + 1);
    painted.level.fill(countOf(range) < ZIP5S_PER_ZIP3 ? 5 : 3, range.from, range.to + 1);
  }
  return painted;
};

export interface Disagreements {
  /** `what` by ZIP3, so that a file that differs everywhere does not make a hundred thousand lines. */
  readonly contradictions: Set<string>;
  readonly refinements: Map<string, number>;
}

/** Where a column is laid: whose it is, and where disagreements go. */
interface Ground {
  readonly files: readonly string[];
  readonly describe: (zip3: string) => string;
  readonly zones: ZoneNames;
  readonly found: Disagreements;
}

/** Whether a zone takes the place of another; where they disagree, that is noted. */
const takesPlace = (zip: number, base: Column, added: Column, { files, describe, zones, found }: Ground): boolean => {
  const [before, now] = [base.at[zip] ?? 0, added.at[zip] ?? 0];
  const none = zones.numberOf('');
  if (before === 0 || before === none) return true;
  if (now === none) return false;
  const [levelBefore, levelNow] = [base.level[zip] ?? 3, added.level[zip] ?? 3];
  const [fileBefore, fileNow] = [files[base.saidBy[zip] ?? 0] ?? '', files[added.saidBy[zip] ?? 0] ?? ''];
  if (levelNow === levelBefore) {
    const where = describe(zipText(Math.floor(zip / ZIP5S_PER_ZIP3), 3));
    found.contradictions.add(
      `${where}: zone ${zones.nameOf(before)} in ${fileBefore}, zone ${zones.nameOf(now)} in ${fileNow}`,
    );
    return false;
  }
  const [fine, coarse] = levelNow > levelBefore ? [fileNow, fileBefore] : [fileBefore, fileNow];
  const text = `${fine} gives ZIP5s other zones than ${coarse} gives their ZIP3s, and wins`;
  found.refinements.set(text, (found.refinements.get(text) ?? 0) + 1);
  return levelNow > levelBefore;
};

/** Adds what one file says of an origin's column to what the files before it said. */
export const lay = (base: Column, added: Column, ground: Ground): void => {
  for (let zip = 0; zip < ZIP5S; zip++) {
    const now = added.at[zip] ?? 0;
    if (now === 0 || now === base.at[zip] || !takesPlace(zip, base, added, ground)) continue;
    base.at[zip] = now;
    base.level[zip] = added.level[zip] ?? 3;
    base.saidBy[zip] = added.saidBy[zip] ?? 0;
  }
};
