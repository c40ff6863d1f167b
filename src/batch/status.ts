/** The states of a batch, as clients see them. */

/** In the order of the API's description. No batch with a record is `validating`. */
export const BATCH_STATUSES = [
  'queued',
  'validating',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'cancelling',
  'cancelled',
  'expired',
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

export const FINAL_STATUSES = ['completed', 'failed', 'cancelled', 'expired'] as const satisfies readonly BatchStatus[];
export type FinalStatus = (typeof FINAL_STATUSES)[number];

export const ACTIVE_STATUSES = [
  'queued',
  'in_progress',
  'finalizing',
  'cancelling',
] as const satisfies readonly BatchStatus[];

/** @returns whether a batch with this status has ended */
export const isFinal = (status: string | null | undefined): boolean => FINAL_STATUSES.some((final) => final === status);

/** @returns whether workers still work on a batch with this status */
export const isActive = (status: string): boolean => ACTIVE_STATUSES.some((active) => active === status);
