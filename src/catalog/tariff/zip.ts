/** ZIP codes as numbers. A ZIP3 has 100 ZIP5s: `021` is 02100 to 02199. */
import { must } from '../../base/must.ts';
import type { ZoneChart } from './document.ts';

export const ZIP3S = 1_000;
export const ZIP5S_PER_ZIP3 = 100;
export const ZIP5S = ZIP3S * ZIP5S_PER_ZIP3;

/** Puerto Rico and the Virgin Islands, Hawaii, Guam and its neighbors, Alaska. */
export const FAR_ORIGINS = ['006-009', '967-968', '969', '995-999'];
/** Military mail: AE, AA and AP. */
export const MILITARY = ['090-098', '340', '962-966'];

/** A ZIP3, a ZIP5 or a range of either. */
export const ZIP_RANGE = /^(?:\d{3}(?:-\d{3})?|\d{5}(?:-\d{5})?)$/;

/** A run of ZIP5s as numbers, including both ends. */
export interface ZipRange {
  readonly from: number;
  readonly to: number;
}

/** The ZIP5s of a ZIP3, a ZIP5 or a range of either: `070-076` is 7000 to 7699. The caller must check the format. */
export const zipRangeOf = (text: string): ZipRange => {
  const [first = '', last = first] = text.split('-');
  if (first.length === 5) return { from: Number(first), to: Number(last) };
  return { from: Number(first) * ZIP5S_PER_ZIP3, to: Number(last) * ZIP5S_PER_ZIP3 + ZIP5S_PER_ZIP3 - 1 };
};

export const countOf = ({ from, to }: ZipRange): number => to - from + 1;

/** The zones in a chart's column, widest destination first, because more specific rows win. */
export const zonesIn = ({ columns, rows }: ZoneChart, column: string) => {
  const zoneOf = (zones: readonly string[]): string => must(zones[columns.indexOf(column)], `a zone of ${column}`);
  const ranged = rows.map(({ destination, zones }) => ({ range: zipRangeOf(destination), zone: zoneOf(zones) }));
  return ranged.sort((a, b) => countOf(b.range) - countOf(a.range));
};

export const contains = (outer: ZipRange, inner: ZipRange): boolean => outer.from <= inner.from && inner.to <= outer.to;

/** `00501`, or `zipText(5, 3)` for the ZIP3 `005`. */
export const zipText = (zip: number, digits: 3 | 5): string => String(zip).padStart(digits, '0');

/** The shortest form of a range: ZIP3s if both ends are on ZIP3 boundaries, otherwise ZIP5s. */
export const rangeText = ({ from, to }: ZipRange): string => {
  const isWhole = from % ZIP5S_PER_ZIP3 === 0 && (to + 1) % ZIP5S_PER_ZIP3 === 0;
  const [first, last] = isWhole
    ? [zipText(from / ZIP5S_PER_ZIP3, 3), zipText((to + 1) / ZIP5S_PER_ZIP3 - 1, 3)]
    : [zipText(from, 5), zipText(to, 5)];
  return first === last ? first : `${first}-${last}`;
};

/** Reads a ZIP3, a ZIP5 or a range of either. Undefined if the text has another form or the range is reversed. */
export const parseZipRange = (text: string): ZipRange | undefined => {
  if (!ZIP_RANGE.test(text)) return undefined;
  const range = zipRangeOf(text);
  return range.to < range.from ? undefined : range;
};

/** `07000-07699` as `070-076`. Undefined if the text is not a range. */
export const shortestRange = (text: string): string | undefined => {
  const range = parseZipRange(text);
  return range === undefined ? undefined : rangeText(range);
};

/** Pairs of adjacent ranges in the order of ZIP codes. */
const neighborsIn = (ranges: readonly string[]): [before: ZipRange, after: ZipRange][] => {
  const sorted = ranges.map(zipRangeOf).sort((a, b) => a.from - b.from || a.to - b.to);
  return sorted.slice(1).map((after, index) => [must(sorted[index], 'the range before'), after]);
};

/** Pairs of adjacent ranges that share a ZIP code. */
export const overlapsIn = (ranges: readonly string[]): [string, string][] =>
  neighborsIn(ranges)
    .filter(([before, after]) => after.from <= before.to)
    .map(([before, after]) => [rangeText(before), rangeText(after)]);

/** The gaps between ranges. */
export const gapsIn = (ranges: readonly string[]): string[] =>
  neighborsIn(ranges)
    .map(([before, after]) => ({ from: before.to + 1, to: after.from - 1 }))
    .filter(({ from, to }) => from <= to)
    .map(rangeText);
