import { expect, test } from 'vitest';
import { unknownMembers } from '../../src/rating/quote.ts';

const named = (body: unknown) => unknownMembers(body).map(({ arguments: { member } }) => member);

test('a request with every known member has no unknown member', () => {
  const body = {
    rates: {
      shippingService: 'GROUND',
      shipDate: '2026-06-01',
      shipper: { warehouse_id: 101 },
      recipient: {
        address: { addressLine: '1 Main St', postalCode: '02139', countryCode: 'US', residential: true },
      },
      options: { signature: 'adult', saturday: true, declaredValue: 250, nonStandardPackaging: false },
      packageItems: [
        { weight: { units: 'LB', value: 2 }, dimensions: { units: 'IN', length: 3, width: 2, height: 1 } },
      ],
    },
  };
  expect(unknownMembers(body)).toEqual([]);
});

test('an unknown member is a warning with its path, wherever it is', () => {
  const body = {
    currency: 'USD',
    rates: {
      'ship date': 'soon',
      shipper: { warehouse_id: 101, name: 'East' },
      recipient: { address: { postalCode: '02139', residental: true } },
      options: { declared_value: 250 },
      packageItems: [
        { weight: { units: 'LB', value: 2 } },
        { weight: { units: 'LB', value: 2, unit: 'LB' }, dimensions: { depth: 1 }, insured: { value: 5 } },
      ],
    },
  };
  expect(named(body)).toEqual([
    'currency',
    'rates["ship date"]',
    'rates.shipper.name',
    'rates.recipient.address.residental',
    'rates.options.declared_value',
    'rates.packageItems[1].weight.unit',
    'rates.packageItems[1].dimensions.depth',
    'rates.packageItems[1].insured',
  ]);
  expect(unknownMembers({ currency: 'USD' })).toEqual([
    {
      type: 'request.unknownMember',
      message: 'The member currency is unknown and was ignored.',
      arguments: { member: 'currency' },
    },
  ]);
});

test('a member is searched only if it is an object or a list in the request too', () => {
  expect(named({ rates: null })).toEqual([]);
  expect(named({ rates: { shipDate: { day: 1 }, shippingService: [{ code: 1 }], recipient: 'me' } })).toEqual([]);
  expect(named({ rates: [{ city: 1 }] })).toEqual([]);
  expect(named({ rates: { packageItems: { city: 1 } } })).toEqual([]);
});

test('a long name is cut after 64 characters, and a name that is not plain is in brackets', () => {
  expect(named({ ['a'.repeat(64)]: 1, ['b'.repeat(65)]: 1, '1st': 1, _x9: 1, 'a-b': 1 })).toEqual([
    'a'.repeat(64),
    `["${'b'.repeat(64)}…"]`,
    '["1st"]',
    '_x9',
    '["a-b"]',
  ]);
});

test('the first twenty are named, and the last of them says how many more there are', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`member_${at + 1}`, 1]));
  const messages = (count: number) => unknownMembers(members(count)).map(({ message }) => message);
  const said = (at: number) => `The member member_${at} is unknown and was ignored.`;
  expect(messages(20)).toEqual(Array.from({ length: 20 }, (_, at) => said(at + 1)));
  expect(messages(23)).toEqual([
    ...Array.from({ length: 19 }, (_, at) => said(at + 1)),
    `${said(20)} So were 3 more members.`,
  ]);
});
