/** Uploads a list: first its beginning for the preview, then all of it with progress. A retry makes no second batch. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { beginsWith, GZIP, ZIP } from '../../file-signatures.ts';
import { type Api, type ApiFault, asFault, faultOf, noAnswer, urlOf, useApi } from '../api.ts';
import type { Batch, Preview } from '../calls.ts';
import { newKey } from '../idempotency.ts';
import { goTo, href } from '../navigation.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice, Progress } from '../ui/feedback.tsx';
import { bytes, percent } from '../ui/format.ts';
import { type ListOptions, queryOf } from './list-options.tsx';

interface RunProps {
  readonly file: File;
  readonly listOptions: ListOptions;
  readonly label: string;
  readonly disabled: boolean;
  /** Called when sending begins and ends. */
  readonly onSending: (sending: boolean) => void;
}

/** The idempotency key: the same while file and options stay the same, so that a retry is safe. */
const useKey = (file: File, listOptions: ListOptions): (() => string) => {
  const intent = JSON.stringify(queryOf(file.name, listOptions));
  const kept = useRef<{ readonly file: File; readonly intent: string; readonly key: string } | undefined>(undefined);
  return () => {
    if (kept.current?.file !== file || kept.current.intent !== intent) kept.current = { file, intent, key: newKey() };
    return kept.current.key;
  };
};

export const Run = ({ file, listOptions, label, disabled, onSending }: RunProps) => {
  const api = useApi();
  const keyOf = useKey(file, listOptions);
  const upload = useRef<Upload | undefined>(undefined);
  const [sent, setSent] = useState<number>();
  const [fault, setFault] = useState<ApiFault>();
  const stop = (): void => {
    upload.current?.abort();
    upload.current = undefined;
    setSent(undefined);
  };
  const sending = sent !== undefined;
  useEffect(() => onSending(sending), [onSending, sending]);
  useEffect(() => () => upload.current?.abort(), []);
  useEffect(() => setFault(undefined), [file, listOptions]);

  const run = async (): Promise<void> => {
    // A second click can come before the next render.
    if (upload.current !== undefined) return;
    setFault(undefined);
    setSent(0);
    const own = uploadFile(api, file, listOptions, keyOf(), setSent);
    upload.current = own;
    try {
      goTo(href.batch((await own.done).id));
    } catch (error) {
      if (upload.current === own) stop();
      setFault(asFault(error));
    }
  };
  return (
    <div class="run">
      {fault === undefined ? null : <FaultNotice fault={fault} title="The list was refused" />}
      {sent === undefined ? (
        <Button kind="primary" onClick={() => void run()} disabled={disabled}>
          {label}
        </Button>
      ) : (
        <div class="run-progress">
          <Progress label="Upload" value={sent} max={file.size} />
          <p class="hint">
            {sent < file.size
              ? `${bytes(sent)} of ${bytes(file.size)} sent, ${percent(sent, file.size)}`
              : 'All sent. The service is reading the list.'}
          </p>
          <p class="hint">Keep this page open until the batch appears. Leaving it stops the upload.</p>
          <Button onClick={stop}>Stop</Button>
        </div>
      )}
    </div>
  );
};

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
  return await api.call('preview', {
    query: { ...query, preview: 'true', bytes: whole ? undefined : String(file.size) },
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
const uploadFile = (
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
      request.open('POST', urlOf('createBatch', { query: queryOf(file.name, listOptions) }));
      request.responseType = 'json';
      const headers = {
        ...api.headersOf('createBatch'),
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
