/** Sends a list: its beginning for a preview, or all of it with progress. */
import { beginsWith, GZIP, ZIP } from '../../files/file-signatures.ts';
import { type Api, type ApiFault, faultOf, noAnswer, urlOf } from '../api.ts';
import type { Batch, Preview } from '../calls.ts';
import { type ListOptions, queryOf } from './list-options.ts';

/** Enough for the thousand rows of a preview. */
const BEGINNING_BYTES = 1024 * 1024;
/** Packed lists, such as workbooks, cannot be read in part. */
const isPacked = async (file: Blob): Promise<boolean> => {
  const start = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return beginsWith(start, ZIP) || beginsWith(start, GZIP);
};

/** Previews a list: a CSV by its first bytes, a packed list as a whole. @throws {ApiFault} */
export const previewFile = async (
  api: Api,
  file: File,
  listOptions: ListOptions,
  signal: AbortSignal,
): Promise<Preview> => {
  const { filename: _, ...query } = queryOf(file.name, listOptions);
  const whole = file.size <= BEGINNING_BYTES || (await isPacked(file));
  return await api.call('POST /v1/client/shipment/rates/batches', {
    query: { ...query, preview: 'report', bytes: whole ? undefined : String(file.size) },
    file: whole ? file : file.slice(0, BEGINNING_BYTES),
    signal,
  });
};

export interface Upload {
  readonly done: Promise<Batch>;
  readonly abort: () => void;
}

const isBatch = (body: unknown): body is Batch => typeof body === 'object' && body !== null && 'id' in body;

/**
 * Uploads the whole list with `XMLHttpRequest`, because `fetch` does not report upload progress.
 * @param key the idempotency key: requests with the same key make one batch
 * @param onSent receives the bytes sent so far
 * @returns `done` rejects with an `ApiFault`
 */
export const uploadFile = (
  api: Api,
  file: File,
  listOptions: ListOptions,
  key: string,
  onSent: (bytes: number) => void,
): Upload => {
  const request = new XMLHttpRequest();
  let stopped = false;
  const done = new Promise<Batch>((resolve, reject: (fault: ApiFault) => void) => {
    const send = (): void => {
      request.open('POST', urlOf('POST /v1/client/shipment/rates/batches', { query: queryOf(file.name, listOptions) }));
      request.responseType = 'json';
      const headers = {
        ...api.headersOf('POST /v1/client/shipment/rates/batches'),
        'Content-Type': 'application/octet-stream',
        'Idempotency-Key': key,
      };
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.send(file);
    };
    const refused = async (fault: ApiFault): Promise<void> => {
      const again = await api.renewed(fault);
      if (!again) reject(fault);
      else if (!stopped) send();
    };
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const body: unknown = request.response;
      if (request.status === 202 && isBatch(body)) resolve(body);
      else void refused(faultOf(request.status, body));
    });
    request.addEventListener('error', () => reject(noAnswer()));
    send();
  });
  const abort = (): void => {
    stopped = true;
    request.abort();
  };
  return { done, abort };
};
