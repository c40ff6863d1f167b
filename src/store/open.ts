/** Opens the store that the settings name. */
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/settings.ts';
import type { Logger } from '../log.ts';
import { closeFolders } from './close-folders.ts';
import { createDiskStore } from './disk.ts';
import type { Store } from './store.ts';

export type StoreSettings = Pick<Config, 'storeUrl' | 's3' | 'maxUploadBytes'>;

/**
 * @param settings `storeUrl`: `file:///…`, or `s3://bucket/prefix` with `s3` saying how that is reached
 * @param log given by those who serve: what earlier versions left open to others is closed then
 */
export const openStore = async ({ storeUrl, s3 = {}, maxUploadBytes }: StoreSettings, log?: Logger): Promise<Store> => {
  if (storeUrl.startsWith('file:')) {
    const root = fileURLToPath(storeUrl);
    if (log !== undefined) await closeFolders(root, log);
    return createDiskStore(root);
  }
  if (!storeUrl.startsWith('s3:'))
    throw new Error(`STORE_URL: no store of this kind is built in: ${new URL(storeUrl).protocol}`);
  // Whoever keeps files on a disk does without the SDK, which takes time to load, and memory.
  const { createS3Store } = await import('./s3.ts');
  return createS3Store({ url: storeUrl, access: s3, maximumBytes: maxUploadBytes });
};
