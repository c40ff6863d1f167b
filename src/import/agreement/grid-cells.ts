/**
 * Parses the cells of a discount grid as people write them: weight bands, zones, addresses and percentages. Locates a sheet's grid:
 * fills merged cells, finds the column of labels, and decides which side has the weights.
 */
import { must } from '../../base/must.ts';
import { type Address, type Named, type ZoneRange, zoneText } from '../../catalog/agreement/cells.ts';
import { RefusedFile } from '../read/reader.ts';
import { cellAddress, plainText, type Sheet, shownText } from '../read/xlsx.ts';

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

/** Strips marks from both ends of a text. */
const within = (text: string, marks: string): string => {
  let [from, to] = [0, text.length];
  while (from < to && marks.includes(text.charAt(from))) from += 1;
  while (to > from && marks.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
};

const between = (fromLb: number, toLb: number): Band | undefined =>
  toLb >= Math.max(1, fromLb) ? { fromLb: Math.max(1, fromLb), toLb } : undefined;

const from = (fromLb: number): Band => ({ fromLb: Math.max(1, fromLb) });

/** The forms of weight bands. The first that matches is used. */
const BANDS: readonly (readonly [form: RegExp, bandOf: (pounds: number, last: number) => Band | undefined])[] = [
  [ALL, () => from(1)],
  [/^(\d{1,5})$/, (pounds) => between(pounds, pounds)],
  [/^(\d{1,5}) ?(?:-|to|thru|through) ?(\d{1,5})$/, between],
  [/^(\d{1,5}) ?(?:\+|-?up|(?:and|&|or) (?:up|over|above|more|greater|heavier))$/, from],
  [/^(?:>=|≥|at least|from) ?(\d{1,5})$/, from],
  [/^(?:>|over|above|more than|greater than) ?(\d{1,5})$/, (pounds) => from(pounds + 1)],
  [/^(?:<=|≤|up to) ?(\d{1,5})$/, (pounds) => between(1, pounds)],
  [/^(?:<|under|below|less than) ?(\d{1,5})$/, (pounds) => between(1, pounds - 1)],
];

/** Parses `1-5`, `1 to 5 lbs`, `31+`, `over 30`, `151 lbs and up`, `7`, `all`. Undefined for any other text. */
export const bandIn = (text: string): Band | undefined => {
  const bare = plain(text)
    .replaceAll(/(\d),(\d\d\d)\b/g, '$1$2')
    .replaceAll(/\.00?\b/g, '')
    .replaceAll(/lbs?\.?|pounds?|weights?|[#()]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  for (const [form, bandOf] of BANDS) {
    const [all, pounds, last] = form.exec(bare) ?? [];
    if (all !== undefined) return bandOf(Number(pounds), Number(last));
  }
  return undefined;
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
const certainly = (text: string): 'band' | 'zones' | undefined => {
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

/** No printed grid is this large. */
export const MAX_ROWS = 2_000;
const MAX_COLUMNS = 200;

export interface GridCell {
  readonly text: string;
  /** The cell's address. For merged cells, the address of the first one. */
  readonly row: number;
  readonly column: number;
}

export interface GridRow {
  readonly number: number;
  readonly cells: readonly (GridCell | undefined)[];
}

const MERGED = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/;

const columnAt = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Merged ranges in a grid are only a few rows or columns. */
const MAX_FILLED = 100_000;

/** Copies the first cell of each merged range to the others. */
const fillMerged = (byNumber: Map<number, (GridCell | undefined)[]>, merged: readonly string[]): void => {
  const lastRow = Math.max(0, ...byNumber.keys());
  let filled = 0;
  for (const range of merged) {
    const [, left = '', top = '', right = '', bottom = ''] = MERGED.exec(range) ?? [];
    const first = byNumber.get(Number(top))?.[columnAt(left)];
    if (first === undefined) continue;
    const lastColumn = Math.min(columnAt(right), MAX_COLUMNS - 1);
    for (let row = Number(top); row <= Math.min(Number(bottom), lastRow); row++) {
      filled += lastColumn - first.column + 1;
      if (filled > MAX_FILLED)
        throw new RefusedFile(`it has more than ${MAX_FILLED} merged cells, so it is not a grid of discounts`);
      const cells = byNumber.get(row) ?? [];
      for (let column = first.column; column <= lastColumn; column++) cells[column] = first;
      byNumber.set(row, cells);
    }
  }
};

export const tooManyRows = (): RefusedFile =>
  new RefusedFile(`it has more than ${MAX_ROWS} rows, so it is not a grid of discounts`);

/** Returns the rows with content, with every cell of a merged range filled. */
export const gridRows = ({ rows, merged = [] }: Sheet): GridRow[] => {
  const byNumber = new Map<number, (GridCell | undefined)[]>();
  for (const { number, cells } of rows) {
    const own = cells.map((cell, column) => {
      const text = plainText(shownText(cell));
      return text === '' ? undefined : { text, row: number, column };
    });
    if (own.some((cell) => cell !== undefined)) byNumber.set(number, own);
    if (own.length > MAX_COLUMNS)
      throw new RefusedFile(`it has more than ${MAX_COLUMNS} columns, so it is not a grid of discounts`);
  }
  if (byNumber.size > MAX_ROWS) throw tooManyRows();
  fillMerged(byNumber, merged);
  return [...byNumber].sort(([a], [b]) => a - b).map(([number, cells]) => ({ number, cells }));
};

/** Returns the cells to the right of a column, each once. */
export const rightOf = ({ cells }: GridRow, column: number): GridCell[] =>
  cells.flatMap((cell, at) => (cell !== undefined && at > column && cell.column === at ? [cell] : []));

const isAxis = (text: string): boolean => bandIn(text) !== undefined || zonesIn(text) !== undefined;

/** A percentage, or a text intended as one. */
const NUMBER = /^[-$]?\d{0,4}\.?\d{1,20} ?%?(?: off)?$/;

/** The leftmost column with a band or zones next to a percentage; undefined if the sheet has no grid. */
export const labelColumn = (rows: readonly GridRow[]): number | undefined => {
  const columns = rows.flatMap((row) => {
    const at = row.cells.findIndex(
      (cell, column) =>
        cell !== undefined && isAxis(cell.text) && rightOf(row, column).some(({ text }) => NUMBER.test(text)),
    );
    return at === -1 ? [] : [at];
  });
  return columns.length === 0 ? undefined : Math.min(...columns);
};

const firstPound = (texts: readonly string[]): number | undefined => {
  const bands = texts.map(bandIn).filter((band): band is Band => band !== undefined);
  return bands.length === 0 ? undefined : Math.min(...bands.map(({ fromLb }) => fromLb));
};

const hasRange = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const band = bandIn(text);
    return band !== undefined && band.toLb !== band.fromLb;
  });

export type Down = 'bands' | 'zones';

/**
 * Decides whether the column of labels has weights or zones. Words such as `lb`, `+` and `Zone` decide. Otherwise, the weights
 * are on the side that begins with 1, or else on the side with a range.
 * @throws RefusedFile if it is unclear
 */
export const whatGoesDown = (rows: readonly GridRow[], column: number): Down => {
  const inTable = rows.filter((row) => rightOf(row, column).length > 0);
  const labelOf = ({ cells }: GridRow): string => cells[column]?.text ?? '';
  const labels = inTable.map(labelOf).filter(isAxis);
  const heads = inTable.filter((row) => !isAxis(labelOf(row)));
  const titles = heads.flatMap((row) => rightOf(row, column).map(({ text }) => text));
  const across = titles.filter(isAxis);
  const bands = labels.some((text) => certainly(text) === 'band') || titles.some((text) => certainly(text) === 'zones');
  const zones = labels.some((text) => certainly(text) === 'zones') || titles.some((text) => certainly(text) === 'band');
  if (bands !== zones) return bands ? 'bands' : 'zones';
  const corner = heads.map(labelOf).join(' ').toLowerCase();
  const [namesWeight, namesZone] = [/weight|lb|pound|band/.test(corner), corner.includes('zone')];
  if (namesWeight !== namesZone && namesWeight && !bands) return 'bands';
  const [down, over] = [firstPound(labels) === 1, firstPound(across) === 1];
  if (!bands && down !== over) return down ? 'bands' : 'zones';
  if (!bands && namesZone && !namesWeight && across.length === 0) return 'zones';
  if (!bands && hasRange(labels) !== hasRange(across) && across.length > 0) return hasRange(labels) ? 'bands' : 'zones';
  const at = cellAddress(must(inTable[0], 'a row of the grid').number, column);
  throw new RefusedFile(
    `the grid at ${at} does not distinguish weights from zones: write weights as "1-5 lb", or zones as "Zone 2"`,
  );
};
