/** Uploads a list, watches the batch, and downloads files. Survives lost connections and restarts of the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../batch/status.ts';
import type { Batch, Content, Uploading } from '../../http/client/client.ts';
import { noAnswer } from '../../http/client/fault.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import type { OutputFile } from '../rate/output-file.ts';
import { type Patience, type Remote, RemoteFailure } from './remote.ts';

const ofOne = async <T>({ clientId, server }: Remote, what: string, asking: Promise<T>, advice = ''): Promise<T> => {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof RemoteFailure) || error.fault.type !== 'request.notFound') throw error;
    const message = `The client ${clientId} has no ${what} at ${server}.${advice}`;
    throw new CommandFailure(message, EXIT.failed, { cause: error });
  }
};

/** Makes a call about a batch. If there is no such batch, the failure names it. */
export const ofBatch = <T>(remote: Remote, id: string, asking: Promise<T>): Promise<T> =>
  ofOne(remote, `batch ${id}`, asking, ' `rates batch list` lists its batches.');

/** Makes a call about a comparison. */
export const ofComparison = <T>(remote: Remote, id: string, asking: Promise<T>): Promise<T> =>
  ofOne(remote, `comparison ${id}`, asking);

/** @throws {RemoteFailure} also if the service does not respond at first */
export const uploadList = async (remote: Remote, content: Content, uploading: Uploading & Patience): Promise<Batch> => {
  await remote.signIn();
  return await remote.upload(content, uploading);
};

/** Waits until a batch or a comparison is final. @param first its current state */
export const watchChanges = async <T extends { readonly status: string }>(
  first: T,
  changes: AsyncIterable<T>,
  onChange: (seen: T) => void,
): Promise<T> => {
  let seen = first;
  onChange(seen);
  if (isFinal(seen.status)) return seen;
  for await (seen of changes) onChange(seen);
  return seen;
};

/** @throws {RemoteFailure} also if the service does not respond at first */
export const watchBatch = async (
  remote: Remote,
  id: string,
  onBatch: (batch: Batch) => void,
  patience: Patience,
): Promise<Batch> => watchChanges(await remote.batch(id), remote.events(id, patience), onBatch);

/** Receives the bytes so far, and the total if known. */
type OnBytes = (done: number, total: number | null) => void;

/** @returns the error that broke the connection; undefined if the whole body was written */
const writeBody = async (answer: Response, output: OutputFile, onBytes: OnBytes): Promise<TypeError | undefined> => {
  const length = answer.headers.get('content-length');
  const total = length === null ? null : Number(length);
  let done = 0;
  try {
    for await (const bytes of answer.body ?? []) {
      await output.write(bytes);
      done += bytes.length;
      onBytes(done, total);
    }
    return undefined;
  } catch (error) {
    // Undici reports a connection that breaks within a body as a TypeError.
    if (error instanceof TypeError) return error;
    throw error;
  }
};

const COME_BACK_MS = 1_000;

/** Downloads a file. Restarts if the connection is lost. @param ask gets the response patiently */
export const download = async (
  { server }: Remote,
  ask: () => Promise<Response>,
  openFile: () => Promise<OutputFile>,
  { signal, patienceMs = 0, onRetry }: Patience,
  onBytes: OnBytes = () => undefined,
): Promise<void> => {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    const output = await openFile();
    try {
      const lost = await writeBody(answer, output, onBytes);
      if (lost === undefined) return await output.commit();
      signal.throwIfAborted();
      if (!output.canBeginAgain || performance.now() > until)
        throw new CommandFailure(`The connection was lost during a download from ${server}. The output is incomplete.`);
      onRetry(noAnswer(server, lost));
    } catch (error) {
      await output.abandon();
      throw error;
    }
    await output.abandon();
    await sleep(COME_BACK_MS, undefined, { signal });
  }
};
