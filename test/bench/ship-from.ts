/**
 * What it costs to choose among four warehouses, against a request for each of them. The product's modules come from `dist`,
 * because tsx adds code to functions.
 */

import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import type { Warehouse } from '../../src/rating/card.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { built, type Cost, costOf } from './agreements.ts';
import { requestsOf } from './core.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const ROUNDS = 60;

const TEXAS: Warehouse = {
  ...{ id: 105, name: 'Dallas', postalCode: '75001', stateOrProvinceCode: 'TX', countryCode: 'US' },
};

/** The requests as texts, from the warehouse that is given. */
const textsFrom = (requests: readonly unknown[], warehouse: number | 'any'): string[] =>
  requests.map((request) =>
    JSON.stringify(request).replace(/"warehouse_id":\d+/, `"warehouse_id":${JSON.stringify(warehouse)}`),
  );

/** Of requests from their text to the text of the answer, of named services and of all; and of rating alone. */
export const shipFromCosts = async (
  tariffs: Schedule,
  { warehouses, account }: Shipper,
): Promise<Readonly<Record<'named service' | 'all services' | 'both, without the answer', Cost>>> => {
  const { scheduleOf } =
    await built<typeof import('../../src/catalog/tariff/schedule.ts')>('catalog/tariff/schedule.js');
  const { quoteOutcome } = await built<typeof import('../../src/rating/quote.ts')>('rating/quote.js');
  const { rateShipment } = await built<typeof import('../../src/rating/rate.ts')>('rating/rate.js');
  const { readShipment } = await built<typeof import('../../src/rating/shipment.ts')>('rating/shipment.js');
  const { Failed } = await built<typeof import('../../src/base/failed.ts')>('base/failed.js');
  const schedule = scheduleOf(tariffs.documents);
  const book = schedule.bookOn('2026-06-01');
  const domestic = [...warehouses.values()].filter(({ countryCode }) => countryCode === 'US').slice(0, 3);
  const shipper: Shipper = { warehouses: new Map([...domestic, TEXAS].map((one) => [one.id, one])), account };
  const requests = requestsOf(book.cards.map(({ code }) => code));
  const isNamed = (request: unknown): boolean => JSON.stringify(request).includes('shippingService');

  const answers = (texts: readonly string[]) => () => {
    for (const text of texts) JSON.stringify(quoteOutcome(JSON.parse(text), shipper, schedule, NOW).body);
  };
  const outcomes = (texts: readonly string[]) => () => {
    for (const text of texts) {
      const shipment = readShipment(JSON.parse(text));
      if (!(shipment instanceof Failed)) rateShipment(shipment, book, shipper);
    }
  };
  const cost = (run: (texts: readonly string[]) => () => void, asked: readonly unknown[]): Cost => {
    const singles = [...shipper.warehouses.keys()].map((id) => textsFrom(asked, id));
    // The four of a shipment follow each other, as they would for somebody who compares.
    const each = asked.flatMap((_, at) => singles.map((texts) => texts[at] ?? ''));
    return costOf(run(textsFrom(asked, 'any')), run(each), ROUNDS);
  };
  const open = requests.filter((request) => !isNamed(request));
  return {
    'named service': cost(answers, requests.filter(isNamed)),
    'all services': cost(answers, open),
    'both, without the answer': cost(outcomes, requests),
  };
};
