/** Which page is shown: said by the part of the address behind `#`, so that every page can be linked and reloaded. */
import { useEffect, useState } from 'preact/hooks';

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

export const goTo = (address: string): void => {
  location.hash = address;
};

export const useRoute = (): Route => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeOf(hash);
};
