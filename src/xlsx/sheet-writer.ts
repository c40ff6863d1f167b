/**
 * A sheet of a workbook (ECMA-376, part 1, 18.3: SpreadsheetML worksheets), row by row. Every cell of the list is text, as
 * it came: `02139` stays what it is. Money and counts of ours are numbers. All text here is the scanner's: what is not
 * ASCII passes through as bytes.
 */
import { cellValue, decodeText, encodeText } from '../csv/cell.ts';
import type { CellSink } from '../csv/map-rows.ts';

/** The most that a sheet has, its header among the rows. */
export const SHEET_LIMITS = { rows: 1_048_576, columns: 16_384, cellCharacters: 32_767 } as const;

/** Indexes of the workbook's cell formats (`workbook-file.ts`). */
const FORMATS = { text: 1, money: 2, count: 3, heading: 4 } as const;

const COUNTS = new Set(['input_row', 'quote_status', 'quote_billingWeight_value']);
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** `A` for 0, `AA` for 26. */
const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/**
 * What XML cannot hold (control characters, U+FFFE and U+FFFF as UTF-8 bytes), a carriage return, which XML would read as
 * a line feed, and text that looks like the escape of one (ECMA-376, part 1, 22.9.2.19).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SPECIAL = /[&<>]|[\0-\x08\x0b-\x1f]|\u00ef\u00bf[\u00be\u00bf]|_(?=x[0-9A-Fa-f]{4}_)/g;

const escapeOf = (found: string): string => {
  if (found.length > 1) return found.endsWith('\u00be') ? '_xFFFE_' : '_xFFFF_';
  const code = found === '_' ? 0x5f : found.charCodeAt(0);
  return ESCAPED[found] ?? `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
};

/** A cell holds no more than so many characters; what is cut ends in `…`. The CSV has all of it. */
const shortened = (value: string): string => {
  const { cellCharacters } = SHEET_LIMITS;
  if (value.length <= cellCharacters) return value;
  const text = decodeText(value);
  return text.length <= cellCharacters ? value : encodeText(`${text.slice(0, cellCharacters - 1)}…`);
};

/** White space that XML's readers would drop. */
const OUTER_SPACE = /^[ \t\n]|[ \t\n]$|[\t\n]| {2}/;

const textCell = (reference: string, value: string, format: number): string =>
  `<c r="${reference}" t="inlineStr" s="${format}"><is><t${OUTER_SPACE.test(value) ? ' xml:space="preserve"' : ''}>${shortened(value).replace(SPECIAL, escapeOf)}</t></is></c>`;

/**
 * Bytes of a cell that are kept: more than enough for all characters that a sheet's cell holds. A character is at most
 * three bytes, and each may be doubled.
 */
const KEPT_BYTES = SHEET_LIMITS.cellCharacters * 8;

export interface Sheet {
  /** What stands before the rows. */
  readonly begin: () => Iterable<string>;
  /** Takes all rows, the header first. */
  readonly sinkTo: (write: (text: string) => void) => CellSink;
  /** What stands after the rows. */
  readonly end: () => string;
}

const numericFormat = (name: string, isMoney: (name: string) => boolean): number | undefined => {
  if (isMoney(name)) return FORMATS.money;
  return COUNTS.has(name) ? FORMATS.count : undefined;
};

type NumericFormat = ReturnType<typeof numericFormat>;

/** @param numeric the format of the column's numbers; undefined where all is text */
const cellXml = (value: string, column: string, row: number, numeric: NumericFormat): string => {
  const reference = `${column}${row}`;
  if (row === 1) return textCell(reference, value, FORMATS.heading);
  if (numeric !== undefined && NUMBER.test(value)) return `<c r="${reference}" s="${numeric}"><v>${value}</v></c>`;
  return textCell(reference, value, FORMATS.text);
};

/**
 * @param passed how many columns of the list there are: all text
 * @param added names of those of ours behind them
 * @param isMoney whether a column of ours holds dollars
 */
export const createSheet = (passed: number, added: readonly string[], isMoney: (name: string) => boolean): Sheet => {
  const formats = [
    ...Array.from({ length: passed }, () => undefined),
    ...added.map((name) => numericFormat(name, isMoney)),
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
    // Whole columns have the format of their cells, so that what is typed into them later stays text too.
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
