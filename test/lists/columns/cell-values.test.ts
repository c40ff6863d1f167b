import { describe, expect, test } from 'vitest';
import { cellReaders } from '../../../src/lists/columns/cell-values.ts';
import { readServiceMap, serviceNames, unknownCode } from '../../../src/lists/columns/service-names.ts';

const { countryCode, residential, weight_units, dimension_units } = cellReaders({
  words: ['countryCode', 'residential', 'weight_units', 'dimension_units'],
  services: [],
});

describe('countries', () => {
  test.each([
    ['United States', 'US'],
    ['USA', 'US'],
    ['u.s.a.', 'US'],
    ['UNITED STATES OF AMERICA', 'US'],
    ['US', 'US'],
    ['us', 'us'],
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    ['Canada', 'CA'],
    ['United Kingdom', 'GB'],
    ['Puerto Rico', 'PR'],
    ['México', 'MX'],
    ['u.k.', 'GB'],
    ['The Netherlands', 'NL'],
    ['Côte d’Ivoire', 'CI'],
    ['Gondor', 'Gondor'],
    ['DE', 'DE'],
    ['', ''],
    // Withdrawn codes, and letters that are not a code, stay unchanged. A request rejects them.
    ['East Germany', 'East Germany'],
    ['UK', 'UK'],
    // Longer than the name of any country.
    [`Germany${' '.repeat(53)}`, 'DE'],
    [`Germany${' '.repeat(54)}`, `Germany${' '.repeat(54)}`],
  ])('%s is %s', (cell, code) => {
    expect(countryCode?.(cell)).toBe(code);
  });
});

describe('residential', () => {
  test.each(['Y', 'yes', 'TRUE', '1', 'Residential', 'R', 'res'])('%s is residential', (cell) => {
    expect(residential?.(cell)).toBe('true');
  });
  test.each(['N', 'no', 'FALSE', '0', 'Commercial', 'C', 'Business'])('%s is not', (cell) => {
    expect(residential?.(cell)).toBe('false');
  });
  test.each(['Unknown', '', '2', 'yes no', `yes${' '.repeat(38)}`])('%j stays unchanged and causes a fault', (cell) => {
    expect(residential?.(cell)).toBe(cell);
  });
  test('reads a word of at most forty characters, ignoring case, spaces and punctuation', () => {
    expect(residential?.(`yes${' '.repeat(37)}`)).toBe('true');
    expect(residential?.(' Non-Residential ')).toBe('false');
  });
});

describe('options', () => {
  const { signature, saturday, non_standard_packaging, billing } = cellReaders({
    words: ['signature', 'saturday', 'non_standard_packaging', 'billing'],
    services: [],
  });

  test.each([
    ['direct', 'direct'],
    ['Direct signature', 'direct'],
    ['DIRECT_SIGNATURE_REQUIRED', 'direct'],
    ['Indirect', 'indirect'],
    ['adult signature required', 'adult'],
    ['ADULT', 'adult'],
    ['none', ''],
    ['No', ''],
    ['0', ''],
    ['NO_SIGNATURE_REQUIRED', ''],
    ['SERVICE_DEFAULT', ''],
    ['yes', 'yes'],
    ['Y', 'Y'],
    ['signature required', 'signature required'],
    ['adult 18', 'adult 18'],
  ])('the signature %s is %j', (cell, value) => {
    expect(signature?.(cell)).toBe(value);
  });

  test.each([
    ['SENDER', 'shipper'],
    ['Prepaid', 'shipper'],
    ['Bill Receiver', 'recipient'],
    ['COLLECT', 'recipient'],
    ['Freight Collect', 'recipient'],
    ['THIRD_PARTY', 'third_party'],
    ['3rd Party', 'third_party'],
    ['Return', 'return'],
    ['me', 'me'],
    ['', ''],
  ])('the billing %s is %j', (cell, value) => {
    expect(billing?.(cell)).toBe(value);
  });

  test.each([
    ['Yes', 'true'],
    ['1', 'true'],
    ['N', 'false'],
    ['residential', 'residential'],
    ['sometimes', 'sometimes'],
  ])('Saturday and packaging %s are %s', (cell, value) => {
    expect([saturday?.(cell), non_standard_packaging?.(cell)]).toEqual([value, value]);
  });
});

test('reads one unit for all packages or one for each', () => {
  expect(weight_units?.('lbs|Kg|oz.|stone')).toBe('LB|KG|OZ|stone');
  expect(dimension_units?.('inches')).toBe('IN');
  expect(dimension_units?.('lbs|cms')).toBe('lbs|CM');
  expect(weight_units?.('')).toBe('');
});

test('a cell of units that is too long stays unchanged', () => {
  expect(weight_units?.('lbs|'.repeat(250))).toBe('LB|'.repeat(250));
  expect(weight_units?.(`${'lbs|'.repeat(250)}g`)).toBe(`${'lbs|'.repeat(250)}g`);
});

test('converts only fields with words, and services if there are names', () => {
  expect(Object.keys(cellReaders({ words: [], services: [] }))).toEqual([]);
  expect(Object.keys(cellReaders({ words: ['residential', 'packages'], services: [] }))).toEqual(['residential']);
  expect(Object.keys(cellReaders({ words: [], services: [['a', 'A']] }))).toEqual(['shippingService']);
});

const CODES = ['UPS-GROUND', 'UPS-2DAY', 'FDX-2DAY', 'FDX-HOME', 'FDX-GROUND', 'UPS-NDASVR'];
const readService = (map: string | undefined, codes: readonly string[] = CODES) => {
  const pairs = map === undefined ? [] : readServiceMap(map);
  if (typeof pairs === 'string') throw new Error(pairs);
  return (cell: string) =>
    cellReaders({ words: [], services: serviceNames(pairs, codes).pairs }).shippingService?.(cell) ?? cell;
};

describe('names of services', () => {
  test.each([
    ['UPS Ground', 'UPS-GROUND'],
    ['UPS® Ground', 'UPS-GROUND'],
    ['ups_ground', 'UPS-GROUND'],
    ['UPS 2nd Day Air®', 'UPS-2DAY'],
    ['ups_second_day_air', 'UPS-2DAY'],
    ['2ndDayAir', 'UPS-2DAY'],
    ['NextDayAirSaver', 'UPS-NDASVR'],
    ['FedEx 2Day', 'FDX-2DAY'],
    ['FedEx 2Day®', 'FDX-2DAY'],
    ['FEDEX_2_DAY', 'FDX-2DAY'],
    ['FedEx Home Delivery', 'FDX-HOME'],
    ['GROUND_HOME_DELIVERY', 'FDX-HOME'],
    ['FEDEX_GROUND', 'FDX-GROUND'],
  ])('%s is %s by itself', (name, code) => {
    expect(readService(undefined)(name)).toBe(code);
  });

  test('are read up to two hundred characters', () => {
    const name = (characters: number) => `UPS${' '.repeat(characters - 9)}Ground`;
    expect(readService(undefined)(name(200))).toBe('UPS-GROUND');
    expect(readService(undefined)(name(201))).toBe(name(201));
  });

  test('are read any number of times', () => {
    const read = cellReaders({ words: [], services: [['a', 'A']] }).shippingService;
    const names = Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? `a${'.'.repeat(at % 100)}` : `b${at}`));
    for (const name of [...names, ...names]) expect(read?.(name)).toBe(name.startsWith('a') ? 'A' : name);
  });

  test('of carriers without a loaded tariff stay unchanged', () => {
    expect(readService(undefined)('USPS Ground Advantage')).toBe('USPS Ground Advantage');
    expect(readService(undefined, ['C1-GROUND'])('UPS Ground')).toBe('UPS Ground');
  });

  test('do not override another service with that code', () => {
    expect(readService(undefined, ['UPS-GROUND', 'UPSGROUND'])('UPSGROUND')).toBe('UPSGROUND');
  });

  test('follow the caller’s map, even for codes', () => {
    const read = readService('Standard:UPS-GROUND,Two\\, Day: Express:FDX-2DAY,UPS Ground:FDX-GROUND,Any:');
    expect(['standard', 'STANDARD ', 'Two, Day: Express', 'ups_ground', 'Any'].map(read)).toEqual([
      'UPS-GROUND',
      'UPS-GROUND',
      'FDX-2DAY',
      'FDX-GROUND',
      '',
    ]);
  });

  test.each([
    ['x', '"x" must be a name, a colon and a code, as in UPS Ground:UPS-GROUND,FedEx 2Day:FDX-2DAY'],
    ['', 'must be names and codes, as in UPS Ground:UPS-GROUND,FedEx 2Day:FDX-2DAY'],
    ['a:UPS-GROUND,A :FDX-2DAY', 'has "A" twice; case, spaces and punctuation do not matter'],
    [' :UPS-GROUND', '":UPS-GROUND" has no name before its colon'],
    ['a:ELEVENCHARS', '"a:ELEVENCHARS" has a code of more than 10 characters'],
    [`${'n'.repeat(101)}:A`, expect.stringContaining('has a name of more than 100 characters')],
    [Array.from({ length: 201 }, (_, at) => `${at}:A`).join(), 'has 201 entries; the most are 200'],
    ['a:B\\', 'ends with a single backslash'],
  ])('a map %j is refused with the entry', (map, problem) => {
    expect(readServiceMap(map)).toEqual(problem);
  });

  test('rejects a map to an unknown service', () => {
    expect(unknownCode([['standard', 'UPS-GRND']], ['UPS-GROUND'])).toBe(
      'maps "standard" to UPS-GRND, which is not a service; the services are UPS-GROUND',
    );
  });
});
