/**
 * The store in a bucket of an object store that speaks S3. An object is there when its last byte is, so nothing has to be
 * written aside; a long one is sent in parts, and what a killed process left of those is swept.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Access } from '../config/settings.ts';
import { CHECKS, checkedKey } from './key.ts';
import { asked, createS3Client, isMissing, type Place, PROMPT } from './s3-client.ts';
import { createJoin, LEAST_PART_BYTES, MOST_PARTS } from './s3-join.ts';
import { createBytes, createListing, createRemove, createSweep } from './s3-listing.ts';
import { readPieces, readWhole } from './s3-read.ts';
import { type ByteRange, type DirectStore, type Store, StoreFailure } from './store.ts';

export interface S3Options {
  /** `s3://bucket/prefix` */
  readonly url: string;
  readonly access: S3Access;
  /** The longest object that is written as a stream: parts are made so long that it has not too many. */
  readonly maximumBytes: number;
}

/** Parts of one upload that are on their way at once; so many, and one that is being filled, are in memory. */
const AT_ONCE = 2;

const createPut = ({ client, bucket, root }: Place, partSize: number): Store['put'] => {
  const putStream = async (key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number> => {
    let size = 0;
    let broken: { readonly error: unknown } | undefined;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of content) {
          signal?.throwIfAborted();
          size += piece.length;
          yield piece;
        }
        signal?.throwIfAborted();
      } catch (error) {
        broken = { error };
        throw error;
      }
    };
    const Body = Readable.from(counted(), { objectMode: true, highWaterMark: 1 });
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: `${root}${key}`, Body },
      partSize,
      queueSize: AT_ONCE,
    });
    try {
      await upload.done();
      return size;
    } catch (error) {
      // What keeps its source from going on is not the store's failure.
      throw broken?.error ?? new StoreFailure(`take ${key}`, { cause: error });
    }
  };

  return async (key, content, { signal } = {}) => {
    checkedKey(key);
    signal?.throwIfAborted();
    if (!(content instanceof Uint8Array)) return await putStream(key, content, signal);
    const command = new PutObjectCommand({ Bucket: bucket, Key: `${root}${key}`, Body: content });
    await asked(`take ${key}`, client.send(command, signal === undefined ? {} : { abortSignal: signal }));
    return content.length;
  };
};

const createSize =
  ({ client, bucket, root }: Place): Store['size'] =>
  async (key) => {
    const call = client.send(new HeadObjectCommand({ Bucket: bucket, Key: `${root}${checkedKey(key)}` }), PROMPT);
    try {
      return (await call).ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new StoreFailure(`look at ${key}`, { cause: error });
    }
  };

const createDirect = (place: Place): DirectStore => ({
  join: createJoin(place),
  presign: async (key, { seconds, disposition, contentType }) => {
    const { client, bucket, root } = place;
    const object = { Bucket: bucket, Key: `${root}${checkedKey(key)}` };
    const shown = { ResponseContentDisposition: disposition, ResponseContentType: contentType };
    const command = new GetObjectCommand({ ...object, ...shown });
    return await asked(`sign ${key}`, getSignedUrl(client, command, { expiresIn: seconds }));
  },
});

const isEmpty = (range: ByteRange | undefined): boolean => range !== undefined && range.to <= range.from;

/** A path without the slashes around it. */
const trimmed = (path: string): string => {
  let [start, end] = [0, path.length];
  while (path.startsWith('/', start)) start += 1;
  while (end > start && path.endsWith('/', end)) end -= 1;
  return path.slice(start, end);
};

/** Nothing is asked of the bucket before it is used: `check` says whether it can be. */
export const createS3Store = ({ url, access, maximumBytes }: S3Options): Store => {
  const { hostname: bucket, pathname } = new URL(url);
  const prefix = trimmed(pathname);
  const place = { client: createS3Client(access), bucket, root: prefix === '' ? '' : `${prefix}/` };
  const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(maximumBytes / (MOST_PARTS - 1)));
  const put = createPut(place, partBytes);
  const size = createSize(place);
  const listing = createListing(place);
  const remove = createRemove(place, listing);
  return {
    put,
    size,
    remove,
    get: async (key, range) => {
      checkedKey(key);
      if (!isEmpty(range)) return await readWhole(place, key, range);
      return (await size(key)) === undefined ? undefined : Buffer.alloc(0);
    },
    stream: (key, range) => {
      checkedKey(key);
      const pieces = isEmpty(range) ? [] : readPieces(place, key, range);
      return Readable.from(pieces, { objectMode: false, highWaterMark: 256 * 1024 });
    },
    list: listing.names,
    check: async () => {
      const key = `${CHECKS}${randomBytes(9).toString('hex')}`;
      await put(key, Buffer.from('ok'));
      await remove(key);
    },
    sweep: createSweep(place, listing),
    bytes: createBytes(listing),
    direct: createDirect(place),
  };
};
