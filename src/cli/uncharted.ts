/** Says which warehouses have no zone chart, for commands that know the clients. */
import type { ClientRecord } from '../clients/clients.ts';
import { ConfigError, type Environment, readConfig } from '../config/settings.ts';
import type { Card } from '../rating/card.ts';
import { type Uncharted, unchartedFor, unchartedText } from '../tariff/uncharted.ts';
import { tariffsNamed } from './local.ts';
import type { Output } from './tariff-import.ts';

type RecordWarehouse = ClientRecord['warehouses'][number];

/** The cards in force now. A command about clients works without them, so what is wrong with the tariffs is only said. */
export const cardsNow = async (env: Environment, { stderr }: Pick<Output, 'stderr'>): Promise<readonly Card[]> => {
  try {
    return (await tariffsNamed(readConfig({ ...env, CLIENTS_FILE: undefined }))).bookAt(new Date()).cards;
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    const reason = failure instanceof ConfigError ? 'the settings are not in order' : failure.message;
    stderr.write(`Which warehouses have no zone chart is not known: ${reason}\n`);
    return [];
  }
};

export interface UnchartedWarehouse extends Uncharted {
  readonly warehouse_id: number;
}

export const unchartedWarehouses = (
  cards: readonly Card[],
  warehouses: readonly RecordWarehouse[],
): readonly UnchartedWarehouse[] =>
  warehouses.flatMap(({ warehouse_id, address }) =>
    unchartedFor(cards, address).map((uncharted) => ({ warehouse_id, ...uncharted })),
  );

/** A line for each carrier of each warehouse. */
export const unchartedLines = (cards: readonly Card[], warehouses: readonly RecordWarehouse[]): readonly string[] =>
  warehouses.flatMap(({ warehouse_id, address }) =>
    unchartedFor(cards, address).map(
      (uncharted) => `warehouse ${warehouse_id} (${address.postalCode}): ${unchartedText(uncharted)}`,
    ),
  );
