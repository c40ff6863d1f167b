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
import { createShown, readSheet } from '../xlsx/sheet-reader.ts';
import { SUMMARY_SHEET } from '../xlsx/summary-name.ts';
import { openWorkbook, readLookup, type SheetPlace } from '../xlsx/workbook.ts';
import type { ArchiveList, ArchiveTask } from './csv-text.ts';
import { MOST_TEXT_RATIO } from './gzip.ts';
import { MOST_HEADER_ROW } from './text-options.ts';

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

/**
 * Finds the first visible sheet that looks like a list, or the first one if none does. The summary sheet in a workbook
 * from this service is not a list.
 */
const firstList = async (
  archive: Archive,
  shown: readonly SheetPlace[],
  mostXml: number,
): Promise<SheetPlace | undefined> => {
  const own = shown[0]?.name === SUMMARY_SHEET ? shown.slice(1) : shown;
  if (own.length > 1)
    for (const place of own.slice(0, MOST_HEADS)) if (await looksLikeList(archive, place, mostXml)) return place;
  return own[0] ?? shown[0];
};

/** More than the first rows of a list. A sheet with more XML there is not examined. */
const MOST_HEAD_XML = 4 * 1024 * 1024;

/** Returns the names of the sheets that look like a list. A sheet that cannot be read does not. */
const listsAmong = async (archive: Archive, sheets: readonly SheetPlace[]): Promise<string[]> => {
  const found: string[] = [];
  for (const place of sheets.slice(0, MOST_HEADS)) {
    const isFound = await looksLikeList(archive, place, MOST_HEAD_XML).catch((error: unknown) => {
      if (error instanceof UnreadableFile || error instanceof OverLimit) return false;
      throw error;
    });
    if (isFound) found.push(place.name);
  }
  return found;
};

/** Finds a sheet by name or by number. Numbers count only the visible sheets. */
const sheetWanted = async (
  archive: Archive,
  sheets: readonly SheetPlace[],
  wanted: string | undefined,
  mostXml: number,
): Promise<SheetPlace> => {
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  if (wanted === undefined) {
    const first = (await firstList(archive, shown, mostXml)) ?? sheets[0];
    if (first === undefined) throw new UnreadableFile('is a workbook without a sheet');
    return first;
  }
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (/^[1-9]\d{0,3}$/.test(wanted) ? shown[Number(wanted) - 1] : undefined);
  if (found !== undefined) return found;
  throw new UnreadableFile(`has no sheet "${wanted}"; it has ${listed(sheets.map(({ name }) => name))}`);
};

const headerOf = (header: ArchiveList): Buffer => Buffer.from(`${JSON.stringify(header)}\n`);

async function* workbookList(archive: Archive, { sheet, headerRow = 1, ...task }: ArchiveTask): AsyncGenerator<Buffer> {
  const workbook = await openWorkbook(archive);
  const mostXml = XML_RATIO * task.mostBytes;
  const place = await sheetWanted(archive, workbook.sheets, sheet, mostXml);
  const others = workbook.sheets.filter((other) => other !== place && !other.isHidden);
  const unread = others.filter(({ name }) => sheet === undefined && name !== SUMMARY_SHEET);
  const sheets = workbook.sheets.filter((sheet) => sheet === place || !sheet.isHidden).slice(0, MOST_SHEETS);
  yield headerOf({
    ...{
      kind: 'workbook',
      sheet: place.name.slice(0, SHOWN_CHARACTERS),
      others: listed(others.map(({ name }) => name)),
    },
    lists: listed(await listsAmong(archive, unread)),
    sheets: sheets.map(({ name }) => name.slice(0, SHOWN_CHARACTERS)),
  });
  const shown = createShown(await readLookup(archive, workbook), place.name);
  const lines = createLines(task, TEXT_RATIO);
  const read = readSheet(archive, place.part, mostXml, (cell, row) =>
    row < headerRow && cell.unsaved !== undefined ? undefined : shown(cell, row) || undefined,
  );
  let number = 0;
  for await (const rows of read) {
    for (const row of rows) {
      // Sheets leave out blank rows. They count up to the last row that can be the header.
      lines.blank(Math.min(row.number, MOST_HEADER_ROW) - number - 1);
      number = row.number;
      lines.add(
        row.cells.map((cell) => (cell === undefined ? '' : writeCell(cell))),
        number,
      );
      if (lines.isFull()) yield lines.taken();
    }
  }
  yield lines.taken();
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

/** @returns a line of JSON that describes the list (`ArchiveList`), then the list */
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
