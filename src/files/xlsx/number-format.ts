/**
 * Formats the numbers of a workbook as their cells show them: decimals, padding zeros, literal text such as a unit, and
 * the section that the number selects. Dates and times have one form, whatever their format. Formats: ECMA-376, part 1,
 * 18.8.30 and 18.8.31. A format code is untrusted text, so it is read in one pass without regular expressions.
 *
 * Lists can read the resulting numbers. Thousands separators and a dollar sign are left out. A fraction (`# ?/?`) or an
 * exponent becomes a decimal number.
 */
import { UnreadableFile } from '../unreadable-file.ts';

/** `digit` is a placeholder. `general` is the number as it is. */
type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'digit'; readonly placeholder: string }
  | { readonly kind: 'point' | 'general' };

/** How a number is laid out. */
interface Layout {
  readonly kind: 'number';
  readonly pieces: readonly Piece[];
  /** The number is multiplied by ten to this power: 2 for a percent sign, -3 for a comma after the last digit. */
  readonly power: number;
  readonly percent: boolean;
  /** Whether it has a fraction or an exponent. */
  readonly exact: boolean;
}

/** A `day` shows no time, even if the number has one. */
type Shown = Layout | { readonly kind: 'day' | 'date' | 'time' | 'elapsed' };

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

const GENERAL: Layout = { kind: 'number', pieces: [{ kind: 'general' }], power: 0, percent: false, exact: false };
export const PLAIN: CellFormat = [{ shown: GENERAL }];
const DAY: CellFormat = [{ shown: { kind: 'day' } }];
const DATE: CellFormat = [{ shown: { kind: 'date' } }];
const TIME: CellFormat = [{ shown: { kind: 'time' } }];
const ELAPSED: CellFormat = [{ shown: { kind: 'elapsed' } }];

/** The built-in formats of numbers. The file has no code for them. */
const BUILT_IN: Readonly<Partial<Record<number, string>>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;(#,##0);"-"',
  42: '#,##0;(#,##0);"-"',
  43: '#,##0.00;(#,##0.00);"-"',
  44: '#,##0.00;(#,##0.00);"-"',
};

const isBetween = (id: number, first: number, last: number): boolean => id >= first && id <= last;

const builtIn = (id: number): CellFormat => {
  const code = BUILT_IN[id];
  if (code !== undefined) return sectionsOf(code);
  if (id === 46) return ELAPSED;
  if (isBetween(id, 18, 21) || id === 32 || id === 33 || id === 45 || id === 47) return TIME;
  if (id === 22) return DATE;
  return isBetween(id, 14, 17) || isBetween(id, 27, 36) || isBetween(id, 50, 58) ? DAY : PLAIN;
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
  /** The letters of dates and times. */
  letters: string;
  elapsed: boolean;
  pieces: Piece[];
  percents: number;
  /** Commas since the last digit. They separate thousands if a digit follows, and otherwise each divides by a thousand. */
  commas: number;
  exact: boolean;
  condition: Condition | undefined;
}

/** Adds literal text. A lone dollar sign is left out, because a list does not need it. */
const addLiteral = (found: Found, text: string): void => {
  if (text !== '' && text.trim() !== '$') found.pieces.push({ kind: 'literal', text });
};

const addDigit = (found: Found, placeholder: string): void => {
  found.commas = 0;
  found.pieces.push({ kind: 'digit', placeholder });
};

const addBracket = (found: Found, text: string): void => {
  const lower = text.toLowerCase();
  if (['h', 'hh', 'm', 'mm', 's', 'ss'].includes(lower)) {
    found.elapsed = true;
    found.letters += lower;
    // A currency, and the language after it: `[$EUR-407]`.
  } else if (text.startsWith('$')) addLiteral(found, text.slice(1).split('-')[0] ?? '');
  else found.condition ??= conditionOf(text);
};

const hasDigit = ({ pieces }: Pick<Found, 'pieces'>): boolean => pieces.some(({ kind }) => kind === 'digit');

const GENERAL_WORD = 'general';

const readToken = (cursor: Cursor, found: Found): void => {
  const { code, at } = cursor;
  const character = code.charAt(at);
  const lower = character.toLowerCase();
  const isGeneral = lower === 'g' && code.slice(at, at + GENERAL_WORD.length).toLowerCase() === GENERAL_WORD;
  cursor.at += isGeneral ? GENERAL_WORD.length : 1;
  if (isGeneral || character === '@') found.pieces.push({ kind: 'general' });
  else if (character === '\\') addLiteral(found, code.charAt(cursor.at++));
  else if (character === '"') addLiteral(found, upTo(cursor, '"'));
  else if (character === '[') addBracket(found, upTo(cursor, ']'));
  // `_x` is a space as wide as x; `*x` repeats x to fill the cell.
  else if (character === '_' || character === '*') {
    cursor.at += 1;
    if (character === '_') addLiteral(found, ' ');
  } else if ('0#?'.includes(character)) addDigit(found, character);
  else if (character === '.') found.pieces.push({ kind: 'point' });
  else if (character === ',') found.commas += hasDigit(found) ? 1 : 0;
  else if (character === '/' || /^e[+-]$/.test(lower + code.charAt(cursor.at))) found.exact = true;
  else if (character === '%') {
    found.percents += 1;
    addLiteral(found, '%');
  } else if ('ymdhs'.includes(lower)) found.letters += lower;
  else if (lower !== 'a' && lower !== 'p') addLiteral(found, character);
};

const shownBy = ({ letters, elapsed, pieces, percents, commas, exact }: Found): Shown => {
  const has = (some: string): boolean => [...some].some((letter) => letters.includes(letter));
  if (elapsed) return { kind: 'elapsed' };
  if (letters !== '') return { kind: !has('hs') ? 'day' : has('yd') ? 'date' : 'time' };
  return { kind: 'number', pieces, power: 2 * percents - 3 * commas, percent: percents > 0, exact };
};

const readSection = (cursor: Cursor): Section => {
  const found: Found = {
    letters: '',
    elapsed: false,
    pieces: [],
    percents: 0,
    commas: 0,
    exact: false,
    condition: undefined,
  };
  while (cursor.at < cursor.code.length && cursor.code.charAt(cursor.at) !== ';') readToken(cursor, found);
  cursor.at += 1;
  return { shown: shownBy(found), condition: found.condition };
};

const isEmpty = ({ shown }: Section): boolean => shown.kind === 'number' && shown.pieces.length === 0;

const sectionsOf = (code: string): CellFormat => {
  const cursor: Cursor = { code, at: 0 };
  const sections: [Section, ...Section[]] = [readSection(cursor)];
  // The fourth section is for text.
  while (cursor.at < code.length && sections.length < 3) sections.push(readSection(cursor));
  // Several empty sections hide numbers. A single one has no format.
  const isSingle = cursor.at > code.length && sections.length === 1;
  return isSingle && isEmpty(sections[0]) ? PLAIN : sections;
};

/**
 * @param code the format code in the workbook; undefined for a built-in format
 * @throws {UnreadableFile} if the code is longer than Excel allows
 */
export const formatOfCell = (id: number, code: string | undefined): CellFormat => {
  if (code === undefined) return builtIn(id);
  if (code.length > MOST_CHARACTERS)
    throw new UnreadableFile(`has a number format of more than ${MOST_CHARACTERS} characters`);
  return sectionsOf(code);
};

const holds = ({ operator, operand }: Condition, value: number): boolean =>
  (operator.includes('=') && value === operand) ||
  (operator.includes('<') && value < operand) ||
  (operator.includes('>') && value > operand);

/** Returns the section for a number: the first whose condition is met or, without conditions, the one for its sign. */
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

const dateText = (days: number, since1904: boolean, hasTime: boolean): string => {
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
  return hasTime && seconds % DAY_S !== 0 ? `${date} ${clock}` : date;
};

const timeText = (days: number, isElapsed: boolean): string => {
  if (days < 0 || days > 3_000_000) return String(days);
  const seconds = Math.round(days * DAY_S);
  return clockText(isElapsed ? seconds : seconds % DAY_S);
};

/** Spreadsheet programs compute with 15 digits. */
const DIGITS = 15;

/** Has no exponent, but is slow. */
const decimal = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: DIGITS });

/** Returns the number without floating-point noise and without an exponent: 2.0000000000000004 is `2`. */
const plainText = (value: number): string => {
  const text = String(Number(value.toPrecision(DIGITS)));
  return text.includes('e') ? decimal.format(value) : text;
};

/** Returns the digits of |value| × 10^`power`, rounded half up to `places` decimals. */
const rounded = (value: number, power: number, places: number): readonly [whole: string, fraction: string] => {
  const [mantissa = '0', exponent = '0'] = Math.abs(value)
    .toExponential(DIGITS - 1)
    .split('e');
  const digits = BigInt(mantissa.replace('.', ''));
  const shift = Number(exponent) - (DIGITS - 1) + power + places;
  const scale = 10n ** BigInt(Math.abs(shift));
  const count = shift >= 0 ? digits * scale : (2n * digits + scale) / (2n * scale);
  const text = count.toString().padStart(places + 1, '0');
  return [text.slice(0, text.length - places), text.slice(text.length - places)];
};

/** Returns what a placeholder shows instead of an unneeded zero. */
const blankOf = (placeholder: string): string => (placeholder === '0' ? '0' : placeholder === '?' ? ' ' : '');

const placeholdersIn = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (piece.kind === 'digit' ? piece.placeholder : '')).join('');

const isLiteral = (piece: Piece): piece is Extract<Piece, { kind: 'literal' }> => piece.kind === 'literal';

/** Puts digits in the places of placeholders. Literal text between them stays. */
const placed = (pieces: readonly Piece[], digits: readonly string[]): string => {
  let at = 0;
  return pieces.map((piece) => (isLiteral(piece) ? piece.text : (digits[at++] ?? ''))).join('');
};

/** Returns the text of each placeholder before the decimal point. The first one takes the surplus digits. */
const wholeDigits = (whole: string, placeholders: string): string[] => {
  const digits = whole === '0' ? '' : whole;
  const surplus = Math.max(0, digits.length - placeholders.length);
  const missing = placeholders.length - (digits.length - surplus);
  const from = placeholders.indexOf('0');
  return [...placeholders].map((placeholder, index) => {
    if (index < missing) return from !== -1 && index >= from ? '0' : blankOf(placeholder);
    return index === 0 ? digits.slice(0, surplus + 1) : digits.charAt(index - missing + surplus);
  });
};

const fractionDigits = (fraction: string, placeholders: string): string[] => {
  let used = fraction.length;
  while (used > 0 && fraction.charAt(used - 1) === '0') used -= 1;
  return [...placeholders].map((placeholder, index) => (index < used ? fraction.charAt(index) : blankOf(placeholder)));
};

/** @param signed whether a minus sign belongs before a negative number */
const layoutText = (value: number, { pieces, power, exact }: Layout, signed: boolean): string => {
  const isGeneral = pieces.some(({ kind }) => kind === 'general');
  if (exact) return plainText(value);
  if (isGeneral)
    return pieces
      .map((piece) => (isLiteral(piece) ? piece.text : plainText(value)))
      .join('')
      .trim();
  const point = pieces.findIndex(({ kind }) => kind === 'point');
  const before = point === -1 ? pieces : pieces.slice(0, point);
  const after = point === -1 ? [] : pieces.slice(point + 1).filter(({ kind }) => kind !== 'point');
  const places = placeholdersIn(after);
  const [whole, fraction] = rounded(value, power, places.length);
  const wholePlaces = placeholdersIn(before);
  const wholeText = placed(before, wholeDigits(whole, wholePlaces));
  const decimals = fractionDigits(fraction, places);
  const hasPoint = decimals.some((digit) => digit.trim() !== '');
  // `.00` has no place for the digits before its point.
  const unplaced = wholePlaces === '' && places !== '' && whole !== '0' ? whole : '';
  const text = `${wholeText}${unplaced}${hasPoint ? '.' : ''}${placed(after, decimals)}`.trim();
  const isZero = !/[1-9]/.test(whole + fraction);
  // Accounting formats show a zero as a dash.
  if (isZero && text === '-') return '0';
  return signed && value < 0 && !isZero && wholePlaces + places !== '' ? `-${text}` : text;
};

/**
 * Returns a number with a percent format as that percentage with all its decimals: 0.185 is `18.5%`. Undefined for any
 * other format.
 * @param raw as in `shownNumber`
 */
export const shownPercent = (raw: string, format: CellFormat): string | undefined => {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return undefined;
  const { shown } = sectionFor(format, value);
  return shown.kind === 'number' && shown.percent ? `${plainText(value * 100)}%` : undefined;
};

/** How the numbers of a sheet become text. */
export type NumberText = (raw: string, format: CellFormat, since1904: boolean) => string;

const numberText =
  (laidOut: (value: number, layout: Layout, signed: boolean) => string): NumberText =>
  (raw, format, since1904) => {
    const value = Number(raw);
    if (raw.trim() === '' || !Number.isFinite(value)) return raw;
    const section = sectionFor(format, value);
    const { shown } = section;
    if (shown.kind === 'day' || shown.kind === 'date') return dateText(value, since1904, shown.kind === 'date');
    if (shown.kind !== 'number') return timeText(value, shown.kind === 'elapsed');
    // The second section is for negative numbers, unless sections have conditions.
    const isSigned = section !== format[1] || format.some(({ condition }) => condition !== undefined);
    return laidOut(value, shown, isSigned);
  };

/** @param raw the number as it is in the workbook, such as `2.1000000000000001` */
export const shownNumber = numberText(layoutText);

/** Does the same as `shownNumber`, but numbers other than dates and times have all their decimals and nothing else. */
export const exactNumber = numberText(String);
