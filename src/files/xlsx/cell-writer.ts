/** Writes cells of a worksheet (ECMA-376, part 1, 18.3). All text here is the scanner's (UTF-8 bytes as Latin-1). */
import { decodeText, encodeText } from '../csv/cell.ts';
import { SHEET_LIMITS } from './sheet-limits.ts';

/**
 * The cell formats by name, in the order of their indexes. Numbers of formats: 0 is General, 1 is `0`, 2 is `0.00`, 3 is
 * `#,##0`, 10 is `0.00%`, 49 is text (ECMA-376, part 1, 18.8.30); from 164 on they are the workbook's own.
 */
const FORMATS = [
  { name: 'plain', number: 0, font: 0 },
  { name: 'text', number: 49, font: 0 },
  { name: 'money', number: 2, font: 0 },
  { name: 'count', number: 1, font: 0 },
  { name: 'heading', number: 49, font: 1 },
  { name: 'date', number: 164, font: 0 },
  { name: 'title', number: 49, font: 2 },
  { name: 'dollars', number: 165, font: 0 },
  { name: 'whole', number: 3, font: 0 },
  { name: 'share', number: 10, font: 0 },
  { name: 'numberHeading', number: 49, font: 1, right: true },
] as const;
export type FormatName = (typeof FORMATS)[number]['name'];

const INDEXES = new Map<FormatName, number>(FORMATS.map(({ name }, index) => [name, index]));

/** Returns the index of a cell format, as cells and columns refer to it. */
export const formatIndex = (name: FormatName): number => INDEXES.get(name) ?? 0;

const formatXml = (format: (typeof FORMATS)[number]): string => {
  const align = 'right' in format ? ' applyAlignment="1"><alignment horizontal="right"/></xf>' : '/>';
  return `<xf numFmtId="${format.number}" fontId="${format.font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"${align}`;
};

const font = (size: number, bold = ''): string => `<font>${bold}<sz val="${size}"/><name val="Calibri"/></font>`;

/** The content of the part with the styles, after the XML declaration. */
export const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="&quot;$&quot;#,##0.00"/></numFmts>' +
  `<fonts count="3">${font(11)}${font(11, '<b/>')}${font(14, '<b/>')}</fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${FORMATS.length}">${FORMATS.map(formatXml).join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** Returns the name of a column: `A` for 0, `AA` for 26. */
export const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/**
 * Matches what needs an escape: control characters, U+FFFE and U+FFFF (as UTF-8 bytes), which XML does not allow; a carriage
 * return, which XML reads as a line feed; and text that looks like an escape (ECMA-376, part 1, 22.9.2.19).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const SPECIAL = /[&<>]|[\0-\x08\x0b-\x1f]|\u00ef\u00bf[\u00be\u00bf]|_(?=x[0-9A-Fa-f]{4}_)/g;

const escapeOf = (found: string): string => {
  if (found.length > 1) return found.endsWith('\u00be') ? '_xFFFE_' : '_xFFFF_';
  const code = found === '_' ? 0x5f : found.charCodeAt(0);
  return ESCAPED[found] ?? `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
};

/** Shortens a value to the limit of a cell; a shortened value ends in `…`. The CSV keeps the whole value. */
const shortened = (value: string): string => {
  const { cellCharacters } = SHEET_LIMITS;
  if (value.length <= cellCharacters) return value;
  const text = decodeText(value);
  return text.length <= cellCharacters ? value : encodeText(`${text.slice(0, cellCharacters - 1)}…`);
};

/** White space that an XML reader would drop. */
const OUTER_SPACE = /^[ \t\n]|[ \t\n]$|[\t\n]| {2}/;

/** @param format an index */
export const textCell = (reference: string, value: string, format: number): string =>
  `<c r="${reference}" t="inlineStr" s="${format}"><is><t${OUTER_SPACE.test(value) ? ' xml:space="preserve"' : ''}>${shortened(value).replace(SPECIAL, escapeOf)}</t></is></c>`;

/** @param value a decimal number. @param format an index */
export const numberCell = (reference: string, value: string, format: number): string =>
  `<c r="${reference}" s="${format}"><v>${value}</v></c>`;

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;
/** Day 0 of a workbook's calendar, for days from 1 March 1900 on. */
const EPOCH = Date.UTC(1899, 11, 30);
const FIRST_DAY = 61;

/** @returns the workbook's number of a day `YYYY-MM-DD`; undefined if it is not a day that all programs read alike */
export const dayNumber = (text: string): number | undefined => {
  if (!ISO_DAY.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return undefined;
  const day = (time - EPOCH) / DAY_MS;
  return day < FIRST_DAY ? undefined : day;
};
