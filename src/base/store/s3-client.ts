/**
 * The client of an object store. Every call has a timeout, which the SDK does not set, and at most three tries. Servers
 * other than Amazon's get path-style requests and no Amazon-specific checksums.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { S3Access } from '../config/settings.ts';
import { type ByteRange, MissingObject, StoreFailure } from './store.ts';

const TRIES = 3;
const CONNECT_MS = 2_000;
/** Maximum time without traffic on a connection. It is longer than any server-side operation takes. */
const IDLE_MS = 20_000;
/** From the request to the start of the response, for requests with up to some MB of data. */
const ANSWER_MS = 10_000;
/** The limit for requests without data. */
export const PROMPT = { requestTimeout: 5_000 } as const;
/** The limit for requests that copy, join or remove objects on the server. */
export const PATIENT = { requestTimeout: IDLE_MS } as const;
/** More than one process ever uses at once. */
const MOST_SOCKETS = 128;

export interface S3Location {
  readonly client: S3Client;
  readonly bucket: string;
  /** The prefix of the store's objects: empty, or with a `/` at its end. */
  readonly root: string;
}

/**
 * Sends an MD5 digest with DeleteObjects, the only call that requires a digest. Amazon accepts any digest, but other servers
 * accept only MD5, which the SDK no longer sends.
 */
const digestAsMd5 = (client: S3Client): void => {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { request } = args;
        if (commandName !== 'DeleteObjectsCommand' || typeof request !== 'object' || request === null)
          return next(args);
        if (!('body' in request) || !('headers' in request)) return next(args);
        const { body, headers } = request;
        if ((typeof body !== 'string' && !(body instanceof Uint8Array)) || typeof headers !== 'object')
          return next(args);
        const others = Object.entries(headers ?? {}).filter(([name]) => !/^x-amz-(?:sdk-)?checksum/i.test(name));
        const md5 = createHash('md5').update(body).digest('base64');
        Object.assign(request, { headers: { ...Object.fromEntries(others), 'content-md5': md5 } });
        return next(args);
      },
    { step: 'build', priority: 'low', name: 'digestAsMd5' },
  );
};

export const createS3Client = ({ endpoint, region, credentials }: S3Access): S3Client => {
  const agent = { keepAlive: true, maxSockets: MOST_SOCKETS };
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    maxAttempts: TRIES,
    // With this header the SDK sends bodies over 2 MiB on separate connections. It never sends them to a server that does
    // not answer 100 Continue: it waits for that as long as for the response.
    expectContinueHeader: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    }),
  });
  digestAsMd5(client);
  return client;
};

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

/** Returns whether an error means that the object does not exist. A missing bucket is a failure instead. */
export const isMissing = (error: unknown): boolean => isNamed(error, 'NoSuchKey', 'NotFound');
const isPastEnd = (error: unknown): boolean => isNamed(error, 'InvalidRange');
export const isNoUpload = (error: unknown): boolean => isNamed(error, 'NoSuchUpload');

/** Awaits a call. @param what the action, for the error. @throws {StoreFailure} with the reason as its cause */
export const orStoreFailure = async <T>(what: string, call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw new StoreFailure(what, { cause: error });
  }
};

/*
 * Reads objects. If a connection breaks, reading continues at the same byte on a new connection, provided that the object
 * has not changed. An incomplete object is always an error.
 */

/** Reading fails after this many breaks in a row without a byte in between. */
const BREAKS = 3;
const PAUSE_MS = 200;

interface Opened {
  readonly body: Readable;
  /** Identifies the object's content. */
  readonly etag: string | undefined;
  /** The offset after the last byte of the response. */
  readonly end: number;
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/;

/** @returns undefined if the object ends before the range begins */
const open = async (
  { client, bucket, root }: S3Location,
  key: string,
  from: number,
  to: number | undefined,
): Promise<Opened | undefined> => {
  const ranged = from > 0 || to !== undefined;
  const range = ranged ? { Range: `bytes=${from}-${to === undefined ? '' : to - 1}` } : {};
  const call = client.send(new GetObjectCommand({ Bucket: bucket, Key: `${root}${key}`, ...range }), PROMPT);
  try {
    const { Body, ContentLength, ContentRange, ETag } = await call;
    if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error('the answer has no length');
    const end = from + ContentLength;
    const [, first, last] = CONTENT_RANGE.exec(ContentRange ?? '') ?? [];
    if (!ranged || (first === String(from) && last === String(end - 1))) return { body: Body, etag: ETag, end };
    Body.destroy();
    throw new Error(`the request was for bytes ${from} to ${to}, but the response has ${ContentRange ?? 'all bytes'}`);
  } catch (error) {
    if (isMissing(error)) throw new MissingObject(key);
    if (isPastEnd(error)) return undefined;
    throw new StoreFailure(`read ${key}`, { cause: error });
  }
};

/**
 * Reads an object, or the part of a range that exists, in pieces.
 * @throws {MissingObject} if the object does not exist
 * @throws {StoreFailure} if reading fails or ends early
 */
export async function* readPieces(location: S3Location, key: string, range?: ByteRange): AsyncGenerator<Buffer> {
  const first = await open(location, key, range?.from ?? 0, range?.to);
  let at = range?.from ?? 0;
  let breaks = 0;
  for (let opened = first; first !== undefined; opened = await open(location, key, at, first.end)) {
    if (opened === undefined || opened.etag !== first.etag || opened.end !== first.end) {
      opened?.body.destroy();
      throw new StoreFailure(`read all of ${key}`, { cause: new Error('the object changed while it was read') });
    }
    try {
      for await (const piece of opened.body) {
        const bytes: Buffer = piece;
        at += bytes.length;
        breaks = 0;
        yield bytes;
      }
      if (at === first.end) return;
      throw new Error(`the response ended at byte ${at} of ${first.end}`);
    } catch (error) {
      breaks += 1;
      if (at >= first.end || breaks === BREAKS) throw new StoreFailure(`read all of ${key}`, { cause: error });
    }
    await sleep(PAUSE_MS * breaks);
  }
}

/** @returns undefined if the object does not exist */
export const readWhole = async (location: S3Location, key: string, range?: ByteRange): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of readPieces(location, key, range)) pieces.push(piece);
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw error;
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
};
