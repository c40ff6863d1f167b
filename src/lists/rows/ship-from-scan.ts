/**
 * Finds which warehouses the rows of a list choose among, while the list is planned. The output has a column for each of
 * them. Only rows whose bytes could name several are read, so that other lists cost nothing.
 */

import { createFinder, createScanner } from '../../files/csv/scanner.ts';
import { MOST_WAREHOUSES, readShipFrom } from '../../rating/ship-from.ts';
import type { Columns } from '../columns/columns.ts';
import { createRowReader } from './row-reader.ts';

/** At least one of the two is set. */
export interface ShipFromUse {
  /** Whether a row chooses among all warehouses. */
  readonly any: boolean;
  /** The ids in rows that name several warehouses. */
  readonly ids: readonly number[];
}

/** `any` in any case. */
const ANY = /[aA][nN][yY]/g;

export const createShipFromScan = (columns: Columns, maximumRowBytes: number) => {
  const { fields, defaults, dialect } = columns;
  const ids = new Set<number>();
  let any = false;
  const add = (cell: string): void => {
    const shipFrom = readShipFrom(cell);
    if (shipFrom === 'any') any = true;
    else if (shipFrom !== undefined) for (const id of shipFrom) ids.add(id);
  };
  /** Returns undefined if no row chooses among warehouses. */
  const result = (): ShipFromUse | undefined => (any || ids.size > 0 ? { any, ids: [...ids] } : undefined);
  if (fields.warehouse_id === undefined) {
    add(defaults.warehouse_id ?? '');
    return { look: () => true, result };
  }
  const { row, scan } = createScanner(dialect, maximumRowBytes);
  const { written } = createRowReader(row, columns);
  const nextAny = createFinder(ANY);
  // If `|` is the list's separator, a cell with it is in quotes.
  const nextSeveral = createFinder(dialect.delimiter === '|' ? '"' : '|');
  let within = '';
  /** `candidate` is the first offset at or after `since` whose bytes could name several warehouses. */
  let since = 0;
  let candidate = -1;
  return {
    /**
     * Looks at the row from `start` up to `next`, if it could name several warehouses.
     * @returns false if the list names too many
     */
    look: (text: string, start: number, next: number): boolean => {
      // The next text may equal the last one, because a list may repeat itself. Then `start` is smaller.
      const known = within === text && since <= start && start <= candidate;
      // Assigned even if equal: comparing equal strings is slow for each row unless they are the same object.
      within = text;
      if (!known) {
        since = start;
        candidate = Math.min(nextSeveral(text, start), nextAny(text, start));
      }
      // With `any`, all warehouses already have columns.
      if (candidate >= next || any) return true;
      if (scan(text, start, true) === 'row') add(written('warehouse_id'));
      return ids.size <= MOST_WAREHOUSES;
    },
    result,
  };
};
