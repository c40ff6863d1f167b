/** Where a process of the service itself, which has its Redis, changes the tariffs. */
import type { Config } from '../config/settings.ts';
import { folderPlace, publishedPlace, type TariffPlace, type UsePublished } from '../published/tariff-place.ts';
import { lockPublishing } from '../published/lock.ts';
import { withRedis } from './local-sources.ts';

export const serviceTariffPlace = (config: Config): TariffPlace => {
  const { tariffsDir, redisUrl, storeUrl } = config;
  if (tariffsDir !== undefined) return folderPlace(tariffsDir);
  if (redisUrl === undefined) throw new Error('REDIS_URL is not set');
  const use: UsePublished = (work) => withRedis(config, redisUrl, true, work);
  // On a single machine, commands may move the copy of the pointer meanwhile.
  const change: UsePublished = async (work) => {
    if (!storeUrl.startsWith('file:')) return await use(work);
    const { release } = await lockPublishing(config.dataDir);
    try {
      return await use(work);
    } finally {
      await release();
    }
  };
  return publishedPlace(change, use);
};
