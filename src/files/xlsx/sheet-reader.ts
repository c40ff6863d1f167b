/** Streams the rows of a worksheet (ECMA-376, part 1, 18.3). */

import { OverLimit, UnreadableFile, withoutValue } from '../unreadable-file.ts';
import type { Archive } from './archive.ts';
import { letters } from './cell-writer.ts';
import { type NumberText, PLAIN, shownNumber } from './number-format.ts';
import { SHEET_LIMITS } from './sheet-limits.ts';
import { type Lookup, unescaped } from './workbook.ts';
import { readXml, type XmlHandlers } from './xml.ts';

/** A cell as it is in the sheet. */
export interface RawCell {
  /** The cell type: `n` or empty for a number, `s` for a shared text, or `b`, `d`, `e`, `str` or `inlineStr`. */
  readonly kind: string;
  /** Index of its format. */
  readonly format: number;
  readonly value: string;
  /** From 0. */
  readonly column: number;
  /** The place of a formula without a stored value, such as `F2`. Its value is empty. */
  readonly unsaved: string | undefined;
}

/** Receives the range of merged cells, such as `B2:D2`. */
export type OnMerged = (range: string) => void;

export interface SheetRow<Cell> {
  /** From 1, as spreadsheets count. */
  readonly number: number;
  readonly isHidden: boolean;
  /** From column A on. The last cell is not empty. */
  readonly cells: readonly (Cell | undefined)[];
}

const MEBIBYTE = 1024 * 1024;
/**
 * Limits on content that costs time but holds no values: elements without a value, empty cells before a value, and too much
 * XML for the values in it. A genuine sheet has 30 to 100 bytes of XML for each value.
 */
const IDLE = {
  elements: 4_000_000,
  perValue: 16,
  gaps: 4_000_000,
  gapsPerValue: 64,
  xmlBytes: 64 * MEBIBYTE,
  xmlPerValue: 1_024,
} as const;

/** Returns the index of the column of a cell such as `F2`. */
const columnOf = (reference: string): number => {
  let column = 0;
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column - 1;
};

const MOST_CHARACTERS = SHEET_LIMITS.cellCharacters;
/** Length of the longest text before unescaping. Each escape is one character. */
const MOST_ESCAPED = MOST_CHARACTERS * '_x000D_'.length;

const tooLong = (row: number): UnreadableFile =>
  new UnreadableFile(`has a cell in row ${row} with more than ${MOST_CHARACTERS} characters, which no workbook allows`);

const unescapedText = (value: string, row: number): string => {
  const text = unescaped(value);
  if (text.length > MOST_CHARACTERS) throw tooLong(row);
  return text;
};

/** Converts an ISO 8601 date and time, such as `2026-03-04T00:00:00Z`. */
const isoText = (value: string): string => {
  const [day = '', clock = ''] = value.replace('Z', '').split('T');
  const time = clock.split('.')[0] ?? '';
  return time === '' || time === '00:00:00' ? day : `${day} ${time}`.trim();
};

/** @returns a function that returns the text of a cell of a sheet: what it shows, unless `numberText` says otherwise */
export const createShown =
  ({ texts, formats, since1904 }: Lookup, sheet: string, numberText: NumberText = shownNumber) =>
  ({ kind, format, value, unsaved }: RawCell, row: number): string => {
    if (unsaved !== undefined)
      throw new UnreadableFile(withoutValue(unsaved, sheet.slice(0, SHEET_LIMITS.nameCharacters)));
    if (value === '') return '';
    switch (kind) {
      case 's': {
        const place = Number(value);
        if (!(place in texts)) throw new UnreadableFile(`is damaged: row ${row} refers to a text that is not there`);
        const text = texts[place];
        if (text === undefined) throw tooLong(row);
        return text;
      }
      case 'b':
        return value === '1' ? 'TRUE' : 'FALSE';
      case 'd':
        return isoText(value);
      case '':
      case 'n':
        return numberText(value, formats[format] ?? PLAIN, since1904);
      default:
        return unescapedText(value, row);
    }
  };

/** Matches a cell as programs write it: its column, format and kind, and its value or inline text. */
const USUAL_CELL =
  /<c r="([A-Z]{1,3})\d{1,7}"(?: s="(\d{1,5})")?(?: t="([A-Za-z]{1,9})")?(?:\/>|>(?:<v>([\t\n -%'-;=?-~]*)<\/v>|<is><t(?: xml:space="preserve")?>([\t\n -%'-;=?-~]*)<\/t><\/is>)<\/c>)/y;

/** Collects the rows of a sheet from XML events. */
const createRows = <Cell>(read: (cell: RawCell, row: number) => Cell | undefined, onMerged: OnMerged) => {
  let rows: SheetRow<Cell>[] = [];
  let cells: (Cell | undefined)[] = [];
  let [column, kind, format, value, isUnsaved] = [0, '', 0, '', false];
  let [inValue, isHidden] = [false, false];
  let inPhonetic = false;
  let [number, count] = [0, 0];
  let [idle, gaps] = [0, 0];
  let values = 0;

  const beginRow = (place: string, hidden: string): void => {
    cells = [];
    isHidden = hidden === '1' || hidden === 'true';
    column = -1;
    count += 1;
    number = place === '' ? number + 1 : Number(place);
    if (!(count <= SHEET_LIMITS.rows && number <= SHEET_LIMITS.rows))
      throw new OverLimit('workbookRows', `${SHEET_LIMITS.rows} rows`);
  };
  const beginCell = (reference: string, s: string, t: string): void => {
    column = reference === '' ? column + 1 : columnOf(reference);
    if (column < 0 || column >= SHEET_LIMITS.columns)
      throw new UnreadableFile(`has a cell outside of the ${SHEET_LIMITS.columns} columns`);
    [kind, format, value, isUnsaved] = [t, Number(s), '', false];
  };
  const endCell = (): void => {
    if (value === '' && !isUnsaved) return;
    const unsaved = value === '' ? `${letters(column)}${number}` : undefined;
    const cell = read({ kind, format, value, column, unsaved }, number);
    if (cell === undefined) return;
    gaps += Math.max(0, column - cells.length) - IDLE.gapsPerValue;
    idle = Math.max(0, idle - IDLE.perValue);
    gaps = Math.max(0, gaps);
    if (gaps > IDLE.gaps) throw new OverLimit('workbookEmptyCells', `${IDLE.gaps} between cells with a value`);
    while (cells.length < column) cells.push(undefined);
    cells[column] = cell;
    values += 1;
  };
  const countElements = (some: number): void => {
    idle += some;
    if (idle > IDLE.elements) throw new OverLimit('workbookElements', `${IDLE.elements} without a value`);
  };
  const add = (piece: string): void => {
    value += piece;
    if (value.length > MOST_ESCAPED) throw tooLong(number);
  };
  const handlers: XmlHandlers = {
    open: (name, { r = '', t = '', s = '0', ref = '', hidden = '' }) => {
      countElements(1);
      if (name === 'row') beginRow(r, hidden);
      if (name === 'c') beginCell(r, s, t);
      if (name === 'mergeCell') onMerged(ref);
      if (name === 'rPh') inPhonetic = true;
      // A program that has computed a formula stores what it shows. Only a text may be empty.
      if (name === 'f') isUnsaved = true;
      if (name === 'v' && kind === 'str') isUnsaved = false;
      inValue = name === 'v' || (name === 't' && !inPhonetic);
    },
    text: (piece) => {
      if (inValue) add(piece);
    },
    close: (name) => {
      inValue = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'c') endCell();
      if (name === 'row' && cells.length > 0) rows.push({ number, isHidden, cells });
    },
    usual: {
      pattern: USUAL_CELL,
      found: ([, r = '', s = '0', t = '', shown, own]) => {
        countElements(shown !== undefined ? 2 : own !== undefined ? 3 : 1);
        beginCell(r, s, t);
        inValue = false;
        add(shown ?? (inPhonetic ? '' : (own ?? '')));
        endCell();
      },
    },
  };
  const take = (): SheetRow<Cell>[] => {
    const taken = rows;
    rows = [];
    return taken;
  };
  return { handlers, take, values: () => values };
};

/** Passes the XML through and fails if it is too long for the values in it. */
async function* inStep(xml: AsyncIterable<Buffer>, values: () => number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of xml) {
    bytes += piece.length;
    const most = IDLE.xmlBytes + IDLE.xmlPerValue * values();
    if (bytes > most) throw new OverLimit('workbookSheet', `${most} bytes of XML for the values in it`);
    yield piece;
  }
}

/**
 * Streams the rows that have a value, in the order of the file, some at a time.
 * @param mostBytes maximum bytes of XML of the sheet
 * @param read converts a cell that has a value or a formula; undefined makes it an empty cell
 * @param onMerged called after the last row
 */
export async function* readSheet<Cell>(
  archive: Archive,
  part: string,
  mostBytes: number,
  read: (cell: RawCell, row: number) => Cell | undefined,
  onMerged: OnMerged = () => {},
): AsyncGenerator<readonly SheetRow<Cell>[]> {
  const { handlers, take, values } = createRows(read, onMerged);
  for await (const _ of readXml(inStep(archive.read(part, mostBytes), values), handlers)) {
    const rows = take();
    if (rows.length > 0) yield rows;
  }
}
