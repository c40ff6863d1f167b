/** Loads a list of batches or comparisons page by page, and refreshes it while some of them run. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { type Api, asFault, useApi, useEvery, useReturn } from '../api.ts';
import type { Batch, Comparison } from '../calls.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button } from '../ui/controls.tsx';

/** The largest page that the service returns. */
const PAGE = 100;
const REFRESH_MS = 5_000;

type Listed = Pick<Batch, 'id' | 'createdAt' | 'status'>;

interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Loads a page of a list. @param cursor of the page. Undefined for the newest page */
export type ListSource<T> = (
  api: Api,
  page: { readonly limit: string; readonly cursor: string | undefined },
  signal: AbortSignal,
) => Promise<ListPage<T>>;

export const ALL_BATCHES: ListSource<Batch> = async (api, query, signal) => {
  const { batches: items, next } = await api.call('GET /v1/client/shipment/rates/batches', { query, signal });
  return { items, next };
};

/** @param batch the batch that they compare. Undefined for the comparisons of all batches */
export const comparisonsOf =
  (batch?: string): ListSource<Comparison> =>
  async (api, page, signal) => {
    const { comparisons: items, next } = await api.call('GET /v1/client/shipment/rates/comparisons', {
      query: { ...page, batch },
      signal,
    });
    return { items, next };
  };

/** Puts the newest page first. Drops known batches that are missing from it, because they were deleted. */
const mergedWith = <T extends Listed>(known: readonly T[], fresh: readonly T[], isAll: boolean): readonly T[] => {
  if (isAll) return fresh;
  const ids = new Set(fresh.map(({ id }) => id));
  const oldest = fresh.at(-1)?.createdAt ?? '';
  return [...fresh, ...known.filter(({ id, createdAt }) => !ids.has(id) && createdAt < oldest)];
};

/** Appends an older page, without the batches that newer ones have pushed onto it. */
const continuedBy = <T extends Listed>(known: readonly T[], older: readonly T[]): readonly T[] => {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...older.filter(({ id }) => !ids.has(id))];
};

export interface Paged<T> {
  /** Newest first. Undefined until the first page has loaded. */
  readonly items: readonly T[] | undefined;
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly fault: ApiFault | undefined;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

interface Read<T> {
  readonly items?: readonly T[];
  readonly next: string | null;
}

/**
 * @param source must be the same at each call
 * @param readAll loads all pages, which a search needs
 */
export const usePaged = <T extends Listed>(source: ListSource<T>, readAll: boolean): Paged<T> => {
  const api = useApi();
  const [read, setRead] = useState<Read<T>>({ next: null });
  const [busy, setBusy] = useState(true);
  const [fault, setFault] = useState<ApiFault>();
  const left = useRef(new AbortController());

  /** Loads the newest page, or with a cursor the next older one. */
  const load = async (cursor?: string): Promise<void> => {
    const { signal } = left.current;
    setBusy(true);
    try {
      const page = await source(api, { limit: String(PAGE), cursor }, signal);
      setRead(({ items = [], next }) =>
        cursor === undefined
          ? {
              items: mergedWith(items, page.items, page.next === null),
              next: items.length > PAGE ? next : page.next,
            }
          : { items: continuedBy(items, page.items), next: page.next },
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
  }, [api, source]);

  useReturn(fault, () => void load());
  const { items, next } = read;
  const isRunning = items !== undefined && !items.every(hasEnded);
  useEvery(REFRESH_MS, isRunning, () => void load());

  useEffect(() => {
    if (readAll && next !== null && !busy && fault === undefined) void load(next);
  }, [readAll, next, busy]);

  return {
    items,
    hasMore: next !== null,
    busy,
    fault,
    loadMore: () => void (next === null ? undefined : load(next)),
    reload: () => void load(),
  };
};

interface MoreProps {
  readonly of: Pick<Paged<unknown>, 'hasMore' | 'busy' | 'loadMore'>;
  readonly label: string;
}

export const More = ({ of: { hasMore, busy, loadMore }, label }: MoreProps) =>
  hasMore ? (
    <div class="actions start">
      <Button onClick={loadMore} busy={busy}>
        {label}
      </Button>
    </div>
  ) : null;
