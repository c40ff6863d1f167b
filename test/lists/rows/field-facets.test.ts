/** Each declared field: a row that uses it equals the call with it, on either path. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import { readColumns } from '../../../src/lists/columns/columns.ts';
import { createRowReader } from '../../../src/lists/rows/row-reader.ts';
import {
  FIELD_NAMES,
  type Field,
  fieldAt,
  memberOf,
  OPTION_NAMES,
  type OptionField,
  optionOf,
  specOf,
} from '../../../src/rating/fields.ts';
import { rateRequest, readShipment } from '../../../src/rating/shipment.ts';

type Cells = Partial<Readonly<Record<Field, string>>>;

const PLAIN: Cells = { warehouse_id: '101', postalCode: '02139', weight_value: '2', weight_units: 'LB' };
const ADDRESS = { postalCode: '02139' };
const WEIGHT = { value: 2, units: 'LB' };
const CALL = { shipper: { warehouse_id: 101 }, recipient: { address: ADDRESS }, packageItems: [{ weight: WEIGHT }] };

const readRow = (cells: Cells) => {
  // Columns with these two names count only if the caller names them.
  const own = (['weight_ounces', 'dimensions'] as const).filter((field) => field in cells);
  const named = new Map<Field, string>(own.map((field) => [field, field]));
  const dialect = { delimiter: ',', lineBreak: 'lf' } as const;
  const columns = readColumns(Object.keys(cells), dialect, { named });
  if ('problems' in columns) throw new Error(JSON.stringify(columns.problems));
  const { row, scan } = createScanner(dialect, 1_000);
  scan(Object.values(cells).join(','), 0, true);
  return createRowReader(row, columns).read(1);
};

const sized = (length: number, width: number, height: number, units: string) => ({
  packageItems: [{ weight: WEIGHT, dimensions: { length, width, height, units } }],
});
const SIZE: Cells = { length: '12', width: '9', height: '6', dimension_units: 'IN' };

/** Cells that ask for something, and the same request as part of a call. */
const ASKING: Readonly<Record<Exclude<Field, OptionField>, readonly [cells: Cells, call: object]>> = {
  warehouse_id: [{ warehouse_id: '101|103' }, { shipper: { warehouse_id: [101, 103] } }],
  postalCode: [{ postalCode: '60601' }, { recipient: { address: { postalCode: '60601' } } }],
  weight_value: [{ weight_value: '7.5' }, { packageItems: [{ weight: { ...WEIGHT, value: 7.5 } }] }],
  weight_ounces: [{ weight_ounces: '8' }, { packageItems: [{ weight: { ...WEIGHT, value: 2.5 } }] }],
  weight_units: [{ weight_units: 'KG' }, { packageItems: [{ weight: { ...WEIGHT, units: 'KG' } }] }],
  shippingService: [{ shippingService: 'C1-GROUND' }, { shippingService: 'C1-GROUND' }],
  countryCode: [{ countryCode: 'MX' }, { recipient: { address: { ...ADDRESS, countryCode: 'MX' } } }],
  addressLine: [{ addressLine: '1 Main St' }, { recipient: { address: { ...ADDRESS, addressLine: '1 Main St' } } }],
  residential: [{ residential: 'true' }, { recipient: { address: { ...ADDRESS, residential: true } } }],
  length: [{ ...SIZE, length: '15' }, sized(15, 9, 6, 'IN')],
  width: [{ ...SIZE, width: '10' }, sized(12, 10, 6, 'IN')],
  height: [{ ...SIZE, height: '7' }, sized(12, 9, 7, 'IN')],
  dimensions: [{ dimensions: '12x9x6', dimension_units: 'IN' }, sized(12, 9, 6, 'IN')],
  dimension_units: [{ ...SIZE, dimension_units: 'CM' }, sized(12, 9, 6, 'CM')],
  shipDate: [{ shipDate: '2026-06-01' }, { shipDate: '2026-06-01' }],
  packages: [{ packages: '2' }, { packageItems: [{ weight: WEIGHT }, { weight: WEIGHT }] }],
};

/** The same for an option. The value must differ from the default. A flag has a word in its cell. */
const askingOf = (field: OptionField): readonly [Cells, object] => {
  const { kind, path, values = [], usual } = optionOf(field);
  const plain = { flag: true, dollars: 250, date: '2026-12-24', choice: values.find((own) => own !== usual) };
  const value = plain[kind];
  return [{ [field]: kind === 'flag' ? 'yes' : String(value) }, { options: { [memberOf(path)]: value } }];
};

const CASES = [...Object.entries(ASKING), ...OPTION_NAMES.map((field) => [field, askingOf(field)] as const)].map(
  ([field, [cells, call]]) => ({ field, cells, call }),
);

test('each field has a case', () => {
  expect(CASES.map(({ field }) => field).toSorted()).toEqual([...FIELD_NAMES].toSorted());
});

test.each(CASES)('$field in a row means the same as in a call', ({ cells, call }) => {
  const asked = readRow({ ...PLAIN, ...cells });
  expect(asked).toEqual(readShipment({ rates: { ...CALL, ...call } }));
  expect(asked).toHaveProperty('packages');
  expect(asked).not.toEqual(readRow(PLAIN));
});

test.each([
  [{ dimensions: '12x10' }, { length: 12, width: 10 }],
  [{ dimensions: '"12,10"' }, { length: 12, width: 10 }],
  [{ dimensions: '12x10x8x6' }, { length: '12x10x8x6' }],
  [{ length: '12x10' }, { length: '12x10' }],
])('a row with %j lacks the sides that the call lacks', (cells, dimensions) => {
  const call = { packageItems: [{ weight: WEIGHT, dimensions: { ...dimensions, units: 'IN' } }] };
  const asked = readRow({ ...PLAIN, ...cells, dimension_units: 'IN' });
  expect(asked).toEqual(readShipment({ rates: { ...CALL, ...call } }));
  expect(asked).toHaveProperty('fault');
});

test('a row and a call may leave out the dimensions of one of two packages', () => {
  const [first] = sized(12, 10, 8, 'IN').packageItems;
  const asked = readRow({ ...PLAIN, weight_value: '2|3', dimensions: '12x10x8|', dimension_units: 'IN' });
  const packageItems = [{ ...first, weight: { ...WEIGHT, value: 2 } }, { weight: { ...WEIGHT, value: 3 } }];
  expect(asked).toEqual(readShipment({ rates: { ...CALL, packageItems } }));
  expect(asked).toHaveProperty('packages');
});

/** Returns the paths of the values of a request, below `rates`. */
const pathsIn = (schema: z.core.$ZodType, path: string): string[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return pathsIn(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return pathsIn(schema.out, path);
  if (schema instanceof z.ZodArray) return pathsIn(schema.element, `${path}[]`);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([name, member]) =>
    pathsIn(member, path === '' ? name : `${path}.${name}`),
  );
};

test('the request has each field at its path, and nothing else', () => {
  const paths = FIELD_NAMES.flatMap((field) => specOf(field).path ?? []).filter((path) => path !== 'packageItems');
  expect(pathsIn(rateRequest.shape.rates, '').toSorted()).toEqual(paths.toSorted());
  for (const field of FIELD_NAMES) {
    const { path } = specOf(field);
    if (path !== undefined) expect(fieldAt(`rates.${path.replace('[]', '[1]')}`)).toBe(field);
  }
});

test.each([
  ['rates.packageItems[0].weight', 'weight_value'],
  ['rates.packageItems[12].dimensions', 'packages'],
  ['rates.packageItems[0].colour', 'packages'],
  ['rates.packageItems', 'packages'],
  ['rates.shipDate', 'shipDate'],
  ['postalCode', 'postalCode'],
  ['signature', 'signature'],
  ['rates.recipient.address.street', undefined],
  ['value', undefined],
])('the field of %s is %s', (path, field) => {
  expect(fieldAt(path)).toBe(field);
});
