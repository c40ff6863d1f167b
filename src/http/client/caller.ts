/** Makes calls: URLs, credentials, deadlines and retries. */
import { withDeadline } from '../../base/deadline.ts';
import { bodyOf, type Content, isRepeatable, type OnSent, type Send } from './content.ts';
import { type ApiFault, asFault, faultIn, noAnswer, notOurs } from './fault.ts';

/** A table of calls, such as `ApiCalls`. */
export type Calls<T> = { readonly [N in keyof T]: { readonly query: unknown; readonly answer: unknown } };
type Name<T> = Extract<keyof T, string>;

export interface Waiting {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The longest outage or limit to wait for, in milliseconds. 0: nothing is retried. */
  readonly patienceMs?: number | undefined;
  /** Called before each retry. */
  readonly onRetry?: ((fault: ApiFault) => void) | undefined;
}

export interface Asked<T extends Calls<T>, N extends Name<T>> extends Waiting {
  /** The `{id}` or `{name}` in the path. */
  readonly id?: string | undefined;
  /** Empty parameters are omitted. */
  readonly query?: T[N]['query'] | undefined;
  /** A body that is sent as JSON. */
  readonly json?: unknown;
  /** A body that is a list. */
  readonly content?: Content | undefined;
  readonly onSent?: OnSent | undefined;
  /** The media type of the list. Default: the service detects it. */
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Idempotency key. Several requests with the same key have one effect. */
  readonly key?: string | undefined;
  /** Whether repeating the call does no harm. Default: true for a `GET` and for a call with a key. */
  readonly isHarmless?: boolean | undefined;
}

/** The credentials of a caller. */
export interface Access {
  /** Headers that authenticate the caller. */
  readonly proof: (method: string) => Promise<Readonly<Record<string, string>>>;
  /** Called after a fault, with the headers that were sent. True if the call can be repeated with new ones. */
  readonly renewed: (fault: ApiFault, sent: Readonly<Record<string, string>>) => Promise<boolean>;
}

export interface CallerOptions extends Waiting {
  /** What comes before each path: `https://rates.example.com`. */
  readonly server: string;
  /** Maps a path of the API to its path on that server. Default: the same path. */
  readonly placeOf?: ((path: string) => string) | undefined;
  readonly access: Access;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: Send | undefined;
  /** The longest time until the whole answer has arrived, in milliseconds. Uploads and downloads have no limit. */
  readonly callMs?: number | undefined;
}

export interface Caller<T extends Calls<T>> {
  readonly server: string;
  /** @returns the answer, or undefined if it has no body @throws {ApiFault} */
  readonly call: <N extends Name<T>>(name: N, asked?: Asked<T, N>) => Promise<T[N]['answer']>;
  /** Like `call`, for answers that are not JSON. The body is a stream. @throws {ApiFault} */
  readonly answerOf: <N extends Name<T>>(name: N, asked?: Asked<T, N>) => Promise<Response>;
}

const methodOf = (name: string): string => name.slice(0, name.indexOf(' '));

/** The path of a call with its parameters. */
export const pathOf = (name: string, id = '', query: unknown = {}): string => {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== '') search.set(parameter, String(value));
  const path = name.slice(name.indexOf('/')).replace(/\{(?:id|name)\}/, encodeURIComponent(id));
  return search.size === 0 ? path : `${path}?${search}`;
};

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;
/** Limit on new credentials for one call, so that a service that refuses them all is not asked forever. */
const MOST_RENEWALS = 2;

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(settle, ms);
    signal.addEventListener('abort', settle);
    if (signal.aborted) settle();
  });

/**
 * A response whose body ends when the signal aborts. On Node 20.20 and 22, `fetch` loses its signal if garbage is collected
 * after the headers have arrived.
 */
const endingWith = (signal: AbortSignal, answer: Response): Response =>
  // Chromium gives an answer without a body an empty one, which a new `Response` must not have.
  answer.body === null || answer.status === 204
    ? answer
    : new Response(answer.body.pipeThrough(new TransformStream(), { signal }), answer);

const KEY = 'Idempotency-Key';
const NEVER = new AbortController().signal;

export const createCaller = <T extends Calls<T>>(options: CallerOptions): Caller<T> => {
  const { server, placeOf = (path) => path, access, callMs } = options;
  type Given = Asked<T, Name<T>>;

  const once = async (name: string, asked: Given, signal: AbortSignal): Promise<Response> => {
    const { id, query, json, content, onSent, type, key } = asked;
    const method = methodOf(name);
    for (let renewals = 0; ; renewals++) {
      const proof = await access.proof(method);
      const { init, send = options.fetch ?? fetch } = content === undefined ? { init: {} } : bodyOf(content, onSent);
      const kind = json === undefined ? type : 'application/json';
      const own = { ...(kind !== undefined && { 'Content-Type': kind }), ...(key !== undefined && { [KEY]: key }) };
      const headers = { ...own, ...proof, ...asked.headers };
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const url = `${server}${placeOf(pathOf(name, id, query))}`;
      // The store answers some downloads. Secrets and lists are sent to no other host.
      const redirect = method === 'GET' ? 'follow' : 'error';
      const answer = await send(url, { method, headers, signal, redirect, ...body, ...init }).catch(
        (error: unknown) => {
          signal.throwIfAborted();
          throw noAnswer(server, error);
        },
      );
      if (answer.ok) return endingWith(signal, answer);
      const fault = await faultIn(answer, server);
      const canRepeat = content === undefined || isRepeatable(content);
      if (!canRepeat || renewals === MOST_RENEWALS || !(await access.renewed(fault, proof))) throw fault;
    }
  };

  /** Aborts with the caller's signal, or at the deadline. A deadline is a fault. The caller's own reason is not. */
  const inTime = async <R>(ms: number | undefined, signal: AbortSignal, work: (signal: AbortSignal) => Promise<R>) => {
    if (ms === undefined) return await work(signal);
    try {
      return await withDeadline(ms, signal, work);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Error && error.name === 'TimeoutError') throw noAnswer(server, error);
      throw error;
    }
  };

  const persistently = async <R>(name: string, asked: Given, ask: (signal: AbortSignal) => Promise<R>): Promise<R> => {
    const { signal = options.signal ?? NEVER, patienceMs = options.patienceMs ?? 0, onRetry = options.onRetry } = asked;
    const { content, key, isHarmless = name.startsWith('GET ') || key !== undefined } = asked;
    const canRepeat = content === undefined || isRepeatable(content);
    const until = performance.now() + patienceMs;
    for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
      try {
        return await ask(signal);
      } catch (error) {
        signal.throwIfAborted();
        const fault = asFault(error);
        const { status, isPassing, retryAfterMs } = fault;
        // A refused call has done nothing.
        const mayRepeat = isHarmless || status === 429 || status === 503;
        // Clients that were refused together do not return together.
        const waitMs = Math.max(pauseMs, retryAfterMs) * (1 + Math.random() / 10);
        if (!isPassing || !canRepeat || !mayRepeat || performance.now() + waitMs > until) throw fault;
        onRetry?.(fault);
        await pause(waitMs, signal);
      }
    }
  };

  const parsed = async (answer: Response): Promise<unknown> => {
    if (answer.status === 204) return undefined;
    const text = await answer.text().catch((error: unknown) => {
      throw error instanceof Error && error.name === 'TimeoutError' ? error : noAnswer(server, error);
    });
    try {
      return JSON.parse(text);
    } catch {
      throw notOurs(answer, server);
    }
  };

  return {
    server,
    call: async (name, asked = {}) =>
      await persistently(name, asked, (signal) =>
        inTime(asked.content === undefined ? callMs : undefined, signal, async (limited) =>
          parsed(await once(name, asked, limited)),
        ),
      ),
    answerOf: (name, asked = {}) => persistently(name, asked, (signal) => once(name, asked, signal)),
  };
};
