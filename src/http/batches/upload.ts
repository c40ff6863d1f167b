/**
 * Receives a list. The body streams through the planner into the store, and is never held in memory. Problems are
 * found on the way, and nothing remains of a refused upload. Its bytes are checked against its client's limits and the space
 * in the store while they arrive.
 */

import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Store } from '../../base/store/store.ts';
import { inSlices } from '../../base/time-slices.ts';
import type { InFlightLimit } from '../../batch/client-index.ts';
import { LimitPassed } from '../../batch/quota.ts';
import { beginUpload, NearlyFull, type UploadDeps } from '../../batch/uploads.ts';
import type { Client } from '../../catalog/clients/clients.ts';
import { otherEncodingProblem } from '../../files/csv/encoding.ts';
import { type Origin, problemsIn, readingOf } from '../../files/input/csv-text.ts';
import { createPlanner, type Plan, type Planner, type Refusal, tooManyWarehouses } from '../../lists/chunk-plan.ts';
import { type ReadOptions, withFindings } from '../../lists/columns/columns.ts';
import { HEAD_BYTES, type ListHeader, readHeaderInSlices } from '../../lists/columns/header.ts';
import { shownNames } from '../../lists/preview/preview.ts';
import { HttpError, type HttpFault, orThrow } from '../faults.ts';
import { openList, type UploadLimits, uploadedText } from './list-body.ts';

export interface Received {
  readonly filename: string | undefined;
  readonly bytes: number;
  /** Bytes of the body, as sent. */
  readonly sentBytes: number;
  /** SHA-256 of the list, without multipart form and compression. Undefined if it was not requested. */
  readonly content?: string | undefined;
  readonly head: ListHeader;
  readonly plan: Plan;
}

/** @param header its column names. A preview shows them, so that the sender can say what they mean */
export const invalidFile = (problems: Readonly<Record<string, string>>, header?: readonly string[]): HttpFault => ({
  type: 'createBatch.invalidFile',
  problems,
  ...(header !== undefined && { header: shownNames(header) }),
});

export const refusalFault = (refusal: Refusal, limits: UploadLimits): HttpFault => {
  switch (refusal.kind) {
    case 'rowTooLong':
      return {
        type: 'request.tooLarge',
        limit: 'row',
        most: `${limits.maximumRowBytes} bytes, and row ${refusal.row} (line ${refusal.line}) is longer`,
      };
    case 'tooManyRows':
      return { type: 'request.tooLarge', limit: 'rows', most: `${limits.maximumRows} rows` };
    case 'tooManyWarehouses':
      return invalidFile({ warehouse_id: tooManyWarehouses(refusal.row) });
    case 'orders':
      return invalidFile({ orders: refusal.problem });
    case 'notUtf8':
      return invalidFile({ file: otherEncodingProblem(refusal.line, refusal.offset) });
    default:
      return refusal satisfies never;
  }
};

interface Judged extends Origin {
  head: ListHeader | undefined;
  plan: Plan | undefined;
}

/** Passes the bytes on and plans them. At the end, `judged` has the results. */
async function* planned(
  source: AsyncIterable<Buffer>,
  reading: ReadOptions,
  limits: UploadLimits,
  judged: Judged,
): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  let planner: Planner | undefined;
  const check = (refusal: Refusal | undefined): void => {
    if (refusal !== undefined) throw new HttpError(refusalFault(refusal, limits));
  };
  const begin = async (complete: boolean): Promise<Buffer | undefined> => {
    const bytes = Buffer.concat(waiting, size);
    waiting = [bytes];
    const head = await readHeaderInSlices(bytes, complete, readingOf(judged, reading), limits.maximumRowBytes);
    if (head === 'more') return undefined;
    if ('problems' in head) throw new HttpError(invalidFile(problemsIn(judged, head.problems)));
    judged.head = head;
    planner = createPlanner(head.columns, head.bodyStart, head.headerLines, limits);
    check(await inSlices(planner.push(bytes.subarray(head.bodyStart))));
    waiting = [];
    return bytes;
  };
  // While the header is incomplete, it is read again each time the bytes have doubled.
  let enough = HEAD_BYTES;
  for await (const piece of source) {
    if (planner !== undefined) {
      check(await inSlices(planner.push(piece)));
      yield piece;
      continue;
    }
    waiting.push(piece);
    size += piece.length;
    if (size < enough) continue;
    const bytes = await begin(false);
    if (bytes === undefined) enough *= 2;
    else yield bytes;
  }
  if (planner === undefined) {
    const bytes = await begin(true);
    if (bytes !== undefined) yield bytes;
  }
  const plan = planner && (await inSlices(planner.finish()));
  if (plan === undefined || planner === undefined || judged.head === undefined)
    throw new HttpError(invalidFile({ file: 'is not a list' }));
  if ('kind' in plan) return check(plan);
  if (plan.rows === 0)
    throw new HttpError(invalidFile(problemsIn(judged, { file: 'has only a header row; add at least one shipment' })));
  const columns = withFindings(judged.head.columns, judged, planner.findings());
  if ('problems' in columns) throw new HttpError(invalidFile(problemsIn(judged, columns.problems)));
  judged.head = { ...judged.head, columns };
  judged.plan = plan;
}

async function* hashing(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    hash.update(piece);
    yield piece;
  }
}

export interface Where {
  readonly client: string;
  readonly store: Store;
  /** Where to store it. The caller removes it if the upload is refused. */
  readonly key: string;
  readonly reading: ReadOptions;
  readonly hashed: boolean;
  readonly count: UploadCount;
}

/**
 * Streams a request's list into the store.
 * @throws {HttpError} `createBatch.invalidFile`, `request.tooLarge`, `request.malformedBody` or
 * `request.unsupportedMediaType`; otherwise what the store throws
 */
export const receiveUpload = async (
  req: IncomingMessage,
  { client, store, key, reading, hashed, count }: Where,
  limits: UploadLimits,
): Promise<Received> => {
  const judged: Judged = { head: undefined, plan: undefined };
  const opened = orThrow(await openList(req, limits));
  const hash = hashed ? createHash('sha256') : undefined;
  const counted = count.pass(opened.list);
  const list = hash === undefined ? counted : hashing(counted, hash);
  const text = count.pass(uploadedText(list, client, reading, limits, judged));
  const bytes = await store.put(key, planned(text, reading, limits, judged), { durable: true });
  await opened.rest();
  await count.all(bytes);
  const { head, plan } = judged;
  if (head === undefined || plan === undefined) throw new HttpError(invalidFile({ file: 'is not a list' }));
  return { filename: opened.filename, bytes, sentBytes: opened.sent(), head, plan, content: hash?.digest('hex') };
};

/** Reads a request's list only for its hash (see `Received.content`). @throws {HttpError} */
export const hashUpload = async (req: IncomingMessage, limits: UploadLimits): Promise<string> => {
  const opened = orThrow(await openList(req, limits));
  const hash = createHash('sha256');
  for await (const piece of opened.list) hash.update(piece);
  await opened.rest();
  return hash.digest('hex');
};

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
