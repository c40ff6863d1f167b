import { expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { reasonsOf } from '../../src/rating/charge-text.ts';
import type { SurchargeCondition } from '../../src/rating/charges.ts';
import { explainPrice } from '../../src/rating/explain.ts';
import { askedOf, priceShipment } from '../../src/rating/price.ts';
import type { Shipment } from '../../src/rating/shipment.ts';
import { oneColumn, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { flatTerms } from './flat-account.ts';
import { type Asked, shipmentOf } from './priced.ts';

const WAREHOUSE = { id: 1, name: 'East', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' };

const explained = (document: TariffDocument, asked: Asked) => {
  const shipment: Shipment = shipmentOf(asked);
  const [card] = compileTariff(document);
  if (card === undefined) throw new Error('no service');
  const terms = flatTerms(card, (asked.discountPercent ?? 0).toFixed(2));
  const price = priceShipment(card, askedOf(card, shipment, 7001, Number(shipment.postalCode.slice(0, 5))), terms);
  if (price instanceof Failed) throw new Error(price.fault.type);
  return explainPrice(price, shipment, { warehouse: WAREHOUSE, departure: undefined });
};

const charted = smallTariff({
  service: { zones: { chart: 'east', column: 'ground' }, rateZones: { 44: 8 } },
  file: {
    surcharges: [
      {
        type: 'RESIDENTIAL',
        description: 'Residential delivery',
        when: { residential: true },
        amount: { per: 'package', usd: '5.15' },
      },
      {
        type: 'HANDLING',
        description: 'Additional handling',
        when: { lengthOverIn: 48 },
        dearestOf: 'handling',
        leastBillingWeightLb: 3,
        amount: { per: 'package', usd: '21.00' },
      },
      { type: 'PICKUP', description: 'Pickup', amount: { per: 'shipment', usd: '2.00' } },
      {
        type: 'FUEL',
        description: 'Fuel',
        amount: { per: 'percent', rate: '12.5', of: ['BASE', 'RESIDENTIAL'] },
      },
    ],
  },
  document: {
    rates: { GROUND: { ...oneColumn('44', 1_000, 1_100, 1_200, 1_300), centsPerLbAboveTop: [400] } },
    charts: { east: { columns: ['ground'], rows: [{ origin: '070-076', destination: '995-999', zones: ['44'] }] } },
  },
});

test('an explanation names zone, weights, rate cell and each charge with its arithmetic', () => {
  const explanation = explained(charted, {
    to: '99501',
    residential: true,
    packages: [{ lb: 1.2 }],
    discountPercent: 5,
  });
  expect(explanation).toEqual({
    zone: {
      rateZone: '8',
      carrierZone: '44',
      column: '44',
      chart: 'east',
      origin: '070-076',
      destination: '995-999',
      estimated: false,
    },
    dimensionalFactor: 139,
    sideRounding: 'up',
    packages: [
      {
        actualWeight: { units: 'LB', value: 2 },
        dimensionalWeight: { units: 'LB', value: 0 },
        billingWeight: { units: 'LB', value: 2 },
        billed: 'actual',
        rateCell: { table: 'rates/GROUND.csv', row: '2', column: '44' },
        baseCharge: 11,
        discount: 0.55,
        discounts: [{ type: 'DISCOUNT', description: 'Account discount', amount: 0.55, computation: '5.00% of 11.00' }],
        charges: [
          {
            type: 'RESIDENTIAL',
            description: 'Residential delivery',
            amount: 5.15,
            computation: '5.15 per package',
            because: ['residential address'],
          },
          {
            type: 'FUEL',
            description: 'Fuel',
            amount: 1.95,
            computation: '12.50% of 15.60 (base 10.45, RESIDENTIAL 5.15)',
            because: [],
          },
        ],
      },
    ],
    shipment: {
      charges: [{ type: 'PICKUP', description: 'Pickup', amount: 2, computation: '2.00 per shipment', because: [] }],
    },
  });
});

test('an explanation says which weight was billed', () => {
  const packages = [
    { lb: 1 },
    { lb: 1, inches: [8, 8, 8] },
    { lb: 1, inches: [49, 1, 1] },
    { lb: 1, inches: [12, 12, 12] },
  ];
  const explanation = explained(charted, { to: '99501', packages });
  expect(
    explanation.packages.map(({ billed, billingWeight, rateCell }) => [billed, billingWeight.value, rateCell.row]),
  ).toEqual([
    ['actual', 1, '1'],
    ['dimensional', 4, '4'],
    ['minimum', 3, '3'],
    ['dimensional', 13, 'per_lb'],
  ]);
  expect(explanation.packages[2]?.charges[0]).toMatchObject({
    type: 'HANDLING',
    because: ['longest side over 48 in', 'only the highest of the handling charges'],
  });
});

test('a discount shows its arithmetic and its limit, and no discount shows nothing', () => {
  const discounts = (discountPercent: number, lb: number) => {
    const [part] = explained(charted, { to: '99501', packages: [{ lb }], discountPercent }).packages;
    return [part?.discount, part?.discounts];
  };
  // The minimum charge is the 1 lb rate, 10.00.
  const off = (amount: number, computation: string) => ({
    ...{ type: 'DISCOUNT', description: 'Account discount', amount, computation },
  });
  const back = (amount: number, computation: string) => ({
    ...{ type: 'MINIMUM_CHARGE', description: 'Minimum charge', amount, computation },
  });
  expect(discounts(5, 2)).toEqual([0.55, [off(0.55, '5.00% of 11.00')]]);
  expect(discounts(50, 2)).toEqual([1, [off(5.5, '50.00% of 11.00'), back(-4.5, '5.50 raised to 10.00')]]);
  expect(discounts(50, 1)).toEqual([0, [off(5, '50.00% of 10.00'), back(-5, '5.00 raised to 10.00')]]);
  expect(discounts(0, 2)).toEqual([0, []]);
});

test('a multiweight base belongs to the shipment', () => {
  const tariff = smallTariff({
    service: { multiweight: {} },
    document: {
      rates: {
        GROUND: { columns: ['2', '8'], cents: Array.from({ length: 60 }, (_, at) => [2_000 + at, 4_000 + at]) },
      },
      multiweight: { GROUND: { columns: ['2', '8'], breaks: [{ fromLb: 100, centsPerLb: [40, 50] }] } },
    },
  });
  const packages = [{ lb: 50 }, { lb: 60 }, { lb: 10 }];
  expect(explained(tariff, { packages }).shipment).toEqual({
    rateCell: { table: 'multiweight/GROUND.csv', row: '100', column: '2' },
    actualWeight: { units: 'LB', value: 120 },
    dimensionalWeight: { units: 'LB', value: 0 },
    ratedWeight: { units: 'LB', value: 120 },
    baseCharge: 48,
    discount: 0,
    discounts: [],
    charges: [],
  });
  // The 1 lb rate of 20.00 must remain for each package. Together that is more than the base.
  expect(explained(tariff, { packages, discountPercent: 10 }).shipment).toMatchObject({
    discount: 0,
    discounts: [
      { description: 'Account discount', amount: 4.8, computation: '10.00% of 48.00' },
      { description: 'Minimum charge', amount: -4.8, computation: '43.20 raised to 48.00' },
    ],
  });
});

test('each condition of a surcharge is a reason, in words', () => {
  const [card] = compileTariff(smallTariff());
  if (card === undefined) throw new Error('no service');
  const reasons = (when: SurchargeCondition) =>
    reasonsOf({ type: 'X', description: 'X', amount: { per: 'package', centsByColumn: [] }, when }, card);
  expect(reasons({})).toEqual([]);
  expect(reasons({ residential: true })).toEqual(['residential address']);
  expect(reasons({ residential: false })).toEqual(['commercial address']);
  expect(reasons({ area: new Set([2139]) })).toEqual(['ZIP code in this area']);
  expect(reasons({ columns: new Set([0, 1]) })).toEqual(['zone 2 or 8']);
  expect(reasons({ actualWeightOverLb: 50 })).toEqual(['actual weight over 50 lb']);
  expect(reasons({ billingWeightOverLb: 50 })).toEqual(['actual or dimensional weight over 50 lb']);
  expect(reasons({ lengthOverIn: 48 })).toEqual(['longest side over 48 in']);
  expect(reasons({ secondSideOverIn: 30 })).toEqual(['second side over 30 in']);
  expect(reasons({ lengthPlusGirthOverIn: 105 })).toEqual(['length plus girth over 105 in']);
  expect(reasons({ cubicInchesOver: 10_368 })).toEqual(['volume over 10,368 cu in']);
});

test('an explanation omits the shipment if it has no charges as a whole', () => {
  expect(explained(smallTariff(), { packages: [{ lb: 1 }, { lb: 2 }] })).not.toHaveProperty('shipment');
});

test('a weight that is actual and dimensional at once is billed as actual', () => {
  // 10 × 10 × 2.78 in at 139 are 2 lb.
  const tariff = smallTariff({ service: { sideRounding: 'none' } });
  const [part] = explained(tariff, { packages: [{ lb: 2, inches: [10, 10, 2.78] }] }).packages;
  expect(part).toMatchObject({ dimensionalWeight: { value: 2 }, billingWeight: { value: 2 }, billed: 'actual' });
});

const twoCharges = (fuelOf: readonly string[]) => [
  { type: 'PEAK', description: 'Peak', amount: { per: 'pound' as const, usd: '0.10' } },
  { type: 'SIGNATURE', description: 'Signature', amount: { per: 'package' as const, usd: '3.00' } },
  {
    type: 'HANDLING',
    description: 'Handling',
    when: { lengthOverIn: 48 },
    amount: { per: 'package' as const, usd: '20.00' },
  },
  { type: 'FUEL', description: 'Fuel', amount: { per: 'percent' as const, rate: '10', of: [...fuelOf] } },
];

test('a price per pound names the pounds, and a percentage names only the charged amounts', () => {
  const tariff = smallTariff({ file: { surcharges: twoCharges(['PEAK', 'HANDLING']) } });
  const [part] = explained(tariff, { packages: [{ lb: 5 }] }).packages;
  expect(part?.charges.map(({ type, amount, computation }) => [type, amount, computation])).toEqual([
    ['PEAK', 0.5, '0.10 per LB × 5 LB'],
    ['SIGNATURE', 3, '3.00 per package'],
    ['FUEL', 0.05, '10.00% of PEAK 0.50'],
  ]);
});

test('with a multiweight base, fuel belongs to the shipment: once, on the discounted base and all amounts', () => {
  const tariff = smallTariff({
    service: { multiweight: {} },
    file: { surcharges: twoCharges(['BASE', 'PEAK']) },
    document: {
      rates: {
        GROUND: {
          columns: ['2', '8'],
          cents: [[100, 100], ...Array.from({ length: 59 }, () => [3_000, 6_000])],
        },
      },
      multiweight: { GROUND: { columns: ['2', '8'], breaks: [{ fromLb: 100, centsPerLb: [40, 50] }] } },
    },
  });
  const explanation = explained(tariff, { packages: [{ lb: 50 }, { lb: 60 }], discountPercent: 10 });
  const fuel = (charges: readonly { type: string; computation: string }[] = []) =>
    charges.filter(({ type }) => type === 'FUEL').map(({ computation }) => computation);
  expect(explanation.packages.map(({ charges }) => fuel(charges))).toEqual([[], []]);
  // 110 lb at 0.40 are 44.00 less 4.40.
  expect(fuel(explanation.shipment?.charges)).toEqual(['10.00% of 50.60 (base 39.60, PEAK 11.00)']);
});

test('a charge names its source in the carrier’s files, and fuel the source of its rate', () => {
  const tariff = smallTariff({
    file: {
      surcharges: [
        { type: 'AREA', description: 'Area', source: 'fees.pdf, page 4', amount: { per: 'package', usd: '4.45' } },
        {
          type: 'FUEL',
          description: 'Fuel',
          amount: {
            per: 'percent',
            of: ['BASE', 'AREA'],
            rate: [{ from: '2026-01-01', rate: '20', source: 'fuel.csv, line 2' }],
          },
        },
      ],
    },
  });
  expect(explained(tariff, {}).packages[0]?.charges).toEqual([
    {
      type: 'AREA',
      description: 'Area',
      amount: 4.45,
      computation: '4.45 per package',
      because: [],
      source: 'fees.pdf, page 4',
    },
    {
      type: 'FUEL',
      description: 'Fuel',
      amount: 2.89,
      computation: '20.00% of 14.45 (base 10.00, AREA 4.45)',
      because: [],
      source: 'fuel.csv, line 2',
    },
  ]);
});

test('a charge says so if a cap lowers it', () => {
  const tariff = smallTariff({
    service: { multiweight: { minimumTotalLb: 10 } },
    file: {
      surcharges: [
        { type: 'AREA', description: 'Area', multiweightMaximumUsd: '5.00', amount: { per: 'package', usd: '4.00' } },
      ],
    },
    document: { multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 10, centsPerLb: [10] }] } } },
  });
  const { packages } = explained(tariff, { packages: [{ lb: 8 }, { lb: 8 }] });
  expect(packages.flatMap(({ charges }) => charges.map(({ computation }) => computation))).toEqual([
    '4.00 per package',
    '4.00 per package, limited to 5.00 for the shipment',
  ]);
});

test('a base by ounces or by volume names its row', () => {
  const tariff = smallTariff({
    service: { dimensionalOverCubicIn: 1_728, cubic: { maximumActualLb: 20, maximumLengthIn: 18 } },
    document: {
      rates: { GROUND: { columns: ['2', '8'], cents: [[900, 950]], ounces: [{ upToOz: 8, cents: [500, 550] }] } },
      cubic: { GROUND: { columns: ['2'], tiers: [{ hundredths: 10, cents: [400] }] } },
    },
  });
  const cellOf = (asked: Asked) => explained(tariff, asked).packages[0]?.rateCell;
  expect(cellOf({ packages: [{ lb: 0.5 }] })).toEqual({ table: 'rates/GROUND.csv', row: '8 oz', column: '2' });
  expect(cellOf({ packages: [{ lb: 0.5, inches: [5, 5, 5] }] })).toEqual({
    table: 'cubic/GROUND.csv',
    row: '0.10',
    column: '2',
  });
});
