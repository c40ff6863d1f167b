/** `rates batch`: a list sent to a service, watched, and fetched with its quotes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import { isLoopback, readConfig } from '../config.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted, type Io, interruption, printJson, say, write } from './io.ts';
import { type ListFlags, queryOf, withListOptions } from './list-options.ts';
import { openOutput } from './output-file.ts';
import { fetchPreview, previewLines } from './preview.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Credentials, createRemote, type Remote, type RemoteBatch } from './remote.ts';
import { faultCounts } from './run.ts';
import { download, type OnLost, uploadList, watchBatch } from './watch.ts';

interface GivenFlags extends ListFlags {
  readonly output?: string;
  readonly preview?: true;
  readonly server?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly watch?: string;
  readonly xlsx?: true;
  readonly excel?: true;
  readonly json?: true;
}

type BatchFlags = GivenFlags & { readonly output: string };

const withOutput = (flags: GivenFlags): BatchFlags => {
  if (flags.output === undefined)
    throw new CommandFailure(
      'Say where to write the list with its quotes: -o FILE, or -o - for the standard output.',
      EXIT.usage,
    );
  return { ...flags, output: flags.output };
};

const serverOf = ({ server }: GivenFlags, env: NodeJS.ProcessEnv): string => {
  if (server === undefined) {
    const { host, port } = readConfig(env);
    const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
    return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  }
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw new CommandFailure(`--server ${server} is not an address such as http://127.0.0.1:3000.`, EXIT.usage);
  return server;
};

/** The sample client is everybody's: it is offered to this machine alone. */
const credentialsOf = (flags: GivenFlags, server: string, env: NodeJS.ProcessEnv): Credentials => {
  const id = flags.clientId ?? (env['RATES_CLIENT_ID'] || undefined);
  const secret = flags.clientSecret ?? (env['RATES_CLIENT_SECRET'] || undefined);
  if (id !== undefined && secret !== undefined) return { id, secret };
  if (id !== undefined || secret !== undefined)
    throw new CommandFailure('A client needs both its id and its secret: --client-id and --client-secret.', EXIT.usage);
  if (isLoopback(new URL(server).hostname.replace(/^\[(.*)\]$/, '$1'))) return { id: 'demo', secret: 'demo-secret' };
  throw new CommandFailure(
    `${server} wants to know who calls: give --client-id and --client-secret, or RATES_CLIENT_ID and RATES_CLIENT_SECRET.`,
    EXIT.unauthorised,
  );
};

/** The bytes of a file (or the standard input) as they are sent, with the progress shown. */
async function* sent(path: string, size: number | null, io: Io, progress: Progress): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of path === '-' ? io.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes = Buffer.from(piece);
    done += bytes.length;
    progress.show({ doing: 'uploading', done, total: size, unit: 'bytes' });
    yield bytes;
  }
}

const upload = async (path: string, flags: BatchFlags, remote: Remote, io: Io, progress: Progress): Promise<string> => {
  const found = path === '-' ? undefined : await stat(path);
  if (found?.isDirectory()) throw new CommandFailure(`${path} is a folder: name a file.`);
  const query = queryOf(flags);
  if (flags.xlsx === true) query.set('format', 'xlsx');
  if (flags.excel === true) query.set('output', 'excel');
  if (path !== '-') query.set('filename', basename(path));
  const size = found?.isFile() ? found.size : null;
  return (await uploadList(remote, sent(path, size, io, progress), query)).id;
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

/** What to do where a batch ended without an output. */
const unfinished = ({ id, status, failure, links }: RemoteBatch, server: string): CommandFailure => {
  const reason = failure === null ? '' : `: ${failure.message}`;
  const remedy =
    status === 'failed'
      ? ` POST ${new URL(`${links.self}/retry`, server).href} does what is missing; then watch it again.`
      : status === 'cancelled'
        ? ` What was quoted is at ${new URL(links.output, server).href}.`
        : ' Send the list again.';
  return new CommandFailure(`The batch ${id} is ${status}${reason}.${remedy}`.replace('..', '.'));
};

interface Watched {
  readonly remote: Remote;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly io: Io;
}

const finish = async (
  id: string,
  flags: BatchFlags,
  { remote, progress, signal, io }: Watched,
): Promise<RemoteBatch> => {
  const onLost: OnLost = () =>
    progress.show({ doing: 'the service is away, trying again', done: 0, total: null, unit: 'rows' });
  const batch = await watchBatch(remote, id, showBatch(progress), onLost, signal);
  if (batch.status !== 'completed') throw unfinished(batch, remote.server);
  await download(remote, batch.links.output, () => openOutput(flags.output, io), onLost, signal);
  return batch;
};

const report = (
  { id, rows, faults, links }: RemoteBatch,
  seconds: number,
  flags: BatchFlags,
  server: string,
  io: Io,
): void => {
  say(
    io,
    `Batch ${id}: ${counted(rows.processed, 'row')} in ${seconds.toFixed(1)} s: ${counted(rows.quoted, 'quote')}, ` +
      `${counted(rows.faulted, 'fault')}${flags.output === '-' ? '' : `, in ${flags.output}`}`,
  );
  for (const line of faultCounts(faults)) say(io, line);
  if (rows.faulted > 0) say(io, `The faulted rows alone: ${new URL(links.faults, server).href}`);
};

const batch = async (path: string | undefined, flags: BatchFlags, io: Io): Promise<void> => {
  if ((path === undefined) === (flags.watch === undefined))
    throw new CommandFailure('Name a file to send, or a batch to go on with by --watch ID, and not both.', EXIT.usage);
  if (flags.json === true && flags.output === '-')
    throw new CommandFailure(
      'Both the rows and --json would go to the standard output: name a file with -o.',
      EXIT.usage,
    );
  const server = serverOf(flags, io.env);
  const signal = interruption();
  const remote = createRemote({ server, credentials: credentialsOf(flags, server, io.env), signal });
  const progress = createProgress(io);
  const begun = performance.now();
  let id = flags.watch;
  try {
    id ??= await upload(path ?? '', flags, remote, io, progress);
    const done = await finish(id, flags, { remote, progress, signal, io });
    progress.clear();
    if (flags.json === true) await printJson(io, done);
    report(done, (performance.now() - begun) / 1_000, flags, server, io);
    if (done.rows.faulted > 0) io.setExitCode(EXIT.faulted);
  } catch (error) {
    progress.clear();
    const again = `rates batch --watch ${id} -o ${flags.output}${flags.server === undefined ? '' : ` --server ${server}`}`;
    if (signal.aborted)
      throw new CommandFailure(
        id === undefined
          ? 'Interrupted before the whole list was sent: nothing was queued.'
          : `Interrupted. The batch goes on; watch it again with: ${again}`,
        EXIT.interrupted,
        { cause: error },
      );
    throw error;
  }
};

const preview = async (path: string | undefined, flags: GivenFlags, io: Io): Promise<void> => {
  if (path === undefined || flags.watch !== undefined || flags.output !== undefined)
    throw new CommandFailure(
      '--preview needs a file, and neither --watch nor -o: nothing is queued or written.',
      EXIT.usage,
    );
  const server = serverOf(flags, io.env);
  const remote = createRemote({ server, credentials: credentialsOf(flags, server, io.env), signal: interruption() });
  const seen = await fetchPreview(path, queryOf(flags), remote, io);
  if (flags.json === true) await printJson(io, seen);
  else await write(io.stdout, `${previewLines(seen).join('\n')}\n`);
  if (seen.faulted > 0) io.setExitCode(EXIT.faulted);
};

const EXAMPLES = `
Examples:
  rates batch shipments.csv -o quoted.csv
  rates batch - -o - --units KG < shipments.csv > quoted.csv
  rates batch shipments.csv --preview --repair zip
  rates batch --watch b0mfw3k7q… -o quoted.csv`;

export const batchCommand = (io: Io): Command =>
  withListOptions(
    new Command('batch')
      .description('Send a list of shipments to a service, and fetch it with its quotes')
      .argument('[file]', 'the list, a CSV or a workbook with a header; - is standard input')
      .option('-o, --output <file>', 'where to write it with its quotes; - is standard output')
      .option('--preview', 'only show what the service makes of it: columns, first rows, repairs, an estimate')
      .option('--server <url>', 'the service; the one of HOST and PORT unless given')
      .option('--client-id <id>', 'who calls; RATES_CLIENT_ID unless given')
      .option('--client-secret <secret>', 'RATES_CLIENT_SECRET unless given, which no process list shows')
      .option('--watch <id>', 'go on with a batch that was sent before')
      .option('--xlsx', 'fetch it as a workbook, in which ZIP codes stay text')
      .option('--excel', 'fetch it as Excel opens it: a byte-order mark, and the separator of the list'),
  )
    .option('--json', 'print the batch as it ended, or the preview')
    .addHelpText('after', EXAMPLES)
    .action((path: string | undefined, flags: GivenFlags) =>
      flags.preview === true ? preview(path, flags, io) : batch(path, withOutput(flags), io),
    );
