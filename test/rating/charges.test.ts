/** Charges in addition to the rates: dates, zones, options, caps, size limits, small packages. */
import { expect, test } from 'vitest';
import type { TariffFileInput } from '../../src/catalog/tariff/document.ts';
import { PRICE_PARTS } from '../../src/rating/charges.ts';
import { chargedLines } from '../../src/rating/price.ts';
import { missingParts, warningTypes } from '../../src/rating/warning.ts';
import { ANYWHERE, oneColumn, type Parts, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { type Asked, priced, priceOf } from './priced.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const each = (type: string, usd: string, more: Partial<Surcharge> = {}): Surcharge => ({
  type,
  description: type,
  amount: { per: 'package', usd },
  ...more,
});

/** A service to anywhere up to 150 lb: 10.00 for 1 lb and 0.10 for each additional pound. */
const tariffOf = (surcharges: readonly Surcharge[], parts: Parts = {}) =>
  smallTariff({
    file: { surcharges: [...surcharges], ...parts.file },
    service: { zones: ANYWHERE, ...parts.service },
    document: {
      rates: { GROUND: oneColumn('2', ...Array.from({ length: 150 }, (_, at) => 1_000 + 10 * at)) },
      ...parts.document,
    },
  });

const linesOf = (surcharges: readonly Surcharge[], asked: Asked = {}, parts: Parts = {}) =>
  chargedLines(priceOf(tariffOf(surcharges, parts), asked)).map(({ type, amountCents }) => [type, amountCents]);

const box = (lb: number, ...inches: readonly number[]): Asked => ({ packages: [{ lb, inches }] });

test('one of several measures is enough, and a package at a limit is not over it', () => {
  const handling = each('HANDLING', '29.50', {
    when: { anyOf: [{ lengthOverIn: 48 }, { secondSideOverIn: 30 }, { lengthPlusGirthOverIn: 105 }] },
    leastBillingWeightLb: 40,
  });
  expect(linesOf([handling], box(2, 48, 14, 14))).toEqual([]);
  expect(linesOf([handling], box(2, 49, 1, 1))).toEqual([['HANDLING', 2_950]]);
  expect(linesOf([handling], box(2, 31, 31, 1))).toEqual([['HANDLING', 2_950]]);
  expect(linesOf([handling], box(2, 46, 15, 15))).toEqual([['HANDLING', 2_950]]);
  expect(linesOf([handling])).toEqual([]);
  expect(priceOf(tariffOf([handling]), box(2, 49, 1, 1))).toMatchObject({ billingWeightLb: 40, baseCents: 1_390 });
});

test('a measure next to alternatives must also be met', () => {
  const heavy = each('HEAVY', '5.00', { when: { actualWeightOverLb: 10, anyOf: [{ lengthOverIn: 20 }] } });
  expect(linesOf([heavy], box(11, 21, 1, 1))).toEqual([['HEAVY', 500]]);
  expect(linesOf([heavy], box(10, 21, 1, 1))).toEqual([]);
  expect(linesOf([heavy], box(11, 20, 1, 1))).toEqual([]);
});

test('a surcharge is charged from its first day to its last', () => {
  const demand = each('DEMAND', '4.00', { from: '2026-10-01', until: '2027-01-17' });
  const on = (day: string) => linesOf([demand], { day });
  expect(on('2026-09-30')).toEqual([]);
  expect(on('2026-10-01')).toEqual([['DEMAND', 400]]);
  expect(on('2027-01-17')).toEqual([['DEMAND', 400]]);
  expect(on('2027-01-18')).toEqual([]);
});

const weekly: Surcharge = {
  type: 'FUEL',
  description: 'Fuel',
  amount: {
    per: 'percent',
    of: ['BASE'],
    rate: [
      { from: '2026-06-08', rate: '20' },
      { from: '2026-06-15', until: '2026-06-21', rate: '30' },
    ],
  },
};

test('fuel has no charge before its first rate, and the price says so', () => {
  const fuelOn = (day: string) => {
    const price = priceOf(tariffOf([weekly], { service: { hasNo: [] } }), { day });
    return [price.surchargeCents, missingParts(price.warnings).includes('fuel')];
  };
  expect(fuelOn('2026-06-07')).toEqual([0, true]);
  expect(fuelOn('2026-06-14')).toEqual([200, false]);
  expect(fuelOn('2026-06-21')).toEqual([300, false]);
  expect(fuelOn('2026-06-22')).toEqual([300, false]);
});

test('an amount by zone applies to all rate columns reported as it, and an amount for a column takes precedence', () => {
  const byZone = (column: string) =>
    chargedLines(
      priceOf(
        smallTariff({
          file: {
            surcharges: [
              each('ZONED', '', {
                amount: { per: 'package', usd: { 'zone 2': '1.00', 'zone 8': '4.00', '44': '3.00' } },
              }),
            ],
          },
          service: {
            zones: { distanceMiles: [30_000], distanceColumns: [column, column] },
            rateZones: { '102': 2, '44': 8, '45': 8 },
          },
          document: { rates: { GROUND: { columns: ['102', '44', '45'], cents: [[1_000, 2_000, 3_000]] } } },
        }),
      ),
    )[0]?.amountCents;
  expect([byZone('102'), byZone('44'), byZone('45')]).toEqual([100, 300, 400]);
});

test('signature, Saturday and packaging are charged if the request asks for them', () => {
  const asked = [
    each('SIGNATURE_DIRECT', '7.60', { when: { signature: ['indirect', 'direct'] } }),
    each('SIGNATURE_ADULT', '10.00', { when: { signature: ['adult'] } }),
    each('SATURDAY_DELIVERY', '16.00', { when: { saturday: true } }),
    each('PACKAGING', '26.50', { when: { nonStandardPackaging: true } }),
  ];
  const on = (options?: Asked['options']) => linesOf(asked, options === undefined ? {} : { options });
  expect(on()).toEqual([]);
  expect(on({ signature: 'indirect' })).toEqual([['SIGNATURE_DIRECT', 760]]);
  expect(on({ signature: 'adult', saturday: true })).toEqual([
    ['SIGNATURE_ADULT', 1_000],
    ['SATURDAY_DELIVERY', 1_600],
  ]);
  expect(on({ nonStandardPackaging: true, saturday: false })).toEqual([['PACKAGING', 2_650]]);
});

test('an option that the tariff has no charge for is missing from the price', () => {
  const missing = (options: Asked['options']) =>
    missingParts(priceOf(tariffOf([]), { options: { ...options } }).warnings);
  expect(missing({ signature: 'adult' })).toEqual(['signature']);
  expect(missing({ saturday: true, declaredValue: 500 })).toEqual(['saturday', 'declaredValue']);
  expect(missing({ nonStandardPackaging: true })).toEqual([]);
  const direct = each('SIGNATURE_DIRECT', '7.60', { when: { signature: ['direct'] } });
  const asked = { options: { signature: 'adult' } };
  expect(missingParts(priceOf(tariffOf([direct]), asked).warnings)).toEqual(['signature']);
});

const declared: Surcharge = {
  type: 'DECLARED_VALUE',
  description: 'Declared value',
  amount: { per: 'declaredValue', usdPer100: '1.65', minimumUsd: '4.95' },
};

test.each([
  [100, 0],
  [100.01, 495],
  [300, 495],
  [300.01, 660],
  [1_000, 1_650],
])('a declared value of %d dollars costs %d cents, once for the shipment', (declaredValue, cents) => {
  const price = priceOf(tariffOf([declared]), { packages: [{ lb: 1 }, { lb: 2 }], options: { declaredValue } });
  expect(price.surchargeCents).toBe(cents);
});

test('a declared value, divided equally among the packages, may waive a charge', () => {
  const direct = each('SIGNATURE_DIRECT', '7.60', { when: { signature: ['direct'], declaredValueUnderUsd: 500 } });
  const on = (declaredValue: number | undefined, packages = 1) => {
    const options = { signature: 'direct', ...(declaredValue === undefined ? {} : { declaredValue }) };
    const tariff = tariffOf([direct], { service: { hasNo: PRICE_PARTS.filter((part) => part !== 'signature') } });
    const { surchargeCents, warnings } = priceOf(tariff, { packages: Array(packages).fill({ lb: 1 }), options });
    return [surchargeCents, missingParts(warnings)];
  };
  expect(on(undefined)).toEqual([760, []]);
  expect(on(499.99)).toEqual([760, []]);
  expect(on(500)).toEqual([0, []]);
  expect(on(999.99, 2)).toEqual([1_520, []]);
  expect(on(1_000, 2)).toEqual([0, []]);
});

test('a shipment that is rated as a whole pays no more than the cap, and fuel on the cap', () => {
  const surcharges = [
    each('RESIDENTIAL', '5.00', { multiweightMaximumUsd: '12.00', when: { residential: true } }),
    each('SATURDAY_DELIVERY', '16.00', { multiweightMaximumUsd: '0.00', when: { saturday: true } }),
    {
      type: 'FUEL',
      description: 'Fuel',
      amount: { per: 'percent' as const, rate: '10', of: ['BASE', 'RESIDENTIAL', 'SATURDAY_DELIVERY'] },
    },
  ];
  const parts: Parts = {
    service: { multiweight: {} },
    document: {
      multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 100, centsPerLb: [10] }] } },
    },
  };
  const asked = (lb: number): Asked => ({
    packages: [{ lb }, { lb }, { lb }],
    residential: true,
    options: { saturday: true },
  });
  // 150 lb at 0.10 are 15.00; fuel once, on 15.00 + 12.00.
  expect(linesOf(surcharges, asked(50), parts)).toEqual([
    ['RESIDENTIAL', 1_200],
    ['FUEL', 270],
  ]);
  // 3 × 10.90 at 10 lb: no multiweight. Fuel on 10.90 + 5.00 + 16.00 = 31.90: 3.19 each.
  expect(linesOf(surcharges, asked(10), parts)).toEqual([
    ['RESIDENTIAL', 1_500],
    ['SATURDAY_DELIVERY', 4_800],
    ['FUEL', 957],
  ]);
});

test('a package too small to be billed by volume adds no volume to a shipment that is rated as a whole', () => {
  const baseWith = (dimensionalOverCubicIn: number): number => {
    const tariff = tariffOf([], {
      service: { dimensionalFactor: 139, dimensionalOverCubicIn, multiweight: { minimumAverageLb: 1 } },
      document: { multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 100, centsPerLb: [10] }] } } },
    });
    const packages = Array.from({ length: 10 }, () => ({ lb: 10, inches: [12, 12, 12] }));
    return priceOf(tariff, { packages }).baseCents;
  };
  // 10 lb each are 100 lb. 17,280 cubic inches are 125 lb.
  expect([baseWith(1_728), baseWith(1_727)]).toEqual([1_000, 1_250]);
});

test('ZIP codes may have tiers in several lists', () => {
  const area = (type: string, usd: string, list: string, tier: string) =>
    each(type, usd, { when: { area: { list, tier } } });
  const surcharges = [
    area('A1', '1.00', 'one', 'near'),
    area('A2', '2.00', 'one', 'far'),
    area('B1', '4.00', 'two', 'near'),
  ];
  const areas = {
    one: {
      rows: [
        { zip: '021', tier: 'near' },
        { zip: '10001', tier: 'far' },
      ],
    },
    two: { rows: [{ zip: '02139-02140', tier: 'near' }] },
  };
  const to = (zip: string) => linesOf(surcharges, { to: zip }, { document: { areas } }).map(([type]) => type);
  expect([to('02138'), to('02139'), to('10001'), to('60601')]).toEqual([['A1'], ['A1', 'B1'], ['A2'], []]);
});

test('a package over a size limit is refused, after the check of its weight', () => {
  const parts: Parts = { service: { maximumLengthIn: 108, maximumLengthPlusGirthIn: 165, maximumActualLb: 70 } };
  const faultOf = (asked: Asked) => {
    const fault = priced(tariffOf([], parts), asked);
    return 'type' in fault ? fault : undefined;
  };
  expect(faultOf(box(2, 108, 1, 1))).toBeUndefined();
  expect(faultOf(box(2, 108.5, 1, 1))).toMatchObject({
    type: 'getRates.sizeNotServed',
    measure: 'length',
    inches: 109,
    maximumInches: 108,
    packageIndex: 0,
  });
  expect(faultOf(box(2, 105, 29, 1))).toBeUndefined();
  expect(faultOf({ packages: [{ lb: 1 }, { lb: 2, inches: [105, 29, 2] }] })).toMatchObject({
    measure: 'lengthPlusGirth',
    inches: 167,
    packageIndex: 1,
  });
  expect(faultOf(box(71, 200, 1, 1))).toMatchObject({ type: 'getRates.weightNotServed' });
});

test('a service for homes charges every address as a home, and says so', () => {
  const residential = each('RESIDENTIAL', '6.45', { when: { residential: true } });
  const tariff = tariffOf([residential], { service: { deliversTo: 'homes' } });
  const [home, unsaid] = [priceOf(tariff, { residential: true }), priceOf(tariff)];
  expect([home.surchargeCents, unsaid.surchargeCents]).toEqual([645, 645]);
  expect([warningTypes(home.warnings), warningTypes(unsaid.warnings)]).toEqual([[], ['service.homesOnly']]);
});

test('a service for businesses refuses homes', () => {
  const tariff = tariffOf([], { service: { deliversTo: 'businesses' } });
  expect(priced(tariff, { residential: true })).toMatchObject({
    type: 'getRates.noDeliveryCoverage',
    notTo: 'homes',
  });
  expect(priceOf(tariff).netCents).toBe(1_000);
});

test('a price says which parts its tariff lacks, and the residential charge only for homes', () => {
  const tariff = tariffOf([], { service: { hasNo: [] } });
  expect(missingParts(priceOf(tariff, { residential: true }).warnings)).toEqual([
    'fuel',
    'residential',
    'deliveryArea',
    'handling',
    'limits',
  ]);
  expect(missingParts(priceOf(tariff).warnings)).toEqual(['fuel', 'deliveryArea', 'handling', 'limits']);
  expect(warningTypes(priceOf(tariffOf([])).warnings)).toEqual([]);
});

const small: Parts = {
  service: {
    dimensionalFactor: 166,
    dimensionalOverCubicIn: 1_728,
    cubic: { maximumActualLb: 20, maximumLengthIn: 18 },
  },
  document: {
    rates: {
      GROUND: {
        columns: ['2'],
        cents: [
          [900],
          [1_000],
          [1_100],
          [1_200],
          [1_300],
          [1_400],
          [1_500],
          [1_600],
          [1_700],
          [1_800],
          [1_900],
          [2_000],
        ],
        ounces: [
          { upToOz: 4, cents: [500] },
          { upToOz: 8, cents: [600] },
          { upToOz: 15.999, cents: [700] },
        ],
      },
    },
    cubic: {
      GROUND: {
        columns: ['2'],
        tiers: [
          { hundredths: 10, cents: [800] },
          { hundredths: 20, cents: [1_150] },
        ],
      },
    },
  },
};

test.each([
  ['4 oz', { packages: [{ lb: 0.25 }] }, 500, 1],
  ['just over 4 oz', { packages: [{ lb: 0.2501 }] }, 600, 1],
  ['half a pound', { packages: [{ lb: 0.5 }] }, 600, 1],
  ['15.999 oz', { packages: [{ lb: 0.9999375 }] }, 700, 1],
  ['a pound', { packages: [{ lb: 1 }] }, 900, 1],
  ['4 oz in a box of one cubic foot', box(0.25, 12, 12, 12), 500, 1],
  ['4 oz in a larger box: 13 × 12 × 12 / 166 are 12 lb', box(0.25, 13, 12, 12), 2_000, 12],
  ['3 lb in 0.1 cubic feet (172.8): the tier is cheaper', box(3, 12, 7, 2), 800, 3],
  ['3 lb in 0.15 cubic feet: the weight is cheaper', box(3, 12, 7, 3), 1_100, 3],
  ['5 lb in 0.15 cubic feet: the tier is cheaper', box(5, 12, 7, 3), 1_150, 5],
  ['5 lb in 0.3 cubic feet is above the last tier', box(5, 12, 7, 6), 1_300, 5],
  ['5 lb, 19 in long, has no tier', box(5, 19, 7, 1), 1_300, 5],
] as const)('by ounces and volume: %s', (_name, asked: Asked, baseCents, billingWeightLb) => {
  expect(priceOf(tariffOf([], small), asked)).toMatchObject({ baseCents, billingWeightLb });
});
