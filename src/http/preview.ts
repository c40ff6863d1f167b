/** `POST /v1/client/shipment/rates/batches?preview=true`: a list is looked at, and nothing is queued or kept. */
import type { Request, Response } from 'express';
import { asUtf8, type Encoding, NotEncoded } from '../batch/encoding.ts';
import { type Beginning, isEnough, PREVIEW_BYTES, type PreviewContext, previewList } from '../batch/preview.ts';
import type { Shipper } from '../rating/card.ts';
import type { CreateOptions } from './batch-options.ts';
import type { HttpFault } from './faults.ts';
import { openList, StoppedUpload, type UploadLimits } from './list-body.ts';
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
  bytesSaid: number | undefined,
  limits: UploadLimits,
): Promise<Beginning | HttpFault> => {
  const opened = await openList(req, limits);
  if ('type' in opened) return opened;
  let encoding: Encoding = 'utf-8';
  let received = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of opened.list) {
      received += piece.length;
      yield piece;
    }
  };
  const text = asUtf8(counted(), context.reading.encoding, (found) => {
    encoding = found;
  });
  const { bytes, ended } = await take(text, context);
  const complete = ended && (bytesSaid === undefined || received >= bytesSaid);
  return { bytes, complete, encoding, totalBytes: totalBytes(req, bytesSaid, encoding) };
};

/** Answers 200 with the preview. @returns what the list is refused for; nothing was answered then */
export const sendPreview = async (
  req: Request,
  res: Response,
  options: CreateOptions,
  shipper: Shipper,
  now: Date,
  limits: UploadLimits,
): Promise<HttpFault | undefined> => {
  const { reading, schedule } = options;
  const context = { reading, schedule, shipper, now, maximumRowBytes: limits.maximumRowBytes };
  try {
    const beginning = await beginningOf(req, context, options.bytes, limits);
    if ('type' in beginning) return beginning;
    const preview = await previewList(beginning, context);
    if ('problems' in preview) return invalidFile(preview.problems);
    if ('kind' in preview) return refusalFault(preview, limits);
    sendJson(res, 200, preview);
    // What is still sent is read and dropped, so that its sender gets to see the answer.
    req.removeAllListeners('readable');
    req.resume();
    return undefined;
  } catch (error) {
    if (error instanceof StoppedUpload) return error.fault;
    if (error instanceof NotEncoded) return invalidFile({ file: error.problem });
    throw error;
  }
};
