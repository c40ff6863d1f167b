/**
 * The ids of batches and comparisons, and their paths. An id is a letter for the kind, 9 base-36 digits of its creation time
 * in ms, and 80 random bits that nobody can guess. Ids of one kind sort by time.
 */
import { randomBytes } from 'node:crypto';

/** A batch or a comparison. A comparison is a batch whose rows are rated in several scenarios. */
export const KINDS = { batch: 'b', comparison: 'c' } as const;
export type Kind = keyof typeof KINDS;

export const BATCH_ID = /^[bc][a-z0-9]{25}$/;
const TIME_DIGITS = 9;

export const newBatchId = (now: Date, kind: Kind = 'batch'): string => {
  const time = now.getTime().toString(36).padStart(TIME_DIGITS, '0');
  const random = BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0');
  return `${KINDS[kind]}${time}${random}`;
};

export const kindOf = (id: string): Kind => (id.startsWith(KINDS.comparison) ? 'comparison' : 'batch');

/** Returns when a batch was created, in ms. */
export const createdAt = (id: string): number => Number.parseInt(id.slice(1, 1 + TIME_DIGITS), 36);

export const RATES_PATH = '/v1/client/shipment/rates';
export const BATCHES_PATH = `${RATES_PATH}/batches`;
export const COMPARISONS_PATH = `${RATES_PATH}/comparisons`;

/** What is below the path of a batch or a comparison. */
const BELOW: Readonly<Record<Kind, readonly string[]>> = {
  batch: ['events', 'output', 'faults', 'unprocessed', 'summary', 'cancel', 'retry', 'corrections', 'comparisons'],
  comparison: ['events', 'output', 'summary', 'cancel', 'retry'],
};

/** Returns the path of a batch or a comparison. */
export const pathOf = (id: string): string => `${kindOf(id) === 'batch' ? BATCHES_PATH : COMPARISONS_PATH}/${id}`;

/** Returns its path and the paths of what belongs to it, relative to the host. @param batchId the compared batch, if any */
export const linksOf = (id: string, batchId?: string): Readonly<Record<string, string>> => ({
  self: pathOf(id),
  ...Object.fromEntries(BELOW[kindOf(id)].map((name) => [name, `${pathOf(id)}/${name}`])),
  ...(batchId === undefined ? {} : { batch: pathOf(batchId) }),
});
