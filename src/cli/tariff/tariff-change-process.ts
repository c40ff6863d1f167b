/** The process that changes tariffs for the API. `tariff-changes.ts` starts it with the API's settings. */
import { once } from 'node:events';
import { z } from 'zod';
import { readConfig } from '../../base/config/settings.ts';
import { must } from '../../base/must.ts';
import { isOfRedis } from '../../base/redis/connection.ts';
import { isOfStore } from '../../base/store/store.ts';
import { TARIFFS } from '../../catalog/documents/kinds.ts';
import { type Outcome, PublishError } from '../../catalog/documents/library.ts';
import { changePublishedWith } from '../../catalog/published/changing.ts';
import { RedisAway } from '../../catalog/published/pointer.ts';
import { libraryOf, publishTogether, type UsePublished } from '../../catalog/published/store-place.ts';
import type { TariffChangeRequest } from '../../http/operator/service.ts';
import { addFuel } from '../../import/add-fuel.ts';
import { processIo } from '../io.ts';
import { withRedis } from '../rate/local-sources.ts';
import type { ChangeAnswer } from './tariff-changes.ts';

/** The API has the same version and has already checked the documents. */
const request = z.custom<TariffChangeRequest>((value) => typeof value === 'object');

/** Makes a change. The API's settings include its Redis. */
const change = async (message: unknown): Promise<ChangeAnswer> => {
  const asked = request.parse(message);
  const config = readConfig(processIo().env);
  const { tariffsDir, redisUrl } = config;
  const read: UsePublished = (use) => withRedis(config, must(redisUrl, 'REDIS_URL'), true, use);
  const publishing: UsePublished = (use) => read((deps) => changePublishedWith(config, deps)(use));
  const library = libraryOf(TARIFFS, tariffsDir, publishing, read);
  const note = { by: asked.by, on: asked.on, now: new Date() };
  const outcomeOf = async (): Promise<Outcome> => {
    if ('fuel' in asked) {
      const { tariff, rates } = asked.fuel;
      const held = (await library.current()).documents.find((document) => TARIFFS.id(document) === tariff);
      if (held === undefined) throw new PublishError(`There is no tariff ${tariff} now. Load the page again.`);
      const added = addFuel(held, rates, false);
      if ('problem' in added)
        throw new PublishError(`${added.problem.charAt(0).toUpperCase()}${added.problem.slice(1)}.`);
      return await library.put([{ document: added.document, before: tariff }], { ...note, replace: 'all' });
    }
    if ('withdraw' in asked) return await library.put([], { ...note, remove: [asked.withdraw], replace: 'all' });
    if ('goBack' in asked) return await library.goBack(asked.goBack, note);
    const { publish, replace, agreements: beside } = asked;
    const rule = replace ? 'all' : 'none';
    if (beside !== undefined)
      return await publishTogether(publishing, publish, beside, { ...note, tariffs: rule, agreements: 'all' });
    const sources = publish.map((dir) => ({ dir }));
    return await library.put(sources, { ...note, replace: rule });
  };
  const outcome = await outcomeOf();
  if ('errors' in outcome) return outcome;
  const { version, placed, withdrawn } = outcome;
  const fresh = placed.filter(({ isNew }) => isNew);
  return {
    changed: {
      version: version ?? null,
      placed: fresh.map(({ id }) => id),
      replaced: fresh.flatMap(({ before }) => before ?? []),
      withdrawn,
      ids: (await library.current()).documents.map(TARIFFS.id),
    },
  };
};

const [message] = await once(process, 'message');
const answer = await change(message).catch((error: unknown): ChangeAnswer => {
  if (error instanceof PublishError) return { refused: error.message };
  const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (error instanceof RedisAway || isOfRedis(error)) return { failed, away: 'redis' };
  return isOfStore(error) ? { failed, away: 'store' } : { failed };
});
process.send?.(answer, () => process.disconnect());
