/** The meaning, rank and unit of column names. */
import { describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import { bare, isLikely, knownFields, meaningOf, namesOf, unitInName } from '../../../src/lists/columns/aliases.ts';
import { fieldCalled, fieldNamed, normal } from '../../../src/lists/columns/fields.ts';

test.each([
  ['Ship To Zip', { field: 'postalCode', rank: 0 }],
  ['zip', { field: 'postalCode', rank: 10 }],
  ['Zip Code (Shipping)', { field: 'postalCode', rank: 0 }],
  ['Total Weight', { field: 'weight_value', rank: 20 }],
  ['Package Length', { field: 'length', rank: 0 }],
  ['Dim Height', { field: 'height', rank: 0 }],
  ['No. of Boxes', { field: 'packages', rank: 0 }],
  // Of several names for one address, the first is the most certain.
  ['Country', { field: 'countryCode', rank: 10 }],
  ['Country Code', { field: 'countryCode', rank: 11 }],
  ['Ship To Country', { field: 'countryCode', rank: 0 }],
  ['Ship To Country Code', { field: 'countryCode', rank: 1 }],
  ['Street 1', { field: 'addressLine', rank: 13 }],
  ['Address 1&2', { field: 'addressLine', rank: 11 }],
  ['Street', { field: 'addressLine', rank: 18 }],
  ['country_code_alpha2', { field: 'countryCode', rank: 14 }],
  ['Nation', { field: 'countryCode', rank: 10 }],
  // Sides by short names and letters.
  ['Len', { field: 'length', rank: 10 }],
  ['Lgth', { field: 'length', rank: 10 }],
  ['Wid', { field: 'width', rank: 10 }],
  ['Hgt', { field: 'height', rank: 10 }],
  ['L', { field: 'length', rank: 11, letter: true }],
  ['L (in)', { field: 'length', rank: 11, unit: 'IN' }],
  ['Pkg W', { field: 'width', rank: 1 }],
  ['Carton H', { field: 'height', rank: 1 }],
  ['LxWxH', { field: 'dimensions', rank: 10 }],
  ['lwh', { field: 'dimensions', rank: 10 }],
  ['L x W x H (in)', { field: 'dimensions', rank: 10, unit: 'IN' }],
  ['Package Dimensions (LxWxH)', { field: 'dimensions', rank: 0 }],
  ['Length x Width x Depth', undefined],
  ['Resi', { field: 'residential', rank: 10 }],
  ['Resi/Comm', { field: 'residential', rank: 10 }],
  ['Address Classification', { field: 'residential', rank: 10 }],
  ['# of Packages', { field: 'packages', rank: 0 }],
  ['Number of Package(s)', { field: 'packages', rank: 0 }],
  ['Qty of Packages', { field: 'packages', rank: 0 }],
  ['Pcs', { field: 'packages', rank: 0 }],
  ['No. Cartons', { field: 'packages', rank: 0 }],
  // Names without separators, and with words that a form adds.
  ['shiptopostalcode', { field: 'postalCode', rank: 0 }],
  ['ZIP (required)', { field: 'postalCode', rank: 10 }],
  ['Weight (lb) (optional)', { field: 'weight_value', rank: 10, unit: 'LB' }],
  ['Weight (lb)', { field: 'weight_value', rank: 10, unit: 'LB' }],
  ['Package Weight in Kilograms', { field: 'weight_value', rank: 0, unit: 'KG' }],
  ['Order Weight (oz)', { field: 'weight_value', rank: 20, unit: 'OZ' }],
  ['weight g', { field: 'weight_value', rank: 10, unit: 'G' }],
  ['Wt. [KG]', { field: 'weight_value', rank: 10, unit: 'KG' }],
  ['PackageWeightLbs', { field: 'weight_value', rank: 0, unit: 'LB' }],
  ['Length (cm)', { field: 'length', rank: 10, unit: 'CM' }],
  ['Box Width in', { field: 'width', rank: 0, unit: 'IN' }],
  ['Height in inches', { field: 'height', rank: 10, unit: 'IN' }],
  ['weight_value (lb)', { field: 'weight_value', rank: 0, unit: 'LB' }],
  ['Pounds', { field: 'weight_value', rank: 10, unit: 'LB' }],
  ['oz', { field: 'weight_value', rank: 10, unit: 'OZ' }],
  // Ounces without pounds are the whole weight.
  ['weight_ounces', { field: 'weight_value', rank: 10, unit: 'OZ' }],
  ['lbs', { field: 'weight_value', rank: 10, unit: 'LB' }],
])('%s means %j', (name, meaning) => {
  expect(meaningOf(name)).toEqual(meaning);
});

test.each([
  '',
  'Sender Zip',
  'quantity',
  // A unit alone is probably a cell. A side is not in pounds, and a weight is not in inches.
  'LB',
  'kg',
  'g',
  'in',
  'inches',
  'Length (lb)',
  'Weight (in)',
  'weighing',
  'Weightg',
  'Zip in',
  // The caller must choose these. They may be about an item, the number of a label, or a yes.
  'Item Length (in)',
  'Address Type',
  'Delivery Type',
  'Home Delivery',
  'Package Number',
  'Lineitem quantity',
  'Buyer Country',
  'Land',
  'Signature Required',
  'LxW',
  'Depth',
  'Address 2',
])('%j means nothing', (name) => {
  expect(meaningOf(name)).toBeUndefined();
});

test('ignores a name of more than two hundred characters', () => {
  expect(meaningOf(`zip${' '.repeat(197)}`)).toEqual({ field: 'postalCode', rank: 10 });
  expect(meaningOf(`zip${' '.repeat(198)}`)).toBeUndefined();
  expect(unitInName(`Mass (lb)${' '.repeat(191)}`, 'weight_value')).toBe('LB');
  expect(unitInName(`Mass (lb)${' '.repeat(192)}`, 'weight_value')).toBeUndefined();
});

test.each([
  ['Weight (lb)', 'weight_value', 'LB'],
  ['Mass (lb)', 'weight_value', 'LB'],
  ['Mass in kg.', 'weight_value', 'KG'],
  ['Mass [oz] ', 'weight_value', 'OZ'],
  ['mass:g', 'weight_value', 'G'],
  ['mass-lb', 'weight_value', 'LB'],
  ['mass_lb', 'weight_value', 'LB'],
  ['massKg', 'weight_value', 'KG'],
  ['kg', 'weight_value', 'KG'],
  ['Side (cm)', 'length', 'CM'],
  ['Side in', 'width', 'IN'],
  ['Side, inches', 'height', 'IN'],
  ['Side (cm)', 'weight_value', undefined],
  ['Mass (lb)', 'length', undefined],
  ['Mass (lb)', 'postalCode', undefined],
  // A slash separates two units.
  ['Mass kg/lb', 'weight_value', undefined],
  ['Mass', 'weight_value', undefined],
  ['Masslb', 'weight_value', 'LB'],
  ['Clublb', 'weight_value', undefined],
  ['lb mass', 'weight_value', undefined],
  ['', 'weight_value', undefined],
] as const)('the unit in %j, as a %s, is %s', (name, field, unit) => {
  expect(unitInName(name, field)).toBe(unit);
});

test('ranks names that often mean something else as likely', () => {
  expect(['Total Weight', 'uom'].map((name) => isLikely(meaningOf(name) ?? { field: 'packages', rank: 0 }))).toEqual([
    true,
    true,
  ]);
  expect(['weight', 'Ship To Zip'].map((name) => isLikely(meaningOf(name) ?? { field: 'packages', rank: 20 }))).toEqual(
    [false, false],
  );
});

test('gives four names of a required field for messages', () => {
  expect(namesOf('warehouse_id')).toBe('warehouse, warehouse number, warehouse no, warehouse code');
  const names = (['warehouse_id', 'postalCode', 'weight_value', 'weight_units'] as const).map((field) =>
    namesOf(field)
      .split(', ')
      .map((name) => meaningOf(name)?.field === field),
  );
  expect(names).toEqual(Array(4).fill([true, true, true, true]));
});

test('compares names by letters and digits only', () => {
  expect(bare(' Ship-To: ZIP_5 (Übersee) ')).toBe('shiptozip5übersee');
  expect(normal(' Postal_-Code\t')).toBe('postalcode');
});

test('counts each known field of a row once', () => {
  expect(withoutPause(knownFields(['zip', 'Postal Code', 'weight', 'x', '']))).toBe(2);
  expect(withoutPause(knownFields(['warehouse_id', 'weightValue', 'Ref']))).toBe(2);
  expect(withoutPause(knownFields([]))).toBe(0);
});

describe('a field', () => {
  test('is recognized by its name, without regard to case, spaces, _ and -', () => {
    expect(fieldCalled('Weight Value')).toBe('weight_value');
    expect(fieldCalled('POSTAL-code')).toBe('postalCode');
    expect(fieldCalled('weight_ounces')).toBe('weight_ounces');
    expect(fieldCalled('Quantity')).toBe('packages');
    expect(fieldCalled('zip')).toBeUndefined();
  });

  test('is not recognized by the bare name of ounces or quantity', () => {
    expect(fieldNamed('Weight Value')).toBe('weight_value');
    expect(fieldNamed('weight_ounces')).toBeUndefined();
    expect(fieldNamed('quantity')).toBeUndefined();
  });
});
