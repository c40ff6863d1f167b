/** Reads a file with a grid as sheets: a workbook, in a separate process, or a CSV. */
import { basename } from 'node:path';
import { beginsWith, COMPOUND, ZIP } from '../../files/file-signatures.ts';
import { countOf, csvRecords, separatorOf } from '../read/csv.ts';
import { isPdf } from '../read/pdf.ts';
import { RefusedFile } from '../read/reader.ts';
import { readWorkbook, type Sheet, WORKBOOK_LIMITS } from '../read/xlsx.ts';
import { bytesOf } from '../source.ts';
import { MAX_ROWS, tooManyRows } from './grid-layout.ts';

/** Printed grids have a few thousand cells. A CSV is parsed in one turn of the event loop. */
const MAX_CELLS = 20_000;
const MAX_CSV_BYTES = 128 * 1024;
const UTF_16 = [0xff, 0xfe];

const csvText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder(beginsWith(bytes, UTF_16) ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new RefusedFile('it is not UTF-8: save it as a workbook (XLSX) or as CSV UTF-8', { cause: error });
  }
};

/** Numbers rows as a spreadsheet program does, including empty rows. */
const csvSheet = (name: string, bytes: Uint8Array): Sheet => {
  if (bytes.byteLength > MAX_CSV_BYTES)
    throw new RefusedFile(`it is larger than ${MAX_CSV_BYTES} bytes, so it is not a grid of discounts`);
  const text = csvText(bytes);
  const delimiter = separatorOf(text);
  if (countOf(delimiter, text) > MAX_CELLS)
    throw new RefusedFile(`it has more than ${MAX_CELLS} cells, so it is not a grid of discounts`);
  // One extra row shows that there are too many.
  const records = csvRecords(text, { delimiter, trim: true, relax_quotes: true, to: MAX_ROWS + 1 });
  if (records.length > MAX_ROWS) throw tooManyRows();
  return { name, rows: records.map((cells, at) => ({ number: at + 1, cells })) };
};

const sheetsOf = async (path: string): Promise<readonly Sheet[]> => {
  const bytes = await bytesOf(path);
  if (beginsWith(bytes, COMPOUND)) throw new RefusedFile('it is a workbook in the old binary format: save it as XLSX');
  if (isPdf(bytes)) throw new RefusedFile('it is a PDF: copy its grid into a spreadsheet');
  if (!beginsWith(bytes, ZIP)) return [csvSheet(basename(path), bytes)];
  return readWorkbook(bytes, undefined, { ...WORKBOOK_LIMITS, asGrid: true });
};

/**
 * Reads the sheet with the grid.
 * @param wanted the sheet's name; needed if several sheets have cells
 * @throws RefusedFile if the file cannot be read, or if there is not exactly one such sheet
 */
export const readGridSheet = async (path: string, wanted: string | undefined): Promise<Sheet> => {
  const sheets = (await sheetsOf(path)).filter(({ rows }) => rows.length > 0);
  const named =
    wanted === undefined ? sheets : sheets.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [sheet, other] = named;
  const names = sheets.map(({ name }) => name).join(', ');
  if (sheet === undefined)
    throw new RefusedFile(
      wanted === undefined ? 'it has no cells' : `it has no sheet ${wanted}; its sheets are ${names}`,
    );
  if (other !== undefined) throw new RefusedFile(`it has several sheets: say --sheet with one of ${names}`);
  return sheet;
};
