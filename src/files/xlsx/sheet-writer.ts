/**
 * Writes a worksheet from a CSV file, row by row (ECMA-376, part 1, 18.3). A column is text unless its kind says
 * otherwise, so `02139` does not change. All text here is the scanner's (UTF-8 bytes as Latin-1).
 */
import { cellValue } from '../csv/cell.ts';
import type { CellSink } from '../csv/map-rows.ts';
import { dayNumber, formatIndex, letters, numberCell, textCell } from './cell-writer.ts';
import { SHEET_LIMITS } from './sheet-limits.ts';

/** Content of a column: `money` is dollars, `count` whole numbers, `plain` any decimals, `date` days. */
export type ColumnKind = 'text' | 'money' | 'count' | 'plain' | 'date';

export interface SheetColumn {
  /** The index of its cell in the rows of the file. */
  readonly from: number;
  readonly kind: ColumnKind;
  /** In characters. */
  readonly width: number;
  /** Returns the sheet's text for a cell that is not empty. `cellAt` returns '' for cells outside the sheet. */
  readonly textOf?: (cellAt: (from: number) => string) => string;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Decimals of a list's own cells that a spreadsheet does not change: no leading zeros, no more digits than it keeps. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const MOST_DIGITS = 15;

const isPlain = (value: string): boolean =>
  PLAIN_NUMBER.test(value) && value.length <= MOST_DIGITS + (value.startsWith('-') ? 1 : 0);

/**
 * Bytes of a cell that are kept. They are more than enough for the characters of a sheet's cell: a UTF-16 unit is at
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

const HEADING = formatIndex('heading');
const TEXT = formatIndex('text');

/** Returns the value as a number of the column's kind. Undefined if it stays text. */
const numberOf = (value: string, kind: ColumnKind): string | undefined => {
  switch (kind) {
    case 'text':
      return undefined;
    case 'date':
      return dayNumber(value)?.toString();
    case 'plain':
      return isPlain(value) ? value : undefined;
    default:
      return NUMBER.test(value) ? value : undefined;
  }
};

/** @param columns the columns of the sheet in order. Other cells of the file are left out */
export const createSheet = (columns: readonly SheetColumn[]): Sheet => {
  const placed = columns.map(({ kind, textOf }, index) => ({
    kind,
    textOf,
    letter: letters(index),
    format: formatIndex(kind),
  }));
  /** For each cell of the file, the index of its column in the sheet. */
  const places: (number | undefined)[] = [];
  columns.forEach(({ from }, index) => {
    places[from] = index;
  });
  let values: string[] = [];
  let rows = 0;
  const cellAt = (from: number): string => values[places[from] ?? -1] ?? '';
  const writeRow = (write: (text: string) => void): void => {
    rows += 1;
    write(`<row r="${rows}">`);
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      const column = placed[index];
      // A cell that the row does not have is undefined.
      if (value === undefined || value === '' || column === undefined) continue;
      const number = rows === 1 ? undefined : numberOf(value, column.kind);
      const reference = `${column.letter}${rows}`;
      const text = rows === 1 ? value : (column.textOf?.(cellAt) ?? value);
      if (number === undefined) write(textCell(reference, text, rows === 1 ? HEADING : TEXT));
      else write(numberCell(reference, number, column.format));
    }
    write('</row>');
    values = [];
  };
  const sinkTo: Sheet['sinkTo'] = (write) => {
    let raw = '';
    let at = 0;
    return {
      part: (text) => {
        if (raw.length < KEPT_BYTES) raw += text;
      },
      end: (endsRow) => {
        const place = places[at];
        if (place !== undefined && raw !== '') values[place] = cellValue(raw);
        raw = '';
        at = endsRow ? 0 : at + 1;
        if (endsRow) writeRow(write);
      },
    };
  };
  function* begin(): Generator<string> {
    yield '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      '<sheetFormatPr defaultRowHeight="15"/><cols>';
    // The format applies to whole columns, so values that the user types later are read in the same way.
    for (const [at, { width, kind }] of columns.entries())
      yield `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1" style="${formatIndex(kind)}"/>`;
    yield '</cols><sheetData>';
  }
  const all = (): string => `A1:${placed.at(-1)?.letter ?? 'A'}${Math.max(1, rows)}`;
  return {
    begin,
    sinkTo,
    end: () =>
      `</sheetData><autoFilter ref="${all()}"/><ignoredErrors><ignoredError sqref="${all()}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
  };
};
