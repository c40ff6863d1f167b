/** Lists and removes objects in a bucket, and removes abandoned uploads. */
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { isNoUpload, orStoreFailure, PATIENT, PROMPT, type S3Location } from './s3-client.ts';
import { CHECKS, checkedKey, type IsAbandoned, roomOf, type Store } from './store.ts';

interface Listing {
  /** All objects below a prefix, at any depth, page by page. */
  readonly pages: (prefix: string) => AsyncIterable<ListObjectsV2CommandOutput>;
  readonly names: Store['list'];
}

export const createListing = ({ client, bucket, root }: S3Location): Listing => {
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

export const createRemove = (location: S3Location, { pages }: Listing): Store['remove'] => {
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

export const createBytes = ({ pages }: Listing): Store['bytes'] => {
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

export const createSweep = (location: S3Location, { pages }: Listing): Store['sweep'] => {
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
