import { expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import type { TariffFileInput } from '../../src/catalog/tariff/document.ts';
import type { Card } from '../../src/rating/card.ts';
import { askedOf, chargedLines, priceShipment } from '../../src/rating/price.ts';
import { zip5Of } from '../../src/rating/rate.ts';
import { ANYWHERE, oneColumn, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { priced, priceOf, shipmentOf } from './priced.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const each = (type: string, usd: string, more: Partial<Surcharge> = {}): Surcharge => ({
  type,
  description: type,
  amount: { per: 'package', usd },
  ...more,
});

const fuel = (rate: string, ...of: readonly string[]): Surcharge => ({
  type: 'FUEL',
  description: 'Fuel',
  amount: { per: 'percent', rate, of: ['BASE', ...of] },
});

/** A service to anywhere with these prices in cents for 1 lb, 2 lb and so on. */
const flat = (cents: readonly number[], surcharges: readonly Surcharge[] = [], service = {}) =>
  smallTariff({
    file: { surcharges: [...surcharges] },
    service: { zones: ANYWHERE, ...service },
    document: { rates: { GROUND: oneColumn('2', ...cents) } },
  });

const rising = (pounds: number, first = 1_000) => Array.from({ length: pounds }, (_, index) => first + index);

test('a card with a missing value is an error, not a missing weight or charge', () => {
  const tariff = flat([1_000, 1_100], [each('HANDLING', '4.50'), fuel('7.50', 'HANDLING')]);
  const card = must(compileTariff(tariff)[0], 'the card');
  const shipment = shipmentOf({ packages: [{ lb: 2 }] });
  const priceBy = (damaged: Partial<Card>) =>
    priceShipment({ ...card, ...damaged }, askedOf(card, shipment, 7001, zip5Of(shipment.postalCode)), undefined);
  expect(priceBy({})).toMatchObject({ baseCents: 1_100 });
  expect(() => priceBy({ rates: card.rates.slice(0, 2) })).toThrow('a rate of the card is missing');
  expect(() => priceBy({ areas: new Uint32Array(0) })).toThrow('the area of a ZIP code is missing');
});

test('six packages of 27 lb at 78.55 are 471.30 of base, 162 LB, fuel 6.23 each, 535.68 net', () => {
  const tariff = flat(rising(27, 7_855 - 26), [each('HANDLING', '4.50'), fuel('7.50', 'HANDLING')]);
  const price = priceOf(tariff, { packages: Array.from({ length: 6 }, () => ({ lb: 27 })) });
  expect(price).toMatchObject({ baseCents: 47_130, billingWeightLb: 162, netCents: 53_568 });
  expect(chargedLines(price).map(({ type, amountCents }) => [type, amountCents])).toEqual([
    ['HANDLING', 2_700],
    ['FUEL', 6 * 623],
  ]);
});

test('15% fuel on 15.88 + 5.15 + 21.00 is 6.30', () => {
  const tariff = flat(
    [1_588],
    [each('RESIDENTIAL', '5.15'), each('HANDLING', '21.00'), fuel('15', 'RESIDENTIAL', 'HANDLING')],
  );
  expect(chargedLines(priceOf(tariff)).at(-1)).toMatchObject({ type: 'FUEL', amountCents: 630 });
});

test('5% fuel on 887.88 + 14.70 + 6.15 is 45.44', () => {
  const tariff = flat([88_788], [each('AREA', '14.70'), each('RESIDENTIAL', '6.15'), fuel('5', 'AREA', 'RESIDENTIAL')]);
  expect(chargedLines(priceOf(tariff)).at(-1)).toMatchObject({ type: 'FUEL', amountCents: 4_544 });
});

test('3.4 KG bills 8 LB', () => {
  expect(priceOf(flat(rising(10)), { packages: [{ kg: 3.4 }] })).toMatchObject({
    billingWeightLb: 8,
    baseCents: 1_007,
  });
});

test('20 × 20 × 20 in at 139 bills 58 LB, at 166 49 LB', () => {
  const packages = [{ lb: 5, inches: [20, 20, 20] }];
  expect(priceOf(flat(rising(60)), { packages }).billingWeightLb).toBe(58);
  expect(priceOf(flat(rising(60), [], { dimensionalFactor: 166 }), { packages }).billingWeightLb).toBe(49);
});

test('sides are measured as the tariff says, or otherwise rounded up to the inch', () => {
  const weight = (side: number, sideRounding?: 'none' | 'nearest' | 'up') =>
    priceOf(flat(rising(20), [], sideRounding && { sideRounding }), {
      packages: [{ lb: 1, inches: [side, side, side] }],
    }).billingWeightLb;
  // 12.4³ = 1906.6 is 13.7 at 139; 12³ = 1728 is 12.4; 13³ = 2197 is 15.8.
  expect([weight(12.4, 'none'), weight(12.4, 'nearest'), weight(12.4, 'up'), weight(12.4)]).toEqual([14, 13, 16, 16]);
  // 12.5³ = 1953.1 is 14.1; it rounds to 13 either way.
  expect([weight(12.5, 'none'), weight(12.5, 'nearest'), weight(12.5, 'up')]).toEqual([15, 16, 16]);
});

test('size conditions use the sides as the tariff measures them', () => {
  const over = (sideRounding: 'none' | 'up', when: Surcharge['when'], inches: readonly number[]) =>
    priceOf(flat(rising(150), [each('SIZE', '1.00', { when })], { sideRounding }), { packages: [{ lb: 99, inches }] })
      .surchargeCents;
  // Length plus girth: 49.5 + 2 × (10.3 + 10.3) = 90.7; up to the inch 50 + 2 × (11 + 11) = 94.
  for (const [rounding, charged] of [
    ['none', 0],
    ['up', 100],
  ] as const)
    expect(over(rounding, { lengthPlusGirthOverIn: 91 }, [10.3, 49.5, 10.3])).toBe(charged);
  // Volume: 20.5 × 10.5 × 10.5 = 2260.1; up to the inch 21 × 11 × 11 = 2541.
  for (const [rounding, charged] of [
    ['none', 0],
    ['up', 100],
  ] as const)
    expect(over(rounding, { cubicInchesOver: 2_261 }, [10.5, 20.5, 10.5])).toBe(charged);
  expect(over('none', { cubicInchesOver: 2_260 }, [10.5, 20.5, 10.5])).toBe(100);
  // A side above a whole number of inches is above it, rounded or not.
  for (const rounding of ['none', 'up'] as const) {
    expect(over(rounding, { lengthOverIn: 48 }, [48.001, 2, 2])).toBe(100);
    expect(over(rounding, { lengthOverIn: 48 }, [48, 2, 2])).toBe(0);
    expect(over(rounding, { secondSideOverIn: 30 }, [40, 30.001, 2])).toBe(100);
    expect(over(rounding, { secondSideOverIn: 30 }, [40, 30, 2])).toBe(0);
  }
});

test('actual weight is billed if it is greater', () => {
  expect(priceOf(flat(rising(60)), { packages: [{ lb: 59, inches: [20, 20, 20] }] }).billingWeightLb).toBe(59);
});

test('a service accepts 150 lb of actual weight, but no more', () => {
  const tariff = flat(rising(150));
  expect(priceOf(tariff, { packages: [{ kg: 68.0388555 }] }).billingWeightLb).toBe(150);
  expect(priced(tariff, { packages: [{ lb: 1 }, { kg: 68.03886 }] })).toEqual({
    type: 'getRates.weightNotServed',
    shippingService: 'GROUND',
    packageIndex: 1,
    weightLb: 151,
    maximumLb: 150,
  });
});

test('a package above the last row of the rates is told where they end', () => {
  expect(priced(flat(rising(20)), { packages: [{ lb: 21 }] })).toMatchObject({
    type: 'getRates.weightNotServed',
    weightLb: 21,
    maximumLb: 20,
  });
});

test('dimensional weight is billed up to the most that the service bills', () => {
  const tariff = smallTariff({
    service: { zones: ANYWHERE, maximumActualLb: 70, maximumDimensionalLb: 70 },
    document: { rates: { GROUND: oneColumn('2', ...rising(70)) } },
  });
  // 22 × 22 × 21 / 139 = 73.1
  const packages = [{ lb: 5, inches: [22, 22, 21] }];
  expect(priceOf(tariff, { packages })).toMatchObject({ billingWeightLb: 70, baseCents: rising(70)[69] });
  expect(priced(tariff, { packages: [{ lb: 71 }] })).toMatchObject({ type: 'getRates.weightNotServed', weightLb: 71 });
});

test('dimensional weight above the table is priced by the pound if the table says so', () => {
  const table = { ...oneColumn('2', ...rising(150)), centsPerLbAboveTop: [99] };
  const tariff = smallTariff({ service: { zones: ANYWHERE }, document: { rates: { GROUND: table } } });
  // 30 × 30 × 30 / 139 = 194.2
  const packages = [{ lb: 50, inches: [30, 30, 30] }];
  expect(priceOf(tariff, { packages })).toMatchObject({ billingWeightLb: 195, baseCents: 195 * 99 });
  expect(priced(flat(rising(150)), { packages })).toMatchObject({
    type: 'getRates.weightNotServed',
    weightLb: 195,
    isLight: true,
  });
});

test('a discount applies to the base, never below the minimum net charge, and fuel applies to the rest', () => {
  const tariff = flat(rising(10), [fuel('10')]);
  expect(priceOf(tariff, { packages: [{ lb: 10 }], discountPercent: 0.5 })).toMatchObject({
    baseCents: 1_009,
    // 0.5% of 10.09 is 5.045 cents
    discountCents: 5,
    surchargeCents: 100,
    netCents: 1_104,
  });
  // 1 lb costs 10.00, which is the minimum.
  expect(priceOf(tariff, { packages: [{ lb: 10 }], discountPercent: 60 })).toMatchObject({
    discountCents: 9,
    netCents: 1_100,
  });
});

test('the minimum net charge is the cell that the tariff names', () => {
  const tariff = flat(rising(10), [], { minimumNet: { column: '2', weightLb: 5 } });
  expect(priceOf(tariff, { packages: [{ lb: 10 }], discountPercent: 90 }).netCents).toBe(1_004);
  expect(priceOf(tariff, { packages: [{ lb: 3 }], discountPercent: 90 })).toMatchObject({ discountCents: 0 });
});

test('fuel is rounded for each package, half a cent up, then summed', () => {
  // 5% of 10.10 is 0.505
  const tariff = flat([1_010], [fuel('5')]);
  expect(priceOf(tariff, { packages: [{ lb: 1 }, { lb: 1 }, { lb: 1 }] }).surchargeCents).toBe(3 * 51);
});

test('an amount per shipment is charged once, an amount per pound for each billed pound', () => {
  const tariff = flat(rising(10), [
    each('PICKUP', '2.00', { amount: { per: 'shipment', usd: '2.00' } }),
    each('PEAK', '0.10', { amount: { per: 'pound', usd: '0.10' } }),
  ]);
  const price = priceOf(tariff, { packages: [{ lb: 2.5 }, { lb: 4 }] });
  expect(chargedLines(price).map(({ amountCents }) => amountCents)).toEqual([200, 70]);
});

test('an amount per shipment over a weight also depends on dimensional weight', () => {
  const pickup = each('PICKUP', '2.00', {
    amount: { per: 'shipment', usd: '2.00' },
    when: { billingWeightOverLb: 50 },
  });
  const tariff = flat(rising(60), [pickup]);
  expect(priceOf(tariff, { packages: [{ lb: 5, inches: [20, 20, 20] }] }).surchargeCents).toBe(200);
  expect(priceOf(tariff, { packages: [{ lb: 50 }] }).surchargeCents).toBe(0);
});

test('residential and commercial charges depend on the address', () => {
  const tariff = flat(rising(10), [
    each('RESIDENTIAL', '5.15', { when: { residential: true } }),
    each('COMMERCIAL', '1.00', { when: { residential: false } }),
  ]);
  expect(chargedLines(priceOf(tariff, { residential: true }))).toMatchObject([
    { type: 'RESIDENTIAL', amountCents: 515 },
  ]);
  expect(chargedLines(priceOf(tariff))).toMatchObject([{ type: 'COMMERCIAL', amountCents: 100 }]);
});

test('an area charge depends on the destination and its tier', () => {
  const base = flat(rising(10), [
    each('AREA', '4.20', { when: { area: { list: 'rural', tier: 'standard' } } }),
    each('AREA', '8.30', { when: { area: { list: 'rural', tier: 'remote' } } }),
  ]);
  const tariff = {
    ...base,
    areas: {
      rural: {
        rows: [
          { zip: '02139', tier: 'standard' },
          { zip: '995-999', tier: 'remote' },
        ],
      },
    },
  };
  expect(priceOf(tariff, { to: '02139' }).surchargeCents).toBe(420);
  expect(priceOf(tariff, { to: '02138' }).surchargeCents).toBe(0);
  expect(priceOf(tariff, { to: '99950-0001' }).surchargeCents).toBe(830);
});

test('a weight condition applies above its limit, not at it', () => {
  const tariff = flat(rising(60), [each('HEAVY', '21.00', { when: { actualWeightOverLb: 50 } })]);
  expect(priceOf(tariff, { packages: [{ lb: 50 }] }).surchargeCents).toBe(0);
  expect(priceOf(tariff, { packages: [{ lb: 50.01 }] }).surchargeCents).toBe(2_100);
});

test('an amount by rate column falls back to *', () => {
  const usd = { '2': '1.00', '*': '3.00' };
  const tariff = smallTariff({ file: { surcharges: [each('PEAK', '', { amount: { per: 'package', usd } })] } });
  expect(priceOf(tariff, { to: '02139' }).surchargeCents).toBe(100);
  expect(priceOf(tariff, { to: '90210' }).surchargeCents).toBe(300);
});

const handling = [
  each('HANDLING', '21.00', { dearestOf: 'handling', leastBillingWeightLb: 40, when: { lengthOverIn: 48 } }),
  each('OVERSIZE', '120.00', { dearestOf: 'handling', leastBillingWeightLb: 90, when: { lengthOverIn: 96 } }),
];

test.each([
  ['48 in is neither', 48, 0, 2],
  ['49 in is additional handling, billed at 40 lb', 49, 2_100, 40],
  ['97 in is oversize alone, billed at 90 lb', 97, 12_000, 90],
])('only the more expensive of additional handling and oversize is charged: %s', (_name, length, charge, pounds) => {
  const price = priceOf(flat(rising(150), handling), { packages: [{ lb: 2, inches: [length, 2, 2] }] });
  expect(price).toMatchObject({ surchargeCents: charge, billingWeightLb: pounds });
});

test('only the first of two surcharges with the same price is charged, with its own minimum weight', () => {
  const tied = (first: string, second: string, firstLb: number, secondLb: number) => [
    each(first, '21.00', { dearestOf: 'handling', leastBillingWeightLb: firstLb, when: { lengthOverIn: 48 } }),
    each(second, '21.00', { dearestOf: 'handling', leastBillingWeightLb: secondLb, when: { secondSideOverIn: 10 } }),
  ];
  const charged = (surcharges: readonly Surcharge[], ...inches: readonly number[]) => {
    const price = priceOf(flat(rising(150), surcharges), { packages: [{ lb: 2, inches }] });
    return [chargedLines(price).map(({ type }) => type), price.billingWeightLb];
  };
  expect(charged(tied('LONG', 'WIDE', 40, 90), 49, 11, 1)).toEqual([['LONG'], 40]);
  expect(charged(tied('LONG', 'WIDE', 90, 40), 49, 11, 1)).toEqual([['LONG'], 90]);
  expect(charged(tied('LONG', 'WIDE', 40, 90), 40, 11, 1)).toEqual([['WIDE'], 90]);
});

test('a surcharge that a more expensive one replaces bills no minimum weight, however high', () => {
  const surcharges = [
    each('HANDLING', '21.00', { dearestOf: 'handling', leastBillingWeightLb: 90, when: { lengthOverIn: 48 } }),
    each('OVERSIZE', '120.00', { dearestOf: 'handling', leastBillingWeightLb: 40, when: { lengthOverIn: 96 } }),
  ];
  const billed = (length: number) =>
    priceOf(flat(rising(150), surcharges), { packages: [{ lb: 2, inches: [length, 2, 2] }] }).billingWeightLb;
  expect([billed(49), billed(97)]).toEqual([90, 40]);
});

test('a price per pound is compared at its own minimum weight', () => {
  const surcharges = [
    each('OVERSIZE', '30.00', { dearestOf: 'handling', when: { lengthOverIn: 48 } }),
    each('HANDLING', '', {
      amount: { per: 'pound', usd: '1.00' },
      dearestOf: 'handling',
      leastBillingWeightLb: 40,
      when: { lengthOverIn: 48 },
    }),
  ];
  // 40 lb at 1.00 are 40.00; the package's own 2 lb would be 2.00.
  const price = priceOf(flat(rising(150), surcharges), { packages: [{ lb: 2, inches: [49, 2, 2] }] });
  expect(chargedLines(price)).toMatchObject([{ type: 'HANDLING', amountCents: 4_000 }]);
});

test('surcharges with different names, or without a name, do not replace each other', () => {
  const surcharges = [
    each('HANDLING', '21.00', { dearestOf: 'handling' }),
    each('AREA', '30.00', { dearestOf: 'area' }),
    each('PEAK', '40.00'),
    each('REMOTE', '29.00', { dearestOf: 'area' }),
  ];
  expect(chargedLines(priceOf(flat(rising(10), surcharges))).map(({ type }) => type)).toEqual([
    'HANDLING',
    'AREA',
    'PEAK',
  ]);
});

test('the highest of several minimum weights is billed, in any order', () => {
  const least = (type: string, leastBillingWeightLb: number) => each(type, '1.00', { leastBillingWeightLb });
  const billed = (...surcharges: readonly Surcharge[]) => priceOf(flat(rising(50), surcharges)).billingWeightLb;
  expect(billed(least('A', 20), least('B', 40), least('C', 30))).toBe(40);
  expect(billed(least('A', 40), least('B', 20))).toBe(40);
});

test('a charge for rate columns depends on the lane, and a charge for weight also on dimensional weight', () => {
  const far = smallTariff({ file: { surcharges: [each('FAR', '3.00', { when: { columns: ['8'] } })] } });
  expect(priceOf(far, { to: '90210' }).surchargeCents).toBe(300);
  expect(priceOf(far, { to: '02139' }).surchargeCents).toBe(0);
  const heavy = flat(rising(60), [each('HEAVY', '4.00', { when: { billingWeightOverLb: 50 } })]);
  expect(priceOf(heavy, { packages: [{ lb: 5, inches: [20, 20, 20] }] }).surchargeCents).toBe(400);
  expect(priceOf(heavy, { packages: [{ lb: 50 }] }).surchargeCents).toBe(0);
  expect(priceOf(heavy, { packages: [{ lb: 51 }] }).surchargeCents).toBe(400);
});

test('an amount per shipment is charged if only one of its packages meets the condition', () => {
  const pickup = each('PICKUP', '2.00', { amount: { per: 'shipment', usd: '2.00' }, when: { actualWeightOverLb: 50 } });
  const tariff = flat(rising(60), [pickup]);
  expect(priceOf(tariff, { packages: [{ lb: 1 }, { lb: 51 }] }).surchargeCents).toBe(200);
  expect(priceOf(tariff, { packages: [{ lb: 1 }, { lb: 50 }] }).surchargeCents).toBe(0);
});

test('the discounts of packages add up, and fuel applies to the rest of each', () => {
  const tariff = flat([100, ...rising(9)], [fuel('10')]);
  // 10.00 and 10.01 less 10% each: 1.00 and 1.001, fuel 0.90 on each.
  expect(priceOf(tariff, { packages: [{ lb: 2 }, { lb: 3 }], discountPercent: 10 })).toMatchObject({
    baseCents: 2_001,
    discountCents: 200,
    surchargeCents: 180,
    netCents: 1_981,
  });
});

test('a package that is too heavy for a service is refused, even if its table continues by the pound', () => {
  const table = { ...oneColumn('2', ...rising(150)), centsPerLbAboveTop: [99] };
  const tariff = smallTariff({ service: { zones: ANYWHERE }, document: { rates: { GROUND: table } } });
  expect(priced(tariff, { packages: [{ kg: 68.03886 }] })).toMatchObject({
    type: 'getRates.weightNotServed',
    packageIndex: 0,
    weightLb: 151,
  });
});

test('any volume exceeds a limit of zero', () => {
  const tariff = flat(rising(10), [each('BOXED', '1.00', { when: { cubicInchesOver: 0 } })], { sideRounding: 'none' });
  expect(priceOf(tariff, { packages: [{ lb: 1, inches: [0.1, 0.1, 0.1] }] }).surchargeCents).toBe(100);
  expect(priceOf(tariff).surchargeCents).toBe(0);
});

test('without dimensions no charge for size applies', () => {
  expect(priceOf(flat(rising(150), handling), { packages: [{ lb: 2 }] }).surchargeCents).toBe(0);
});

test('length plus girth, second side and volume are separate conditions', () => {
  const tariff = flat(rising(500), [
    each('GIRTH', '1.00', { when: { lengthPlusGirthOverIn: 105 } }),
    each('WIDE', '2.00', { when: { secondSideOverIn: 30 } }),
    each('BULKY', '4.00', { when: { cubicInchesOver: 10_368 } }),
  ]);
  const charged = (...inches: number[]) => priceOf(tariff, { packages: [{ lb: 1, inches }] }).surchargeCents;
  expect(charged(45, 15, 15)).toBe(0);
  expect(charged(15, 46, 15)).toBe(100);
  expect(charged(31, 31, 1)).toBe(200);
  expect(charged(24, 24, 18)).toBe(100 + 0);
  expect(charged(24, 24, 19)).toBe(100 + 400);
});

const multiweight = (perPound: number) => {
  const tariff = flat(rising(60, 2_000), [fuel('10')], { multiweight: {} });
  return {
    ...tariff,
    multiweight: {
      GROUND: {
        columns: ['2'],
        breaks: [
          { fromLb: 100, centsPerLb: [perPound] },
          { fromLb: 200, centsPerLb: [40] },
        ],
      },
    },
  };
};

const alike = (count: number, lb: number, inches?: readonly number[]) => ({
  packages: Array.from({ length: count }, () => ({ lb, ...(inches && { inches }) })),
});

test('multiweight prices the whole shipment by the pound from 100 lb, if that is cheaper', () => {
  // Separately, 4 × 20.29 = 81.16. 120 lb at 0.50 are 60.00, plus 10% fuel.
  expect(priceOf(multiweight(50), alike(4, 30))).toMatchObject({
    baseCents: 6_000,
    billingWeightLb: 120,
    netCents: 6_600,
  });
});

test('multiweight begins exactly at its minimum, and not for one package', () => {
  expect(priceOf(multiweight(39), alike(2, 50))).toMatchObject({ baseCents: 3_900, billingWeightLb: 100 });
  expect(priceOf(multiweight(39), { packages: [{ lb: 50 }, { lb: 49 }] })).toMatchObject({
    baseCents: 2_049 + 2_048,
    billingWeightLb: 99,
  });
  const heavy = flat(rising(100, 2_000), [], { multiweight: { minimumTotalLb: 50 } });
  const alone = { ...heavy, multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 50, centsPerLb: [1] }] } } };
  expect(priceOf(alone, alike(1, 60))).toMatchObject({ baseCents: 2_059 });
  expect(priceOf(alone, alike(2, 30))).toMatchObject({ baseCents: 60 });
});

test('multiweight accepts no shipment below its minimum, because 15 lb for each package is not its weight', () => {
  // 8 packages of 10 lb weigh 80 lb, though 8 × 15 lb are 120.
  expect(priceOf(multiweight(50), alike(8, 10))).toMatchObject({ baseCents: 8 * 2_009, billingWeightLb: 80 });
});

test('multiweight rates a shipment that qualifies at no less than 15 lb for each package', () => {
  // 12 packages of 10 lb weigh 120 lb and count 180.
  expect(priceOf(multiweight(50), alike(12, 10))).toMatchObject({ baseCents: 9_000, billingWeightLb: 180 });
  // 14 of them count 210 lb: that is the break from 200 lb on.
  expect(priceOf(multiweight(50), alike(14, 10))).toMatchObject({ baseCents: 8_400, billingWeightLb: 210 });
});

test('multiweight does not raise a shipment to a break that is cheaper by the pound', () => {
  // 198 lb at 0.40 are 79.20, as 200 lb at 0.30 they would be 60.00.
  const tariff = multiweight(40);
  const cheaper = {
    ...tariff,
    multiweight: {
      GROUND: {
        columns: ['2'],
        breaks: [
          { fromLb: 100, centsPerLb: [40] },
          { fromLb: 200, centsPerLb: [30] },
        ],
      },
    },
  };
  expect(priceOf(cheaper, alike(4, 49.5))).toMatchObject({ baseCents: 7_920, billingWeightLb: 198 });
  expect(priceOf(cheaper, alike(4, 50))).toMatchObject({ baseCents: 6_000, billingWeightLb: 200 });
});

test('multiweight at the price of the packages keeps the packages separate', () => {
  // Two packages of 50 lb at 20.00 are 40.00, and so are 100 lb at 0.40.
  const equal = flat(new Array(60).fill(2_000), [fuel('12.53')], { multiweight: {} });
  const table = (perPound: number) => ({
    ...equal,
    multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 100, centsPerLb: [perPound] }] } },
  });
  // Fuel on each is 2.506, so 2.51; on both together it would be 5.012, so 5.01.
  expect(priceOf(table(40), alike(2, 50))).toMatchObject({ baseCents: 4_000, surchargeCents: 502 });
  expect(priceOf(table(39), alike(2, 50))).toMatchObject({ baseCents: 3_900 });
});

test('multiweight adds up weights before it rounds them, and volumes before it divides them', () => {
  // 4 × 30.2 lb are 120.8 lb: 121 and not 4 × 31.
  expect(priceOf(multiweight(50), alike(4, 30.2))).toMatchObject({ baseCents: 6_050, billingWeightLb: 121 });
  // 4 × (18 × 15 × 15) = 16,200 in³ are 116.5 at 139: 117 lb and not 4 × 30.
  expect(priceOf(multiweight(50), alike(4, 5, [18, 15, 15]))).toMatchObject({ baseCents: 5_850, billingWeightLb: 117 });
  // The heavy ones outweigh the volume of the light ones: 101 lb against 4,050 × 2 / 139 = 58.3.
  const mixed = {
    packages: [{ lb: 5, inches: [18, 15, 15] }, { lb: 5, inches: [18, 15, 15] }, { lb: 45 }, { lb: 46 }],
  };
  expect(priceOf(multiweight(50), mixed)).toMatchObject({ baseCents: 5_050, billingWeightLb: 101 });
});

test('multiweight counts a package at the minimum weight that a surcharge bills', () => {
  const handling = each('HANDLING', '1.00', { when: { lengthOverIn: 48 }, leastBillingWeightLb: 40 });
  const tariff = flat(rising(60, 2_000), [handling], { multiweight: {} });
  const table = { ...tariff, multiweight: multiweight(30).multiweight };
  // 30 + 30 lb and a tube of 2 lb that counts 40 lb.
  const packages = [{ lb: 30 }, { lb: 30 }, { lb: 2, inches: [50, 2, 2] }];
  expect(priceOf(table, { packages })).toMatchObject({ baseCents: 3_000, billingWeightLb: 100, surchargeCents: 100 });
});

test('multiweight adds the minimum weight of a package to the volume of the others', () => {
  const handling = each('HANDLING', '1.00', { when: { lengthOverIn: 48 }, leastBillingWeightLb: 40 });
  const tariff = {
    ...flat(rising(60, 2_000), [handling], { multiweight: {} }),
    multiweight: multiweight(50).multiweight,
  };
  // 4 × (18 × 15 × 15) are 117 lb at 139, and a tube of 2 lb counts 40 lb.
  const packages = [...alike(4, 5, [18, 15, 15]).packages, { lb: 2, inches: [50, 2, 2] }];
  expect(priceOf(tariff, { packages })).toMatchObject({ baseCents: 157 * 50, billingWeightLb: 157 });
});

test('multiweight does not price a single package, even with an amount per shipment', () => {
  const pickup = each('PICKUP', '2.00', { amount: { per: 'shipment', usd: '2.00' } });
  const tariff = flat(rising(100, 2_000), [pickup], { multiweight: { minimumTotalLb: 50 } });
  const table = { ...tariff, multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 50, centsPerLb: [1] }] } } };
  expect(priceOf(table, alike(1, 60))).toMatchObject({ baseCents: 2_059, surchargeCents: 200 });
});

test('multiweight has no price below its first break, or if a column has none', () => {
  const tariff = smallTariff({
    service: { multiweight: { minimumTotalLb: 50 } },
    document: {
      rates: { GROUND: { columns: ['2', '8'], cents: Array.from({ length: 100 }, () => [2_000, 4_000]) } },
      multiweight: { GROUND: { columns: ['2', '8'], breaks: [{ fromLb: 100, centsPerLb: [1, 0] }] } },
    },
  });
  expect(priceOf(tariff, alike(2, 49))).toMatchObject({ baseCents: 4_000 });
  expect(priceOf(tariff, alike(2, 50))).toMatchObject({ baseCents: 100 });
  expect(priceOf(tariff, { ...alike(2, 50), to: '90210' })).toMatchObject({ baseCents: 8_000 });
});

test('a discount on a multiweight base leaves the minimum charge for each package, and fuel applies to the rest', () => {
  const tariff = {
    ...flat([100, ...rising(59, 2_000)], [fuel('10')], { multiweight: {} }),
    multiweight: multiweight(50).multiweight,
  };
  // 120 lb at 0.50 are 60.00 less 10%.
  expect(priceOf(tariff, { ...alike(4, 30), discountPercent: 10 })).toMatchObject({
    baseCents: 6_000,
    discountCents: 600,
    surchargeCents: 540,
  });
  expect(priceOf(tariff, { ...alike(4, 30), discountPercent: 99 })).toMatchObject({ discountCents: 5_600 });
});

test('a carrier that delivers to post office boxes accepts them', () => {
  expect(priced(flat(rising(10)), { addressLine: 'PO Box 12' })).toMatchObject({ netCents: 1_000 });
});

test('a post office box is refused by a carrier that does not deliver there', () => {
  const tariff = flat(rising(10), [], { refusesPoBox: true });
  for (const addressLine of [
    'PO Box 12',
    'P.O. BOX 7',
    'p o box 3',
    'Post Office Box 9',
    'PO Box12',
    'PO-Box 9',
    'PO Box #4',
    'POB 12',
    'P.O.B. 12',
    '1 Main St, PO Box 5',
  ])
    expect(priced(tariff, { addressLine })).toMatchObject({ type: 'getRates.noDeliveryCoverage', notTo: 'PO boxes' });
  for (const addressLine of [
    '12 Polk Street',
    '1 Boxwood Road',
    '7 PO Boxwood Lane',
    '3 Depo Box Street',
    '5 Pob Road',
    undefined,
  ])
    expect(priced(tariff, addressLine === undefined ? {} : { addressLine })).toMatchObject({ netCents: 1_000 });
});

test('a street address is needed if the carrier says so, after the check of coverage', () => {
  const tariff = flat(rising(10), [], { addressLineRequired: true });
  expect(priced(tariff)).toEqual({ type: 'getRates.addressLineRequired', shippingService: 'GROUND' });
  expect(priced(tariff, { addressLine: '  ' })).toMatchObject({ type: 'getRates.addressLineRequired' });
  expect(priced(tariff, { to: '00100' })).toMatchObject({ type: 'getRates.noDeliveryCoverage', postalCode: '00100' });
});
