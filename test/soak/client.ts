/** A client as batch APIs need one: it retries while the service is unavailable, and uploads again from the beginning. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCHES, type BatchState } from '../bench/batch.ts';
import type { Reply, Service } from '../bench/service.ts';

const PAUSE_MS = 50;

export interface Client {
  /** @returns the first answer from a working service */
  readonly call: (method: string, path: string, body?: () => Readable) => Promise<Reply>;
  /** @returns the batch, and how often the upload was started */
  readonly upload: (list: string) => Promise<{ readonly batch: BatchState; readonly tries: number }>;
  readonly batches: () => Promise<readonly BatchState[]>;
  /** @returns the batch when it is final */
  readonly ended: (id: string) => Promise<BatchState>;
  readonly file: (id: string, what: 'output' | 'faults') => Promise<string>;
}

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

/** @param signal ends all retries; the current call then rejects */
export const patientClient = (service: Service, signal: AbortSignal): Client => {
  let tries = 0;
  const call: Client['call'] = async (method, path, body) => {
    for (;;) {
      signal.throwIfAborted();
      tries += 1;
      try {
        const reply = await service.call(method, path, body?.(), body && { 'Content-Type': 'text/csv' });
        if (reply.status !== 503) return reply;
      } catch (error) {
        // The process was killed. Its successor is asked. Until there is one, no call counts as started.
        if (!(error instanceof Error && 'code' in error)) throw error;
        if (error.code === 'ECONNREFUSED') tries -= 1;
      }
      await sleep(PAUSE_MS);
    }
  };
  const json = async (method: string, path: string, expected: number, body?: () => Readable) => {
    const reply = await call(method, path, body);
    if (reply.status !== expected)
      throw new Error(`${method} ${path} was answered with ${reply.status}: ${reply.body}`);
    return JSON.parse(reply.body);
  };
  return {
    call,
    upload: async (list) => {
      const before = tries;
      const batch: BatchState = await json('POST', BATCHES, 202, () => createReadStream(list));
      return { batch, tries: tries - before };
    },
    batches: async () => (await json('GET', BATCHES, 200)).batches,
    ended: async (id) => {
      for (;;) {
        const batch: BatchState = await json('GET', `${BATCHES}/${id}`, 200);
        if (FINAL.includes(batch.status)) return batch;
        await sleep(PAUSE_MS);
      }
    },
    file: async (id, what) => {
      const { status, body } = await call('GET', `${BATCHES}/${id}/${what}`);
      if (status !== 200) throw new Error(`the ${what} was answered with ${status}: ${body}`);
      return body;
    },
  };
};
