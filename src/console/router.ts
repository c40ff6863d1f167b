/**
 * Which page is shown: said by the part of the address behind `#`, so that every page can be linked and reloaded. Where a
 * page has something at stake the address is ahead of what is shown until the question is answered, and is put back where
 * somebody stays.
 */
import { useEffect, useState } from 'preact/hooks';
import { isRecord } from './api.ts';
import { useLeaving } from './leaving.tsx';

export type Route =
  | { readonly page: 'quote' | 'upload' | 'batches' | 'tariffs' | 'unknown' }
  | { readonly page: 'batch'; readonly id: string };

/** Links to pages. */
export const href = {
  quote: '#/quote',
  upload: '#/upload',
  batches: '#/batches',
  tariffs: '#/tariffs',
  batch: (id: string): string => `#/batches/${encodeURIComponent(id)}`,
} as const;

/** An address that somebody wrote by hand may be none. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** @param hash as the browser has it, `#/batches/…`. A list to upload is what most people come with. */
const routeOf = (hash: string): Route => {
  const [page = '', id] = hash.replace(/^#?\/?/, '').split('/');
  if (page === 'batches' && id !== undefined && id !== '') {
    const batch = decoded(id);
    return batch === undefined ? { page: 'unknown' } : { page: 'batch', id: batch };
  }
  switch (page) {
    case '':
      return { page: 'upload' };
    case 'quote':
    case 'upload':
    case 'batches':
    case 'tariffs':
      return { page };
    default:
      return { page: 'unknown' };
  }
};

/** One page, whatever its address: whoever goes from one address of it to another leaves nothing. */
export const placeOf = (route: Route): string => (route.page === 'batch' ? `batch ${route.id}` : route.page);

const WENT = 'console:went';

/** Goes to a page of the console's own accord: nobody is asked. */
export const goTo = (address: string): void => {
  history.pushState(null, '', address);
  dispatchEvent(new Event(WENT));
};

/** The number of the history's entry that the browser is at. @param fresh the number of one that has none yet */
const entryOf = (fresh: number): number => {
  const state: unknown = history.state;
  const known = isRecord(state) ? state['entry'] : undefined;
  if (typeof known === 'number') return known;
  history.replaceState({ entry: fresh }, '');
  return fresh;
};

export const useRoute = (): Route => {
  const { leave, goOn } = useLeaving();
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    let at = entryOf(0);
    let shown = { hash: location.hash, at };
    const arrive = (): (() => void) => {
      at = entryOf(at + 1);
      const next = { hash: location.hash, at };
      return () => {
        shown = next;
        setHash(next.hash);
      };
    };
    const went = (): void => goOn(arrive());
    const changed = (): void => {
      const go = arrive();
      if (placeOf(routeOf(location.hash)) === placeOf(routeOf(shown.hash))) goOn(go);
      else leave(go, () => history.go(shown.at - at));
    };
    addEventListener(WENT, went);
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener(WENT, went);
      removeEventListener('hashchange', changed);
    };
  }, [leave, goOn]);
  return routeOf(hash);
};
