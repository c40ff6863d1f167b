/** `POST /v1/client/shipment/rates/batches?preview=true`: a list is looked at, and nothing is queued or kept. */
import type { Request, Response } from 'express';
import { newBatchId } from '../batch/batches.ts';
import { keys } from '../batch/records.ts';
import { type Encoding, NotEncoded } from '../list/encoding.ts';
import { type Beginning, isEnough, PREVIEW_BYTES, type PreviewContext, previewList } from '../list/preview.ts';
import type { Preview } from '../list/preview-body.ts';
import { UnreadablePart } from '../list/xml-events.ts';
import type { Shipper } from '../rating/card.ts';
import type { Store } from '../store/store.ts';
import type { CreateOptions } from './batch-options.ts';
import type { HttpFault } from './faults.ts';
import { openList, StoppedUpload, type UploadLimits } from './list-body.ts';
import { type ListPlace, listText } from './list-text.ts';
import { sendJson } from './reply.ts';
import { invalidFile, refusalFault } from './upload.ts';

/** Looked at for the first time when so much is there, then each time that it has doubled. */
const FIRST_LOOK_BYTES = 256 * 1024;

interface Taken {
  readonly bytes: Buffer;
  readonly ended: boolean;
}

/** As many of the first bytes as a preview needs. */
const take = async (text: AsyncIterable<Buffer>, context: PreviewContext): Promise<Taken> => {
  const pieces: Buffer[] = [];
  let size = 0;
  let look = FIRST_LOOK_BYTES;
  for await (const piece of text) {
    pieces.push(piece);
    size += piece.length;
    if (size < look) continue;
    look = size * 2;
    if (size < PREVIEW_BYTES && !isEnough(Buffer.concat(pieces), context)) continue;
    return { bytes: Buffer.concat(pieces), ended: false };
  }
  return { bytes: Buffer.concat(pieces), ended: true };
};

/** The list's size in UTF-8: as said, else by the body's length where that tells. */
const totalBytes = (req: Request, said: number | undefined, encoding: Encoding): number | undefined => {
  const zipped = (req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  const length = said ?? (zipped ? undefined : Number(req.headers['content-length'] ?? Number.NaN));
  if (length === undefined || Number.isNaN(length)) return undefined;
  return encoding.startsWith('utf-16') ? length / 2 : length;
};

const beginningOf = async (
  req: Request,
  context: PreviewContext,
  place: Omit<ListPlace, 'reading'>,
  bytesSaid: number | undefined,
  limits: UploadLimits,
): Promise<Beginning | HttpFault> => {
  const opened = await openList(req, limits);
  if ('type' in opened) return opened;
  let encoding: Encoding | undefined;
  let received = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of opened.list) {
      received += piece.length;
      yield piece;
    }
  };
  const text = listText(counted(), { ...place, reading: context.reading }, limits, (found) => {
    encoding = found;
  });
  const { bytes, ended } = await take(text, context);
  const complete = ended && (bytesSaid === undefined || received >= bytesSaid);
  // What a workbook says of its size says nothing of its rows.
  const total = encoding === undefined ? undefined : totalBytes(req, bytesSaid, encoding);
  return { bytes, complete, encoding: encoding ?? 'utf-8', totalBytes: total };
};

/** @returns the preview, or what the list is refused for */
const look = async (
  req: Request,
  options: CreateOptions,
  context: PreviewContext,
  { store, limits }: PreviewDeps,
): Promise<{ readonly preview: Preview } | HttpFault> => {
  const id = newBatchId(context.now);
  try {
    const beginning = await beginningOf(req, context, { store, key: keys.input(id) }, options.bytes, limits);
    if ('type' in beginning) return beginning;
    const preview = await previewList(beginning, context);
    if ('problems' in preview) return invalidFile(preview.problems, preview.header);
    return 'kind' in preview ? refusalFault(preview, limits) : { preview };
  } catch (error) {
    if (error instanceof StoppedUpload) return error.fault;
    if (error instanceof NotEncoded || error instanceof UnreadablePart) return invalidFile({ file: error.problem });
    throw error;
  } finally {
    // A workbook lay there while it was read; nothing of it stays.
    await store.remove(keys.folder(id));
  }
};

export interface PreviewDeps {
  readonly store: Store;
  readonly limits: UploadLimits;
}

/** Answers 200 with the preview. @returns what the list is refused for; nothing was answered then */
export const sendPreview = async (
  req: Request,
  res: Response,
  options: CreateOptions,
  shipper: Shipper,
  now: Date,
  deps: PreviewDeps,
): Promise<HttpFault | undefined> => {
  const { reading, schedule } = options;
  const context = { reading, schedule, shipper, now, maximumRowBytes: deps.limits.maximumRowBytes };
  const looked = await look(req, options, context, deps);
  if ('type' in looked) return looked;
  sendJson(res, 200, looked.preview);
  // What is still sent is read and dropped, so that its sender gets to see the answer.
  req.removeAllListeners('readable');
  req.resume();
  return undefined;
};
