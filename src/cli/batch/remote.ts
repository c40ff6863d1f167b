/** An HTTP client for the service: tokens, calls, and failures as messages. */
import { z } from 'zod';
import { withDeadline } from '../../base/deadline.ts';
import type { FaultBody } from '../../rating/fault.ts';
import { CommandFailure, EXIT, type ExitCode } from '../exit.ts';
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
  /** Timeout for calls that send no file and read the whole response. */
  readonly callMs?: number;
}

const errorBody = z.object({
  code: z.number(),
  fault: z.object({ type: z.string(), message: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

const tokenBody = z.object({ access_token: z.string() });

/** A batch as the API returns it. Unknown members are kept. */
export const batchBody = z.looseObject({
  id: z.string(),
  status: z.string(),
  outcome: z.string().nullable(),
  rows: z.object({ total: z.number().nullable(), processed: z.number(), quoted: z.number(), faulted: z.number() }),
  faults: z.record(z.string(), z.number()),
  findings: z.array(z.looseObject({ message: z.string() })),
  failure: z.looseObject({ message: z.string() }).nullable(),
  links: z.looseObject({ self: z.string(), output: z.string(), faults: z.string() }),
});
export type RemoteBatch = z.output<typeof batchBody>;

interface RemoteFailureOptions extends ErrorOptions {
  /** True if a retry may succeed. */
  readonly passing: boolean;
  /** The shortest time before a retry. */
  readonly retryAfterMs?: number;
  readonly exitCode?: ExitCode;
  /** The fault that the service answered with. */
  readonly answered?: FaultBody;
}

/** The service refused a call or could not be reached. */
export class RemoteFailure extends CommandFailure {
  readonly passing: boolean;
  readonly retryAfterMs: number;
  readonly answered: FaultBody | undefined;

  constructor(message: string, { passing, retryAfterMs = 0, exitCode, answered, ...options }: RemoteFailureOptions) {
    super(message, exitCode, options);
    this.name = 'RemoteFailure';
    this.passing = passing;
    this.retryAfterMs = retryAfterMs;
    this.answered = answered;
  }

  /** The type of the fault that the service answered with. */
  get fault(): string | undefined {
    return this.answered?.type;
  }
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

const MOST_WAIT_MS = 60_000;

/** `Retry-After` in seconds, the only form that this service sends. */
const retryAfterMs = (answer: Response): number => {
  const seconds = Number(answer.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(MOST_WAIT_MS, Math.max(0, seconds * 1_000)) : 0;
};

const refusal = async (answer: Response): Promise<RemoteFailure> => {
  const { status } = answer;
  const parsed = errorBody.safeParse(await answer.json().catch(() => undefined));
  const passing = { passing: status === 429 || status >= 500, retryAfterMs: retryAfterMs(answer) };
  if (!parsed.success)
    return new RemoteFailure(`Another program answered with status ${status}. Check --server.`, passing);
  const { fault: answered } = parsed.data;
  const { type, message, arguments: args } = answered;
  if (status === 401 || status === 403)
    return new RemoteFailure(status === 401 ? `${message} ${UNAUTHORIZED_HELP}` : message, {
      passing: false,
      exitCode: EXIT.unauthorized,
      answered,
    });
  const lists = type === 'createBatch.invalidFile' || Object.keys(args).length > 1;
  const words = [message, REMEDIES[type] ?? ''].join(' ').trim();
  // An interrupted request holds its key for some time.
  if (type === 'idempotency.inProgress') return new RemoteFailure(words, { ...passing, passing: true, answered });
  return new RemoteFailure(lists ? `${words}\n${problemLines(args).join('\n')}` : words, { ...passing, answered });
};

/** What went wrong with a connection, what to do, and whether a retry may succeed. */
const lostText = (code: string): { readonly how: string; readonly remedy: string; readonly passing: boolean } => {
  const start = 'Start the service with `rates serve`, or name another with --server.';
  if (code === 'ECONNREFUSED') return { how: 'Nothing answers', remedy: start, passing: true };
  if (code === 'ENOTFOUND')
    return { how: 'The host is unknown', remedy: 'Check --server and the network.', passing: true };
  if (/^ERR_SSL|^EPROTO/.test(code))
    return { how: 'There is no secure connection', remedy: 'Maybe --server must begin with http://.', passing: false };
  if (/CERT|SIGNATURE/.test(code))
    return {
      how: 'The certificate is not trusted',
      remedy: 'Name a file with its issuer in NODE_EXTRA_CA_CERTS.',
      passing: false,
    };
  return { how: 'The connection was lost or could not be made', remedy: start, passing: true };
};

const lost = (server: string, error: unknown): RemoteFailure => {
  if (error instanceof Error && error.name === 'TimeoutError')
    return new RemoteFailure(`${server} did not answer in time. It may be busy, or a proxy may block the call.`, {
      passing: true,
      cause: error,
    });
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // The code of a DOMException is a meaningless number.
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const { how, remedy, passing } = lostText(code);
  const words = `${how} at ${server}${code === '' ? '' : ` (${code})`}. ${remedy}`;
  return new RemoteFailure(words, { passing, cause: error });
};

/**
 * A response whose body ends when the signal aborts. On Node 20.20 and 22, `fetch` loses its signal if garbage is collected
 * after the headers have arrived.
 */
const endingWith = (signal: AbortSignal, answer: Response): Response =>
  new Response(answer.body?.pipeThrough(new TransformStream(), { signal }), answer);

export interface Remote {
  readonly server: string;
  /** The id of the client that calls. */
  readonly clientId: string;
  /** Gets a token, and so checks the secret. @throws {RemoteFailure} */
  readonly signIn: () => Promise<void>;
  /** @returns a successful response @throws {RemoteFailure} */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  readonly json: <T>(path: string, schema: z.ZodType<T>, init?: RequestInit) => Promise<T>;
}

const CALL_MS = 30_000;

export const createRemote = ({ server, credentials, signal, callMs = CALL_MS }: RemoteOptions): Remote => {
  let token: string | undefined;

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      const answer = await fetch(new URL(path, server), { signal, redirect: 'error', ...init });
      return endingWith(init.signal ?? signal, answer);
    } catch (error) {
      if (signal.aborted) throw error;
      throw lost(server, error);
    }
  };

  const parse = async <T>(answer: Response, schema: z.ZodType<T>): Promise<T> => {
    try {
      return schema.parse(await answer.json());
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof z.ZodError || error instanceof SyntaxError)
        throw new RemoteFailure(`The program at ${server} is not this service. Check --server.`, {
          passing: false,
        });
      throw lost(server, error);
    }
  };

  const newToken = (): Promise<string> =>
    withDeadline(callMs, signal, async (inTime) => {
      const answer = await send('/token/generate', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_id: credentials.id, client_secret: credentials.secret }),
        signal: inTime,
      });
      if (!answer.ok) throw await refusal(answer);
      return (await parse(answer, tokenBody)).access_token;
    });

  const call: Remote['call'] = async (path, init = {}) => {
    token ??= await newToken();
    const attempt = (bearer: string): Promise<Response> =>
      send(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${bearer}` } });
    let answer = await attempt(token);
    // A token expires after an hour or when its secret is revoked. A stream cannot be sent twice.
    if (answer.status === 401 && (init.body === undefined || typeof init.body === 'string')) {
      await answer.body?.cancel();
      token = await newToken();
      answer = await attempt(token);
    }
    if (!answer.ok) throw await refusal(answer);
    return answer;
  };

  return {
    server,
    clientId: credentials.id,
    signIn: async () => {
      token = await newToken();
    },
    call,
    json: async (path, schema, init = {}) => {
      if (init.body !== undefined) return await parse(await call(path, init), schema);
      return await withDeadline(callMs, signal, async (inTime) =>
        parse(await call(path, { signal: inTime, ...init }), schema),
      );
    },
  };
};
