/** Which field and which column of the list a fault is about. */
import { encodeText } from '../csv/cell.ts';
import { must } from '../must.ts';
import { type Fault, faultBody } from '../rating/fault.ts';
import type { Columns } from './columns.ts';
import { columnOf, FIELDS, type Field } from './fields.ts';
import { cellForm } from './passed-cells.ts';

/** Members of a request that have other names than their fields, by the end of their paths. */
const MEMBERS: Readonly<Record<string, Field>> = {
  'weight.value': 'weight_value',
  'weight.units': 'weight_units',
  weight: 'weight_value',
  'dimensions.units': 'dimension_units',
  dimensions: 'length',
  packageItems: 'packages',
  declaredValue: 'declared_value',
  nonStandardPackaging: 'non_standard_packaging',
};

/** The field of a JSON path in the body of a single call. */
const fieldOfPath = (path: string): Field | undefined => {
  const steps = path.replaceAll(/\[\d+\]/g, '').split('.');
  const last = steps.at(-1) ?? '';
  return MEMBERS[steps.slice(-2).join('.')] ?? MEMBERS[last] ?? FIELDS.find((name) => name === last);
};

const FIELD_OF = {
  'getRates.noTariff': 'shipDate',
  'getRates.unknownShippingService': 'shippingService',
  'getRates.unknownWarehouse': 'warehouse_id',
  'getRates.noDeliveryCoverage': 'postalCode',
  'getRates.addressLineRequired': 'addressLine',
  'getRates.weightNotServed': 'weight_value',
  'getRates.sizeNotServed': 'length',
  'getRates.saturdayNotOffered': 'saturday',
  'getRates.incompletePrice': 'shippingService',
  'row.malformed': undefined,
} as const satisfies Readonly<Record<Exclude<Fault['type'], 'getRates.invalidRequest'>, Field | undefined>>;

interface Wrong {
  readonly field: Field | undefined;
  readonly message: string;
}

/** The fields that a fault is about, each with what is wrong there. */
export const wrongIn = (fault: Fault): readonly Wrong[] => {
  if (fault.type !== 'getRates.invalidRequest')
    return [{ field: FIELD_OF[fault.type], message: faultBody(fault).message }];
  const byField = new Map<Field | undefined, Wrong>();
  for (const { path, message } of fault.issues) {
    const own = fieldOfPath(path);
    if (!byField.has(own)) byField.set(own, { field: own, message });
  }
  return [...byField.values()];
};

/** The index of the column that has a field. A list may have its weights in ounces alone. */
export const columnWith = (field: Field, { fields }: Pick<Columns, 'fields'>): number | undefined =>
  columnOf(fields, field) ?? (field === 'weight_value' ? fields.weight_ounces : undefined);

/**
 * @returns the cell `fault_column`, as the scanner's text: the name of the list's own column that the fault is about, as the
 * output's header has it; empty if there is none
 */
export const faultColumnCell =
  (columns: Columns, keepFormulas: boolean): ((fault: Fault) => string) =>
  (fault) => {
    for (const { field } of wrongIn(fault)) {
      const index = field === undefined ? undefined : columnWith(field, columns);
      if (index !== undefined)
        return cellForm(keepFormulas)(encodeText(must(columns.header[index], 'the name of a column')));
    }
    return '';
  };
