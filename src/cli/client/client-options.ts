/** The options of `rates client add` and `rates client set`: one per member of an edit. */
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { present } from '../../base/present.ts';
import { check, pathText } from '../../base/validation.ts';
import { type AgreementEntry, CLIENT_FORM, LIMIT_NAMES, SCOPES } from '../../catalog/clients/clients.ts';
import { type ClientEdit, clientEdit, type Warehouse, webhookUrl } from '../../catalog/clients/edit-client.ts';
import { flag, type Given, input, text, texts } from '../command.ts';
import { CommandFailure, textAt } from '../exit.ts';

/** Parses each of several texts. @param read returns undefined for a text in another format */
const each = <T>(form: string, read: (given: string) => T | undefined) =>
  z.array(
    z.string().transform((given, context) => {
      const value = read(given);
      if (value === undefined) context.addIssue({ code: 'custom', message: `must be ${form}` });
      return value ?? z.NEVER;
    }),
  );

const ID = /^\d{1,10}$/;

const warehouseIn = (given: string) => {
  const [id = '', name = '', stateOrProvinceCode = '', postalCode = '', countryCode = 'US', ...more] = given
    .split(',')
    .map((cell) => cell.trim());
  if (!ID.test(id) || postalCode === '' || more.length > 0) return undefined;
  return { warehouse_id: Number(id), name, address: { postalCode, stateOrProvinceCode, countryCode } };
};

export const warehouseTexts = each('ID,NAME,STATE,ZIP or ID,NAME,STATE,ZIP,COUNTRY', warehouseIn)
  .pipe(CLIENT_FORM.warehouses)
  .default([]);

export const warehouseIds = each('a warehouse_id', (given) => (ID.test(given) ? Number(given) : undefined));

const agreementIn = (given: string): AgreementEntry | undefined => {
  const [where = '', ...numbers] = given.split('@');
  const [account] = numbers;
  const [name = '', list, ...more] = where.split('=');
  const ids = list?.split(',').map((id) => id.trim());
  if (more.length > 0 || numbers.length > 1 || ids?.some((id) => !ID.test(id))) return undefined;
  return { name, ...present({ warehouses: ids?.map(Number), account }) };
};

const pairs = <V>(form: string, pattern: RegExp, read: (value: string, name: string) => V | undefined) =>
  each(form, (given): readonly [string, V] | undefined => {
    const [, name = '', text = ''] = pattern.exec(given) ?? [];
    const value = name === '' ? undefined : read(text, name);
    return value === undefined ? undefined : [name, value];
  }).transform((found) => Object.fromEntries(found));

const limitIn = (text: string, name: string): number | undefined =>
  LIMIT_NAMES.some((known) => known === name) ? Number(text) : undefined;

export const WAREHOUSES_FILE = text(
  '--warehouses <csv>',
  'warehouses from a CSV with warehouse_id, name, stateOrProvinceCode, postalCode and, if they apply, countryCode, shipDays, cutoff and timeZone',
);

export const EDIT_OPTIONS = {
  agreements: input(
    '--agreement <name[=ids][@account]>',
    'an agreement of AGREEMENTS_DIR, for all warehouses or for some; repeatable',
    each('NAME or NAME=101,102 with warehouses of the client, and optionally @ and the account number', agreementIn)
      .pipe(CLIENT_FORM.agreements.unwrap())
      .default([]),
  ),
  drafts: input('--draft <name>', 'a draft agreement, for comparisons only; repeatable', CLIENT_FORM.drafts),
  name: input('--name <name>', 'the name for people', CLIENT_FORM.name.optional()),
  warehouses: input('--warehouse <id,name,state,zip>', 'a warehouse; repeatable', warehouseTexts),
  file: WAREHOUSES_FILE,
  discounts: input(
    '--discount <service=percent>',
    'a discount on the base charge; repeatable',
    pairs('SERVICE=PERCENT', /^([^=]+)=([^=]+)$/, String)
      .pipe(CLIENT_FORM.discounts.unwrap())
      .default({}),
  ),
  scopes: input('--scope <scopes...>', 'what the client may do', z.array(z.enum(SCOPES)).optional()),
  limits: input(
    '--limit <name=number>',
    `one of ${LIMIT_NAMES.join(', ')}; repeatable`,
    pairs(`NAME=NUMBER, a whole number. The limits are ${LIMIT_NAMES.join(', ')}`, /^([^=]+)=(\d{1,16})$/, limitIn)
      .pipe(CLIENT_FORM.limitChanges.unwrap())
      .default({}),
  ),
  webhook: input('--webhook <url>', 'the https URL to call when a batch ends', webhookUrl.optional()),
};

/** Options for members that exist only in changes. */
export const REMOVE_OPTIONS = {
  removeAgreements: texts('--remove-agreement <name>', 'an agreement to remove; repeatable'),
  removeDrafts: texts('--remove-draft <name>', 'a draft to remove; repeatable'),
  removeWarehouses: input('--remove-warehouse <id>', 'a warehouse to remove; repeatable', warehouseIds.default([])),
  removeDiscounts: texts('--remove-discount <service>', 'a discount to remove; repeatable'),
  removeWebhook: flag('--remove-webhook', 'remove the webhook'),
};

/** Every member of an edit has an option. */
({ ...EDIT_OPTIONS, ...REMOVE_OPTIONS }) satisfies Readonly<Record<keyof ClientEdit, unknown>>;

const csvRows = z.array(
  z.strictObject({
    warehouse_id: z.string(),
    name: z.string(),
    stateOrProvinceCode: z.string(),
    postalCode: z.string(),
    countryCode: z.string().optional(),
    shipDays: z.string().optional(),
    cutoff: z.string().optional(),
    timeZone: z.string().optional(),
  }),
);

/** The shipping hours of a row: `shipDays` such as `MON TUE`, `cutoff` and `timeZone`. */
const hoursIn = (cells: { readonly [C in 'shipDays' | 'cutoff' | 'timeZone']?: string | undefined }) => {
  const { shipDays = '', cutoff = '', timeZone = '' } = cells;
  if (shipDays + cutoff + timeZone === '') return {};
  const days = shipDays.split(/[ ,|]+/).filter((day) => day !== '');
  return {
    shipping: { timeZone, ...(days.length > 0 && { days }), ...(cutoff !== '' && { cutoff }) },
  };
};

/** @throws {CommandFailure} if it is not CSV, or lacks a column, or has another one: a misspelled one must not be left out */
const rowsIn = (file: string, text: string) => {
  try {
    const rows = csvRows.safeParse(parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true }));
    if (rows.success) return rows.data;
    const others = new Set(rows.error.issues.flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : [])));
    throw new CommandFailure(
      `${file} needs the columns warehouse_id, name, stateOrProvinceCode and postalCode, separated by commas. ` +
        'It may also have countryCode, shipDays, cutoff and timeZone.' +
        (others.size === 0 ? '' : ` It has unknown columns: ${[...others].join(', ')}.`),
    );
  } catch (error) {
    if (error instanceof CsvError) throw new CommandFailure(`${file} is not CSV: ${error.message}.`);
    throw error;
  }
};

/** The warehouses from options and from a file. @throws {CommandFailure} with the invalid rows */
export const withFile = async (
  before: readonly Warehouse[],
  file: string | undefined,
): Promise<readonly Warehouse[]> => {
  if (file === undefined) return before;
  const given = rowsIn(file, await textAt(file)).map(
    ({ warehouse_id, name, stateOrProvinceCode, postalCode, countryCode, ...hours }) => ({
      warehouse_id: ID.test(warehouse_id) ? Number(warehouse_id) : Number.NaN,
      name,
      address: { postalCode, stateOrProvinceCode, countryCode: countryCode || 'US' },
      ...hoursIn(hours),
    }),
  );
  const checked = check(CLIENT_FORM.warehouses, [...before, ...given]);
  if (!(checked instanceof Failed)) return checked;
  const problems = checked.fault.map(({ path: [index, ...path], message }) =>
    typeof index === 'number'
      ? `  row ${index - before.length + 1}: ${pathText(path) || 'It'} ${message}`
      : `  It ${message}`,
  );
  throw new CommandFailure([`${file} cannot be used:`, ...problems].join('\n'));
};

type EditFlags = Given<typeof EDIT_OPTIONS> & Partial<Given<typeof REMOVE_OPTIONS>>;

/** The edit from the options. */
export const editOf = async ({ file, removeWebhook, webhook, ...members }: EditFlags): Promise<ClientEdit> =>
  clientEdit.parse({
    ...members,
    warehouses: await withFile(members.warehouses, file),
    webhook: removeWebhook ? null : webhook,
  });

/** Whether an edit changes nothing. */
export const isNothing = (edit: ClientEdit): boolean =>
  Object.values(edit).every((member) => member === undefined || (member !== null && Object.keys(member).length === 0));
