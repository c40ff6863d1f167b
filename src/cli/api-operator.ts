/** What is below `/ops` in the API: the operator's calls with all that they change, and the queue board. */
import { lookup } from 'node:dns/promises';
import type { Router } from 'express';
import { createAudit } from '../audit/audit.ts';
import type { BoundClients } from '../clients/accounts.ts';
import type { Config, Environment } from '../config/settings.ts';
import { agreementHandlers } from '../http/operator/agreements/handlers.ts';
import { clientHandlers } from '../http/operator/clients/handlers.ts';
import { type OperatorDeps, operatorRoutes } from '../http/operator/routes.ts';
import { tariffHandlers } from '../http/operator/tariffs/handlers.ts';
import { agreementsOfService } from '../published/agreement-place.ts';
import { changePublishedWith, clientsOfService } from '../published/changing.ts';
import type { SourceDeps } from '../published/sources.ts';
import type { LiveTariffs } from '../tariff/live.ts';
import { createSender } from '../webhook/send.ts';
import { tariffSetup } from './operator-tariffs.ts';

export interface ApiOperatorDeps
  extends SourceDeps,
    Pick<OperatorDeps, 'queues' | 'operatorToken' | 'now' | 'checks' | 'redis'> {
  readonly clients: BoundClients;
  readonly tariffs: LiveTariffs;
  /** The settings, for processes that it starts. */
  readonly env: Environment;
}

export const operatorRouter = (config: Config, deps: ApiOperatorDeps): Router => {
  const { clients, tariffs, now } = deps;
  const audit = createAudit(deps);
  const change = changePublishedWith(config, deps);
  const place = clientsOfService(config, deps, change);
  const agreements = agreementsOfService(config, deps, change);
  const shared = { tariffs, audit, now, clients: place };
  const send = createSender({ resolve: (hostname) => lookup(hostname, { all: true }) });
  const handlers = {
    ...clientHandlers({ ...shared, agreements: clients.agreements, agreementPlace: agreements, send }),
    ...agreementHandlers({ ...shared, agreements }),
    ...tariffHandlers({ ...tariffSetup(config, deps), tariffs, audit, now }),
  };
  return operatorRoutes({ ...deps, audit, handlers });
};
