/**
 * The pages' client of the service, in the session of the signed-in user, and loading with retry. It checks whether the service
 * answers: during long calls, after lost connections, and while a batch runs. The frame shows it.
 */
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Asked, type Caller, createCaller, pathOf } from '../http/client/caller.ts';
import type { Send } from '../http/client/content.ts';
import { ApiFault } from '../http/client/fault.ts';
import { newKey } from '../http/client/operations.ts';
import type { CallName, ConsoleCalls } from './calls.ts';

/** Together less than two seconds. After that, people start to wonder. */
const PAUSE_MS = 750;
const PROBE_MS = 750;

const listeners = new Set<(isAway: boolean) => void>();
let [isAsking, isAway] = [false, false];

const tell = (now: boolean): void => {
  isAway = now;
  for (const listener of listeners) listener(now);
};

const answers = (): Promise<boolean> =>
  fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Probes the service until it answers. */
const askIfItAnswers = async (): Promise<void> => {
  if (isAsking) return;
  isAsking = true;
  while (!(await answers())) {
    tell(true);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  isAsking = false;
  tell(false);
};

/** Probes the service while the page is visible and watches something that runs. @returns a function that stops it */
export const keepAsking = (): (() => void) => {
  const timer = setInterval(() => {
    if (!document.hidden) void askIfItAnswers();
  }, PAUSE_MS);
  return () => clearInterval(timer);
};

export const useAway = (): boolean => {
  const [now, setNow] = useState(isAway);
  useEffect(() => {
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return now;
};

/** Makes a call. If the session has ended, waits until the user has signed in again. */
export type Api = Caller<ConsoleCalls>;

/** Shorter limits and outages are not shown. */
const PATIENCE_MS = 3_000;

/** Other client calls go to paths below `/console`, where the session authenticates. */
const placeOf = (path: string): string => (/^\/(?:console|ops|shared)\//.test(path) ? path : `/console${path}`);

/** The URL of a call, for links. */
export const urlOf = <N extends CallName>(
  name: N,
  { id, query }: Pick<Asked<ConsoleCalls, N>, 'id' | 'query'>,
): string => placeOf(pathOf(name, id, query));

/** Checks whether the service is available while a call takes long, and after the connection was lost. */
const sent: Send = async (url, init) => {
  const enough = keepAsking();
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted !== true) void askIfItAnswers();
    throw error;
  } finally {
    enough();
  }
};

interface Session {
  /** The session's CSRF token, or null without a session. */
  readonly csrf: () => string | null;
  /** Resolves when the user has signed in again: true if as the same client. */
  readonly renew: () => Promise<boolean>;
}

/** Whether the session has ended, or another tab has begun a new one. */
const isOfSession = ({ type, arguments: { scope } }: ApiFault): boolean =>
  type === 'InvalidAuthorizationException' || (type === 'request.forbidden' && scope === 'csrf');

const HERE = { server: '', patienceMs: PATIENCE_MS, fetch: sent };

export const createApi = ({ csrf, renew }: Session): Api =>
  createCaller({
    ...HERE,
    placeOf,
    access: {
      proof: async (method) => {
        const token = csrf();
        return method === 'GET' || token === null ? {} : { 'X-CSRF-Token': token };
      },
      renewed: async (fault) => isOfSession(fault) && (await renew()),
    },
  });

/** Makes calls with the token of a link to a result, without a session. */
export const linkApi = (link: string): Api =>
  createCaller({
    ...HERE,
    placeOf: (path) => placeOf(path).replace(/^\/console/, '/shared'),
    access: { proof: async () => ({ 'Share-Token': link }), renewed: async () => false },
  });

/** For calls that need no session. */
export const unsigned = createApi({ csrf: () => null, renew: async () => false });

export const ApiContext = createContext<Api>(unsigned);
export const useApi = (): Api => useContext(ApiContext);

export type Loaded<T> =
  | { readonly state: 'loading'; readonly fault?: undefined; readonly data?: T }
  | { readonly state: 'done'; readonly fault?: undefined; readonly data: T }
  | { readonly state: 'failed'; readonly fault: ApiFault; readonly data?: T };

interface Loading<T> {
  readonly reload: () => void;
  /** Shows other data, such as the answer of a change. */
  readonly put: (data: T) => void;
}

/** Turns an error into a fault to show. Any other error is a bug of the page. */
export const asFault = (error: unknown): ApiFault =>
  error instanceof ApiFault ? error : new ApiFault(0, 'page', `This page failed: ${String(error)}. Reload the page.`);

/** Reloads after a call that failed because the service did not answer, once it answers again. */
export const useReturn = (fault: ApiFault | undefined, reload: () => void): void => {
  const isAway = useAway();
  useEffect(() => {
    if (!isAway && fault?.type === 'network') reload();
  }, [isAway]);
};

/**
 * Loads data when the page opens, when `inputs` change, which aborts a running load, and when the service answers again
 * after an outage. The last data stays visible meanwhile.
 */
export const useLoad = <T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> & Loading<T> => {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const put = (data: T): void => setLoaded({ state: 'done', data });
  useEffect(() => {
    const leaving = new AbortController();
    const kept = ({ data }: Loaded<T>): { data?: T } => (data === undefined ? {} : { data });
    setLoaded((before) => ({ state: 'loading', ...kept(before) }));
    load(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) put(data);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted)
          setLoaded((before) => ({ state: 'failed', fault: asFault(error), ...kept(before) }));
      },
    );
    return () => leaving.abort();
  }, [...inputs, turn]);
  useReturn(loaded.fault, reload);
  return { ...loaded, reload, put };
};

/** Repeats something while it is on and the page is visible. */
export const useEvery = (ms: number, isOn: boolean, again: () => void): void => {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) latest.current();
    }, ms);
    return () => clearInterval(timer);
  }, [ms, isOn]);
};

/** Loads the answer of a call. @param inputs reload it when they change, in addition to the call's own parameters */
export const useCall = <N extends CallName>(
  name: N,
  asked: Omit<Asked<ConsoleCalls, N>, 'signal'> = {},
  inputs: readonly unknown[] = [],
): Loaded<ConsoleCalls[N]['answer']> & Loading<ConsoleCalls[N]['answer']> => {
  const api = useApi();
  return useLoad((signal) => api.call(name, { ...asked, signal }), [api, name, JSON.stringify(asked), ...inputs]);
};

/** Returns the idempotency key for what is sent. It changes only with the content, so that a retry makes nothing twice. */
export const useKey = (): ((...intent: readonly unknown[]) => string) => {
  const kept = useRef<{ readonly intent: readonly unknown[]; readonly key: string } | undefined>(undefined);
  return (...intent) => {
    if (kept.current === undefined || kept.current.intent.some((part, at) => part !== intent[at]))
      kept.current = { intent, key: newKey() };
    return kept.current.key;
  };
};
