/**
 * Reading objects. A connection that breaks half way is opened again where it broke off, as long as the object is still
 * the same; what is short at the end is a failure, never an object.
 */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { isMissing, isPastEnd, type Place, PROMPT } from './s3-client.ts';
import { type ByteRange, MissingObject, StoreFailure } from './store.ts';

/** Breaks in a row, without a byte between them, after which it is given up. */
const BREAKS = 3;
const PAUSE_MS = 200;

interface Opened {
  readonly body: Readable;
  /** Which content of the object it is. */
  readonly etag: string | undefined;
  /** The byte after the last that will come. */
  readonly end: number;
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/;

/** @returns undefined where the object ends before the range begins */
const open = async (
  { client, bucket, root }: Place,
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
    throw new Error(`bytes ${from} to ${to} were asked for, and ${ContentRange ?? 'all'} answered`);
  } catch (error) {
    if (isMissing(error)) throw new MissingObject(key);
    if (isPastEnd(error)) return undefined;
    throw new StoreFailure(`give ${key}`, { cause: error });
  }
};

/**
 * An object's bytes, or those of a range as far as it has them, in pieces.
 * @throws {MissingObject}
 * @throws {StoreFailure} where they do not come, or not all
 */
export async function* readPieces(place: Place, key: string, range?: ByteRange): AsyncGenerator<Buffer> {
  const first = await open(place, key, range?.from ?? 0, range?.to);
  let at = range?.from ?? 0;
  let breaks = 0;
  for (let opened = first; first !== undefined; opened = await open(place, key, at, first.end)) {
    if (opened === undefined || opened.etag !== first.etag || opened.end !== first.end) {
      opened?.body.destroy();
      throw new StoreFailure(`give all of ${key}`, { cause: new Error('it was replaced while it was read') });
    }
    try {
      for await (const piece of opened.body) {
        const bytes: Buffer = piece;
        at += bytes.length;
        breaks = 0;
        yield bytes;
      }
      if (at === first.end) return;
      throw new Error(`it ended at byte ${at} of ${first.end}`);
    } catch (error) {
      breaks += 1;
      if (at >= first.end || breaks === BREAKS) throw new StoreFailure(`give all of ${key}`, { cause: error });
    }
    await sleep(PAUSE_MS * breaks);
  }
}

/** @returns undefined where there is no such object */
export const readWhole = async (place: Place, key: string, range?: ByteRange): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of readPieces(place, key, range)) pieces.push(piece);
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw error;
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
};
