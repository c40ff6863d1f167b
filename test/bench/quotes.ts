/** The quote endpoint under load, compared with a bare Express route that parses the same body and sends the same bytes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpCall, type Reply, type Service } from './service.ts';

export const RATES = '/v1/client/shipment/rates';

const QUOTE = JSON.stringify({
  rates: {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139', countryCode: 'US' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
  },
});

export interface Bare {
  readonly pid: number;
  readonly url: string;
  readonly stop: () => void;
}

/** Sends a quote. */
export type Quote = () => Promise<Reply>;

export const quoteOf =
  (service: Service): Quote =>
  () =>
    service.call('POST', RATES, QUOTE, { 'Content-Type': 'application/json' });

export const quoteOfBare =
  ({ url }: Bare): Quote =>
  () =>
    httpCall(url, 'POST', QUOTE, { 'Content-Type': 'application/json' });

/** Starts the bare route in its own process, like the API. It answers what the service answers. */
export const startBare = async (service: Service): Promise<Bare> => {
  const { body } = await quoteOf(service)();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.mjs')], {
    env: { ...process.env, ANSWER: body },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<string>((resolve) => lines.once('line', resolve));
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}${RATES}`, stop: () => child.kill() };
};

export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Sends the quote over `connections` at once for some seconds. */
export const load = async (url: string, token: string, connections: number, seconds: number): Promise<LoadFigures> => {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(QUOTE.length),
    Authorization: `Bearer ${token}`,
  };
  const times: number[] = [];
  let failures = 0;
  const begun = performance.now();
  const until = begun + seconds * 1_000;
  const connection = async (): Promise<void> => {
    while (performance.now() < until) {
      const sent = performance.now();
      const { status } = await httpCall(url, 'POST', QUOTE, headers);
      times.push(performance.now() - sent);
      if (status !== 200) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const took = (performance.now() - begun) / 1_000;
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: times.length / took, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), failures };
};

/** Sends one quote every few milliseconds, like a checkout, to each server in turn. @returns the figures of each server */
export const trickle = async <Server extends string>(
  servers: Readonly<Record<Server, Quote>>,
  until: () => boolean,
  everyMs = 5,
): Promise<Record<Server, LoadFigures>> => {
  const names = Object.keys(servers) as Server[];
  const figures = names.map((name) => ({ name, times: [] as number[], failures: 0 }));
  const begun = performance.now();
  while (!until())
    for (const figure of figures) {
      const sent = performance.now();
      const { status } = await servers[figure.name]();
      figure.times.push(performance.now() - sent);
      if (status !== 200) figure.failures += 1;
      await sleep(everyMs);
    }
  const seconds = (performance.now() - begun) / 1_000;
  const summary = figures.map(({ name, times, failures }) => {
    const sorted = times.toSorted((a, b) => a - b);
    const perSecond = times.length / seconds;
    return [name, { perSecond, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99), failures }];
  });
  return Object.fromEntries(summary);
};
