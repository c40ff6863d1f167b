/** A page of an output's rows. Reads from the beginning without keeping earlier rows. */
import { z } from 'zod';
import { cellValue, decodeText } from '../../files/csv/cell.ts';
import { type CellSink, eachSlice } from '../../files/csv/map-rows.ts';

export const MOST_ROWS = 200;
/** The maximum characters of a page, except that a page has at least one row. */
const MOST_CHARACTERS = 32 * 1024;

export const rowsPage = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())).meta({ description: 'The cells of each row, in the order of the columns.' }),
  next: z.int().nullable().meta({ description: 'The number to go on from; null after the last row.' }),
});
type RowsPage = z.output<typeof rowsPage>;

/** @param content a CSV from the service @param from the number of the first row, from 1 */
export const readRows = async (content: AsyncIterable<Uint8Array>, from: number, limit: number): Promise<RowsPage> => {
  let columns: readonly string[] = [];
  const rows: string[][] = [];
  let characters = 0;
  let next: number | null = null;
  // The header is row 0.
  let number = 0;
  let row: string[] = [];
  let raw = '';
  const take = (): void => {
    const length = row.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length === limit || (rows.length > 0 && characters + length > MOST_CHARACTERS)) next = number;
    else {
      rows.push(row);
      characters += length;
    }
  };
  const isWanted = (): boolean => next === null && (number === 0 || number >= from);
  const sink: CellSink = {
    part: (text) => {
      if (isWanted()) raw += text;
    },
    end: (endsRow) => {
      if (isWanted()) row.push(decodeText(cellValue(raw)));
      raw = '';
      if (!endsRow) return;
      if (number === 0) columns = row;
      else if (isWanted()) take();
      row = [];
      number += 1;
    },
  };
  for await (const _ of eachSlice(content, sink)) if (next !== null) break;
  return { columns: [...columns], rows, next };
};
