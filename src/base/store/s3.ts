/**
 * The store in an S3 bucket. An object appears when it is complete, so there are no temporary files. Long objects are sent
 * in parts; `sweep` removes the parts that a killed process left.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
  type MultipartUpload,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Access } from '../config/settings.ts';
import {
  createJoin,
  createS3Client,
  isMissing,
  isNoUpload,
  LEAST_PART_BYTES,
  MOST_PARTS,
  orStoreFailure,
  PATIENT,
  PROMPT,
  readPieces,
  readWhole,
  type S3Location,
} from './s3-client.ts';
import {
  type ByteRange,
  CHECKS,
  checkedKey,
  type DirectStore,
  type IsAbandoned,
  MissingObject,
  roomOf,
  type Store,
  StoreFailure,
} from './store.ts';

/* Lists and removes objects in a bucket, and removes abandoned uploads. */

interface Listing {
  /** All objects below a prefix, at any depth, page by page. */
  readonly pages: (prefix: string) => AsyncIterable<ListObjectsV2CommandOutput>;
  readonly names: Store['list'];
}

const createListing = ({ client, bucket, root }: S3Location): Listing => {
  const list = (prefix: string, delimited: { Delimiter?: string }): AsyncIterable<ListObjectsV2CommandOutput> =>
    paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${root}${checkedKey(prefix)}`, ...delimited }, PROMPT);
  const below = async (prefix: string): Promise<readonly string[]> => {
    const found: string[] = [];
    const skipped = root.length + prefix.length;
    for await (const { Contents = [], CommonPrefixes = [] } of list(prefix, { Delimiter: '/' })) {
      for (const { Key = '' } of Contents) found.push(Key.slice(skipped));
      for (const { Prefix = '' } of CommonPrefixes) found.push(Prefix.slice(skipped));
    }
    // A folder that was created by hand contains an object with an empty name.
    return found.filter((name) => name !== '').sort();
  };
  return { pages: (prefix) => list(prefix, {}), names: (prefix) => orStoreFailure(`list ${prefix}`, below(prefix)) };
};

/** Removes the objects of a page. A page has no more objects than one call may remove. */
const removePage = async (
  { client, bucket }: S3Location,
  { Contents = [] }: ListObjectsV2CommandOutput,
): Promise<void> => {
  const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
  if (Objects.length === 0) return;
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
  const { Errors: [first] = [] } = await client.send(command, PATIENT);
  if (first !== undefined)
    throw new Error(`${first.Key ?? 'an object'}: ${first.Message ?? first.Code ?? 'not removed'}`);
};

const createRemove = (location: S3Location, { pages }: Listing): Store['remove'] => {
  const { client, bucket, root } = location;
  const removeBelow = async (prefix: string): Promise<void> => {
    for await (const page of pages(prefix)) await removePage(location, page);
  };
  return async (key) => {
    if (key.endsWith('/')) return await orStoreFailure(`remove ${key}`, removeBelow(key));
    const command = new DeleteObjectCommand({ Bucket: bucket, Key: `${root}${checkedKey(key)}` });
    await orStoreFailure(`remove ${key}`, client.send(command, PROMPT));
  };
};

const createBytes = ({ pages }: Listing): Store['bytes'] => {
  const bytesBelow = async (prefix: string): Promise<number> => {
    let bytes = 0;
    for await (const { Contents = [] } of pages(prefix)) for (const { Size = 0 } of Contents) bytes += roomOf(Size);
    return bytes;
  };
  return (prefix) => orStoreFailure(`list ${prefix}`, bytesBelow(prefix));
};

async function* uploads({ client, bucket, root }: S3Location): AsyncGenerator<MultipartUpload> {
  let markers: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined = {};
  while (markers !== undefined) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: root, ...markers });
    const page: ListMultipartUploadsCommandOutput = await client.send(command, PROMPT);
    yield* page.Uploads ?? [];
    const { IsTruncated = false, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    markers =
      IsTruncated && KeyMarker !== undefined
        ? { KeyMarker, ...(UploadIdMarker !== undefined && { UploadIdMarker }) }
        : undefined;
  }
}

const createSweep = (location: S3Location, { pages }: Listing): Store['sweep'] => {
  const { client, bucket, root } = location;
  const isLeftOver = (isAbandoned: IsAbandoned, name: string | undefined, since: Date | undefined): boolean =>
    name !== undefined && since !== undefined && isAbandoned(name.slice(root.length), since);

  const abort = async ({ Key, UploadId }: MultipartUpload): Promise<void> => {
    try {
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), PATIENT);
    } catch (error) {
      // Another process has removed the upload, or it has just completed.
      if (!isNoUpload(error)) throw error;
    }
  };
  const sweep = async (isAbandoned: IsAbandoned): Promise<number> => {
    let removed = 0;
    for await (const upload of uploads(location)) {
      if (!isLeftOver(isAbandoned, upload.Key, upload.Initiated)) continue;
      await abort(upload);
      removed += 1;
    }
    for await (const { Contents = [], ...page } of pages(CHECKS)) {
      const old = Contents.filter(({ Key, LastModified }) => isLeftOver(isAbandoned, Key, LastModified));
      await removePage(location, { ...page, Contents: old });
      removed += old.length;
    }
    return removed;
  };
  return (isAbandoned) => orStoreFailure(`sweep ${root}`, sweep(isAbandoned));
};

export interface S3Options {
  /** `s3://bucket/prefix` */
  readonly url: string;
  readonly access: S3Access;
  /** The longest object that is written as a stream. It determines the size of a part, because their number is limited. */
  readonly maximumBytes: number;
}

/** Parts of one upload sent at the same time. They, and the part being filled, are in memory. */
const AT_ONCE = 2;

const createPut = ({ client, bucket, root }: S3Location, partSize: number): Store['put'] => {
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
      // An error of the source is not a failure of the store.
      throw broken?.error ?? new StoreFailure(`write ${key}`, { cause: error });
    }
  };

  return async (key, content, { signal } = {}) => {
    checkedKey(key);
    signal?.throwIfAborted();
    if (!(content instanceof Uint8Array)) return await putStream(key, content, signal);
    const command = new PutObjectCommand({ Bucket: bucket, Key: `${root}${key}`, Body: content });
    await orStoreFailure(`write ${key}`, client.send(command, signal === undefined ? {} : { abortSignal: signal }));
    return content.length;
  };
};

const createSize =
  ({ client, bucket, root }: S3Location): Store['size'] =>
  async (key) => {
    const call = client.send(new HeadObjectCommand({ Bucket: bucket, Key: `${root}${checkedKey(key)}` }), PROMPT);
    try {
      const { ContentLength } = await call;
      if (ContentLength === undefined) throw new Error('the answer has no length');
      return ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new StoreFailure(`get the size of ${key}`, { cause: error });
    }
  };

const createDirect = (location: S3Location, join: DirectStore['join']): DirectStore => ({
  join,
  presign: async (key, { seconds, disposition, contentType }) => {
    const { client, bucket, root } = location;
    const object = { Bucket: bucket, Key: `${root}${checkedKey(key)}` };
    const shown = { ResponseContentDisposition: disposition, ResponseContentType: contentType };
    const command = new GetObjectCommand({ ...object, ...shown });
    return await orStoreFailure(`sign ${key}`, getSignedUrl(client, command, { expiresIn: seconds }));
  },
});

const isEmpty = (range: ByteRange | undefined): boolean => range !== undefined && range.to <= range.from;

/** Returns a path without the slashes around it. */
const trimmed = (path: string): string => {
  let [start, end] = [0, path.length];
  while (path.startsWith('/', start)) start += 1;
  while (end > start && path.endsWith('/', end)) end -= 1;
  return path.slice(start, end);
};

/** Creates the store without a request to the bucket; call `check` to find out whether it works. */
export const createS3Store = ({ url, access, maximumBytes }: S3Options): Store => {
  const { hostname: bucket, pathname } = new URL(url);
  const prefix = trimmed(pathname);
  const location = { client: createS3Client(access), bucket, root: prefix === '' ? '' : `${prefix}/` };
  const partBytes = Math.max(LEAST_PART_BYTES, Math.ceil(maximumBytes / (MOST_PARTS - 1)));
  const put = createPut(location, partBytes);
  const size = createSize(location);
  const listing = createListing(location);
  const remove = createRemove(location, listing);
  const join = createJoin(location);
  return {
    put,
    copy: async (from, to) => {
      const bytes = await size(from);
      if (bytes === undefined) throw new MissingObject(from);
      await join(checkedKey(to), new Uint8Array(), [{ key: checkedKey(from), bytes }]);
    },
    size,
    remove,
    get: async (key, range) => {
      checkedKey(key);
      if (!isEmpty(range)) return await readWhole(location, key, range);
      return (await size(key)) === undefined ? undefined : Buffer.alloc(0);
    },
    stream: (key, range) => {
      checkedKey(key);
      const pieces = isEmpty(range) ? [] : readPieces(location, key, range);
      return Readable.from(pieces, { objectMode: false, highWaterMark: 256 * 1024 });
    },
    list: listing.names,
    check: async () => {
      const key = `${CHECKS}${randomBytes(9).toString('hex')}`;
      await put(key, Buffer.from('ok'));
      await remove(key);
    },
    sweep: createSweep(location, listing),
    bytes: createBytes(listing),
    direct: createDirect(location, join),
  };
};
