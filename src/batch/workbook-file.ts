/**
 * `?format=xlsx`: the output as a workbook. Its first sheet has all rows, its second only those with a fault; that of a
 * comparison has only the first. It is written while it is sent: memory does not grow with the rows.
 */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnsOf, isComparedCount, isComparedMoney } from '../comparison/columns.ts';
import { inPieces, mapCells } from '../csv/map-rows.ts';
import { addedColumns, isCountColumn, isMoneyColumn } from '../rows/output-format.ts';
import { SHEET_LIMITS } from '../xlsx/sheet-limits.ts';
import { createSheet, type NumberColumns } from '../xlsx/sheet-writer.ts';
import type { OutputFile } from './output.ts';
import type { BatchDocument } from './records.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Sheets are repetitive: even the fastest level compresses them about twenty times. */
const COMPRESSION = 1;
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
const relations = (...all: string[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
const override = (part: string, type: string): string =>
  `<Override PartName="${part}" ContentType="${TYPES}.${type}+xml"/>`;

/** A cell format. Number formats: 1 is `0`, 2 is `0.00`, 49 is text (ECMA-376, part 1, 18.8.30). */
const format = (number: number, font = 0): string =>
  `<xf numFmtId="${number}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;

const sheetPath = (index: number): string => `worksheets/sheet${index + 1}.xml`;

/** The parts besides the sheets, by the sheets' names. The cell formats are those of `sheet-writer.ts`, by index. */
const partsOf = (sheets: readonly string[]): Readonly<Record<string, string>> => ({
  '[Content_Types].xml':
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `${override('/xl/workbook.xml', 'sheet.main')}${override('/xl/styles.xml', 'styles')}` +
    `${sheets.map((_, index) => override(`/xl/${sheetPath(index)}`, 'worksheet')).join('')}</Types>`,
  '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
  'xl/_rels/workbook.xml.rels': relations(
    ...sheets.map((_, index) => relation(index + 1, 'worksheet', sheetPath(index))),
    relation(sheets.length + 1, 'styles', 'styles.xml'),
  ),
  'xl/workbook.xml':
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
    `${sheets.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}` +
    '</sheets></workbook>',
  'xl/styles.xml':
    `${XML}<styleSheet xmlns="${MAIN}">` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="5">${[format(0), format(49), format(2), format(1), format(49, 1)].join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
});

/** Why there can be no workbook: the limit of a sheet that the output exceeds. */
export interface OverSheet {
  readonly limit: 'workbookRows' | 'workbookColumns';
  readonly most: string;
}

/** The names of the columns that the service adds. */
const addedTo = ({ columns, format, comparison }: BatchDocument): readonly string[] =>
  comparison === undefined ? addedColumns(columns, format) : columnsOf(comparison);

export const overSheet = (document: BatchDocument): OverSheet | undefined => {
  const { columns, rows } = document;
  if (rows >= SHEET_LIMITS.rows) return { limit: 'workbookRows', most: `${SHEET_LIMITS.rows - 1} rows` };
  if (columns.passed.length + addedTo(document).length > SHEET_LIMITS.columns)
    return { limit: 'workbookColumns', most: `${SHEET_LIMITS.columns} columns` };
  return undefined;
};

const QUOTED: NumberColumns = { isMoney: isMoneyColumn, isCount: isCountColumn };
const COMPARED: NumberColumns = { isMoney: isComparedMoney, isCount: isComparedCount };

const sheetOf = (document: BatchDocument, file: OutputFile): Readable => {
  const numbers = document.comparison === undefined ? QUOTED : COMPARED;
  async function* xml(): AsyncGenerator<Buffer> {
    const { begin, sinkTo, end } = createSheet(document.columns.passed.length, addedTo(document), numbers);
    yield* inPieces(begin());
    yield* mapCells(file.content, sinkTo);
    yield Buffer.from(end());
  }
  return Readable.from(xml(), { objectMode: false });
};

/** A sheet of the workbook. */
export interface NamedFile {
  readonly name: string;
  readonly file: OutputFile;
}

/** @param document of the batch; `overSheet` says whether it fits */
export const workbookFile = (document: BatchDocument, files: readonly NamedFile[]): OutputFile => {
  const zip = new ZipFile();
  // Ends at once if reading a sheet fails, although the archive waits for more of it.
  const content = zip.outputStream.pipe(new PassThrough());
  const sheets = files.map(({ file }) => sheetOf(document, file));
  const mtime = new Date(document.createdAt);
  for (const [name, xml] of Object.entries(partsOf(files.map(({ name }) => name))))
    zip.addBuffer(Buffer.from(xml), name, { mtime });
  sheets.forEach((sheet, index) => {
    sheet.on('error', (error) => content.destroy(error));
    zip.addReadStream(sheet, `xl/${sheetPath(index)}`, { mtime, compressionLevel: COMPRESSION });
  });
  zip.on('error', (error: Error) => content.destroy(error));
  zip.end();
  // If the caller leaves early, open files are closed here.
  content.on('close', () => {
    for (const sheet of sheets) sheet.destroy();
  });
  return { mediaType: XLSX_TYPE, content };
};
