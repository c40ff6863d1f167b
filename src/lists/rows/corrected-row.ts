/**
 * Converts corrected rows to rows of the batch's list. A corrected faults file has the columns of the output, in any order.
 * Its rows are rated as if the list had contained these cells from the start.
 */

import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { bare, cellOf, decodeText, encodeText, writeCell } from '../../files/csv/cell.ts';
import type { ScannedRow } from '../../files/csv/scanner.ts';
import type { Problems } from '../../files/input/text-options.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { plainNumbers, writtenNumbers } from '../columns/cell-forms.ts';
import { type Columns, isAddedColumn } from '../columns/columns.ts';
import { columnOf, type Field, fieldIn, normal } from '../columns/fields.ts';
import { addedColumns, type OutputFormat } from '../output/output-format.ts';
import { type Repair, repairRow } from './repair.ts';
import { restoreFormula } from './row.ts';

/** The columns of a file of corrections. */
export interface CorrectionColumns {
  /** The column with the row's number in the batch. */
  readonly rowColumn: number;
  /** Parallel to the batch's header: the column's index in the file, or -1 if the batch does not pass the column through. */
  readonly cells: readonly number[];
}

const ROW = normal('input_row');

/**
 * Finds the batch's columns in the header of corrections by name. Columns with the same name are matched in order.
 * @returns the columns, or the problems
 */
export function* matchColumns(
  batch: Columns,
  format: OutputFormat,
  header: readonly string[],
): InSlices<CorrectionColumns | { readonly problems: Problems }> {
  // Their cells are ignored.
  const added = new Set(addedColumns(batch, format).map(normal));
  const restored = (name: string): string => (format.keepFormulas ? name : restoreFormula(name));
  const isAdded = (name: string): boolean => isAddedColumn(name) || added.has(normal(name));
  const rowColumn = (yield* mapInSlices(header, normal)).indexOf(ROW);
  const names = yield* mapInSlices(header, (name) => [restored(name), isAdded(restored(name))] as const);
  const free = new Map<string, number[]>();
  for (const [index, [name, ignored]] of names.entries()) {
    if (!ignored) getOrMake(free, name, (): number[] => []).push(index);
  }
  const missing: string[] = [];
  const passed = new Set(batch.passed);
  const cells = batch.header.map((name, index) => {
    if (!passed.has(index)) return -1;
    // The batch's list may itself be an output of this service, with defused names.
    const found = free.get(restored(name))?.shift();
    if (found === undefined) missing.push(`"${name}"`);
    return found ?? -1;
  });
  const unknown = [...free].flatMap(([name, left]) => (left.length > 0 && name.trim() !== '' ? [`"${name}"`] : []));
  const problems: Record<string, string> = {
    ...(rowColumn === -1 ? { input_row: 'required column missing: it has the number of the row to correct' } : {}),
    ...(missing.length > 0 ? { missing: `the file is missing columns of the batch: ${missing.join(', ')}` } : {}),
    ...(unknown.length > 0 ? { unknown: `the batch does not have these columns: ${unknown.join(', ')}` } : {}),
  };
  return Object.keys(problems).length > 0 ? { problems } : { rowColumn, cells };
}

/** How rows of corrections are converted. */
export interface CorrectedForm {
  /** The columns of the batch. */
  readonly columns: Columns;
  readonly format: OutputFormat;
  /** The repairs that the upload of the corrections asked for. */
  readonly repairs: readonly Repair[];
}

/** Repairs the cells. The row stays unchanged if a repair would change a field without a column. */
const repaired = (cells: readonly string[], { columns, repairs }: CorrectedForm): readonly string[] => {
  const { fields, defaults, decimal } = columns;
  const written = (field: Field): string => {
    const index = columnOf(fields, field);
    if (index === undefined) return defaults[field] ?? '';
    const cell = fieldIn(fields, field, bare(decodeText(must(cells[index], 'a cell of the row'))));
    return decimal === undefined ? cell : plainNumbers(field, cell, decimal);
  };
  const { cell } = repairRow(written, { repairs, fields });
  const changed = FIELD_NAMES.filter((field) => cell(field) !== written(field));
  if (changed.some((field) => fields[field] === undefined)) return cells;
  const places = new Map(
    changed.map((field) => [fields[field], encodeText(writtenNumbers(field, cell(field), decimal))]),
  );
  return cells.map((value, index) => places.get(index) ?? value);
};

/**
 * Converts the scanner's current row to a row of the batch's list.
 * @returns the row with its line break, as the scanner's text; undefined if it has no content
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
    return raw.startsWith("'") && !keepFormulas ? encodeText(restoreFormula(decodeText(raw))) : raw;
  });
  if (!values.some((value) => /[^ \t]/.test(value))) return undefined;
  const corrected = form.repairs.length > 0 ? repaired(values, form) : values;
  return `${corrected.map(writeCell).join(',')}\n`;
};
