/** Weights and sides in the formats of shipping tools: certain repairs, and cells that stay unchanged. */
import { describe, expect, test } from 'vitest';
import { repairSide, repairWeight } from '../../../src/lists/rows/repair.ts';

type Read = readonly [cell: string, units: string, value: string, mended: string];

describe('a weight', () => {
  test.each<Read>([
    ['2', '', '2', ''],
    ['2.50', 'LB', '2.50', 'LB'],
    ['2.50', 'KG', '2.50', 'KG'],
    ['2.50', '', '2.50', ''],
    ['2', 'lb', '2', 'LB'],
    ['2', ' kgs. ', '2', 'KG'],
    ['2.50', 'lbs', '2.5', 'LB'],
    [' 2 ', '', '2', ''],
    ['2,5', '', '2.5', ''],
    ['8', 'OZ', '0.5', 'LB'],
    ['250', 'g', '0.25', 'KG'],
    ['2 kg', '', '2', 'KG'],
    ['2KG.', 'KG', '2', 'KG'],
    ['2.lb', '', '2', 'LB'],
    ['5 lb 3 oz', '', '5.1875', 'LB'],
    ['5 lb 3 oz', ' ', '5.1875', 'LB'],
    ['5lb3oz', 'lbs', '5.1875', 'LB'],
    ['5 pounds and 3 ounces', '', '5.1875', 'LB'],
    ['5 lbs. 3 oz', '', '5.1875', 'LB'],
    ['1 pound, 1 ounce.', '', '1.0625', 'LB'],
    ['1.5 lb 8 oz', '', '2', 'LB'],
  ])('%j %j is %s %s', (cell, units, value, mended) => {
    expect(repairWeight(cell, units, true)).toEqual({ value, units: mended });
  });

  test.each([
    ['', ''],
    ['x', 'LB'],
    ['-2', 'LB'],
    ['2', 'stone'],
    ['2 stone', ''],
    ['2', 'l.b'],
    ['2 kg 3 oz', ''],
    ['5 lb', 'KG'],
    ['5 lb 3 oz', 'KG'],
    ['5 lb 3 oz', 'x'],
    ['5 lb x oz', ''],
    ['5 lb 1,200 oz', ''],
    ['x lb 3 oz', ''],
    ['1,200 lb 3 oz', ''],
    ['5 lb 3 oz x', ''],
    ['x 5 lb 3 oz', ''],
    ['x2kg', ''],
    ['2kg x', ''],
    ['1,200', 'G'],
    ['999999999999999', 'OZ'],
    ['1234567890123456', 'lb'],
    ['999999999999.99 lb 1 oz', ''],
  ])('%j %j is not certain', (cell, units) => {
    expect(repairWeight(cell, units, true)).toBeUndefined();
  });

  test('has forty characters at most', () => {
    expect(repairWeight(`2${' '.repeat(37)}kg`, '', true)).toEqual({ value: '2', units: 'KG' });
    expect(repairWeight(`2${' '.repeat(38)}kg`, '', true)).toBeUndefined();
    expect(repairWeight(`  2${' '.repeat(37)}kg`, '', true)).toEqual({ value: '2', units: 'KG' });
  });

  test('may state its own unit, unless its row states another one', () => {
    expect(repairWeight('2 kg', 'LB', false)).toEqual({ value: '2', units: 'KG' });
    expect(repairWeight('2 kg', 'stone', false)).toEqual({ value: '2', units: 'KG' });
    expect(repairWeight('5 lb 3 oz', 'KG', false)).toEqual({ value: '5.1875', units: 'LB' });
    expect(repairWeight('2 kg', 'stone', true)).toBeUndefined();
    expect(repairWeight('2 kg', ' ', true)).toEqual({ value: '2', units: 'KG' });
    // No other unit is known.
    expect(repairWeight('2,5', 'stone', false)).toEqual({ value: '2.5', units: '' });
  });
});

describe('a side of a box', () => {
  test.each<Read>([
    ['10', '', '10', ''],
    ['10.0', 'IN', '10.0', 'IN'],
    ['10.0', 'CM', '10.0', 'CM'],
    ['10.0', '', '10.0', ''],
    ['10', 'inches', '10', 'IN'],
    ['10 in', '', '10', 'IN'],
    ['10 in.', 'IN', '10', 'IN'],
    ['10"', '', '10', 'IN'],
    ['10.50"', 'in', '10.5', 'IN'],
    ['30,5', 'cm', '30.5', 'CM'],
    [' 10cm ', '', '10', 'CM'],
    ['10,5', '', '10.5', ''],
    ['10 cm', ' ', '10', 'CM'],
  ])('%j %j is %s %s', (cell, units, value, mended) => {
    expect(repairSide(cell, units)).toEqual({ value, units: mended });
  });

  test.each([
    ['', ''],
    ['x', ''],
    ['10 ft', ''],
    ['10', 'ft'],
    ['10 in', 'ft'],
    ['10 in', 'CM'],
    ['10"', 'CM'],
    ['"10', ''],
    ['-1', 'IN'],
    ['10 lb', ''],
    ['1,200', 'CM'],
    ['1234567890123456', 'in'],
  ])('%j %j is not certain', (cell, units) => {
    expect(repairSide(cell, units)).toBeUndefined();
  });
});
