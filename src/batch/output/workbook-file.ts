/**
 * `?format=xlsx`: the output as a workbook. The first sheet is a summary, the second has all rows, and the third has only
 * rows with a fault. A comparison and the file of faults have one sheet. The file is written while it is sent, so that
 * memory does not grow with the rows.
 */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { decodeText, encodeText } from '../../files/csv/cell.ts';
import { inPieces, mapCells } from '../../files/csv/map-rows.ts';
import { STYLES } from '../../files/xlsx/cell-writer.ts';
import { SHEET_LIMITS } from '../../files/xlsx/sheet-limits.ts';
import { type ColumnKind, createSheet, type SheetColumn } from '../../files/xlsx/sheet-writer.ts';
import { SUMMARY_SHEET } from '../../files/xlsx/summary-name.ts';
import { isNumber } from '../../lists/columns/cell-forms.ts';
import { rowFaultText } from '../../lists/columns/fault-words.ts';
import { addedColumn, DECLARED_COLUMNS, type OutputColumn, placeOf } from '../../lists/output/output-columns.ts';
import { FIELD_NAMES, specOf } from '../../rating/fields.ts';
import type { BatchDocument } from '../records.ts';
import { addedTo, kindOfAdded, type OutputFile } from './output.ts';

/*
 * The columns of a workbook's sheets: first the results that people look for, then the list's own columns, then the rest.
 * Programs find columns by name, so the order is only for people.
 */

/** The added columns before the list's own, in a sheet of all rows and in a sheet of rows with a fault. */
const FIRST = {
  quotes: DECLARED_COLUMNS.filter(({ first }) => first?.sheet !== undefined)
    .toSorted((a, b) => (a.first?.sheet ?? 0) - (b.first?.sheet ?? 0))
    .map(({ name }) => name),
  faults: ['input_row', 'fault_message'] satisfies OutputColumn[],
  comparison: [],
} satisfies Readonly<Record<string, readonly string[]>>;
export type SheetName = keyof typeof FIRST;

const WIDTH = 16;
/** Width of the filter arrow next to a column's name. */
const ARROW = 4;

/** Dates that the service writes stay text, as in the CSV. */
const kindIn = (name: string, isComparison: boolean): ColumnKind => {
  const kind = kindOfAdded(name, isComparison);
  return kind === 'date' ? 'text' : kind;
};

const ownColumns = ({ columns }: BatchDocument): readonly SheetColumn[] => {
  // ZIP codes, warehouses and everything that the service does not read stay text.
  const kindOf = (index: number): ColumnKind => {
    const fields = FIELD_NAMES.filter((field) => columns.fields[field] === index);
    if (fields.some((field) => specOf(field).kind === 'date')) return 'date';
    return fields.some(isNumber) ? 'plain' : 'text';
  };
  return columns.passed.map((index, from) => ({ from, kind: kindOf(index), width: WIDTH }));
};

/** Returns the fault of a row in words for people. @param first the index of the first added column */
const faultTextIn =
  (first: number) =>
  (cellAt: (from: number) => string): string => {
    const said = (column: OutputColumn): string => decodeText(cellAt(first + placeOf(column)));
    return encodeText(
      rowFaultText(said('fault_type'), said('fault_message'), said('fault_arguments'), said('fault_column')),
    );
  };

const sheetColumns = (document: BatchDocument, sheet: SheetName): readonly SheetColumn[] => {
  const isComparison = document.comparison !== undefined;
  const own = ownColumns(document);
  const added = addedTo(document).map((name, index) => ({
    name,
    from: own.length + index,
    kind: kindIn(name, isComparison),
    width: addedColumn(name)?.width ?? Math.max(WIDTH, name.length + ARROW),
    ...(name === 'fault_message' && !isComparison && { textOf: faultTextIn(own.length) }),
  }));
  const before: readonly string[] = FIRST[sheet];
  const first = before.flatMap((name) => added.find((column) => column.name === name) ?? []);
  return [...first, ...own, ...added.filter((column) => !first.includes(column))];
};

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Sheets are repetitive. Even the fastest level makes them about twenty times smaller. */
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

const sheetPath = (index: number): string => `worksheets/sheet${index + 1}.xml`;

/** Returns the files of the workbook other than the sheets, by path. */
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
  'xl/styles.xml': `${XML}${STYLES}`,
});

/** Why a workbook is impossible: the limit of a sheet that the output exceeds. */
export interface OverSheet {
  readonly limit: 'workbookRows' | 'workbookColumns';
  readonly most: string;
}

export const overSheet = (document: BatchDocument): OverSheet | undefined => {
  const { columns, rows } = document;
  if (rows >= SHEET_LIMITS.rows) return { limit: 'workbookRows', most: `${SHEET_LIMITS.rows - 1} rows` };
  if (columns.passed.length + addedTo(document).length > SHEET_LIMITS.columns)
    return { limit: 'workbookColumns', most: `${SHEET_LIMITS.columns} columns` };
  return undefined;
};

const rowsOf = (document: BatchDocument, sheet: SheetName, { content }: OutputFile): Readable => {
  async function* xml(): AsyncGenerator<Buffer> {
    const { begin, sinkTo, end } = createSheet(sheetColumns(document, sheet));
    yield* inPieces(begin());
    yield* mapCells(content, sinkTo);
    yield Buffer.from(end());
  }
  return Readable.from(xml(), { objectMode: false });
};

interface RowSheet {
  readonly name: SheetName;
  readonly file: OutputFile;
}

/** Returns the sheets of rows. @param file the download. @param faults makes the file of the rows with a fault */
export const sheetsOf = (
  { comparison }: BatchDocument,
  kind: 'output' | 'faults',
  file: OutputFile,
  faults: () => OutputFile,
): readonly RowSheet[] => {
  if (comparison !== undefined) return [{ name: 'comparison', file }];
  if (kind === 'faults') return [{ name: 'faults', file }];
  return [
    { name: 'quotes', file },
    { name: 'faults', file: faults() },
  ];
};

/**
 * @param document the batch's document. It must fit: see `overSheet`
 * @param summary the XML of the summary sheet, if there is one
 */
export const workbookFile = (
  document: BatchDocument,
  files: readonly RowSheet[],
  summary?: Buffer | undefined,
): OutputFile => {
  const zip = new ZipFile();
  // Ends at once if reading a sheet fails, although the archive still waits for the sheet.
  const content = zip.outputStream.pipe(new PassThrough());
  const sheets = files.map(({ name, file }) => ({ name, xml: rowsOf(document, name, file) }));
  const mtime = new Date(document.createdAt);
  const names = [...(summary === undefined ? [] : [SUMMARY_SHEET]), ...sheets.map(({ name }) => name)];
  for (const [name, xml] of Object.entries(partsOf(names))) zip.addBuffer(Buffer.from(xml), name, { mtime });
  if (summary !== undefined) zip.addBuffer(summary, `xl/${sheetPath(0)}`, { mtime });
  const first = names.length - sheets.length;
  sheets.forEach(({ xml }, index) => {
    xml.on('error', (error) => content.destroy(error));
    zip.addReadStream(xml, `xl/${sheetPath(first + index)}`, { mtime, compressionLevel: COMPRESSION });
  });
  zip.on('error', (error: Error) => content.destroy(error));
  zip.end();
  // If the caller leaves early, open files are closed here.
  content.on('close', () => {
    for (const { xml } of sheets) xml.destroy();
  });
  return { mediaType: XLSX_TYPE, content };
};
