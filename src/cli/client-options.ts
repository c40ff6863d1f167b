/** The options of `rates client add` and `rates client set`, and the client records that they produce. */

import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { CLIENT_FORM, LIMIT_NAMES, SCOPES, type Scope } from '../clients/clients.ts';
import { type ClientEdit, clientEdit, type Warehouse } from '../clients/edit-client.ts';
import { Failed } from '../rating/fault.ts';
import { LIMITS } from '../rating/shipment.ts';
import { check, type Problem, pathText } from '../rating/validation.ts';
import {
  type AgreementFlags,
  type DraftFlags,
  withAgreementOption,
  withDraftOption,
  withRemoveAgreementOption,
  withRemoveDraftOption,
} from './client-agreements.ts';
import { CommandFailure } from './exit.ts';

/* Warehouses from a CSV file. */

/** The problem as a sentence about the member, or about the whole value. */
const sentence = ({ path, message }: Problem): string => `${pathText(path) || 'It'} ${message}`;

const csvRows = z.array(
  z.object({
    warehouse_id: z.string(),
    name: z.string(),
    stateOrProvinceCode: z.string(),
    postalCode: z.string(),
    countryCode: z.string().optional(),
  }),
);

/**
 * Reads a file of warehouses.
 * @param before warehouses given as options
 * @throws {CommandFailure} with the rows that cannot be used
 */
const warehousesIn = async (file: string, before: readonly Warehouse[]): Promise<readonly Warehouse[]> => {
  const rows = csvRows.safeParse(
    parse(await readFile(file), { columns: true, bom: true, trim: true, skip_empty_lines: true }),
  );
  if (!rows.success)
    throw new CommandFailure(`${file} needs the columns warehouse_id, name, stateOrProvinceCode and postalCode.`);
  const warehouses = rows.data.map(({ warehouse_id, name, stateOrProvinceCode, postalCode, countryCode }) => ({
    warehouse_id: Number(warehouse_id),
    name,
    address: { postalCode, stateOrProvinceCode, countryCode: countryCode || 'US' },
  }));
  const checked = check(CLIENT_FORM.warehouses, [...before, ...warehouses]);
  if (!(checked instanceof Failed)) return warehouses;
  const problems = checked.fault.map(({ path: [index, ...path], message }) =>
    typeof index === 'number'
      ? `row ${index - before.length + 1}: ${sentence({ path, message })}`
      : sentence({ path: [], message }),
  );
  throw new CommandFailure(`${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
};

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

/** The warehouses of options, and of the file that an option names. */
export const warehousesOf = async ({
  warehouse,
  warehouses,
}: Pick<ClientFlags, 'warehouse' | 'warehouses'>): Promise<readonly Warehouse[]> =>
  warehouses === undefined ? warehouse : [...warehouse, ...(await warehousesIn(warehouses, warehouse))];

/**
 * The edit that flags make.
 * @throws {CommandFailure} if the file of warehouses cannot be used
 */
export const editOf = async (flags: ClientFlags & Partial<SetFlags>): Promise<ClientEdit> =>
  clientEdit.parse({
    name: flags.name,
    scopes: flags.scope,
    warehouses: await warehousesOf(flags),
    removeWarehouses: flags.removeWarehouse,
    discounts: flags.discount,
    removeDiscounts: flags.removeDiscount,
    agreements: flags.agreement,
    removeAgreements: flags.removeAgreement,
    drafts: flags.draft,
    removeDrafts: flags.removeDraft,
    limits: flags.limit,
    webhook: flags.removeWebhook === true ? null : flags.webhook,
  });
