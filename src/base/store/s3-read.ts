/**
 * Reads objects. If a connection breaks, reading continues at the same byte on a new connection, provided that the object
 * has not changed. An incomplete object is always an error.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { isMissing, isPastEnd, PROMPT, type S3Location } from './s3-client.ts';
import { type ByteRange, MissingObject, StoreFailure } from './store.ts';

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
