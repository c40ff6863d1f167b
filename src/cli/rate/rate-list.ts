/** Opens a list for a command that rates it without a server, in one or several processes, and cleans up afterward. */
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type Config, readConfig } from '../../base/config/settings.ts';
import type { OutputColumns } from '../../batch/output/parquet-file.ts';
import { type ListFlags, readOptionsFrom } from '../batch/list-options.ts';
import { type Given, input, text, wholeNumber } from '../command.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { type Io, interruption } from '../io.ts';
import { createProgress, type Progress } from '../progress.ts';
import { type OpenedList, openListInput } from './list-input.ts';
import { type Local, openLocal } from './local-sources.ts';
import { openOutput, requireOutput } from './output-file.ts';
import { asParquet } from './parquet-output.ts';
import { type ListFile, type RatedChunk, writeRated } from './rate-file.ts';
import { type RatingPool, startRatingPool } from './rating-pool.ts';

const MOST_JOBS = 256;

/** Options for rating a list locally. */
export const RATE_OPTIONS = {
  client: text('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE'),
  jobs: input(
    '--jobs <number>',
    'the number of parallel processes; default: by size and cores',
    wholeNumber(1, MOST_JOBS).optional(),
  ),
};

export interface RateFlags extends ListFlags, Given<typeof RATE_OPTIONS> {
  /** Absent if the rows are not needed. */
  readonly output?: string | undefined;
}

/** An open list, and everything needed to rate it. */
export interface OpenList extends ListFile {
  readonly path: string;
  readonly flags: RateFlags;
  readonly local: Local;
  readonly config: Config;
  /** Absent if this process rates. */
  readonly pool: RatingPool | undefined;
  readonly io: Io;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** At this size, about 85,000 rows, another process makes up for its start time of half a second. */
const BYTES_FOR_A_PROCESS = 8_000_000;
/** The requested number of processes, or else one by list size and number of cores. 1 means this process. */
export const jobsFor = (bytes: number, asked: number | undefined, cores = availableParallelism()): number =>
  asked ?? Math.max(1, Math.min(cores, Math.floor(bytes / BYTES_FOR_A_PROCESS)));

type Work<T> = (list: OpenList) => Promise<T>;
type Opening = Pick<OpenList, 'flags' | 'config' | 'io' | 'signal'>;

const withFile = async <T>({ path, origin }: OpenedList, opening: Opening, work: Work<T>): Promise<T> => {
  const { flags, config, io } = opening;
  const local = await openLocal(config, { clientId: flags.client, tariff: flags.tariff });
  const progress = createProgress(io);
  const file = await open(path);
  const jobs = jobsFor((await file.stat()).size, flags.jobs);
  // The processes start while the list is being planned.
  const pool = jobs > 1 ? startRatingPool(jobs, io) : undefined;
  try {
    return await work({ ...opening, path, file, origin, local, progress, pool });
  } finally {
    progress.clear();
    await pool?.end();
    await file.close();
  }
};

const interruptedText = (output: string | undefined): string => {
  if (output === undefined) return 'Interrupted.';
  return output === '-' ? 'Interrupted. The output is incomplete.' : `Interrupted. Nothing was written to ${output}.`;
};

/** Opens a list and does the work. Checks the output first. @throws {CommandFailure} also if Ctrl-C ends the work */
export const withList = async <T>(path: string, flags: RateFlags, io: Io, work: Work<T>): Promise<T> => {
  if (flags.output !== undefined) await requireOutput(flags.output, path);
  const signal = interruption();
  const config = readConfig(io.env);
  try {
    const input = await openListInput(path, readOptionsFrom(flags), io, config.maxRowBytes, signal);
    try {
      return await withFile(input, { flags, config, io, signal }, work);
    } finally {
      await input.remove();
    }
  } catch (error) {
    if (signal.aborted) throw new CommandFailure(interruptedText(flags.output), EXIT.interrupted, { cause: error });
    throw error;
  }
};

/**
 * Writes the header and the rated chunks to the output, which appears only when complete.
 * @param described the columns, for Parquet output
 * @returns the sums
 */
export const writeOutput = async (
  { flags, io, progress, signal }: OpenList,
  header: Uint8Array,
  rated: AsyncIterable<RatedChunk>,
  rows: number,
  described: OutputColumns,
): ReturnType<typeof writeRated> => {
  if (flags.output === undefined) return await writeRated(rated, rows, undefined, progress, signal);
  const opened = await openOutput(flags.output, io);
  const output = /\.parquet$/i.test(flags.output) ? asParquet(opened, described) : opened;
  try {
    await output.write(header);
    const sums = await writeRated(rated, rows, output, progress, signal);
    await output.commit();
    return sums;
  } catch (error) {
    await output.abandon();
    throw error;
  }
};
