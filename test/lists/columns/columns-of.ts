/** Returns how a list with this header is read. */
import { type Columns, type ReadOptions, readColumns } from '../../../src/lists/columns/columns.ts';

/** @param sample the first rows */
export const columnsOf = (header: string[], reading: ReadOptions = {}, sample: string[][] = []): Columns => {
  const columns = readColumns(header, { delimiter: ',', lineBreak: 'lf' }, reading, sample);
  if ('problems' in columns) throw new Error(JSON.stringify(columns.problems));
  return columns;
};
