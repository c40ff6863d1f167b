import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateRequest, readShipment } from '../../src/rating/shipment.ts';

const body = (postalCode: string, value: unknown = 2, units = 'LB', countryCode = 'US') => ({
  rates: {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode, countryCode } },
    packageItems: [{ weight: { units, value } }],
  },
});

const complaints = (request: unknown): string[] => {
  const read = readShipment(request);
  return 'issues' in read ? read.issues.map(({ message }) => message) : [];
};

const ZIP = 'must be a ZIP code: 12345 or 12345-6789';
const MENDS_ZIP = '; ?repair=zip mends such cells of a list';
const MENDS_WEIGHT = '; ?repair=weight mends such cells of a list';

test.each([
  ['2139', `${ZIP}; 2139 looks like 02139 without its leading zero${MENDS_ZIP}`],
  ['501', `${ZIP}; 501 looks like 00501 without its leading zeros${MENDS_ZIP}`],
  ['02139.0', `${ZIP}; 02139.0 looks like 02139 made a decimal number${MENDS_ZIP}`],
  ['021391234', `${ZIP}; 021391234 looks like 02139-1234 without its hyphen${MENDS_ZIP}`],
  ['21391234', `${ZIP}; 21391234 looks like 02139-1234 without its leading zeros and its hyphen${MENDS_ZIP}`],
  ['0213', ZIP],
  ['1', ZIP],
  ['ABCDE', ZIP],
])('the postal code %s is refused with what it probably is, and how a list has it mended', (postalCode, said) => {
  expect(complaints(body(postalCode))).toEqual([said]);
});

test.each([
  ['5 lb 3 oz', 'LB', `must be of type number; a unit belongs in units, KG or LB${MENDS_WEIGHT}`],
  ['2.3kg', 'LB', `must be of type number; a unit belongs in units, KG or LB${MENDS_WEIGHT}`],
  ['2,3', 'LB', 'must be of type number; its decimal sign is a point'],
  ['heavy', 'LB', 'must be of type number'],
  [16, 'OZ', `must be one of KG, LB; this looks like ounces: 1 is 0.0625 LB${MENDS_WEIGHT}`],
  [50, 'g', `must be one of KG, LB; this looks like grams: 1 is 0.001 KG${MENDS_WEIGHT}`],
  [2, 'STONE', 'must be one of KG, LB'],
])('the weight %s %s is refused with what is likely', (value, units, said) => {
  expect(complaints(body('02139', value, units))).toEqual([said]);
});

test.each([
  ['USA', `must be two letters; this looks like US${MENDS_ZIP}`],
  ['United States', `must be two letters; this looks like US${MENDS_ZIP}`],
  ['U', 'must be two letters'],
])('the country %s is refused with what is likely', (country, said) => {
  expect(complaints(body('02139', 2, 'LB', country))).toEqual([said]);
});

test('any body is judged as the schema’s safeParse judges it', () => {
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
      const paths = 'issues' in read ? read.issues.map(({ path }) => path) : [];
      const theirs = (error?.issues ?? []).map(({ path }) => pathOf(path).replace(/^\./, '') || 'body');
      expect(paths).toEqual(theirs);
      expect('type' in read).toBe(!success);
    }),
    { numRuns: 1_000 },
  );
  expect(verdicts).toEqual(new Set([true, false]));
});
