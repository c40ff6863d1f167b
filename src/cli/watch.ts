/** A batch sent, watched to its end and fetched, across lost connections and restarts of the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from './exit.ts';
import type { OutputFile } from './output-file.ts';
import { batchBody, type Remote, type RemoteBatch, RemoteFailure } from './remote.ts';

const BATCHES_PATH = '/v1/client/shipment/rates/batches';
const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

const SHORTEST_MS = 100;
const LONGEST_MS = 1_000;
/** How long the service may be away. */
const PATIENCE_MS = 600_000;

/** What `onLost` is told of: the service is away, since when, and what was last heard. */
export type OnLost = (failure: RemoteFailure) => void;

/**
 * Streams a list to the service.
 * @returns the batch, queued
 */
export const uploadList = async (
  remote: Remote,
  content: AsyncIterable<Uint8Array>,
  query: URLSearchParams,
): Promise<RemoteBatch> => {
  // A token first: a stream that was refused for its token could not be sent again.
  await (await remote.call(`${BATCHES_PATH}?limit=1`)).body?.cancel();
  return await remote.json(`${BATCHES_PATH}?${query}`, batchBody, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: ReadableStream.from(content),
    duplex: 'half',
  });
};

/** Asks until there is an answer: what passes is waited for, as long as the service is not away for too long. */
const persistently = async <T>(ask: () => Promise<T>, onLost: OnLost, signal: AbortSignal): Promise<T> => {
  const begun = performance.now();
  for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RemoteFailure) || !error.passing || performance.now() - begun > PATIENCE_MS) throw error;
      onLost(error);
      await sleep(pauseMs, undefined, { signal });
    }
  }
};

/** Looks at a batch until it is final. */
export const watchBatch = async (
  remote: Remote,
  id: string,
  onBatch: (batch: RemoteBatch) => void,
  onLost: OnLost,
  signal: AbortSignal,
): Promise<RemoteBatch> => {
  for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(pauseMs * 1.3, LONGEST_MS)) {
    const look = (): Promise<RemoteBatch> => remote.json(`${BATCHES_PATH}/${encodeURIComponent(id)}`, batchBody);
    const batch = await persistently(look, onLost, signal);
    onBatch(batch);
    if (FINAL.includes(batch.status)) return batch;
    await sleep(pauseMs, undefined, { signal });
  }
};

const fetchInto = async (remote: Remote, path: string, output: OutputFile): Promise<void> => {
  const answer = await remote.call(path);
  try {
    if (answer.body !== null) for await (const bytes of answer.body) await output.write(bytes);
  } catch (error) {
    // Undici tells of a connection that broke in the middle of a body as of a type error.
    if (error instanceof TypeError)
      throw new RemoteFailure(`The connection was lost while downloading from ${remote.server}.`, true, undefined, {
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
  onLost: OnLost,
  signal: AbortSignal,
): Promise<void> => {
  await persistently(
    async () => {
      const output = await openFile();
      try {
        await fetchInto(remote, path, output);
        await output.commit();
      } catch (error) {
        await output.abandon();
        if (error instanceof RemoteFailure && error.passing && !output.canBeginAgain)
          throw new CommandFailure(`${error.message} What was written is not whole.`);
        throw error;
      }
    },
    onLost,
    signal,
  );
};
