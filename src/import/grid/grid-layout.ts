/** Locates a sheet's grid: fills merged cells, finds the column of labels, and decides which side has the weights. */
import { must } from '../../base/must.ts';
import { RefusedFile } from '../read/reader.ts';
import { cellAddress, plainText, type Sheet, shownText } from '../read/xlsx.ts';
import { type Band, bandIn, certainly, zonesIn } from './grid-cells.ts';

/** No printed grid is this large. */
export const MAX_ROWS = 2_000;
const MAX_COLUMNS = 200;

export interface GridCell {
  readonly text: string;
  /** The cell's address. For merged cells, the address of the first one. */
  readonly row: number;
  readonly column: number;
}

export interface GridRow {
  readonly number: number;
  readonly cells: readonly (GridCell | undefined)[];
}

const MERGED = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/;

const columnAt = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Merged ranges in a grid are only a few rows or columns. */
const MAX_FILLED = 100_000;

/** Copies the first cell of each merged range to the others. */
const fillMerged = (byNumber: Map<number, (GridCell | undefined)[]>, merged: readonly string[]): void => {
  const lastRow = Math.max(0, ...byNumber.keys());
  let filled = 0;
  for (const range of merged) {
    const [, left = '', top = '', right = '', bottom = ''] = MERGED.exec(range) ?? [];
    const first = byNumber.get(Number(top))?.[columnAt(left)];
    if (first === undefined) continue;
    const lastColumn = Math.min(columnAt(right), MAX_COLUMNS - 1);
    for (let row = Number(top); row <= Math.min(Number(bottom), lastRow); row++) {
      filled += lastColumn - first.column + 1;
      if (filled > MAX_FILLED)
        throw new RefusedFile(`it has more than ${MAX_FILLED} merged cells, so it is not a grid of discounts`);
      const cells = byNumber.get(row) ?? [];
      for (let column = first.column; column <= lastColumn; column++) cells[column] = first;
      byNumber.set(row, cells);
    }
  }
};

export const tooManyRows = (): RefusedFile =>
  new RefusedFile(`it has more than ${MAX_ROWS} rows, so it is not a grid of discounts`);

/** Returns the rows with content, with every cell of a merged range filled. */
export const gridRows = ({ rows, merged = [] }: Sheet): GridRow[] => {
  const byNumber = new Map<number, (GridCell | undefined)[]>();
  for (const { number, cells } of rows) {
    const own = cells.map((cell, column) => {
      const text = plainText(shownText(cell));
      return text === '' ? undefined : { text, row: number, column };
    });
    if (own.some((cell) => cell !== undefined)) byNumber.set(number, own);
    if (own.length > MAX_COLUMNS)
      throw new RefusedFile(`it has more than ${MAX_COLUMNS} columns, so it is not a grid of discounts`);
  }
  if (byNumber.size > MAX_ROWS) throw tooManyRows();
  fillMerged(byNumber, merged);
  return [...byNumber].sort(([a], [b]) => a - b).map(([number, cells]) => ({ number, cells }));
};

/** Returns the cells to the right of a column, each once. */
export const rightOf = ({ cells }: GridRow, column: number): GridCell[] =>
  cells.flatMap((cell, at) => (cell !== undefined && at > column && cell.column === at ? [cell] : []));

const isAxis = (text: string): boolean => bandIn(text) !== undefined || zonesIn(text) !== undefined;

/** A percentage, or a text intended as one. */
const NUMBER = /^[-$]?\d{0,4}\.?\d{1,20} ?%?(?: off)?$/;

/** The leftmost column with a band or zones next to a percentage; undefined if the sheet has no grid. */
export const labelColumn = (rows: readonly GridRow[]): number | undefined => {
  const columns = rows.flatMap((row) => {
    const at = row.cells.findIndex(
      (cell, column) =>
        cell !== undefined && isAxis(cell.text) && rightOf(row, column).some(({ text }) => NUMBER.test(text)),
    );
    return at === -1 ? [] : [at];
  });
  return columns.length === 0 ? undefined : Math.min(...columns);
};

const firstPound = (texts: readonly string[]): number | undefined => {
  const bands = texts.map(bandIn).filter((band): band is Band => band !== undefined);
  return bands.length === 0 ? undefined : Math.min(...bands.map(({ fromLb }) => fromLb));
};

const hasRange = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const band = bandIn(text);
    return band !== undefined && band.toLb !== band.fromLb;
  });

export type Down = 'bands' | 'zones';

/**
 * Decides whether the column of labels has weights or zones. Words such as `lb`, `+` and `Zone` decide. Otherwise, the weights
 * are on the side that begins with 1, or else on the side with a range.
 * @throws RefusedFile if it is unclear
 */
export const whatGoesDown = (rows: readonly GridRow[], column: number): Down => {
  const inTable = rows.filter((row) => rightOf(row, column).length > 0);
  const labelOf = ({ cells }: GridRow): string => cells[column]?.text ?? '';
  const labels = inTable.map(labelOf).filter(isAxis);
  const heads = inTable.filter((row) => !isAxis(labelOf(row)));
  const titles = heads.flatMap((row) => rightOf(row, column).map(({ text }) => text));
  const across = titles.filter(isAxis);
  const bands = labels.some((text) => certainly(text) === 'band') || titles.some((text) => certainly(text) === 'zones');
  const zones = labels.some((text) => certainly(text) === 'zones') || titles.some((text) => certainly(text) === 'band');
  if (bands !== zones) return bands ? 'bands' : 'zones';
  const corner = heads.map(labelOf).join(' ').toLowerCase();
  const [namesWeight, namesZone] = [/weight|lb|pound|band/.test(corner), corner.includes('zone')];
  if (namesWeight !== namesZone && namesWeight && !bands) return 'bands';
  const [down, over] = [firstPound(labels) === 1, firstPound(across) === 1];
  if (!bands && down !== over) return down ? 'bands' : 'zones';
  if (!bands && namesZone && !namesWeight && across.length === 0) return 'zones';
  if (!bands && hasRange(labels) !== hasRange(across) && across.length > 0) return hasRange(labels) ? 'bands' : 'zones';
  const at = cellAddress(must(inTable[0], 'a row of the grid').number, column);
  throw new RefusedFile(
    `the grid at ${at} does not distinguish weights from zones: write weights as "1-5 lb", or zones as "Zone 2"`,
  );
};
