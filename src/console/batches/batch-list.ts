/** The list of batches as it is read page by page and kept up to date while some of them run. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFault, asFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { hasEnded } from '../ui/batch-state.tsx';

/** As many as the service gives at once. */
const PAGE = 100;
const REFRESH_MS = 5_000;

/** `fresh` is the newest page; what stood before it stays, but for what is gone from among the newest. */
const mergedWith = (known: readonly Batch[], fresh: readonly Batch[], isAll: boolean): readonly Batch[] => {
  if (isAll) return fresh;
  const ids = new Set(fresh.map(({ id }) => id));
  const oldest = fresh.at(-1)?.createdAt ?? '';
  return [...fresh, ...known.filter(({ id, createdAt }) => !ids.has(id) && createdAt < oldest)];
};

/** `older` follows; what new ones have pushed onto that page is there already. */
const continuedBy = (known: readonly Batch[], older: readonly Batch[]): readonly Batch[] => {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...older.filter(({ id }) => !ids.has(id))];
};

export interface BatchList {
  /** Newest first; undefined before the first page is there. */
  readonly batches: readonly Batch[] | undefined;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly fault: ApiFault | undefined;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

interface Read {
  readonly batches?: readonly Batch[];
  readonly next: string | null;
}

/** @param readAll whether to go on to the last page without being asked, as a search must */
export const useBatchList = (readAll: boolean): BatchList => {
  const api = useApi();
  const [read, setRead] = useState<Read>({ next: null });
  const [busy, setBusy] = useState(true);
  const [fault, setFault] = useState<ApiFault>();
  const left = useRef(new AbortController());

  /** The newest page, or with a cursor the one behind those that are there. */
  const load = async (cursor?: string): Promise<void> => {
    const { signal } = left.current;
    setBusy(true);
    try {
      const page = await api.call('batches', { query: { limit: String(PAGE), cursor }, signal });
      setRead(({ batches = [], next }) =>
        cursor === undefined
          ? {
              batches: mergedWith(batches, page.batches, page.next === null),
              next: batches.length > PAGE ? next : page.next,
            }
          : { batches: continuedBy(batches, page.batches), next: page.next },
      );
      setFault(undefined);
    } catch (error) {
      if (signal.aborted) return;
      setFault(asFault(error));
    }
    setBusy(false);
  };

  useEffect(() => {
    left.current = new AbortController();
    void load();
    return () => left.current.abort();
  }, [api]);

  const { batches, next } = read;
  const isRunning = batches !== undefined && !batches.every(hasEnded);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void load();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isRunning, api]);

  useEffect(() => {
    if (readAll && next !== null && !busy && fault === undefined) void load(next);
  }, [readAll, next, busy]);

  return {
    batches,
    hasMore: next !== null,
    busy,
    fault,
    loadMore: () => void (next === null ? undefined : load(next)),
    reload: () => void load(),
  };
};
