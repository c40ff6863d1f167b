/** Sending a list: its beginning to be looked at, then the whole with its progress, once however often it is sent. */
import type { Api } from '../api.ts';
import { type ApiFault, faultOf, noAnswer, urlOf } from '../api.ts';
import type { Batch, Preview } from '../calls.ts';
import { type ListOptions, queryOf } from './list-options.ts';

/** A thousand rows are looked at; they are seldom longer than this. */
const BEGINNING_BYTES = 1024 * 1024;
/** How ZIP archives, of which workbooks are one kind, and gzip begin. They cannot be read by their beginning. */
const PACKED = [
  [0x50, 0x4b],
  [0x1f, 0x8b],
];

const isPacked = async (file: Blob): Promise<boolean> => {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return PACKED.some((begin) => begin.every((byte, index) => start[index] === byte));
};

/** Has the service look at a list: of a CSV at its first bytes, of a workbook at all of it. Throws `ApiFault`. */
export const previewFile = async (api: Api, file: File, said: ListOptions, signal: AbortSignal): Promise<Preview> => {
  const { filename: _, ...query } = queryOf(file.name, said);
  const whole = file.size <= BEGINNING_BYTES || (await isPacked(file));
  return await api.call('preview', {
    query: { ...query, preview: 'true', bytes: whole ? undefined : String(file.size) },
    file: whole ? file : file.slice(0, BEGINNING_BYTES),
    signal,
  });
};

/** Random, so that no two uploads are taken for one; `randomUUID` is there on secure origins alone. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export interface Upload {
  readonly done: Promise<Batch>;
  readonly abort: () => void;
}

const isBatch = (body: unknown): body is Batch => typeof body === 'object' && body !== null && 'id' in body;

/**
 * Uploads the whole list. `fetch` does not tell how much of a body is sent, so this is an `XMLHttpRequest`.
 * @param key of one intent to upload: requests with the same key make one batch
 * @param onSent told of the bytes sent so far
 * @returns `done` is rejected with an `ApiFault`
 */
export const uploadFile = (
  api: Api,
  file: File,
  said: ListOptions,
  key: string,
  onSent: (bytes: number) => void,
): Upload => {
  const request = new XMLHttpRequest();
  const done = new Promise<Batch>((resolve, reject: (fault: ApiFault) => void) => {
    request.open('POST', urlOf('createBatch', { query: queryOf(file.name, said) }));
    request.responseType = 'json';
    const headers = {
      ...api.headersOf('createBatch'),
      'Content-Type': 'application/octet-stream',
      'Idempotency-Key': key,
    };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const body: unknown = request.response;
      if (request.status === 202 && isBatch(body)) resolve(body);
      else reject(api.heard(faultOf(request.status, body)));
    });
    request.addEventListener('error', () => reject(noAnswer()));
    request.send(file);
  });
  return { done, abort: () => request.abort() };
};
