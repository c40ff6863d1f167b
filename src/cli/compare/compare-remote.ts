/** Compares a finished batch of a service in scenarios. */
import { must } from '../../base/must.ts';
import type { Comparison, ComparisonRequest } from '../../http/client/client.ts';
import { showBatch } from '../batch/batch.ts';
import { ofBatch, ofComparison, RemoteFailure, watchChanges } from '../batch/remote.ts';
import { type Given, text } from '../command.ts';
import { CommandFailure } from '../exit.ts';
import type { Io } from '../io.ts';
import { requireOutput } from '../rate/output-file.ts';
import { atService, type Doing, fetchOutput, type ServiceFlags, withResumption } from '../rate/service-options.ts';
import type { Compared } from './compare.ts';
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

const start = async (
  batch: string,
  asked: readonly Asked[],
  flags: RemoteFlags,
  { remote, patience }: Doing,
): Promise<string> => {
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

/** Waits until the comparison ends, and gets its rows and summary. */
const finish = async (id: string, { output }: RemoteFlags, doing: Doing): Promise<Compared> => {
  const { remote, patience, progress } = doing;
  const changes = remote.comparisonEvents(id, patience);
  const ended = await watchChanges(await remote.comparison(id), changes, showBatch(progress));
  if (ended.status !== 'completed') throw unfinished(ended, remote.server);
  if (output !== undefined)
    await fetchOutput(doing, output, () => remote.comparisonOutput(id, { format: formatOf(output) }, patience));
  const summary = await remote.comparisonSummary(id, patience);
  return { id, summary, findings: ended.findings };
};

/** Compares a batch, or continues with a running comparison. */
export const compareBatch = async (batch = '', flags: RemoteFlags, io: Io): Promise<Compared> => {
  const isNew = flags.watch === undefined && flags.with === undefined;
  const asked = isNew ? await askedScenarios(flags.against, flags.scenarios) : [];
  requireNames(asked);
  if (flags.output !== undefined) await requireOutput(flags.output, undefined);
  return await atService(flags, io, async (doing) => {
    let id = flags.watch;
    try {
      id ??= await ofBatch(doing.remote, batch, start(batch, asked, flags, doing));
      return await ofComparison(doing.remote, id, finish(id, flags, doing));
    } catch (error) {
      const { output, json } = flags;
      const wanted = [...(output === undefined ? [] : ['-o', output]), ...(json ? ['--json'] : [])];
      throw withResumption(error, id, flags, doing, {
        ...{ thing: 'comparison', begun: 'the comparison', verb: 'Watch' },
        words: (known) => ['rates', 'compare', '--watch', known, ...wanted],
        isKnown: flags.watch !== undefined || error instanceof ComparisonEnd,
      });
    }
  });
};
