/**
 * Receiving a list: the body streams through the planner into the store, never held in memory. What is wrong with it is
 * seen on the way, and nothing of a refused upload stays behind.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Defaults } from '../batch/columns.ts';
import { HEAD_BYTES, type Head, readHead } from '../batch/head.ts';
import { createPlanner, type Plan, type PlanLimits, type Planner, type Refusal } from '../batch/plan.ts';
import type { Store } from '../store/store.ts';
import { type HttpFault, UnavailableError } from './faults.ts';
import { type FilePart, isMultipart, readMultipart } from './multipart.ts';

export interface UploadLimits extends PlanLimits {
  /** Of the upload as it is sent, and of what it inflates to. */
  readonly maximumBytes: number;
}

export interface Received {
  readonly filename: string | undefined;
  readonly bytes: number;
  readonly head: Head;
  readonly plan: Plan;
}

/** Ends an upload from within its stream: refused, or broken off by its sender. */
class StoppedUpload extends Error {
  readonly fault: HttpFault;
  constructor(fault: HttpFault) {
    super(fault.type);
    this.name = 'StoppedUpload';
    this.fault = fault;
  }
}

const PLAIN_TYPES = ['text/csv', 'application/octet-stream', 'text/plain', 'application/csv'];
const ACCEPTED = ['text/csv', 'application/octet-stream', 'multipart/form-data'];

const invalidFile = (problems: Readonly<Record<string, string>>): HttpFault => ({
  type: 'createBatch.invalidFile',
  problems,
});

const refusalFault = (refusal: Refusal, limits: UploadLimits): HttpFault => {
  switch (refusal.kind) {
    case 'rowTooLong':
      return {
        type: 'request.tooLarge',
        limit: 'row',
        most: `${limits.maximumRowBytes} bytes, and row ${refusal.row} (line ${refusal.line}) is longer`,
      };
    case 'tooManyRows':
      return { type: 'request.tooLarge', limit: 'rows', most: `${limits.maximumRows} rows` };
    case 'notUtf8':
      return invalidFile({ file: `is not UTF-8 text at line ${refusal.line}, byte ${refusal.offset}` });
    default:
      return refusal satisfies never;
  }
};

/** The bytes as they come, up to the limit; what the sender breaks off is not the store's failure. */
async function* limited(
  source: AsyncIterable<Uint8Array>,
  maximumBytes: number,
  limit: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > maximumBytes)
        throw new StoppedUpload({ type: 'request.tooLarge', limit, most: `${maximumBytes} bytes` });
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    }
  } catch (error) {
    if (error instanceof StoppedUpload) throw error;
    const zipped = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    throw new StoppedUpload({ type: 'request.malformedBody', reason: zipped ? 'it is not gzip' : 'it ended early' });
  }
}

/** Inflates as it is read; what is not read is not inflated. */
async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const feeding = pipeline(Readable.from(source, { objectMode: false }), gunzip);
  // Seen by whoever reads the output; without a handler of its own it would end the process.
  feeding.catch(() => undefined);
  yield* gunzip;
  await feeding;
}

interface Judged {
  head: Head | undefined;
  plan: Plan | undefined;
}

/** Passes the bytes on and plans them; `judged` holds what was found when they are through. */
async function* planned(
  source: AsyncIterable<Buffer>,
  defaults: Defaults,
  limits: UploadLimits,
  judged: Judged,
): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  let planner: Planner | undefined;
  const check = (refusal: Refusal | undefined): void => {
    if (refusal !== undefined) throw new StoppedUpload(refusalFault(refusal, limits));
  };
  const begin = (complete: boolean): Buffer | undefined => {
    const bytes = Buffer.concat(waiting, size);
    waiting = [bytes];
    const head = readHead(bytes, complete, defaults, limits.maximumRowBytes);
    if (head === 'more') return undefined;
    if ('problems' in head) throw new StoppedUpload(invalidFile(head.problems));
    judged.head = head;
    planner = createPlanner(head.columns, head.bodyStart, head.headerLines, limits);
    check(planner.push(bytes.subarray(head.bodyStart)));
    waiting = [];
    return bytes;
  };
  // Each time the header goes on, twice as much is awaited before it is looked at again.
  let enough = HEAD_BYTES;
  for await (const piece of source) {
    if (planner !== undefined) {
      check(planner.push(piece));
      yield piece;
      continue;
    }
    waiting.push(piece);
    size += piece.length;
    if (size < enough) continue;
    const bytes = begin(false);
    if (bytes === undefined) enough *= 2;
    else yield bytes;
  }
  if (planner === undefined) {
    const bytes = begin(true);
    if (bytes !== undefined) yield bytes;
  }
  const plan = planner?.finish();
  if (plan === undefined) throw new StoppedUpload(invalidFile({ file: 'is not a list' }));
  if ('kind' in plan) return check(plan);
  if (plan.rows === 0) throw new StoppedUpload(invalidFile({ file: 'has a header alone; it needs at least one row' }));
  judged.plan = plan;
}

const mediaType = (req: IncomingMessage): string =>
  (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Names of codings are the same in either case (RFC 9110, 8.4.1). */
const encodingOf = (req: IncomingMessage): string => (req.headers['content-encoding'] ?? 'identity').toLowerCase();

/** What can be refused by the headers alone. */
const refusedByHeaders = (req: IncomingMessage, limits: UploadLimits): HttpFault | undefined => {
  const type = mediaType(req);
  if (type !== '' && !PLAIN_TYPES.includes(type) && !isMultipart(req))
    return { type: 'request.unsupportedMediaType', header: 'Content-Type', accepted: ACCEPTED };
  if (!['identity', 'gzip', 'x-gzip'].includes(encodingOf(req)))
    return { type: 'request.unsupportedMediaType', header: 'Content-Encoding', accepted: ['gzip', 'identity'] };
  if (Number(req.headers['content-length'] ?? 0) > limits.maximumBytes)
    return { type: 'request.tooLarge', limit: 'upload', most: `${limits.maximumBytes} bytes` };
  return undefined;
};

/**
 * Streams a request's list into the store.
 * @param key where to; nothing is there where the upload was refused
 * @returns what was received, or the fault: `createBatch.invalidFile`, `request.tooLarge`, `request.malformedBody` or
 * `request.unsupportedMediaType`
 * @throws {UnavailableError} where the store failed
 */
export const receiveUpload = async (
  req: IncomingMessage,
  store: Store,
  key: string,
  defaults: Defaults,
  limits: UploadLimits,
): Promise<Received | HttpFault> => {
  const refused = refusedByHeaders(req, limits);
  if (refused !== undefined) return refused;
  const wire = limited(req.iterator({ destroyOnReturn: false }), limits.maximumBytes, 'upload');
  const body = encodingOf(req) !== 'identity' ? limited(inflated(wire), limits.maximumBytes, 'inflatedUpload') : wire;
  const judged: Judged = { head: undefined, plan: undefined };
  try {
    let part: FilePart | undefined;
    if (isMultipart(req)) {
      const found = await readMultipart(body, req.headers);
      if ('type' in found) return found;
      part = found;
    }
    const source = part === undefined ? body : limited(part.content, limits.maximumBytes, 'upload');
    const bytes = await store.put(key, planned(source, defaults, limits, judged), { durable: true });
    const surplus = await part?.rest();
    const { head, plan } = judged;
    if (surplus === undefined && head !== undefined && plan !== undefined)
      return { filename: part?.filename, bytes, head, plan };
    await store.remove(key);
    return surplus ?? invalidFile({ file: 'is not a list' });
  } catch (error) {
    if (error instanceof StoppedUpload) return error.fault;
    throw new UnavailableError('store', { cause: error });
  }
};
