/** `rates run`: rates a list without a server or Redis. The output equals that of a batch, byte for byte. */
import { Command } from 'commander';
import type { Finding } from '../rows/findings.ts';
import { fitted, withWarehouses } from '../rows/output-format.ts';
import { outputHeaderBytes } from '../rows/rate-rows.ts';
import { summaryOf } from '../rows/summary.ts';
import type { Tally } from '../rows/tally.ts';
import { booksOf } from '../tariff/schedule.ts';
import { withoutPause } from '../time-slices.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted, faultCounts, summaryLines } from './format.ts';
import { type Io, printJson, say } from './io.ts';
import { findingLines, formatFrom, readOptionsFrom, withListOptions } from './list-options.ts';
import { planFile, rateHere, unusable } from './rate-file.ts';
import { jobsOption, type OpenList, type RateFlags, withList, writeOutput } from './rate-list.ts';
import { raterFor } from './row-work.ts';

interface RunFlags extends RateFlags {
  readonly output: string;
  readonly json?: true;
}

/** The sums of a list, and findings about its columns. */
interface Ran {
  readonly tally: Tally;
  readonly findings: readonly Finding[];
}

const report = ({ tally, findings }: Ran, seconds: number, output: string, io: Io): void => {
  const pace = Math.round(tally.processed / seconds);
  say(
    io,
    `${counted(tally.processed, 'row')} in ${seconds.toFixed(1)} s (${counted(pace, 'row')} per second): ` +
      `${counted(tally.quoted, 'quote')}, ${counted(tally.faulted, 'fault')}${output === '-' ? '' : `, in ${output}`}`,
  );
  for (const line of faultCounts(tally.faults)) say(io, line);
  for (const line of summaryLines(summaryOf(tally))) say(io, line);
  for (const line of findingLines(findings)) say(io, line);
};

/** Plans the list, rates it and writes the output. */
const rateFile = async (list: OpenList): Promise<Ran> => {
  const { path, file, flags, local, config, pool, progress, signal } = list;
  const { client, schedule } = local;
  const planned = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
  const { chunks, rows } = planned.plan;
  const format = withWarehouses(formatFrom(flags, schedule), planned.plan.shipFrom, client);
  if ('problems' in format) throw unusable(format.problems);
  const columns = withoutPause(fitted(planned.columns, format));
  const { warehouses, discounts, agreements, account } = client;
  const context = { columns, format, maximumRowBytes: config.maxRowBytes };
  const instant = new Date();
  const parts = { warehouses, discounts, agreements };
  pool?.order({ kind: 'order', path, documents: schedule.documents, instant, context, shipper: parts });
  const bookOn = booksOf(schedule, instant);
  const rated =
    pool?.rate(chunks) ??
    rateHere(file, chunks, raterFor({ ...context, shipper: { warehouses, account }, bookOn }), signal);
  const { tally } = await writeOutput(list, outputHeaderBytes(columns, format), rated, rows);
  return { tally, findings: columns.findings };
};

const run = async (path: string, flags: RunFlags, io: Io): Promise<void> => {
  if (flags.json === true && flags.output === '-')
    throw new CommandFailure('The rows and --json cannot both go to standard output. Name a file with -o.', EXIT.usage);
  const begun = performance.now();
  const ran = await withList(path, flags, io, rateFile);
  const { tally, findings } = ran;
  if (flags.json === true) await printJson(io, { ...summaryOf(tally), findings });
  report(ran, (performance.now() - begun) / 1_000, flags.output, io);
  if (tally.faulted > 0) io.setExitCode(EXIT.faulted);
};

const EXAMPLES = `
Examples:
  rates run shipments.csv -o quoted.csv
  rates run shipments.xlsx -o quoted.csv --repair zip --all-services
  rates run - -o - --units LB --warehouse 101 < shipments.csv > quoted.csv

Standard input, packed lists (.xlsx, .zip, .gz) and lists in other encodings are first copied to a temporary file in TMPDIR.`;

export const runCommand = (io: Io): Command =>
  withListOptions(
    new Command('run')
      .description('Rate a list of shipments without a server or Redis')
      .argument('<file>', 'the list: a CSV or a workbook with a header, packed or not; - is standard input')
      .requiredOption('-o, --output <file>', 'the output file; - is standard output'),
  )
    .option('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE')
    .option('--jobs <number>', 'the number of parallel processes; default: by size and cores', jobsOption)
    .option('--json', 'print counts and spend as JSON')
    .addHelpText('after', EXAMPLES)
    .action((path: string, flags: RunFlags) => run(path, flags, io));
