/**
 * Reads the list in an archive: a workbook's sheet, converted to CSV with every cell as it is shown; the rows of a Parquet
 * file as CSV; or the only CSV file of a ZIP archive, unchanged.
 */
import { readSync } from 'node:fs';
import { writeCell } from '../csv/cell.ts';
import { beginsWith, PARQUET } from '../file-signatures.ts';
import { parquetRows } from '../parquet/read.ts';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import { type Archive, openArchive } from '../xlsx/archive.ts';
import { letters } from '../xlsx/cell-writer.ts';
import { createShown, type RawCell, readSheet } from '../xlsx/sheet-reader.ts';
import { SUMMARY_SHEET } from '../xlsx/summary-name.ts';
import { openWorkbook, readLookup, type SheetPlace } from '../xlsx/workbook.ts';
import type { ArchiveList, ArchiveTask, SheetEnd } from './csv-text.ts';
import { MOST_TEXT_RATIO } from './gzip.ts';
import { MOST_HEADER_ROW, SHEET_END_BYTES } from './text-options.ts';

/* Collects lines of CSV into pieces, under the limits of a list that is made from a packed file. */

const PIECE_CHARACTERS = 64 * 1024;
/** Smaller lists may be any number of times as large as their file. */
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/** @param ratio how many times as large as its file a large list may be */
const createLines = ({ fileBytes, mostBytes, mostRowBytes }: ArchiveTask, ratio: number) => {
  const most = Math.min(mostBytes, Math.max(RATIO_FROM_BYTES, ratio * fileBytes));
  let waiting = '';
  let bytes = 0;
  return {
    blank: (count: number): void => {
      waiting += '\n'.repeat(Math.max(0, count));
    },
    /** @param cells in their written form. The length is checked before the line is built */
    add: (cells: readonly string[], number: number): void => {
      let length = cells.length;
      for (const cell of cells) length += cell.length;
      if (length > mostRowBytes) throw new OverLimit('row', `${mostRowBytes} bytes, and row ${number} is longer`);
      waiting += `${cells.join(',')}\n`;
    },
    isFull: (): boolean => waiting.length >= PIECE_CHARACTERS,
    /** Returns what was collected, and begins the next piece. */
    taken: (): Buffer => {
      const piece = Buffer.from(waiting);
      waiting = '';
      bytes += piece.length;
      if (bytes > most) throw new OverLimit('inflatedUpload', `${most} bytes`);
      return piece;
    },
  };
};

/** Bytes of XML for each byte of CSV, with a margin. */
const XML_RATIO = 16;
/** A large CSV may be at most this many times as large as its workbook. */
const TEXT_RATIO = 100;
/** Maximum number of names in a message. */
const SHOWN_NAMES = 20;
const SHOWN_CHARACTERS = 100;
/** Maximum number of sheets to choose from. */
const MOST_SHEETS = 200;

const SAVE = 'save the list as an Excel workbook (.xlsx) or as CSV';

/** Parts that identify documents of other types. */
const FOREIGN: readonly (readonly [part: string, problem: string])[] = [
  ['xl/workbook.bin', `is a binary workbook (.xlsb): ${SAVE}`],
  ['word/document.xml', `is a Word document (.docx): ${SAVE}`],
  ['ppt/presentation.xml', `is a presentation (.pptx): ${SAVE}`],
  ['content.xml', `is an OpenDocument file (.ods): ${SAVE}`],
  ['Index/Document.iwa', `is an Apple Numbers document: export the list as Excel or CSV`],
  ['Index.zip', `is an Apple Numbers document: export the list as Excel or CSV`],
];

const listed = (names: readonly string[]): string => {
  const shown = names.slice(0, SHOWN_NAMES).map((name) => `"${name.slice(0, SHOWN_CHARACTERS)}"`);
  return [...shown, ...(names.length > shown.length ? [`${names.length - shown.length} more`] : [])].join(', ');
};

const isList = (name: string): boolean =>
  ['.csv', '.tsv', '.txt'].some((ending) => name.toLowerCase().endsWith(ending));

/** Returns whether archivers add this file on their own. */
const isSideFile = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || name.slice(name.lastIndexOf('/') + 1).startsWith('.');

/** Returns the name of the only CSV file in the archive. */
const onlyList = (names: readonly string[]): string => {
  const files = names.filter((name) => !isSideFile(name));
  const [first, ...others] = files;
  if (first === undefined) throw new UnreadableFile('is an empty archive');
  if (others.length > 0)
    throw new UnreadableFile(`is an archive of ${files.length} files (${listed(files)}): send only the list`);
  if (!isList(first))
    throw new UnreadableFile(`is an archive that contains ${listed([first])}: unpack it and send the list itself`);
  return first;
};

/** The first rows of a sheet that show whether it is a list. */
const HEAD_ROWS = 50;
/** Maximum number of sheets whose first rows are examined. */
const MOST_HEADS = 10;
/** A cover sheet has a text, or a name next to a value, in most rows. A list is wider, or has many rows of two cells. */
const LIST = { cells: 3, rows: 2, pairs: 20 } as const;

/** Returns whether the first rows of a sheet look like a list. */
const looksLikeList = async (archive: Archive, place: SheetPlace, mostXml: number): Promise<boolean> => {
  let [wide, pairs, seen] = [0, 0, 0];
  for await (const rows of readSheet(archive, place.part, mostXml, () => true))
    for (const { cells } of rows) {
      const filled = cells.filter((cell) => cell !== undefined).length;
      wide += filled >= LIST.cells ? 1 : 0;
      pairs += filled >= 2 ? 1 : 0;
      if (wide >= LIST.rows || pairs >= LIST.pairs) return true;
      seen += 1;
      if (seen >= HEAD_ROWS) return false;
    }
  return false;
};

/** More XML than the first rows of a list have. */
const MOST_HEAD_XML = 4 * 1024 * 1024;

/**
 * Finds the sheets that look like a list. The first one is read. If a later sheet is unreadable, it is left out.
 */
const listsAmong = async (archive: Archive, shown: readonly SheetPlace[], mostXml: number): Promise<SheetPlace[]> => {
  const found: SheetPlace[] = [];
  for (const place of shown.slice(0, MOST_HEADS))
    try {
      if (await looksLikeList(archive, place, found.length === 0 ? mostXml : MOST_HEAD_XML)) found.push(place);
    } catch (error) {
      if (found.length === 0 || !(error instanceof UnreadableFile)) throw error;
    }
  return found;
};

/** Finds a sheet by name or by number. Numbers count only the visible sheets. @returns also others that look like a list */
const sheetsWanted = async (
  archive: Archive,
  sheets: readonly SheetPlace[],
  wanted: string | undefined,
  mostXml: number,
): Promise<readonly [read: SheetPlace, ...lists: SheetPlace[]]> => {
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  if (wanted === undefined) {
    const own = shown[0]?.name === SUMMARY_SHEET ? shown.slice(1) : shown;
    const lists = own.length > 1 ? await listsAmong(archive, own, mostXml) : [];
    const [first = own[0] ?? shown[0] ?? sheets[0], ...others] = lists;
    if (first === undefined) throw new UnreadableFile('is a workbook without a sheet');
    return [first, ...others];
  }
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (/^[1-9]\d{0,3}$/.test(wanted) ? shown[Number(wanted) - 1] : undefined);
  if (found !== undefined) return [found];
  throw new UnreadableFile(`has no sheet "${wanted}"; it has ${listed(sheets.map(({ name }) => name))}`);
};

const headerOf = (header: ArchiveList): Buffer => Buffer.from(`${JSON.stringify(header)}\n`);

/** Maximum number of ranges of merged cells that are noted. */
const MOST_RANGES = 1_000;
/** Maximum number of columns with formulas without a value. A sheet with more is refused. */
const MOST_UNSAVED = 200;
/** Maximum number of columns that are noted because a cell shows another number than it has. */
const MOST_ROUNDED = 40;
/** Stands for the value. If the list uses the column, the list is refused after the last row. */
const NO_VALUE = '(formula without a value)';
/** A number as a cell shows it, alone or before a unit. */
const SHOWN_NUMBER = /^(-?\d+(?:\.\d+)?) ?[A-Za-z"']*$/;

/** Whether a cell shows another number than it holds, because its format rounds, scales or has no sign. */
const showsAnother = (text: string, { kind, value }: RawCell): boolean => {
  if (text === value || (kind !== '' && kind !== 'n')) return false;
  const [, number] = SHOWN_NUMBER.exec(text) ?? [];
  return number !== undefined && Math.abs(Number(number) - Number(value)) > 1e-9 * Math.max(1, Math.abs(Number(value)));
};

const RANGE = /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/;

async function* workbookList(archive: Archive, { sheet, headerRow = 0, ...task }: ArchiveTask): AsyncGenerator<Buffer> {
  const workbook = await openWorkbook(archive);
  const mostXml = XML_RATIO * task.mostBytes;
  const [place, ...lists] = await sheetsWanted(archive, workbook.sheets, sheet, mostXml);
  const others = workbook.sheets.filter((other) => other !== place && !other.isHidden).map(({ name }) => name);
  const sheets = workbook.sheets.filter((sheet) => sheet === place || !sheet.isHidden).slice(0, MOST_SHEETS);
  yield headerOf({
    ...{ kind: 'workbook', sheet: place.name.slice(0, SHOWN_CHARACTERS), others: listed(others) },
    lists: listed(lists.map(({ name }) => name)),
    sheets: sheets.map(({ name }) => name.slice(0, SHOWN_CHARACTERS)),
  });
  const shown = createShown(await readLookup(archive, workbook), place.name);
  const lines = createLines(task, TEXT_RATIO);
  const unsaved = new Map<number, string>();
  const rounded = new Map<number, string>();
  let [number, header, hidden] = [0, headerRow, 0];
  const textOf = (cell: RawCell, row: number): string | undefined => {
    header ||= row;
    if (cell.unsaved === undefined || row === header) {
      const text = shown(cell, row);
      if (row > header && rounded.size < MOST_ROUNDED && !rounded.has(cell.column) && showsAnother(text, cell))
        rounded.set(
          cell.column,
          `${letters(cell.column)}${row} has ${cell.value.slice(0, 20)}, but shows ${text.slice(0, 20)}`,
        );
      return text || undefined;
    }
    if (row < header) return undefined;
    const { column } = cell;
    if (!unsaved.has(column) && unsaved.size < MOST_UNSAVED) unsaved.set(column, cell.unsaved);
    return unsaved.has(column) ? NO_VALUE : shown(cell, row);
  };
  const ranges: { readonly range: string; readonly first: number }[] = [];
  const onMerged = (range: string): void => {
    const [, first = 0, last = 0] = (RANGE.exec(range) ?? []).map(Number);
    if (last > first && ranges.length < MOST_RANGES) ranges.push({ range, first });
  };
  for await (const rows of readSheet(archive, place.part, mostXml, textOf, onMerged)) {
    for (const row of rows) {
      // Sheets leave out blank rows. They count up to the last row that can be the header.
      lines.blank(Math.min(row.number, MOST_HEADER_ROW) - number - 1);
      number = row.number;
      if (row.isHidden && number > header) hidden += 1;
      lines.add(
        row.cells.map((cell) => (cell === undefined ? '' : writeCell(cell))),
        number,
      );
      if (lines.isFull()) yield lines.taken();
    }
  }
  yield lines.taken();
  const below = ranges.filter(({ first }) => first > header && first < number).sort((a, b) => a.first - b.first);
  const end: SheetEnd = { merged: below[0]?.range ?? '', hidden, unsaved: [...unsaved], rounded: [...rounded] };
  yield Buffer.from(JSON.stringify(end).padEnd(SHEET_END_BYTES));
}

async function* columnList(task: ArchiveTask, fd: number): AsyncGenerator<Buffer> {
  yield headerOf({ kind: 'columns' });
  const lines = createLines(task, MOST_TEXT_RATIO);
  let number = 0;
  for (const cells of parquetRows({ fd, bytes: task.fileBytes }, writeCell)) {
    number += 1;
    lines.add(cells, number);
    if (lines.isFull()) yield lines.taken();
  }
  yield lines.taken();
}

/** @returns a line of JSON that describes the list (`ArchiveList`), the list, and for a workbook its `SheetEnd` */
export async function* archiveList(task: ArchiveTask, fd: number): AsyncGenerator<Buffer> {
  const start = Buffer.alloc(PARQUET.length);
  readSync(fd, start, 0, start.length, 0);
  if (beginsWith(start, PARQUET)) return yield* columnList(task, fd);
  const archive = await openArchive(fd);
  const problem = FOREIGN.find(([part]) => archive.has(part))?.[1];
  if (problem !== undefined) throw new UnreadableFile(problem);
  if (archive.has('[Content_Types].xml') || archive.has('_rels/.rels')) return yield* workbookList(archive, task);
  const name = onlyList(archive.names);
  yield headerOf({ kind: 'text' });
  yield* archive.read(name, task.mostBytes, MOST_TEXT_RATIO);
}
