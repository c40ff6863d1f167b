/** `rates run`: rates a list without a server or Redis. The output equals that of a batch, byte for byte. */
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { type Config, readConfig } from '../config/settings.ts';
import type { Finding } from '../rows/findings.ts';
import { fitted } from '../rows/output-format.ts';
import { outputHeaderBytes } from '../rows/rate-rows.ts';
import { summaryOf } from '../rows/summary.ts';
import type { Tally } from '../rows/tally.ts';
import { booksOf } from '../tariff/schedule.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted, faultCounts, summaryLines } from './format.ts';
import { type Io, interruption, printJson, say } from './io.ts';
import { type OpenedList, openListInput } from './list-input.ts';
import { findingLines, formatFrom, type ListFlags, readOptionsFrom, withListOptions } from './list-options.ts';
import { type Local, openLocal } from './local-sources.ts';
import { openOutput, requireOutput } from './output-file.ts';
import { createProgress, type Progress } from './progress.ts';
import { type ListFile, planFile, rateHere, writeRated } from './rate-file.ts';
import { type RatingPool, startRatingPool } from './rating-pool.ts';

interface RunFlags extends ListFlags {
  readonly output: string;
  readonly client?: string;
  readonly jobs?: number;
  readonly json?: true;
}

/** From this size, about 85,000 rows, a further process pays for its start of half a second. */
const BYTES_FOR_A_PROCESS = 8_000_000;
const MOST_JOBS = 256;

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

/** The number of processes: as asked, else by the size of the list and the number of cores. 1 means this process. */
export const jobsFor = (bytes: number, asked: number | undefined, cores = availableParallelism()): number =>
  asked ?? Math.max(1, Math.min(cores, Math.floor(bytes / BYTES_FOR_A_PROCESS)));

interface Rating extends ListFile {
  readonly path: string;
  readonly flags: RunFlags;
  readonly io: Io;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Plans the list, rates it (in the pool if there is one) and writes the output. */
const rateFile = async (rating: Rating, local: Local, config: Config, pool: RatingPool | undefined): Promise<Ran> => {
  const { path, file, origin, flags, io, progress, signal } = rating;
  const { client, schedule } = local;
  const planned = await planFile({ file, origin }, readOptionsFrom(flags, schedule), config, progress, signal);
  const { chunks, rows } = planned.plan;
  const format = formatFrom(flags, schedule);
  const columns = fitted(planned.columns, format);
  const { warehouses, discounts, agreements, account } = client;
  const context = { columns, format, maximumRowBytes: config.maxRowBytes };
  const instant = new Date();
  const parts = { warehouses, discounts, agreements };
  pool?.order({ kind: 'order', path, documents: schedule.documents, instant, context, shipper: parts });
  const rated =
    pool?.rate(chunks) ??
    rateHere(
      file,
      chunks,
      { ...context, shipper: { warehouses, account }, bookOn: booksOf(schedule, instant) },
      signal,
    );
  const output = await openOutput(flags.output, io);
  try {
    await output.write(outputHeaderBytes(columns, format));
    const tally = await writeRated(rated, rows, output, progress, signal);
    await output.commit();
    return { tally, findings: columns.findings };
  } catch (error) {
    await output.abandon();
    throw error;
  }
};

const rate = async (
  { path, origin }: OpenedList,
  config: Config,
  flags: RunFlags,
  io: Io,
  signal: AbortSignal,
): Promise<Ran> => {
  const local = await openLocal(config, { clientId: flags.client, tariff: flags.tariff });
  const progress = createProgress(io);
  const file = await open(path);
  const jobs = jobsFor((await file.stat()).size, flags.jobs);
  // The processes start while the list is planned.
  const pool = jobs > 1 ? startRatingPool(jobs, io) : undefined;
  try {
    return await rateFile({ path, file, origin, flags, io, progress, signal }, local, config, pool);
  } finally {
    progress.clear();
    await pool?.end();
    await file.close();
  }
};

const run = async (path: string, flags: RunFlags, io: Io): Promise<void> => {
  if (flags.json === true && flags.output === '-')
    throw new CommandFailure('The rows and --json cannot both go to standard output. Name a file with -o.', EXIT.usage);
  await requireOutput(flags.output, path);
  const signal = interruption();
  const begun = performance.now();
  const config = readConfig(io.env);
  try {
    const input = await openListInput(path, readOptionsFrom(flags), io, config.maxRowBytes, signal);
    try {
      const ran = await rate(input, config, flags, io, signal);
      const { tally, findings } = ran;
      if (flags.json === true) await printJson(io, { ...summaryOf(tally), findings });
      report(ran, (performance.now() - begun) / 1_000, flags.output, io);
      if (tally.faulted > 0) io.setExitCode(EXIT.faulted);
    } finally {
      await input.remove();
    }
  } catch (error) {
    if (signal.aborted)
      throw new CommandFailure(
        flags.output === '-'
          ? 'Interrupted. The output is incomplete.'
          : `Interrupted. Nothing was written to ${flags.output}.`,
        EXIT.interrupted,
        { cause: error },
      );
    throw error;
  }
};

const jobsOption = (text: string): number => {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > MOST_JOBS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_JOBS}.`);
  return Number(text);
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
