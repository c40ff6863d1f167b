/**
 * What agreements cost: rating with whole agreements against list rating, and the memory of a thousand clients that have
 * agreements of their own. The product's modules come from `dist`, because tsx adds code to functions.
 */
import { join } from 'node:path';
import type { AgreementDocument } from '../../src/catalog/agreement/document.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import type { RateBook } from '../../src/rating/card.ts';
import type { Shipment } from '../../src/rating/shipment.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { requestsOf } from './core.ts';
import { madeAgreement } from './made-agreements.ts';
import { median } from './median.ts';
import { shipments } from './shipments.ts';

export const built = async <T>(path: string): Promise<T> =>
  await import(join(import.meta.dirname, '../../dist/src', path));

const modules = async () => ({
  ...(await built<typeof import('../../src/catalog/agreement/account.ts')>('catalog/agreement/account.js')),
  ...(await built<typeof import('../../src/base/failed.ts')>('base/failed.js')),
  ...(await built<typeof import('../../src/rating/rate.ts')>('rating/rate.js')),
  ...(await built<typeof import('../../src/rating/shipment.ts')>('rating/shipment.js')),
  ...(await built<typeof import('../../src/lists/columns/header.ts')>('lists/columns/header.js')),
  ...(await built<typeof import('../../src/lists/rows/rate-rows.ts')>('lists/rows/rate-rows.js')),
  ...(await built<typeof import('../../src/catalog/tariff/schedule.ts')>('catalog/tariff/schedule.js')),
});
type Modules = Awaited<ReturnType<typeof modules>>;

const DAY = '2026-06-01';
const ROUNDS = 60;

const carriersOf = ({ cards }: RateBook): string[] => [...new Set(cards.map(({ carrier }) => carrier))];

const agreementsWith = (schedule: Schedule, seed: number, size: Parameters<typeof madeAgreement>[3]) =>
  schedule.documents.flatMap((tariff): AgreementDocument[] =>
    carriersOf(schedule.bookOn(DAY)).map((carrier) => madeAgreement(tariff, carrier, seed, size)),
  );

/** The processor's time in milliseconds: other programs on the machine count less in it. */
const msOf = (run: () => void): number => {
  const begun = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
};

export interface Cost {
  /** The best round of each, one divided by the other. */
  readonly best: number;
  readonly median: number;
}

/** The time of one over that of another, in short rounds in alternating order. */
export const costOf = (own: () => void, other: () => void, rounds: number): Cost => {
  const owns: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < rounds + 10; round += 1) {
    const first = msOf(round % 2 === 0 ? own : other);
    const second = msOf(round % 2 === 0 ? other : own);
    // The first rounds warm up.
    if (round < 10) continue;
    owns.push(round % 2 === 0 ? first : second);
    others.push(round % 2 === 0 ? second : first);
  }
  return {
    best: Math.min(...owns) / Math.min(...others),
    median: median(owns.map((ms, at) => ms / (others[at] ?? Number.NaN))),
  };
};

const listRun = ({ createRater, readHeader }: Modules, book: RateBook, shipper: Shipper): (() => void) => {
  const list = Buffer.from([...shipments(5_000)].join(''));
  const head = readHeader(list, true, {}, 2 ** 20);
  if (head === 'more' || 'problems' in head) throw new Error('the list has no header');
  const { columns, bodyStart } = head;
  const context = { columns, shipper, bookOn: () => book, maximumRowBytes: 2 ** 20 };
  return () => {
    const rater = createRater(list.subarray(bodyStart), 1, context);
    while (rater.step(1_000));
    if (rater.result().tally.processed !== 5_000) throw new Error('rows are missing');
  };
};

/** Rating by whole agreements over rating by the list: of prices alone, of requests with their reading, and of a list. */
export const agreementCosts = async (
  tariffs: Schedule,
  { warehouses }: Shipper,
): Promise<Readonly<Record<'prices' | 'requests' | 'list', Cost>>> => {
  const own = await modules();
  const { accountOf, Failed, rateShipment, readShipment } = own;
  const schedule = own.scheduleOf(tariffs.documents);
  const book = schedule.bookOn(DAY);
  const agreements = agreementsWith(schedule, 7, { discounts: 30, surcharges: 10 });
  const listed: Shipper = { warehouses, account: accountOf({ discounts: new Map(), agreements: [] }) };
  const agreed: Shipper = {
    warehouses,
    account: accountOf({ discounts: new Map(), agreements: agreements.map((document) => ({ document })) }),
  };
  const bodies = requestsOf(book.cards.map(({ code }) => code));
  const read = (body: unknown): Shipment[] => {
    const shipment = readShipment(body);
    return shipment instanceof Failed ? [] : [shipment];
  };
  const asked = bodies.flatMap(read);
  const prices = (shipper: Shipper) => () => {
    for (const shipment of asked) rateShipment(shipment, book, shipper);
  };
  const requests = (shipper: Shipper) => () => {
    for (const body of bodies) for (const shipment of read(body)) rateShipment(shipment, book, shipper);
  };
  return {
    prices: costOf(prices(agreed), prices(listed), ROUNDS * 3),
    requests: costOf(requests(agreed), requests(listed), ROUNDS),
    list: costOf(listRun(own, book, agreed), listRun(own, book, listed), ROUNDS),
  };
};

const CLIENTS = 1_000;
/** Today's tariff and three other days: fuel rates and tiers differ. */
const DAYS = [DAY, '2026-03-02', '2026-05-04', '2026-08-03'] as const;

const usedMb = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

export interface ClientsMemory {
  /** The agreements as they are read from files. */
  readonly documentsMb: number;
  /** What they are compiled to, after a quote on each day. */
  readonly termsMb: number;
  readonly compileMs: number;
}

/** The memory that a thousand clients add, each with agreements of its own, compiled and quoted on four days. */
export const clientsMemory = async (tariffs: Schedule, { warehouses }: Shipper): Promise<ClientsMemory> => {
  const { accountOf, Failed, rateShipment, readShipment, scheduleOf } = await modules();
  const schedule = scheduleOf(tariffs.documents);
  const [first] = requestsOf([]);
  const shipment = readShipment(first);
  if (shipment instanceof Failed) throw new Error('the request is invalid');
  const { shippingService: _, ...any } = shipment;
  const quote = (shipper: Shipper): void => {
    for (const day of DAYS) rateShipment(any, schedule.bookOn(day), shipper);
  };
  quote({ warehouses, account: accountOf({ discounts: new Map(), agreements: [] }) });
  const before = usedMb();
  const agreements = Array.from({ length: CLIENTS }, (__, seed) =>
    agreementsWith(schedule, seed, { discounts: 30, surcharges: 8 }),
  );
  const read = usedMb();
  const clients = agreements.map(
    (documents): Shipper => ({
      warehouses,
      account: accountOf({ discounts: new Map(), agreements: documents.map((document) => ({ document })) }),
    }),
  );
  const compileMs = msOf(() => clients.forEach(quote));
  const after = usedMb();
  if (clients.length !== agreements.length) throw new Error('clients are missing');
  return { documentsMb: read - before, termsMb: after - read, compileMs };
};
