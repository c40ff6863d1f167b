/**
 * Corrected rows as rows of the batch's own list. A mended faults file has the columns of the output, in whatever order a
 * spreadsheet left them; a row of it is rated as if the list had come with these cells in the first place.
 */
import { type Columns, OUTPUT_COLUMNS, type Problems, REPAIRS_COLUMN } from './columns.ts';
import { cellOf, decodeText, encodeText, writeCell } from './csv.ts';
import { normal } from './fields.ts';
import { extraColumns, type OutputFormat } from './format.ts';
import { takenBack } from './row.ts';
import type { ScannedRow } from './scanner.ts';

/** Which column of the corrections is which: that with the row's number, and for each of the batch's header its own. */
export interface CorrectionColumns {
  readonly rowColumn: number;
  /** -1 where the batch does not pass the column through. */
  readonly cells: readonly number[];
}

const ROW = normal('input_row');

/** Names of the columns that the output adds: what they hold in a mended file is not looked at. */
const addedNames = (format: OutputFormat): ReadonlySet<string> =>
  new Set([...OUTPUT_COLUMNS, REPAIRS_COLUMN, ...extraColumns(format)].map(normal));

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

/**
 * The row under a scanner as one of the batch's list, as the scanner's text, with its line break.
 * @returns undefined where it has no content
 */
export const correctedLine = (
  text: string,
  row: ScannedRow,
  cells: readonly number[],
  format: OutputFormat,
): string | undefined => {
  let hasContent = false;
  const line = cells
    .map((column) => {
      if (column === -1) return '';
      const raw = cellOf(text, row, column);
      const value = raw.startsWith("'") && !format.keepFormulas ? encodeText(takenBack(decodeText(raw))) : raw;
      if (/[^ \t]/.test(value)) hasContent = true;
      return writeCell(value);
    })
    .join(',');
  return hasContent ? `${line}\n` : undefined;
};
