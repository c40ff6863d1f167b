/** Client changes that several commands share, and their messages. */
import { type Config, readConfig } from '../../base/config/settings.ts';
import { must } from '../../base/must.ts';
import { ClientChangeError, type ClientPlace, withChanged } from '../../catalog/clients/change-clients.ts';
import { type ClientRecord, unrevoked } from '../../catalog/clients/clients.ts';
import { type ClientEdit, editedClient, type Warehouse } from '../../catalog/clients/edit-client.ts';
import { detailOf } from '../../catalog/clients/view.ts';
import { PublishError } from '../../catalog/documents/library.ts';
import { unchartedFor, unchartedText } from '../../catalog/tariff/coverage.ts';
import type { Card } from '../../rating/card.ts';
import type { Said } from '../command.ts';
import { CommandFailure, wrongUse } from '../exit.ts';
import type { Io } from '../io.ts';
import {
  agreementsNamed,
  clientPlace,
  errorLines,
  orNone,
  tariffsNamed,
  whoIn,
  withAgreements,
} from '../rate/local-sources.ts';

/** @throws {CommandFailure} if a change was refused */
const inWords = (error: unknown): never => {
  if (error instanceof ClientChangeError || error instanceof PublishError) throw new CommandFailure(error.message);
  throw error;
};

/** Changes the clients in the settings. @throws {CommandFailure} if the change is refused */
export const changeClientsOf = async ({ env }: Io, how: Parameters<ClientPlace['change']>[0]): Promise<void> => {
  await clientPlace(env).change(how, whoIn(env)).catch(inWords);
};

/** Secrets as output, with a note on where they are kept. */
export const shownOnce = (shown: Readonly<Record<string, string>>) => ({
  json: () => shown,
  lines: () => Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
  notes: [
    'Save this now: it is not shown again.',
    ...('webhook_secret' in shown
      ? ['The service keeps the webhook secret to sign messages, so protect its clients file.']
      : []),
    ...('client_secret' in shown ? ['Only a hash of the client secret is stored.'] : []),
  ],
});

/** The settings without the clients file, which may not exist yet, and without the address, because nothing listens. */
const withoutClients = ({ env }: Io): Config => readConfig({ ...env, CLIENTS_FILE: undefined, HOST: undefined });

/** Refuses a discount on a service that is in no tariff, because it is a typo. */
const requireServices = async (discounts: ClientEdit['discounts'], config: Config): Promise<void> => {
  const named = Object.keys(discounts);
  if (named.length === 0) return;
  const { documents } = await tariffsNamed(config);
  const known = new Set(documents.flatMap(({ file }) => file.services.map(({ code }) => code)));
  const unknown = named.filter((service) => !known.has(service));
  if (unknown.length === 0) return;
  const place = config.tariffsDir === undefined ? 'The published tariffs' : `The tariffs in ${config.tariffsDir}`;
  throw wrongUse(
    `${place} have no service ${unknown.join(', ')}. Their services are ${[...known].join(', ')}. ` +
      'Correct the service, or name its tariffs with TARIFFS_DIR.',
  );
};

/** Refuses missing or broken drafts, because no comparison could use them. */
const requireDrafts = async (drafts: readonly string[], config: Config): Promise<void> => {
  if (drafts.length === 0) return;
  const { agreements, errors, place } = await agreementsNamed(config);
  const missing = drafts.filter((name) => !agreements.has(name));
  if (missing.length === 0) return;
  throw new CommandFailure(
    `The draft ${missing.join(', ')} is missing or has errors. Agreements come from ${place}.` +
      (errors.length === 0 ? '' : `\nErrors there:\n${errorLines(errors)}`) +
      '\nNothing was changed.',
  );
};

/** Refuses an edit that names a missing service or draft. */
export const requireKnown = async ({ discounts, drafts }: ClientEdit, io: Io): Promise<void> => {
  const config = withoutClients(io);
  await requireServices(discounts, config);
  await requireDrafts(drafts, config);
};

/** Refuses agreements that the service could not use, because the client would get no prices. */
export const requireAgreements = async (record: ClientRecord, io: Io): Promise<void> => {
  for (const client of unrevoked([record]).values()) {
    try {
      await withAgreements(withoutClients(io), client);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      throw new CommandFailure(`${error.message}\nNothing was changed.`);
    }
  }
};

/** The rate cards in force now. Commands for clients work without them, so a tariff error is only reported. */
export const cardsNow = (io: Io): Promise<readonly Card[]> =>
  orNone(io, 'Warehouses could not be checked for zone charts', async () => {
    const schedule = await tariffsNamed(readConfig({ ...io.env, CLIENTS_FILE: undefined }));
    return schedule.bookAt(new Date()).cards;
  });

/** The services without a zone chart, by warehouse. */
export const unchartedWarehouses = (cards: readonly Card[], warehouses: readonly Warehouse[]) =>
  warehouses.flatMap(({ warehouse_id, address }) =>
    unchartedFor(cards, address).map((uncharted) => ({ warehouse_id, ...uncharted })),
  );

/** A line per carrier and warehouse. */
export const unchartedLines = (cards: readonly Card[], warehouses: readonly Warehouse[]): readonly string[] =>
  warehouses.flatMap(({ warehouse_id, address }) =>
    unchartedFor(cards, address).map(
      (uncharted) => `warehouse ${warehouse_id} (${address.postalCode}): ${unchartedText(uncharted)}`,
    ),
  );

/** The client's warehouses without a zone chart. */
export const unchartedNotes = (cards: readonly Card[], warehouses: readonly Warehouse[]): readonly string[] =>
  unchartedLines(cards, warehouses).map((line) => `Note: ${line}.`);

/** A note on each discount that has no effect, because an agreement in force sets the price of the service. */
export const replacedNotes = (record: ClientRecord, io: Io): Promise<readonly string[]> =>
  orNone(io, 'Discounts could not be compared with agreements', async () => {
    if (record.agreements.length === 0 || Object.keys(record.discounts).length === 0) return [];
    const config = withoutClients(io);
    const [{ agreements }, schedule] = await Promise.all([agreementsNamed(config), tariffsNamed(config)]);
    const { services } = detailOf(record, { agreements, schedule, now: new Date(), fixed: undefined });
    return services.flatMap(({ shippingService, discount, agreements: own }) =>
      (discount === null ? [] : own).map(({ name, warehouses }) => {
        const where = warehouses === null ? '' : ` from warehouse ${warehouses.join(' and ')}`;
        return `Note: the discount of ${discount}% on ${shippingService} has no effect${where}: the agreement ${name} sets that price.`;
      }),
    );
  });

const edited = (client: ClientRecord, edit: ClientEdit): ClientRecord => {
  try {
    return editedClient(client, edit);
  } catch (error) {
    return inWords(error);
  }
};

/** Changes a client and reports it. @param judge may throw to refuse the change; gets the client before the change */
export const setClient = async (
  id: string,
  edit: ClientEdit,
  io: Io,
  judge: (before: ClientRecord) => void = () => undefined,
): Promise<Said & { readonly notes: readonly string[]; readonly changed: ClientRecord }> => {
  await requireKnown(edit, io);
  const current = (await clientPlace(io.env).read()).find((client) => client.id === id);
  if (edit.agreements.length > 0 && current !== undefined) await requireAgreements(edited(current, edit), io);
  let changed: ClientRecord | undefined;
  let hadWebhook = false;
  await changeClientsOf(io, (clients) =>
    withChanged(clients, id, (client) => {
      judge(client);
      hadWebhook = client.webhook !== undefined;
      changed = editedClient(client, edit);
      return changed;
    }),
  );
  const after = must(changed, 'the changed client');
  const signingSecret = hadWebhook ? undefined : after.webhook?.signingSecret;
  const isPriced = Object.keys(edit.discounts).length + edit.agreements.length > 0;
  const notes = [
    `Changed ${id}. Running processes use the change within a second.`,
    ...(isPriced ? await replacedNotes(after, io) : []),
  ];
  if (signingSecret === undefined) return { changed: after, json: () => ({ client_id: id }), notes };
  const shown = shownOnce({ client_id: id, webhook_secret: signingSecret });
  return { ...shown, changed: after, notes: [...shown.notes, ...notes] };
};

/** A client in the settings that is not revoked. @throws {CommandFailure} if there is none */
export const clientRecord = async (id: string, io: Io): Promise<ClientRecord> => {
  const found = (await clientPlace(io.env).read()).find((client) => client.id === id);
  if (found === undefined) throw new CommandFailure(`There is no client ${id}.`);
  if (found.revoked) throw new CommandFailure(`The client ${id} is revoked.`);
  return found;
};
