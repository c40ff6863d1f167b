/** Batches that attacks create or need. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';

export const BATCHES = '/v1/client/shipment/rates/batches';
export const CSV = { 'Content-Type': 'text/csv' };

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];
const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units,shippingService';

export const listOf = (rows: number): string =>
  `${HEADER}\n${Array.from({ length: rows }, (_, at) => `A${at},101,02139,${1 + (at % 90)}.5,LB,C1-GROUND\n`).join('')}`;

/** Uploads a list. @returns the batch's id */
export const madeBatch = async (
  { calls }: Environment,
  token: string,
  body: string | Buffer,
  query = '',
): Promise<string> => {
  const answer = await calls.call('POST', `${BATCHES}${query}`, { token, headers: CSV, body });
  const { id }: { id?: string } = JSON.parse(answer.body);
  if (id === undefined) throw new Error(`the list was answered ${answer.status}: ${answer.body}`);
  return id;
};

/** @returns its final status */
export const ended = async ({ calls }: Environment, token: string, id: string, everyMs = 50): Promise<string> => {
  for (;;) {
    const { status, body } = await calls.call('GET', `${BATCHES}/${id}`, { token });
    if (status !== 200) throw new Error(`the batch was answered ${status}: ${body}`);
    const batch: { status: string } = JSON.parse(body);
    if (FINAL.includes(batch.status)) return batch.status;
    await sleep(everyMs);
  }
};

/** A completed batch with this many rows. */
export const endedBatch = async (
  environment: Environment,
  token: string,
  rows: number,
  query = '',
): Promise<string> => {
  const id = await madeBatch(environment, token, listOf(rows), query);
  const status = await ended(environment, token, id);
  if (status !== 'completed') throw new Error(`the batch is ${status}`);
  return id;
};
