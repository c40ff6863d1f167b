/** Watches a batch or a comparison through its events. While no events arrive, it polls the batch. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { pause, type Waiting } from '../../http/client/caller.ts';
import type { ApiFault } from '../../http/client/fault.ts';
import { type Api, asFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { keepAsking } from '../ui/answering.ts';
import { hasEnded } from '../ui/batch-state.tsx';

const POLL_MS = 2_000;

/** How to watch and load something. */
export interface Source<T> {
  readonly events: (api: Api, id: string, waiting: Waiting) => AsyncGenerator<T, void, undefined>;
  readonly load: (api: Api, id: string, waiting: Waiting) => Promise<T>;
}

export interface Watched<T> {
  readonly batch: T | undefined;
  /** Why watching has ended. */
  readonly fault: ApiFault | undefined;
  /** The connection is lost, and the batch shown is the last known state. */
  readonly lost: boolean;
  /** Shows the batch that a call returned, and watches it. */
  readonly take: (batch: T) => void;
  /** Watches again after `fault`. */
  readonly again: () => void;
}

/** The states of the batch or comparison, until it has ended. @param onLost called when the service does not answer */
async function* statesOf<T extends Pick<Batch, 'status'>>(
  api: Api,
  { events, load }: Source<T>,
  id: string,
  signal: AbortSignal,
  onLost: () => void,
): AsyncGenerator<T, void, undefined> {
  for (;;) {
    try {
      yield* events(api, id, { signal, patienceMs: 0 });
      return;
    } catch {
      signal.throwIfAborted();
    }
    const now = await load(api, id, { signal, patienceMs: Number.POSITIVE_INFINITY, onRetry: onLost });
    yield now;
    if (hasEnded(now)) return;
    await pause(POLL_MS, signal);
  }
}

export const useWatched = <T extends Pick<Batch, 'status'>>(what: Source<T>, id: string): Watched<T> => {
  const api = useApi();
  const [batch, setBatch] = useState<T>();
  const [fault, setFault] = useState<ApiFault>();
  const [lost, setLost] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const enough = keepAsking();
    const follow = async (): Promise<void> => {
      for await (const state of statesOf(api, what, id, signal, () => setLost(true))) {
        setBatch(state);
        setLost(false);
      }
    };
    follow()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // Removes the message that the page is trying again.
        setLost(false);
        setFault(asFault(error));
      })
      .finally(enough);
    return () => leaving.abort();
  }, [api, what, id, turn]);
  const again = useCallback(() => {
    setFault(undefined);
    setTurn((before) => before + 1);
  }, []);
  const take = useCallback(
    (answered: T) => {
      setBatch(answered);
      again();
    },
    [again],
  );
  return { batch, fault, lost, take, again };
};
