/** `rates quote`: one quote without a server. */
import { text as textIn } from 'node:stream/consumers';
import { z } from 'zod';
import { readConfig } from '../../base/config/settings.ts';
import { parseJson } from '../../base/parse-json.ts';
import { booksOf } from '../../catalog/tariff/schedule.ts';
import type { Field } from '../../lists/columns/fields.ts';
import { rowBody } from '../../lists/rows/row.ts';
import type { FaultBody } from '../../rating/fault.ts';
import { OPTION_NAMES, type OptionField, optionOf } from '../../rating/fields.ts';
import { quoteOutcome } from '../../rating/quote.ts';
import { warehousesInUs } from '../../rating/rate.ts';
import { command, flag, type Given, type Input, input, text, texts } from '../command.ts';
import { CommandFailure, EXIT, textAt } from '../exit.ts';
import { choicesText } from '../format.ts';
import type { Io } from '../io.ts';
import { type Local, openLocal } from './local-sources.ts';
import { faultLines, receipt } from './receipt.ts';

/** An option of a shipment as an option of the command. */
const inputOf = (field: OptionField): Input => {
  const { kind, values = [], option } = optionOf(field);
  if (kind === 'flag') return flag(...option);
  return kind === 'choice' ? input(...option, z.enum(values).optional()) : text(...option);
};

/** The options for a shipment's fields. */
const SHIPMENT = {
  warehouse_id: text('--warehouse <ids>', 'the warehouse of origin; the cheapest of several (101|103), or of any'),
  postalCode: text('--zip <code>', 'the destination, 12345 or 12345-6789'),
  weight_value: texts('--weight <number>', 'the weight of a package; repeat it for each package'),
  weight_units: input('--units <unit>', 'the unit of weights', z.enum(['LB', 'KG']).default('LB')),
  length: texts('--length <number>', 'the length of the package; once for all packages, or once for each'),
  width: texts('--width <number>', 'its width'),
  height: texts('--height <number>', 'its height'),
  dimension_units: input(
    '--dimension-units <unit>',
    'the unit of length, width and height',
    z.enum(['IN', 'CM']).default('IN'),
  ),
  shippingService: text('--service <code>', 'the shipping service; default: compare all'),
  addressLine: text('--address <line>', 'the street address, for services that need one'),
  residential: flag('--residential', 'the address is residential'),
  ...Object.fromEntries(OPTION_NAMES.map((field) => [field, inputOf(field)])),
  shipDate: text('--ship-date <date>', 'rate with the tariffs in force on this date, YYYY-MM-DD'),
  countryCode: text('--country <code>', 'the country, two letters; default: US'),
} satisfies Partial<Readonly<Record<Field, Input>>>;
type ShipmentFlags = Given<typeof SHIPMENT>;

const requestIn = async (file: string, io: Io): Promise<unknown> => {
  const content = file === '-' ? await textIn(io.stdin) : await textAt(file);
  const read = parseJson(content);
  if ('json' in read) return read.json;
  const name = file === '-' ? 'Standard input' : file;
  throw new CommandFailure(`${name} ${read.problem}. It must be the body of a rate request.`);
};

/** Reads options like the cells of a row, so that both have the same faults. */
const requestOf = (given: ShipmentFlags): unknown => {
  const cells: Readonly<Record<string, unknown>> = given;
  return rowBody((field) => [cells[field] ?? ''].flat().join('|'));
};

/** The missing options that a shipment requires. */
const missingOf = ({ warehouse_id, postalCode, weight_value }: ShipmentFlags): string | false => {
  const needed = { '--warehouse': warehouse_id, '--zip': postalCode, '--weight': weight_value[0] };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return (
    missing.length > 0 && `Missing: ${missing.join(', ')}. You can also use --request with the body of a rate request.`
  );
};

/** A request with a valid form. */
const dated = z.object({ rates: z.object({ shipDate: z.string().optional() }) });

/** The valid choices, if the fault is an unknown service or warehouse. */
const choices = ({ type }: FaultBody, body: unknown, { client, schedule }: Local, now: Date): readonly string[] => {
  if (type === 'getRates.unknownShippingService') {
    const { day, cards } = booksOf(schedule, now)(dated.parse(body).rates.shipDate);
    const codes = cards.map(({ code }) => code);
    return [`${choicesText('service', codes, ` in force on ${day}`)}.`];
  }
  if (type !== 'getRates.unknownWarehouse') return [];
  const domestic = warehousesInUs(client).map(({ id, name }) => `${id} (${name})`);
  if (domestic.length === 0) return [`${client.id} has no warehouses in the United States.`];
  return [`${choicesText('warehouse', domestic, ` of ${client.id}`)}.`];
};

export const quote = command({
  path: 'quote',
  about: 'Quote one shipment without a server',
  options: {
    request: text('--request <file>', 'the body of a rate request as JSON; - is standard input'),
    ...SHIPMENT,
    client: text('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE'),
    explain: flag('--explain', 'explain each charge'),
    json: flag('--json', "print the API's response body"),
  },
  excludes: { request: Object.keys(SHIPMENT) },
  examples: [
    'rates quote --warehouse 101 --zip 60601 --weight 5',
    'rates quote --warehouse 103 --zip 02139 --weight 2.5 --weight 10 --units KG --residential',
    'rates quote --warehouse 101 --zip 60601 --weight 5 --length 12 --width 9 --height 6',
    'rates quote --warehouse 101 --zip 60601 --weight 5 --residential --signature adult --declared-value 250',
    'rates quote --warehouse any --zip 60601 --weight 5',
    'rates quote --request samples/requests/all-services.json --json',
  ],
  refuse: ({ request, ...given }) => request === undefined && missingOf(given),
  run: async ({ request, client, explain, ...given }, io) => {
    const body = request === undefined ? requestOf(given) : await requestIn(request, io);
    const local = await openLocal(readConfig(io.env), { clientId: client });
    const now = new Date();
    const answer = quoteOutcome(body, local.client, local.schedule, now, explain === true);
    if (answer.status === 200) return { json: () => answer.body, lines: () => receipt(answer.body) };
    const { fault } = answer.body;
    return {
      json: () => answer.body,
      remarks: () => [...faultLines(fault), ...choices(fault, body, local, now)],
      exit: EXIT.faulted,
    };
  },
});
