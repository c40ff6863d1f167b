/** What a minimum keeps of an agreement's discounts on shipments that were made: lists are rated again with the agreement. */
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { accountOf } from '../agreement/account.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import type { Client } from '../clients/clients.ts';
import type { Config } from '../config/settings.ts';
import { createRows } from '../csv/rows.ts';
import { must } from '../must.ts';
import type { RateBook } from '../rating/card.ts';
import { discountsOf } from '../rating/discount-items.ts';
import { Failed, type Fault } from '../rating/fault.ts';
import { rateShipment } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import type { Shipper } from '../rating/terms.ts';
import type { Chunk } from '../rows/chunk-plan.ts';
import type { Columns } from '../rows/columns.ts';
import { createRowReader } from '../rows/row-reader.ts';
import type { Schedule } from '../tariff/schedule.ts';
import type { Io } from './io.ts';
import { openListInput } from './list-input.ts';
import { type ListFlags, readOptionsFrom } from './list-options.ts';
import { createProgress } from './progress.ts';
import { planFile, readRange } from './rate-file.ts';

/** Of the shipments that go by one service. */
export interface ServiceMinimum {
  readonly service: string;
  readonly shipments: number;
  /** Those that get a discount, or would without the minimum. */
  readonly discounted: number;
  /** Those of which the minimum keeps a part of the discount. */
  readonly limited: number;
  readonly discountCents: number;
  readonly swallowedCents: number;
}

export interface BatchMinimums {
  readonly rows: number;
  /** Rows without a price by the type of their fault. */
  readonly faults: Readonly<Record<string, number>>;
  /** By service, the one with the most kept discount first. */
  readonly services: readonly ServiceMinimum[];
}

export interface BatchContext {
  readonly document: AgreementDocument;
  readonly client: Client;
  readonly schedule: Schedule;
  /** All rows are rated as if they were shipped on this day. */
  readonly day: string;
  readonly config: Config;
  readonly flags: ListFlags;
  readonly io: Io;
  readonly signal: AbortSignal;
}

type Counts = { -readonly [K in keyof ServiceMinimum]: ServiceMinimum[K] };

interface Sums {
  rows: number;
  readonly faults: Map<string, number>;
  readonly services: Map<string, Counts>;
}

const addFault = ({ faults }: Sums, { type }: Fault): void => {
  faults.set(type, (faults.get(type) ?? 0) + 1);
};

const CENTS = 100;

/** Adds a shipment, by the service that it names or by the cheapest. */
const addShipment = (sums: Sums, shipment: Shipment, book: RateBook, shipper: Shipper): void => {
  const rated = rateShipment(shipment, book, shipper, true);
  if (rated instanceof Failed) {
    addFault(sums, rated.fault);
    return;
  }
  const price = must(rated.prices[0], 'the price of a rated shipment');
  const { code } = price.card;
  const counts = sums.services.get(code) ?? {
    ...{ service: code, shipments: 0, discounted: 0, limited: 0 },
    ...{ discountCents: 0, swallowedCents: 0 },
  };
  sums.services.set(code, counts);
  const items = discountsOf(price, shipment, rated.warehouse.postalCode);
  const swallowed = items.filter(({ type }) => type === 'MINIMUM_CHARGE');
  const cents = swallowed.reduce((sum, { amount }) => sum - Math.round(amount * CENTS), 0);
  counts.shipments += 1;
  counts.discounted += items.some(({ amount }) => amount > 0) ? 1 : 0;
  counts.limited += cents > 0 ? 1 : 0;
  counts.discountCents += price.discountCents;
  counts.swallowedCents += cents;
};

interface Rating {
  readonly file: FileHandle;
  readonly columns: Columns;
  readonly shipper: Shipper;
  readonly book: RateBook;
}

const addChunk = async (sums: Sums, chunk: Chunk, rating: Rating, { config }: BatchContext): Promise<void> => {
  const { file, columns, book, shipper } = rating;
  const { row, next } = createRows(await readRange(file, chunk.from, chunk.to), columns.dialect, config.maxRowBytes);
  const reader = createRowReader(row, columns);
  while (next() === 'row') {
    if (row.blank) continue;
    const shipment = reader.read(sums.rows + 1);
    sums.rows += 1;
    // The agreement is asked for one day, whenever the shipment was made.
    if (shipment instanceof Failed) addFault(sums, shipment.fault);
    else addShipment(sums, shipment, book, shipper);
  }
};

const addFile = async (sums: Sums, path: string, context: BatchContext): Promise<void> => {
  const { document, client, schedule, day, config, flags, io, signal } = context;
  const account = accountOf({ discounts: new Map(), agreements: [{ document }] });
  const input = await openListInput(path, readOptionsFrom(flags), io, config.maxRowBytes, signal);
  const progress = createProgress(io);
  try {
    const file = await open(input.path);
    try {
      const list = { file, origin: input.origin };
      const { columns, plan } = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
      const rating = { file, columns, shipper: { warehouses: client.warehouses, account }, book: schedule.bookOn(day) };
      for (const chunk of plan.chunks) {
        signal.throwIfAborted();
        await addChunk(sums, chunk, rating, context);
        progress.show({ doing: 'rating', done: sums.rows, total: null, unit: 'rows' });
        await turn();
      }
    } finally {
      await file.close();
    }
  } finally {
    progress.clear();
    await input.remove();
  }
};

/** Rates lists again with an agreement, and counts what its minimums keep. */
export const minimumsIn = async (paths: readonly string[], context: BatchContext): Promise<BatchMinimums> => {
  const sums: Sums = { rows: 0, faults: new Map(), services: new Map() };
  for (const path of paths) await addFile(sums, path, context);
  const services = [...sums.services.values()].sort((a, b) => b.swallowedCents - a.swallowedCents);
  return { rows: sums.rows, faults: Object.fromEntries(sums.faults), services };
};
