/** Changes of a client that several commands make, and what they say. */
import { ClientChangeError, withChanged } from '../clients/change-clients.ts';
import type { ClientPlace } from '../clients/client-place.ts';
import type { ClientRecord } from '../clients/clients.ts';
import { type ClientEdit, editedClient, type Warehouse } from '../clients/edit-client.ts';
import { readConfig } from '../config/settings.ts';
import { must } from '../must.ts';
import { PublishError } from '../published/documents.ts';
import { requireAgreements, requireDrafts } from './client-agreements.ts';
import { cardsNow, unchartedLines } from './client-list.ts';
import { type ClientFlags, editOf, type SetFlags } from './client-options.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { type Io, printJson, say, write } from './io.ts';
import { clientPlace, tariffsNamed, whoIn } from './local-sources.ts';

export type ClientIo = Pick<Io, 'stdout' | 'stderr' | 'env'>;

/** @throws {CommandFailure} if a change is refused */
const inWords = (error: unknown): never => {
  if (error instanceof ClientChangeError || error instanceof PublishError) throw new CommandFailure(error.message);
  throw error;
};

/** Changes the clients of the settings. @throws {CommandFailure} if the change is refused */
export const changeClientsOf = async ({ env }: ClientIo, how: Parameters<ClientPlace['change']>[0]): Promise<void> => {
  await clientPlace(env).change(how, whoIn(env)).catch(inWords);
};

/** Prints secrets as data, and says that they are not shown again. */
export const showOnce = async (io: ClientIo, shown: Readonly<Record<string, string>>, json: boolean): Promise<void> => {
  if (json) await printJson(io, shown);
  else
    await write(
      io.stdout,
      Object.entries(shown)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    );
  say(io, 'Save the secret now. Only its hash is stored, and it is not shown again.');
};

/** Refuses a discount on a service that no tariff has: it is a typo. */
export const requireServices = async ({ discount }: ClientFlags, io: ClientIo): Promise<void> => {
  const named = Object.keys(discount);
  if (named.length === 0) return;
  // The clients file may not exist yet.
  const config = readConfig({ ...io.env, CLIENTS_FILE: undefined });
  const { documents } = await tariffsNamed(config);
  const known = new Set(documents.flatMap(({ file }) => file.services.map(({ code }) => code)));
  const unknown = named.filter((service) => !known.has(service));
  if (unknown.length === 0) return;
  const place = config.tariffsDir === undefined ? 'The published tariffs' : `The tariffs in ${config.tariffsDir}`;
  throw new CommandFailure(
    `${place} have no service ${unknown.join(', ')}. Their services are ${[...known].join(', ')}. ` +
      'Correct the service, or name its tariffs with TARIFFS_DIR.',
    EXIT.usage,
  );
};

/** Says which of a client's warehouses have no zone chart. */
export const sayUncharted = async (warehouses: readonly Warehouse[], io: ClientIo): Promise<void> => {
  for (const line of unchartedLines(await cardsNow(io.env, io), warehouses)) say(io, `Note: ${line}.`);
};

/** Refuses an edit after which the client would get no prices. */
const requireEdited = async (client: ClientRecord, edit: ClientEdit, io: ClientIo): Promise<void> => {
  try {
    await requireAgreements(editedClient(client, edit), io);
  } catch (error) {
    inWords(error);
  }
};

/** Flags of `rates client set` that change nothing. */
export const NO_CHANGE: SetFlags = {
  warehouse: [],
  discount: {},
  agreement: [],
  draft: [],
  limit: {},
  removeWarehouse: [],
  removeDiscount: [],
  removeAgreement: [],
  removeDraft: [],
};

/**
 * Changes a client as `rates client set` does, and says so.
 * @param judge may throw to refuse the change, with the client as it was
 * @returns the changed client
 */
export const setClient = async (
  id: string,
  flags: SetFlags,
  io: ClientIo,
  judge: (before: ClientRecord) => void = () => undefined,
): Promise<ClientRecord> => {
  await requireServices(flags, io);
  await requireDrafts(flags.draft, io);
  const edit = await editOf(flags);
  const current = (await clientPlace(io.env).read()).find((client) => client.id === id);
  if (flags.agreement.length > 0 && current !== undefined) await requireEdited(current, edit, io);
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
  const signingSecret = hadWebhook ? undefined : changed?.webhook?.signingSecret;
  if (signingSecret !== undefined)
    await showOnce(io, { client_id: id, webhook_secret: signingSecret }, flags.json ?? false);
  else if (flags.json === true) await printJson(io, { client_id: id });
  say(io, `${id} is changed. Running processes use the change within a second.`);
  return must(changed, 'the changed client');
};

/** A client of the settings that is not revoked. @throws {CommandFailure} if there is none */
export const clientRecord = async (id: string, io: ClientIo): Promise<ClientRecord> => {
  const found = (await clientPlace(io.env).read()).find((client) => client.id === id);
  if (found === undefined) throw new CommandFailure(`There is no client ${id}.`);
  if (found.revoked) throw new CommandFailure(`The client ${id} is revoked.`);
  return found;
};
