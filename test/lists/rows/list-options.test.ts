/** The parameters for reading a list and the resulting options. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  DELIMITER_OPTIONS,
  delimiterName,
  REPAIR_CHOICES,
  readingParameters,
  readOptionsOf,
} from '../../../src/lists/list-options.ts';

const parameters = z.object(readingParameters);
type Parameter = keyof typeof readingParameters;

/** Returns the problem with a parameter; undefined if it is valid. */
const problemOf = (name: Parameter, value: string): string | undefined =>
  parameters.safeParse({ [name]: value }).error?.issues[0]?.message;

const WAREHOUSE = 'must be a warehouse id (a whole number of at most 10 digits), any, or several such as 101|103';

describe('the parameters', () => {
  test.each<[Parameter, string[]]>([
    ['warehouse_id', ['1', '101', '9999999999', 'any', 'ANY', '101|103', '103 | 101']],
    ['units', ['KG', 'LB', 'OZ', 'G']],
    ['dimension_units', ['IN', 'CM']],
    ['shippingService', ['A', 'ABCDEFGHIJ']],
    ['residential', ['true', 'false']],
    ['encoding', ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']],
    ['delimiter', [',', ';', 'tab', '|']],
    ['quotes', ['none']],
    ['decimal', ['point', 'comma']],
    ['date_order', ['mdy', 'dmy', 'ymd']],
    ['weight_per', ['package', 'shipment']],
    ['empty_weight', ['2.5LB', '2.5 LB', '40OZ', '99999.123456 G', '007.5KG']],
    ['sheet', ['1', 'x'.repeat(100)]],
    ['columns', ['weight_value:Wt', `weight_value:${'x'.repeat(9_987)}`]],
    ['service_map', ['Standard:UPS-GROUND', `a:${' '.repeat(9_997)}B`]],
    ['repair', ['zip', 'weight', 'all']],
  ])('%s', (name, values) => {
    for (const value of values) expect(problemOf(name, value)).toBeUndefined();
  });

  test.each<[Parameter, string, unknown]>([
    ['warehouse_id', '0', WAREHOUSE],
    ['warehouse_id', '01', WAREHOUSE],
    ['warehouse_id', '12345678901', WAREHOUSE],
    ['warehouse_id', '1a', WAREHOUSE],
    ['warehouse_id', '101|', WAREHOUSE],
    ['warehouse_id', '101|101', WAREHOUSE],
    ['warehouse_id', 'any|101', WAREHOUSE],
    ['warehouse_id', 'a1', WAREHOUSE],
    ['warehouse_id', '', WAREHOUSE],
    ['units', 'lb', 'must be LB, KG, OZ or G'],
    ['dimension_units', 'in', 'must be IN or CM'],
    ['shippingService', '', expect.any(String)],
    ['shippingService', 'ABCDEFGHIJK', expect.any(String)],
    ['residential', 'yes', 'must be true or false'],
    ['encoding', 'latin1', 'must be one of utf-8, utf-16le, utf-16be, windows-1252'],
    ['delimiter', ':', 'must be one of , ; | and tab'],
    ['quotes', 'double', 'must be none'],
    ['decimal', ',', 'must be point or comma'],
    ['date_order', 'us', 'must be mdy, dmy or ymd'],
    ['weight_per', 'all', 'must be package or shipment'],
    ['sheet', '', expect.any(String)],
    ['sheet', 'x'.repeat(101), expect.any(String)],
    ['columns', 'Wt', 'must be pairs such as weight_value:Wt (lbs),postalCode:Ship To Zip'],
    ['columns', `weight_value:${'x'.repeat(9_988)}`, expect.any(String)],
    ['service_map', 'x', expect.stringContaining('"x" must be a name, a colon and a code')],
    ['service_map', `a:${' '.repeat(9_998)}B`, expect.any(String)],
    ['repair', 'size', 'must be zip, weight or all'],
  ])('%s is not %j', (name, value, problem) => {
    expect(problemOf(name, value)).toEqual(problem);
  });

  test('are offered in the form of the parameters', () => {
    expect(DELIMITER_OPTIONS).toEqual([',', ';', 'tab', '|']);
    expect(REPAIR_CHOICES).toEqual(['zip', 'weight', 'all']);
    expect(([',', ';', '\t', '|'] as const).map(delimiterName)).toEqual([',', ';', 'tab', '|']);
  });
});

describe('the reading options', () => {
  const reading = (said: Record<string, string>, services?: string[]) =>
    readOptionsOf(parameters.parse(said), services);

  test('are empty without parameters', () => {
    expect(reading({})).toEqual({ defaults: {} });
    expect(reading({}).defaults).toStrictEqual({});
  });

  test('have values for missing columns', () => {
    expect(
      reading({
        warehouse_id: '101',
        units: 'KG',
        dimension_units: 'CM',
        shippingService: 'C1-GROUND',
        residential: 'true',
      }).defaults,
    ).toEqual({
      warehouse_id: '101',
      weight_units: 'KG',
      dimension_units: 'CM',
      shippingService: 'C1-GROUND',
      residential: 'true',
    });
  });

  test.each([
    [{ encoding: 'utf-16le' }, { encoding: 'utf-16le' }],
    [{ delimiter: 'tab' }, { delimiter: '\t' }],
    [{ delimiter: ';' }, { delimiter: ';' }],
    [{ sheet: '2' }, { sheet: '2' }],
    [
      { columns: 'weight_value:Wt,packages:' },
      {
        named: new Map([
          ['weight_value', 'Wt'],
          ['packages', ''],
        ]),
      },
    ],
    [{ service_map: 'Two Day:FDX-2DAY' }, { serviceMap: [['twoday', 'FDX-2DAY']] }],
    [{ repair: 'zip' }, { repairs: ['zip'] }],
    [{ repair: 'weight' }, { repairs: ['weight'] }],
    [{ repair: 'all' }, { repairs: ['zip', 'weight', 'size', 'residential', 'value'] }],
  ])('%j', (said, expected) => {
    expect(reading(said)).toEqual({ defaults: {}, ...expected });
  });

  test('have the codes of the loaded services', () => {
    expect(reading({}, ['A', 'B'])).toEqual({ defaults: {}, services: ['A', 'B'] });
  });
});
