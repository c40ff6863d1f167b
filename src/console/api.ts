/** Calls to the service: addresses, the CSRF token, faults as one kind of error, and loading with retry. */
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import type { Answer, CallName, Query } from './calls.ts';
import { askIfItAnswers, keepAsking, useAway } from './ui/answering.ts';

/** A failed call: the service's fault, or `network` if it did not answer. */
export class ApiFault extends Error {
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  readonly type: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The column names of a list that was refused because of its columns. */
  readonly header: readonly string[];

  constructor(
    status: number,
    type: string,
    message: string,
    args: Readonly<Record<string, unknown>> = {},
    header: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ApiFault';
    this.status = status;
    this.type = type;
    this.arguments = args;
    this.header = header;
  }
}

interface Asked<N extends CallName> {
  /** The id of the batch or the comparison, or the name of the agreement. */
  readonly id?: string;
  /** Empty parameters are omitted. */
  readonly query?: Query<N>;
  readonly json?: unknown;
  /** The list to upload. */
  readonly file?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The fault in an error response. A proxy's response has none. */
export const faultOf = (status: number, body: unknown): ApiFault => {
  const fault = isRecord(body) ? body['fault'] : undefined;
  if (!isRecord(fault))
    return new ApiFault(status, 'unknown', `The service answered with status ${status}. Try again later.`);
  const { type, message } = fault;
  const args = fault['arguments'];
  const header = isRecord(body) && Array.isArray(body['header']) ? body['header'].map(String) : [];
  return new ApiFault(status, String(type), String(message), isRecord(args) ? args : {}, header);
};

export const noAnswer = (): ApiFault =>
  new ApiFault(0, 'network', 'The service does not answer. Check your connection, then try again.');

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const methodOf = (name: CallName): string => name.slice(0, name.indexOf(' '));

/** The URL of a call, also for links. Calls of clients are below `/console`, where the session authenticates. */
export const urlOf = <N extends CallName>(name: N, { id = '', query }: Pick<Asked<N>, 'id' | 'query'> = {}): string => {
  const search = new URLSearchParams();
  for (const [parameter, value] of Object.entries<string | undefined>(query ?? {}))
    if (value !== undefined && value !== '') search.set(parameter, value);
  const path = name.slice(name.indexOf('/')).replace(/\{(?:id|name)\}/, encodeURIComponent(id));
  const whole = /^\/(?:console|ops)\//.test(path) ? path : `/console${path}`;
  return search.size === 0 ? whole : `${whole}?${search}`;
};

const bodyOf = ({ json, file }: Asked<CallName>): { body?: BodyInit; type?: string } => {
  if (file !== undefined) return { body: file, type: 'application/octet-stream' };
  return json === undefined ? {} : { body: JSON.stringify(json), type: 'application/json' };
};

export interface Api {
  /** Makes a call. If the session has ended, waits until the user has signed in again. @throws {ApiFault} */
  readonly call: <N extends CallName>(name: N, asked?: Asked<N>) => Promise<Answer<N>>;
  /** Makes a call whose answer is not JSON. @throws {ApiFault} */
  readonly answerOf: <N extends CallName>(name: N, asked?: Asked<N>) => Promise<Response>;
  /** Headers that a call needs in addition to its own. */
  readonly headersOf: (name: CallName) => Record<string, string>;
  /** Resolves when the call that failed so can be made again: true if it can, false if the session is not to blame. */
  readonly renewed: (fault: ApiFault) => Promise<boolean>;
}

/** The session that calls are made in. */
interface Access {
  /** The session's CSRF token, or null without a session. */
  readonly csrf: () => string | null;
  /** Resolves when the user is signed in again: true if as the same client. */
  readonly renew: () => Promise<boolean>;
}

export const NO_ACCESS: Access = { csrf: () => null, renew: async () => false };

/** The session has ended, or another tab has begun a new one. */
const isOfSession = ({ type, arguments: { scope } }: ApiFault): boolean =>
  type === 'InvalidAuthorizationException' || (type === 'request.forbidden' && scope === 'csrf');

export const createApi = ({ csrf, renew }: Access): Api => {
  const headersOf = (name: CallName): Record<string, string> => {
    const token = csrf();
    return methodOf(name) === 'GET' || token === null ? {} : { 'X-CSRF-Token': token };
  };
  const renewed: Api['renewed'] = async (fault) => isOfSession(fault) && (await renew());
  const answerOf: Api['answerOf'] = async (name, asked = {}) => {
    const { body, type } = bodyOf(asked);
    const headers = { ...headersOf(name), ...(type !== undefined && { 'Content-Type': type }), ...asked.headers };
    const { signal = null } = asked;
    const init: RequestInit = { method: methodOf(name), headers, signal, body: body ?? null };
    const enough = keepAsking();
    const answer = await fetch(urlOf(name, asked), init)
      .catch((error: unknown) => {
        if (signal?.aborted === true) throw error;
        void askIfItAnswers();
        throw noAnswer();
      })
      .finally(enough);
    if (answer.ok) return answer;
    const fault = faultOf(answer.status, parsed(await answer.text()));
    if (await renewed(fault)) return await answerOf(name, asked);
    throw fault;
  };
  const call: Api['call'] = async (name, asked) => {
    const answer = await answerOf(name, asked);
    return answer.status === 204 ? undefined : await answer.json();
  };
  return { call, answerOf, headersOf, renewed };
};

export const ApiContext = createContext<Api>(createApi(NO_ACCESS));
export const useApi = (): Api => useContext(ApiContext);

export type Loaded<T> =
  | { readonly state: 'loading'; readonly data?: T }
  | { readonly state: 'done'; readonly data: T }
  | { readonly state: 'failed'; readonly fault: ApiFault; readonly data?: T };

/** Turns an error into a fault to show. Any other error is a bug of the page. */
export const asFault = (error: unknown): ApiFault =>
  error instanceof ApiFault ? error : new ApiFault(0, 'page', `This page failed: ${String(error)}. Reload the page.`);

/** Loads again what failed because the service did not answer, once it does. */
export const useReturn = (fault: ApiFault | undefined, reload: () => void): void => {
  const isAway = useAway();
  useEffect(() => {
    if (!isAway && fault?.type === 'network') reload();
  }, [isAway]);
};

/**
 * Loads data when the page opens, when `inputs` change, which aborts a load under way, and when a service that did not answer
 * does again. The last data stays visible meanwhile.
 * @returns the data, if loaded, and a function that loads it again
 */
export const useLoad = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> & { readonly reload: () => void } => {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    const leaving = new AbortController();
    const kept = ({ data }: Loaded<T>): { data?: T } => (data === undefined ? {} : { data });
    setLoaded((before) => ({ state: 'loading', ...kept(before) }));
    load(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setLoaded({ state: 'done', data });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted)
          setLoaded((before) => ({ state: 'failed', fault: asFault(error), ...kept(before) }));
      },
    );
    return () => leaving.abort();
  }, [...inputs, turn]);
  useReturn(loaded.state === 'failed' ? loaded.fault : undefined, reload);
  return { ...loaded, reload };
};

/** A random key. `crypto.randomUUID` exists only on secure origins. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
