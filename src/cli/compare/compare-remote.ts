/** Compares a finished batch of a service in scenarios. */
import { must } from '../../base/must.ts';
import type { Comparison, ComparisonRequest } from '../../http/client/client.ts';
import { showBatch } from '../batch/batch.ts';
import {
  download,
  ofBatch,
  ofComparison,
  type Patience,
  patiently,
  type Remote,
  RemoteFailure,
  watchChanges,
} from '../batch/remote.ts';
import { type Given, text } from '../command.ts';
import { CommandFailure, EXIT, failureText } from '../exit.ts';
import { type Io, interruption } from '../io.ts';
import { createProgress } from '../progress.ts';
import { openOutput, requireOutput } from '../rate/output-file.ts';
import { remoteOf, type ServiceFlags, sameService } from '../rate/service-options.ts';
import type { Compared } from './compare-result.ts';
import { type Asked, askedScenarios, requireNames, type SpecFlags } from './compare-scenarios.ts';

/** The options of a comparison of a batch. */
export const BATCH_OPTIONS = {
  batch: text('--batch <id>', 'compare a finished batch of a service'),
  watch: text('--watch <id>', 'watch a running comparison'),
  with: text('--with <id>', 'compare the batch with another one, shipment by shipment, such as one month with another'),
  key: text('--key <column>', 'the column that identifies a shipment in both, such as order_number'),
};

export interface RemoteFlags extends ServiceFlags, SpecFlags, Given<typeof BATCH_OPTIONS> {
  readonly output?: string | undefined;
  readonly json?: true | undefined;
}

/** Replaces members of scenarios in a refusal with their names on the command line. */
const inSpecs = (message: string, asked: readonly Asked[]): string =>
  message.replaceAll(
    /scenarios\[(\d{1,2})\](?:\.([A-Za-z]{1,30}))?/g,
    (path: string, index: string, member?: string) => {
      const own = asked[Number(index)];
      if (own === undefined) return path;
      return member === undefined ? own.where : `${own.where}, ${own.nameOf(member)}`;
    },
  );

interface Doing {
  readonly flags: RemoteFlags;
  readonly remote: Remote;
  readonly patience: Patience;
  readonly progress: ReturnType<typeof createProgress>;
  readonly io: Io;
}

const start = async (batch: string, asked: readonly Asked[], doing: Doing): Promise<string> => {
  const { flags, remote, patience } = doing;
  const request: ComparisonRequest =
    flags.with === undefined
      ? { scenarios: asked.map(({ scenario }) => scenario) }
      : { with: { batch: flags.with, key: must(flags.key, 'the column of --key') } };
  try {
    return (await remote.compare(batch, request, patience)).id;
  } catch (error) {
    if (!(error instanceof RemoteFailure) || !error.message.includes('scenarios[')) throw error;
    throw new CommandFailure(inSpecs(error.message, asked), error.exitCode, { cause: error });
  }
};

/** The format of the rows, by the file's name. */
const formatOf = (output: string): string => {
  const ending = output.slice(output.lastIndexOf('.') + 1).toLowerCase();
  return ['xlsx', 'parquet', 'json'].includes(ending) ? ending : 'csv';
};

/** The comparison ended without a complete output. */
class ComparisonEnd extends CommandFailure {}

const unfinished = ({ id, status, failure, links }: Comparison, server: string): ComparisonEnd => {
  const reason = failure === null ? '' : `: ${failure.message.replace(/\.$/, '')}`;
  const remedy =
    status === 'failed'
      ? `POST ${server}${links['self']}/retry resumes it. Then watch it with --watch ${id}.`
      : 'Run the command again.';
  return new ComparisonEnd(`The comparison ${id} is ${status}${reason}. ${remedy}`);
};

const fetchRows = async (
  id: string,
  output: string,
  { remote, patience, progress, io }: Omit<Doing, 'flags'>,
): Promise<void> => {
  const ask = (): Promise<Response> => remote.comparisonOutput(id, { format: formatOf(output) }, patience);
  const onBytes = (done: number, total: number | null): void =>
    progress.show({ doing: 'downloading', done, total, unit: 'bytes' });
  await download(remote, ask, () => openOutput(output, io), patience, onBytes);
};

/** Waits until the comparison ends, and gets its rows and summary. */
const finish = async (id: string, doing: Doing): Promise<Compared> => {
  const { flags, remote, patience, progress } = doing;
  const changes = remote.comparisonEvents(id, patience);
  const ended = await watchChanges(await remote.comparison(id), changes, showBatch(progress));
  if (ended.status !== 'completed') throw unfinished(ended, remote.server);
  if (flags.output !== undefined) await fetchRows(id, flags.output, doing);
  const summary = await remote.comparisonSummary(id, patience);
  return { id, summary, findings: ended.findings };
};

/** Adds to a failure how to continue, once the comparison is running. */
const withResumption = (error: unknown, id: string | undefined, { flags, patience }: Doing): unknown => {
  const isInterrupted = patience.signal.aborted;
  if (id === undefined)
    return isInterrupted
      ? new CommandFailure('Interrupted before the service confirmed the comparison.', EXIT.interrupted, {
          cause: error,
        })
      : error;
  const { output, json } = flags;
  const wanted = output === undefined ? [] : ['-o', output];
  const again = sameService(flags, ['rates', 'compare', '--watch', id, ...wanted, ...(json ? ['--json'] : [])]);
  if (isInterrupted) {
    const message = `Interrupted. The comparison continues. Watch it again with: ${again}`;
    return new CommandFailure(message, EXIT.interrupted, { cause: error });
  }
  if (flags.watch !== undefined || error instanceof ComparisonEnd) return error;
  return new CommandFailure(
    `${failureText(error, false)}\nThe comparison continues. Watch it with: ${again}`,
    error instanceof CommandFailure ? error.exitCode : EXIT.failed,
    { cause: error },
  );
};

/** Compares a batch, or continues with a running comparison. */
export const compareBatch = async (batch: string | undefined, flags: RemoteFlags, io: Io): Promise<Compared> => {
  const asked =
    flags.watch === undefined && flags.with === undefined ? await askedScenarios(flags.against, flags.scenarios) : [];
  requireNames(asked);
  if (flags.output !== undefined) await requireOutput(flags.output, undefined);
  const signal = interruption();
  const remote = await remoteOf(flags, io.env, signal);
  const progress = createProgress(io);
  const doing: Doing = { flags, remote, progress, patience: patiently(signal, progress.trouble), io };
  let id = flags.watch;
  try {
    id ??= await ofBatch(remote, batch ?? '', start(batch ?? '', asked, doing));
    return await ofComparison(remote, id, finish(id, doing));
  } catch (error) {
    throw withResumption(error, id, doing);
  } finally {
    progress.clear();
  }
};
