/** Uploads a list, watches the batch, and downloads files. Survives lost connections and restarts of the service. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { BATCHES_PATH } from '../../batch/output/links.ts';
import { isFinal } from '../../batch/status.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import type { OutputFile } from '../rate/output-file.ts';
import { batchBody, type Remote, type RemoteBatch, RemoteFailure } from './remote.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 1_000;
/** The longest outage of the service that is waited for. */
const PATIENCE_MS = 600_000;

/** How to wait for a service that does not answer. */
export interface Patience {
  /** Called before each retry. */
  readonly onLost: (failure: RemoteFailure) => void;
  readonly signal: AbortSignal;
}

/** Retries a call until it succeeds, fails for good, or the outage is too long. */
export const persistently = async <T>(ask: () => Promise<T>, { onLost, signal }: Patience): Promise<T> => {
  const begun = performance.now();
  for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RemoteFailure) || !error.passing || performance.now() - begun > PATIENCE_MS) throw error;
      onLost(error);
      await sleep(Math.max(pauseMs, error.retryAfterMs), undefined, { signal });
    }
  }
};

/** Calls that are about one batch. If there is no such batch, the failure names it. */
export const ofBatch = async <T>(remote: Remote, id: string, asking: Promise<T>): Promise<T> => {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof RemoteFailure) || error.fault !== 'request.notFound') throw error;
    throw new CommandFailure(
      `The client ${remote.clientId} has no batch ${id} at ${remote.server}. \`rates batch list\` lists its batches.`,
      EXIT.failed,
      { cause: error },
    );
  }
};

/** The path of a batch, or of one of its files. */
export const batchPath = (id: string, ...below: readonly string[]): string =>
  [BATCHES_PATH, encodeURIComponent(id), ...below].join('/');

export interface Sending {
  /** The bytes of the list. Each call begins at the start. */
  readonly content: () => AsyncIterable<Uint8Array>;
  /** True if `content` can be called again. */
  readonly repeatable: boolean;
}

/**
 * Streams a list to the service. If the connection breaks, sends it again with the same key, so that the service makes only
 * one batch.
 * @returns the queued batch
 * @throws {RemoteFailure} also if the service does not answer at first
 */
export const uploadList = async (
  remote: Remote,
  { content, repeatable }: Sending,
  query: URLSearchParams,
  patience: Patience,
): Promise<RemoteBatch> => {
  // Gets a token first: a stream that is refused for its token could not be sent again.
  const callFirst = async (): Promise<void> => {
    await (await remote.call(`${BATCHES_PATH}?limit=1`)).body?.cancel();
  };
  const key = randomUUID();
  const send = (): Promise<RemoteBatch> =>
    remote.json(`${BATCHES_PATH}?${query}`, batchBody, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': key },
      body: ReadableStream.from(content()),
      duplex: 'half',
    });
  await callFirst();
  if (!repeatable) return await send();
  let isFirst = true;
  const sendAgain = async (): Promise<RemoteBatch> => {
    if (!isFirst) await callFirst();
    isFirst = false;
    return await send();
  };
  return await persistently(sendAgain, patience);
};

/**
 * Polls a batch or a comparison until it is final.
 * @param path of the resource
 * @throws {RemoteFailure} also if the service does not answer at first
 */
export const watchAt = async <T extends { readonly status: string }>(
  remote: Remote,
  path: string,
  body: z.ZodType<T>,
  onChange: (seen: T) => void,
  patience: Patience,
): Promise<T> => {
  const look = (): Promise<T> => remote.json(path, body);
  let seen = await look();
  for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(pauseMs * 1.3, LONGEST_MS)) {
    onChange(seen);
    if (isFinal(seen.status)) return seen;
    await sleep(pauseMs, undefined, { signal: patience.signal });
    seen = await persistently(look, patience);
  }
};

export const watchBatch = (
  remote: Remote,
  id: string,
  onBatch: (batch: RemoteBatch) => void,
  patience: Patience,
): Promise<RemoteBatch> => watchAt(remote, `${BATCHES_PATH}/${encodeURIComponent(id)}`, batchBody, onBatch, patience);

/** Receives the bytes so far and the total if known. */
type OnBytes = (done: number, total: number | null) => void;

const fetchInto = async (remote: Remote, path: string, output: OutputFile, onBytes: OnBytes): Promise<void> => {
  // The service may redirect to the store.
  const answer = await remote.call(path, { redirect: 'follow' });
  const length = answer.headers.get('content-length');
  const total = length === null ? null : Number(length);
  let done = 0;
  try {
    if (answer.body === null) return;
    for await (const bytes of answer.body) {
      await output.write(bytes);
      done += bytes.length;
      onBytes(done, total);
    }
  } catch (error) {
    // Undici reports a connection that broke within a body as a TypeError.
    if (error instanceof TypeError)
      throw new RemoteFailure(`The connection was lost during a download from ${remote.server}.`, {
        passing: true,
        cause: error,
      });
    throw error;
  }
};

/** Downloads a file. Starts again if the connection is lost. */
export const download = async (
  remote: Remote,
  path: string,
  openFile: () => Promise<OutputFile>,
  patience: Patience,
  onBytes: OnBytes = () => undefined,
): Promise<void> => {
  await persistently(async () => {
    const output = await openFile();
    try {
      await fetchInto(remote, path, output, onBytes);
      await output.commit();
    } catch (error) {
      await output.abandon();
      if (error instanceof RemoteFailure && error.passing && !output.canBeginAgain)
        throw new CommandFailure(`${error.message} The output is incomplete.`);
      throw error;
    }
  }, patience);
};
