/** Converts the sides of rows whose cells state their own unit: `12 in`, `12 x 9 x 6 in`. */
import { lengthIn } from '../columns/cell-measure.ts';
import type { Columns } from '../columns/columns.ts';
import { type Field, SIDES } from '../columns/fields.ts';
import type { CellReader } from './row.ts';

/** @returns a reader of the row's cells with plain sides; undefined if the list's sides cannot state units */
export const sidesReader = ({ fields, words }: Columns): ((cell: CellReader) => CellReader) | undefined => {
  const isOneCell = words.includes('dimensions');
  const worded = SIDES.filter((side) => isOneCell || words.includes(side));
  if (worded.length === 0) return undefined;
  const isBinding = fields.dimension_units !== undefined;
  return (cell) => {
    const values = new Map<Field, string>();
    const units = new Set<string>();
    for (const side of worded) {
      const own = lengthIn(cell(side));
      if (own === undefined) continue;
      values.set(side, own.value);
      units.add(own.unit);
    }
    const [unit] = units;
    if (unit === undefined) return cell;
    const stated = cell('dimension_units');
    // A unit for all rows gives way to the units in the cells. A side without a unit does not, except in `12 x 9 x 6 in`.
    const isOfAll = values.size === SIDES.length || (isOneCell && values.has('height'));
    const givesWay = stated === unit || (isOfAll && (stated === '' || !isBinding));
    if (units.size > 1 || !givesWay) return cell;
    return (field) => (field === 'dimension_units' ? unit : (values.get(field) ?? cell(field)));
  };
};
