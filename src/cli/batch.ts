/** `rates batch`: a list sent to a service, watched, and fetched with its quotes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { CommandFailure, EXIT, failureText } from './exit.ts';
import { counted, faultCounts, warningCounts } from './format.ts';
import { type Io, interruption, printJson, say, write } from './io.ts';
import { findingLines, type ListFlags, queryOf, withListOptions } from './list-options.ts';
import { openOutput, requireOutput } from './output-file.ts';
import { fetchPreview, previewLines } from './preview.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Remote, type RemoteBatch, RemoteFailure } from './remote.ts';
import { remoteOf, type ServiceFlags, sameService, withServiceOptions } from './service-options.ts';
import { download, type Patience, uploadList, watchBatch } from './watch.ts';

interface GivenFlags extends ListFlags, ServiceFlags {
  readonly output?: string;
  readonly preview?: true;
  readonly watch?: string;
  readonly xlsx?: true;
  readonly excel?: true;
  readonly json?: true;
}

type BatchFlags = GivenFlags & { readonly output: string };

/** Refuses what does not go together. */
const checked = (path: string | undefined, flags: GivenFlags): BatchFlags => {
  const { output, watch, json } = flags;
  const usage = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);
  if (output === undefined)
    throw usage('Say where to write the list with its quotes: -o FILE, or -o - for the standard output.');
  if ((path === undefined) === (watch === undefined))
    throw usage('Name a file to send, or a batch to go on with by --watch ID, and not both.');
  if (watch !== undefined && queryOf(flags).size > 0)
    throw usage('How a list is read is said when it is sent: --watch goes with -o, --xlsx, --excel and --json alone.');
  if (json === true && output === '-')
    throw usage('Both the rows and --json would go to the standard output: name a file with -o.');
  return { ...flags, output };
};

/** How the output is written, as the service's parameters. */
const formOf = ({ xlsx, excel }: GivenFlags): Record<string, string> => ({
  ...(xlsx && { format: 'xlsx' }),
  ...(excel && { output: 'excel' }),
});

interface Doing {
  readonly flags: BatchFlags;
  readonly remote: Remote;
  readonly progress: Progress;
  readonly patience: Patience;
  readonly io: Io;
}

/** The bytes of a file (or the standard input) as they are sent, with the progress shown. */
async function* sent(path: string, size: number | null, { io, progress }: Doing): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of path === '-' ? io.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes = Buffer.from(piece);
    done += bytes.length;
    progress.show({ doing: 'uploading', done, total: size, unit: 'bytes' });
    yield bytes;
  }
}

const upload = async (path: string, doing: Doing): Promise<string> => {
  const { flags, remote, patience } = doing;
  const found = path === '-' ? undefined : await stat(path);
  if (found?.isDirectory()) throw new CommandFailure(`${path} is a folder: name a file.`);
  const query = queryOf(flags);
  for (const [name, value] of Object.entries(formOf(flags))) query.set(name, value);
  if (path !== '-') query.set('filename', basename(path));
  const isFile = found?.isFile() === true;
  const sending = { content: () => sent(path, isFile ? found.size : null, doing), repeatable: isFile };
  return (await uploadList(remote, sending, query, patience)).id;
};

const STATUS_WORDS: Readonly<Record<string, string>> = {
  queued: 'waiting',
  in_progress: 'rating',
  finalizing: 'finishing',
  cancelling: 'cancelling',
};

export const showBatch =
  (progress: Progress) =>
  ({ status, rows: { total, processed: done, faulted } }: RemoteBatch): void => {
    const doing = STATUS_WORDS[status];
    if (doing !== undefined) progress.show({ doing, done, total, unit: 'rows', faulted });
  };

/** A batch that ended without an output: there is nothing to go on with. */
class BatchEnd extends CommandFailure {}

const unfinished = ({ id, status, failure, links }: RemoteBatch, server: string): BatchEnd => {
  const reason = failure === null ? '' : `: ${failure.message.replace(/\.$/, '')}`;
  const remedy =
    status === 'failed'
      ? `POST ${new URL(`${links.self}/retry`, server).href} does what is missing; then watch it again with --watch ${id}.`
      : status === 'cancelled'
        ? `What was quoted is at ${new URL(links.output, server).href}.`
        : 'Send the list again.';
  return new BatchEnd(`The batch ${id} is ${status}${reason}. ${remedy}`);
};

/** The batch at its end, with its output fetched if it is completed. */
const finish = async (id: string, { flags, remote, progress, patience, io }: Doing): Promise<RemoteBatch> => {
  const batch = await watchBatch(remote, id, showBatch(progress), patience);
  if (batch.status !== 'completed') return batch;
  const output = new URL(batch.links.output, remote.server);
  for (const [name, value] of Object.entries(formOf(flags))) output.searchParams.set(name, value);
  await download(
    remote,
    output.href,
    () => openOutput(flags.output, io),
    patience,
    (done, total) => progress.show({ doing: 'downloading', done, total, unit: 'bytes' }),
  );
  return batch;
};

const summaryBody = z.object({
  warnings: z.array(z.object({ type: z.string(), shipments: z.number(), totalNetCharge: z.number() })).default([]),
});

/** How many rows have which warning. The list is here already, so a service that does not answer is no failure. */
const warningLines = async ({ links }: RemoteBatch, remote: Remote): Promise<readonly string[]> => {
  try {
    return warningCounts((await remote.json(`${links.self}/summary`, summaryBody)).warnings);
  } catch (failure) {
    if (!(failure instanceof RemoteFailure)) throw failure;
    return [`How many rows have a warning is not known: ${failure.message}`];
  }
};

const report = async (batch: RemoteBatch, seconds: number, { flags, remote, io }: Doing): Promise<void> => {
  const { id, rows, faults, findings, links } = batch;
  say(
    io,
    `Batch ${id}: ${counted(rows.processed, 'row')} in ${seconds.toFixed(1)} s: ${counted(rows.quoted, 'quote')}, ` +
      `${counted(rows.faulted, 'fault')}${flags.output === '-' ? '' : `, in ${flags.output}`}`,
  );
  for (const line of faultCounts(faults)) say(io, line);
  for (const line of await warningLines(batch, remote)) say(io, line);
  for (const line of findingLines(findings)) say(io, line);
  if (rows.faulted > 0) say(io, `The faulted rows alone: ${new URL(links.faults, remote.server).href}`);
};

/** A failure after which a batch is there goes with how to go on with it. */
const withWayOn = (error: unknown, id: string | undefined, { flags, patience }: Doing): unknown => {
  const words = ['rates', 'batch', '--watch', id ?? '', '-o', flags.output];
  const again = sameService(flags, [...words, ...(flags.xlsx ? ['--xlsx'] : []), ...(flags.excel ? ['--excel'] : [])]);
  if (patience.signal.aborted)
    return new CommandFailure(
      id === undefined
        ? 'Interrupted before the service had said that it took the list. Send it again.'
        : `Interrupted. The batch goes on; watch it again with: ${again}`,
      EXIT.interrupted,
      { cause: error },
    );
  if (id === undefined || flags.watch !== undefined || error instanceof BatchEnd) return error;
  return new CommandFailure(
    `${failureText(error, false)}\nThe batch goes on; watch and fetch it with: ${again}`,
    error instanceof CommandFailure ? error.exitCode : EXIT.failed,
    { cause: error },
  );
};

const batch = async (path: string | undefined, flags: BatchFlags, io: Io): Promise<void> => {
  await requireOutput(flags.output, path);
  const signal = interruption();
  const remote = remoteOf(flags, io.env, signal);
  const progress = createProgress(io);
  const doing = { flags, remote, progress, patience: { onLost: progress.trouble, signal }, io };
  const begun = performance.now();
  let id = flags.watch;
  try {
    id ??= await upload(path ?? '', doing);
    const done = await finish(id, doing);
    progress.clear();
    if (flags.json === true) await printJson(io, done);
    if (done.status !== 'completed') throw unfinished(done, remote.server);
    await report(done, (performance.now() - begun) / 1_000, doing);
    if (done.rows.faulted > 0) io.setExitCode(EXIT.faulted);
  } catch (error) {
    progress.clear();
    throw withWayOn(error, id, doing);
  }
};

const preview = async (path: string | undefined, flags: GivenFlags, io: Io): Promise<void> => {
  if (path === undefined || flags.watch !== undefined || flags.output !== undefined)
    throw new CommandFailure(
      '--preview needs a file, and neither --watch nor -o: nothing is queued or written.',
      EXIT.usage,
    );
  const remote = remoteOf(flags, io.env, interruption());
  const seen = await fetchPreview(path, queryOf(flags), remote, io);
  if (flags.json === true) await printJson(io, seen);
  else await write(io.stdout, `${previewLines(seen).join('\n')}\n`);
  if (seen.faulted > 0) io.setExitCode(EXIT.faulted);
};

const EXAMPLES = `
Examples:
  rates batch shipments.csv -o quoted.csv
  rates batch shipments.xlsx -o quoted.xlsx --xlsx --repair all
  rates batch shipments.csv --preview --repair zip
  rates batch - -o - --units KG < shipments.csv > quoted.csv
  rates batch --watch b0mfw3k7q… -o quoted.csv

A file that is broken off while it is sent is sent again, and no batch is made twice; standard input cannot be. The
service may be away for ten minutes. Ctrl-C leaves the batch to go on, and says how to watch it again.`;

export const batchCommand = (io: Io): Command =>
  withListOptions(
    withServiceOptions(
      new Command('batch')
        .description('Send a list of shipments to a service, and fetch it with its quotes')
        .argument('[file]', 'the list, a CSV or a workbook with a header; - is standard input')
        .option('-o, --output <file>', 'where to write it with its quotes; - is standard output')
        .option('--preview', 'only show what the service makes of it: columns, first rows, repairs, an estimate')
        .option('--watch <id>', 'go on with a batch that was sent before')
        .option('--xlsx', 'fetch it as a workbook, in which ZIP codes stay text')
        .option('--excel', 'fetch it as Excel opens it: a byte-order mark, and the separator of the list'),
    ),
  )
    .option('--json', 'print the batch as it ended, or the preview')
    .addHelpText('after', EXAMPLES)
    .action((path: string | undefined, flags: GivenFlags) =>
      flags.preview === true ? preview(path, flags, io) : batch(path, checked(path, flags), io),
    );
