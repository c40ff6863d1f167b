import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type { Field } from '../../../src/lists/columns/fields.ts';
import { REPAIRS, type Repair, repairRow, zipExists } from '../../../src/lists/rows/repair.ts';
import { rowBody } from '../../../src/lists/rows/row.ts';
import { readShipment } from '../../../src/rating/shipment.ts';

type Row = Partial<Record<Field, string>>;

const SOUND: Row = { warehouse_id: '101', postalCode: '02139', weight_value: '2', weight_units: 'LB' };

const mend = (row: Row, repairs: readonly Repair[] = REPAIRS, fields: Partial<Record<Field, number>> = {}) => {
  const all = { ...SOUND, ...row };
  return repairRow((field) => all[field] ?? '', { repairs, fields });
};
const withUnitColumn = { weight_units: 3 };

describe('ZIP codes', () => {
  test.each([
    ['2139', '02139'],
    ['501', '00501'],
    ['02139.0', '02139'],
    ['2139.00', '02139'],
    ['021391234', '02139-1234'],
    ['21391234', '02139-1234'],
    ['2139-1234', '02139-1234'],
    ['02139-', '02139'],
    ['02139 1234', '02139-1234'],
    [' 02139 ', '02139'],
    ["'02139", '02139'],
    ['="02139"', '02139'],
  ])('%s becomes %s', (zip, mended) => {
    const { cell, notes } = mend({ postalCode: zip }, ['zip']);
    expect(cell('postalCode')).toBe(mended);
    expect(notes).toEqual([`postalCode ${zip} read as ${mended}`]);
  });

  test.each([
    '02139',
    '02139-1234',
    '99999',
    '9999',
    '12',
    '213912',
    '0',
    'ABCDE',
    '',
    '2139a',
    '1e4',
    '-2139',
    '="0213"9',
    '0="2139"',
    "0'2139",
    '021.039',
    '021391234x',
    'x021391234',
    '02139-123',
    '02139--1234',
    '02139.0000000',
  ])('%s stays unchanged', (zip) => {
    const { cell, notes } = mend({ postalCode: zip }, ['zip']);
    expect([cell('postalCode'), notes]).toEqual([zip, []]);
  });

  test('of other countries stay unchanged', () => {
    const { cell, notes } = mend({ postalCode: '2139', countryCode: 'AU' });
    expect([cell('postalCode'), notes]).toEqual(['2139', []]);
  });

  test.each(['USA', 'United States', 'u.s.a.', 'UNITED STATES OF AMERICA'])('the country %s becomes US', (country) => {
    const { cell, notes } = mend({ postalCode: '2139', countryCode: country });
    expect([cell('countryCode'), cell('postalCode')]).toEqual(['US', '02139']);
    expect(notes).toEqual([`countryCode ${country} read as US`, 'postalCode 2139 read as 02139']);
  });

  test('are repaired up to a thousand characters', () => {
    expect(mend({ postalCode: `${' '.repeat(996)}2139` }).cell('postalCode')).toBe('02139');
    const long = `${' '.repeat(997)}2139`;
    expect([mend({ postalCode: long }).cell('postalCode'), mend({ postalCode: long }).notes]).toEqual([long, []]);
  });

  test('are only repaired on request', () => {
    expect(mend({ postalCode: '2139' }, ['weight']).cell('postalCode')).toBe('2139');
  });

  test('are in the list if they have residents', () => {
    expect(['02139', '00501', '90001', '99501', '00901', '73301'].map(zipExists)).toEqual(Array(6).fill(true));
    expect(['00000', '99999', '02100', '00500'].map(zipExists)).toEqual(Array(4).fill(false));
  });
});

describe('weights', () => {
  test.each([
    ['12', 'OZ', '0.75', 'LB'],
    ['1', 'oz', '0.0625', 'LB'],
    ['2500', 'G', '2.5', 'KG'],
    ['0.1', 'grams', '0.0001', 'KG'],
    ['5 lb 3 oz', '', '5.1875', 'LB'],
    ['5lb3oz', 'LB', '5.1875', 'LB'],
    ['5 lbs, 3.5 oz.', '', '5.21875', 'LB'],
    ['2.3kg', '', '2.3', 'KG'],
    ['12 oz', 'OZ', '0.75', 'LB'],
    ['2', 'lbs', '2', 'LB'],
    ['2', 'kg', '2', 'KG'],
    ['2,5', 'KG', '2.5', 'KG'],
    ['0,125', 'KG', '0.125', 'KG'],
    [' 2.5 ', 'LB', '2.5', 'LB'],
    ['8|12', 'OZ', '0.5|0.75', 'LB'],
    ['1 lb|500 g', '', '1|0.5', 'LB|KG'],
    ['16|2', 'OZ|LB', '1|2', 'LB'],
  ])('%s %s is %s %s', (value, units, mendedValue, mendedUnits) => {
    const { cell } = mend({ weight_value: value, weight_units: units }, ['weight'], withUnitColumn);
    expect([cell('weight_value'), cell('weight_units')]).toEqual([mendedValue, mendedUnits]);
  });

  test('are reported in their original form', () => {
    expect(mend({ weight_value: '12', weight_units: 'OZ' }).notes).toEqual(['weight_value 12 OZ read as 0.75 LB']);
    expect(mend({ weight_value: '2.3kg', weight_units: '' }).notes).toEqual(['weight_value 2.3kg read as 2.3 KG']);
    expect(mend({ weight_value: '2,5', weight_units: '' }).notes).toEqual(['weight_value 2,5 read as 2.5']);
    expect(mend({ weight_value: '2', weight_units: 'lbs' }).notes).toEqual(['weight_value 2 lbs read as 2 LB']);
    expect(mend({ weight_value: '8|1 kg', weight_units: 'OZ' }).notes).toEqual([
      'weight_value 8|1 kg read as 0.5|1 LB|KG',
    ]);
    expect(mend({}).notes).toEqual([]);
  });

  test('are only repaired on request', () => {
    const { cell, notes } = mend({ weight_value: '8', weight_units: 'OZ' }, ['zip', 'size', 'residential']);
    expect([cell('weight_value'), cell('weight_units'), notes]).toEqual(['8', 'OZ', []]);
  });

  test.each([
    ['1,200', 'G'],
    ['2.3kg', 'LB'],
    ['5 lb 3 oz', 'KG'],
    ['5 st', 'LB'],
    ['2', 'stone'],
    ['-2', 'OZ'],
    ['1e3', 'G'],
    ['about 2', 'LB'],
    ['2|x', 'LB'],
    ['0.12345678901234567', 'OZ'],
    ['2|3', 'OZ|LB|KG'],
  ])('%s %s is not certain and stays unchanged', (value, units) => {
    const { cell, notes } = mend({ weight_value: value, weight_units: units }, REPAIRS, withUnitColumn);
    expect([cell('weight_value'), cell('weight_units'), notes]).toEqual([value, units, []]);
  });

  test('may state a unit other than the upload’s', () => {
    expect(mend({ weight_value: '2.3kg', weight_units: 'LB' }).notes).toEqual(['weight_value 2.3kg read as 2.3 KG']);
  });

  test('are converted exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_584_000 }), (thousandths) => {
        const ounces = (thousandths / 1_000).toFixed(3);
        const mended = Number(mend({ weight_value: ounces, weight_units: 'OZ' }).cell('weight_value'));
        // The result is exact. A double has more binary digits than sixteenths of thousandths need here.
        expect(mended).toBe(
          Number(
            `${(BigInt(thousandths) * 625n) / 10_000_000n}.${String((BigInt(thousandths) * 625n) % 10_000_000n).padStart(7, '0')}`,
          ),
        );
      }),
    );
  });
});

describe('sides of a box', () => {
  test('are repaired with their units', () => {
    const { cell, notes } = mend({ length: '30,5', width: '20 cm', height: '10', dimension_units: 'cm' });
    expect(['length', 'width', 'height', 'dimension_units'].map((name) => cell(name as Field))).toEqual([
      '30.5',
      '20',
      '10',
      'CM',
    ]);
    expect(notes).toEqual(['dimensions 30,5 x 20 cm x 10 cm read as 30.5 x 20 x 10 CM']);
  });

  const sidesOf = (row: Row) => {
    const { cell, notes } = mend(row);
    return [(['length', 'width', 'height', 'dimension_units'] as const).map(cell).join(' '), ...notes];
  };

  test('are repaired if some are missing', () => {
    expect(sidesOf({ length: '30,5', height: '10', dimension_units: 'cm' })).toEqual([
      '30.5  10 CM',
      'dimensions 30,5 x  x 10 cm read as 30.5 x  x 10 CM',
    ]);
    expect(sidesOf({ length: '10"' })).toEqual(['10   IN', 'dimensions 10" x  x read as 10 x  x  IN']);
    expect(sidesOf({ length: '10,5' })).toEqual(['10.5   ', 'dimensions 10,5 x  x read as 10.5 x  x']);
  });

  test('have units of a request', () => {
    expect(sidesOf({ length: '10', width: '20', height: '30', dimension_units: 'in' })).toEqual([
      '10 20 30 IN',
      'dimensions 10 x 20 x 30 in read as 10 x 20 x 30 IN',
    ]);
    expect(sidesOf({ length: '10 in', width: '20', height: '30', dimension_units: 'IN' })).toEqual([
      '10 20 30 IN',
      'dimensions 10 in x 20 x 30 IN read as 10 x 20 x 30 IN',
    ]);
  });

  test('are repaired for each package', () => {
    expect(sidesOf({ length: '10 in|20 in', width: '5', height: '5|6', dimension_units: 'in' })).toEqual([
      '10|20 5 5|6 IN',
      'dimensions 10 in|20 in x 5 x 5|6 in read as 10|20 x 5 x 5|6 IN',
    ]);
    expect(sidesOf({ length: '10|20', dimension_units: 'in|inches' })[0]).toBe('10|20   IN');
    expect(sidesOf({ length: '10|20', dimension_units: 'in|cm' })).toEqual(['10|20   in|cm']);
  });

  test('stay unchanged if one cannot be read', () => {
    expect(sidesOf({ length: '10 in', width: 'x', height: '5' })).toEqual(['10 in x 5 ']);
    expect(sidesOf({ length: 'x', width: 'x', height: 'x' })).toEqual(['x x x ']);
    expect(sidesOf({})).toEqual(['   ']);
  });

  test('are only repaired on request', () => {
    expect(mend({ length: '10 in' }, ['zip', 'weight', 'residential']).notes).toEqual([]);
  });

  test('stay unchanged in two units', () => {
    expect(mend({ length: '10 in', width: '20 cm', height: '10 in' }).notes).toEqual([]);
    expect(mend({ length: '10', width: '20', height: '10', dimension_units: 'IN' }).notes).toEqual([]);
  });
});

describe('residential', () => {
  test.each([
    ['Y', 'true'],
    ['yes', 'true'],
    ['1', 'true'],
    ['N', 'false'],
    ['Commercial', 'false'],
  ])('%s is %s', (word, mended) => {
    const { cell, notes } = mend({ residential: word });
    expect([cell('residential'), notes]).toEqual([mended, [`residential ${word} read as ${mended}`]]);
    expect(mend({ residential: word }, ['zip', 'weight', 'size']).cell('residential')).toBe(word);
  });

  test.each(['true', 'FALSE', '', 'maybe', '2'])('%j stays unchanged', (word) => {
    const { cell, notes } = mend({ residential: word });
    expect([cell('residential'), notes]).toEqual([word, []]);
  });
});

describe('a declared value', () => {
  test.each([
    ['$250', '250'],
    ['$1,250.50', '1250.50'],
    ['1,250', '1250'],
    ['1250,5', '1250.5'],
    ['US$ 12,345', '12345'],
    ['250 USD', '250'],
  ])('%s is %s', (value, mended) => {
    const { cell, notes } = mend({ declared_value: value });
    expect([cell('declared_value'), notes]).toEqual([mended, [`declared_value ${value} read as ${mended}`]]);
    expect(mend({ declared_value: value }, ['zip', 'weight', 'size', 'residential']).notes).toEqual([]);
  });

  test.each(['250', '250.5', '', '-5', '€250', '1,25,000', '1.250,00', '1,250,5', '$', '12,3456', '250.123'])(
    '%j stays unchanged',
    (value) => {
      const { cell, notes } = mend({ declared_value: value });
      expect([cell('declared_value'), notes]).toEqual([value, []]);
    },
  );
});

test('reports repairs only for repaired rows', () => {
  const weird = fc.oneof(
    fc.constantFrom('2139', '02139', 'USA', 'US', '5 lb 3 oz', '12', '2,5', 'OZ', 'LB', 'Y', 'true', '', '1|2'),
    fc.string({ maxLength: 10 }),
  );
  const row = fc.record({
    postalCode: weird,
    countryCode: weird,
    weight_value: weird,
    weight_units: weird,
    residential: weird,
    length: weird,
    dimension_units: weird,
    declared_value: fc.oneof(weird, fc.constantFrom('$5', '1,200', '5.00')),
  });
  fc.assert(
    fc.property(row, (cells) => {
      const all: Row = { ...SOUND, ...cells };
      const before = (field: Field): string => all[field] ?? '';
      const { cell, notes } = repairRow(before, { repairs: REPAIRS, fields: withUnitColumn });
      const read = readShipment(rowBody(before));
      if (!(read instanceof Failed)) expect(readShipment(rowBody(cell))).toEqual(read);
      const changed = (
        [
          'postalCode',
          'countryCode',
          'weight_value',
          'weight_units',
          'residential',
          'length',
          'declared_value',
        ] as const
      ).some((field) => cell(field) !== before(field));
      if (changed) expect(notes.length).toBeGreaterThan(0);
      // A repaired row needs no further repair.
      expect(repairRow(cell, { repairs: REPAIRS, fields: withUnitColumn }).notes).toEqual([]);
    }),
    { numRuns: 800 },
  );
});
