/** The service's client for commands. Its faults become messages that say what to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from '../../batch/status.ts';
import {
  type ApiCalls,
  type Batch,
  type Caller,
  type Content,
  createClient,
  type Uploading,
  type Waiting,
} from '../../http/client/client.ts';
import { type ApiFault, asFault, networkCode, noAnswer } from '../../http/client/fault.ts';
import { operationsOf } from '../../http/client/operations.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import type { OutputFile } from '../rate/output-file.ts';
import { problemLines } from './list-options.ts';

export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

interface RemoteOptions {
  /** Without a path: `http://127.0.0.1:3000`. */
  readonly server: string;
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
  /** Timeout for calls that send no list and read the whole response. */
  readonly callMs?: number;
}

const UNAUTHORIZED_HELP =
  'Name a client with --client-id and --client-secret, with RATES_CLIENT_ID and RATES_CLIENT_SECRET, or with `rates login`.';

/** Advice for faults whose messages address developers. */
const REMEDIES: Readonly<Record<string, string>> = {
  'idempotency.keyReused': 'The list was changed while it was sent. Run the command again.',
  'service.unavailable': 'If that does not help, ask the operator of the service.',
  'request.rateLimited': 'Try again later, or ask the operator to raise the limit.',
  'batches.expired': 'Send the list again.',
  'batches.notReady': 'Wait for it with `rates batch --watch`, or take the rated rows with --partial.',
};

/** What is wrong with a connection, and what to do. */
const lostText = (code: string): { readonly how: string; readonly remedy: string } => {
  const start = 'Start the service with `rates serve`, or name another with --server.';
  if (code === 'ECONNREFUSED') return { how: 'Nothing answers', remedy: start };
  if (code === 'ENOTFOUND') return { how: 'The host is unknown', remedy: 'Check --server and the network.' };
  if (/^ERR_SSL|^EPROTO/.test(code))
    return { how: 'There is no secure connection', remedy: 'Maybe --server must begin with http://.' };
  if (/CERT|SIGNATURE/.test(code))
    return {
      how: 'The certificate is not trusted',
      remedy: 'Name a file with its issuer in NODE_EXTRA_CA_CERTS.',
    };
  return { how: 'The connection was lost or could not be made', remedy: start };
};

const textOf = (fault: ApiFault): string => {
  const { status, type, message, arguments: args, cause } = fault;
  const server = String(args['server']);
  if (type === 'unknown')
    return status >= 200 && status < 300
      ? `The program at ${server} is not this service. Check --server.`
      : `Another program answered with status ${status}. Check --server.`;
  if (status === 0) {
    if (cause instanceof Error && cause.name === 'TimeoutError')
      return `${server} did not answer in time. It may be busy, or a proxy may block the call.`;
    const code = networkCode(cause);
    const { how, remedy } = lostText(code);
    return `${how} at ${server}${code === '' ? '' : ` (${code})`}. ${remedy}`;
  }
  if (status === 401) return `${message} ${UNAUTHORIZED_HELP}`;
  if (status === 403) return message;
  const words = [message, REMEDIES[type] ?? ''].join(' ').trim();
  const lists =
    type === 'createBatch.invalidFile' || (type !== 'idempotency.inProgress' && Object.keys(args).length > 1);
  return lists ? `${words}\n${problemLines(args).join('\n')}` : words;
};

/** A failure because the service refused a call or was unreachable. */
export class RemoteFailure extends CommandFailure {
  readonly fault: ApiFault;

  constructor(fault: ApiFault) {
    const isRefused = (fault.status === 401 || fault.status === 403) && fault.type !== 'unknown';
    super(textOf(fault), isRefused ? EXIT.unauthorized : EXIT.failed, { cause: fault });
    this.name = 'RemoteFailure';
    this.fault = fault;
  }
}

const refuse = (error: unknown): never => {
  throw new RemoteFailure(asFault(error));
};

/** For `.catch`, like `asFault`. */
export const failureOf = (error: unknown): RemoteFailure => {
  if (error instanceof RemoteFailure) return error;
  throw error;
};

/** The longest service outage to wait for. */
const PATIENCE_MS = 600_000;

/** Waits for an unresponsive service. @param onLost called before each retry */
export const patiently = (
  signal: AbortSignal,
  onLost: (failure: RemoteFailure) => void = () => undefined,
): Patience => ({
  ...{ signal, patienceMs: PATIENCE_MS },
  onRetry: (fault) => onLost(new RemoteFailure(fault)),
});
export type Patience = Waiting & { readonly signal: AbortSignal; readonly onRetry: (fault: ApiFault) => void };

/** The client's calls, which throw a `RemoteFailure` instead of a fault. Nothing is retried without patience. */
export const createRemote = ({ server, credentials, signal, callMs }: RemoteOptions) => {
  const { id: clientId, secret: clientSecret } = credentials;
  const client = createClient({ server, clientId, clientSecret, signal, patienceMs: 0, ...(callMs && { callMs }) });
  const caller: Caller<ApiCalls> = {
    server,
    call: (name, asked) => client.call(name, asked).catch(refuse),
    answerOf: (name, asked) => client.answerOf(name, asked).catch(refuse),
  };
  return {
    ...{ ...caller, ...operationsOf(caller), clientId },
    /** Gets a token, which also verifies the secret. */
    signIn: () => client.signIn().catch(refuse),
  };
};
export type Remote = ReturnType<typeof createRemote>;

/* Uploads a list, watches the batch, and downloads files. Survives lost connections and restarts of the service. */

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
