/** `rates client`: adds, changes, lists, imports, rotates and revokes clients. */
import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { newSecret, withClient, withNewestSecret, withoutClient, withSecret } from '../clients/change-clients.ts';
import { parseClients, sampleCredentials, unrevoked } from '../clients/clients.ts';
import { newClient } from '../clients/edit-client.ts';
import { requireAgreements, requireDrafts } from './client-agreements.ts';
import { type ClientIo, changeClientsOf, requireServices, sayUncharted, setClient, showOnce } from './client-change.ts';
import { discountCommand } from './client-discount.ts';
import { cardsNow, listClients } from './client-list.ts';
import {
  type ClientFlags,
  editOf,
  idArgument,
  type SetFlags,
  withClientOptions,
  withRemoveOptions,
} from './client-options.ts';
import { warehouseCommand } from './client-warehouse.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { say } from './io.ts';
import { clientPlace } from './local-sources.ts';

const HOUR_MS = 3_600_000;

const add = async (id: string, flags: ClientFlags, io: ClientIo): Promise<void> => {
  const now = new Date();
  await requireServices(flags, io);
  const secret = newSecret(now);
  const record = newClient(id, await editOf(flags), secret.kept);
  await requireAgreements(record, io);
  await requireDrafts(record.drafts, io);
  await clientPlace(io.env).make();
  await changeClientsOf(io, (clients) => withClient(clients, record));
  const { webhook } = record;
  const shown = { client_id: id, client_secret: secret.text };
  await showOnce(
    io,
    webhook === undefined ? shown : { ...shown, webhook_secret: webhook.signingSecret },
    flags.json ?? false,
  );
  await sayUncharted(record.warehouses, io);
};

const GIVEN_LISTS = [
  ...(['warehouse', 'discount', 'agreement', 'limit'] as const),
  ...(['removeWarehouse', 'removeDiscount', 'removeAgreement'] as const),
];

const set = async (id: string, flags: SetFlags, io: ClientIo): Promise<void> => {
  const { name, warehouses, scope, webhook, removeWebhook } = flags;
  const isNothing =
    [name, warehouses, scope, webhook, removeWebhook].every((value) => value === undefined) &&
    GIVEN_LISTS.every((list) => Object.keys(flags[list]).length === 0);
  if (isNothing) throw new CommandFailure('Name what to change, for example --discount.', EXIT.usage);
  const changed = await setClient(id, flags, io);
  if (flags.warehouse.length > 0 || warehouses !== undefined) await sayUncharted(changed.warehouses, io);
};

/** Adds the clients of a file, with their secrets. */
const importClients = async (file: string, io: ClientIo): Promise<void> => {
  const records = parseClients(await readFile(file, 'utf8'), file);
  await clientPlace(io.env).make();
  await changeClientsOf(io, (clients) => records.reduce(withClient, clients));
  say(io, `Added: ${records.map(({ id }) => id).join(', ')}.`);
  const known = sampleCredentials(unrevoked(records)).map(({ id }) => id);
  if (known.length > 0)
    say(
      io,
      `The secret of ${known.join(' and ')} is public. An API that other machines can reach refuses these clients ` +
        'until you rotate the secret (`rates client rotate ID --grace 0`) or revoke the client.',
    );
};

interface RotateFlags {
  readonly grace?: number;
  readonly revokeOld?: true;
  readonly json?: true;
}

const oldSecretText = (id: string, grace: number | undefined): string => {
  if (grace === undefined) return `The old secret stays valid until \`rates client rotate ${id} --revoke-old\`.`;
  if (grace === 0) return 'The old secret and its tokens are no longer valid.';
  return `The old secret and its tokens stay valid for ${grace === 1 ? 'an hour' : `${grace} hours`}.`;
};

const rotate = async (id: string, { grace, revokeOld, json }: RotateFlags, io: ClientIo): Promise<void> => {
  if (revokeOld) {
    await changeClientsOf(io, (clients) => withNewestSecret(clients, id));
    return say(io, `Only the newest secret of ${id} is valid now. Tokens of older secrets are refused.`);
  }
  const now = new Date();
  const secret = newSecret(now);
  const graceMs = grace === undefined ? undefined : grace * HOUR_MS;
  await changeClientsOf(io, (clients) => withSecret(clients, id, secret.kept, graceMs, now));
  await showOnce(io, { client_id: id, client_secret: secret.text }, json ?? false);
  say(io, oldSecretText(id, grace));
};

const hours = (text: string): number => {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of hours, at most 9999.');
  return Number(text);
};

const EXAMPLES = {
  add: `
Examples:
  rates client add acme --name 'Acme Inc.' --warehouse '101,Newark,NJ,07001' --discount FDX-GROUND=12.5
  rates client add acme --warehouses warehouses.csv --webhook https://acme.example/rates --json`,
  set: `
Examples:
  rates client set acme --discount FDX-GROUND=35 --limit quotesPerMinute=6000
  rates client set acme --agreement acme-ups --agreement acme-fedex=101,102@1X2Y3Z
  rates client set acme --remove-discount FDX-GROUND --warehouse '102,Reno,NV,89501' --remove-warehouse 101

Everything that no option names stays unchanged. --warehouse replaces the warehouse with the same id,
and --agreement the agreement of the same name.`,
  list: `
Examples:
  CLIENTS_FILE=clients.json rates client list`,
  import: `
Examples:
  CLIENTS_FILE=published rates client import clients.json`,
  rotate: `
Examples:
  rates client rotate acme --grace 24
  rates client rotate acme --revoke-old`,
  revoke: `
Examples:
  rates client revoke acme`,
};

/** The command `rates client`. */
export const clientCommand = (io: ClientIo): Command => {
  const client = new Command('client').description('Manage clients in CLIENTS_FILE, or published ones');
  withClientOptions(
    client
      .command('add')
      .addHelpText('after', EXAMPLES.add)
      .description('Add a client; its secret is created and shown once')
      .argument('<id>', 'letters, digits, ., _ and -, at most 64', idArgument),
  ).action(async (id: string, flags: ClientFlags) => await add(id, flags, io));
  withRemoveOptions(
    withClientOptions(
      client
        .command('set')
        .addHelpText('after', EXAMPLES.set)
        .description('Change a client: its name, warehouses, discounts, agreements, scopes, limits or webhook')
        .argument('<id>', 'the id that `rates client list` shows', idArgument),
    ),
  ).action(async (id: string, flags: SetFlags) => await set(id, flags, io));
  client
    .command('list')
    .addHelpText('after', EXAMPLES.list)
    .description('List all clients')
    .option('--json', 'as JSON')
    .action(
      async ({ json = false }: { json?: boolean }) =>
        await listClients(await clientPlace(io.env).read(), await cardsNow(io.env, io), json, io),
    );
  client
    .command('import')
    .addHelpText('after', EXAMPLES.import)
    .description('Add all clients of another clients file, with their secrets')
    .argument('<file>')
    .action(async (file: string) => await importClients(file, io));
  client
    .command('rotate')
    .addHelpText('after', EXAMPLES.rotate)
    .description('Give a client a new secret; the old one stays valid')
    .argument('<id>', 'the id that `rates client list` shows', idArgument)
    .option('--grace <hours>', 'end the old secret after this many hours; 0 is now', hours)
    .option('--revoke-old', 'create no secret; end all but the newest, with their tokens')
    .option('--json', 'as JSON')
    .action(async (id: string, flags: RotateFlags) => await rotate(id, flags, io));
  client
    .command('revoke')
    .addHelpText('after', EXAMPLES.revoke)
    .description('Revoke a client: its secrets and tokens are refused within a second')
    .argument('<id>', 'the id that `rates client list` shows', idArgument)
    .action(async (id: string) => {
      await changeClientsOf(io, (clients) => withoutClient(clients, id));
      say(io, `${id} is revoked.`);
    });
  return client.addCommand(warehouseCommand(io)).addCommand(discountCommand(io));
};
