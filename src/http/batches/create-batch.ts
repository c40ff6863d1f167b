/** Receives a list, and makes a batch or a comparison of it, or only previews it. Then nothing is queued or stored. */

import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { must } from '../../base/must.ts';
import { StoreFailure } from '../../base/store/store.ts';
import { type Kind, newBatchId } from '../../batch/ids.ts';
import { keys } from '../../batch/records.ts';
import { NO_ACCOUNT } from '../../catalog/agreement/account.ts';
import type { Encoding } from '../../files/csv/encoding.ts';
import { type Origin, problemsIn, readingOf } from '../../files/input/csv-text.ts';
import { withWarehouses } from '../../lists/output/output-format.ts';
import {
  type Beginning,
  isEnough,
  PREVIEW_BYTES,
  type PreviewContext,
  previewList,
  previewUnused,
} from '../../lists/preview/preview.ts';
import type { Preview } from '../../lists/preview/preview-body.ts';
import type { Result } from '../../rating/fault.ts';
import { ANSWERED, type Asked } from '../call.ts';
import { HttpError, noAgreement, orThrow } from '../faults.ts';
import { sendJson } from '../reply.ts';
import { dropRest } from '../server/body.ts';
import type { Service } from '../service.ts';
import type { CreateOptions } from './batch-options.ts';
import { openList, type UploadLimits, uploadedText } from './list-body.ts';
import { contentOf, type Order, requireCallerStill, startWork } from './start-work.ts';
import {
  counting,
  expectedOf,
  hashUpload,
  invalidFile,
  type Received,
  receiveUpload,
  refusalFault,
  requireRoom,
} from './upload.ts';

const make = async (
  { service, client, requestId }: Asked<Service>,
  { id, createdAt }: Order,
  options: CreateOptions,
  received: Received,
): Promise<void> => {
  const { head, plan, bytes, sentBytes } = received;
  const filename = options.filename ?? received.filename ?? 'shipments.csv';
  const { given, schedule, asked } = options;
  // A comparison has no columns for the prices from each warehouse.
  const format = asked === undefined ? withWarehouses(options.format, plan.shipFrom, client) : options.format;
  if ('problems' in format) throw new HttpError(invalidFile(format.problems));
  const batch = { id, clientId: client.id, filename, options: given, format, head, plan, bytes, sentBytes };
  const order = { ...batch, schedule, shipper: client, createdAt, asked };
  const limit = await service.batches.causedBy(requestId).create(order, client.limits);
  requireRoom(limit, client.limits);
};

/** Receives the list, and makes the batch or comparison. Nothing remains after a failure. */
const take = async (asked: Asked<Service>, order: Order, options: CreateOptions): Promise<void> => {
  const { service, client, req } = asked;
  const { store, maxList } = service;
  const { id, isKeyed: hashed } = order;
  // A list with more rows than its client may have in flight would never be accepted, however often it is sent.
  const most = { ...maxList, maximumRows: Math.min(maxList.maximumRows, client.limits.rowsInFlight) };
  const upload = { client, name: id, expected: expectedOf(req, maxList.maximumBytes) };
  try {
    await counting(service, upload, true, async (count) => {
      const where = { client: client.id, store, key: keys.input(id), reading: options.reading, hashed, count };
      const received = await receiveUpload(req, where, most);
      requireCallerStill(asked);
      await order.hold(() => contentOf(req, must(received.content, 'the hash of the list')));
      await make(asked, order, options, received);
    });
  } catch (error) {
    // The first failure is reported. If the store is unavailable, the sweep cleans up later. Waiting again would not help.
    if (!(error instanceof StoreFailure)) await store.remove(keys.folder(id)).catch(() => undefined);
    throw error;
  }
};

export const createFromList = async (asked: Asked<Service>, kind: Kind, wanted: Result<CreateOptions>) => {
  const { service, client, req } = asked;
  const options = orThrow(wanted);
  // A new batch would have no prices. Running batches continue with their snapshots.
  if (client.account === NO_ACCOUNT) throw new HttpError(noAgreement);
  if (options.preview !== undefined) return await sendPreview(asked, options);
  // Refuses an upload early if it could not be queued.
  await service.redis.ping();
  return await startWork(asked, (at) => newBatchId(at, kind), {
    content: async () => contentOf(req, await hashUpload(req, service.maxList)),
    make: (order) => take(asked, order, options),
  });
};

/** The first attempt is made after this many bytes, and another one each time the bytes have doubled. */
const FIRST_LOOK_BYTES = 256 * 1024;

/** Equal for equal column names in the same order. */
const headerKeyOf = (header: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(header.map((name) => name.trim())))
    .digest('base64url');

interface Taken {
  readonly bytes: Buffer;
  readonly ended: boolean;
}

/** Reads as many of the first bytes as a preview needs. */
const takeFirst = async (text: AsyncIterable<Buffer>, context: PreviewContext): Promise<Taken> => {
  const pieces: Buffer[] = [];
  let size = 0;
  let look = FIRST_LOOK_BYTES;
  for await (const piece of text) {
    pieces.push(piece);
    size += piece.length;
    if (size < look) continue;
    look = size * 2;
    if (size < PREVIEW_BYTES && !(await isEnough(Buffer.concat(pieces), context))) continue;
    return { bytes: Buffer.concat(pieces), ended: false };
  }
  return { bytes: Buffer.concat(pieces), ended: true };
};

/** The list's size in UTF-8: as stated, otherwise from the length of the body if it is known. */
const totalBytes = (req: Request, declaredBytes: number | undefined, encoding: Encoding): number | undefined => {
  const zipped = (req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  const length = declaredBytes ?? (zipped ? undefined : Number(req.headers['content-length'] ?? Number.NaN));
  if (length === undefined || Number.isNaN(length)) return undefined;
  return encoding.startsWith('utf-16') ? length / 2 : length;
};

const beginningOf = async (
  req: Request,
  context: PreviewContext,
  client: string,
  bytesSaid: number | undefined,
  limits: UploadLimits,
  origin: Origin,
): Promise<Beginning> => {
  const opened = orThrow(await openList(req, limits));
  let received = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of opened.list) {
      received += piece.length;
      yield piece;
    }
  };
  const { bytes, ended } = await takeFirst(uploadedText(counted(), client, context.reading, limits, origin), context);
  await opened.rest();
  const complete = ended && (bytesSaid === undefined || received >= bytesSaid);
  const { encoding = 'utf-8', isPacked, sheets = [], sheet } = origin;
  const total = isPacked ? undefined : totalBytes(req, bytesSaid, encoding);
  return { bytes, complete, encoding, totalBytes: total, sheets: [...sheets], sheet };
};

/** @throws {HttpError} */
const look = async (
  req: Request,
  options: CreateOptions,
  context: PreviewContext,
  client: string,
  limits: UploadLimits,
): Promise<Preview> => {
  const origin: Origin = {};
  const beginning = await beginningOf(req, context, client, options.bytes, limits, origin);
  const own = { ...context, reading: readingOf(origin, context.reading) };
  const preview = await previewList(beginning, own);
  if ('kind' in preview) throw new HttpError(refusalFault(preview, limits));
  if (!('problems' in preview) || 'status' in preview) return preview;
  const { unused } = preview;
  const problems = problemsIn(origin, preview.problems);
  if (unused === undefined) throw new HttpError(invalidFile(problems));
  if (options.preview === 'report') return await previewUnused(beginning, own, { problems, unused });
  // The column names help only if they are not the words of a title.
  throw new HttpError(invalidFile(problems, unused.suggestedHeaderRow === undefined ? unused.header : undefined));
};

/** Answers 200 with the preview. @throws {HttpError} */
const sendPreview = async (asked: Asked<Service>, options: CreateOptions): Promise<typeof ANSWERED> => {
  const { service, client, req, res } = asked;
  const { reading, schedule } = options;
  const { maximumRowBytes } = service.maxList;
  const context = { reading, schedule, shipper: client, now: service.now(), maximumRowBytes, headerKey: headerKeyOf };
  const preview = await look(req, options, context, client.id, service.maxList);
  requireCallerStill(asked);
  sendJson(res, 200, preview);
  dropRest(req);
  return ANSWERED;
};
