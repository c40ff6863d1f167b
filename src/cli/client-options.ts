/** The options of `rates client add` and `rates client set`, and the client records that they produce. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { newSigningSecret } from '../clients/change-clients.ts';
import { CLIENT_FORM, type ClientRecord, LIMIT_NAMES, parseClients, SCOPES, type Scope } from '../clients/clients.ts';
import { Failed } from '../rating/fault.ts';
import { LIMITS } from '../rating/shipment.ts';
import { check } from '../rating/validation.ts';
import {
  type AgreementFlags,
  changedAgreements,
  changedDrafts,
  type DraftFlags,
  unknownAgreements,
  unknownDrafts,
  withAgreementOption,
  withDraftOption,
  withRemoveAgreementOption,
  withRemoveDraftOption,
} from './client-agreements.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { sentence, type Warehouse, warehousesIn } from './warehouse-file.ts';

/** Options of both commands. */
export interface ClientFlags {
  readonly name?: string;
  readonly warehouse: readonly Warehouse[];
  readonly warehouses?: string;
  readonly discount: Readonly<Record<string, string>>;
  readonly agreement: AgreementFlags['agreement'];
  readonly draft: DraftFlags['draft'];
  readonly scope?: readonly Scope[];
  readonly limit: Readonly<Record<string, number>>;
  readonly webhook?: string;
  readonly json?: true;
}

/** Options of `set`. */
export interface SetFlags extends ClientFlags, AgreementFlags, DraftFlags {
  readonly removeWarehouse: readonly number[];
  readonly removeDiscount: readonly string[];
  readonly removeWebhook?: true;
}

/**
 * Checks an option with the schema of the clients file.
 * @throws {InvalidArgumentError} the problem; Commander adds the option
 */
const requireForm = (form: z.ZodType, value: unknown, under = 0): void => {
  const checked = check(form, value);
  const [problem] = checked instanceof Failed ? checked.fault : [];
  if (problem !== undefined)
    throw new InvalidArgumentError(`${sentence({ ...problem, path: problem.path.slice(under) })}.`);
};

const textOption =
  (form: z.ZodType) =>
  (text: string): string => {
    requireForm(form, text);
    return text;
  };

/** A client's id as a command's argument. */
export const idArgument = textOption(CLIENT_FORM.id);

/** A warehouse as an option or an argument. */
export const warehouseOption = (text: string, before: readonly Warehouse[]): readonly Warehouse[] => {
  const [id = '', name = '', stateOrProvinceCode = '', postalCode = '', countryCode = 'US', ...more] = text
    .split(',')
    .map((cell) => cell.trim());
  if (!/^\d{1,10}$/.test(id) || postalCode === '' || more.length > 0)
    throw new InvalidArgumentError('It must be ID,NAME,STATE,ZIP or ID,NAME,STATE,ZIP,COUNTRY.');
  const address = { postalCode, stateOrProvinceCode, countryCode };
  const warehouses = [...before, { warehouse_id: Number(id), name, address }];
  requireForm(CLIENT_FORM.warehouses, warehouses, 1);
  return warehouses;
};

const pairOption =
  <T>(form: string, read: (name: string, value: string) => T) =>
  (text: string, before: Readonly<Record<string, T>>): Readonly<Record<string, T>> => {
    const [, name, value] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new InvalidArgumentError(`It must be ${form}.`);
    return { ...before, [name]: read(name, value) };
  };

/** A service as an argument. */
export const serviceArgument = (service: string): string => {
  if (service.length > LIMITS.shippingServiceLength)
    throw new InvalidArgumentError(`A service has at most ${LIMITS.shippingServiceLength} characters.`);
  return service;
};

/** A discount as an argument: `35`, `12.5` or `35%`. */
export const percentArgument = (text: string): string => {
  const percent = text.replace(/ ?%$/, '');
  requireForm(CLIENT_FORM.discounts, { percent }, 1);
  return percent;
};

const discountOption = pairOption('SERVICE=PERCENT', (service, percent) => {
  requireForm(CLIENT_FORM.discounts, { [serviceArgument(service)]: percent });
  return percent;
});

const limitOption = pairOption('NAME=NUMBER', (name, text) => {
  if (!LIMIT_NAMES.some((known) => known === name))
    throw new InvalidArgumentError(`The limits are ${LIMIT_NAMES.join(', ')}.`);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be NAME=NUMBER, a whole number.');
  requireForm(CLIENT_FORM.limits, { [name]: Number(text) });
  return Number(text);
});

/** The options that `add` and `set` share. */
export const withClientOptions = (command: Command): Command =>
  withDraftOption(withAgreementOption(command))
    .option('--name <name>', 'the name for people', textOption(CLIENT_FORM.name))
    .option('--warehouse <id,name,state,zip>', 'a warehouse; repeatable', warehouseOption, [])
    .option(
      '--warehouses <csv>',
      'warehouses from a CSV with warehouse_id, name, stateOrProvinceCode, postalCode and, outside the US, countryCode',
    )
    .option('--discount <service=percent>', 'a discount on the base charge; repeatable', discountOption, {})
    .addOption(new Option('--scope <scopes...>', 'what the client may do').choices(SCOPES))
    .option('--limit <name=number>', `one of ${LIMIT_NAMES.join(', ')}; repeatable`, limitOption, {})
    .option('--webhook <url>', 'the https URL to call when a batch ends', textOption(CLIENT_FORM.webhookUrl))
    .option('--json', 'print the result as JSON');

/** The id of a warehouse as an option or an argument. */
export const warehouseId = (text: string, before: readonly number[]): readonly number[] => {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a warehouse_id.');
  return [...before, Number(text)];
};

/** The options of `set` alone. */
export const withRemoveOptions = (command: Command): Command =>
  withRemoveDraftOption(withRemoveAgreementOption(command))
    .option('--remove-warehouse <id>', 'a warehouse to remove; repeatable', warehouseId, [])
    .option(
      '--remove-discount <service>',
      'a discount to remove; repeatable',
      (text, before: string[]) => [...before, text],
      [],
    )
    .addOption(new Option('--remove-webhook', 'remove the webhook').conflicts('webhook'));

/** Parses a record as the service parses the clients file, so that both report a problem in the same words. */
const judged = (record: object): ClientRecord => {
  const [read] = parseClients(JSON.stringify({ clients: [record] }), 'The client');
  if (read === undefined) throw new CommandFailure('There is no client to write.', EXIT.usage);
  return read;
};

const webhookOf = (url: string | undefined, before: ClientRecord['webhook']) =>
  url === undefined ? before : { url, signingSecret: before?.signingSecret ?? newSigningSecret() };

/** The warehouses of options, and of the file that an option names. */
export const warehousesOf = async ({
  warehouse,
  warehouses,
}: Pick<ClientFlags, 'warehouse' | 'warehouses'>): Promise<readonly Warehouse[]> =>
  warehouses === undefined ? warehouse : [...warehouse, ...(await warehousesIn(warehouses, warehouse))];

/**
 * The record of a new client.
 * @throws {CommandFailure} if the file of its warehouses cannot be used
 */
export const recordOf = async (
  id: string,
  flags: ClientFlags,
  secret: ClientRecord['secrets'][number],
): Promise<ClientRecord> =>
  judged({
    id,
    name: flags.name ?? id,
    secrets: [secret],
    scopes: flags.scope ?? SCOPES,
    warehouses: await warehousesOf(flags),
    discounts: flags.discount,
    agreements: flags.agreement,
    drafts: flags.draft,
    limits: flags.limit,
    webhook: webhookOf(flags.webhook, undefined),
  });

const ids = (warehouses: readonly Warehouse[]): readonly number[] => warehouses.map(({ warehouse_id }) => warehouse_id);

/** What the flags remove and the client does not have. */
const unknownOf = (
  client: ClientRecord,
  { removeWarehouse, removeDiscount, removeAgreement, removeDraft }: SetFlags,
): readonly string[] => [
  ...removeWarehouse.filter((id) => !ids(client.warehouses).includes(id)).map((id) => `no warehouse ${id}`),
  ...removeDiscount
    .filter((service) => !Object.hasOwn(client.discounts, service))
    .map((code) => `no discount on ${code}`),
  ...unknownAgreements(client, removeAgreement),
  ...unknownDrafts(client, removeDraft),
];

/**
 * The change that `set` makes. What the flags do not name stays. A warehouse replaces the one with the same id.
 * @throws {CommandFailure} if the file of warehouses cannot be used, or the client does not have what is to be removed
 */
export const changeOf = async (flags: SetFlags): Promise<(client: ClientRecord) => ClientRecord> => {
  const given = await warehousesOf(flags);
  const gone = new Set([...flags.removeWarehouse, ...ids(given)]);
  return (client) => {
    const unknown = unknownOf(client, flags);
    if (unknown.length > 0) throw new CommandFailure(`The client ${client.id} has ${unknown.join(' and ')}.`);
    const kept = Object.entries(client.discounts).filter(([service]) => !flags.removeDiscount.includes(service));
    return judged({
      ...client,
      name: flags.name ?? client.name,
      scopes: flags.scope ?? client.scopes,
      warehouses: [...client.warehouses.filter(({ warehouse_id }) => !gone.has(warehouse_id)), ...given],
      discounts: { ...Object.fromEntries(kept), ...flags.discount },
      agreements: changedAgreements(client, flags),
      drafts: changedDrafts(client, flags),
      limits: { ...client.limits, ...flags.limit },
      webhook: flags.removeWebhook === true ? undefined : webhookOf(flags.webhook, client.webhook),
    });
  };
};
