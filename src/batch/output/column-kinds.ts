/** The kinds of values in the columns that an output adds, by their declaration. */
import { columnsOf, isComparedCount, isComparedMoney } from '../../lists/comparison/columns.ts';
import { addedColumn } from '../../lists/output/output-columns.ts';
import { addedColumns } from '../../lists/output/output-format.ts';
import type { BatchDocument } from '../records.ts';

/** Returns the names of the columns that the service adds. */
export const addedTo = ({ columns, format, comparison }: BatchDocument): readonly string[] =>
  comparison === undefined ? addedColumns(columns, format) : columnsOf(comparison);

/** @param name the name of an added column. Zones are text, because some carriers have names such as `2A` */
export const kindOfAdded = (name: string, isComparison: boolean): 'text' | 'money' | 'count' | 'date' => {
  if (!isComparison) {
    const kind = addedColumn(name)?.kind ?? 'text';
    return kind === 'zone' ? 'text' : kind;
  }
  if (isComparedMoney(name)) return 'money';
  return isComparedCount(name) ? 'count' : 'text';
};
