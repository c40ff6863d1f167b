/** The service as its caller sees it: tokens, batches and downloads over HTTP, each failure in words. */
import { z } from 'zod';
import { CommandFailure, EXIT, type ExitCode } from './exit.ts';
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
}

const errorBody = z.object({
  code: z.number(),
  fault: z.object({ type: z.string(), message: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});

const tokenBody = z.object({ access_token: z.string() });

/** A batch as the API shows it; members that this command does not know are kept. */
export const batchBody = z.looseObject({
  id: z.string(),
  status: z.string(),
  outcome: z.string().nullable(),
  rows: z.object({ total: z.number().nullable(), processed: z.number(), quoted: z.number(), faulted: z.number() }),
  faults: z.record(z.string(), z.number()),
  failure: z.looseObject({ message: z.string() }).nullable(),
  links: z.looseObject({ self: z.string(), output: z.string(), faults: z.string() }),
});
export type RemoteBatch = z.output<typeof batchBody>;

/** The service did not do what it was asked to. `passing`: it may when it is asked again. */
export class RemoteFailure extends CommandFailure {
  readonly passing: boolean;

  constructor(message: string, passing: boolean, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, exitCode, options);
    this.name = 'RemoteFailure';
    this.passing = passing;
  }
}

const UNAUTHORISED_HELP =
  'Name a client of the service with --client-id and --client-secret, or RATES_CLIENT_ID and RATES_CLIENT_SECRET.';

const refusal = async (answer: Response): Promise<RemoteFailure> => {
  const { status } = answer;
  const passing = status === 429 || status >= 500;
  const parsed = errorBody.safeParse(await answer.json().catch(() => undefined));
  if (!parsed.success)
    return new RemoteFailure(
      `The service answered ${status} in a way that is not its own: is --server right?`,
      passing,
    );
  const { type, message, arguments: args } = parsed.data.fault;
  if (status === 401) return new RemoteFailure(`${message} ${UNAUTHORISED_HELP}`, false, EXIT.unauthorised);
  if (status === 403) return new RemoteFailure(message, false, EXIT.unauthorised);
  const lists = type === 'createBatch.invalidFile' || Object.keys(args).length > 1;
  return new RemoteFailure(lists ? `${message}\n${problemLines(args).join('\n')}` : message, passing);
};

const lost = (server: string, error: unknown): RemoteFailure => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const how =
    code === 'ECONNREFUSED' || code === 'ENOTFOUND'
      ? 'Nothing answers'
      : 'The connection was lost or could not be made';
  return new RemoteFailure(
    `${how} at ${server}${code === '' ? '' : ` (${code})`}: start the service with \`rates serve\`, or name another with --server.`,
    true,
    EXIT.failed,
    { cause: error },
  );
};

export interface Remote {
  readonly server: string;
  /** A call's answer where it is a success. @throws {RemoteFailure} */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>;
  readonly json: <T>(path: string, schema: z.ZodType<T>, init?: RequestInit) => Promise<T>;
}

const CALL_MS = 30_000;

export const createRemote = ({ server, credentials, signal }: RemoteOptions): Remote => {
  let token: string | undefined;

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(new URL(path, server), { signal, redirect: 'error', ...init });
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
        throw new RemoteFailure(`What answers at ${server} is not this service: is --server right?`, false);
      throw lost(server, error);
    }
  };

  const newToken = async (): Promise<string> => {
    const answer = await send('/token/generate', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: credentials.id, client_secret: credentials.secret }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    if (!answer.ok) throw await refusal(answer);
    return (await parse(answer, tokenBody)).access_token;
  };

  const call: Remote['call'] = async (path, init = {}) => {
    token ??= await newToken();
    const attempt = (bearer: string): Promise<Response> =>
      send(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${bearer}` } });
    let answer = await attempt(token);
    // A token ends after an hour, or with the secret that it was signed with; a stream cannot be sent a second time.
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
    call,
    json: async (path, schema, init = {}) => {
      const timed = init.body === undefined ? { signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]) } : {};
      return await parse(await call(path, { ...timed, ...init }), schema);
    },
  };
};
