/** `rates client list`: who may call, without any secret. */
import type { ClientRecord } from '../clients.ts';
import { shownUrl } from '../webhook/deliveries.ts';
import { counted, type Io, printJson, write } from './io.ts';

const entryOf = ({ id, name, scopes, warehouses, discounts, limits, webhook, secrets, revoked }: ClientRecord) => ({
  id,
  name,
  revoked,
  scopes,
  warehouses: warehouses.map(({ warehouse_id }) => warehouse_id),
  discounts,
  limits,
  webhook: webhook === undefined ? null : shownUrl(webhook.url),
  secrets: secrets.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt: expiresAt ?? null })),
});

const lineOf = ({ id, name, revoked, scopes, warehouses, secrets }: ReturnType<typeof entryOf>): string => {
  const state = revoked ? 'revoked' : counted(secrets.length, 'secret');
  return `${id}: ${name}, ${scopes.join(' and ') || 'no scope'}, ${counted(warehouses.length, 'warehouse')}, ${state}\n`;
};

export const listClients = async (
  records: readonly ClientRecord[],
  json: boolean,
  io: Pick<Io, 'stdout'>,
): Promise<void> => {
  const clients = records.map(entryOf);
  if (json) await printJson(io, { clients });
  else await write(io.stdout, clients.map(lineOf).join(''));
};
