/** ZIP codes as numbers. A ZIP3 stands for its hundred ZIP5s: `021` is 02100 to 02199. */

export const ZIP3S = 1_000;
export const ZIP5S_PER_ZIP3 = 100;

/** A run of ZIP5s as numbers, both ends in it. */
export interface ZipRange {
  readonly from: number;
  readonly to: number;
}

/** The ZIP5s that a ZIP3, a ZIP5 or a range of either stands for: `070-076` is 7000 to 7699. Its form is checked before. */
export const zipRangeOf = (text: string): ZipRange => {
  const [first = '', last = first] = text.split('-');
  if (first.length === 5) return { from: Number(first), to: Number(last) };
  return { from: Number(first) * ZIP5S_PER_ZIP3, to: Number(last) * ZIP5S_PER_ZIP3 + ZIP5S_PER_ZIP3 - 1 };
};

export const countOf = ({ from, to }: ZipRange): number => to - from + 1;

export const contains = (outer: ZipRange, inner: ZipRange): boolean => outer.from <= inner.from && inner.to <= outer.to;

/** `00501`; a ZIP3 has three digits: `zipText(5, 3)` is `005`. */
export const zipText = (zip: number, digits: 3 | 5): string => String(zip).padStart(digits, '0');
