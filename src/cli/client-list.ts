/** `rates client list`: who may call, without any secret, and which of their warehouses have no zone chart. */
import type { ClientRecord } from '../clients/clients.ts';
import type { Card } from '../rating/card.ts';
import { shownUrl } from '../webhook/deliveries.ts';
import { counted, type Io, printJson, write } from './io.ts';
import { unchartedLines, unchartedWarehouses } from './uncharted.ts';

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
  cards: readonly Card[],
  json: boolean,
  io: Pick<Io, 'stdout'>,
): Promise<void> => {
  if (json) {
    const clients = records.map((record) => ({
      ...entryOf(record),
      uncharted: unchartedWarehouses(cards, record.warehouses),
    }));
    return await printJson(io, { clients });
  }
  const lines = records.flatMap((record) => [
    lineOf(entryOf(record)),
    ...(record.revoked ? [] : unchartedLines(cards, record.warehouses).map((line) => `  ${line}\n`)),
  ]);
  await write(io.stdout, lines.join(''));
};
