/** `rates client list`: the clients without their secrets, and their warehouses without a zone chart. */
import { readConfig } from '../../base/config/settings.ts';
import { shownUrl } from '../../base/webhook/deliveries.ts';
import type { ClientRecord } from '../../catalog/clients/clients.ts';
import { unchartedFor, unchartedText } from '../../catalog/tariff/uncharted.ts';
import type { Card } from '../../rating/card.ts';
import { command, flag } from '../command.ts';
import { counted } from '../format.ts';
import type { Io } from '../io.ts';
import { clientPlace, orNone, tariffsNamed } from '../rate/local-sources.ts';

const entryOf = ({ drafts: _, warehouses, webhook, secrets, ...rest }: ClientRecord) => ({
  ...rest,
  warehouses: warehouses.map(({ warehouse_id }) => warehouse_id),
  webhook: webhook === undefined ? null : shownUrl(webhook.url),
  secrets: secrets.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt: expiresAt ?? null })),
});

const lineOf = ({ id, name, revoked, scopes, warehouses, agreements, secrets }: ReturnType<typeof entryOf>): string => {
  const state = revoked ? 'revoked' : counted(secrets.length, 'secret');
  const parts = [
    name,
    scopes.join(' and ') || 'no scope',
    counted(warehouses.length, 'warehouse'),
    ...agreements.map(({ name: of, warehouses: some, account }) => {
      const number = account === undefined ? '' : ` (account ${account})`;
      return some === undefined ? `agreement ${of}${number}` : `agreement ${of}${number} for ${some.join(' and ')}`;
    }),
    state,
  ];
  return `${id}: ${parts.join(', ')}`;
};

type RecordWarehouse = ClientRecord['warehouses'][number];

/** The rate cards in force now. Commands for clients work without them, so a tariff error is only reported. */
export const cardsNow = (io: Io): Promise<readonly Card[]> =>
  orNone(io, 'Warehouses could not be checked for zone charts', async () => {
    const schedule = await tariffsNamed(readConfig({ ...io.env, CLIENTS_FILE: undefined }));
    return schedule.bookAt(new Date()).cards;
  });

/** The services without a zone chart, by warehouse. */
export const unchartedWarehouses = (cards: readonly Card[], warehouses: readonly RecordWarehouse[]) =>
  warehouses.flatMap(({ warehouse_id, address }) =>
    unchartedFor(cards, address).map((uncharted) => ({ warehouse_id, ...uncharted })),
  );

/** A line per carrier and warehouse. */
export const unchartedLines = (cards: readonly Card[], warehouses: readonly RecordWarehouse[]): readonly string[] =>
  warehouses.flatMap(({ warehouse_id, address }) =>
    unchartedFor(cards, address).map(
      (uncharted) => `warehouse ${warehouse_id} (${address.postalCode}): ${unchartedText(uncharted)}`,
    ),
  );

export const clientList = command({
  path: 'client list',
  about: 'List all clients',
  options: { json: flag('--json', 'as JSON') },
  examples: ['CLIENTS_FILE=clients.json rates client list'],
  run: async (_, io) => {
    const records = await clientPlace(io.env).read();
    const cards = await cardsNow(io);
    return {
      json: () => ({
        clients: records.map((record) => ({
          ...entryOf(record),
          uncharted: unchartedWarehouses(cards, record.warehouses),
        })),
      }),
      lines: () =>
        records.flatMap((record) => [
          lineOf(entryOf(record)),
          ...(record.revoked ? [] : unchartedLines(cards, record.warehouses).map((line) => `  ${line}`)),
        ]),
    };
  },
});
