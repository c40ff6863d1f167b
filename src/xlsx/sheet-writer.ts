/**
 * Writes a worksheet (ECMA-376, part 1, 18.3), row by row. Every cell of the list stays text, so `02139` does not change.
 * Money and counts that the service adds are numbers. All text here is the scanner's (UTF-8 bytes as Latin-1).
 */
import { cellValue, decodeText, encodeText } from '../csv/cell.ts';
import type { CellSink } from '../csv/map-rows.ts';
import { SHEET_LIMITS } from './sheet-limits.ts';

/** Indexes of the workbook's cell formats (`workbook-file.ts`). */
const FORMATS = { text: 1, money: 2, count: 3, heading: 4 } as const;

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** `A` for 0, `AA` for 26. */
const letters = (column: number): string =>
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

const textCell = (reference: string, value: string, format: number): string =>
  `<c r="${reference}" t="inlineStr" s="${format}"><is><t${OUTER_SPACE.test(value) ? ' xml:space="preserve"' : ''}>${shortened(value).replace(SPECIAL, escapeOf)}</t></is></c>`;

/**
 * The bytes of a cell that are kept: more than enough for the characters that a sheet's cell may hold. A UTF-16 unit is at
 * most three bytes, and quotes may be doubled.
 */
const KEPT_BYTES = SHEET_LIMITS.cellCharacters * 8;

export interface Sheet {
  /** The XML before the rows. */
  readonly begin: () => Iterable<string>;
  /** Creates a sink for all rows, header first. */
  readonly sinkTo: (write: (text: string) => void) => CellSink;
  /** The XML after the rows. */
  readonly end: () => string;
}

/** Which of the added columns hold numbers, by their names. */
export interface NumberColumns {
  /** Dollars. */
  readonly isMoney: (name: string) => boolean;
  readonly isCount: (name: string) => boolean;
}

const numericFormat = (name: string, { isMoney, isCount }: NumberColumns): number | undefined => {
  if (isMoney(name)) return FORMATS.money;
  return isCount(name) ? FORMATS.count : undefined;
};

type NumericFormat = ReturnType<typeof numericFormat>;

/** @param numeric the format of the column's numbers; undefined for a column of text */
const cellXml = (value: string, column: string, row: number, numeric: NumericFormat): string => {
  const reference = `${column}${row}`;
  if (row === 1) return textCell(reference, value, FORMATS.heading);
  if (numeric !== undefined && NUMBER.test(value)) return `<c r="${reference}" s="${numeric}"><v>${value}</v></c>`;
  return textCell(reference, value, FORMATS.text);
};

/**
 * @param passed the number of the list's own columns, which are all text
 * @param added the names of the columns that the service adds after them
 */
export const createSheet = (passed: number, added: readonly string[], numbers: NumberColumns): Sheet => {
  const formats = [
    ...Array.from({ length: passed }, () => undefined),
    ...added.map((name) => numericFormat(name, numbers)),
  ];
  const names = formats.map((_, index) => letters(index));
  let rows = 0;
  const sinkTo: Sheet['sinkTo'] = (write) => {
    let raw = '';
    let at = 0;
    return {
      part: (text) => {
        if (raw.length < KEPT_BYTES) raw += text;
      },
      end: (endsRow) => {
        if (at === 0) {
          rows += 1;
          write(`<row r="${rows}">`);
        }
        const name = names[at];
        const value = cellValue(raw);
        if (value !== '' && name !== undefined) write(cellXml(value, name, rows, formats[at]));
        if (endsRow) write('</row>');
        at = endsRow ? 0 : at + 1;
        raw = '';
      },
    };
  };
  function* begin(): Generator<string> {
    yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      '<sheetFormatPr defaultRowHeight="15"/><cols>';
    // The format applies to whole columns, so that values that the user types later stay text too.
    for (const [at, numeric] of formats.entries())
      yield `<col min="${at + 1}" max="${at + 1}" width="16" style="${numeric ?? FORMATS.text}"/>`;
    yield '</cols><sheetData>';
  }
  const all = (): string => `A1:${names.at(-1) ?? 'A'}${Math.max(1, rows)}`;
  return {
    begin,
    sinkTo,
    end: () =>
      `</sheetData><autoFilter ref="${all()}"/><ignoredErrors><ignoredError sqref="${all()}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
  };
};
