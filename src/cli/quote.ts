/** `rates quote`: one quote without a server. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command, Option } from 'commander';
import type { Client } from '../clients/clients.ts';
import { readConfig } from '../config/settings.ts';
import { jsonProblem } from '../json-problem.ts';
import { SIGNATURES } from '../rating/charges.ts';
import type { FaultBody } from '../rating/fault.ts';
import { quoteOutcome } from '../rating/quote.ts';
import { warehousesInUs } from '../rating/rate.ts';
import type { Field } from '../rows/fields.ts';
import { rowBody } from '../rows/row.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { type Io, paintFor, printJson, say, write } from './io.ts';
import { type Local, openLocal } from './local-sources.ts';
import { faultLines, receipt } from './receipt.ts';

interface QuoteFlags {
  readonly client?: string;
  readonly request?: string;
  readonly warehouse?: string;
  readonly zip?: string;
  readonly weight?: readonly string[];
  readonly units: string;
  readonly length?: readonly string[];
  readonly width?: readonly string[];
  readonly height?: readonly string[];
  readonly dimensionUnits: string;
  readonly service?: string;
  readonly address?: string;
  readonly residential?: true;
  readonly signature?: string;
  readonly saturday?: true;
  readonly declaredValue?: string;
  readonly nonStandardPackaging?: true;
  readonly incomplete?: string;
  readonly shipDate?: string;
  readonly country?: string;
  readonly explain?: true;
  readonly json?: true;
}

const requestIn = async (file: string, io: Io): Promise<unknown> => {
  const content = file === '-' ? await text(io.stdin) : await readFile(file, 'utf8');
  try {
    return JSON.parse(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandFailure(
      `${file === '-' ? 'Standard input' : file} ${jsonProblem(content, error)}. It must be the body of a rate request.`,
    );
  }
};

/** Reads flags like the cells of a row, so that both have the same faults. */
const requestOf = ({ warehouse, zip, weight, ...flags }: QuoteFlags): unknown => {
  const missing = Object.entries({ warehouse, zip, weight }).filter(([, value]) => value === undefined);
  if (missing.length > 0 || weight === undefined)
    throw new CommandFailure(
      `Missing: ${missing.map(([name]) => `--${name}`).join(', ')}. You can also use --request with the body of a rate request.`,
      EXIT.usage,
    );
  const cells: Partial<Record<Field, string | undefined>> = {
    warehouse_id: warehouse,
    postalCode: zip,
    weight_value: weight.join('|'),
    weight_units: flags.units,
    length: flags.length?.join('|'),
    width: flags.width?.join('|'),
    height: flags.height?.join('|'),
    dimension_units: flags.dimensionUnits,
    shippingService: flags.service,
    addressLine: flags.address,
    residential: flags.residential === true ? 'true' : '',
    signature: flags.signature,
    saturday: flags.saturday === true ? 'true' : '',
    declared_value: flags.declaredValue,
    non_standard_packaging: flags.nonStandardPackaging === true ? 'true' : '',
    incomplete: flags.incomplete,
    shipDate: flags.shipDate,
    countryCode: flags.country,
  };
  return rowBody((field) => cells[field] ?? '');
};

/** The valid choices, if the fault is an unknown service or warehouse. */
const choices = ({ type }: FaultBody, client: Client, { schedule }: Local, now: Date): string | undefined => {
  if (type === 'getRates.unknownShippingService')
    return `The services in force are ${schedule
      .bookAt(now)
      .cards.map(({ code }) => code)
      .join(', ')}.`;
  if (type !== 'getRates.unknownWarehouse') return undefined;
  const domestic = warehousesInUs(client);
  return `The warehouses of ${client.id} are ${domestic.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none'}.`;
};

const quote = async (flags: QuoteFlags, io: Io): Promise<void> => {
  const body = flags.request === undefined ? requestOf(flags) : await requestIn(flags.request, io);
  const local = await openLocal(readConfig(io.env), { clientId: flags.client });
  const now = new Date();
  const answer = quoteOutcome(body, local.client, local.schedule, now, flags.explain === true);
  if (answer.status !== 200) io.setExitCode(EXIT.faulted);
  if (flags.json === true) return await printJson(io, answer.body);
  if (answer.status === 200) return await write(io.stdout, `${receipt(answer.body, paintFor(io.stdout)).join('\n')}\n`);
  const { fault } = answer.body;
  for (const line of faultLines(fault)) say(io, line);
  const other = choices(fault, local.client, local, now);
  if (other !== undefined) say(io, other);
};

const EXAMPLES = `
Examples:
  rates quote --warehouse 101 --zip 60601 --weight 5
  rates quote --warehouse 103 --zip 02139 --weight 2.5 --weight 10 --units KG --residential
  rates quote --warehouse 101 --zip 60601 --weight 5 --length 12 --width 9 --height 6
  rates quote --warehouse 101 --zip 60601 --weight 5 --residential --signature adult --declared-value 250
  rates quote --warehouse any --zip 60601 --weight 5
  rates quote --request samples/requests/all-services.json --json`;

const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const quoteCommand = (io: Io): Command => {
  const alone = [
    'warehouse',
    'zip',
    'weight',
    'length',
    'width',
    'height',
    'service',
    'address',
    'residential',
    'signature',
    'saturday',
    'declaredValue',
    'nonStandardPackaging',
    'incomplete',
    'shipDate',
  ];
  return new Command('quote')
    .description('Quote one shipment without a server')
    .addOption(
      new Option('--request <file>', 'the body of a rate request as JSON; - is standard input').conflicts([
        ...alone,
        'country',
      ]),
    )
    .option('--warehouse <ids>', 'the warehouse of origin; the cheapest of several (101|103), or of any')
    .option('--zip <code>', 'the destination, 12345 or 12345-6789')
    .option('--weight <number>', 'the weight of a package; repeat it for each package', repeated)
    .addOption(new Option('--units <unit>', 'the unit of weights').choices(['LB', 'KG']).default('LB'))
    .option('--length <number>', 'the length of the package; once for all packages, or once for each', repeated)
    .option('--width <number>', 'its width', repeated)
    .option('--height <number>', 'its height', repeated)
    .addOption(
      new Option('--dimension-units <unit>', 'the unit of length, width and height')
        .choices(['IN', 'CM'])
        .default('IN'),
    )
    .option('--service <code>', 'the shipping service; default: compare all')
    .option('--address <line>', 'the street address, for services that need one')
    .option('--residential', 'the address is residential')
    .addOption(new Option('--signature <kind>', 'the signature to ask for at the door').choices(SIGNATURES))
    .option('--saturday', 'Saturday delivery')
    .option('--declared-value <dollars>', 'the declared value of the whole shipment')
    .option('--non-standard-packaging', 'packaging that carriers handle by hand, such as a crate, a drum or a tire')
    .addOption(
      new Option('--incomplete <what>', 'allow or refuse prices that lack a part').choices(['allow', 'refuse']),
    )
    .option('--ship-date <date>', 'rate with the tariffs in force on this date, YYYY-MM-DD')
    .option('--country <code>', 'the country, two letters; default: US')
    .option('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE')
    .option('--explain', 'explain each charge')
    .option('--json', "print the API's response body")
    .addHelpText('after', EXAMPLES)
    .action((flags: QuoteFlags) => quote(flags, io));
};
