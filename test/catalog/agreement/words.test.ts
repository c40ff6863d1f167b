/** What an explanation and the warnings of a price say about an agreement, sentence by sentence. */
import { expect, test } from 'vitest';
import type { TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { causesOf } from '../../../src/rating/attribution.ts';
import { explainPrice } from '../../../src/rating/explain.ts';
import { warningsOf } from '../../../src/rating/warning.ts';
import { type Asked, shipmentOf } from '../../rating/priced.ts';
import { ANYWHERE, oneColumn, type Parts, smallTariff } from '../tariff/small-tariff.ts';
import {
  agreement,
  discounts,
  minimums,
  priceWith,
  type SurchargeInput,
  surcharges,
  WAREHOUSE,
  zones,
} from './fixtures.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const charge = (type: string, amount: Surcharge['amount'], more: Partial<Surcharge> = {}): Surcharge => ({
  ...{ type, description: type, amount },
  ...more,
});

const TARIFF = smallTariff({
  file: {
    surcharges: [
      charge('PACKAGE', { per: 'package', usd: '5.00' }),
      charge('POUND', { per: 'pound', usd: '0.25' }),
      charge('VALUE', { per: 'declaredValue', usdPer100: '1.00', minimumUsd: '3.00' }),
      charge('SATURDAY_DELIVERY', { per: 'package', usd: '16.00' }, { when: { saturday: true } }),
      charge('OVERSIZE', { per: 'package', usd: '20.00' }, { when: { lengthOverIn: 48 } }),
      charge('FUEL', { per: 'percent', rate: '20', of: ['BASE', 'PACKAGE'] }),
    ],
  },
});

const TWO_POUNDS: Asked = { packages: [{ lb: 2 }], options: { declaredValue: 1_000 } };

/** The computation of each charge, of the package and of the whole shipment. */
const computed = (asked: Asked, ...lines: SurchargeInput[]): Record<string, string> => {
  const price = priceWith(TARIFF, agreement({ surcharges: surcharges(...lines) }), asked);
  const { packages, shipment } = explainPrice(price, shipmentOf(asked), { warehouse: WAREHOUSE, departure: undefined });
  return Object.fromEntries(
    [...packages.flatMap(({ charges }) => charges), ...(shipment?.charges ?? [])].map(({ type, computation }) => [
      type,
      computation,
    ]),
  );
};

test('a charge names the list, each change with its place, and what comes out', () => {
  const all = computed(
    TWO_POUNDS,
    { surcharge: 'PACKAGE', change: 'percent off', value: '10' },
    { surcharge: 'POUND', change: 'amount off', value: '0.05' },
    { surcharge: 'VALUE', change: 'fixed', value: '5.00' },
    { surcharge: 'FUEL', change: 'points off', value: '2.5' },
  );
  expect(all).toEqual({
    FUEL: '17.50% of 15.50 (base 11.00, PACKAGE 4.50): 20.00% in the list, less 2.50 points (acme/surcharges.csv row 5)',
    PACKAGE: '5.00 per package, less 10.00% (acme/surcharges.csv row 2) = 4.50',
    POUND: '0.25 per LB, less 0.05 (acme/surcharges.csv row 3) = 0.20 × 2 LB',
    VALUE: '1.00 per 100.00 of the declared value, at least 3.00, fixed at 5.00 (acme/surcharges.csv row 4)',
  });
});

test('a change for other zones is not named, but a maximum and a waiver are', () => {
  const all = computed(
    { ...TWO_POUNDS, options: { declaredValue: 1_000, saturday: true } },
    { surcharge: 'PACKAGE', change: 'percent off', value: '10', zones: zones('8') },
    { surcharge: 'PACKAGE', change: 'at most', value: '4.00', zones: zones('2') },
    { surcharge: 'POUND', change: 'waived' },
    { surcharge: 'SATURDAY_DELIVERY', change: 'waived' },
    { surcharge: 'OVERSIZE', change: 'waived' },
    { surcharge: 'FUEL', change: 'fixed', value: '10' },
  );
  expect(all).toEqual({
    FUEL: '10.00% of 15.00 (base 11.00, PACKAGE 4.00): 20.00% in the list, fixed at 10.00% (acme/surcharges.csv row 7)',
    PACKAGE: '5.00 per package, at most 4.00 (acme/surcharges.csv row 3) = 4.00',
    POUND: '0.25 per LB, waived (acme/surcharges.csv row 4) = 0.00 × 2 LB',
    VALUE: '1.00 per 100.00 of the declared value, at least 3.00',
    SATURDAY_DELIVERY: '16.00 per package, waived (acme/surcharges.csv row 5) = 0.00',
  });
});

test('a waived charge by size is named only for packages of that size', () => {
  const waived: SurchargeInput = { surcharge: 'OVERSIZE', change: 'waived' };
  const sized = (length: number): Asked => ({ packages: [{ lb: 2, inches: [length, 1, 1] }] });
  expect(computed(sized(49), waived)).toHaveProperty('OVERSIZE');
  expect(computed(sized(48), waived)).not.toHaveProperty('OVERSIZE');
});

test('a quote names the agreement that ended', () => {
  const document = agreement({ discounts: discounts({ percent: '10' }) }, { until: '2026-03-31' });
  expect(warningsOf(priceWith(smallTariff(), document, { day: '2026-04-01' }), '07001')).toEqual([
    {
      type: 'agreement.ended',
      message: 'The agreement acme ended on 2026-03-31. This is the list price of GROUND.',
      arguments: { agreement: 'acme', endedOn: '2026-03-31' },
    },
  ]);
});

test('a service for homes says that it is priced as a home', () => {
  const tariff = smallTariff({ service: { deliversTo: 'homes' } });
  expect(warningsOf(priceWith(tariff, agreement()), '07001')).toEqual([
    {
      type: 'service.homesOnly',
      message: 'GROUND delivers only to homes. The price is for a home, but the request does not say residential.',
      arguments: { residential: false },
    },
  ]);
});

/** 100 lb and up cost `perPound` cents a pound; by themselves packages of 50 lb cost 25.00 each. */
const togetherAt = (perPound: number): Parts => ({
  service: { zones: ANYWHERE, multiweight: { minimumTotalLb: 100, minimumAverageLb: 1 } },
  document: {
    rates: { GROUND: oneColumn('2', ...Array.from({ length: 60 }, (_, at) => 50 * (at + 1))) },
    multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 100, centsPerLb: [perPound] }] } },
  },
});
const TWICE_FIFTY: Asked = { packages: [{ lb: 50 }, { lb: 50 }] };
const NO_MINIMUM = minimums({ minimum: 'usd', value: '0' });

// By themselves 2 × 25.00 = 50.00; 100 lb together at 0.40 are 40.00.
test.each([
  ['together, as at list', { percent: '0' }, 4_000, 4_000],
  // 50.00 less half is less than 40.00.
  ['by themselves, if their discount makes that cheaper', { percent: '50', appliesTo: 'packages' }, 5_000, 2_500],
  [
    'together, if the discount of the whole makes that cheaper',
    { percent: '50', appliesTo: 'multiweight' },
    4_000,
    2_000,
  ],
  // 50.00 less 20% is 40.00: the bases tell.
  ['together at the same price, if the base is lower', { percent: '20', appliesTo: 'packages' }, 4_000, 4_000],
] as const)('packages are rated %s', (_name, line, baseCents, netCents) => {
  const document = agreement({ discounts: discounts(line), minimums: NO_MINIMUM });
  expect(priceWith(smallTariff(togetherAt(40)), document, TWICE_FIFTY)).toMatchObject({ baseCents, netCents });
});

test('a lower base by themselves wins at the same price', () => {
  // By themselves 50.00; together at 0.60 they are 60.00 less a sixth.
  const document = agreement({
    discounts: discounts({ percent: '16.67', appliesTo: 'multiweight' }),
    minimums: minimums({ minimum: 'usd', value: '25.00' }),
  });
  expect(priceWith(smallTariff(togetherAt(60)), document, TWICE_FIFTY)).toMatchObject({
    baseCents: 5_000,
    netCents: 5_000,
  });
});

const causes = (tariff: ReturnType<typeof smallTariff>, percents: readonly [string, string], asked: Asked) => {
  const [one, two] = percents.map((percent) => {
    const document = agreement({
      discounts: discounts({ percent }),
      minimums: minimums({ minimum: 'usd', value: '9.00' }),
    });
    return { price: priceWith(tariff, document, asked), originPostalCode: WAREHOUSE.postalCode };
  });
  if (one === undefined || two === undefined) throw new Error('no price');
  return causesOf(shipmentOf(asked), one, two);
};

test('the part of a discount that the minimum cancels is a separate cause', () => {
  // One pound costs 10.00. Less 20% it would be 8.00: the minimum cancels 1.00.
  expect(causes(smallTariff(), ['5', '20'], {})).toMatchObject({ discountCents: -150, minimumCents: 100 });
  expect(causes(smallTariff(), ['20', '5'], {})).toMatchObject({ discountCents: 150, minimumCents: -100 });
  expect(causes(smallTariff(), ['5', '10'], {})).toMatchObject({ discountCents: -50, minimumCents: 0 });
  // Each of two packages has a minimum.
  const two: Asked = { packages: [{ lb: 1 }, { lb: 1 }] };
  expect(causes(smallTariff(), ['5', '20'], two)).toMatchObject({ discountCents: -300, minimumCents: 200 });
  // 100 lb at 0.18 are 18.00, the minimum of two packages: the minimum cancels the whole discount.
  const together = smallTariff(togetherAt(18));
  expect(causes(together, ['0', '20'], TWICE_FIFTY)).toMatchObject({ discountCents: -360, minimumCents: 360 });
});
