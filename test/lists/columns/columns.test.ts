import { describe, expect, test } from 'vitest';
import { type Columns, type ReadOptions, readColumns } from '../../../src/lists/columns/columns.ts';
import { readNamedColumns } from '../../../src/lists/columns/fields.ts';
import { looksLike } from '../../../src/lists/columns/lookalikes.ts';
import { FIELD_NAMES } from '../../../src/rating/fields.ts';

const COMMA = { delimiter: ',', lineBreak: 'lf' } as const;

const named = (text: string): ReadOptions => {
  const names = readNamedColumns(text);
  if (typeof names === 'string') throw new Error(names);
  return { named: names };
};

const columnsOf = (header: string[], reading: ReadOptions = {}): Columns => {
  const columns = readColumns(header, COMMA, reading);
  if ('problems' in columns) throw new Error(JSON.stringify(columns.problems));
  return columns;
};

const problemsOf = (header: string[], reading: ReadOptions = {}): unknown => {
  const columns = readColumns(header, COMMA, reading);
  return 'problems' in columns ? columns.problems : undefined;
};

const REST = ['warehouse', 'units'];

describe('recognizes the usual names of a destination', () => {
  test.each([
    'Ship To Zip',
    'ship-postal-code',
    'Ship Zipcode',
    'Shipping Zip',
    'Shipping Postcode',
    'Postcode (Shipping)',
    'recipientPostcode',
    'ShipTo Postal Code',
    'Recipient ZIP/Postal Code',
    'Destination ZIP',
    'Zip:',
    'DELIVERY_POSTCODE',
    'To Zip',
  ])('%s', (name) => {
    expect(columnsOf([...REST, 'weight', name]).fields.postalCode).toBe(3);
  });

  test.each(['Ship To Country', 'ship-country', 'Shipping Country Code', 'recipient_country', 'Country/ISO'])(
    '%s',
    (name) => {
      expect(columnsOf([...REST, 'weight', 'zip', name]).fields.countryCode).toBe(4);
    },
  );

  test.each(['Billing Zip', 'Return Zip', 'Ship From Postal Code', 'Zip Zone', 'Unit', 'Qty', 'State'])(
    'but not by %s',
    (name) => {
      const { fields } = columnsOf([...REST, 'weight', 'zip', name]);
      expect(Object.values(fields)).not.toContain(4);
    },
  );
});

describe('recognizes options', () => {
  test.each([
    ['signature', 'signature'],
    ['Signature Option', 'signature'],
    ['SATURDAY', 'saturday'],
    ['Saturday Delivery', 'saturday'],
    ['Declared Value', 'declared_value'],
    ['Declared Value (USD)', 'declared_value'],
    ['Non-standard packaging', 'non_standard_packaging'],
    ['Additional Handling', 'non_standard_packaging'],
  ] as const)('by %s', (name, field) => {
    expect(columnsOf([...REST, 'weight', 'zip', name]).fields[field]).toBe(4);
  });

  test.each(['Signature Required', 'Saturday Pickup', 'Package Declared Value', 'Insured Value', 'Packaging Type'])(
    'but not by %s',
    (name) => {
      expect(Object.values(columnsOf([...REST, 'weight', 'zip', name]).fields)).not.toContain(4);
    },
  );
});

describe('a unit in the name of a column', () => {
  test.each([
    ['Weight (lb)', 'LB'],
    ['weight_kg', 'KG'],
    ['Weight in Lbs.', 'LB'],
    ['PackageWeightLbs', 'LB'],
    ['Package Weight [kg]', 'KG'],
    ['weight_value (lb)', 'LB'],
    ['Weight (oz)', 'OZ'],
    ['weight g', 'G'],
  ])('%s is %s', (name, unit) => {
    const columns = columnsOf(['warehouse', 'zip', name]);
    expect(columns.fields.weight_value).toBe(2);
    expect(columns.defaults.weight_units).toBe(unit);
  });

  test('wins over the upload’s units', () => {
    expect(columnsOf(['warehouse', 'zip', 'Weight (lb)'], { defaults: { weight_units: 'KG' } }).defaults).toEqual({
      weight_units: 'LB',
    });
  });

  test('loses to weight_units, and conflicts with any other column of units', () => {
    expect(columnsOf(['warehouse', 'zip', 'Weight (lb)', 'weight_units']).defaults).toEqual({});
    expect(problemsOf(['warehouse', 'zip', 'Weight (lb)', 'Units'])).toEqual({
      weight_units:
        'two columns claim it: "Units" (column 4) and "Weight (lb)" (column 3); ?columns=weight_units:Units chooses one',
    });
    const chosen = columnsOf(['warehouse', 'zip', 'Weight (lb)', 'Units'], named('weight_units:Units'));
    expect([chosen.fields.weight_units, chosen.defaults]).toEqual([3, {}]);
  });

  test('must be the same for all sides of a box', () => {
    const sides = ['Length (in)', 'Width (in)', 'Height (in)'];
    expect(columnsOf([...REST, 'zip', 'weight', ...sides]).defaults).toEqual({ dimension_units: 'IN' });
    expect(problemsOf([...REST, 'zip', 'weight', 'Length (in)', 'Width (cm)', 'Height (in)'])).toEqual({
      dimension_units: expect.stringContaining('"Width (cm)" (column 6) and "Length (in)" (column 5)'),
    });
  });
});

describe('two columns that claim one field', () => {
  test('are a problem that names both', () => {
    expect(problemsOf(['warehouse', 'zip', 'weight_lb', 'weight_kg'])).toEqual({
      weight_value:
        'two columns claim it: "weight_lb" (column 3) and "weight_kg" (column 4); ?columns=weight_value:weight_lb chooses one',
    });
  });

  test('are numbered in their order if they have the same name', () => {
    const header = ['warehouse', 'zip', 'zip ', 'Weight (lb)'];
    expect(problemsOf(header)).toEqual({
      postalCode:
        'two columns claim it: "zip" (column 2) and "zip " (column 3); ?columns=postalCode:zip (1) chooses the first of that name, ?columns=postalCode:zip (2) the second',
    });
    const { fields, findings } = columnsOf(header, named('postalCode:zip (2)'));
    expect(fields.postalCode).toBe(2);
    expect(findings[0]?.message).toContain('?columns=postalCode:zip (1)');
    expect(columnsOf(header, named('postalCode:zip (1)')).fields.postalCode).toBe(1);
    expect(problemsOf(header, named('postalCode:zip (3)'))).toEqual({
      columns: 'names "zip (3)" for postalCode, which is not in the header',
    });
    const literal = [...header, 'zip (2)'];
    expect(columnsOf(literal, named('postalCode:zip (2)')).fields.postalCode).toBe(4);
  });

  test('are no problem if one has the exact name; the other passes through', () => {
    const columns = columnsOf([...REST, 'weight', 'Ship To Zip', 'postal_code']);
    expect(columns.fields.postalCode).toBe(4);
    expect(columns.passed).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('a number of packages', () => {
  test.each([
    'packages',
    'Package Count',
    'Number of Packages',
    'Pieces',
    'Cartons',
    'Boxes',
    'Parcels',
    'No. of Packages',
  ])('is recognized by %s', (name) => {
    expect(columnsOf([...REST, 'zip', 'weight', name]).fields.packages).toBe(4);
  });

  test.each(['Quantity', 'Qty', 'quantity', 'QTY.', 'Lineitem quantity', 'Quantity Ordered'])(
    'is not recognized by %s, which passes through with a finding',
    (name) => {
      const columns = columnsOf([...REST, 'zip', 'weight', name]);
      expect(columns.fields.packages).toBeUndefined();
      expect(columns.passed).toContain(4);
      expect(columns.findings).toEqual([
        {
          type: 'column.quantity',
          message: `"${name}" (column 5) was not used: most lists count items there. If it counts packages, use ?columns=packages:${name}.`,
          column: name,
        },
      ]);
      expect(columnsOf([...REST, 'zip', 'weight', name], named(`packages:${name}`)).fields.packages).toBe(4);
      expect(columnsOf([...REST, 'zip', 'weight', name], named('packages:')).findings).toEqual([]);
    },
  );

  test('may be called quantity in ?columns=', () => {
    expect(columnsOf([...REST, 'zip', 'weight', 'Qty'], named('quantity:Qty')).fields.packages).toBe(4);
  });
});

describe('of two columns that could be the same field', () => {
  test.each([
    [['Zip', 'Ship To Zip'], 'postalCode', 1],
    [['Billing Zip', 'Shipping Zip'], 'postalCode', 1],
    [['Ship From ZIP', 'ZIP'], 'postalCode', 1],
    [['Length', 'Package Length'], 'length', 1],
    [['Country', 'Ship To Country'], 'countryCode', 1],
  ] as const)('%j: the surer one has it', (names, field, index) => {
    const found = columnsOf([...REST, 'weight', ...(field === 'postalCode' ? [] : ['zip']), ...names]).fields[field];
    expect(found).toBe((field === 'postalCode' ? 3 : 4) + index);
  });

  test('the unused one is reported', () => {
    expect(columnsOf([...REST, 'weight', 'Zip', 'Ship To Zip']).findings).toEqual([
      {
        type: 'column.notTaken',
        message:
          '"Zip" (column 4) could be the field postalCode but was not used, because "Ship To Zip" (column 5) is. To use it instead, add ?columns=postalCode:Zip.',
        column: 'Zip',
      },
    ]);
  });

  test.each([
    ['Total Weight', 'shipment', 'weight.divided'],
    ['Shipment - Weight', 'shipment', 'weight.divided'],
    ['Order Weight', 'shipment', 'weight.divided'],
    ['Gross Weight', undefined, 'weight.unclear'],
    ['Package Weight', undefined, undefined],
    ['Weight', undefined, undefined],
  ])('%s beside a number of packages is divided, asked about, or that of each package', (name, per, type) => {
    const { weightPer, findings } = columnsOf([...REST, 'zip', name, 'Boxes']);
    expect([weightPer, findings[0]?.type]).toEqual([per, type]);
  });

  test('what the upload says of weights counts, without a finding', () => {
    for (const weightPer of ['package', 'shipment'] as const) {
      const columns = columnsOf([...REST, 'zip', 'Shipment Weight', 'Boxes'], { weightPer });
      expect([columns.weightPer, columns.findings]).toEqual([weightPer, []]);
    }
  });

  test('the weight of each package wins over the weight of the shipment', () => {
    const { fields, weightPer } = columnsOf([...REST, 'zip', 'Shipment Weight', 'Package Weight', 'Boxes']);
    expect([fields.weight_value, weightPer]).toEqual([4, undefined]);
  });

  test('without a number of packages, the weight of an order is a likely one', () => {
    const { fields, findings, weightPer } = columnsOf([...REST, 'zip', 'Total Weight']);
    expect([fields.weight_value, findings[0]?.type, weightPer]).toEqual([3, 'column.likely', undefined]);
  });
});

describe('findings', () => {
  test.each([
    ['Country or Area', 'countryCode', 'every row counts as US'],
    ['Commercial Address?', 'residential', 'no row counts as residential'],
    ['Package Dimensions', 'dimensions', 'no dimensions are read'],
    ['Ship Via', 'shippingService', 'all services are compared'],
  ])('report the unused column %s', (name, field, effect) => {
    const [finding] = columnsOf([...REST, 'zip', 'weight', name]).findings;
    expect(finding).toMatchObject({ type: 'column.notTaken', column: name });
    expect(finding?.message).toContain(effect);
    expect(finding?.message).toContain(`To use it, add ?columns=${field}:${name}.`);
  });

  test.each(['Billing Country', 'Lineitem price', 'Payment Method', 'Country of Origin', 'Order ID'])(
    'there is none about %s',
    (name) => {
      expect(columnsOf([...REST, 'zip', 'weight', name]).findings).toEqual([]);
    },
  );

  test.each(['Item Weight', 'Combined Product Weight', 'Product weight (lb)'])('%s is a likely weight', (name) => {
    const { fields, findings } = columnsOf(['Warehouse', 'zip', name], { defaults: { weight_units: 'LB' } });
    expect(fields.weight_value).toBe(2);
    expect(findings.map(({ type, column }) => [type, column])).toEqual([['column.likely', name]]);
  });

  test('a weight of the package wins over the weight of an item', () => {
    const given = { defaults: { weight_units: 'LB' } };
    expect(columnsOf(['Warehouse', 'zip', 'Item Weight', 'Weight'], given).fields.weight_value).toBe(3);
  });

  test('a column looks like the unit of weights if all its cells are such', () => {
    const like = (name: string, ...cells: readonly string[]) =>
      looksLike({ name, index: 0, sample: cells.map((cell) => [cell]) });
    expect(like('Unit', 'kg', 'LB', 'oz')).toBe('weight_units');
    expect(like('Measured in', 'lbs', 'lbs')).toBe('weight_units');
    expect(like('Unit', 'each', 'LB')).toBeUndefined();
    expect(like('Size', 'L', 'G')).toBeUndefined();
  });

  test('report dimensions without a unit, with the parameter', () => {
    const header = [...REST, 'zip', 'weight', 'Length', 'Width', 'Height'];
    expect(columnsOf(header).findings).toEqual([
      {
        type: 'dimensions.noUnit',
        message:
          'The unit of "Length" (column 5), "Width" (column 6), "Height" (column 7) is unknown; rows with dimensions get no price. Use ?dimension_units=IN or CM for all rows.',
        column: 'Length',
      },
    ]);
    expect(columnsOf(header, { defaults: { dimension_units: 'IN' } }).findings).toEqual([]);
    expect(columnsOf([...header, 'Dim Units']).findings).toEqual([]);
  });

  test('are bounded in number and length', () => {
    const many = columnsOf([
      ...REST,
      'zip',
      'weight',
      ...Array.from({ length: 5_000 }, (_, at) => `Qty${'.'.repeat(at % 7)}`),
    ]);
    expect(many.findings).toHaveLength(21);
    expect(many.findings.at(-1)).toEqual({
      type: 'findings.more',
      message: 'There are 4980 more findings like these.',
      column: '',
    });
    const long = columnsOf([...REST, 'zip', 'weight', `Qty${'.'.repeat(150)}`]);
    expect(long.findings[0]?.column).toHaveLength(101);
    expect(long.findings[0]?.message.length).toBeLessThan(500);
    expect(columnsOf([...REST, 'zip', 'weight', `Qty${'.'.repeat(50_000)}`]).findings).toEqual([]);
  });

  test('the message for a missing column names similar columns', () => {
    expect(problemsOf(['warehouse', 'units', 'weight', 'My Zip Area'])).toEqual({
      postalCode: expect.stringContaining('; is it "My Zip Area" (column 4)?'),
    });
  });
});

describe('words in cells', () => {
  test('are read in columns with any name except the request’s own', () => {
    const words = (...names: string[]) => columnsOf(['warehouse', 'zip', 'weight_value', ...names]).words;
    expect(words('weight_units', 'countryCode', 'residential')).toEqual([]);
    expect(words(' weight_units ', 'countryCode', ' residential')).toEqual([]);
    expect(words('Weight Unit', 'Country', 'Residential?')).toEqual(['weight_units', 'countryCode', 'residential']);
    const options = ['signature', 'saturday', 'non_standard_packaging'];
    expect(words('weight_units', ...options)).toEqual(options);
    expect(words('weightUnits', 'COUNTRY_CODE', 'Residential')).toEqual(['weight_units', 'countryCode', 'residential']);
  });
});

describe('?columns=', () => {
  test('assigns columns regardless of their names', () => {
    const header = ['Where', 'Target', 'Wt (lbs)', 'zip', 'Weight'];
    const { fields, defaults } = columnsOf(
      header,
      named('weight_value:Wt (lbs), postal_code: Target,WAREHOUSE_ID:where'),
    );
    expect(fields).toEqual({ warehouse_id: 0, postalCode: 1, weight_value: 2 });
    expect(defaults).toEqual({ weight_units: 'LB' });
  });

  test('needs a backslash before commas and backslashes in names, but not before colons', () => {
    const { fields } = columnsOf(
      [...REST, 'weight, net: kg\\lb', 'zip'],
      named('weight_value:weight\\, net: kg\\\\lb'),
    );
    expect(fields.weight_value).toBe(2);
  });

  test('declines a field with nothing after the colon', () => {
    const header = [...REST, 'zip', 'weight', 'packages'];
    expect(columnsOf(header).fields.packages).toBe(4);
    expect(columnsOf(header, named('packages:')).fields.packages).toBeUndefined();
  });

  test.each([
    ['weight_value', 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip'],
    ['', 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip'],
    ['colour:red', expect.stringContaining('names an unknown field')],
    ['weight_value:a,weightValue:b', 'names weight_value twice'],
    ['weight_value:a\\', 'ends with a single backslash'],
  ])('%j is refused', (text, problem) => {
    expect(readNamedColumns(text)).toEqual(problem);
  });

  test.each([
    ['weight_value:Wt', 'names "Wt" for weight_value, which is not in the header'],
    [
      'weight_value:x',
      'names "x" (column 4) and "x" (column 5) for weight_value: two columns; ?columns=weight_value:x (1) chooses the first of that name, ?columns=weight_value:x (2) the second',
    ],
    ['weight_value:zip,postalCode:zip', 'names "zip" for two fields'],
  ])('%j does not fit the header', (text, problem) => {
    expect(problemsOf([...REST, 'zip', 'x', 'x', 'weight'], named(text))).toEqual({ columns: problem });
  });
});

describe('a missing column', () => {
  test('is reported with its names and the parameter for all rows', () => {
    expect(problemsOf(['x'])).toEqual({
      warehouse_id:
        'required column missing; the first row must be the header and have a column warehouse_id (or warehouse, warehouse number, warehouse no, warehouse code, …); or name the column with ?columns=warehouse_id:…, or set ?warehouse_id= for all rows',
      postalCode: expect.stringMatching(/\?columns=postalCode:…$/),
      weight_value: expect.stringMatching(/\?columns=weight_value:…, or set \?weight= for all rows$/),
      weight_units: expect.stringMatching(/, or set \?units= for all rows$/),
    });
  });

  test('may be one of three columns that look like it', () => {
    const { postalCode } = problemsOf([...REST, 'weight', 'Zip A', 'Zip B', 'Zip C', 'Zip D']) as {
      postalCode: string;
    };
    expect(postalCode).toContain('; is it "Zip A" (column 4) or "Zip B" (column 5) or "Zip C" (column 6)?');
    expect(postalCode).not.toContain('Zip D');
  });

  test('is neither a weight nor its unit if the caller named a column of ounces', () => {
    const columns = columnsOf(['warehouse', 'zip', 'Rest'], named('weight_ounces:Rest'));
    expect([columns.fields, columns.defaults]).toEqual([
      { warehouse_id: 0, postalCode: 1, weight_ounces: 2 },
      { weight_units: 'LB' },
    ]);
  });

  test('is not the unit column if weights are repaired', () => {
    expect(columnsOf(['warehouse', 'zip', 'weight'], { repairs: ['weight'] }).defaults).toEqual({});
    expect(problemsOf(['warehouse', 'zip', 'weight'], { repairs: ['zip'] })).toHaveProperty('weight_units');
    expect(Object.keys(problemsOf(['zip'], { repairs: ['weight'] }) ?? {})).toEqual(['warehouse_id', 'weight_value']);
  });

  test('is no problem if the upload gives a value for all rows', () => {
    const defaults = { warehouse_id: '101', weight_units: 'KG' };
    const columns = columnsOf(['zip', 'weight'], { defaults });
    expect([columns.fields, columns.defaults]).toEqual([{ postalCode: 0, weight_value: 1 }, defaults]);
  });
});

describe('a column of units', () => {
  test('loses to the unit in a name if its meaning is only likely', () => {
    const { fields, defaults } = columnsOf(['warehouse', 'zip', 'Weight (lb)', 'UOM']);
    expect([fields.weight_units, defaults]).toEqual([undefined, { weight_units: 'LB' }]);
    expect(columnsOf(['warehouse', 'zip', 'weight', 'UOM']).fields.weight_units).toBe(3);
  });

  test('for sides conflicts with the unit in a name, unless it is dimension_units', () => {
    expect(problemsOf([...REST, 'zip', 'weight', 'Length (in)', 'Dim Unit'])).toEqual({
      dimension_units:
        'two columns claim it: "Dim Unit" (column 6) and "Length (in)" (column 5); ?columns=dimension_units:Dim Unit chooses one',
    });
    expect(columnsOf([...REST, 'zip', 'weight', 'Length (in)', 'dimension_units']).fields.dimension_units).toBe(5);
  });
});

describe('columns that pass through', () => {
  test('are all except those that an output adds', () => {
    const plain = columnsOf([...REST, 'zip', 'weight', 'ref']);
    expect([plain.passed, plain.ownOutput]).toEqual([[0, 1, 2, 3, 4], false]);
    const own = columnsOf(['Quote Status', ...REST, 'quote_repairs', 'zip', 'weight', 'quote_warnings', 'input_row']);
    expect([own.passed, own.ownOutput]).toEqual([[1, 2, 4, 5], true]);
  });
});

describe('names of services', () => {
  const reading: ReadOptions = { services: ['UPS-GROUND'] };
  test('are read if a column or the upload has services', () => {
    const pairs = [['upsground', 'UPS-GROUND']];
    expect(columnsOf([...REST, 'zip', 'weight', 'Service'], reading).services).toEqual(pairs);
    const said = { ...reading, defaults: { shippingService: 'UPS Ground' } };
    expect(columnsOf([...REST, 'zip', 'weight'], said).services).toEqual(pairs);
    expect(columnsOf([...REST, 'zip', 'weight'], reading).services).toEqual([]);
  });
});

test('a list is read with the caller’s options and its own dialect', () => {
  const columns = readColumns([...REST, 'zip', 'weight'], { delimiter: ';', lineBreak: 'cr' }, { repairs: ['zip'] });
  expect(columns).toMatchObject({
    dialect: { delimiter: ';', lineBreak: 'cr' },
    header: [...REST, 'zip', 'weight'],
    repairs: ['zip'],
  });
});

describe('?columns= is read', () => {
  test.each([
    [
      'weight_value:Wt (lbs), postalCode : Ship To Zip ',
      [
        ['weight_value', 'Wt (lbs)'],
        ['postalCode', 'Ship To Zip'],
      ],
    ],
    [
      'weight_value:a\\,b\\\\,packages:',
      [
        ['weight_value', 'a,b\\'],
        ['packages', ''],
      ],
    ],
    ['weight_value:a:b', [['weight_value', 'a:b']]],
    ['quantity:n', [['packages', 'n']]],
    ['weight_value:a,', [['weight_value', 'a']]],
  ])('%j', (text, pairs) => {
    expect(readNamedColumns(text)).toEqual(new Map(pairs as [never, string][]));
  });

  test.each([
    [',', 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip'],
    ['weight_value:a,zip', 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip'],
    ['\\', 'ends with a single backslash'],
    ['packages:a,quantity:b', 'names packages twice'],
    ['zip:a', `names an unknown field; the fields are ${FIELD_NAMES.join(', ')}`],
  ])('%j is refused', (text, problem) => {
    expect(readNamedColumns(text)).toBe(problem);
  });
});
