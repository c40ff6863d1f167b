/**
 * Corrected rows as rows of the batch's own list. A mended faults file has the columns of the output, in whatever order a
 * spreadsheet left them; a row of it is rated as if the list had come with these cells in the first place.
 */

import { bare, cellOf, decodeText, encodeText, writeCell } from '../csv/cell.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { type Columns, OUTPUT_COLUMNS, type Problems, REPAIRS_COLUMN, WARNINGS_COLUMN } from './columns.ts';
import { FIELDS, type Field, normal } from './fields.ts';
import { extraColumns, type OutputFormat } from './output-format.ts';
import { mendRow, type Repair } from './repair.ts';
import { takenBack } from './row.ts';

/** Which column of the corrections is which: that with the row's number, and for each of the batch's header its own. */
export interface CorrectionColumns {
  readonly rowColumn: number;
  /** -1 where the batch does not pass the column through. */
  readonly cells: readonly number[];
}

const ROW = normal('input_row');

/** Names of the columns that the output adds: what they hold in a mended file is not looked at. */
const addedNames = (format: OutputFormat): ReadonlySet<string> =>
  new Set([...OUTPUT_COLUMNS, REPAIRS_COLUMN, WARNINGS_COLUMN, ...extraColumns(format)].map(normal));

/**
 * Finds the batch's columns in the header of corrections: by name, and where several have one name, in their order.
 * @returns the columns, or what is wrong, one entry per problem
 */
export const matchColumns = (
  batch: Columns,
  format: OutputFormat,
  header: readonly string[],
): CorrectionColumns | { readonly problems: Problems } => {
  const added = addedNames(format);
  const rowColumn = header.findIndex((name) => normal(name) === ROW);
  const free = new Map<string, number[]>();
  header.forEach((written, index) => {
    const name = format.keepFormulas ? written : takenBack(written);
    if (!added.has(normal(name))) free.set(name, [...(free.get(name) ?? []), index]);
  });
  const missing: string[] = [];
  const passed = new Set(batch.passed);
  const cells = batch.header.map((name, index) => {
    if (!passed.has(index)) return -1;
    // The batch's own list may be an output of ours too, whose names were defused before.
    const found = free.get(format.keepFormulas ? name : takenBack(name))?.shift();
    if (found === undefined) missing.push(`"${name}"`);
    return found ?? -1;
  });
  const unknown = [...free].flatMap(([name, left]) => (left.length > 0 && name.trim() !== '' ? [`"${name}"`] : []));
  const problems: Record<string, string> = {
    ...(rowColumn === -1
      ? { input_row: 'required column missing: it says which row of the batch a row corrects' }
      : {}),
    ...(missing.length > 0 ? { missing: `columns of the batch that the file has not: ${missing.join(', ')}` } : {}),
    ...(unknown.length > 0 ? { unknown: `columns that the batch has not: ${unknown.join(', ')}` } : {}),
  };
  return Object.keys(problems).length > 0 ? { problems } : { rowColumn, cells };
};

/** How rows of corrections become rows of the batch's list. */
export interface CorrectedForm {
  /** Of the batch. */
  readonly columns: Columns;
  readonly format: OutputFormat;
  /** What is mended in the corrections' own cells, as their upload asked. */
  readonly repairs: readonly Repair[];
}

/** The cells as they are after the repairs. A row stays as it is if a repair changes a field that has no column. */
const repaired = (cells: readonly string[], { columns, repairs }: CorrectedForm): readonly string[] => {
  const { fields, defaults } = columns;
  const written = (field: Field): string => {
    const index = fields[field];
    return index === undefined ? (defaults[field] ?? '') : bare(decodeText(cells[index] ?? ''));
  };
  const { cell } = mendRow(written, { repairs, fields });
  const changed = FIELDS.filter((field) => cell(field) !== written(field));
  if (changed.some((field) => fields[field] === undefined)) return cells;
  const places = new Map(changed.map((field) => [fields[field], encodeText(cell(field))]));
  return cells.map((value, index) => places.get(index) ?? value);
};

/**
 * The row under a scanner as one of the batch's list, as the scanner's text, with its line break.
 * @returns undefined if the row has no content
 */
export const correctedLine = (
  text: string,
  row: ScannedRow,
  cells: readonly number[],
  form: CorrectedForm,
): string | undefined => {
  const { keepFormulas } = form.format;
  const values = cells.map((column) => {
    if (column === -1) return '';
    const raw = cellOf(text, row, column);
    return raw.startsWith("'") && !keepFormulas ? encodeText(takenBack(decodeText(raw))) : raw;
  });
  if (!values.some((value) => /[^ \t]/.test(value))) return undefined;
  const mended = form.repairs.length > 0 ? repaired(values, form) : values;
  return `${mended.map(writeCell).join(',')}\n`;
};
