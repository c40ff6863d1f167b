/** What a preview shows about columns: the columns that are used, those that pass through, and the names of services. */
import { must } from '../../base/must.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { shownName } from '../columns/column-choice.ts';
import type { Columns } from '../columns/columns.ts';
import type { Field } from '../columns/fields.ts';
import { proposedOrders } from '../columns/findings.ts';
import type { RowReader } from '../rows/row-reader.ts';
import type { Preview } from './preview-body.ts';

const SHOWN_NAMES = 100;

/** Returns the column names that a preview shows. */
export const shownNames = (header: readonly string[]): string[] => header.slice(0, SHOWN_NAMES);

/** Groups the columns of a list by their use. */
export const columnsShown = ({
  header,
  fields,
  passed,
  findings,
}: Columns): Pick<Preview, 'columns' | 'unknownColumns' | 'findings'> => {
  const nameOf = (index: number): string => must(header[index], 'the name of a column');
  const known = FIELD_NAMES.flatMap((name: Field) => {
    const index = fields[name];
    return index === undefined ? [] : [{ field: name, column: nameOf(index), position: index + 1 }];
  });
  const used = new Set(Object.values(fields));
  const unknown = passed.filter((index) => !used.has(index));
  return {
    columns: known.sort((a, b) => a.position - b.position),
    unknownColumns: { count: unknown.length, names: shownNames(unknown.map(nameOf)) },
    findings: [...findings],
  };
};

/** Returns the orders that the rows belong to or seem to belong to. */
export const ordersShown = (
  columns: Columns,
  { orders, count }: { readonly orders: number | undefined; readonly count: number },
): Preview['orders'] => {
  const found = columns.orders ?? proposedOrders(columns);
  if (orders === undefined || found === undefined) return null;
  const nameOf = (index: number): string => shownName(must(columns.header[index], 'the name of a column'));
  return {
    column: nameOf(found.column),
    quantity: found.quantity === undefined ? null : nameOf(found.quantity),
    isJoined: columns.orders !== undefined,
    rows: count,
    orders,
  };
};

const SHOWN_SERVICES = 50;
const SHOWN_CHARACTERS = 100;

/** Counts rows by service name. */
export const createServiceCounter = (codes: readonly string[]) => {
  const counts = new Map<string, { readonly code: string | null; rows: number }>();
  return {
    add: ({ written, cell }: RowReader): void => {
      const name = written('shippingService').trim();
      const known = counts.get(name);
      if (known !== undefined) known.rows += 1;
      else if (name !== '' && name.length <= SHOWN_CHARACTERS && counts.size < SHOWN_SERVICES) {
        const code = cell('shippingService');
        counts.set(name, { code: code === '' || codes.includes(code) ? code : null, rows: 1 });
      }
    },
    result: (): Preview['services'] => [...counts].map(([name, { code, rows }]) => ({ name, code, rows })),
  };
};
