/** Where a process of the service itself, which has its Redis, changes the tariffs. */
import type { Config } from '../config/settings.ts';
import { changePublishedWith } from '../published/changing.ts';
import { folderPlace, publishedPlace, type TariffPlace, type UsePublished } from '../published/tariff-place.ts';
import { withRedis } from './local-sources.ts';

export const serviceTariffPlace = (config: Config): TariffPlace => {
  const { tariffsDir, redisUrl } = config;
  if (tariffsDir !== undefined) return folderPlace(tariffsDir);
  if (redisUrl === undefined) throw new Error('REDIS_URL is not set');
  const read: UsePublished = (use) => withRedis(config, redisUrl, true, use);
  return publishedPlace((use) => read((deps) => changePublishedWith(config, deps)(use)), read);
};
