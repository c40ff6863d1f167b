/** Loads the list of batches page by page and refreshes it while some run. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFault, asFault, useApi } from '../api.ts';
import type { Batch } from '../calls.ts';
import { hasEnded } from '../ui/batch-state.tsx';

/** The largest page that the service returns. */
const PAGE = 100;
const REFRESH_MS = 5_000;

/** Puts the newest page in front. Drops known batches that are missing from it, because they were deleted. */
const mergedWith = (known: readonly Batch[], fresh: readonly Batch[], isAll: boolean): readonly Batch[] => {
  if (isAll) return fresh;
  const ids = new Set(fresh.map(({ id }) => id));
  const oldest = fresh.at(-1)?.createdAt ?? '';
  return [...fresh, ...known.filter(({ id, createdAt }) => !ids.has(id) && createdAt < oldest)];
};

/** Appends an older page, without batches that newer ones have pushed onto it. */
const continuedBy = (known: readonly Batch[], older: readonly Batch[]): readonly Batch[] => {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...older.filter(({ id }) => !ids.has(id))];
};

export interface BatchList {
  /** Newest first. Undefined until the first page has loaded. */
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

/** @param readAll load all pages, as a search needs */
export const useBatchList = (readAll: boolean): BatchList => {
  const api = useApi();
  const [read, setRead] = useState<Read>({ next: null });
  const [busy, setBusy] = useState(true);
  const [fault, setFault] = useState<ApiFault>();
  const left = useRef(new AbortController());

  /** Loads the newest page, or with a cursor the next older one. */
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
