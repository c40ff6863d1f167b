/**
 * Formats the numbers of a workbook as their cells show them, as far as lists depend on it: ZIP codes whose leading zeros
 * come from the format, dates and times. Any other number becomes its shortest decimal. Formats: ECMA-376, part 1,
 * 18.8.30 and 18.8.31. A format code is untrusted text, so it is read in one pass without regular expressions.
 */
import { UnreadableFile } from '../unreadable-file.ts';

type Shown =
  | { readonly kind: 'plain' | 'percent' | 'date' | 'time' | 'elapsed' }
  /** Zeros, possibly with marks between them: `00000`, `00000-0000`. */
  | { readonly kind: 'zeros'; readonly runs: readonly number[]; readonly marks: readonly string[] };

interface Condition {
  readonly operator: string;
  readonly operand: number;
}

interface Section {
  readonly shown: Shown;
  /** The numbers that the section formats: `[<=99999]`. */
  readonly condition?: Condition | undefined;
}

/** One or more sections. The number's sign or the sections' conditions select one. */
export type CellFormat = readonly [Section, ...Section[]];

/** The limit of Excel for a format code. */
const MOST_CHARACTERS = 255;

export const PLAIN: CellFormat = [{ shown: { kind: 'plain' } }];
const PERCENT: CellFormat = [{ shown: { kind: 'percent' } }];
const DATE: CellFormat = [{ shown: { kind: 'date' } }];
const TIME: CellFormat = [{ shown: { kind: 'time' } }];
const ELAPSED: CellFormat = [{ shown: { kind: 'elapsed' } }];

const isBetween = (id: number, first: number, last: number): boolean => id >= first && id <= last;

/** The built-in formats. The file has no code for them. */
const builtIn = (id: number): CellFormat => {
  if (id === 9 || id === 10) return PERCENT;
  if (id === 46) return ELAPSED;
  if (isBetween(id, 18, 21) || id === 32 || id === 33 || id === 45 || id === 47) return TIME;
  return isBetween(id, 14, 22) || isBetween(id, 27, 36) || isBetween(id, 50, 58) ? DATE : PLAIN;
};

/** A position in a format code. */
interface Cursor {
  readonly code: string;
  at: number;
}

/** Reads the text before a closing character and moves past that character. */
const upTo = (cursor: Cursor, end: string): string => {
  const from = cursor.at;
  const found = cursor.code.indexOf(end, from);
  cursor.at = found === -1 ? cursor.code.length : found + 1;
  return cursor.code.slice(from, found === -1 ? undefined : found);
};

const OPERATORS = ['<=', '>=', '<>', '<', '>', '='];

const conditionOf = (text: string): Condition | undefined => {
  const operator = OPERATORS.find((one) => text.startsWith(one));
  const operand = Number(text.slice(operator?.length ?? 0));
  return operator === undefined || Number.isNaN(operand) ? undefined : { operator, operand };
};

/** The content of a section, as far as it has been read. */
interface Found {
  letters: string;
  elapsed: boolean;
  /** Whether it has a decimal point, a percent sign, an exponent or the like. */
  decimal: boolean;
  percent: boolean;
  /** Whether there is text before the first `0`. */
  prefixed: boolean;
  /** The lengths of the runs of digit placeholders from the first `0` on; marks separate the runs. */
  runs: number[];
  marks: string[];
  condition: Condition | undefined;
}

const addDigit = (found: Found, character: string): void => {
  if (found.runs.length === 0 && character !== '0') return;
  if (found.marks.length === found.runs.length) found.runs.push(0);
  found.runs.push((found.runs.pop() ?? 0) + 1);
};

/** Adds literal text. */
const addLiteral = (found: Found, text: string): void => {
  if (found.runs.length === 0) found.prefixed ||= text !== '';
  else found.marks.push(...text);
};

const addBracket = (found: Found, text: string): void => {
  const lower = text.toLowerCase();
  if (['h', 'hh', 'm', 'mm', 's', 'ss'].includes(lower)) {
    found.elapsed = true;
    found.letters += lower;
  } else found.condition ??= conditionOf(text);
};

const readToken = (cursor: Cursor, found: Found): void => {
  const character = cursor.code.charAt(cursor.at);
  const lower = character.toLowerCase();
  cursor.at += 1;
  if (character === '\\') addLiteral(found, cursor.code.charAt(cursor.at++));
  else if (character === '"') addLiteral(found, upTo(cursor, '"'));
  else if (character === '[') addBracket(found, upTo(cursor, ']'));
  // `_x` is a space as wide as x; `*x` repeats x to fill the cell.
  else if (character === '_' || character === '*') cursor.at += 1;
  else if ('0#?'.includes(character)) addDigit(found, character);
  else if ('.,%/'.includes(character) || /^e[+-]$/.test(lower + cursor.code.charAt(cursor.at))) {
    found.decimal = true;
    found.percent ||= character === '%';
  } else if ('ymdhs'.includes(lower)) found.letters += lower;
  else if (lower !== 'a' && lower !== 'p') addLiteral(found, character);
};

const shownBy = ({ letters, elapsed, decimal, percent, prefixed, runs, marks }: Found): Shown => {
  const has = (some: string): boolean => [...some].some((letter) => letters.includes(letter));
  if (elapsed) return { kind: 'elapsed' };
  if (letters !== '') return { kind: has('yd') || !has('hs') ? 'date' : 'time' };
  if (percent) return { kind: 'percent' };
  const zeros = runs.reduce((sum, run) => sum + run, 0);
  // No other mark is part of a ZIP code.
  const hasMarks = marks.length < runs.length && marks.every((mark) => mark === '-' || mark === ' ');
  const isCode = !decimal && !prefixed && zeros > 1 && hasMarks;
  return isCode ? { kind: 'zeros', runs, marks } : { kind: 'plain' };
};

const readSection = (cursor: Cursor): Section => {
  const found: Found = {
    letters: '',
    elapsed: false,
    decimal: false,
    percent: false,
    prefixed: false,
    runs: [],
    marks: [],
    condition: undefined,
  };
  while (cursor.at < cursor.code.length && cursor.code.charAt(cursor.at) !== ';') readToken(cursor, found);
  cursor.at += 1;
  return { shown: shownBy(found), condition: found.condition };
};

/**
 * @param code the format code in the workbook; undefined for a built-in format
 * @throws {UnreadableFile} if the code is longer than Excel allows
 */
export const formatOfCell = (id: number, code: string | undefined): CellFormat => {
  if (code === undefined) return builtIn(id);
  if (code.length > MOST_CHARACTERS)
    throw new UnreadableFile(`has a number format of more than ${MOST_CHARACTERS} characters`);
  const cursor: Cursor = { code, at: 0 };
  const sections: [Section, ...Section[]] = [readSection(cursor)];
  // The fourth section is for text.
  while (cursor.at < code.length && sections.length < 3) sections.push(readSection(cursor));
  return sections;
};

const holds = ({ operator, operand }: Condition, value: number): boolean =>
  (operator.includes('=') && value === operand) ||
  (operator.includes('<') && value < operand) ||
  (operator.includes('>') && value > operand);

/** The section that formats a number: the first whose condition holds; without conditions, by the number's sign. */
const sectionFor = (format: CellFormat, value: number): Section => {
  const [positive, negative = positive, zero = positive] = format;
  if (format.some(({ condition }) => condition !== undefined))
    return format.find(({ condition }) => condition === undefined || holds(condition, value)) ?? positive;
  return value < 0 ? negative : value === 0 ? zero : positive;
};

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** Day 0 of the 1900 date system, for days from 61 on. Day 60 of that system is 29 February 1900, which did not exist. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const NONEXISTENT_LEAP_DAY = 60;

const two = (count: number): string => String(count).padStart(2, '0');

/** @param seconds may be more than a day. @returns `HH:MM:SS` */
const clockText = (seconds: number): string =>
  `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

const dateText = (days: number, since1904: boolean): string => {
  if (days < 0 || days > 3_000_000) return String(days);
  const seconds = Math.round(days * DAY_S);
  const clock = clockText(seconds % DAY_S);
  // The 1900 system begins with day 1. A number below 1 is a time without a date.
  if (!since1904 && seconds < DAY_S) return clock;
  const day = Math.floor(seconds / DAY_S);
  const shift = !since1904 && day < NONEXISTENT_LEAP_DAY ? 1 : 0;
  const time = (since1904 ? EPOCH_1904 : EPOCH_1900) + (day + shift) * DAY_MS;
  const date =
    day === NONEXISTENT_LEAP_DAY && !since1904
      ? '1900-02-29'
      : new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return seconds % DAY_S === 0 ? date : `${date} ${clock}`;
};

const timeText = (days: number, isElapsed: boolean): string => {
  if (days < 0 || days > 3_000_000) return String(days);
  const seconds = Math.round(days * DAY_S);
  return clockText(isElapsed ? seconds : seconds % DAY_S);
};

const zeroText = (value: number, runs: readonly number[], marks: readonly string[]): string => {
  const width = runs.reduce((sum, run) => sum + run, 0);
  const digits = String(value).padStart(width, '0');
  let at = digits.length - width + (runs[0] ?? 0);
  let text = digits.slice(0, at);
  runs.slice(1).forEach((run, index) => {
    text += `${marks[index]}${digits.slice(at, at + run)}`;
    at += run;
  });
  return text;
};

/**
 * A number whose format has a percent sign, as that percentage: 0.185 is `18.5%`. Undefined for any other format.
 * @param raw as in `shownNumber`
 */
export const shownPercent = (raw: string, format: CellFormat): string | undefined => {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return undefined;
  if (sectionFor(format, value).shown.kind !== 'percent') return undefined;
  // Spreadsheet programs compute with 15 digits.
  return `${Number((value * 100).toPrecision(15))}%`;
};

/** @param raw the number as it is in the workbook, such as `2.1000000000000001` */
export const shownNumber = (raw: string, format: CellFormat, since1904: boolean): string => {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const { shown } = sectionFor(format, value);
  switch (shown.kind) {
    case 'date':
      return dateText(value, since1904);
    case 'time':
    case 'elapsed':
      return timeText(value, shown.kind === 'elapsed');
    case 'zeros':
      return Number.isSafeInteger(value) && value >= 0 ? zeroText(value, shown.runs, shown.marks) : String(value);
    default:
      return String(value);
  }
};
