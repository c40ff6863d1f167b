/** Assigning columns to fields: the caller's choice, a field's own name, then the most certain alias. */
import { describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import {
  chooseColumns,
  choosing,
  claimedTwice,
  quotedName,
  shownName,
} from '../../../src/lists/columns/column-choice.ts';
import type { Field } from '../../../src/lists/columns/fields.ts';

const chosen = (header: string[], named: [Field, string][] = []) => {
  const choice = withoutPause(chooseColumns(header, new Map(named)));
  return {
    columns: Object.fromEntries([...choice.chosen].map(([field, { index }]) => [field, index])),
    exact: [...choice.exact],
    passedOver: choice.passedOver.map(({ field, index }) => [field, index]),
    problems: choice.problems,
  };
};
const TWO =
  'names "x" (column 1) and "x" (column 2) for postalCode: two columns; ?columns=postalCode:x (1) chooses the first of that name, ?columns=postalCode:x (2) the second';
const columnsIn = (...args: Parameters<typeof chosen>) => chosen(...args).columns;

describe('a name in a message', () => {
  test('stands in quotes with the number of its column', () => {
    expect(quotedName({ name: 'Zip', index: 0 })).toBe('"Zip" (column 1)');
  });

  test('has a hundred characters at most', () => {
    expect(shownName('x'.repeat(100))).toBe('x'.repeat(100));
    expect(shownName('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
  });

  test('is written as the parameter takes it', () => {
    expect(choosing('postalCode', 'a,b\\c')).toBe('?columns=postalCode:a\\,b\\\\c');
  });

  test('stands beside four others, and how many more there are', () => {
    const claims = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        field: 'postalCode' as const,
        rank: 0,
        index,
        name: `z${index}`,
      }));
    const all = '"z0" (column 1) and "z1" (column 2) and "z2" (column 3) and "z3" (column 4) and "z4" (column 5)';
    expect(claimedTwice('postalCode', claims(5))).toBe(
      `two columns claim it: ${all}; ?columns=postalCode:z0 chooses one`,
    );
    expect(claimedTwice('postalCode', claims(7))).toBe(
      `two columns claim it: ${all} and 2 more; ?columns=postalCode:z0 chooses one`,
    );
  });
});

describe('what the caller names', () => {
  test('is found by the very name first, then without case, spaces, _ and -', () => {
    expect(columnsIn(['My Zip', 'my_zip', ' My Zip'], [['postalCode', 'my_zip']])).toEqual({ postalCode: 1 });
    expect(columnsIn(['my zip', ' My Zip '], [['postalCode', 'My Zip']])).toEqual({ postalCode: 1 });
    expect(columnsIn(['x', ' My-Zip '], [['postalCode', 'MY ZIP']])).toEqual({ postalCode: 1 });
    expect(columnsIn(['x', ' My Zip '], [['postalCode', 'My Zip']])).toEqual({ postalCode: 1 });
  });

  test('is found in an output, which has an apostrophe before a name that a spreadsheet would run', () => {
    expect(columnsIn(['x', "'=Zip"], [['postalCode', '=Zip']])).toEqual({ postalCode: 1 });
    expect(columnsIn(["'=Zip", '=Zip'], [['postalCode', '=Zip']])).toEqual({ postalCode: 1 });
  });

  test('wins over a field’s own name, which means nothing then', () => {
    expect(columnsIn(['postalCode', 'Area'], [['postalCode', 'Area']])).toEqual({ postalCode: 1 });
  });

  test('has no other meaning', () => {
    expect(columnsIn(['zip', 'weight'], [['warehouse_id', 'zip']])).toEqual({ warehouse_id: 0, weight_value: 1 });
    expect(columnsIn(['postalCode', 'weight'], [['warehouse_id', 'postalCode']])).toEqual({
      warehouse_id: 0,
      weight_value: 1,
    });
  });

  test('states its unit, if it has one', () => {
    const unitOf = (name: string) =>
      withoutPause(chooseColumns([name], new Map([['weight_value', name]]))).chosen.get('weight_value');
    expect(unitOf('Wt in lbs')).toEqual({ field: 'weight_value', rank: 0, index: 0, name: 'Wt in lbs', unit: 'LB' });
    expect(unitOf('Mass')).toEqual({ field: 'weight_value', rank: 0, index: 0, name: 'Mass' });
  });

  test('is no column where nothing stands behind the colon', () => {
    expect(columnsIn(['postalCode', 'zip', 'weight'], [['postalCode', '']])).toEqual({ weight_value: 2 });
  });

  test.each<[string, [Field, string][], string]>([
    ['is not there', [['postalCode', 'Area']], 'names "Area" for postalCode, which is not in the header'],
    ['is there twice', [['postalCode', 'x']], TWO],
    ['is there twice, nearly', [['postalCode', 'X']], TWO],
    [
      'is for two fields',
      [
        ['postalCode', 'zip'],
        ['weight_value', 'ZIP'],
      ],
      'names "ZIP" for two fields',
    ],
  ])('%s: the list is refused', (_what, named, problem) => {
    expect(chosen(['x', 'x', 'zip'], named)).toMatchObject({ passedOver: [], problems: { columns: problem } });
  });

  test('and a field’s own name are exact, an alias is not', () => {
    expect(chosen(['Area', 'WEIGHT-VALUE', 'warehouse'], [['postalCode', 'Area']]).exact).toEqual([
      'postalCode',
      'weight_value',
    ]);
  });
});

describe('a field’s own name', () => {
  test('wins over aliases, which are passed over', () => {
    expect(chosen(['zip', 'postal_code', 'weight'])).toEqual({
      columns: { postalCode: 1, weight_value: 2 },
      exact: ['postalCode'],
      passedOver: [['postalCode', 0]],
      problems: {},
    });
  });

  test('twice is a problem', () => {
    expect(chosen(['postalCode', 'postal_code']).problems).toEqual({
      postalCode:
        'two columns claim it: "postalCode" (column 1) and "postal_code" (column 2); ?columns=postalCode:postalCode chooses one',
    });
  });

  test('of a side is the package’s only as the request writes it', () => {
    expect(columnsIn(['Length', 'Package Length'])).toEqual({ length: 1 });
    expect(columnsIn(['length', 'Package Length'])).toEqual({ length: 0 });
    expect(columnsIn([' length ', 'Package Length'])).toEqual({ length: 0 });
    expect(columnsIn(['Width', 'Package Width', 'Height', 'Package Height'])).toEqual({ width: 1, height: 3 });
  });
});

describe('of aliases', () => {
  test('the surest is taken, and the others are passed over', () => {
    expect(chosen(['Zip', 'Ship To Zip', 'Postcode'])).toEqual({
      columns: { postalCode: 1 },
      exact: [],
      passedOver: [
        ['postalCode', 0],
        ['postalCode', 2],
      ],
      problems: {},
    });
  });

  test('two that are equally sure are a problem, and neither is taken', () => {
    expect(chosen(['Ship To Zip', 'Delivery Zip', 'Zip'])).toEqual({
      columns: {},
      exact: [],
      passedOver: [],
      problems: {
        postalCode:
          'two columns claim it: "Ship To Zip" (column 1) and "Delivery Zip" (column 2); ?columns=postalCode:Ship To Zip chooses one',
      },
    });
  });
});

describe('pounds and ounces', () => {
  test('beside each other are one weight', () => {
    expect(columnsIn(['Pounds', 'Ounces'])).toEqual({ weight_value: 0, weight_ounces: 1 });
    expect(columnsIn(['Ounces', 'Pounds'])).toEqual({ weight_value: 1, weight_ounces: 0 });
  });

  test('alone are the whole weight', () => {
    expect(columnsIn(['Ounces'])).toEqual({ weight_value: 0 });
    expect(columnsIn(['Pounds'])).toEqual({ weight_value: 0 });
  });

  test('win over other weights, which are passed over', () => {
    expect(columnsIn(['Package Weight', 'Pounds', 'Ounces'])).toEqual({ weight_value: 1, weight_ounces: 2 });
    expect(chosen(['Weight', 'Weight (lb)', 'Weight (oz)'])).toMatchObject({
      columns: { weight_value: 1, weight_ounces: 2 },
      passedOver: [['weight_value', 0]],
      problems: {},
    });
  });

  test('of which the surest are beside each other are a pair', () => {
    expect(columnsIn(['Weight (lb)', 'Package Weight (lb)', 'Weight (oz)'])).toEqual({
      weight_value: 1,
      weight_ounces: 2,
    });
  });

  test('of which there are two alike are none', () => {
    expect(chosen(['Weight (lb)', 'Wt (lb)', 'Weight (oz)']).problems).toHaveProperty('weight_value');
    expect(chosen(['Weight (lb)', 'Weight (oz)', 'Wt (oz)']).problems).toHaveProperty('weight_value');
  });

  test('are no pair where the caller or an exact name says what the weight is', () => {
    expect(columnsIn(['Pounds', 'Ounces'], [['weight_value', 'Pounds']])).toEqual({ weight_value: 0 });
    expect(columnsIn(['Weight (lb)', 'Weight (oz)', 'weight_value'])).toEqual({ weight_value: 2 });
    expect(columnsIn(['Pounds', 'Ounces'], [['weight_value', '']])).toEqual({});
    expect(chosen(['Pounds', 'Ounces'], [['weight_ounces', '']]).problems).toHaveProperty('weight_value');
  });
});

describe('a weight that is likely that of the whole order', () => {
  test('gives way to the weight of each package', () => {
    expect(columnsIn(['Order Weight'])).toEqual({ weight_value: 0 });
    expect(columnsIn(['Order Weight', 'packages'])).toEqual({ weight_value: 0, packages: 1 });
    expect(columnsIn(['Order Weight', 'Weight', 'Boxes'])).toEqual({ weight_value: 1, packages: 2 });
    expect(columnsIn(['UOM', 'Boxes'])).toEqual({ weight_units: 0, packages: 1 });
    expect(columnsIn(['Order Weight', 'Weight', 'N'], [['packages', 'N']])).toEqual({ weight_value: 1, packages: 2 });
    expect(columnsIn(['Order Weight', 'packages'], [['packages', '']])).toEqual({ weight_value: 0 });
  });

  test('is it where the caller says so', () => {
    expect(columnsIn(['Order Weight', 'Boxes'], [['weight_value', 'Order Weight']])).toEqual({
      weight_value: 0,
      packages: 1,
    });
  });
});

describe('the letters L, W and H', () => {
  test('are the sides beside each other', () => {
    expect(columnsIn(['L', 'W', 'H'])).toEqual({ length: 0, width: 1, height: 2 });
    expect(columnsIn(['L', 'Width', 'H (in)'])).toEqual({ length: 0, width: 1, height: 2 });
    expect(columnsIn(['L', 'W', 'Tall'], [['height', 'Tall']])).toEqual({ length: 0, width: 1, height: 2 });
  });

  test('mean nothing without the others, nor beside the words', () => {
    expect(columnsIn(['L', 'W'])).toEqual({});
    expect(columnsIn(['L', 'W', 'H'], [['height', '']])).toEqual({});
    expect(columnsIn(['L', 'Length', 'Width', 'Height'])).toEqual({ length: 1, width: 2, height: 3 });
  });

  test('with a unit or the word for a package need no others', () => {
    expect(columnsIn(['L (in)', 'Pkg W'])).toEqual({ length: 0, width: 1 });
  });
});

describe('one column for the three sides', () => {
  test('is used if no side has a column', () => {
    expect(columnsIn(['LxWxH'])).toEqual({ dimensions: 0 });
    expect(columnsIn(['LxWxH', 'Length', 'Width', 'Height'])).toEqual({ length: 1, width: 2, height: 3 });
    expect(columnsIn(['LxWxH', 'Length'])).toEqual({ length: 1 });
    expect(columnsIn(['Dimensions'])).toEqual({});
  });

  test('is used instead of the sides if the caller names it', () => {
    expect(columnsIn(['Dimensions', 'length', 'Width', 'Height'], [['dimensions', 'Dimensions']])).toEqual({
      dimensions: 0,
    });
  });
});
