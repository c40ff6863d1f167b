/** The process that changes the tariffs for the API. `tariff-changes.ts` starts it, with the settings of the API. */
import { once } from 'node:events';
import { z } from 'zod';
import type { AgreementDocument } from '../agreement/document.ts';
import { type Config, readConfig } from '../config/settings.ts';
import { besideAgreements } from '../published/beside-agreements.ts';
import { changePublishedWith } from '../published/changing.ts';
import { RedisAway } from '../published/pointer.ts';
import { folderPlace, publishedPlace, type TariffPlace, type UsePublished } from '../published/tariff-place.ts';
import { isOfRedis } from '../redis/connection.ts';
import { isOfStore } from '../store/store.ts';
import { PlaceError, type Placing } from '../tariff/place.ts';
import { processIo } from './io.ts';
import { withRedis } from './local-sources.ts';
import type { ChangeAnswer } from './tariff-changes.ts';

/* Where a process of the service itself, which has its Redis, changes the tariffs. */

export const serviceTariffPlace = (config: Config): TariffPlace => {
  const { tariffsDir, redisUrl } = config;
  if (tariffsDir !== undefined) return folderPlace(tariffsDir);
  if (redisUrl === undefined) throw new Error('REDIS_URL is not set');
  const read: UsePublished = (use) => withRedis(config, redisUrl, true, use);
  return publishedPlace((use) => read((deps) => changePublishedWith(config, deps)(use)), read);
};

/** The API has checked them. */
const agreements = z.array(
  z.object({
    document: z.custom<AgreementDocument>((value) => typeof value === 'object'),
    before: z.string().nullable(),
  }),
);
const note = { by: z.string(), on: z.string().nullable() };
const request = z.union([
  z.object({ publish: z.array(z.string()), replace: z.boolean(), agreements: agreements.optional(), ...note }),
  z.object({ withdraw: z.string(), ...note }),
  z.object({ goBack: z.string(), ...note }),
]);

const answerOf = (placing: Placing): ChangeAnswer => {
  if ('errors' in placing) return { errors: [...placing.errors] };
  const { version, tariffs, withdrawn, schedule } = placing;
  const fresh = tariffs.filter(({ isNew }) => isNew);
  return {
    changed: {
      version: version ?? null,
      placed: fresh.map(({ id }) => id),
      replaced: fresh.flatMap(({ before }) => before ?? []),
      withdrawn: [...withdrawn],
      ids: [...schedule.ids],
    },
  };
};

const change = async (message: unknown): Promise<ChangeAnswer> => {
  const asked = request.parse(message);
  const place = serviceTariffPlace(readConfig(processIo().env));
  const about = { by: asked.by, on: asked.on, now: new Date() };
  if ('publish' in asked) {
    const { publish, replace } = asked;
    const beside = asked.agreements && besideAgreements({ add: asked.agreements });
    return answerOf(await place.publish(publish, { ...about, replace, beside }));
  }
  return answerOf(
    'withdraw' in asked ? await place.withdraw(asked.withdraw, about) : await place.goBack(asked.goBack, about),
  );
};

const [message] = await once(process, 'message');
const answer = await change(message).catch((error: unknown): ChangeAnswer => {
  if (error instanceof PlaceError) return { refused: error.message };
  const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof RedisAway || isOfRedis(error)) return { failed, away: 'redis' };
  return isOfStore(error) ? { failed, away: 'store' } : { failed };
});
process.send?.(answer, () => process.disconnect());
