/** Tests of why prices differ: on random shipments, each rated in two of many ways. */
import { expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { rowBody } from '../../../src/lists/rows/row.ts';
import { type Causes, causesOf } from '../../../src/rating/attribution.ts';
import { cardList, type RateBook } from '../../../src/rating/card.ts';
import { discountsOf } from '../../../src/rating/discount-items.ts';
import { cheapestOf, rateShipment } from '../../../src/rating/rate.ts';
import { readShipment, type Shipment } from '../../../src/rating/shipment.ts';
import { WORLD } from './fixtures.ts';
import { madeRow, pick, type Random, randomFrom } from './made.ts';

const SERVICES = ['ONE-GRND', 'ONE-AIR', 'ONE-SMALL', 'TWO-GRND', 'TWO-AIR', 'TWO-SMALL'];
const BOOKS = ['2026-06-01', '2027-03-03'].map((day) => scheduleOf([...WORLD.named.values()].flat()).bookOn(day));
const ACCOUNTS = [[], ['own'], ['next'], ['draft', 'own']].map((names) =>
  accountOf({
    discounts: new Map(),
    agreements: names.flatMap((name) => {
      const document = WORLD.agreements.get(name);
      return document === undefined ? [] : [{ document }];
    }),
  }),
);

/** The services with another divisor. */
const divided = (book: RateBook): RateBook => {
  const cards = book.cards.map((card) => ({ ...card, dimensionalFactor: 90 }));
  return { ...book, ...cardList(cards) };
};
const DIVIDED = BOOKS.map(divided);

const shipmentFrom = (random: Random, at: number): Shipment | undefined => {
  const row: Readonly<Record<string, string>> = madeRow(random, SERVICES, at);
  const shipment = readShipment(rowBody((field) => row[field] ?? ''));
  return shipment instanceof Failed || shipment.shipFrom !== undefined ? undefined : shipment;
};

const ratedBy = (shipment: Shipment, book: RateBook, account: (typeof ACCOUNTS)[number]) => {
  const rated = rateShipment(shipment, book, { warehouses: WORLD.warehouses, account }, true);
  if (rated instanceof Failed) return undefined;
  return { price: cheapestOf(rated), originPostalCode: rated.warehouse.postalCode };
};
type Rated = NonNullable<ReturnType<typeof ratedBy>>;

/** What the minimum cancels, by the items of the discount that a quote has. */
const takenBack = ({ price, originPostalCode }: Rated, shipment: Shipment): number =>
  -discountsOf(price, shipment, originPostalCode)
    .filter(({ type }) => type === 'MINIMUM_CHARGE')
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);

const sumOf = (causes: Causes): number => Object.values(causes).reduce((sum, cents) => sum + cents, 0);

/** Rates shipments in two ways, and looks at the causes of those that both price. @returns how many there were */
const each = (
  shipments: number,
  seed: number,
  ways: (shipment: Shipment, random: Random) => readonly [Rated | undefined, Rated | undefined],
  look: (causes: Causes, one: Rated, two: Rated, shipment: Shipment) => void,
): number => {
  const random = randomFrom(seed);
  let looked = 0;
  for (let at = 0; looked < shipments; at += 1) {
    const shipment = shipmentFrom(random, at);
    if (shipment === undefined) continue;
    const [one, two] = ways(shipment, random);
    if (one === undefined || two === undefined) continue;
    looked += 1;
    look(causesOf(shipment, one, two), one, two, shipment);
  }
  return looked;
};

const [BOOK, NEXT] = BOOKS;
const [LIST = ACCOUNTS[0], OWN] = ACCOUNTS;
if (BOOK === undefined || NEXT === undefined || LIST === undefined || OWN === undefined) throw new Error('no worlds');

const named = (shipment: Shipment): Shipment => ({
  ...shipment,
  shippingService: shipment.shippingService ?? 'ONE-GRND',
});

/** @param many shipments for the sum of all causes @param few those for each single cause */
export const testCauses = (many: number, few: number): void => {
  test('the causes add up to the difference, and the minimum is that of the discount’s items', () => {
    let wrong = 0;
    let minimums = 0;
    const looked = each(
      many,
      1,
      (shipment, random) => [
        ratedBy(shipment, pick(random, [...BOOKS, ...DIVIDED]), pick(random, ACCOUNTS)),
        ratedBy(
          {
            ...shipment,
            warehouseId: pick(random, [101, 102, 103]),
            shippingService: pick(random, ['', ...SERVICES]) || shipment.shippingService,
          },
          pick(random, [...BOOKS, ...DIVIDED]),
          pick(random, ACCOUNTS),
        ),
      ],
      (causes, one, two, shipment) => {
        const net = ({ price }: Rated): number => price.baseCents - price.discountCents;
        const minimum = takenBack(two, shipment) - takenBack(one, shipment);
        if (minimum !== 0) minimums += 1;
        const isRight = sumOf(causes) === net(two) - net(one) && causes.minimumCents === minimum;
        if (!isRight || !Object.values(causes).every(Number.isInteger)) wrong += 1;
      },
    );
    expect([looked, wrong]).toEqual([many, 0]);
    expect(minimums).toBeGreaterThan(many / 100);
  });

  test('another warehouse changes the base by the zone alone', () => {
    each(
      few,
      2,
      (shipment, random) => [
        ratedBy(named(shipment), BOOK, LIST),
        ratedBy({ ...named(shipment), warehouseId: pick(random, [101, 102, 103]) }, BOOK, LIST),
      ],
      (causes, one, two, { packages }) => {
        const { zoneCents, rateCents, weightCents } = causes;
        // Several packages may change between prices by the package and by the pound of the whole.
        expect(rateCents).toBe(0);
        if (packages.length === 1)
          expect([zoneCents, weightCents]).toEqual([two.price.baseCents - one.price.baseCents, 0]);
      },
    );
  });

  test('another divisor changes the base by the weight alone', () => {
    each(
      few,
      3,
      (shipment) => [ratedBy(named(shipment), BOOK, OWN), ratedBy(named(shipment), divided(BOOK), LIST)],
      ({ zoneCents, rateCents }, one, two, { packages }) => {
        expect(zoneCents).toBe(0);
        // Ounces and volumes may give way to pounds, which the first card has too.
        const { ounces, ownMultiweight } = one.price.card;
        // The list has other multiweight prices than the agreement.
        if (ounces === undefined && (ownMultiweight === undefined || packages.length === 1))
          expect([rateCents, two.price.column]).toEqual([0, one.price.column]);
      },
    );
  });

  test('another rate table changes the base by the rates alone', () => {
    each(
      few,
      4,
      (shipment) => [ratedBy(named(shipment), BOOK, LIST), ratedBy(named(shipment), NEXT, LIST)],
      ({ zoneCents, weightCents, rateCents }, one, two, { packages }) => {
        expect(zoneCents).toBe(0);
        if (packages.length === 1)
          expect([weightCents, rateCents]).toEqual([0, two.price.baseCents - one.price.baseCents]);
      },
    );
  });
};
