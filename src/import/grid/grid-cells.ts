/** Parses the cells of a discount grid as people write them: weight bands, zones, addresses and percentages. */
import { must } from '../../base/must.ts';
import { type Address, type Named, type ZoneRange, zoneText } from '../../catalog/agreement/cells.ts';

/** Pounds, inclusive. Without `toLb`, the band has no upper limit. */
export interface Band {
  readonly fromLb: number;
  readonly toLb?: number;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .replaceAll(/[‐‑‒–—−]/g, '-')
    .trim();

const ALL = /^(?:\*|all|any|every)$/;
const SINGLE = /^(\d{1,5})$/;
const RANGE = /^(\d{1,5}) ?(?:-|to|thru|through) ?(\d{1,5})$/;
const AND_UP = /^(\d{1,5}) ?(?:\+|-?up|(?:and|&|or) (?:up|over|above|more|greater|heavier))$/;
const FROM = /^(?:>=|≥|at least|from) ?(\d{1,5})$/;
const OVER = /^(?:>|over|above|more than|greater than) ?(\d{1,5})$/;
const UP_TO = /^(?:<=|≤|up to) ?(\d{1,5})$/;
const UNDER = /^(?:<|under|below|less than) ?(\d{1,5})$/;

/** Strips marks from both ends of a text. */
const within = (text: string, marks: string): string => {
  let [from, to] = [0, text.length];
  while (from < to && marks.includes(text.charAt(from))) from += 1;
  while (to > from && marks.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
};

const poundsIn = (form: RegExp, text: string): number | undefined => {
  const [, pounds] = form.exec(text) ?? [];
  return pounds === undefined ? undefined : Number(pounds);
};

const between = (fromLb: number, toLb: number): Band | undefined =>
  toLb >= Math.max(1, fromLb) ? { fromLb: Math.max(1, fromLb), toLb } : undefined;

/** Parses `1-5`, `1 to 5 lbs`, `31+`, `over 30`, `151 lbs and up`, `7`, `all`. Undefined for any other text. */
export const bandIn = (text: string): Band | undefined => {
  const bare = plain(text)
    .replaceAll(/(\d),(\d\d\d)\b/g, '$1$2')
    .replaceAll(/\.00?\b/g, '')
    .replaceAll(/lbs?\.?|pounds?|weights?|[#()]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (ALL.test(bare)) return { fromLb: 1 };
  const single = poundsIn(SINGLE, bare);
  if (single !== undefined) return single === 0 ? undefined : { fromLb: single, toLb: single };
  const [, first, last] = RANGE.exec(bare) ?? [];
  if (first !== undefined) return between(Number(first), Number(last));
  const from = poundsIn(AND_UP, bare) ?? poundsIn(FROM, bare);
  if (from !== undefined) return { fromLb: Math.max(1, from) };
  const over = poundsIn(OVER, bare);
  if (over !== undefined) return { fromLb: over + 1 };
  const upTo = poundsIn(UP_TO, bare);
  if (upTo !== undefined) return between(1, upTo);
  const under = poundsIn(UNDER, bare);
  return under === undefined ? undefined : between(1, under - 1);
};

const ZONE_WORDS = ['zone(s)', 'zone (s)', 'zones', 'zone'];

/** Removes a leading word for zone. */
const afterZone = (text: string): string => {
  const word = ZONE_WORDS.find((one) => text.startsWith(one)) ?? (/^z\d/.test(text) ? 'z' : '');
  return word === '' ? text : within(text.slice(word.length), ' :#_-');
};

const ZONE_RANGE = /^(\d{1,3})(?: ?(?:-|to|thru|through) ?(\d{1,3}))?$/;
const ZONE_NAME = /^[a-z0-9]{1,10}$/;

const zoneRange = (text: string, isNamed: boolean): ZoneRange | undefined => {
  const [, from, to = from] = ZONE_RANGE.exec(text) ?? [];
  if (from !== undefined && to !== undefined)
    return Number(from) <= Number(to) ? { from: String(Number(from)), to: String(Number(to)) } : undefined;
  if (!isNamed || !ZONE_NAME.test(text)) return undefined;
  return { from: text.toUpperCase(), to: text.toUpperCase() };
};

/** Parses `Zone 2`, `2`, `2-8`, `Zones 2-4`, `2, 3 & 44`, `all zones`. Undefined for any other text. */
export const zonesIn = (text: string): Named<ZoneRange> | undefined => {
  const words = plain(text);
  const bare = afterZone(words).replace(/ ?zones?$/, '');
  if (ALL.test(bare)) return '*';
  const ranges = bare
    .replaceAll(' and ', ',')
    .split(/[,|;&/]/)
    .map((part) => zoneRange(afterZone(part.trim()), bare !== words));
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
};

/** Returns what a text must be if it can only be a band or only be zones. A text such as `2-8` can be either. */
export const certainly = (text: string): 'band' | 'zones' | undefined => {
  const words = plain(text);
  if (/^zone|^z\d|zones?$/.test(words)) return zonesIn(text) === undefined ? undefined : 'zones';
  return /lb|pound|weight|[#+<>≤≥]|over|above|more|less|under|below|up/.test(words) && bandIn(text) !== undefined
    ? 'band'
    : undefined;
};

const NOT_RESIDENTIAL = /\bnon[ -]?residential\b/g;
const RESIDENTIAL = /\bresi(?:dential|dence)?\b/g;
const COMMERCIAL = /\b(?:commercial|business)\b/g;
const BESIDE = /\b(?:and|deliver(?:y|ies)|address(?:es)?|shipments?|packages?|only)\b|[&/()]/g;

/** Splits a text into its kind of address and the rest. */
export const addressIn = (text: string): { readonly address?: Address; readonly rest: string } => {
  const words = plain(text).replaceAll(NOT_RESIDENTIAL, 'commercial');
  const left = words.replaceAll(RESIDENTIAL, ' ');
  const rest = left.replaceAll(COMMERCIAL, ' ');
  if (rest === words) return { rest: text.trim() };
  const address = left === words ? 'commercial' : rest === left ? 'residential' : 'any';
  return {
    address,
    rest: within(rest.replaceAll(BESIDE, ' ').replaceAll(/ +/g, ' '), ' :-'),
  };
};

const TITLE_WORDS =
  /\b(?:incentives?|discounts?|rates?|off|effective|list|published|daily|domestic|packages?|by|of|for|weight|zones?|and|the|all|20\d\d)\b|[%*:,]/g;

/** Removes words that all titles share: `2026 Ground Residential Incentives Off Rates` becomes `Ground Residential`. */
export const titleRest = (text: string): string =>
  within(plain(text).replaceAll(TITLE_WORDS, ' ').replaceAll(/ +/g, ' '), ' -');

const HEADING =
  /^(?:(?:destination|delivery) )?(?:zones?|weights?|weight bands?|lbs?|pounds?|discounts?|incentives?|percent(?:age)?|% ?off|%)$/;

/** Whether a title only names what every grid has: `Zones`, `Weight (lbs)`, `Discount`. */
export const isHeading = (text: string): boolean =>
  HEADING.test(
    plain(text)
      .replaceAll(/\((?:lbs?|pounds?|%)\.?\)|[.:]/g, '')
      .trim(),
  );

const NOTHING = /^(?:-|n\/?a|none)?$/;
const PERCENT = /^(\d{1,3})(?:\.(\d+))?( ?%)?(?: off)?$/;

/** Parses a percentage as `18.50`. Null means no discount. Otherwise returns the problem. */
export const percentIn = (text: string): { readonly percent: string } | { readonly problem: string } | null => {
  const words = plain(text);
  if (NOTHING.test(words)) return null;
  if (words.startsWith('$')) return { problem: 'is an amount of money; a discount is a percentage' };
  const [, whole, fraction = '', sign] = PERCENT.exec(words) ?? [];
  if (whole === undefined) return { problem: 'is not a percentage such as 18.5%' };
  const value = Number(`${whole}.${fraction}`);
  if (sign === undefined && value > 0 && value < 1)
    return { problem: `may be ${value}% or ${Number((value * 100).toPrecision(12))}%: write it with a percent sign` };
  if (/[1-9]/.test(fraction.slice(2))) return { problem: 'has more than two decimals' };
  if (value > 100) return { problem: 'is more than 100%' };
  return { percent: `${Number(whole)}.${fraction.slice(0, 2).padEnd(2, '0')}` };
};

export const isPercentage = (text: string): boolean => {
  const read = percentIn(text);
  return read !== null && 'percent' in read;
};

const MONTH =
  /^(?:\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{1,2})/;

/** Whether a text is a date that a spreadsheet program made of a text such as `6-10`. */
export const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) || MONTH.test(plain(text));

/** Formats zones for a cell of `discounts.csv`. */
export const zonesText = (zones: Named<ZoneRange>): string => (zones === '*' ? '*' : zones.map(zoneText).join('|'));

/** Formats weights as people write them: `1-5`, `31+`. */
export const bandText = ({ fromLb, toLb }: Band): string => {
  if (toLb === undefined) return `${fromLb}+`;
  return fromLb === toLb ? String(fromLb) : `${fromLb}-${toLb}`;
};

/** Joins zones into one list. Consecutive zones become a range: 2, 3, 4 and 44 are `2-4|44`. */
export const unitedZones = (all: readonly Named<ZoneRange>[]): Named<ZoneRange> => {
  if (all.includes('*')) return '*';
  const ranges: ZoneRange[] = [];
  for (const range of all.flatMap((zones) => (zones === '*' ? [] : zones))) {
    const last = ranges.at(-1);
    const follows = last !== undefined && /^\d+$/.test(range.from) && Number(last.to) + 1 === Number(range.from);
    if (follows) ranges[ranges.length - 1] = { from: must(last, 'a range').from, to: range.to };
    else ranges.push(range);
  }
  return ranges;
};

const overlapping = (a: ZoneRange, b: ZoneRange): boolean => {
  if (a.from === b.from || a.to === b.to) return true;
  const [from, to, first, last] = [a.from, a.to, b.from, b.to].map(Number);
  return must(from, 'a zone') <= must(last, 'a zone') && must(first, 'a zone') <= must(to, 'a zone');
};

export const shareZones = (a: Named<ZoneRange>, b: Named<ZoneRange>): boolean =>
  a === '*' || b === '*' || a.some((one) => b.some((other) => overlapping(one, other)));

export const shareWeights = (a: Band, b: Band): boolean =>
  a.fromLb <= (b.toLb ?? Number.POSITIVE_INFINITY) && b.fromLb <= (a.toLb ?? Number.POSITIVE_INFINITY);
