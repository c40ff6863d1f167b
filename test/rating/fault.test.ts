/** The exact words that clients read of each fault. */
import { expect, test } from 'vitest';
import { type Fault, faultBody, SHIPMENT_FAULTS } from '../../src/rating/fault.ts';

const COVERAGE = 'The carrier service is not currently available for this origin/destination combination.';
const MEXICO = ' Rates for Mexico are set by contract: ask support for them.';

const CASES: readonly (readonly [Fault, string, Record<string, unknown>])[] = [
  [
    { type: 'getRates.noTariff', shipDate: '2020-01-01' },
    'No tariff is in force on 2020-01-01.',
    { shipDate: '2020-01-01' },
  ],
  [
    { type: 'getRates.unknownShippingService', shippingService: 'X1' },
    'The shipping service X1 is not known; GET /v1/client/services lists the codes in force.',
    { shippingService: 'X1' },
  ],
  [
    { type: 'getRates.unknownShippingService', shippingService: 'X1', problem: 'not in force on 2026-07-11' },
    'The shipping service X1 is not in force on 2026-07-11.',
    { shippingService: 'X1' },
  ],
  [
    { type: 'getRates.unknownWarehouse', warehouseId: 7 },
    'The warehouse 7 is not registered to this client; GET /v1/client/warehouses lists those that are.',
    { warehouse_id: 7 },
  ],
  [
    { type: 'getRates.unknownWarehouse', warehouseId: 7, country: 'CA' },
    'The warehouse 7 is not in the United States.',
    { warehouse_id: 7 },
  ],
  [
    { type: 'getRates.unknownWarehouse', warehouseId: 7, country: 'MX' },
    `The warehouse 7 is not in the United States.${MEXICO}`,
    { warehouse_id: 7 },
  ],
  [{ type: 'getRates.noDeliveryCoverage', postalCode: '00100' }, COVERAGE, { postalCode: '00100' }],
  [{ type: 'getRates.noDeliveryCoverage', postalCode: '10115', country: 'DE' }, COVERAGE, { postalCode: '10115' }],
  [
    { type: 'getRates.noDeliveryCoverage', postalCode: '06600', country: 'MX' },
    `${COVERAGE}${MEXICO}`,
    { postalCode: '06600' },
  ],
  [
    { type: 'getRates.addressLineRequired', shippingService: 'X1' },
    'The shipping service X1 needs the street address.',
    { addressLine: 'required by X1' },
  ],
  [
    { type: 'getRates.weightNotServed', shippingService: 'X1', packageIndex: 1, weightLb: 151, maximumLb: 150 },
    'X1 accepts packages up to 150 LB; package 2 counts as 151 LB.',
    { weight: '151 LB' },
  ],
  [
    {
      type: 'getRates.weightNotServed',
      shippingService: 'X1',
      packageIndex: 0,
      weightLb: 195,
      maximumLb: 150,
      isLight: true,
    },
    'X1 accepts packages up to 150 LB; package 1 counts as 195 LB because of its size.',
    { weight: '195 LB' },
  ],
  [
    {
      type: 'getRates.sizeNotServed',
      shippingService: 'X1',
      packageIndex: 0,
      measure: 'length',
      inches: 121,
      maximumInches: 108,
    },
    'X1 accepts packages up to 108 IN in length; package 1 has 121 IN.',
    { length: '121 IN' },
  ],
  [
    {
      type: 'getRates.sizeNotServed',
      shippingService: 'X1',
      packageIndex: 1,
      measure: 'lengthPlusGirth',
      inches: 170,
      maximumInches: 165,
    },
    'X1 accepts packages up to 165 IN in length plus girth; package 2 has 170 IN.',
    { lengthPlusGirth: '170 IN' },
  ],
  [
    { type: 'getRates.noDeliveryCoverage', postalCode: '02139', shippingService: 'X1', notTo: 'homes' },
    'X1 does not deliver to homes.',
    { postalCode: '02139' },
  ],
  [
    { type: 'getRates.noDeliveryCoverage', postalCode: '02139', shippingService: 'X1', notTo: 'PO boxes' },
    'X1 does not deliver to PO boxes.',
    { postalCode: '02139' },
  ],
  [
    { type: 'getRates.saturdayNotOffered', shippingService: 'X1' },
    'X1 does not offer Saturday delivery as an option.',
    { saturday: 'not offered by X1' },
  ],
  [
    { type: 'getRates.incompletePrice', shippingService: 'X1', missing: ['fuel'] },
    'The tariff of X1 does not include the fuel surcharge for that day, and the request refuses incomplete prices.',
    { shippingService: 'X1', missing: ['fuel'] },
  ],
  [
    {
      type: 'getRates.arrivesLate',
      shippingService: 'X1',
      by: '2026-12-24',
      deliveryDate: '2026-12-28',
      transitDays: 3,
    },
    'X1 arrives on 2026-12-28, in 3 business days, which is later than 2026-12-24.',
    { shippingService: 'X1', by: '2026-12-24', deliveryDate: '2026-12-28', transitDays: 3 },
  ],
  [
    {
      type: 'getRates.arrivalUnknown',
      shippingService: 'X1',
      by: '2028-01-05',
      reason: "the carrier's holidays are known up to 2027-12-31",
    },
    "It is unknown whether X1 arrives by 2028-01-05: the carrier's holidays are known up to 2027-12-31.",
    {
      ...{ shippingService: 'X1', by: '2028-01-05' },
      reason: "the carrier's holidays are known up to 2027-12-31",
    },
  ],
  [
    {
      type: 'getRates.sizeNotServed',
      shippingService: 'X1',
      packageIndex: 0,
      measure: 'volume',
      inches: 1_872,
      maximumInches: 1_728,
    },
    'X1 accepts packages up to 1728 cubic IN in volume; package 1 has 1872 cubic IN.',
    { volume: '1872 cubic IN' },
  ],
  [
    { type: 'getRates.dimensionsRequired', shippingService: 'X1', packageIndex: 1 },
    'X1 is priced by volume: package 2 needs its length, width and height.',
    { dimensions: 'required by X1' },
  ],
  [{ type: 'row.malformed', row: 3, reason: 'a quote is open' }, 'Row 3 cannot be read: a quote is open.', { row: 3 }],
  [
    { type: 'row.order', row: 3, reason: 'its quantity is unclear' },
    'Row 3 cannot be priced with its order: its quantity is unclear.',
    { row: 3 },
  ],
];

test.each(CASES)('%o', (fault, message, named) => {
  expect(faultBody(fault)).toEqual({ type: fault.type, message, arguments: named });
});

test('each type has a case, except an invalid request, which is below', () => {
  const here = new Set(['getRates.invalidRequest', ...CASES.map(([{ type }]) => type)]);
  expect([...here].toSorted()).toEqual(Object.keys(SHIPMENT_FAULTS).toSorted());
});

test('an invalid request names its first issue, counts the other paths and has every message as an argument', () => {
  const invalid = (...issues: { path: string; message: string }[]) =>
    faultBody({ type: 'getRates.invalidRequest', issues });
  expect(invalid({ path: 'rates', message: 'is required' })).toEqual({
    type: 'getRates.invalidRequest',
    message: 'The request is invalid: rates is required.',
    arguments: { rates: 'is required' },
  });
  // Two messages on one path are one argument, so only the other path counts as more.
  expect(
    invalid(
      { path: 'a', message: 'is short' },
      { path: 'a', message: 'is odd' },
      { path: 'b', message: 'is required' },
    ),
  ).toEqual({
    type: 'getRates.invalidRequest',
    message: 'The request is invalid: a is short (and 1 more).',
    arguments: { a: 'is short; is odd', b: 'is required' },
  });
  expect(invalid({ path: 'tariffs', message: 'There is no version 1. Load the page again.' }).message).toBe(
    'There is no version 1. Load the page again.',
  );
  // A path that is named like a member of every object is a path like any other.
  expect(invalid({ path: 'constructor', message: 'is odd' }).arguments).toEqual({ constructor: 'is odd' });
});
