/** A batch sent, watched to its end and fetched, across lost connections and restarts of the service. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../batch/status.ts';
import { BATCHES_PATH } from '../batch/view.ts';
import { CommandFailure } from './exit.ts';
import type { OutputFile } from './output-file.ts';
import { batchBody, type Remote, type RemoteBatch, RemoteFailure } from './remote.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 1_000;
/** How long the service may be away. */
const PATIENCE_MS = 600_000;

/** How a service is waited for that is away for a while. */
export interface Patience {
  /** Told of what went wrong each time that it is tried again. */
  readonly onLost: (failure: RemoteFailure) => void;
  readonly signal: AbortSignal;
}

/** Asks until there is an answer: what passes is waited for, as long as the service is not away for too long. */
const persistently = async <T>(ask: () => Promise<T>, { onLost, signal }: Patience): Promise<T> => {
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

export interface Sending {
  /** The list's bytes, from the beginning at each call. */
  readonly content: () => AsyncIterable<Uint8Array>;
  /** Whether there can be a second call. */
  readonly repeatable: boolean;
}

/**
 * Streams a list to the service. One that is broken off is sent again, under the same key: the service makes one batch of
 * it, even where the first had arrived and its answer was lost.
 * @returns the batch, queued
 * @throws {RemoteFailure} also where the service is away from the first
 */
export const uploadList = async (
  remote: Remote,
  { content, repeatable }: Sending,
  query: URLSearchParams,
  patience: Patience,
): Promise<RemoteBatch> => {
  // A token first: a stream that was refused for its token could not be sent again.
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
 * Looks at a batch until it is final.
 * @throws {RemoteFailure} also where the service is away from the first
 */
export const watchBatch = async (
  remote: Remote,
  id: string,
  onBatch: (batch: RemoteBatch) => void,
  patience: Patience,
): Promise<RemoteBatch> => {
  const look = (): Promise<RemoteBatch> => remote.json(`${BATCHES_PATH}/${encodeURIComponent(id)}`, batchBody);
  let batch = await look();
  for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(pauseMs * 1.3, LONGEST_MS)) {
    onBatch(batch);
    if (isFinal(batch.status)) return batch;
    await sleep(pauseMs, undefined, { signal: patience.signal });
    batch = await persistently(look, patience);
  }
};

/** Told how much has come, of how much if that is known. */
type OnBytes = (done: number, total: number | null) => void;

const fetchInto = async (remote: Remote, path: string, output: OutputFile, onBytes: OnBytes): Promise<void> => {
  // The service may send its caller on to where the file lies.
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
    // Undici tells of a connection that broke in the middle of a body as of a type error.
    if (error instanceof TypeError)
      throw new RemoteFailure(`The connection was lost while downloading from ${remote.server}.`, {
        passing: true,
        cause: error,
      });
    throw error;
  }
};

/** Downloads a file of the service, from the beginning again where the connection is lost. */
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
        throw new CommandFailure(`${error.message} What was written is not whole.`);
      throw error;
    }
  }, patience);
};
