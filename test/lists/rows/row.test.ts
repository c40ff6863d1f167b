/** A row as the body of its single call, and a result as cells. The expected values are literals. */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../src/files/csv/byte-writer.ts';
import type { Field } from '../../../src/lists/columns/fields.ts';
import { OUTPUT_COLUMNS } from '../../../src/lists/output/output-columns.ts';
import {
  faultCells,
  isFormula,
  MAY_BE_FORMULA,
  restoreFormula,
  rowBody,
  WHOLE_COUNT,
  writeQuote,
  writeWarnings,
} from '../../../src/lists/rows/row.ts';
import type { Fault } from '../../../src/rating/fault.ts';
import type { Price } from '../../../src/rating/price.ts';
import { oneColumn, smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { priceOf } from '../../rating/priced.ts';
import { rowsOf } from '../comparison/fixtures.ts';

type Cells = Partial<Record<Field, string>>;

const bodyOf = (cells: Cells): unknown => rowBody((field) => cells[field] ?? '');
const packagesOf = (cells: Cells): unknown[] =>
  (bodyOf(cells) as { rates: { packageItems: unknown[] } }).rates.packageItems;
const partOf = (cells: Cells) => (bodyOf(cells) as { rates: Record<string, unknown> }).rates;

test('converts a row with all fields to a request', () => {
  expect(
    bodyOf({
      shippingService: 'C1-GROUND',
      shipDate: '2026-06-01',
      warehouse_id: '101',
      addressLine: '1 Main St',
      postalCode: '02139',
      countryCode: 'US',
      residential: 'TRUE',
      weight_value: '2.5',
      weight_units: 'LB',
      length: '10',
      width: '8.5',
      height: '.5',
      dimension_units: 'IN',
    }),
  ).toEqual({
    rates: {
      shippingService: 'C1-GROUND',
      shipDate: '2026-06-01',
      shipper: { warehouse_id: 101 },
      recipient: {
        address: { addressLine: '1 Main St', postalCode: '02139', countryCode: 'US', residential: true },
      },
      packageItems: [
        { weight: { units: 'LB', value: 2.5 }, dimensions: { units: 'IN', length: 10, width: 8.5, height: 0.5 } },
      ],
    },
  });
});

test('converts options to a request', () => {
  expect(
    partOf({ signature: 'adult', saturday: 'TRUE', declared_value: '250.50', non_standard_packaging: 'false' })[
      'options'
    ],
  ).toEqual({ signature: 'adult', saturday: true, declaredValue: 250.5, nonStandardPackaging: false });
  expect(partOf({ declared_value: '$250' })['options']).toEqual({ declaredValue: '$250' });
});

test('an empty cell is absent', () => {
  expect(bodyOf({})).toEqual({ rates: { shipper: {}, recipient: { address: {} }, packageItems: [{ weight: {} }] } });
});

describe('a cell of a number', () => {
  test.each<[string, unknown]>([
    ['101', 101],
    ['+1', 1],
    ['-1', -1],
    ['1.', 1],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['007', 7],
    ['1e3', '1e3'],
    ['1,5', '1,5'],
    ['.', '.'],
    ['-', '-'],
    ['1 ', '1 '],
    ['x1', 'x1'],
    ['1x', '1x'],
    ['0x10', '0x10'],
    ['Infinity', 'Infinity'],
  ])('%j is %j', (cell, value) => {
    expect(partOf({ warehouse_id: cell })['shipper']).toEqual({ warehouse_id: value });
    expect(packagesOf({ weight_value: cell })).toEqual([{ weight: { value } }]);
  });
});

test.each<[string, unknown]>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['FALSE', false],
  ['yes', 'yes'],
  ['1', '1'],
])('a cell of residential %j is %j', (cell, value) => {
  expect(partOf({ residential: cell })['recipient']).toEqual({ address: { residential: value } });
});

test.each([
  ['2026-06-01', '2026-06-01'],
  ['20260601', '2026-06-01'],
  ['19991231', '1999-12-31'],
  ['18991231', '18991231'],
  ['202606011', '202606011'],
  ['120260601', '120260601'],
  ['2026060', '2026060'],
])('a cell of a date %j is %j', (cell, value) => {
  expect(partOf({ shipDate: cell })['shipDate']).toBe(value);
});

describe('several packages', () => {
  test('have one value for all, or one for each', () => {
    expect(packagesOf({ weight_value: '1|2.5| 3 ', weight_units: 'LB' })).toEqual([
      { weight: { units: 'LB', value: 1 } },
      { weight: { units: 'LB', value: 2.5 } },
      { weight: { units: 'LB', value: 3 } },
    ]);
    expect(packagesOf({ weight_value: '1|2', weight_units: 'LB|KG' })).toEqual([
      { weight: { units: 'LB', value: 1 } },
      { weight: { units: 'KG', value: 2 } },
    ]);
  });

  test('lack values that are listed for too few of them', () => {
    expect(packagesOf({ weight_value: '1|2', weight_units: 'LB|KG|LB' })).toEqual([
      { weight: { units: 'LB', value: 1 } },
      { weight: { units: 'KG', value: 2 } },
      { weight: { units: 'LB' } },
    ]);
    expect(packagesOf({ weight_value: '1', weight_units: 'LB|KG' })).toEqual([
      { weight: { units: 'LB', value: 1 } },
      { weight: { units: 'KG' } },
    ]);
  });

  test('have their own sides and units', () => {
    expect(
      packagesOf({ weight_value: '1|2', length: '10|20', width: '5', height: '1|', dimension_units: 'IN|CM' }),
    ).toEqual([
      { weight: { value: 1 }, dimensions: { units: 'IN', length: 10, width: 5, height: 1 } },
      { weight: { value: 2 }, dimensions: { units: 'CM', length: 20, width: 5 } },
    ]);
  });

  test('have dimensions if any side is given, but not for a unit alone', () => {
    expect(packagesOf({ weight_value: '1', height: '3' })).toEqual([
      { weight: { value: 1 }, dimensions: { height: 3 } },
    ]);
    expect(packagesOf({ weight_value: '1', dimension_units: 'IN' })).toEqual([{ weight: { value: 1 } }]);
    expect(packagesOf({ weight_value: '1', length: '|' })).toEqual([{ weight: { value: 1 } }, { weight: {} }]);
  });

  test('have no dimensions where every side is empty, but lack sides that are listed for too few of them', () => {
    expect(packagesOf({ weight_value: '1|2|3', length: '12|', width: '10|', height: '8|' })).toEqual([
      { weight: { value: 1 }, dimensions: { length: 12, width: 10, height: 8 } },
      { weight: { value: 2 } },
      { weight: { value: 3 }, dimensions: {} },
    ]);
  });

  test('are as many as the row says, in order', () => {
    expect(packagesOf({ weight_value: '1', packages: '2' })).toEqual([
      { weight: { value: 1 } },
      { weight: { value: 1 } },
    ]);
    expect(packagesOf({ weight_value: '1|2', packages: '2.0' })).toEqual([
      { weight: { value: 1 } },
      { weight: { value: 2 } },
    ]);
    expect(packagesOf({ weight_value: '1', packages: '0' })).toEqual([]);
  });

  test('are limited to one more than is allowed', () => {
    expect(packagesOf({ weight_value: '1', packages: '99' })).toHaveLength(99);
    expect(packagesOf({ weight_value: '1', packages: '999999999' })).toHaveLength(100);
    expect(packagesOf({ weight_value: '1|'.repeat(98).concat('1') })).toHaveLength(99);
    expect(packagesOf({ weight_value: '1|'.repeat(1_000_000) })).toHaveLength(100);
  });

  test.each(['', '1', '99', '3.0', '3.', '999999999'])('%j is a valid number of packages', (cell) => {
    expect(WHOLE_COUNT.test(cell)).toBe(true);
  });
  test.each(['1.5', '-1', 'x', '1x', '1|2', '1234567890', '.0', '1.01', ' '])(
    '%j is not a valid number of packages',
    (cell) => {
      expect(WHOLE_COUNT.test(cell)).toBe(false);
    },
  );
});

const written = (write: (into: ByteWriter) => void): string => {
  const writer = new ByteWriter(0);
  write(writer);
  return writer.result().toString('latin1');
};

/** A price for 1 lb to zone 2, with other amounts. */
const price = (carrier = 'Small', discountPercent = 0): Price => {
  const made = priceOf(smallTariff({ service: { carrier } }), { discountPercent });
  return {
    ...made,
    ...{ baseCents: 1_234, discountCents: 105, surchargeCents: 7, netCents: 1_136, billingWeightLb: 12 },
  };
};

/** Returns the cells of an output from `quote_status` on, by column. */
const named = (cells: string): Readonly<Record<string, string>> =>
  rowsOf(`${OUTPUT_COLUMNS.map(({ name }) => name).join(',')}\n1${cells}\n`)[0] ?? {};
const quoteCells = (of: Price) => named(written((into) => writeQuote(into, of)));

const AMOUNTS = {
  quote_totalBaseCharge: '12.34',
  quote_totalDiscounts: '1.05',
  quote_totalSurcharges: '0.07',
  quote_totalNetCharge: '11.36',
  quote_billingWeight_value: '12',
};

describe('the cells of a quote', () => {
  test('are its service, its amounts, its zone and its weight, and no fault', () => {
    expect(quoteCells(price())).toMatchObject({
      ...AMOUNTS,
      ...{ quote_status: '200', quote_shippingService: 'GROUND', quote_carrier: 'Small', quote_rateType: 'LIST' },
      ...{ quote_currency: 'USD', quote_rateZone: '2', quote_carrierZone: '2', quote_billingWeight_units: 'LB' },
      ...{ fault_type: '', fault_message: '', fault_column: '', fault_arguments: '' },
    });
  });

  test('have the carrier’s own name of the zone beside that from 1 to 8', () => {
    const far = priceOf(
      smallTariff({
        service: { rateZones: { '17': 8 }, zones: { distanceMiles: [30_000], distanceColumns: ['17', '17'] } },
        document: { rates: { GROUND: oneColumn('17', 1_000) } },
      }),
    );
    expect(quoteCells(far)).toMatchObject({ quote_rateZone: '8', quote_carrierZone: '17' });
  });

  test('have the rate type of a client with a discount, regardless of earlier quotes', () => {
    const own = price('Small, Inc.', 5);
    const list = { ...own, terms: undefined };
    const cells = { ...AMOUNTS, quote_carrier: 'Small, Inc.' };
    expect([own, list, own].map(quoteCells)).toMatchObject(
      ['ACCOUNT', 'LIST', 'ACCOUNT'].map((quote_rateType) => ({ ...cells, quote_rateType })),
    );
  });

  test('end with the types of its warnings, or with nothing', () => {
    const warned = (warnings: number) => written((into) => writeWarnings(into, { ...price(), warnings }));
    expect([warned(1), warned(0), warned(1)]).toEqual([',zone.estimated', ',', ',zone.estimated']);
    expect(written((into) => writeWarnings(into, undefined))).toBe(',');
  });
});

test.each<[Fault, Readonly<Record<string, string>>]>([
  [
    { type: 'row.malformed', row: 3, reason: 'a quoted cell is not closed' },
    {
      quote_status: '422',
      quote_shippingService: '',
      quote_totalNetCharge: '',
      quote_billingWeight_value: '',
      fault_type: 'row.malformed',
      fault_message: 'Row 3 cannot be read: a quoted cell is not closed.',
      fault_column: 'ref',
      fault_arguments: '{"row":3}',
    },
  ],
  [
    { type: 'getRates.unknownShippingService', shippingService: 'Straße' },
    { fault_arguments: '{"shippingService":"Stra\u00c3\u009fe"}' },
  ],
])('the cells of the fault %j', (fault, cells) => {
  expect(named(faultCells(fault, 'ref'))).toMatchObject(cells);
});

describe('a formula', () => {
  test.each([
    '=1+1',
    '+A1',
    '-A1',
    '@x',
    '\tx',
    '\rx',
    '\nx',
    '\0',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '-',
    '+',
    '-1.2.3',
    '+1 2',
    '-1e',
  ])('%j is a formula, and is restored after it was defused', (value) => {
    expect(isFormula(value)).toBe(true);
    expect(MAY_BE_FORMULA[Buffer.from(value)[0] ?? 0]).toBe(true);
    expect(restoreFormula(`'${value}`)).toBe(value);
  });

  test.each(['', 'a=1', ' =1', '1', '-1', '+1.5', '-.5', '-1.', '+1e5', '-1.5E-10', 'é'])(
    '%j is not a formula',
    (value) => {
      expect(isFormula(value)).toBe(false);
      expect(restoreFormula(`'${value}`)).toBe(`'${value}`);
    },
  );

  test('begins with one of nine bytes', () => {
    expect(MAY_BE_FORMULA).toHaveLength(256);
    expect(MAY_BE_FORMULA.filter((may) => may)).toHaveLength(9);
  });

  test('that was not defused stays unchanged', () => {
    expect(restoreFormula('=1')).toBe('=1');
    expect(restoreFormula("a'=1")).toBe("a'=1");
  });
});
