/** `rates batch list`, `cancel`, `retry` and `download`: what can be done with a batch that was sent before. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { listCommand } from './batch-list.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { type Io, interruption, printJson, say } from './io.ts';
import { openOutput, requireOutput } from './output-file.ts';
import { createProgress } from './progress.ts';
import { batchBody, type RemoteBatch } from './remote.ts';
import { remoteOf, type ServiceFlags, sameService, withServiceOptions } from './service-options.ts';
import { batchPath, download, ofBatch } from './watch.ts';

interface ChangeFlags extends ServiceFlags {
  readonly json?: true;
}

/** Posts to a batch, prints it, and says what comes next. */
const change = async (
  id: string,
  what: 'cancel' | 'retry',
  { json, ...flags }: ChangeFlags,
  io: Io,
  next: (batch: RemoteBatch) => string,
): Promise<void> => {
  const remote = await remoteOf(flags, io.env, interruption());
  const batch = await ofBatch(remote, id, remote.json(batchPath(id, what), batchBody, { method: 'POST' }));
  if (json) await printJson(io, batch);
  say(io, next(batch));
};

const cancel = (id: string, flags: ChangeFlags, io: Io): Promise<void> =>
  change(
    id,
    'cancel',
    flags,
    io,
    ({ status, rows }) =>
      `The batch ${id} is ${status}, with ${counted(rows.processed, 'row')} rated. Rated rows stay: ` +
      `${sameService(flags, ['rates', 'batch', 'download', id, '-o', 'FILE'])}`,
  );

const retry = (id: string, flags: ChangeFlags, io: Io): Promise<void> =>
  change(
    id,
    'retry',
    flags,
    io,
    ({ status }) =>
      `The batch ${id} is ${status} again. Watch it with: ` +
      `${sameService(flags, ['rates', 'batch', '--watch', id, '-o', 'FILE'])}`,
  );

/** What a batch has, and the forms of each. */
const FILES = {
  output: ['csv', 'excel', 'xlsx'],
  faults: ['csv', 'excel', 'xlsx'],
  unprocessed: ['csv'],
  summary: ['json'],
} as const;
type File = keyof typeof FILES;
const WORDS: Readonly<Record<File, string>> = {
  output: 'the output',
  faults: 'the rows with faults',
  unprocessed: 'the unprocessed rows',
  summary: 'the summary',
};
const FORMATS = ['csv', 'excel', 'xlsx', 'json'] as const;
type Format = (typeof FORMATS)[number];

/** The parameters of a download for each form. */
const FORMS: Readonly<Record<Format, Readonly<Record<string, string>>>> = {
  csv: { format: 'csv', output: 'plain' },
  excel: { format: 'csv', output: 'excel' },
  xlsx: { format: 'xlsx' },
  json: {},
};

interface DownloadFlags extends ServiceFlags {
  readonly output: string;
  readonly format?: Format;
  readonly partial?: true;
  readonly revision?: number;
}

/** The parameters of the call. @throws {CommandFailure} for options that this file does not have */
const queryOf = (file: File, { format, partial, revision }: DownloadFlags): URLSearchParams => {
  const forms: readonly Format[] = FILES[file];
  if (format !== undefined && !forms.includes(format))
    throw new CommandFailure(`--format of ${file} must be ${forms.join(', ')}.`, EXIT.usage);
  if (partial && file !== 'output') throw new CommandFailure('--partial is only for the output.', EXIT.usage);
  if (revision !== undefined && file === 'unprocessed')
    throw new CommandFailure('--revision is not for unprocessed rows.', EXIT.usage);
  return new URLSearchParams({
    ...(format === undefined || file === 'unprocessed' ? {} : FORMS[format]),
    ...(partial && { partial: 'true' }),
    ...(revision === undefined ? {} : { revision: String(revision) }),
  });
};

const fetchFile = async (id: string, file: File, flags: DownloadFlags, io: Io): Promise<void> => {
  const query = queryOf(file, flags);
  await requireOutput(flags.output, undefined);
  const signal = interruption();
  const remote = await remoteOf(flags, io.env, signal);
  const progress = createProgress(io);
  const path = `${batchPath(id, file)}${query.size === 0 ? '' : `?${query}`}`;
  const downloading = download(
    remote,
    path,
    () => openOutput(flags.output, io),
    { onLost: progress.trouble, signal },
    (done, total) => progress.show({ doing: 'downloading', done, total, unit: 'bytes' }),
  );
  try {
    await ofBatch(remote, id, downloading);
  } catch (error) {
    if (!signal.aborted) throw error;
    const what = flags.output === '-' ? 'The output is incomplete.' : `Nothing was written to ${flags.output}.`;
    throw new CommandFailure(`Interrupted. ${what}`, EXIT.interrupted, { cause: error });
  } finally {
    progress.clear();
  }
  if (flags.output !== '-') say(io, `Wrote ${WORDS[file]} of batch ${id} to ${flags.output}.`);
};

const revisionOption = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
};

const EXAMPLES = {
  cancel: `
Examples:
  rates batch cancel b0mfw3k7q…

Rows that are rated stay, and can be downloaded.`,
  retry: `
Examples:
  rates batch retry b0mfw3k7q…

Only what is missing is rated.`,
  download: `
Examples:
  rates batch download b0mfw3k7q… -o quoted.csv
  rates batch download b0mfw3k7q… faults -o faults.xlsx --format xlsx
  rates batch download b0mfw3k7q… summary -o -
  rates batch download b0mfw3k7q… unprocessed -o rest.csv

output is the quotes, faults the rows that have a fault, unprocessed the rows of the list that a cancelled or failed batch has
not rated, and summary the counts and totals as JSON. excel is a CSV with a byte-order mark and the separator of the list.`,
};

const ID = ['<id>', 'the id that `rates batch list` shows'] as const;

const cancelCommand = (io: Io): Command =>
  withServiceOptions(new Command('cancel').description('Cancel a batch; rated rows stay').argument(...ID))
    .option('--json', 'print the batch as JSON')
    .addHelpText('after', EXAMPLES.cancel)
    .action((id: string, flags: ChangeFlags) => cancel(id, flags, io));

const retryCommand = (io: Io): Command =>
  withServiceOptions(new Command('retry').description('Resume a failed batch').argument(...ID))
    .option('--json', 'print the batch as JSON')
    .addHelpText('after', EXAMPLES.retry)
    .action((id: string, flags: ChangeFlags) => retry(id, flags, io));

const downloadCommand = (io: Io): Command =>
  withServiceOptions(
    new Command('download')
      .description('Download the output of a batch, its faults, its unprocessed rows or its summary')
      .argument(...ID)
      .addArgument(new Argument('[what]', 'what to download').choices(Object.keys(FILES)).default('output'))
      .requiredOption('-o, --output <file>', 'the output file; - is standard output')
      .addOption(
        new Option('--format <format>', 'csv, excel or xlsx; default: as asked for when it was sent').choices(FORMATS),
      )
      .option('--partial', 'of a batch that has not ended: the rated rows from the top')
      .option('--revision <number>', 'a revision before the last corrections', revisionOption),
  )
    .addHelpText('after', EXAMPLES.download)
    .action((id: string, what: File, flags: DownloadFlags) => fetchFile(id, what, flags, io));

/** Refuses options before the name of a subcommand: they would have no effect there. */
const requireNoOptions = (batch: Command, subcommand: Command): void => {
  const isGiven = batch.options.some((option) => batch.getOptionValueSource(option.attributeName()) === 'cli');
  if (isGiven) throw new CommandFailure(`Give the options after \`rates batch ${subcommand.name()}\`.`, EXIT.usage);
};

/** Adds the subcommands to `rates batch`, which sends a list if its argument is none of them. */
export const withBatchCommands = (batch: Command, io: Io): Command =>
  batch
    .enablePositionalOptions()
    .addCommand(listCommand(io))
    .addCommand(cancelCommand(io))
    .addCommand(retryCommand(io))
    .addCommand(downloadCommand(io))
    .hook('preSubcommand', requireNoOptions);
