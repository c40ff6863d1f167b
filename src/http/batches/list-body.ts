/**
 * The list in an upload's body: its bytes as they arrive, without multipart form and compression, under every limit. It
 * is never held in memory.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { Failed } from '../../base/failed.ts';
import { PARQUET_TYPE } from '../../batch/output/parquet-file.ts';
import { XLSX_TYPE } from '../../batch/output/workbook-file.ts';
import { NotEncoded } from '../../files/csv/encoding.ts';
import { listText, type Origin } from '../../files/input/csv-text.ts';
import { inflated, isNotGzip } from '../../files/input/gzip.ts';
import { createFairSlots, type Slot } from '../../files/sandbox/fair-slots.ts';
import { ConfinedFailure } from '../../files/sandbox/run.ts';
import { OverLimit, UnreadableFile } from '../../files/unreadable-file.ts';
import type { PlanLimits } from '../../lists/chunk-plan.ts';
import type { ReadOptions } from '../../lists/columns/columns.ts';
import { HttpError, type HttpFault, type HttpResult } from '../faults.ts';
import { compareQuery, createQuery } from './batch-options.ts';

export interface UploadLimits extends PlanLimits {
  /** Limit on the upload as sent, and on its inflated form. */
  readonly maximumBytes: number;
  /** The minimum speed of an upload. Default: `SLOWEST`. */
  readonly slowest?: Pace;
}

export interface Pace {
  readonly ms: number;
  readonly bytes: number;
}

/** Slower than any real line, and faster than a caller that only keeps a connection open. */
const SLOWEST: Pace = { ms: 60_000, bytes: 16 * 1024 };

const PLAIN_TYPES = [
  'text/csv',
  'application/octet-stream',
  'text/plain',
  'application/csv',
  'application/gzip',
  'application/x-gzip',
  'application/zip',
  'application/x-zip-compressed',
  XLSX_TYPE,
  PARQUET_TYPE,
  'application/x-parquet',
];
const ACCEPTED = [
  'text/csv',
  XLSX_TYPE,
  PARQUET_TYPE,
  'application/gzip',
  'application/zip',
  'application/octet-stream',
  'multipart/form-data',
];

/** The result of a promise, or `late` after this time. */
const within = async <T>(coming: Promise<T>, ms: number): Promise<T | 'late'> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The body as it arrives, unless it is too slow. Only the time spent waiting for the sender counts. */
async function* paced(req: IncomingMessage, { ms, bytes: least }: Pace): AsyncGenerator<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = req.iterator({ destroyOnReturn: false });
  let coming = iterator.next();
  for (let bytes = 0, waitedMs = 0; ; ) {
    const asked = performance.now();
    const next = await within(coming, Math.max(0, ms - waitedMs));
    if (next !== 'late' && next.done === true) return;
    waitedMs += performance.now() - asked;
    if (next === 'late' || waitedMs >= ms) {
      if (bytes < least) throw new HttpError({ type: 'request.malformedBody', reason: 'it did not arrive in time' });
      bytes = 0;
      waitedMs = 0;
    }
    if (next === 'late') continue;
    bytes += next.value.length;
    yield next.value;
    coming = iterator.next();
  }
}

/** Shorter pieces are joined. Each would pass through all steps alone, and take more memory than its bytes. */
const SHORT_PIECE = 4_096;

async function* joined(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let buffer = Buffer.allocUnsafeSlow(SHORT_PIECE);
  let length = 0;
  for await (const piece of source) {
    if (length + piece.length > SHORT_PIECE) {
      if (length > 0) yield buffer.subarray(0, length);
      buffer = Buffer.allocUnsafeSlow(SHORT_PIECE);
      length = 0;
    }
    if (piece.length >= SHORT_PIECE) yield piece;
    else {
      buffer.set(piece, length);
      length += piece.length;
    }
  }
  if (length > 0) yield buffer.subarray(0, length);
}

/** The bytes as they arrive, up to the limit. A broken upload is not a failure of the store. */
async function* limited(
  source: AsyncIterable<Uint8Array>,
  maximumBytes: number,
  limit: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of source) {
      bytes += piece.length;
      onBytes?.(bytes);
      if (bytes > maximumBytes) throw new HttpError({ type: 'request.tooLarge', limit, most: `${maximumBytes} bytes` });
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof OverLimit)
      throw new HttpError({ type: 'request.tooLarge', limit: error.limit, most: error.most });
    const reason = isNotGzip(error) ? 'it is not gzip, or is damaged or truncated' : 'it ended early';
    throw new HttpError({ type: 'request.malformedBody', reason });
  }
}

const mediaType = (req: IncomingMessage): string =>
  (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Names of codings are case-insensitive (RFC 9110, 8.4.1). */
const encodingOf = (req: IncomingMessage): string => (req.headers['content-encoding'] ?? 'identity').toLowerCase();

/** The fault that the headers alone show, if any. */
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

export interface OpenedList {
  readonly filename: string | undefined;
  readonly list: AsyncIterable<Buffer>;
  /** Bytes of the body received so far, as sent. */
  readonly sent: () => number;
  /** Reads what follows the list. @throws {HttpError} */
  readonly rest: () => Promise<void>;
}

/**
 * Opens the list in a request's body. Reading it may throw `HttpError`.
 * @returns the list, or the fault of its headers or its form
 */
export const openList = async (req: IncomingMessage, limits: UploadLimits): Promise<HttpResult<OpenedList>> => {
  const refused = refusedByHeaders(req, limits);
  if (refused !== undefined) return new Failed(refused);
  let sentBytes = 0;
  const wire = limited(joined(paced(req, limits.slowest ?? SLOWEST)), limits.maximumBytes, 'upload', (bytes) => {
    sentBytes = bytes;
  });
  const sent = (): number => sentBytes;
  const body = encodingOf(req) === 'identity' ? wire : limited(inflated(wire), limits.maximumBytes, 'inflatedUpload');
  if (!isMultipart(req)) return { filename: undefined, list: body, sent, rest: async () => undefined };
  const part = await readMultipart(body, req.headers);
  if (part instanceof Failed) return part;
  return { ...part, sent, list: limited(part.content, limits.maximumBytes, 'upload') };
};

/** Limits on archives that this process reads. Each archive takes a temporary file, then a child process. */
const ARCHIVE_SLOTS = { running: 2, openPerClient: 4, open: 32 } as const;
const RETRY_S = 10;
const archiveSlots = createFairSlots(ARCHIVE_SLOTS);

const slotFor = (client: string): Slot => {
  const slot = archiveSlots.enter(client);
  if (slot !== undefined) return slot;
  throw new HttpError({
    type: 'request.rateLimited',
    limit: 'workbooksAtOnce',
    atOnce: ARCHIVE_SLOTS.openPerClient,
    retryAfterS: RETRY_S,
  });
};

const stopped = (error: unknown): unknown => {
  if (error instanceof OverLimit)
    return new HttpError({ type: 'request.tooLarge', limit: error.limit, most: error.most });
  if (error instanceof UnreadableFile || error instanceof NotEncoded) {
    const subject = error instanceof UnreadableFile ? error.subject : 'file';
    return new HttpError({ type: 'createBatch.invalidFile', problems: { [subject]: error.problem } });
  }
  return error instanceof ConfinedFailure
    ? new HttpError({ type: 'service.unavailable', dependency: 'reader' }, { cause: error })
    : error;
};

/**
 * @param client owner of the list. Clients take turns
 * @param origin is filled in before the first bytes are returned
 * @throws {HttpError} if the list is refused
 */
export async function* uploadedText(
  source: AsyncIterable<Buffer>,
  client: string,
  reading: ReadOptions,
  limits: UploadLimits,
  origin?: Origin,
): AsyncGenerator<Buffer> {
  const { maximumBytes, maximumRowBytes } = limits;
  try {
    const options = { reading, maximumBytes, maximumRowBytes, owner: client, enter: () => slotFor(client) };
    yield* listText(source, options, origin);
  } catch (error) {
    throw stopped(error);
  }
}

/** A list in a `multipart/form-data` body: the only part named `file`. */
export interface FilePart {
  readonly filename: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
  /** Reads what follows the part. @throws {HttpError} if there is another part */
  readonly rest: () => Promise<void>;
}

const isMultipart = (req: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test(req.headers['content-type'] ?? '');

const malformed: HttpFault = { type: 'request.malformedBody', reason: 'it is not multipart/form-data' };
const noFile: HttpFault = {
  type: 'createBatch.invalidFile',
  problems: { file: 'is missing: the form needs one part named file' },
};
const twoFiles: HttpFault = {
  type: 'createBatch.invalidFile',
  problems: { file: 'occurs twice: the form takes one list' },
};

/** Any part but the list would have no effect. */
const inForm = (name: string): HttpFault => ({
  type: 'createBatch.invalidFile',
  problems: {
    [name]: Object.hasOwn({ ...createQuery.shape, ...compareQuery.shape }, name)
      ? `belongs in the URL, as ?${name}=, and not in the form`
      : 'is not a parameter of this call',
  },
});

const LIMITS = { fieldSize: 1_024, parts: 22, headerPairs: 20 };

/** @returns the part `file` as soon as it begins, or what is wrong with the form */
const readMultipart = async (
  body: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
): Promise<HttpResult<FilePart>> => {
  let parser: busboy.Busboy;
  try {
    parser = busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    return new Failed(malformed);
  }
  let parts = 0;
  let other: string | undefined;
  let broken: unknown;
  parser.on('partsLimit', () => {
    broken = new Error('the form has too many parts');
  });
  parser.on('field', (name) => {
    other ??= name;
  });
  const first = new Promise<{ filename: string | undefined; content: Readable } | undefined>((resolve) => {
    parser.on('file', (name, content, { filename }) => {
      // A form may break before its part is read, or while nothing reads it. The reader gets the error later.
      content.on('error', () => undefined);
      // Busboy 1.6.0 continues with its current bytes after it has given up or seen the end of the form. It never ends a
      // file that begins in these bytes, and then waits for it forever.
      if (parser.destroyed || Reflect.get(parser, '_complete') === true) {
        content.destroy();
        parser.destroy(new Error('the form continues after its end'));
        return;
      }
      if (name === 'file') parts += 1;
      else other ??= name;
      if (name !== 'file' || parts > 1) content.resume();
      else resolve({ filename, content });
    });
    parser.on('close', () => resolve(undefined));
  });
  const parsing = pipeline(Readable.from(body, { objectMode: false }), parser).catch((error: unknown) => {
    broken = error;
  });
  const part = await Promise.race([first, parsing.then(() => first)]);
  if (part === undefined) {
    // The parser may close before the reason is known, for example on Node 24.
    await parsing;
    return new Failed(broken === undefined ? noFile : malformed);
  }
  return {
    filename: part.filename,
    // A preview reads only the beginning. The form must still be read to its end.
    content: part.content.iterator({ destroyOnReturn: false }),
    rest: async () => {
      part.content.resume();
      await parsing;
      if (broken !== undefined) throw new HttpError(malformed);
      if (parts > 1) throw new HttpError(twoFiles);
      if (other !== undefined) throw new HttpError(inForm(other));
    },
  };
};
