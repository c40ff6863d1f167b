/**
 * The ids of batches and comparisons: a letter for the kind, 9 base-36 digits of its creation time in ms, and 80 random bits
 * that nobody can guess. Ids of one kind sort by time.
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
