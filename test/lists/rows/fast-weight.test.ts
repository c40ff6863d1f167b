/** Weights on the fast path, and their values. */
import { describe, expect, test } from 'vitest';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import { type ReadOptions, readColumns } from '../../../src/lists/columns/columns.ts';
import { plainWeigher } from '../../../src/lists/rows/fast-row.ts';

const COMMA = { delimiter: ',', lineBreak: 'lf' } as const;

const weigherOf = (header: string, reading: ReadOptions = {}) => {
  const columns = readColumns(`${header},warehouse,zip`.split(','), COMMA, reading);
  if ('problems' in columns) throw new Error(JSON.stringify(columns.problems));
  return plainWeigher(columns);
};

/** Returns -1 if the row needs the schema. */
const weigh = (header: string, cells: string, reading: ReadOptions = {}): number | undefined => {
  const { row, scan } = createScanner(COMMA, 1_000);
  scan(`${cells},101,02139`, 0, true);
  return weigherOf(header, reading)?.weigh(row);
};

describe('ounces', () => {
  test.each([
    ['8', 0.5],
    ['0', 0],
    ['1', 0.0625],
    ['90', 5.625],
    ['35.2', 2.2],
    ['0.0001', 0.00000625],
    ['99999', 6_249.9375],
    ['00.5', 0.03125],
  ])('%s are %d pounds', (cell, pounds) => {
    expect(weigh('Weight (oz)', cell)).toBe(pounds);
    expect(weigherOf('Weight (oz)')?.units).toBe('LB');
  });

  test.each(['', '.', '.5', '5.', '123456', '0.00001', '1.2.3', '1e1', '-1', '+1', '1/2', '1:2', ' 1', '"1"""'])(
    '%j are left to the schema',
    (cell) => {
      expect(weigh('Weight (oz)', cell)).toBe(-1);
    },
  );

  test('of a row do not come from the row before it', () => {
    const weigher = weigherOf('Weight (oz)');
    const { row, scan } = createScanner(COMMA, 1_000);
    const text = '1.25,101,02139\n8,101,02139\n';
    scan(text, 0, true);
    expect(weigher?.weigh(row)).toBe(0.078125);
    scan(text, row.next, true);
    expect(weigher?.weigh(row)).toBe(0.5);
  });
});

test.each([
  ['250', 0.25],
  ['1.5', 0.0015],
  ['99999', 99.999],
])('%s grams are %d kilograms', (cell, kilograms) => {
  expect(weigh('Weight (g)', cell)).toBe(kilograms);
  expect(weigherOf('Weight (g)')?.units).toBe('KG');
});

describe('pounds and ounces', () => {
  test.each([
    ['2,3', 2.1875],
    ['0,8', 0.5],
    ['2,0', 2],
    ['2,15.9', 2.99375],
    ['2,0.0001', 2.00000625],
  ])('%s are %d pounds', (cells, pounds) => {
    expect(weigh('Pounds,Ounces', cells)).toBe(pounds);
    expect(weigherOf('Pounds,Ounces')?.units).toBe('LB');
  });

  test.each(['2.5,3', '2,16', '2,16.0', '2,', ',3', 'x,3', '2,x'])('%s are left to the schema', (cells) => {
    expect(weigh('Pounds,Ounces', cells)).toBe(-1);
  });

  test('are left to the schema if the weight is not in pounds', () => {
    expect(weigh('Weight (kg),Rest', '2,3', { named: new Map([['weight_ounces', 'Rest']]) })).toBe(-1);
  });
});

test('other lists have no fast path', () => {
  expect(weigherOf('Weight (lb)')).toBeUndefined();
  expect(weigherOf('Weight (kg)')).toBeUndefined();
  expect(weigherOf('weight,units')).toBeUndefined();
  expect(weigherOf('Weight (oz),weight_units')).toBeUndefined();
  expect(weigherOf('Rest', { named: new Map([['weight_ounces', 'Rest']]) })).toBeUndefined();
  expect(weigherOf('Weight (oz)', { repairs: ['weight'] })).toBeUndefined();
  expect(weigherOf('Weight (oz)', { repairs: ['zip'] })).toBeDefined();
});
