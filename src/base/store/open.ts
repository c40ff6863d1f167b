/** Opens the store that the settings name. */
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/settings.ts';
import { createDiskStore } from './disk.ts';
import type { Store } from './store.ts';

export type StoreSettings = Pick<Config, 'storeUrl' | 's3' | 'maxUploadBytes'>;

/** @param settings `storeUrl` is `file:///…` or `s3://bucket/prefix`; `s3` has the access settings for the latter */
export const openStore = async ({ storeUrl, s3 = {}, maxUploadBytes }: StoreSettings): Promise<Store> => {
  if (storeUrl.startsWith('file:')) return createDiskStore(fileURLToPath(storeUrl));
  if (!storeUrl.startsWith('s3:'))
    throw new Error(`STORE_URL: the protocol ${new URL(storeUrl).protocol} is not supported`);
  // Loaded only if needed: the SDK takes time and memory.
  const { createS3Store } = await import('./s3.ts');
  return createS3Store({ url: storeUrl, access: s3, maximumBytes: maxUploadBytes });
};
