/** Names rows of a list for people: their first cells, such as an order number and a name. */
import type { FileHandle } from 'node:fs/promises';
import { cellOf, decodeText } from '../csv/cell.ts';
import { createRows } from '../csv/rows.ts';
import type { Chunk } from '../rows/chunk-plan.ts';
import type { Columns } from '../rows/columns.ts';
import { readRange } from './rate-file.ts';

const FIRST_COLUMNS = 2;
const MOST_CHARACTERS = 60;

/** Without characters that move the cursor of a terminal or break a line. */
const printable = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').trim();

/**
 * @param numbers of the rows to name
 * @returns the cells by the row's number. Rows with empty cells have none
 */
export const rowLabels = async (
  file: FileHandle,
  chunks: readonly Chunk[],
  { dialect, passed }: Columns,
  maximumRowBytes: number,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> => {
  const labels = new Map<number, string>();
  const wanted = [...numbers];
  for (const { from, to, firstRow, rows } of chunks) {
    if (!wanted.some((number) => number >= firstRow && number < firstRow + rows)) continue;
    const { row, next } = createRows(await readRange(file, from, to), dialect, maximumRowBytes);
    for (let number = firstRow; next() === 'row'; ) {
      if (row.blank) continue;
      if (numbers.has(number)) {
        const cells = passed
          .slice(0, FIRST_COLUMNS)
          .map((column) => (column < row.cells ? printable(decodeText(cellOf(row.text, row, column))) : ''))
          .filter((cell) => cell !== '');
        if (cells.length > 0) labels.set(number, [...cells.join(', ')].slice(0, MOST_CHARACTERS).join(''));
      }
      number += 1;
    }
  }
  return labels;
};
