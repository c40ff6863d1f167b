/** Discounts of single packages compared with an independent model, which reads the lines one by one in exact decimals. */
import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type { AgreementDocument, DiscountLine, MinimumLine } from '../../../src/catalog/agreement/document.ts';
import type { Card } from '../../../src/rating/card.ts';
import type { Price } from '../../../src/rating/price.ts';
import { rateShipment } from '../../../src/rating/rate.ts';
import { type Asked, shipmentOf } from '../../rating/priced.ts';
import { agreements, shipments, tariffs } from './arbitraries.ts';
import { bookOf, shipperOf } from './fixtures.ts';

const half = (amount: Big): Big => amount.round(2, Big.roundHalfUp);

const isOf = (services: '*' | readonly string[], code: string): boolean => services === '*' || services.includes(code);

/** Zones of the random tariffs are numbers; the columns of AIR are 200 more. */
const isIn = ({ zones }: DiscountLine, zone: number): boolean =>
  zones === '*' || zones.some(({ from, to }) => Number(from) <= zone && zone <= Number(to));

const percentOf = (document: AgreementDocument, code: string, zone: number, lb: number, residential: boolean): Big => {
  const tier = document.file.earned.inForce[0]?.tier;
  const lines = document.tables.discounts.filter(
    (line) =>
      isOf(line.services, code) &&
      isIn(line, zone) &&
      line.fromLb <= lb &&
      lb <= (line.toLb ?? Number.POSITIVE_INFINITY) &&
      line.address !== (residential ? 'commercial' : 'residential') &&
      line.appliesTo !== 'multiweight' &&
      (line.tier === undefined || line.tier === tier),
  );
  const highest = new Map<string, Big>();
  let sum = new Big(0);
  for (const { betterOf, percent } of lines) {
    if (betterOf === undefined) sum = sum.plus(percent);
    else if (highest.get(betterOf)?.gt(percent) !== true) highest.set(betterOf, new Big(percent));
  }
  for (const percent of highest.values()) sum = sum.plus(percent);
  return sum.gt(100) ? new Big(100) : sum;
};

/** The list's dollars of a cell: 1 lb is the first row. */
const cellOf = ({ rates, topLb, rateZones }: Card, zone: number, lb: number): Big =>
  new Big(rates[rateZones.indexOf(zone) * (topLb + 1) + lb] ?? 0).div(100);

const leastOf = (lines: readonly MinimumLine[], card: Card, residential: boolean): Big => {
  const own = lines.filter(({ services }) => isOf(services, card.code));
  const line =
    own.find(({ address }) => address === (residential ? 'residential' : 'commercial')) ??
    own.find(({ address }) => address === 'any');
  if (line === undefined) return cellOf(card, 2, 1);
  if (line.minimum === 'usd') return new Big(line.value);
  const cell = cellOf(card, Number(line.zone ?? '2'), line.weightLb ?? 1);
  if (line.minimum === 'less percent') return cell.minus(half(cell.times(line.value).div(100)));
  return cell.gt(line.value) ? cell.minus(line.value) : new Big(0);
};

/** What a package of the price's weight pays of its base, in dollars. */
const netOf = (document: AgreementDocument, price: Price, residential: boolean): Big => {
  const { card, column, billingWeightLb: lb, baseCents } = price;
  const zone = card.rateZones[column] ?? 0;
  const base = new Big(baseCents).div(100);
  let net = base.minus(half(base.times(percentOf(document, card.code, zone, lb, residential)).div(100)));
  const cap = document.tables.caps[card.code]?.cents[lb - 1]?.[column];
  if (typeof cap === 'number') {
    const most = half(
      new Big(cap).times(new Big(document.file.services[card.code]?.rateCapPercent ?? 0).plus(100)).div(10_000),
    );
    if (most.gt(0) && net.gt(most)) net = most;
  }
  const least = leastOf(document.tables.minimums, card, residential);
  if (net.gte(least)) return net;
  return base.lt(least) ? base : least;
};

test('the net base of a package is what the lines say, to the cent', () => {
  const books = fc.constantFrom(...fc.sample(tariffs, { numRuns: 20, seed: 7 }).map((tariff) => bookOf(tariff)));
  let discounted = 0;
  fc.assert(
    fc.property(books, agreements, shipments, (book, document, { packages, ...asked }) => {
      const one: Asked = { ...asked, packages: packages.slice(0, 1) };
      const outcome = rateShipment(shipmentOf(one), book, shipperOf(document));
      if (outcome instanceof Failed) return;
      for (const price of outcome.prices) {
        const net = Number(netOf(document, price, asked.residential ?? false).times(100));
        expect(price.baseCents - price.discountCents).toBe(net);
        if (price.discountCents > 0) discounted += 1;
      }
    }),
    { numRuns: 3_000 },
  );
  expect(discounted).toBeGreaterThan(500);
});
