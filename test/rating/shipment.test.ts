import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import type { Issue, Result } from '../../src/rating/fault.ts';
import { packageWeighing, rateRequest, readShipment, type Shipment } from '../../src/rating/shipment.ts';

const body = (postalCode: string, value: unknown = 2, units = 'LB', countryCode = 'US') => ({
  rates: {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode, countryCode } },
    packageItems: [{ weight: { units, value } }],
  },
});

const withPackages = (packageItems: unknown) => ({ rates: { ...body('02139').rates, packageItems } });
const withRates = (rates: object) => ({ rates: { ...body('02139').rates, ...rates } });
const withAddress = (address: object) => withRates({ recipient: { address: { postalCode: '02139', ...address } } });

const issuesOf = (read: Result<Shipment>): readonly Issue[] =>
  read instanceof Failed && read.fault.type === 'getRates.invalidRequest' ? read.fault.issues : [];

const complaints = (request: unknown): string[] => issuesOf(readShipment(request)).map(({ message }) => message);

const ZIP = 'must have the form 12345 or 12345-6789';
const DECIMAL_HINT = '; its comma may separate thousands or be a decimal comma';

test.each([
  ['2139', `${ZIP}; 2139 looks like 02139 without its leading zero`],
  ['501', `${ZIP}; 501 looks like 00501 without its leading zeros`],
  ['02139.0', `${ZIP}; 02139.0 looks like 02139 made a decimal number`],
  ['021391234', `${ZIP}; 021391234 looks like 02139-1234 without its hyphen`],
  ['21391234', `${ZIP}; 21391234 looks like 02139-1234 without its leading zeros and its hyphen`],
  ['2139.00', `${ZIP}; 2139.00 looks like 02139 without its leading zero`],
  ['2139123', `${ZIP}; 2139123 looks like 00213-9123 without its leading zeros and its hyphen`],
  ['21391230', `${ZIP}; 21391230 looks like 02139-1230 without its leading zeros and its hyphen`],
  ['02139123', ZIP],
  ['0213', ZIP],
  ['1', ZIP],
  ['213912', ZIP],
  ['x2139', ZIP],
  ['2139.5', ZIP],
  ['ABCDE', ZIP],
])('refuses the postal code %s, and says what it probably is', (postalCode, said) => {
  expect(complaints(body(postalCode))).toEqual([said]);
});

test.each([
  ['5 lb 3 oz', 'LB', `must be a number; a unit belongs in units, KG or LB`],
  ['2.3kg', 'LB', `must be a number; a unit belongs in units, KG or LB`],
  ['2,3', 'LB', `must be a number with a decimal point, such as 2.5`],
  ['heavy', 'LB', 'must be a number'],
  ['12,34', 'LB', `must be a number with a decimal point, such as 2.5`],
  ['1,234.5', 'LB', `must be a number with a decimal point, such as 2.5`],
  ['1,234', 'LB', `must be a number${DECIMAL_HINT}`],
  ['1,234 g', 'LB', `must be a number; a unit belongs in units, KG or LB${DECIMAL_HINT}`],
  ['a2,3', 'LB', 'must be a number'],
  [true, 'LB', 'must be a number'],
  [undefined, 'LB', 'is required'],
  [0, 'LB', 'must be greater than 0'],
  [-1, 'LB', 'must be greater than 0'],
  [
    99.01,
    'LB',
    'must be at most 99 LB, whatever the shipping service; give a heavier package in KG, up to 99 KG, which is about 218.3 LB',
  ],
  [100, 'KG', 'must be at most 99 KG, which is about 218.3 LB, whatever the shipping service; send lighter packages'],
  [2, undefined, 'is required'],
  [2, 5, 'must be one of KG, LB'],
  [16, 'OZ', `must be one of KG, LB; this looks like ounces: 1 is 0.0625 LB`],
  [50, 'g', `must be one of KG, LB; this looks like grams: 1 is 0.001 KG`],
  [2, 'Lb', 'must be one of KG, LB; write LB in capitals'],
  [2, 'kg', 'must be one of KG, LB; write KG in capitals'],
  [2, 'lbs', 'must be one of KG, LB; write LB'],
  [2, 'STONE', 'must be one of KG, LB'],
] as const)('the weight %s %s is refused with a likely correction', (value, units, said) => {
  expect(complaints(withPackages([{ weight: { units, value } }]))).toEqual([said]);
});

test.each([
  ['USA', `must be two letters; this looks like US`],
  ['United States', `must be two letters; this looks like US`],
  ['U', 'must be two letters'],
])('the country %s is refused with a likely correction', (country, said) => {
  expect(complaints(body('02139', 2, 'LB', country))).toEqual([said]);
});

const complaintsWithPaths = (request: unknown) =>
  issuesOf(readShipment(request)).map(({ path, message }) => `${path} ${message}`);

const asking = (options: unknown) => withRates({ options });

const item = { weight: { units: 'LB', value: 2 } };
const sized = (length: unknown, units = 'IN') =>
  withPackages([item, { ...item, dimensions: { units, length, width: 1, height: 1 } }]);

test.each<[string, unknown, string]>([
  ['a text for a body', 'text', 'body must be an object'],
  ['nothing', {}, 'rates is required'],
  ['a list for the rates', { rates: [] }, 'rates must be an object'],
  ['no packages', withPackages([]), 'rates.packageItems must have at least 1 entry'],
  ['100 packages', withPackages(new Array(100).fill(item)), 'rates.packageItems must have at most 99 entries'],
  ['packages that are none', withPackages([5]), 'rates.packageItems[0] must be an object'],
  ['a side of nothing', sized(0), `rates.packageItems[1].dimensions.length must be greater than 0`],
  [
    'a side too long',
    sized(999.5),
    'rates.packageItems[1].dimensions.length must be at most 999 IN, whatever the shipping service; check the side and its unit',
  ],
  [
    'a side with an exponent',
    sized('1E-07'),
    'rates.packageItems[1].dimensions.length must be a number without an exponent, such as 0.25',
  ],
  [
    'a warehouse with an exponent',
    withRates({ shipper: { warehouse_id: '1E+05' } }),
    'rates.shipper.warehouse_id must be a number without an exponent, such as 101',
  ],
  ['a side with a unit', sized('5 in'), 'rates.packageItems[1].dimensions.length must be a number'],
  ['a unit of length', sized(1, 'LB'), 'rates.packageItems[1].dimensions.units must be one of IN, CM'],
  [
    'a postal code of nothing',
    body('', 2, 'LB', 'CA'),
    'rates.recipient.address.postalCode must have at least 1 character',
  ],
  [
    'a long postal code',
    body('K1A 0B1 abc', 2, 'LB', 'CA'),
    'rates.recipient.address.postalCode must have at most 10 characters',
  ],
  ['a ZIP code by mistake', body('x'), `rates.recipient.address.postalCode ${ZIP}`],
  ['a country as a number', withAddress({ countryCode: 1 }), 'rates.recipient.address.countryCode must be a string'],
  [
    'a long address',
    withAddress({ addressLine: 'x'.repeat(36) }),
    'rates.recipient.address.addressLine must have at most 35 characters',
  ],
  [
    'yes for residential',
    withAddress({ residential: 'yes' }),
    'rates.recipient.address.residential must be true or false',
  ],
  [
    'a weight for residential',
    withAddress({ residential: '5 lb' }),
    'rates.recipient.address.residential must be true or false',
  ],
  [
    'a decimal comma for residential',
    withAddress({ residential: '2,3' }),
    'rates.recipient.address.residential must be true or false',
  ],
  [
    'the name of a service',
    withRates({ shippingService: 'UPS Ground!' }),
    'rates.shippingService must have at most 10 characters; GET /v1/client/services lists the codes in force',
  ],
  ['an empty service', withRates({ shippingService: '' }), 'rates.shippingService must have at least 1 character'],
  ['a date that is none', withRates({ shipDate: '2026-02-30' }), 'rates.shipDate must be a date, YYYY-MM-DD'],
  ['a date in another order', withRates({ shipDate: '6/1/2026' }), 'rates.shipDate must be a date, YYYY-MM-DD'],
  [
    'half a warehouse',
    withRates({ shipper: { warehouse_id: 1.5 } }),
    'rates.shipper.warehouse_id must be a whole number',
  ],
  ['warehouse 0', withRates({ shipper: { warehouse_id: 0 } }), 'rates.shipper.warehouse_id must be at least 1'],
  [
    'a warehouse of eleven digits',
    withRates({ shipper: { warehouse_id: 10_000_000_000 } }),
    'rates.shipper.warehouse_id must be at most 9999999999',
  ],
  ['a list of options', asking(['direct']), 'rates.options must be an object'],
  [
    'a signature that no carrier has',
    asking({ signature: 'Adult' }),
    'rates.options.signature must be one of indirect, direct, adult',
  ],
  ['yes for Saturday', asking({ saturday: 'yes' }), 'rates.options.saturday must be true or false'],
  [
    'a declared value as text',
    asking({ declaredValue: '$1,250' }),
    'rates.options.declaredValue must be a number of dollars, such as 1250.50',
  ],
  [
    'a declared value that is none',
    asking({ declaredValue: true }),
    'rates.options.declaredValue must be a number of dollars, such as 1250.50',
  ],
  ['a declared value below 0', asking({ declaredValue: -0.01 }), 'rates.options.declaredValue must be at least 0'],
  [
    'a declared value over the limit',
    asking({ declaredValue: 50_000.01 }),
    'rates.options.declaredValue must be at most 50000 US dollars, whatever the shipping service',
  ],
  ['a part of a cent', asking({ declaredValue: 10.005 }), 'rates.options.declaredValue must have at most two decimals'],
  [
    'a number for the packaging',
    asking({ nonStandardPackaging: 1 }),
    'rates.options.nonStandardPackaging must be true or false',
  ],
])('%s is refused with its path', (_name, request, said) => {
  expect(complaintsWithPaths(request)).toEqual([said]);
  expect(readShipment(request)).toMatchObject({ fault: { type: 'getRates.invalidRequest' } });
});

test('a postal code outside the United States is not checked as a ZIP code', () => {
  expect(readShipment(body('K1A 0B1', 2, 'LB', 'ca'))).toMatchObject({ countryCode: 'CA', postalCode: 'K1A 0B1' });
  expect(complaintsWithPaths(body('K1A 0B1', 2, 'LB', 'us'))).toEqual([`rates.recipient.address.postalCode ${ZIP}`]);
});

test('a shipment is in the United States and commercial unless it says otherwise, with the longest side first', () => {
  expect(
    readShipment(withPackages([item, { ...item, dimensions: { units: 'IN', length: 1, width: 3, height: 2 } }])),
  ).toEqual({
    warehouseId: 101,
    postalCode: '02139',
    countryCode: 'US',
    residential: false,
    packages: [{ mass: 90_718_474 }, { mass: 90_718_474, sides: [762_000, 508_000, 254_000] }],
  });
  expect(readShipment(withAddress({ residential: true, addressLine: '1 Main St' }))).toMatchObject({
    residential: true,
    addressLine: '1 Main St',
  });
  const sides = [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
  ].map(([length, width, height]) => {
    const read = readShipment(withPackages([{ ...item, dimensions: { units: 'CM', length, width, height } }]));
    return 'packages' in read ? read.packages[0]?.sides : undefined;
  });
  expect(sides).toEqual(new Array(6).fill([300_000, 200_000, 100_000]));
  expect(packageWeighing(2, 'LB')).toEqual({ mass: 90_718_474 });
});

test.each([
  [{ signature: 'adult' }, { signature: 'adult' }],
  [
    { saturday: true, nonStandardPackaging: true },
    { saturday: true, nonStandardPackaging: true },
  ],
  [{ declaredValue: 50_000 }, { declaredValueCents: 5_000_000 }],
  [{ declaredValue: 1.1 }, { declaredValueCents: 110 }],
  [{ declaredValue: 0.29 }, { declaredValueCents: 29 }],
  [{ declaredValue: 19_999.99 }, { declaredValueCents: 1_999_999 }],
])('the options %j ask for %j', (options, asked) => {
  const read = readShipment(asking(options));
  expect('options' in read ? read.options : read).toStrictEqual(asked);
});

test.each([undefined, {}, { saturday: false, nonStandardPackaging: false, declaredValue: 0 }])(
  'the options %j ask for nothing',
  (options) => {
    expect(readShipment(asking(options))).toEqual(readShipment(body('02139')));
    expect(readShipment(asking(options))).not.toBeInstanceOf(Failed);
  },
);

test('any body gets the same result as with the schema’s safeParse', () => {
  const pathOf = (path: readonly PropertyKey[]): string =>
    path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const any = fc.anything();
  const mostly = (good: unknown, ...others: unknown[]) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(good) },
      { weight: 1, arbitrary: fc.constantFrom(...others, undefined) },
      any,
    );
  const address = fc.record({
    postalCode: mostly('02139', '2139', 2139),
    countryCode: mostly('US', 'USA', 'MX'),
    addressLine: mostly('1 Main St', 'x'.repeat(36)),
  });
  const weight = fc.record({ units: mostly('LB', 'lb'), value: mostly(2, '2', 0, 100) });
  const rates = fc.record({
    shipper: mostly({ warehouse_id: 101 }, { warehouse_id: 0 }),
    recipient: fc.oneof({ weight: 9, arbitrary: fc.record({ address }) }, { weight: 1, arbitrary: any }),
    packageItems: fc.array(fc.record({ weight }), { maxLength: 3 }),
    shipDate: mostly('2026-06-01', 'soon'),
  });
  const verdicts = new Set<boolean>();
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: fc.record({ rates }) }, { weight: 1, arbitrary: any }), (request) => {
      const read = readShipment(request);
      const { success, error } = rateRequest.safeParse(request);
      verdicts.add(success);
      const paths = issuesOf(read).map(({ path }) => path);
      const theirs = (error?.issues ?? []).map(({ path }) => pathOf(path).replace(/^\./, '') || 'body');
      expect(paths).toEqual(theirs);
      expect(read instanceof Failed).toBe(!success);
    }),
    { numRuns: 1_000 },
  );
  expect(verdicts).toEqual(new Set([true, false]));
});
