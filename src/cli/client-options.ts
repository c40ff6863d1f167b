/** What `rates client add` is told of a client, and the record that it makes of that. */
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { newSigningSecret } from '../client-changes.ts';
import { CLIENT_FORM, type ClientRecord, LIMIT_NAMES, parseClients, SCOPES } from '../clients.ts';
import { LIMITS } from '../rating/shipment.ts';
import { CommandFailure, EXIT } from './exit.ts';

type Warehouse = ClientRecord['warehouses'][number];

export interface AddFlags {
  readonly name?: string;
  readonly warehouse: readonly Warehouse[];
  readonly warehouses?: string;
  readonly discount: Readonly<Record<string, string>>;
  readonly scope?: readonly string[];
  readonly limit: Readonly<Record<string, number>>;
  readonly webhook?: string;
  readonly json?: true;
}

/** What is wrong, in words that follow on `it`; at which member, where there are several. */
const problemOf = ({ path, message }: z.core.$ZodIssue): string => {
  const at = path.join('.');
  if (!/^(?:must|has) /.test(message)) return `${at === '' ? '' : `${at}: `}${message}`;
  return `${at === '' ? 'It' : at} ${message}`;
};

/** Judges an option as the clients file will be. @throws {InvalidArgumentError} what is wrong; the option is named with it */
const requireForm = (form: z.ZodType, value: unknown, under = 0): void => {
  const [issue] = form.safeParse(value).error?.issues ?? [];
  if (issue !== undefined) throw new InvalidArgumentError(`${problemOf({ ...issue, path: issue.path.slice(under) })}.`);
};

const textOption =
  (form: z.ZodType) =>
  (text: string): string => {
    requireForm(form, text);
    return text;
  };

/** An id, as an argument of a command. */
export const idArgument = textOption(CLIENT_FORM.id);

const warehouseOption = (text: string, before: readonly Warehouse[]): readonly Warehouse[] => {
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

const discountOption = pairOption('SERVICE=PERCENT', (service, percent) => {
  if (service.length > LIMITS.shippingServiceLength)
    throw new InvalidArgumentError(`A service has at most ${LIMITS.shippingServiceLength} characters.`);
  requireForm(CLIENT_FORM.discounts, { [service]: percent });
  return percent;
});

const limitOption = pairOption('NAME=NUMBER', (name, text) => {
  if (!LIMIT_NAMES.some((known) => known === name))
    throw new InvalidArgumentError(`The limits are ${LIMIT_NAMES.join(', ')}.`);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be NAME=NUMBER, a whole number.');
  requireForm(CLIENT_FORM.limits, { [name]: Number(text) });
  return Number(text);
});

/** Adds the options of `rates client add` to its command. */
export const addOptions = (command: Command): Command =>
  command
    .option('--name <name>', 'for people; the id unless given', textOption(CLIENT_FORM.name))
    .option('--warehouse <id,name,state,zip>', 'a warehouse; may be repeated', warehouseOption, [])
    .option(
      '--warehouses <csv>',
      'more of them: a CSV with warehouse_id, name, stateOrProvinceCode, postalCode and (if not US) countryCode',
    )
    .option('--discount <service=percent>', 'off the base charge; may be repeated', discountOption, {})
    .addOption(
      new Option('--scope <scopes...>', `what it may do: ${SCOPES.join(', ')}; both unless given`).choices(SCOPES),
    )
    .option('--limit <name=number>', `one of ${LIMIT_NAMES.join(', ')}; may be repeated`, limitOption, {})
    .option('--webhook <url>', 'https URL that is told how its batches ended', textOption(CLIENT_FORM.webhookUrl))
    .option('--json', 'id and secret as JSON');

const csvRows = z.array(
  z.object({
    warehouse_id: z.string(),
    name: z.string(),
    stateOrProvinceCode: z.string(),
    postalCode: z.string(),
    countryCode: z.string().optional(),
  }),
);

/** @param before those that were given beside the file */
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
  const problems = CLIENT_FORM.warehouses.safeParse([...before, ...warehouses]).error?.issues.map((issue) => {
    const [index, ...path] = issue.path;
    if (typeof index !== 'number') return problemOf(issue);
    return `row ${index - before.length + 1}: ${problemOf({ ...issue, path })}`;
  });
  if (problems !== undefined)
    throw new CommandFailure(`${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  return warehouses;
};

/**
 * The record of a new client.
 * @throws {CommandFailure} where the file of its warehouses cannot be used
 */
export const recordOf = async (
  id: string,
  flags: AddFlags,
  secret: ClientRecord['secrets'][number],
): Promise<ClientRecord> => {
  const more = flags.warehouses === undefined ? [] : await warehousesIn(flags.warehouses, flags.warehouse);
  const record = {
    id,
    name: flags.name ?? id,
    secrets: [secret],
    scopes: flags.scope ?? SCOPES,
    warehouses: [...flags.warehouse, ...more],
    discounts: flags.discount,
    limits: flags.limit,
    ...(flags.webhook !== undefined && { webhook: { url: flags.webhook, signingSecret: newSigningSecret() } }),
  };
  // Judged as if it stood in a file already, so that what is wrong is told as it is at every start.
  const [read] = parseClients(JSON.stringify({ clients: [record] }), 'The client');
  if (read === undefined) throw new CommandFailure('There is no client to add.', EXIT.usage);
  return read;
};
