/** The sandboxed process that parses a workbook for `xlsx.ts`. */
import { confinedLines } from '../../files/sandbox/child.ts';
import { OverLimit } from '../../files/unreadable-file.ts';
import { openArchive } from '../../files/xlsx/archive.ts';
import { type CellFormat, exactNumber, PLAIN, shownPercent } from '../../files/xlsx/number-format.ts';
import { createShown, type RawCell, readSheet } from '../../files/xlsx/sheet-reader.ts';
import { openWorkbook, readLookup } from '../../files/xlsx/workbook.ts';
import type { Cell, WorkbookLine, WorkbookTask } from './xlsx.ts';

const NUMBERS = ['', 'n'];

/** A number, unless its format shows it as something else, such as a date. */
const cellOf = ({ kind, value }: RawCell, shown: string): Cell => {
  if (kind === 'b') return value === '1';
  return NUMBERS.includes(kind) && !Number.isNaN(Number(shown)) ? Number(value) : shown;
};

/** Like `cellOf`, but a percentage becomes text: `18.5%`. */
const gridCellOf = (cell: RawCell, shown: string, formats: readonly CellFormat[]): Cell =>
  (NUMBERS.includes(cell.kind) ? shownPercent(cell.value, formats[cell.format] ?? PLAIN) : undefined) ??
  cellOf(cell, shown);

await confinedLines<WorkbookTask, WorkbookLine>(async function* ({ asGrid = false, ...limits }, fd) {
  const archive = await openArchive(fd);
  const workbook = await openWorkbook(archive);
  if (workbook.sheets.length > limits.sheets) throw new OverLimit('sheets', String(limits.sheets));
  const lookup = await readLookup(archive, workbook);
  let count = 0;
  for (const { name, part } of workbook.sheets) {
    yield name;
    const shown = createShown(lookup, name, exactNumber);
    const [merged, hidden]: [string[], number[]] = [[], []];
    const read = (cell: RawCell, row: number): Cell =>
      asGrid ? gridCellOf(cell, shown(cell, row), lookup.formats) : cellOf(cell, shown(cell, row));
    const rows = readSheet(archive, part, limits.partBytes, read, (range) => {
      if (merged.length === limits.cells) throw new OverLimit('mergedCells', String(limits.cells));
      if (asGrid) merged.push(range);
    });
    for await (const some of rows)
      for (const { number, isHidden, cells } of some) {
        if (cells.length > limits.columns) throw new OverLimit('columns', `${limits.columns} in a row`);
        for (const cell of cells) if (cell !== undefined) count += 1;
        if (count > limits.cells) throw new OverLimit('cells', String(limits.cells));
        if (asGrid && isHidden) hidden.push(number);
        yield [number, cells.map((cell) => cell ?? null)];
      }
    if (asGrid) yield { merged, hidden };
  }
});
