/** The shortcuts for lists change no price: the check of the lane before pricing, and what a card caches. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import type { TariffDocument, TariffFileInput } from '../../src/catalog/tariff/document.ts';
import type { Card, RateBook } from '../../src/rating/card.ts';
import { askedOf, chargedLines, priceBelow, priceShipment } from '../../src/rating/price.ts';
import { rateShipment, zip5Of } from '../../src/rating/rate.ts';
import { ANYWHERE, oneColumn, type Parts, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { bookOfCards } from './book-of-cards.ts';
import { flatAccount, flatTerms } from './flat-account.ts';
import { type Asked, shipmentOf } from './priced.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const each = (type: string, usd: string, more: Partial<Surcharge> = {}): Surcharge => ({
  ...{ type, description: type, amount: { per: 'package', usd } },
  ...more,
});

const percent = (rate: string, of: readonly string[]): Surcharge => ({
  ...{ type: 'FUEL', description: 'Fuel', amount: { per: 'percent', rate, of: [...of] } },
});

const cardOf = (document: TariffDocument): Card => {
  const [card] = compileTariff(document);
  if (card === undefined) throw new Error('no service');
  return card;
};

const tariffOf = (surcharges: readonly Surcharge[], { file, ...parts }: Parts = {}): TariffDocument =>
  smallTariff({ file: { surcharges: [...surcharges], ...file }, ...parts });

const askedFor = (card: Card, asked: Asked) => {
  const shipment = shipmentOf(asked);
  return askedOf(card, shipment, 7001, zip5Of(shipment.postalCode));
};

/** Returns the price if it is below a number of cents, undefined if it is not, or the fault. */
const netBelow = (card: Card, asked: Asked, cents: number): number | string | undefined => {
  const terms = flatTerms(card, (asked.discountPercent ?? 0).toFixed(2));
  const price = priceBelow(card, askedFor(card, asked), terms, cents);
  return price instanceof Failed ? price.fault.type : price?.netCents;
};

const HANDLING = each('HANDLING', '21.00', { when: { lengthOverIn: 48 }, leastBillingWeightLb: 3 });

test.each<[string, readonly Surcharge[], Asked, number]>([
  // 10.00 for 1 lb to zone 2.
  ['the base alone', [], {}, 1_000],
  // 14.00 for 5 lb, less 1.40.
  ['the base after a discount of 10%', [], { packages: [{ lb: 5 }], discountPercent: 10 }, 1_260],
  ['a sum for each package', [each('FEE', '2.50')], {}, 1_250],
  // 10% of 10.00 + 2.50 are 1.25.
  ['a percentage of base and sum', [each('FEE', '2.50'), percent('10', ['BASE', 'FEE'])], {}, 1_375],
  // 10% of 2.50 are 0.25.
  ['a percentage of the sum alone', [each('FEE', '2.50'), percent('10', ['FEE'])], {}, 1_275],
  // 12.60 after the discount; 10% of 12.60 + 2.50 are 1.51.
  [
    'a percentage after a discount',
    [each('FEE', '2.50'), percent('10', ['BASE', 'FEE'])],
    { packages: [{ lb: 5 }], discountPercent: 10 },
    1_661,
  ],
])('the lane shows that a package costs no less: %s', (_name, surcharges, asked, net) => {
  const card = cardOf(tariffOf(surcharges));
  expect([net + 1, net, net - 1].map((cents) => netBelow(card, asked, cents))).toEqual([net, undefined, undefined]);
});

test.each<[string, Parts, readonly Surcharge[], Asked, number]>([
  // 49 in: billed as 3 lb, 12.00, and 21.00.
  ['a least billing weight', {}, [HANDLING], { packages: [{ lb: 1, inches: [49, 1, 1] }] }, 3_300],
  [
    'ounces',
    { document: { rates: { GROUND: { ...oneColumn('2', 900), ounces: [{ upToOz: 4, cents: [500] }] } } } },
    [],
    { packages: [{ lb: 0.25 }] },
    500,
  ],
])('with %s no shortcut is taken too early', (_name, parts, surcharges, asked, net) => {
  const document = tariffOf(surcharges, {
    ...parts,
    service: { zones: { distanceMiles: [30_000], distanceColumns: ['2', '2'] } },
  });
  expect(netBelow(cardOf(document), asked, net + 1)).toBe(net);
});

test('a service without a rate for the weight is skipped once another has a price', () => {
  expect(netBelow(cardOf(tariffOf([])), { packages: [{ lb: 11 }] }, 1)).toBeUndefined();
});

test('several packages are always priced, whatever the lane would show', () => {
  expect(netBelow(cardOf(tariffOf([])), { packages: [{ lb: 1 }, { lb: 1 }] }, 1)).toBe(2_000);
});

/** Every combination of what a card caches charges by, and the charges of each. */
const COMBINATIONS = ['02139', '10001'].flatMap((to) =>
  [false, true].flatMap((residential) =>
    [undefined, 'indirect', 'direct', 'adult'].flatMap((signature) =>
      [false, true].flatMap((saturday) =>
        [undefined, 400, 600].map((declaredValue) => ({
          asked: {
            ...{ to, residential },
            options: {
              ...(signature === undefined ? {} : { signature }),
              ...(saturday ? { saturday } : {}),
              ...(declaredValue === undefined ? {} : { declaredValue }),
            },
          },
          charges: [
            ...(residential ? ['RESIDENTIAL 500'] : []),
            ...(to === '10001' ? ['AREA 300'] : []),
            ...(['indirect', 'direct'].includes(signature ?? '') && declaredValue !== 600 ? ['DIRECT 760'] : []),
            ...(signature === 'adult' ? ['ADULT 1000'] : []),
            ...(saturday ? ['SATURDAY_DELIVERY 1600'] : []),
            ...(declaredValue === undefined ? [] : [`DECLARED_VALUE ${declaredValue}`]),
          ],
        })),
      ),
    ),
  ),
);

test('a card charges each shipment correctly, whatever it has priced before', () => {
  const card = cardOf(
    tariffOf(
      [
        each('RESIDENTIAL', '5.00', { when: { residential: true } }),
        each('AREA', '3.00', { when: { area: { list: 'areas', tier: 'near' } } }),
        each('DIRECT', '7.60', { when: { signature: ['indirect', 'direct'], declaredValueUnderUsd: 500 } }),
        each('ADULT', '10.00', { when: { signature: ['adult'] } }),
        each('SATURDAY_DELIVERY', '16.00', { when: { saturday: true } }),
        { ...each('DECLARED_VALUE', ''), amount: { per: 'declaredValue', usdPer100: '1.00', minimumUsd: '3.00' } },
      ],
      { document: { areas: { areas: { rows: [{ zip: '10001', tier: 'near' }] } } } },
    ),
  );
  const chargesOf = (asked: Asked) => {
    const price = priceShipment(card, askedFor(card, asked), undefined);
    if (price instanceof Failed) throw new Error(price.fault.type);
    return chargedLines(price).map(({ type, amountCents }) => `${type} ${amountCents}`);
  };
  for (const combinations of [COMBINATIONS, COMBINATIONS.toReversed()])
    for (const { asked, charges } of combinations) expect(chargesOf(asked), JSON.stringify(asked)).toEqual(charges);
});

interface Service {
  readonly pounds: readonly number[];
  readonly more: Parts;
  readonly ounces: number | undefined;
  readonly cubic: number | undefined;
  readonly aboveTop: number | undefined;
  readonly fee: string;
}

const services: fc.Arbitrary<Service> = fc.record({
  pounds: fc.array(fc.integer({ min: 9, max: 12 }), { minLength: 3, maxLength: 6 }),
  more: fc.constantFrom<Parts>(
    {},
    { service: { deliversTo: 'businesses' } },
    { service: { sideRounding: 'nearest', dimensionalOverCubicIn: 1728 } },
    { service: { addressLineRequired: true } },
  ),
  ounces: fc.option(fc.constantFrom(500, 1_000), { nil: undefined }),
  cubic: fc.option(fc.constantFrom(600, 1_000, 1_100), { nil: undefined }),
  aboveTop: fc.option(fc.constantFrom(300, 400), { nil: undefined }),
  fee: fc.constantFrom('0.00', '1.00', '2.00'),
});

const serviceOf = ({ pounds, more, ounces, cubic, aboveTop, fee }: Service, code: string): Card => {
  const table = {
    ...oneColumn('2', ...pounds.map((usd) => usd * 100)),
    ...(ounces !== undefined && { ounces: [{ upToOz: 8, cents: [ounces] }] }),
    ...(aboveTop !== undefined && { centsPerLbAboveTop: [aboveTop] }),
  };
  const document = tariffOf(
    [each('FEE', fee, { when: { actualWeightOverLb: 2 }, leastBillingWeightLb: 3 }), percent('10', ['BASE', 'FEE'])],
    {
      service: {
        ...{ zones: ANYWHERE, ...more.service },
        ...(cubic !== undefined && { cubic: { maximumActualLb: 2, maximumLengthIn: 18 } }),
      },
      document: {
        rates: { GROUND: table },
        ...(cubic !== undefined && {
          cubic: { GROUND: { columns: ['2'], tiers: [{ hundredths: 30, cents: [cubic] }] } },
        }),
      },
    },
  );
  return { ...cardOf(document), code };
};

test('the cheapest price alone is the first of all prices, whichever service won before', () => {
  const books = fc.array(services, { minLength: 2, maxLength: 6 }).map((chosen): RateBook => {
    return bookOfCards(chosen.map((service, at) => serviceOf(service, `S${at}`)));
  });
  const asked = fc.record({
    residential: fc.boolean(),
    addressLine: fc.constantFrom('', '1 Main Street'),
    packages: fc.array(
      fc.record({
        lb: fc.constantFrom(0.25, 0.75, 1, 2, 3, 5, 9),
        inches: fc.option(fc.constantFrom([6, 5, 4], [12, 12, 12], [13.4, 12.2, 11]), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  });
  const shipper = {
    warehouses: new Map([
      [1, { id: 1, name: 'East', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' }],
    ]),
    account: flatAccount({}),
  };
  fc.assert(
    fc.property(books, fc.array(asked, { minLength: 15, maxLength: 45 }), (book, list) => {
      for (const { packages, ...one } of list) {
        const shipment = shipmentOf({
          ...one,
          packages: packages.map(({ lb, inches }) => ({ lb, ...(inches && { inches }) })),
        });
        const all = rateShipment(shipment, book, shipper);
        const first = rateShipment(shipment, book, shipper, true);
        if (all instanceof Failed || first instanceof Failed) expect(first).toEqual(all);
        else expect(first.prices).toEqual(all.prices.slice(0, 1));
      }
    }),
    { numRuns: 20 },
  );
});
