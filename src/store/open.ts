/** Opens the store that a URL names. */
import { fileURLToPath } from 'node:url';
import { createDiskStore } from './disk.ts';
import type { Store } from './store.ts';

/** @param url `file:///…` */
export const openStore = (url: string): Store => {
  if (!url.startsWith('file:'))
    throw new Error(`STORE_URL: no store of this kind is built in: ${new URL(url).protocol}`);
  return createDiskStore(fileURLToPath(url));
};
