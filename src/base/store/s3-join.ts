/**
 * Joins objects into one, as a multipart upload. The server itself copies sections that are long enough for a part. Shorter
 * sections, and those that fill up the first part, pass through this process.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { orStoreFailure, PATIENT, readWhole, type S3Location } from './s3-client.ts';
import { type ByteRange, type DirectStore, type Piece, StoreFailure } from './store.ts';

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
