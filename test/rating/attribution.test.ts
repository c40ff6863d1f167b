import { describe, expect, test } from 'vitest';
import type { RateTable, TariffDocument } from '../../src/catalog/tariff/document.ts';
import { type Causes, causesOf } from '../../src/rating/attribution.ts';
import { smallTariff, TEN_POUNDS } from '../catalog/tariff/small-tariff.ts';
import { type Asked, priceOf, shipmentOf } from './priced.ts';

const rated = (tariff: TariffDocument, asked: Asked) => ({ price: priceOf(tariff, asked), originPostalCode: '07001' });

const causes = (one: TariffDocument, two: TariffDocument, asked: Asked = {}): Partial<Causes> =>
  causesOf(shipmentOf(asked), rated(one, asked), rated(two, asked));

/** A package is far if `miles` is 1. */
const tariff = (rates: RateTable, miles: number, columns: readonly [string, string]): TariffDocument =>
  smallTariff({
    service: {
      zones: { distanceMiles: [miles], distanceColumns: [...columns] },
      rateZones: columns[1] === '9' ? { 9: 8 } : {},
    },
    document: { rates: { GROUND: rates } },
  });
/** Two columns. They cost `first` and `second` dollars for each pound. */
const table = (columns: readonly string[], first: number, second: number): RateTable => ({
  columns: [...columns],
  cents: Array.from({ length: 10 }, (_, row) => [first * 100 * (row + 1), second * 100 * (row + 1)]),
});

/** One pound costs 10.00 in zone 2, and 20.00 in zone 8. */
const NEAR = tariff(TEN_POUNDS, 5_000, ['2', '8']);

describe('the zone of another price, on the card of the first', () => {
  test.each([
    // 20.00 - 10.00 for the zone; 33.00 - 20.00 for the rates.
    ['is the column of the same name, even at another position', ['8', '2'], [33, 15], ['2', '8'], 1_000, 1_300],
    // Zone 9 is reported as zone 8: 20.00 - 10.00, and 33.00 - 20.00.
    [
      'is the column of the zone that it is reported as, if no name matches',
      ['2', '9'],
      [15, 33],
      ['2', '9'],
      1_000,
      1_300,
    ],
    // 33.00 - 10.00: what the zone adds is unknown.
    ['is unknown if the first card has no such zone', ['2', '5'], [15, 33], ['2', '5'], 0, 2_300],
  ] as const)('%s', (_what, columns, [first, second], zones, zoneCents, rateCents) => {
    const far = tariff(table(columns, first, second), 1, [...zones]);
    expect(causes(NEAR, far)).toEqual({
      zoneCents,
      weightCents: 0,
      rateCents,
      multiweightCents: 0,
      discountCents: 0,
      minimumCents: 0,
    });
  });

  test('is the same column of the same table', () => {
    const far = tariff(TEN_POUNDS, 1, ['2', '8']);
    expect(causes(NEAR, far)).toMatchObject({ zoneCents: 1_000, rateCents: 0 });
    expect(causes(far, NEAR)).toMatchObject({ zoneCents: -1_000, rateCents: 0 });
  });
});

describe('the weight', () => {
  const sized = { packages: [{ lb: 1, inches: [10, 10, 5] }] };
  /** 500 cubic inches are 5 lb with a divisor of 100, and 1 lb with a divisor of 500. */
  const dividedBy = (dimensionalFactor: number) => smallTariff({ service: { dimensionalFactor } });

  test('changes the base at the zone of the other price', () => {
    // 5 lb cost 14.00, 1 lb 10.00.
    expect(causes(dividedBy(500), dividedBy(100), sized)).toMatchObject({
      zoneCents: 0,
      weightCents: 400,
      rateCents: 0,
    });
  });

  test('of a card with prices for ounces is priced by them', () => {
    const ounces = [{ upToOz: 8, cents: [600, 700] }];
    const light = smallTariff({ document: { rates: { GROUND: { ...TEN_POUNDS, ounces } } } });
    const asked = { packages: [{ lb: 0.4 }] };
    const far = tariff(TEN_POUNDS, 1, ['2', '8']);
    // 7.00 - 6.00 for the zone; 20.00 - 7.00 for the rates.
    expect(causes(light, far, asked)).toMatchObject({ zoneCents: 100, weightCents: 0, rateCents: 1_300 });
  });

  test('of several packages is added up in the zone of the other price', () => {
    const asked = { packages: [{ lb: 1 }, { lb: 3 }] };
    // 20.00 + 24.00 against 10.00 + 12.00, then 33.00 + 99.00.
    const far = tariff(table(['2', '8'], 15, 33), 1, ['2', '8']);
    expect(causes(NEAR, far, asked)).toMatchObject({ zoneCents: 2_200, weightCents: 0, rateCents: 8_800 });
  });
});
