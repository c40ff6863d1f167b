/** What `rates client add` is told of a client, and the record that it makes of that. */
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { newSigningSecret } from '../client-changes.ts';
import { type ClientRecord, LIMIT_NAMES, parseClients, SCOPES } from '../clients.ts';
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

const warehouseOption = (text: string, before: readonly Warehouse[]): readonly Warehouse[] => {
  const [id = '', name = '', stateOrProvinceCode = '', postalCode = '', countryCode = 'US', ...more] = text
    .split(',')
    .map((cell) => cell.trim());
  if (!/^\d{1,10}$/.test(id) || postalCode === '' || more.length > 0)
    throw new InvalidArgumentError('It must be ID,NAME,STATE,ZIP or ID,NAME,STATE,ZIP,COUNTRY.');
  return [...before, { warehouse_id: Number(id), name, address: { postalCode, stateOrProvinceCode, countryCode } }];
};

const pairOption =
  <T>(form: string, read: (value: string) => T | undefined) =>
  (text: string, before: Readonly<Record<string, T>>): Readonly<Record<string, T>> => {
    const [, name, value] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
    const taken = value === undefined ? undefined : read(value);
    if (name === undefined || taken === undefined) throw new InvalidArgumentError(`It must be ${form}.`);
    return { ...before, [name]: taken };
  };

const wholeNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

/** Adds the options of `rates client add` to its command. */
export const addOptions = (command: Command): Command =>
  command
    .option('--name <name>', 'for people; the id unless given')
    .option('--warehouse <id,name,state,zip>', 'a warehouse; may be repeated', warehouseOption, [])
    .option(
      '--warehouses <csv>',
      'more of them: a CSV with warehouse_id, name, stateOrProvinceCode, postalCode and (if not US) countryCode',
    )
    .option(
      '--discount <service=percent>',
      'off the base charge; may be repeated',
      pairOption('SERVICE=PERCENT', (percent) => percent),
      {},
    )
    .option('--scope <scopes...>', `what it may do: ${SCOPES.join(', ')}; both unless given`)
    .option(
      '--limit <name=number>',
      `one of ${LIMIT_NAMES.join(', ')}; may be repeated`,
      pairOption('NAME=NUMBER', wholeNumber),
      {},
    )
    .option('--webhook <url>', 'https URL that is told how its batches ended')
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

const warehousesIn = async (file: string): Promise<readonly Warehouse[]> => {
  const rows = csvRows.safeParse(
    parse(await readFile(file), { columns: true, bom: true, trim: true, skip_empty_lines: true }),
  );
  if (!rows.success)
    throw new CommandFailure(`${file} needs the columns warehouse_id, name, stateOrProvinceCode and postalCode.`);
  return rows.data.map(({ warehouse_id, name, stateOrProvinceCode, postalCode, countryCode }) => ({
    warehouse_id: Number(warehouse_id),
    name,
    address: { postalCode, stateOrProvinceCode, countryCode: countryCode || 'US' },
  }));
};

/**
 * The record of a new client.
 * @throws {ClientsFileError} with everything that is wrong with what was given
 */
export const recordOf = async (
  id: string,
  flags: AddFlags,
  secret: ClientRecord['secrets'][number],
): Promise<ClientRecord> => {
  const more = flags.warehouses === undefined ? [] : await warehousesIn(flags.warehouses);
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
