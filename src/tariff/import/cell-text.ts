/** Prices and ranges of ZIP codes as carriers and operators write them in tables. */

interface Range {
  /** First and last ZIP5. */
  readonly from: number;
  readonly to: number;
}

const padded = (zip: number, digits: number): string => String(zip).padStart(digits, '0');

const boundsOf = (text: string): Range | undefined => {
  const [, first, last = first] = /^(\d{3}|\d{5})(?:-(\d{3}|\d{5}))?$/.exec(text) ?? [];
  if (first === undefined || last === undefined || first.length !== last.length) return undefined;
  const range =
    first.length === 3
      ? { from: Number(first) * 100, to: Number(last) * 100 + 99 }
      : { from: Number(first), to: Number(last) };
  return range.to < range.from ? undefined : range;
};

/** The shortest form of a range of ZIP5s: ZIP3s where both ends are whole ZIP3s. */
export const zipRangeOf = (from: number, to: number): string => {
  const whole = from % 100 === 0 && to % 100 === 99;
  const [first, last] = whole ? [padded(from / 100, 3), padded((to - 99) / 100, 3)] : [padded(from, 5), padded(to, 5)];
  return first === last ? first : `${first}-${last}`;
};

/** `07000-07699` as `070-076`; undefined where the text is no range. */
export const zipRange = (text: string): string | undefined => {
  const range = boundsOf(text);
  return range === undefined ? undefined : zipRangeOf(range.from, range.to);
};

const sorted = (texts: readonly string[]): (Range & { text: string })[] =>
  texts
    .flatMap((text) => {
      const range = boundsOf(text);
      return range === undefined ? [] : [{ ...range, text }];
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);

/** Pairs of neighboring ranges that have a ZIP code in common. */
export const overlapsIn = (texts: readonly string[]): [string, string][] => {
  const ranges = sorted(texts);
  return ranges.flatMap((range, index): [string, string][] => {
    const before = ranges[index - 1];
    return before !== undefined && range.from <= before.to ? [[before.text, range.text]] : [];
  });
};

/** What ranges leave out between their first and their last ZIP code. */
export const holesIn = (texts: readonly string[]): string[] => {
  const ranges = sorted(texts);
  return ranges.flatMap(({ from }, index) => {
    const before = ranges[index - 1];
    return before !== undefined && from > before.to + 1 ? [zipRangeOf(before.to + 1, from - 1)] : [];
  });
};

const NO_RATE = /^(?:[-–—]+|n\/?a)$/i;
const PRICE = /^\$? ?(\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.(\d{1,2}))?$/;

/** `$1,234.5` is 123450 cents; null where the text says that there is no rate (`-`, `N/A`); undefined for any other. */
export const centsInText = (text: string): number | null | undefined => {
  if (NO_RATE.test(text)) return null;
  const [, whole = '', fraction = ''] = PRICE.exec(text) ?? [];
  if (whole === '') return undefined;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return cents > 0 ? cents : undefined;
};
