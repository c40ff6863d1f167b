/**
 * Putting one object together from others. What is long enough for a part of a multipart upload is copied by the server
 * itself; shorter ones, and what makes up the first part's length, pass through here.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { asked, PATIENT, type Place } from './s3-client.ts';
import { readWhole } from './s3-read.ts';
import { type ByteRange, type DirectStore, type Piece, StoreFailure } from './store.ts';

/** All parts but the last have at least so much, and there are at most so many (Amazon S3, multipart upload limits). */
export const LEAST_PART_BYTES = 5 * 1024 * 1024;
export const MOST_PARTS = 10_000;

/** Copied in one call, which the server answers when it is done. */
const MOST_COPIED_BYTES = 64 * 1024 * 1024;

/** Parts that are on their way at once, each of them in memory. */
const AT_ONCE = 3;

export interface Section extends ByteRange {
  readonly key: string;
}

/** One part of the upload: a section that is copied, or several that are sent, behind the head where it is the first. */
export type JoinedPart = { readonly copied: Section } | { readonly sent: readonly Section[]; readonly first: boolean };

/** How a head and pieces make up parts of at least so many bytes, but for the last, and of no more than is copied at once. */
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

const bytesOf = async (place: Place, { sent, first }: Extract<JoinedPart, { sent: unknown }>, head: Uint8Array) => {
  const read = async ({ key, from, to }: Section): Promise<Buffer> => {
    const bytes = await readWhole(place, key, { from, to });
    if (bytes?.length === to - from) return bytes;
    throw new StoreFailure(`give ${key}`, { cause: new Error('it is not what it was') });
  };
  const sections = await Promise.all(sent.map(read));
  return Buffer.concat(first ? [head, ...sections] : sections);
};

const copySource = ({ bucket, root }: Place, key: string): string =>
  [bucket, ...`${root}${key}`.split('/')].map(encodeURIComponent).join('/');

export const createJoin =
  (place: Place): DirectStore['join'] =>
  async (key, head, pieces) => {
    const { client, bucket, root } = place;
    const target = { Bucket: bucket, Key: `${root}${key}` };
    const total = pieces.reduce((sum, { bytes }) => sum + bytes, head.length);
    const parts = planJoin(head.length, pieces, Math.max(LEAST_PART_BYTES, Math.ceil(total / (MOST_PARTS - 1))));
    const [only] = parts;
    if (only !== undefined && parts.length === 1 && 'sent' in only) {
      const Body = await bytesOf(place, only, head);
      await asked(`take ${key}`, client.send(new PutObjectCommand({ ...target, Body })));
      return;
    }
    const began = await asked(`take ${key}`, client.send(new CreateMultipartUploadCommand(target)));
    const upload = { ...target, UploadId: began.UploadId };
    const write = async (part: JoinedPart, PartNumber: number): Promise<{ ETag?: string | undefined }> => {
      if ('sent' in part) {
        const Body = await bytesOf(place, part, head);
        return await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
      }
      const { key: from, from: start, to } = part.copied;
      const range = { CopySource: copySource(place, from), CopySourceRange: `bytes=${start}-${to - 1}` };
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
      // What is left of it where this fails too is swept.
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      throw new StoreFailure(`put ${key} together`, { cause: error });
    }
  };
