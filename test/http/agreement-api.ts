/** An API whose sample clients have agreements. */

import { must } from '../../src/base/must.ts';
import { type Assigned, accountOf } from '../../src/catalog/agreement/account.ts';
import type { Clients } from '../../src/catalog/clients/clients.ts';
import { type Overrides, sampleClients, startApi } from './api.ts';

/** The sample clients with agreements by client id. */
const clientsWith = async (agreementsOf: Readonly<Record<string, readonly Assigned[]>>): Promise<Clients> => {
  const clients = new Map(await sampleClients());
  for (const [id, agreements] of Object.entries(agreementsOf)) {
    const client = must(clients.get(id), id);
    clients.set(id, { ...client, agreements, account: accountOf({ discounts: client.discounts, agreements }) });
  }
  return clients;
};

/** An API at noon of a day. The client `demo` has these agreements, and the client `other` has others. */
export const apiWithAgreements = async (
  day: string,
  demo: readonly Assigned[],
  other: readonly Assigned[] = [],
  deps: Overrides = {},
) => {
  const clients = await clientsWith({ demo, other });
  return await startApi({ now: () => new Date(`${day}T12:00:00Z`), clients: { current: () => clients }, ...deps });
};
