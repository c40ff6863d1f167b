/** `rates client list`: the clients without their secrets, and which of their warehouses have no zone chart. */
import type { ClientRecord } from '../clients/clients.ts';
import { ConfigError, type Environment, readConfig } from '../config/settings.ts';
import type { Card } from '../rating/card.ts';
import { type Uncharted, unchartedFor, unchartedText } from '../tariff/uncharted.ts';
import { shownUrl } from '../webhook/deliveries.ts';
import { counted } from './format.ts';
import { type Io, printJson, write } from './io.ts';
import { tariffsNamed } from './local-sources.ts';
import type { Output } from './tariff-import.ts';

const entryOf = ({
  id,
  name,
  scopes,
  warehouses,
  discounts,
  agreements,
  limits,
  webhook,
  secrets,
  revoked,
}: ClientRecord) => ({
  id,
  name,
  revoked,
  scopes,
  warehouses: warehouses.map(({ warehouse_id }) => warehouse_id),
  discounts,
  agreements,
  limits,
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
  return `${id}: ${parts.join(', ')}\n`;
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

type RecordWarehouse = ClientRecord['warehouses'][number];

/** The rate cards in force now. Commands about clients work without them, so a tariff error is only reported. */
export const cardsNow = async (env: Environment, { stderr }: Pick<Output, 'stderr'>): Promise<readonly Card[]> => {
  try {
    return (await tariffsNamed(readConfig({ ...env, CLIENTS_FILE: undefined }))).bookAt(new Date()).cards;
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    const reason = failure instanceof ConfigError ? 'the settings are invalid' : failure.message;
    stderr.write(`Warehouses could not be checked for zone charts: ${reason}\n`);
    return [];
  }
};

export interface UnchartedWarehouse extends Uncharted {
  readonly warehouse_id: number;
}

/** The services without a zone chart, for each warehouse that has some. */
export const unchartedWarehouses = (
  cards: readonly Card[],
  warehouses: readonly RecordWarehouse[],
): readonly UnchartedWarehouse[] =>
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
