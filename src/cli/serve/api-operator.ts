/** Everything under `/ops` in the API: the operator's calls with what they change, and the queue dashboard. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Router } from 'express';
import { type Config, type Environment, ROOT } from '../../base/config/settings.ts';
import type { Logger } from '../../base/log.ts';
import type { Store } from '../../base/store/store.ts';
import { createSender } from '../../base/webhook/send.ts';
import type { BoundClients } from '../../catalog/clients/accounts.ts';
import type { Clients } from '../../catalog/clients/clients.ts';
import { TARIFFS } from '../../catalog/documents/kinds.ts';
import type { LiveTariffs } from '../../catalog/documents/live.ts';
import { agreementsOfService, changePublishedWith, clientsOfService } from '../../catalog/published/changing.ts';
import { announcing } from '../../catalog/published/pointer.ts';
import type { SourceDeps } from '../../catalog/published/sources.ts';
import { libraryOf, type UsePublished } from '../../catalog/published/store-place.ts';
import { originsIn } from '../../catalog/tariff/coverage.ts';
import { operatorRoutes } from '../../http/operator/routes.ts';
import type { OperatorService, TariffDesk } from '../../http/operator/service.ts';
import { createDrafts } from '../../import/drafts/drafts.ts';
import { createDraftTasks } from '../../import/drafts/tasks.ts';
import { changeTariffsApart } from '../tariff/tariff-changes.ts';

/* What the operator's calls about tariffs need of this service. */

/** Why the tariffs cannot be changed. Undefined if they can. */
const refusalOf = ({ tariffsDir }: Config): string | undefined => {
  if (tariffsDir === join(ROOT, 'samples', 'tariffs'))
    return 'The service runs on the sample tariffs, which cannot be changed. Name your own folder in its setting TARIFFS_DIR.';
  if (tariffsDir !== undefined && existsSync(join(tariffsDir, 'tariff.json')))
    return `${tariffsDir} is the folder of one tariff. Name the folder that contains your tariffs in the setting TARIFFS_DIR.`;
  return undefined;
};

export interface TariffDeskDeps extends Pick<SourceDeps, 'store' | 'redis'> {
  readonly clients: { readonly current: () => Clients };
  readonly tariffs: Pick<LiveTariffs, 'current'>;
  readonly log: Logger;
  readonly now: () => Date;
  readonly env: Environment;
}

export const tariffDesk = (config: Config, deps: TariffDeskDeps): TariffDesk => {
  const { tariffsDir } = config;
  const { store, redis, clients, tariffs, log, now, env } = deps;
  const refusal = refusalOf(config);
  return {
    place: tariffsDir === undefined ? 'published' : 'folder',
    refusal,
    versions: libraryOf(TARIFFS, tariffsDir, (use) => use({ store, log, redis })).versions,
    change: (request) => changeTariffsApart(request, { ...env }),
    drafts: createDrafts({
      store,
      redis,
      tasks: createDraftTasks(),
      origins: () =>
        [...clients.current().values()].flatMap((client) => originsIn(client, (id) => `${id} of ${client.id}`)),
      // An import adds to the tariff in the folder with its name, like `rates tariff import`.
      baseOf: (name) => (tariffsDir === undefined || refusal !== undefined ? undefined : join(tariffsDir, name)),
      publishedOf: (name, effective) =>
        tariffsDir === undefined
          ? tariffs.current().documents.find(({ file }) => file.name === name && file.effective === effective)
          : undefined,
      log,
      now,
    }),
  };
};

export interface ApiOperatorDeps
  extends Pick<OperatorService, 'audit' | 'addressOf' | 'queues' | 'operatorToken' | 'now' | 'checks' | 'redis'> {
  readonly store: Store;
  readonly log: Logger;
  readonly clients: BoundClients;
  readonly tariffs: LiveTariffs;
  /** The settings, for child processes. */
  readonly env: Environment;
}

export const operatorRouter = (config: Config, deps: ApiOperatorDeps): Router => {
  const { clients, tariffs } = deps;
  const change = changePublishedWith(config, deps);
  const read: UsePublished = (use) => use(deps);
  return operatorRoutes({
    ...deps,
    clientPlace: clientsOfService(config, change, read, announcing(deps, clients.refresh)),
    agreementPlace: agreementsOfService(config, change, read, announcing(deps, clients.refreshAgreements)),
    tariffDesk: tariffDesk(config, deps),
    reserveBytes: config.storeReserveBytes,
    publishesAgreements: config.agreementsDir === undefined,
    takeUp: announcing(deps, tariffs.refresh),
    send: createSender(),
  });
};
