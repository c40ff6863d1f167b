/** The core alone: single quotes a second with a tariff, and the cost of loading it. */

import { Failed } from '../../src/base/failed.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import { rateShipment } from '../../src/rating/rate.ts';
import { readShipment } from '../../src/rating/shipment.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { shipments } from './shipments.ts';

const RUN_MS = 1_000;

/** Requests like those of a checkout: rows of the generator, every second one with a named service, and with dimensions. */
export const requestsOf = (codes: readonly string[]): unknown[] =>
  [...shipments(2_000)]
    .slice(1)
    .join('')
    .trim()
    .split('\n')
    .map((line, index) => {
      const dimensions = { units: 'IN', length: 12 + (index % 40), width: 10, height: 8 };
      const [, warehouse, postalCode, , addressLine, value, units] = line.split(',');
      const shippingService = index % 2 === 0 ? { shippingService: codes[index % codes.length] } : {};
      return {
        rates: {
          ...shippingService,
          shipper: { warehouse_id: Number(warehouse) },
          recipient: { address: { postalCode, addressLine, residential: index % 3 === 0 } },
          packageItems: [{ weight: { units, value: Number(value) }, ...(index % 2 === 0 ? { dimensions } : {}) }],
        },
      };
    });

export interface CoreFigures {
  /** Requests rated a second, including their validation. */
  readonly requests: number;
  /** Prices a second. A request without a service has one for each service. */
  readonly prices: number;
  readonly services: number;
}

/** Rates requests for about a second, after a warm-up. */
export const coreFigures = (schedule: Schedule, shipper: Shipper, day: string): CoreFigures => {
  const book = schedule.bookOn(day);
  const requests = requestsOf(book.cards.map(({ code }) => code));
  const run = (forMs: number): { requests: number; prices: number; seconds: number } => {
    const begun = performance.now();
    let rated = 0;
    let prices = 0;
    while (performance.now() - begun < forMs) {
      for (const body of requests) {
        const shipment = readShipment(body);
        if (shipment instanceof Failed) continue;
        const outcome = rateShipment(shipment, book, shipper);
        if (!(outcome instanceof Failed)) prices += outcome.prices.length;
      }
      rated += requests.length;
    }
    return { requests: rated, prices, seconds: (performance.now() - begun) / 1_000 };
  };
  run(RUN_MS / 2);
  const { requests: rated, prices, seconds } = run(RUN_MS);
  return { requests: rated / seconds, prices: prices / seconds, services: book.cards.length };
};
