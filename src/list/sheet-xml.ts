/**
 * A sheet of a workbook (ECMA-376, part 1, 18.3: SpreadsheetML worksheets), row by row. Every cell of the list is text, as
 * it came: `02139` stays what it is. Money and counts of ours are numbers. All text here is the scanner's: what is not
 * ASCII passes through as bytes.
 */
import { cellOf, decodeText, encodeText } from './csv.ts';
import { isMoneyColumn } from './format.ts';
import type { ScannedRow } from './scanner.ts';

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

export interface SheetRows {
  /** A row's XML; the first is the header. */
  readonly write: (text: string, row: ScannedRow, number: number) => string;
  /** What stands before the rows and, when all are written, after them. */
  readonly begin: string;
  readonly end: () => string;
}

const numericFormat = (name: string): number | undefined => {
  if (isMoneyColumn(name)) return FORMATS.money;
  return COUNTS.has(name) ? FORMATS.count : undefined;
};

/**
 * @param passed how many columns of the list there are: all text
 * @param added names of those of ours behind them
 */
export const createSheet = (passed: number, added: readonly string[]): SheetRows => {
  const formats = [...Array.from({ length: passed }, () => undefined), ...added.map(numericFormat)];
  const columns = formats.map((numeric, index) => ({ letter: letters(index), numeric }));
  let rows = 0;
  const write: SheetRows['write'] = (text, row, number) => {
    rows = number;
    let cells = '';
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at];
      const value = cellOf(text, row, at);
      if (column === undefined || value === '') continue;
      const reference = `${column.letter}${number}`;
      if (number === 1) cells += textCell(reference, value, FORMATS.heading);
      else if (column.numeric !== undefined && NUMBER.test(value))
        cells += `<c r="${reference}" s="${column.numeric}"><v>${value}</v></c>`;
      else cells += textCell(reference, value, FORMATS.text);
    }
    return `<row r="${number}">${cells}</row>`;
  };
  const all = (): string => `A1:${columns.at(-1)?.letter ?? 'A'}${Math.max(1, rows)}`;
  return {
    write,
    begin:
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      '<sheetFormatPr defaultRowHeight="15"/>' +
      // Whole columns have the format of their cells, so that what is typed into them later stays text too.
      `<cols>${columns.map(({ numeric }, at) => `<col min="${at + 1}" max="${at + 1}" width="16" style="${numeric ?? FORMATS.text}"/>`).join('')}</cols>` +
      '<sheetData>',
    end: () =>
      `</sheetData><autoFilter ref="${all()}"/><ignoredErrors><ignoredError sqref="${all()}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
  };
};
