/**
 * Finds rows that a stray quote has joined: a quoted cell with line breaks and separators like whole rows. Files from
 * programs that never quote cells may have such rows. Nothing else shows that rows are missing.
 */
import type { ScannedRow } from '../../files/csv/scanner.ts';
import type { Columns } from '../columns/columns.ts';
import type { Finding } from '../columns/findings.ts';

/** In lists with fewer columns, rows do not look different from text. */
const LEAST_COLUMNS = 3;

export const createJoinedRows = ({ dialect, header }: Pick<Columns, 'dialect' | 'header'>) => {
  const breakText = dialect.lineBreak === 'lf' ? '\n' : '\r';
  const separator = dialect.delimiter.charCodeAt(0);
  let [rows, first] = [0, 0];

  const separatorsIn = (bytes: Uint8Array, from: number, to: number): number => {
    let found = 0;
    for (let at = from; at < to; at++) if (bytes[at] === separator) found += 1;
    return found;
  };

  /** Whether each line of the row has as many separators as the first, and enough for a row. */
  const looksJoined = (text: string, { bytes, start, end }: ScannedRow): boolean => {
    let from = text.indexOf(breakText, start) + 1;
    if (from === 0 || from > end) return false;
    const wanted = separatorsIn(bytes, start, from);
    if (wanted < header.length - 1) return false;
    while (from < end) {
      const found = text.indexOf(breakText, from);
      const to = found === -1 || found > end ? end : found;
      if (separatorsIn(bytes, from, to) !== wanted) return false;
      from = to + 1;
    }
    return true;
  };

  return {
    /** @param number the row's number, from 1 */
    look: (text: string, row: ScannedRow, number: number): void => {
      if (!row.quoted || row.malformed !== undefined || header.length < LEAST_COLUMNS || !looksJoined(text, row))
        return;
      rows += 1;
      if (rows === 1) first = number;
    },
    findings: (): readonly Finding[] =>
      rows === 0
        ? []
        : [
            {
              type: 'quotes.rows',
              message: `${rows === 1 ? `A quoted cell of row ${first} seems` : `Quoted cells of ${rows} rows, from row ${first} on, seem`} to hold whole rows. They are not rated as rows of their own. If the list does not quote cells, use ?quotes=none.`,
              column: '',
            },
          ],
  };
};
