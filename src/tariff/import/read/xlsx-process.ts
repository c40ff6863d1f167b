/** The sandboxed process that parses a workbook for `xlsx.ts`. */
import { confined } from '../../../sandbox/child.ts';
import { OverLimit } from '../../../unreadable-file.ts';
import { openArchive } from '../../../xlsx/archive.ts';
import { createShown, type RawCell, readSheet } from '../../../xlsx/sheet-reader.ts';
import { openWorkbook, readLookup } from '../../../xlsx/workbook.ts';
import type { Cell, WorkbookLimits, WorkbookLine } from './xlsx.ts';

const lineOf = (line: WorkbookLine): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

const NUMBERS = ['', 'n'];

/** A number, unless its format displays it as something else, such as a date. */
const cellOf = ({ kind, value }: RawCell, shown: string): Cell => {
  if (kind === 'b') return value === '1';
  return NUMBERS.includes(kind) && !Number.isNaN(Number(shown)) ? Number(value) : shown;
};

await confined<WorkbookLimits>(async function* (limits, fd) {
  const archive = await openArchive(fd);
  const workbook = await openWorkbook(archive);
  if (workbook.sheets.length > limits.sheets) throw new OverLimit('sheets', String(limits.sheets));
  const shown = createShown(await readLookup(archive, workbook));
  let count = 0;
  for (const { name, part } of workbook.sheets) {
    yield lineOf(name);
    const rows = readSheet(archive, part, limits.partBytes, (cell, row) => cellOf(cell, shown(cell, row)));
    for await (const some of rows)
      for (const { number, cells } of some) {
        if (cells.length > limits.columns) throw new OverLimit('columns', `${limits.columns} in a row`);
        for (const cell of cells) if (cell !== undefined) count += 1;
        if (count > limits.cells) throw new OverLimit('cells', String(limits.cells));
        yield lineOf([number, cells.map((cell) => cell ?? null)]);
      }
  }
});
