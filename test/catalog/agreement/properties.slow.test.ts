/** What must hold of every agreement, tariff and shipment. */
import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type {
  AgreementDocument,
  DiscountLine,
  MinimumLine,
  SurchargeLine,
} from '../../../src/catalog/agreement/document.ts';
import type { RateBook } from '../../../src/rating/card.ts';
import { traceOf } from '../../../src/rating/discount-items.ts';
import type { Price } from '../../../src/rating/price.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { rateShipment } from '../../../src/rating/rate.ts';
import type { Shipper } from '../../../src/rating/terms.ts';
import { minimumOf } from '../../../src/rating/terms.ts';
import { type Asked, shipmentOf } from '../../rating/priced.ts';
import { agreements, shipments, tariffs, usd } from './arbitraries.ts';
import { agreement, bookOf, discounts, shipperOf, surcharges, WAREHOUSE } from './fixtures.ts';

const RUNS = { numRuns: 1_000 };

/** Compiled once: that takes longer than a hundred shipments. */
const books = fc.constantFrom(...fc.sample(tariffs, { numRuns: 30, seed: 18 }).map((tariff) => bookOf(tariff)));

const pricesOf = (book: RateBook, shipper: Shipper, asked: Asked): ReadonlyMap<string, Price> => {
  const outcome = rateShipment(shipmentOf(asked), book, shipper);
  if (outcome instanceof Failed) return new Map();
  return new Map(outcome.prices.map((price) => [price.card.code, price]));
};

const LIST = shipperOf();

test('the net base of a package is neither below the minimum, if the list is not, nor above the list', () => {
  fc.assert(
    fc.property(books, agreements, shipments, (book, document, asked) => {
      const shipment = shipmentOf(asked);
      for (const price of pricesOf(book, shipperOf(document), asked).values()) {
        if (price.terms === undefined) continue;
        const least = minimumOf(price.terms, price.residential, price.column).cents;
        const { packages, multiweight } = traceOf(price, shipment, WAREHOUSE.postalCode);
        const rated =
          multiweight === undefined
            ? packages.map(({ baseCents, discountCents }) => ({ baseCents, discountCents, leastCents: least }))
            : [{ ...price, leastCents: least * packages.length }];
        for (const { baseCents, discountCents, leastCents } of rated) {
          expect(baseCents - discountCents).toBeGreaterThanOrEqual(Math.min(baseCents, leastCents));
          expect(discountCents).toBeGreaterThanOrEqual(0);
        }
      }
    }),
    RUNS,
  );
});

test('no price is above the list price, and none is missing', () => {
  fc.assert(
    fc.property(books, agreements, shipments, (book, document, asked) => {
      const list = pricesOf(book, LIST, asked);
      const own = pricesOf(book, shipperOf(document), asked);
      expect([...own.keys()].sort()).toEqual([...list.keys()].sort());
      for (const [code, { netCents }] of own) expect(netCents).toBeLessThanOrEqual(list.get(code)?.netCents ?? 0);
    }),
    RUNS,
  );
});

/** Half of what is left of a number of hundredths. */
const lowered = (value: string): string => usd(Math.floor((Number(value) * 100) / 2));
const raised = (value: string): string => usd(Math.round((Number(value) * 100 + 10_000) / 2));

const largerDiscount = (line: DiscountLine): DiscountLine => ({ ...line, percent: raised(line.percent) });
const lowerMinimum = (line: MinimumLine): MinimumLine => ({
  ...line,
  value: line.minimum === 'usd' ? lowered(line.value) : raised(line.value),
});
const cheaper = (line: SurchargeLine): SurchargeLine => {
  if (line.change === 'waived') return line;
  if (line.change === 'fixed' || line.change === 'at most') return { ...line, value: lowered(line.value) };
  return { ...line, value: raised(line.value) };
};

/** Agreements that are better than a given one in one line, or by one line more. */
const betterOnes = ({ file, tables, amendments }: AgreementDocument): AgreementDocument[] => {
  const { discounts: off, minimums: least, surcharges: changes } = tables;
  const withTables = (own: Partial<typeof tables>): AgreementDocument => ({
    ...{ file, amendments, tables: { ...tables, ...own } },
  });
  return [
    ...off.map((line) => withTables({ discounts: off.map((one) => (one === line ? largerDiscount(one) : one)) })),
    ...least.map((line) => withTables({ minimums: least.map((one) => (one === line ? lowerMinimum(one) : one)) })),
    ...changes.map((line) => withTables({ surcharges: changes.map((one) => (one === line ? cheaper(one) : one)) })),
    withTables({ discounts: [...off, ...discounts({ discount: 'One more', percent: '3.00' })] }),
    withTables({ surcharges: [...changes, ...surcharges({ surcharge: 'HANDLING*', change: 'waived' })] }),
  ];
};

test('a larger discount, a lower minimum and a cheaper surcharge never raise a price', () => {
  fc.assert(
    fc.property(books, agreements, shipments, fc.nat(), (book, document, asked, pick) => {
      const better = betterOnes(document);
      const before = pricesOf(book, shipperOf(document), asked);
      const after = pricesOf(book, shipperOf(better[pick % better.length] ?? document), asked);
      for (const [code, { netCents }] of after)
        expect(netCents).toBeLessThanOrEqual(before.get(code)?.netCents ?? Number.NaN);
    }),
    { numRuns: 4_000 },
  );
});

const bodyOf = ({ to = '02139', residential, packages = [], options }: Asked) => ({
  rates: {
    ...{ shipper: { warehouse_id: 1 }, recipient: { address: { postalCode: to, residential } }, options },
    packageItems: packages.map(({ lb, inches }) => ({
      weight: { units: 'LB', value: lb },
      ...(inches && { dimensions: { units: 'IN', length: inches[0], width: inches[1], height: inches[2] } }),
    })),
  },
});

const quoted = (book: RateBook, shipper: Shipper, asked: Asked) =>
  quoteOutcome(bodyOf(asked), shipper, { bookOn: () => book, bookAt: () => book }, new Date(), true);

test('the items of a discount sum to it, and net is base less discount plus surcharges', () => {
  fc.assert(
    fc.property(books, agreements, shipments, (book, document, asked) => {
      const shipper = shipperOf(document);
      const answer = quoted(book, shipper, asked);
      if (answer.status !== 200) return;
      const sum = (amounts: readonly number[]) => Number(amounts.reduce((total, one) => total.plus(one), new Big(0)));
      for (const quote of answer.body.quotes ?? []) {
        expect(sum(quote.discounts.map(({ amount }) => amount))).toBe(quote.totalDiscounts);
        const { totalBaseCharge: base, totalDiscounts: off, totalNetCharge: net, shipmentDetail, explanation } = quote;
        expect(sum([base, -off, shipmentDetail.totalSurcharges])).toBe(net);
        const { packages = [], shipment } = explanation ?? {};
        const explained = shipment?.rateCell === undefined ? packages : [shipment];
        const all = shipment === undefined ? packages : [...packages, shipment];
        expect(sum(explained.flatMap(({ discounts: items = [] }) => items.map(({ amount }) => amount)))).toBe(off);
        expect(sum(all.flatMap(({ charges }) => charges.map(({ amount }) => amount)))).toBe(
          shipmentDetail.totalSurcharges,
        );
      }
    }),
    RUNS,
  );
});

test('the cheapest alone is the first of all', () => {
  fc.assert(
    fc.property(books, agreements, shipments, (book, document, asked) => {
      const shipper = shipperOf(document);
      const all = rateShipment(shipmentOf(asked), book, shipper);
      const first = rateShipment(shipmentOf(asked), book, shipper, true);
      if (all instanceof Failed || first instanceof Failed) expect(first).toEqual(all);
      else expect(first.prices).toEqual(all.prices.slice(0, 1));
    }),
    RUNS,
  );
});

/** Agreements that do not mention the carrier's services. */
const SILENT = [
  agreement(),
  agreement({ discounts: discounts({ percent: '50.00' }) }, { carrier: 'Other' }),
  agreement({ discounts: discounts({ percent: '50.00', services: ['OTHER'] }) }),
  agreement({ discounts: discounts({ percent: '50.00' }) }, { effective: '2026-06-02' }),
  agreement({ discounts: discounts({ percent: '0.00' }) }),
];

test('an agreement that does not mention a service changes no byte of its quote', () => {
  fc.assert(
    fc.property(books, fc.constantFrom(...SILENT), shipments, (book, document, asked) => {
      const text = (shipper: Shipper) => JSON.stringify(quoted(book, shipper, asked));
      expect(text(shipperOf(document))).toBe(text(LIST));
    }),
    RUNS,
  );
});
