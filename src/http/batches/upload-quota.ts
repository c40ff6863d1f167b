/** Checks the bytes of an upload against its client's limits and the space in the store, while they arrive. */
import type { IncomingMessage } from 'node:http';
import type { InFlightLimit } from '../../batch/client-index.ts';
import { LimitPassed } from '../../batch/quota.ts';
import { beginUpload, NearlyFull, type UploadDeps } from '../../batch/uploads.ts';
import type { Client } from '../../catalog/clients/clients.ts';
import { HttpError, type HttpFault } from '../faults.ts';

/** Seconds after which a refused caller may try again. */
const KEPT_RETRY_S = 300;
const UNDER_WAY_RETRY_S = 10;
const NEARLY_FULL = 'The store is nearly full. It accepts lists again when there is room. Running batches continue.';

/** The fault of a request that would exceed a limit of its client. */
export const limitFault = ({ limit, most }: { readonly limit: string; readonly most: number }): HttpFault =>
  limit === 'bytesStored' || limit === 'batchesStored'
    ? { type: 'request.rateLimited', limit, kept: most, retryAfterS: KEPT_RETRY_S }
    : { type: 'request.rateLimited', limit, atOnce: most, retryAfterS: UNDER_WAY_RETRY_S };

/** @throws {HttpError} */
export const requireRoom = (limit: InFlightLimit | undefined, limits: Client['limits']): void => {
  if (limit !== undefined) throw new HttpError(limitFault({ limit, most: limits[limit] }));
};

const stopping = async <T>(counting: Promise<T>): Promise<T> => {
  try {
    return await counting;
  } catch (error) {
    if (error instanceof LimitPassed) throw new HttpError(limitFault(error));
    if (error instanceof NearlyFull)
      throw new HttpError({ type: 'service.unavailable', dependency: 'store', reason: NEARLY_FULL });
    throw error;
  }
};

export interface UploadCount {
  /** Passes bytes on as they arrive. If the same bytes pass in several forms, the longest form counts. */
  readonly pass: (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  /** Reports the number of stored bytes. */
  readonly all: (bytes: number) => Promise<void>;
}

export interface CountedUpload {
  readonly client: Client;
  /** As in `beginUpload`. */
  readonly name: string;
  /** Number of bytes, as far as known. */
  readonly expected: number;
}

/** The number of bytes that a request declares. */
export const expectedOf = (req: IncomingMessage, maximumBytes: number): number =>
  Math.min(maximumBytes, Number(req.headers['content-length'] ?? 0));

/**
 * Receives an upload and counts its bytes as they arrive.
 * @param keeps whether a batch of this name keeps the received bytes
 * @throws {HttpError} if the upload is refused
 */
export const counting = async (
  service: UploadDeps,
  { client, name, expected }: CountedUpload,
  keeps: boolean,
  receive: (count: UploadCount) => Promise<void>,
): Promise<void> => {
  const begun = await stopping(beginUpload(service, client.id, name, client.limits, expected));
  let kept = false;
  try {
    await receive({
      all: (bytes) => stopping(begun.received(bytes, true)),
      pass: async function* (source) {
        let bytes = 0;
        for await (const piece of source) {
          bytes += piece.length;
          await stopping(begun.received(bytes, false));
          yield piece;
        }
      },
    });
    kept = keeps;
  } finally {
    // If Redis is unavailable, the sweep removes it from the count.
    await begun.end(kept).catch(() => undefined);
  }
};
