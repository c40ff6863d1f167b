/** The batch path, from the first byte of the upload to `completed`, compared with a plain copy of the same file. */
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import type { Service } from './service.ts';
import { shipments } from './shipments.ts';

export const BATCHES = '/v1/client/shipment/rates/batches';

export interface BatchState {
  readonly id: string;
  readonly status: string;
  readonly rows: {
    readonly total: number;
    readonly processed: number;
    readonly quoted: number;
    readonly faulted: number;
  };
  readonly failure: unknown;
}

export const writeList = async (path: string, rows: number, seed = 1): Promise<void> => {
  await pipeline(Readable.from(shipments(rows, seed)), createWriteStream(path));
};

/** Seconds to stream a file through csv-parse and csv-stringify in one process, without keeping the output. */
export const copySeconds = async (path: string): Promise<number> => {
  const begun = performance.now();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(path), parse(), stringify(), nowhere);
  return (performance.now() - begun) / 1_000;
};

export const upload = async (service: Service, list: Readable | string): Promise<BatchState> => {
  const { status, body } = await service.call('POST', BATCHES, list, { 'Content-Type': 'text/csv' });
  if (status !== 202) throw new Error(`the upload was answered with ${status}: ${body}`);
  return JSON.parse(body);
};

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

/** Polls rarely, and every few milliseconds near the end, so that polling does not affect the measurement. */
const CLOSE_MS = 3;

export const watch = async (service: Service, id: string, everyMs: number): Promise<BatchState> => {
  for (;;) {
    const { status, body } = await service.call('GET', `${BATCHES}/${id}`);
    if (status === 429) {
      // Many watchers at once briefly exceed the client's limit of reads.
      await sleep(everyMs);
      continue;
    }
    if (status !== 200) throw new Error(`the batch was answered with ${status}: ${body}`);
    const batch: BatchState = JSON.parse(body);
    if (FINAL.includes(batch.status)) return batch;
    await sleep(batch.rows.processed < batch.rows.total * 0.9 ? everyMs : Math.min(everyMs, CLOSE_MS));
  }
};

export const completed = async (service: Service, id: string, everyMs = 20): Promise<BatchState> => {
  const batch = await watch(service, id, everyMs);
  if (batch.status !== 'completed') throw new Error(`the batch is ${batch.status}: ${JSON.stringify(batch.failure)}`);
  return batch;
};

/** Seconds from the upload's first byte to `completed`. */
export const batchSeconds = async (service: Service, path: string): Promise<number> => {
  const begun = performance.now();
  const { id } = await upload(service, createReadStream(path));
  await completed(service, id);
  return (performance.now() - begun) / 1_000;
};
