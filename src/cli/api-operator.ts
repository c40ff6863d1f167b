/** What is below `/ops` in the API: the operator's calls with all that they change, and the queue board. */
import { lookup } from 'node:dns/promises';
import type { Router } from 'express';
import { createAudit } from '../audit/audit.ts';
import type { BoundClients } from '../clients/accounts.ts';
import type { Config } from '../config/settings.ts';
import { clientHandlers } from '../http/operator/clients/handlers.ts';
import { type OperatorDeps, operatorRoutes } from '../http/operator/routes.ts';
import { changePublishedWith, clientsOfService } from '../published/changing.ts';
import type { SourceDeps } from '../published/sources.ts';
import type { LiveTariffs } from '../tariff/live.ts';
import { createSender } from '../webhook/send.ts';

export interface ApiOperatorDeps extends SourceDeps, Pick<OperatorDeps, 'queues' | 'operatorToken' | 'now'> {
  readonly clients: BoundClients;
  readonly tariffs: LiveTariffs;
}

export const operatorRouter = (config: Config, deps: ApiOperatorDeps): Router => {
  const { clients, tariffs, now } = deps;
  const audit = createAudit(deps);
  const change = changePublishedWith(config, deps);
  const handlers = clientHandlers({
    ...{ tariffs, audit, now },
    clients: clientsOfService(config, deps, change),
    agreements: clients.agreements,
    send: createSender({ resolve: (hostname) => lookup(hostname, { all: true }) }),
  });
  return operatorRoutes({ ...deps, audit, handlers });
};
