/** `rates client`: adds, changes, lists, imports, rotates and revokes clients. */
import { z } from 'zod';
import { shownUrl } from '../../base/webhook/deliveries.ts';
import {
  newSecret,
  withClient,
  withNewestSecret,
  withoutClient,
  withSecret,
} from '../../catalog/clients/change-clients.ts';
import {
  CLIENT_FORM,
  type ClientRecord,
  parseClients,
  sampleCredentials,
  unrevoked,
} from '../../catalog/clients/clients.ts';
import { clientEdit, newClient } from '../../catalog/clients/edit-client.ts';
import { LIMITS } from '../../rating/shipment.ts';
import { command, flag, group, input, required, wholeNumber } from '../command.ts';
import { CommandFailure, textAt, wrongUse } from '../exit.ts';
import { counted, table } from '../format.ts';
import { clientPlace } from '../rate/local-sources.ts';
import {
  cardsNow,
  changeClientsOf,
  clientRecord,
  replacedNotes,
  requireAgreements,
  requireKnown,
  setClient,
  shownOnce,
  unchartedLines,
  unchartedNotes,
  unchartedWarehouses,
} from './client-change.ts';
import {
  EDIT_OPTIONS,
  editOf,
  isNothing,
  REMOVE_OPTIONS,
  WAREHOUSES_FILE,
  warehouseIds,
  warehouseTexts,
  withFile,
} from './client-options.ts';

/* `rates client warehouse` and `rates client discount`: change a client's warehouses and discounts one by one. */

/** The id of an existing client. */
const ID = input('<id>', 'the id that `rates client list` shows', CLIENT_FORM.id);

const JSON_OPTION = flag('--json', 'print the result as JSON');

const warehouseAdd = command({
  path: 'client warehouse add',
  about: 'Add warehouses to a client',
  args: {
    id: ID,
    warehouses: input('[id,name,state,zip...]', 'warehouses; a fifth part is the country', warehouseTexts),
  },
  options: { file: WAREHOUSES_FILE, json: JSON_OPTION },
  examples: [
    "rates client warehouse add acme '102,Reno,NV,89501' '103,Troy,NY,12180'",
    'rates client warehouse add acme --warehouses warehouses.csv',
  ],
  more: "It says which carriers have no zone chart of the warehouse's origin.",
  refuse: ({ warehouses, file }) =>
    warehouses.length === 0 && file === undefined && 'Name a warehouse, or a file with --warehouses.',
  run: async ({ id, warehouses: given, file }, io) => {
    const warehouses = await withFile(given, file);
    if (warehouses.length === 0) throw wrongUse(`${file} has no warehouse.`);
    const cards = await cardsNow(io);
    const { changed: _, ...said } = await setClient(id, clientEdit.parse({ warehouses }), io, (before) => {
      const known = before.warehouses.map(({ warehouse_id }) => warehouse_id);
      const again = warehouses.map(({ warehouse_id }) => warehouse_id).filter((one) => known.includes(one));
      if (again.length > 0)
        throw new CommandFailure(
          `${id} already has a warehouse ${again.join(' and ')}. \`rates client set ${id} --warehouse\` replaces it.`,
        );
    });
    return { ...said, notes: [...said.notes, ...unchartedNotes(cards, warehouses)] };
  },
});

const warehouseRemove = command({
  path: 'client warehouse remove',
  about: 'Remove warehouses from a client',
  args: {
    id: ID,
    removeWarehouses: input(
      '<warehouse_id...>',
      'the warehouses that `rates client warehouse list` shows',
      warehouseIds,
    ),
  },
  options: { json: JSON_OPTION },
  examples: ['rates client warehouse remove acme 102 103'],
  run: ({ id, removeWarehouses }, io) => setClient(id, clientEdit.parse({ removeWarehouses }), io),
});

const warehouseList = command({
  path: 'client warehouse list',
  about: "List a client's warehouses, and which have no zone chart",
  args: { id: ID },
  options: { json: flag('--json', 'as JSON') },
  examples: ['rates client warehouse list acme', 'rates client warehouse list acme --json'],
  run: async ({ id }, io) => {
    const { warehouses } = await clientRecord(id, io);
    const cards = await cardsNow(io);
    const uncharted = unchartedWarehouses(cards, warehouses);
    const rows = warehouses.map(({ warehouse_id, name, address }) => [
      ...[String(warehouse_id), name],
      ...[address.stateOrProvinceCode, address.postalCode, address.countryCode],
    ]);
    return {
      json: () => ({
        warehouses: warehouses.map((one) => ({
          ...one,
          uncharted: uncharted
            .filter(({ warehouse_id }) => warehouse_id === one.warehouse_id)
            .map(({ warehouse_id: _, ...rest }) => rest),
        })),
      }),
      lines: () => [...table(rows, ['right']), ...unchartedLines(cards, warehouses)],
    };
  },
});

/** `35`, `12.5` or `35%`. */
const percentage = z
  .string()
  .transform((text) => text.replace(/ ?%$/, ''))
  .pipe(CLIENT_FORM.percent);

const service = z
  .string()
  .max(LIMITS.shippingServiceLength, `must be a service, which has at most ${LIMITS.shippingServiceLength} characters`);

const discount = command({
  path: 'client discount',
  about: 'Set or remove a discount of a client, or list them',
  args: {
    id: ID,
    service: input('[service]', 'the service; default: list the discounts', service.optional()),
    percent: input('[percent]', 'the percentage off, such as 35 or 12.5', percentage.optional()),
  },
  options: { remove: flag('--remove', 'remove the discount on the service'), json: JSON_OPTION },
  examples: [
    'rates client discount acme',
    'rates client discount acme FDX-GROUND 35',
    'rates client discount acme FDX-GROUND --remove',
  ],
  more: 'The percentage is off the base charge. If an agreement of the client covers the service, the agreement applies instead.',
  refuse: ({ service: named, percent, remove }) => {
    if (named === undefined) return remove && 'Name the service whose discount to remove.';
    return (percent === undefined) !== (remove === true) && `Give the percentage off ${named}, or --remove. Not both.`;
  },
  run: async ({ id, service: named, percent }, io) => {
    if (named !== undefined) {
      const edit = percent === undefined ? { removeDiscounts: [named] } : { discounts: { [named]: percent } };
      return await setClient(id, clientEdit.parse(edit), io);
    }
    const record = await clientRecord(id, io);
    const { discounts } = record;
    const replaced = await replacedNotes(record, io);
    const rows = Object.entries(discounts).map(([code, off]) => [code, `${off}%`]);
    return {
      json: () => ({ discounts }),
      lines: () => table(rows, ['left', 'right']),
      remarks: () => (rows.length === 0 ? [`${id} has no discounts.`] : replaced),
    };
  },
});

const HOUR_MS = 3_600_000;

const clientAdd = command({
  path: 'client add',
  about: 'Add a client; its secret is created and shown once',
  args: { id: input('<id>', 'letters, digits, ., _ and -, at most 64', CLIENT_FORM.id) },
  options: { ...EDIT_OPTIONS, json: JSON_OPTION },
  examples: [
    "rates client add acme --name 'Acme Inc.' --warehouse '101,Newark,NJ,07001' --discount FDX-GROUND=12.5",
    'rates client add acme --warehouses warehouses.csv --webhook https://acme.example/rates --json',
  ],
  run: async ({ id, json: _, ...flags }, io) => {
    const secret = newSecret(new Date());
    const edit = await editOf(flags);
    await requireKnown(edit, io);
    const record = newClient(id, edit, secret.kept);
    await requireAgreements(record, io);
    // Nothing may come between the change and printing the secret.
    const checked = [...unchartedNotes(await cardsNow(io), record.warehouses), ...(await replacedNotes(record, io))];
    await clientPlace(io.env).make();
    await changeClientsOf(io, (clients) => withClient(clients, record));
    const { webhook } = record;
    const shown = shownOnce({
      client_id: id,
      client_secret: secret.text,
      ...(webhook === undefined ? {} : { webhook_secret: webhook.signingSecret }),
    });
    return { ...shown, notes: [...shown.notes, ...checked] };
  },
});

const clientSet = command({
  path: 'client set',
  about: 'Change a client: its name, warehouses, discounts, agreements, scopes, limits or webhook',
  args: { id: ID },
  options: { ...EDIT_OPTIONS, json: JSON_OPTION, ...REMOVE_OPTIONS },
  excludes: { removeWebhook: ['webhook'] },
  examples: [
    'rates client set acme --discount FDX-GROUND=35 --limit quotesPerMinute=6000',
    'rates client set acme --agreement acme-ups --agreement acme-fedex=101,102@1X2Y3Z',
    "rates client set acme --remove-discount FDX-GROUND --warehouse '102,Reno,NV,89501' --remove-warehouse 101",
  ],
  more: `Everything that no option names stays unchanged. --warehouse replaces the warehouse with the same id,
and --agreement the agreement with the same name.`,
  run: async ({ id, json: _, ...flags }, io) => {
    const edit = await editOf(flags);
    if (isNothing(edit)) throw wrongUse('Name what to change, for example --discount.');
    const cards = edit.warehouses.length > 0 ? await cardsNow(io) : [];
    const { changed, ...said } = await setClient(id, edit, io);
    return { ...said, notes: [...said.notes, ...unchartedNotes(cards, changed.warehouses)] };
  },
});

/* The clients without their secrets, and their warehouses without a zone chart. */

const entryOf = ({ warehouses, webhook, secrets, ...rest }: ClientRecord) => ({
  ...rest,
  warehouses: warehouses.map(({ warehouse_id }) => warehouse_id),
  webhook: webhook === undefined ? null : shownUrl(webhook.url),
  secrets: secrets.map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt: expiresAt ?? null })),
});

const lineOf = (entry: ReturnType<typeof entryOf>): string => {
  const { id, name, revoked, scopes, warehouses, discounts, agreements, drafts, secrets } = entry;
  const state = revoked ? 'revoked' : counted(secrets.length, 'secret');
  const parts = [
    name,
    scopes.join(' and ') || 'no scope',
    counted(warehouses.length, 'warehouse'),
    ...Object.entries(discounts).map(([service, percent]) => `${percent}% off ${service}`),
    ...agreements.map(({ name: of, warehouses: some, account }) => {
      const number = account === undefined ? '' : ` (account ${account})`;
      return some === undefined ? `agreement ${of}${number}` : `agreement ${of}${number} for ${some.join(' and ')}`;
    }),
    ...drafts.map((draft) => `draft ${draft}`),
    state,
  ];
  return `${id}: ${parts.join(', ')}`;
};

const clientList = command({
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
      remarks: () => (records.length === 0 ? ['There are no clients. `rates client add` adds one.'] : []),
    };
  },
});

const clientImport = command({
  path: 'client import',
  about: 'Add all clients of another clients file, with their secrets',
  args: { file: required('<file>', '') },
  examples: ['CLIENTS_FILE=published rates client import clients.json'],
  run: async ({ file }, io) => {
    const records = parseClients(await textAt(file), file);
    await clientPlace(io.env).make();
    await changeClientsOf(io, (clients) => records.reduce(withClient, clients));
    const known = sampleCredentials(unrevoked(records)).map(({ id }) => id);
    const isPublic =
      `The secret of ${known.join(' and ')} is public. An API that other machines can reach refuses these clients ` +
      'until you rotate the secret (`rates client rotate ID --grace 0`) or revoke the client.';
    return {
      notes: [`Added: ${records.map(({ id }) => id).join(', ')}.`, ...(known.length > 0 ? [isPublic] : [])],
    };
  },
});

const oldSecretText = (id: string, grace: number | undefined): string => {
  if (grace === undefined) return `The old secret stays valid until \`rates client rotate ${id} --revoke-old\`.`;
  if (grace === 0) return 'The old secret and its tokens are no longer valid.';
  return `The old secret and its tokens stay valid for ${grace === 1 ? 'an hour' : `${grace} hours`}.`;
};

const clientRotate = command({
  path: 'client rotate',
  about: 'Give a client a new secret; the old one stays valid',
  args: { id: ID },
  options: {
    grace: input(
      '--grace <hours>',
      'end the old secret after this many hours; 0 is now',
      wholeNumber(0, 9_999, 'must be a whole number of hours, at most 9999').optional(),
    ),
    revokeOld: flag('--revoke-old', 'create no secret; end all but the newest, with their tokens'),
    json: flag('--json', 'as JSON'),
  },
  examples: ['rates client rotate acme --grace 24', 'rates client rotate acme --revoke-old'],
  run: async ({ id, grace, revokeOld }, io) => {
    if (revokeOld) {
      await changeClientsOf(io, (clients) => withNewestSecret(clients, id));
      return { notes: [`Only the newest secret of ${id} is valid now. Tokens of older secrets are refused.`] };
    }
    const now = new Date();
    const secret = newSecret(now);
    const graceMs = grace === undefined ? undefined : grace * HOUR_MS;
    await changeClientsOf(io, (clients) => withSecret(clients, id, secret.kept, graceMs, now));
    const shown = shownOnce({ client_id: id, client_secret: secret.text });
    return { ...shown, notes: [...shown.notes, oldSecretText(id, grace)] };
  },
});

const clientRevoke = command({
  path: 'client revoke',
  about: 'Revoke a client: its secrets and tokens are refused within a second',
  args: { id: ID },
  examples: ['rates client revoke acme'],
  run: async ({ id }, io) => {
    await changeClientsOf(io, (clients) => withoutClient(clients, id));
    return { notes: [`${id} is revoked.`] };
  },
});

export const clientCommands = [
  group('client', 'Manage clients in CLIENTS_FILE, or published ones'),
  ...[clientAdd, clientSet, clientList, clientImport, clientRotate, clientRevoke],
  group('client warehouse', 'Add, remove or list the warehouses of a client'),
  ...[warehouseAdd, warehouseRemove, warehouseList, discount],
];
