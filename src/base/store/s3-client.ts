/**
 * The client of an object store. Every call has a timeout, which the SDK does not set, and at most three tries. Servers
 * other than Amazon's get path-style requests and no Amazon-specific checksums.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { S3Access } from '../config/settings.ts';
import { type ByteRange, type DirectStore, MissingObject, type Piece, StoreFailure } from './store.ts';

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

/*
 * Joins objects into one, as a multipart upload. The server itself copies sections that are long enough for a part. Shorter
 * sections, and those that fill up the first part, pass through this process.
 */

/** Minimum size of every part but the last, and maximum number of parts (Amazon S3, multipart upload limits). */
export const LEAST_PART_BYTES = 5 * 1024 * 1024;
export const MOST_PARTS = 10_000;

/** Maximum bytes to copy in one call. The server answers the call only when it is done. */
const MOST_COPIED_BYTES = 64 * 1024 * 1024;

/** Parts sent at the same time. Each is in memory. */
const AT_ONCE = 3;

export interface Section extends ByteRange {
  readonly key: string;
}

/** One part of the upload: a section to copy on the server, or sections to send. The first part sent begins with the head. */
export type JoinedPart = { readonly copied: Section } | { readonly sent: readonly Section[]; readonly first: boolean };

/**
 * Plans the parts of a head and pieces.
 * @param leastBytes minimum size of every part but the last
 * @param mostCopiedBytes maximum bytes to copy in one call
 */
export const planJoin = (
  headBytes: number,
  pieces: readonly Piece[],
  leastBytes: number,
  mostCopiedBytes = MOST_COPIED_BYTES,
): readonly JoinedPart[] => {
  const parts: JoinedPart[] = [];
  let sections: Section[] = [];
  let size = headBytes;
  const close = (): void => {
    parts.push({ sent: sections, first: parts.length === 0 });
    sections = [];
    size = 0;
  };
  for (const { key, bytes } of pieces) {
    for (let from = 0; from < bytes; ) {
      if (size >= leastBytes) close();
      const copied = size === 0 && bytes - from >= leastBytes;
      const length = copied ? Math.max(leastBytes, mostCopiedBytes) : leastBytes - size;
      const to = Math.min(bytes, from + length);
      if (copied) parts.push({ copied: { key, from, to } });
      else {
        sections.push({ key, from, to });
        size += to - from;
      }
      from = to;
    }
  }
  if (size > 0 || parts.length === 0) close();
  return parts;
};

const bytesOf = async (
  location: S3Location,
  { sent, first }: Extract<JoinedPart, { sent: unknown }>,
  head: Uint8Array,
) => {
  const read = async ({ key, from, to }: Section): Promise<Buffer> => {
    const bytes = await readWhole(location, key, { from, to });
    if (bytes?.length === to - from) return bytes;
    throw new StoreFailure(`read ${key}`, { cause: new Error('its size has changed') });
  };
  const sections = await Promise.all(sent.map(read));
  return Buffer.concat(first ? [head, ...sections] : sections);
};

const copySource = ({ bucket, root }: S3Location, key: string): string =>
  [bucket, ...`${root}${key}`.split('/')].map(encodeURIComponent).join('/');

export const createJoin =
  (location: S3Location): DirectStore['join'] =>
  async (key, head, pieces) => {
    const { client, bucket, root } = location;
    const target = { Bucket: bucket, Key: `${root}${key}` };
    const total = pieces.reduce((sum, { bytes }) => sum + bytes, head.length);
    const parts = planJoin(head.length, pieces, Math.max(LEAST_PART_BYTES, Math.ceil(total / (MOST_PARTS - 1))));
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && 'sent' in only) {
      const Body = await bytesOf(location, only, head);
      await orStoreFailure(`write ${key}`, client.send(new PutObjectCommand({ ...target, Body })));
      return;
    }
    const began = await orStoreFailure(`write ${key}`, client.send(new CreateMultipartUploadCommand(target)));
    const upload = { ...target, UploadId: began.UploadId };
    const write = async (part: JoinedPart, PartNumber: number): Promise<{ ETag?: string | undefined }> => {
      if ('sent' in part) {
        const Body = await bytesOf(location, part, head);
        return await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
      }
      const { key: from, from: start, to } = part.copied;
      const range = { CopySource: copySource(location, from), CopySourceRange: `bytes=${start}-${to - 1}` };
      const copied = await client.send(new UploadPartCopyCommand({ ...upload, ...range, PartNumber }), PATIENT);
      return { ETag: copied.CopyPartResult?.ETag };
    };
    try {
      const Parts: { ETag?: string | undefined; PartNumber: number }[] = [];
      for (let at = 0; at < parts.length; at += AT_ONCE) {
        const some = parts.slice(at, at + AT_ONCE).map(async (part, index) => {
          const PartNumber = at + index + 1;
          return { ETag: (await write(part, PartNumber)).ETag, PartNumber };
        });
        Parts.push(...(await Promise.all(some)));
      }
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), PATIENT);
    } catch (error) {
      // If this fails too, `sweep` removes the upload.
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      throw new StoreFailure(`join ${key}`, { cause: error });
    }
  };
