/** The service's client for commands. Its faults become messages that say what to do. */
import { type ApiCalls, type Caller, createClient, type Waiting } from '../../http/client/client.ts';
import { type ApiFault, asFault, networkCode } from '../../http/client/fault.ts';
import { operationsOf } from '../../http/client/operations.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { problemLines } from './list-options.ts';

export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

export interface RemoteOptions {
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
  'service.unavailable': 'Try again later, or ask the operator of the service.',
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
