/** Sends a list: its beginning for a preview, or all of it with progress. */

import { beginsWith, GZIP, ZIP } from '../../files/file-signatures.ts';
import type { OnSent } from '../../http/client/content.ts';
import type { Api } from '../api.ts';
import type { Batch, Preview } from '../calls.ts';
import { type ListOptions, queryOf } from './list-options.ts';

const UPLOAD = 'POST /v1/client/shipment/rates/batches';
const BYTES = 'application/octet-stream';
/** Enough for the thousand rows of a preview. */
const BEGINNING_BYTES = 1024 * 1024;
/** Packed lists, such as workbooks, cannot be read in part. */
const isPacked = async (file: Blob): Promise<boolean> => {
  const start = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return beginsWith(start, ZIP) || beginsWith(start, GZIP);
};

/** Previews a list: the first bytes of a CSV, or all of a packed list. @throws {ApiFault} */
export const previewFile = async (
  api: Api,
  file: File,
  listOptions: ListOptions,
  signal: AbortSignal,
): Promise<Preview> => {
  const { filename: _, ...query } = queryOf(file.name, listOptions);
  const whole = file.size <= BEGINNING_BYTES || (await isPacked(file));
  const answer: unknown = await api.call(UPLOAD, {
    query: { ...query, preview: 'report', bytes: whole ? undefined : String(file.size) },
    content: whole ? file : file.slice(0, BEGINNING_BYTES),
    type: BYTES,
    isHarmless: true,
    signal,
  });
  // The form of the answer depends on the parameters. No other call does this.
  return answer as Preview;
};

/**
 * Uploads the whole list.
 * @param key requests with the same key make one batch
 * @param onSent receives the bytes sent so far
 * @throws {ApiFault}
 */
export const uploadFile = (
  api: Api,
  file: File,
  listOptions: ListOptions,
  sending: { readonly key: string; readonly onSent: OnSent; readonly signal: AbortSignal },
): Promise<Batch> =>
  api.call(UPLOAD, { ...sending, content: file, query: queryOf(file.name, listOptions), type: BYTES });
