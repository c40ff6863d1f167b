/** Lists of batches or comparisons, which load page by page and refresh while some run, and the table of comparisons. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { type Api, asFault, useApi, useEvery, useReturn } from '../api.ts';
import type { Batch, Comparison } from '../calls.ts';
import { sidesOf, titleOf, unlikeParts, verdictOf } from '../comparison/words.ts';
import { href } from '../navigation.tsx';
import { hasEnded, RunState } from '../ui/batch-state.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice } from '../ui/feedback.tsx';
import { count, instant } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';

/** The largest page that the service returns. */
const PAGE = 100;
const REFRESH_MS = 5_000;

type Listed = Pick<Batch, 'id' | 'createdAt' | 'status'>;

interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Loads a page of a list. @param cursor of the page. Undefined for the newest page */
type ListSource<T> = (
  api: Api,
  page: { readonly limit: string; readonly cursor: string | undefined },
  signal: AbortSignal,
) => Promise<ListPage<T>>;

export const ALL_BATCHES: ListSource<Batch> = async (api, query, signal) => {
  const { batches: items, next } = await api.call('GET /v1/client/shipment/rates/batches', { query, signal });
  return { items, next };
};

/** @param batch the batch that they compare. Undefined for the comparisons of all batches */
const comparisonsOf =
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

/**
 * @param source must be the same at each call
 * @param readAll loads all pages, which a search needs
 * @returns the items, newest first; undefined until the first page has loaded
 */
export const usePaged = <T extends Listed>(source: ListSource<T>, readAll: boolean) => {
  const api = useApi();
  const [read, setRead] = useState<Partial<ListPage<T>>>({});
  const [busy, setBusy] = useState(true);
  const [fault, setFault] = useState<ApiFault>();
  const left = useRef(new AbortController());

  /** Loads the newest page, or with a cursor the next older one. */
  const load = async (cursor?: string): Promise<void> => {
    const { signal } = left.current;
    setBusy(true);
    try {
      const page = await source(api, { limit: String(PAGE), cursor }, signal);
      setRead(({ items = [], next = null }) =>
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
  const { items, next = null } = read;
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
  readonly of: Pick<ReturnType<typeof usePaged>, 'hasMore' | 'busy' | 'loadMore'>;
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

const nameOf = ({ scenarios, with: other }: Comparison): string =>
  other === null ? titleOf(scenarios.map(({ name }) => name).join('; ')) : `Compared with ${other.filename}`;

/** What each scenario saves or costs, once it is known. */
const Results = ({ comparison }: { readonly comparison: Comparison }) => {
  const { scenarios, with: other, status } = comparison;
  const nameOf = (name: string): string => (other === null ? titleOf(name) : sidesOf(comparison).scenario);
  return (
    <ul class="plain stack tiny">
      {scenarios.map(({ name, result }, index) => {
        if (result === null || (result.shipments === 0 && status === 'cancelled')) return null;
        const verdict = `${verdictOf(result)}${unlikeParts(result).length === 0 ? '' : ', not like for like'}`;
        const isNamed = scenarios.length > 1 || other !== null;
        return <li key={index}>{isNamed ? `${nameOf(name)} ${verdict}` : titleOf(verdict)}</li>;
      })}
    </ul>
  );
};

interface ComparisonsProps {
  /** Shows only the comparisons of this batch, whose page already names the list. */
  readonly batchId?: string;
  /** Shown if there are none. */
  readonly empty?: ComponentChildren;
}

/** Comparisons as a table, newest first: all of the client's, or those of one batch. */
export const Comparisons = ({ batchId, empty = null }: ComparisonsProps) => {
  const source = useMemo(() => comparisonsOf(batchId), [batchId]);
  const paged = usePaged(source, false);
  const { items, fault, reload } = paged;
  if (fault !== undefined) return <FaultNotice fault={fault} title="Comparisons could not be loaded" retry={reload} />;
  if (items === undefined) return null;
  if (items.length === 0) return <>{empty}</>;
  return (
    <section class="stack" aria-labelledby="comparisons">
      <h2 id="comparisons">What-if comparisons</h2>
      <Rows
        caption="Comparisons, newest first"
        cards
        of={items}
        keyOf={({ id }) => id}
        cols={[
          [
            'Scenarios',
            (comparison) => (
              <>
                <a class="anywhere" href={href.comparison(comparison.id)}>
                  {nameOf(comparison)}
                </a>
                {batchId === undefined ? <span class="sub">{comparison.filename}</span> : null}
              </>
            ),
            'head',
          ],
          ['Result', (comparison) => <Results comparison={comparison} />],
          ['State', (comparison) => <RunState run={comparison} noun="comparison" name={nameOf(comparison)} />],
          ['Rows', ({ rows }) => count(rows.total ?? 0), 'number'],
          ['Started', ({ createdAt }) => <span class="nowrap">{instant(createdAt)}</span>],
        ]}
      />
      <More of={paged} label="Show older comparisons" />
    </section>
  );
};
