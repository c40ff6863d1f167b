/** `rates compare`: what a list or a finished batch would cost otherwise. */
import { Command } from 'commander';
import { compareList } from './compare-list.ts';
import { compareBatch, type RemoteFlags } from './compare-remote.ts';
import { report, requireResult } from './compare-result.ts';
import { CommandFailure, EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { queryOf, withReadingOptions } from './list-options.ts';
import { jobsOption, type RateFlags } from './rate-list.ts';
import { withServiceOptions } from './service-options.ts';

type CompareFlags = RateFlags & RemoteFlags;

const usage = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);

/** Refuses options that exclude each other. */
const requireOne = (path: string | undefined, flags: CompareFlags): void => {
  const { batch, watch, against, scenarios, client, jobs, output, with: other, key } = flags;
  const sources = [path, batch, watch].filter((source) => source !== undefined);
  if (sources.length !== 1)
    throw usage(
      'Name what to compare: a list, or --batch ID of a finished batch, or --watch ID of a comparison that runs. One of them.',
    );
  if (path === undefined) {
    if (queryOf(flags).size > 0 || client !== undefined || jobs !== undefined)
      throw usage(
        'Options for reading and rating a list do not work with --batch and --watch: the service has done both.',
      );
    const isAsked = against.length > 0 || scenarios !== undefined;
    if (watch !== undefined && (isAsked || other !== undefined))
      throw usage(
        '--watch goes on with a comparison as it was asked for. Leave --against, --scenarios and --with out.',
      );
    if ((other === undefined) !== (key === undefined))
      throw usage(
        '--with ID and --key COLUMN go together: another batch, and the column that names a shipment in both.',
      );
    if (other !== undefined && isAsked)
      throw usage('--with compares two batches as they are. Leave --against and --scenarios out.');
    return;
  }
  const { server, clientId, clientSecret, profile } = flags;
  if ([server, clientId, clientSecret, profile, other, key].some((given) => given !== undefined))
    throw usage(
      'A list is compared here, without a service. --server, its options, --with and --key work only with --batch.',
    );
  if (output !== undefined && /\.(?:xlsx|json)$/i.test(output))
    throw usage(`The rows of a list are written as CSV. Name a .csv file in place of ${output}.`);
};

const compare = async (path: string | undefined, flags: CompareFlags, io: Io): Promise<void> => {
  requireOne(path, flags);
  requireResult(flags);
  const begun = performance.now();
  const compared = path === undefined ? await compareBatch(flags.batch, flags, io) : await compareList(path, flags, io);
  await report(compared, flags, (performance.now() - begun) / 1_000, io);
};

const EXAMPLES = `
Examples:
  rates compare shipments.csv --against "service=C1-GROUND" --summary
  rates compare shipments.csv --against "2027 rates: tariff=./tariffs/2027" --against "agreement=none" -o compared.csv
  rates compare shipments.csv --against "new contract: agreement=./drafts/ups-2027; warehouse=101|103" --summary
  rates compare --batch b0mfw3k7q… --with b0mg1x2y3… --key order_number --summary
  rates compare --batch b0mfw3k7q… --against "discounts=C1-GROUND 35, C2-GROUND 20; divisor=166" -o compared.xlsx

A SPEC is \`[name:] key=value; key=value…\`. What it does not name stays as it is. The keys:
  tariff      other tariffs, also before they are in force: names, ids or folders (with a slash), with commas between
  agreement   another agreement: its name, its folder (with a slash), or none for list prices
  discounts   percent off the base charge by service, in place of agreements: C1-GROUND 35, C2-GROUND 20
  service     one service for all rows, or cheapest
  map         another service for some: C2-GROUND>C1-GROUND, C2-EXPRESS>C1-EXPRESS
  carrier     only services of this carrier
  warehouse   another origin: an id; the cheapest of several, 101|103; or of any
  ship-date   another day, YYYY-MM-DD
  divisor     the dimensional factor: 166, or by service, C1-GROUND 166
  fuel        the fuel surcharge of the list in percent: 18.5, or by service, C1-GROUND 18.5
--scenarios names a file with a list of scenarios as the API takes them. At most eight in all.

A list is compared without a server or Redis, and its rows are CSV. With --batch, the service compares a finished batch. Then
-o FILE.xlsx and -o FILE.json work too, and folders do not. After Ctrl-C the service goes on, and the command says how to
watch it again.`;

const repeated = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export const compareCommand = (io: Io): Command =>
  withReadingOptions(
    withServiceOptions(
      new Command('compare')
        .description('What a list would cost with other tariffs, agreements, services or warehouses')
        .argument('[file]', 'the list: a CSV or a workbook with a header, packed or not; - is standard input')
        .option('--against <spec>', 'a scenario, such as "all to Ground: service=C1-GROUND"; repeatable', repeated, [])
        .option('--scenarios <file>', 'a JSON file with scenarios')
        .option('-o, --output <file>', 'write each row with its prices; - is standard output')
        .option('--summary', 'print a page that says where the money moves')
        .option('--json', 'print the summary as JSON')
        .option('--batch <id>', 'compare a finished batch of a service')
        .option('--watch <id>', 'go on with a comparison that runs')
        .option('--with <id>', 'compare the batch with another one, shipment by shipment, as in month against month')
        .option('--key <column>', 'the column that names a shipment in both, such as order_number'),
    ),
  )
    .option('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE')
    .option('--jobs <number>', 'the number of parallel processes; default: by size and cores', jobsOption)
    .addHelpText('after', EXAMPLES)
    .action((path: string | undefined, flags: CompareFlags) => compare(path, flags, io));
