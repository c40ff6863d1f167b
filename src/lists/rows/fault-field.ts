/** Finds the field and the column of the list that a fault is about. */

import { must } from '../../base/must.ts';
import { encodeText } from '../../files/csv/cell.ts';
import { type Fault, faultBody, SHIPMENT_FAULTS } from '../../rating/fault.ts';
import { fieldAt } from '../../rating/fields.ts';
import type { Columns } from '../columns/columns.ts';
import { type Problem, problemsOf } from '../columns/fault-words.ts';
import { columnOf, type Field } from '../columns/fields.ts';
import { cellForm } from './passed-cells.ts';

/** Returns the fields that a fault is about, each once. Undefined stands for a fault that is about no field. */
export const faultFields = (fault: Fault): readonly (Field | undefined)[] => {
  if ('about' in fault) return [typeof fault.about === 'number' ? undefined : fault.about];
  if (fault.type === 'getRates.invalidRequest') return [...new Set(fault.issues.map(({ path }) => fieldAt(path)))];
  if (fault.type === 'getRates.noDeliveryCoverage') {
    if (fault.country !== undefined) return ['countryCode'];
    if (fault.notTo !== undefined) return [fault.notTo === 'homes' ? 'residential' : 'addressLine'];
  }
  if (fault.type === 'getRates.weightNotServed' && fault.isLight === true) return ['length'];
  return [SHIPMENT_FAULTS[fault.type].fields[0]];
};

/** Returns the index of the column with a field. A list may have its weights only in ounces. */
export const columnWith = (field: Field, { fields }: Pick<Columns, 'fields'>): number | undefined =>
  columnOf(fields, field) ?? (field === 'weight_value' ? fields.weight_ounces : undefined);

/** Returns the name of the list's own column that a fault is about. It is empty if there is none. */
const columnName = (fault: Fault, columns: Columns): string => {
  const about = 'about' in fault && typeof fault.about === 'number' ? [fault.about] : faultFields(fault);
  const [index] = about.flatMap((one) => (typeof one === 'string' ? columnWith(one, columns) : one) ?? []);
  return index === undefined ? '' : must(columns.header[index], 'the name of a column');
};

/** Returns the fields that a fault is about, each with its problem. */
export const wrongIn = (fault: Fault, columns: Columns): readonly Problem[] => {
  const { type, message, arguments: args } = faultBody(fault);
  return problemsOf(type, message, args, columnName(fault, columns), faultFields(fault)[0]);
};

/**
 * @returns the cell `fault_column`, as the scanner's text. It is the name of the list's own column that the fault is about,
 * as in the output's header. It is empty if there is none
 */
export const faultColumnCell =
  (columns: Columns, keepFormulas: boolean): ((fault: Fault) => string) =>
  (fault) =>
    cellForm(keepFormulas)(encodeText(columnName(fault, columns)));
