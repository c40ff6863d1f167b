/**
 * Another client's checkout, in its own process: it sends single quotes at a steady rate, whether or not the ones
 * before were answered, and reports how long they took. Its parent says when to measure.
 */
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import type { Figures, Order } from './victim.ts';

const RATES = '/v1/client/shipment/rates';
const ANSWER_MS = 10_000;

const quote = JSON.stringify({
  rates: {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139', countryCode: 'US' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
  },
});

const agent = new Agent({ keepAlive: true });

/** @returns milliseconds, or why there was no quote */
const ask = (url: string, token: string): Promise<number | string> =>
  new Promise((resolve) => {
    const sentAt = performance.now();
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': quote.length,
    };
    const sent = request(`${url}${RATES}`, { method: 'POST', headers, agent, timeout: ANSWER_MS }, (message) => {
      message.resume();
      message.on('end', () =>
        resolve(message.statusCode === 200 ? performance.now() - sentAt : `status ${message.statusCode}`),
      );
      message.on('error', (error) => resolve(error.message));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)));
    sent.on('error', (error) => resolve(error.message));
    sent.end(quote);
  });

let stop: (() => Promise<Figures>) | undefined;

const measure = (url: string, token: string, perSecond: number): (() => Promise<Figures>) => {
  const coming: Promise<number | string>[] = [];
  const begun = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond);
    while (coming.length < due) coming.push(ask(url, token));
  }, 1_000 / perSecond);
  return async () => {
    clearInterval(timer);
    const answers = await Promise.all(coming);
    const times = answers.filter((answer) => typeof answer === 'number').sort((a, b) => a - b);
    const failures = answers.filter((answer) => typeof answer === 'string');
    return { times, failed: failures.length, reasons: [...new Set(failures)] };
  };
};

const obey = async (order: Order): Promise<void> => {
  if (order.type === 'measure') stop = measure(order.url, order.token, order.perSecond);
  else process.send?.(await stop?.());
};

try {
  // The victim's own waiting for a core must not count.
  setPriority(constants.priority.PRIORITY_HIGHEST);
} catch {
  // Only root may raise it.
}
process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
process.send?.('ready');
