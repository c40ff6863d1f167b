/** Random tariffs, agreements off them, and shipments. */
import fc from 'fast-check';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import type { TariffDocument, TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import type { Asked } from '../../rating/priced.ts';
import { smallTariff } from '../tariff/small-tariff.ts';
import {
  agreement,
  type DiscountInput,
  discounts,
  type MinimumInput,
  minimums,
  type SurchargeInput,
  surcharges,
  zones,
} from './fixtures.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

export const usd = (cents: number): string => (cents / 100).toFixed(2);
const money = (most: number) => fc.integer({ min: 1, max: most }).map(usd);
const percentage = (most = 10_000) => fc.integer({ min: 0, max: most }).map(usd);
const side = fc.integer({ min: 1, max: 60 });

/** Rates that rise by weight and zone. */
const rates = (columns: readonly string[]) =>
  fc.tuple(fc.integer({ min: 300, max: 2_000 }), fc.integer({ min: 0, max: 120 })).map(([first, step]) => ({
    columns,
    cents: Array.from({ length: 150 }, (_, row) => columns.map((__, at) => first + 70 * at + step * row)),
  }));

const NUMBERED = ['2', '3', '8'];
const AIR = ['202', '203', '208'];

const fees = fc
  .record({
    residential: money(900),
    zoned: money(500),
    handling: money(3_000),
    large: money(9_000),
    area: money(600),
    perPound: money(40),
    pickup: money(700),
    signature: money(900),
    value: money(200),
    fuel: percentage(3_000),
    most: money(9_000),
    least: fc.constantFrom(undefined, 40, 90),
  })
  .map((amounts): Surcharge[] => [
    {
      ...{ type: 'RESIDENTIAL', description: 'Residential', when: { residential: true } },
      amount: { per: 'package', usd: amounts.residential },
    },
    {
      ...{ type: 'PEAK_ZONED', description: 'Peak' },
      amount: { per: 'package', usd: { 'zone 8': amounts.zoned, '*': amounts.residential } },
    },
    {
      ...{ type: 'DELIVERY_AREA', description: 'Area', when: { area: { list: 'small', tier: 'remote' } } },
      amount: { per: 'package', usd: amounts.area },
    },
    {
      ...{ type: 'HANDLING_LENGTH', description: 'Long', when: { lengthOverIn: 30 }, dearestOf: 'handling' },
      amount: { per: 'package', usd: amounts.handling },
    },
    {
      ...{ type: 'HANDLING_WEIGHT', description: 'Heavy', when: { actualWeightOverLb: 25 }, dearestOf: 'handling' },
      amount: { per: 'pound', usd: amounts.perPound },
    },
    {
      ...{ type: 'LARGE', description: 'Large', when: { lengthOverIn: 48 }, dearestOf: 'handling' },
      ...(amounts.least === undefined ? {} : { leastBillingWeightLb: amounts.least }),
      amount: { per: 'package', usd: amounts.large },
      multiweightMaximumUsd: amounts.most,
    },
    { type: 'PEAK_POUND', description: 'Peak', amount: { per: 'pound', usd: amounts.perPound } },
    {
      ...{ type: 'SIGNATURE', description: 'Signature', when: { signature: ['adult'] } },
      amount: { per: 'shipment', usd: amounts.signature },
    },
    {
      ...{ type: 'PICKUP', description: 'Pickup', when: { saturday: true } },
      amount: { per: 'shipment', usd: amounts.pickup },
    },
    {
      ...{ type: 'VALUE', description: 'Declared value' },
      amount: { per: 'declaredValue', usdPer100: amounts.value, minimumUsd: amounts.area },
    },
    {
      ...{ type: 'FUEL', description: 'Fuel' },
      amount: { per: 'percent', rate: amounts.fuel, of: ['BASE', 'RESIDENTIAL', 'LARGE', 'HANDLING_WEIGHT', 'VALUE'] },
    },
  ]);

const service = (code: string, more: object) => ({
  ...{ code, carrier: 'Small', description: code, dimensionalFactor: 139, zones: { distanceMiles: [150, 900] } },
  ...more,
});

/** Two services of the carrier `Small`: by ground, with multiweight or without, and by air. */
export const tariffs: fc.Arbitrary<TariffDocument> = fc
  .record({
    ground: rates(NUMBERED),
    air: rates(AIR),
    surcharges: fees,
    perPound: fc.option(fc.integer({ min: 5, max: 60 }), { nil: undefined }),
  })
  .map(({ ground, air, surcharges: charged, perPound }) =>
    smallTariff({
      file: {
        services: [
          service(
            'GROUND',
            perPound === undefined ? {} : { multiweight: { minimumTotalLb: 60, minimumAverageLb: 10 } },
          ),
          service('AIR', { rateZones: { 202: 2, 203: 3, 208: 8 } }),
        ],
        surcharges: charged,
      },
      document: {
        rates: { GROUND: ground, AIR: air },
        areas: { small: { rows: [{ zip: '995', tier: 'remote' }] } },
        multiweight:
          perPound === undefined
            ? {}
            : {
                GROUND: {
                  columns: NUMBERED,
                  breaks: [{ fromLb: 60, centsPerLb: [perPound, perPound + 3, perPound + 9] }],
                },
              },
      },
    }),
  );

const services = fc.constantFrom<'*' | string[]>('*', ['GROUND'], ['AIR'], ['GROUND', 'AIR']);

/** Lines of one discount that do not overlap: parted by weight and zone. */
const discountOf = (discount: string) =>
  fc
    .record({
      services,
      address: fc.constantFrom('any' as const, 'residential' as const, 'commercial' as const),
      appliesTo: fc.constantFrom('both' as const, 'packages' as const, 'multiweight' as const),
      better: fc.constantFrom(undefined, 'best'),
      tier: fc.constantFrom(undefined, undefined, '1', '2'),
      breaks: fc.uniqueArray(fc.integer({ min: 2, max: 120 }), { maxLength: 3 }),
      near: fc.boolean(),
      percents: fc.array(percentage(), { minLength: 8, maxLength: 8 }),
    })
    .map(({ services: named, better, tier, breaks, near, percents, ...rest }): DiscountInput[] => {
      const starts = [1, ...breaks.toSorted((a, b) => a - b)];
      return starts.flatMap((fromLb, band) =>
        (near ? [zones('2-3'), zones('8')] : ['*' as const]).map((cell, at) => {
          const next = starts[band + 1];
          return {
            ...{
              discount,
              services: named,
              zones: cell,
              fromLb,
              percent: percents[band * 2 + at] ?? '5.00',
              ...rest,
            },
            ...(next === undefined ? {} : { toLb: next - 1 }),
            ...(better === undefined ? {} : { betterOf: better }),
            ...(tier === undefined ? {} : { tier }),
          };
        }),
      );
    });

const minimum: fc.Arbitrary<MinimumInput> = fc
  .record({
    services,
    address: fc.constantFrom('any' as const, 'residential' as const, 'commercial' as const),
    kind: fc.constantFrom('usd' as const, 'less usd' as const, 'less percent' as const),
    cents: fc.integer({ min: 0, max: 2_500 }),
    cell: fc.constantFrom({}, { zone: '3', weightLb: 2 }),
  })
  .map(({ kind, cents, cell, ...rest }) => ({
    ...{ minimum: kind, value: usd(kind === 'less percent' ? cents * 4 : cents), ...rest },
    ...(kind === 'usd' ? {} : cell),
  }));

const TYPES = ['RESIDENTIAL', 'PEAK*', 'DELIVERY_AREA', 'HANDLING*', 'LARGE', 'SIGNATURE', 'PICKUP', 'VALUE'];

const surcharge: fc.Arbitrary<SurchargeInput> = fc.oneof(
  fc.record({
    surcharge: fc.constantFrom(...TYPES),
    change: fc.constantFrom('amount off' as const, 'fixed' as const, 'at most' as const),
    value: money(4_000),
    services,
    zones: fc.constantFrom('*' as const, zones('2-3'), zones('8')),
  }),
  fc.record({
    surcharge: fc.constantFrom(...TYPES, 'FUEL'),
    change: fc.constantFrom('percent off' as const, 'waived' as const),
    value: percentage(),
    services,
  }),
  fc.record({
    surcharge: fc.constant('FUEL'),
    change: fc.constantFrom('points off' as const, 'fixed' as const, 'at most' as const),
    value: percentage(3_000),
    services,
  }),
);

/** An agreement that raises no price: without its own rates, fuel rates and divisors. */
export const agreements: fc.Arbitrary<AgreementDocument> = fc
  .record({
    base: fc.array(fc.constantFrom('Base', 'Portfolio', 'Tier', 'Loyalty'), { maxLength: 4 }),
    minimums: fc.uniqueArray(minimum, { maxLength: 3, selector: ({ services: of, address }) => `${of} ${address}` }),
    surcharges: fc.array(surcharge, { maxLength: 6 }),
    tier: fc.constantFrom('1', '2', '3'),
    cap: fc.option(percentage(), { nil: undefined }),
  })
  .chain(({ base, minimums: least, surcharges: changes, tier, cap }) =>
    fc.tuple(...[...new Set(base)].map(discountOf)).map((lines: DiscountInput[][]) =>
      agreement(
        {
          discounts: discounts(...lines.flat()),
          minimums: minimums(...least),
          surcharges: surcharges(...changes),
          tiers: ['1', '2', '3'].map((name, at) => ({ row: at + 2, tier: name, fromUsd: `${at}000.00` })),
          ...(cap === undefined
            ? {}
            : {
                caps: {
                  GROUND: {
                    columns: NUMBERED,
                    cents: Array.from({ length: 100 }, (_, row) => [400 + row, null, 500 + row]),
                  },
                },
              }),
        },
        {
          earned: { inForce: [{ from: '2026-01-01', tier }] },
          ...(cap === undefined ? {} : { services: { GROUND: { rateCapPercent: cap } } }),
        },
      ),
    ),
  );

export const shipments: fc.Arbitrary<Asked & { readonly packages: NonNullable<Asked['packages']> }> = fc.record({
  to: fc.constantFrom('07030', '02139', '90210', '99501'),
  residential: fc.boolean(),
  packages: fc.array(
    fc.record(
      {
        lb: fc.integer({ min: 1, max: 9_900 }).map((hundredths) => hundredths / 100),
        inches: fc.tuple(side, side, side),
      },
      { requiredKeys: ['lb'] },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  options: fc.constantFrom(
    {},
    { signature: 'adult' },
    { saturday: true },
    { declaredValue: 730.5, signature: 'adult' },
  ),
});
