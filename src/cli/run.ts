/** `rates run`: a list rated here, by itself: no server, no Redis. Its output is the batch path's, byte for byte. */
import { open } from 'node:fs/promises';
import { Command } from 'commander';
import { fitted } from '../batch/format.ts';
import { booksOf } from '../batch/snapshot.ts';
import { summaryOf } from '../batch/summary.ts';
import type { Tally } from '../batch/tally.ts';
import { readConfig } from '../config.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted, type Io, interruption, printJson, say } from './io.ts';
import { openListInput } from './list-input.ts';
import { formatFrom, type ListFlags, readingFrom, withListOptions } from './list-options.ts';
import { openLocal } from './local.ts';
import { openOutput } from './output-file.ts';
import { createProgress } from './progress.ts';
import { planFile, rateFile } from './run-list.ts';

interface RunFlags extends ListFlags {
  readonly output: string;
  readonly client?: string;
  readonly json?: true;
}

/** The faults by type, a line each, the commonest first. */
export const faultCounts = (faults: Readonly<Record<string, number>>): string[] =>
  Object.entries(faults)
    .sort(([, a], [, b]) => b - a)
    .map(([type, rows]) => `  ${type}: ${counted(rows, 'row')}`);

const report = (tally: Tally, seconds: number, output: string, io: Io): void => {
  const pace = Math.round(tally.processed / seconds);
  say(
    io,
    `${counted(tally.processed, 'row')} in ${seconds.toFixed(1)} s (${counted(pace, 'row')} per second): ` +
      `${counted(tally.quoted, 'quote')}, ${counted(tally.faulted, 'fault')}${output === '-' ? '' : `, in ${output}`}`,
  );
  for (const line of faultCounts(tally.faults)) say(io, line);
};

const rate = async (input: string, flags: RunFlags, io: Io, signal: AbortSignal): Promise<Tally> => {
  const config = readConfig(io.env);
  const { client, schedule } = await openLocal(config, { clientId: flags.client, tariff: flags.tariff }, io);
  const progress = createProgress(io);
  const file = await open(input);
  try {
    const planned = await planFile(file, readingFrom(flags), config, progress, signal);
    const format = formatFrom(flags, schedule);
    const context = {
      columns: fitted(planned.columns, format),
      format,
      shipper: client,
      bookOn: booksOf(schedule, new Date()),
      maximumRowBytes: config.maxRowBytes,
    };
    const output = await openOutput(flags.output, io);
    try {
      const tally = await rateFile(file, planned.plan, context, output, progress, signal);
      await output.commit();
      return tally;
    } catch (error) {
      await output.abandon();
      throw error;
    }
  } finally {
    progress.clear();
    await file.close();
  }
};

const run = async (path: string, flags: RunFlags, io: Io): Promise<void> => {
  if (flags.json === true && flags.output === '-')
    throw new CommandFailure(
      'Both the rows and --json would go to the standard output: name a file with -o.',
      EXIT.usage,
    );
  const signal = interruption();
  const begun = performance.now();
  try {
    const input = await openListInput(path, readingFrom(flags), io, signal);
    try {
      const tally = await rate(input.path, flags, io, signal);
      if (flags.json === true) await printJson(io, summaryOf(tally));
      report(tally, (performance.now() - begun) / 1_000, flags.output, io);
      if (tally.faulted > 0) io.setExitCode(EXIT.faulted);
    } finally {
      await input.remove();
    }
  } catch (error) {
    if (signal.aborted)
      throw new CommandFailure('Interrupted: nothing was written.', EXIT.interrupted, { cause: error });
    throw error;
  }
};

const EXAMPLES = `
Examples:
  rates run shipments.csv -o quoted.csv
  rates run - -o - --units LB --warehouse-id 101 < shipments.csv > quoted.csv`;

export const runCommand = (io: Io): Command =>
  withListOptions(
    new Command('run')
      .description('Rate a list of shipments here, without a server or Redis')
      .argument('<file>', 'the list, a CSV or a workbook with a header; - is standard input')
      .requiredOption('-o, --output <file>', 'where to write it with its quotes; - is standard output'),
  )
    .option('--client <id>', 'whose warehouses and discounts; the first of CLIENTS_FILE unless given')
    .option('--json', 'print what it came to: counts and spend')
    .addHelpText('after', EXAMPLES)
    .action((path: string, flags: RunFlags) => run(path, flags, io));
