/** Text in columns, for terminals and files alike. */

export type Alignment = 'left' | 'right';

/** Cells are cut at this many characters. */
const WIDEST = 40;

const cut = (cell: string, widest: number): string =>
  [...cell].length > widest ? `${[...cell].slice(0, widest - 1).join('')}…` : cell;

/**
 * @param rows cells row by row, the header among them if there is one
 * @param alignments by column; left where there is none
 * @param widest characters that a cell may have
 * @returns a line for each row, columns two spaces apart
 */
export const table = (
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
  widest = WIDEST,
): string[] => {
  const cells = rows.map((row) => row.map((cell) => cut(cell.replaceAll(/[\r\n\t]+/g, ' '), widest)));
  const widths: number[] = [];
  for (const row of cells)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, [...cell].length);
  return cells.map((row) =>
    row
      .map((cell, index) => {
        const padding = ' '.repeat((widths[index] ?? 0) - [...cell].length);
        return alignments[index] === 'right' ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd(),
  );
};
