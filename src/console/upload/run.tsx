/** Uploads a list: first its beginning for the preview, then all of it with progress. A retry makes no second batch. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, type ApiFault, asFault, faultOf, noAnswer, urlOf, useApi } from '../api.ts';
import type { Batch, Preview } from '../calls.ts';
import { goTo, href, type Stake, useStake } from '../navigation.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice, Progress } from '../ui/feedback.tsx';
import { bytes, percent } from '../ui/format.ts';
import { type ListOptions, queryOf } from './list-options.tsx';

interface RunProps {
  readonly file: File;
  readonly said: ListOptions;
  readonly label: string;
  readonly disabled: boolean;
  /** Told when it begins to be sent, and when that is over. */
  readonly onSending: (sending: boolean) => void;
}

/** The key of what is to be uploaded: the same while neither file nor options change, so that trying again is safe. */
const useKey = (file: File, said: ListOptions): (() => string) => {
  const intent = JSON.stringify(queryOf(file.name, said));
  const kept = useRef<{ readonly file: File; readonly intent: string; readonly key: string } | undefined>(undefined);
  return () => {
    if (kept.current?.file !== file || kept.current.intent !== intent) kept.current = { file, intent, key: newKey() };
    return kept.current.key;
  };
};

const stakeOf = ({ name }: File): Stake => ({
  title: 'Stop the upload?',
  text: `${name} is still being sent. Stopped before all of it is sent, it makes no batch, and can be uploaded again; if the service has all of it by then, the batch stands under Batches.`,
  action: 'Stop the upload',
  keep: 'Keep sending',
});

export const Run = ({ file, said, label, disabled, onSending }: RunProps) => {
  const api = useApi();
  const keyOf = useKey(file, said);
  const upload = useRef<Upload | undefined>(undefined);
  const [sent, setSent] = useState<number>();
  const [fault, setFault] = useState<ApiFault>();
  const stop = (): void => {
    upload.current?.abort();
    upload.current = undefined;
    setSent(undefined);
  };
  const sending = sent !== undefined;
  useStake(sending ? stakeOf(file) : undefined);
  useEffect(() => onSending(sending), [onSending, sending]);
  useEffect(() => () => upload.current?.abort(), []);
  useEffect(() => setFault(undefined), [file, said]);

  const run = async (): Promise<void> => {
    // A second click comes before the page is drawn anew.
    if (upload.current !== undefined) return;
    setFault(undefined);
    setSent(0);
    const own = uploadFile(api, file, said, keyOf(), setSent);
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
      {fault === undefined ? null : <FaultNotice fault={fault} title="The list was not taken" />}
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
              : 'All sent; the service reads it through.'}
          </p>
          <p class="hint">Keep this page open until the batch appears: leaving it stops the upload.</p>
          <Button onClick={stop}>Stop</Button>
        </div>
      )}
    </div>
  );
};

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
const newKey = (): string =>
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
const uploadFile = (api: Api, file: File, said: ListOptions, key: string, onSent: (bytes: number) => void): Upload => {
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
