/** `rates compare`: what a list or a finished batch would cost under other conditions. */

import { must } from '../../base/must.ts';
import type { Comparison, ComparisonRequest } from '../../http/client/client.ts';
import { comparisonColumns } from '../../lists/comparison/columns.ts';
import type { Resolved } from '../../lists/comparison/resolve.ts';
import { type ComparisonSummary, comparisonSummaryOf } from '../../lists/comparison/summary.ts';
import { emptySums } from '../../lists/comparison/sums.ts';
import { formatOf } from '../../lists/output/output-format.ts';
import { outputHeader } from '../../lists/rows/rate-rows.ts';
import { showBatch } from '../batch/batch.ts';
import { findingLines, queryOf, READING_OPTIONS, readOptionsFrom } from '../batch/list-options.ts';
import { ofBatch, ofComparison, RemoteFailure, watchChanges } from '../batch/remote.ts';
import { command, flag, type Given, type Said, text } from '../command.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { amountText, count, counted, dollarsText } from '../format.ts';
import type { Io } from '../io.ts';
import { formatNamed, ROWS_OR_JSON, requireOutput } from '../rate/output-file.ts';
import { comparerFor, planFile, rateHere } from '../rate/rate-file.ts';
import { type OpenList, RATE_OPTIONS, type RateFlags, withList, writeOutput } from '../rate/rate-list.ts';
import type { OrderedScenario } from '../rate/rating-pool.ts';
import {
  atService,
  type Doing,
  fetchOutput,
  SERVICE_OPTIONS,
  type ServiceFlags,
  withResumption,
} from '../rate/service-options.ts';
import {
  type Asked,
  askedScenarios,
  requireNames,
  resolvedHere,
  SPEC_OPTIONS,
  type SpecFlags,
} from './compare-scenarios.ts';

/* Compares a finished batch of a service in scenarios. */

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
    await fetchOutput(doing, output, () =>
      remote.comparisonOutput(id, { format: formatNamed(output) ?? 'csv' }, patience),
    );
  const summary = await remote.comparisonSummary(id, patience);
  return { id, summary, findings: ended.findings };
};

/** Compares a batch, or continues with a running comparison. */
export const compareBatch = async (batch = '', flags: RemoteFlags, io: Io): Promise<Compared> => {
  const isNew = flags.watch === undefined && flags.with === undefined;
  const asked = isNew ? await askedScenarios(flags.against, flags.scenarios) : [];
  requireNames(asked);
  if (flags.output !== undefined) await requireOutput(flags.output, undefined, ['csv', 'xlsx', 'parquet', 'json']);
  return await atService(flags, io, async (doing) => {
    let id = flags.watch;
    try {
      id ??= await ofBatch(doing.remote, batch, start(batch, asked, flags, doing));
      return await ofComparison(doing.remote, id, finish(id, flags, doing));
    } catch (error) {
      throw withResumption(error, id, flags, doing, {
        ...{ thing: 'comparison', begun: 'the comparison', verb: 'Watch' },
        words: (known) => ['rates', 'compare', '--watch', known, ...(flags.json ? ['--json'] : [])],
        isKnown: flags.watch !== undefined || error instanceof ComparisonEnd,
      });
    }
  });
};

/* The output of `rates compare`. */

/** The result of a comparison without its rows. */
export interface Compared {
  /** Only for a comparison that a service stores. */
  readonly id?: string;
  readonly summary: ComparisonSummary;
  readonly findings: readonly { readonly message: string }[];
}

/** One sentence about the scenario's cost. */
const headline = (
  { name, shipments, total, baseTotal, difference, percent }: ComparisonSummary['scenarios'][number],
  isJoined: boolean,
): string => {
  if (shipments === 0)
    return `${name}: no shipment has a price both ${isJoined ? 'there and in the batch' : 'in the list and in the scenario'}.`;
  const on = `on ${counted(shipments, 'shipment')}${isJoined ? ' in both lists' : ''}.`;
  if (difference === 0)
    return `${name}: ${dollarsText(total)}, the same as ${isJoined ? 'in the batch' : 'in the list'} ${on}`;
  const word = difference > 0 ? 'more' : 'less';
  const share = percent === null ? '' : ` (${amountText(Math.abs(percent))}%)`;
  return (
    `${name}: ${dollarsText(total)} instead of ${dollarsText(baseTotal)}, ` +
    `${dollarsText(Math.abs(difference))} ${word}${share} ${on}`
  );
};

/** The rows that the totals leave out, and what the prices of each side lack or estimate. */
const gapLines = (
  { base, join }: ComparisonSummary,
  { name, onlyBase, onlyScenario, neither, warnings, missing, baseMissing }: ComparisonSummary['scenarios'][number],
): readonly string[] => {
  const [here, there] = join === undefined ? ['in the list', 'in the scenario'] : ['in the batch', `in ${name}`];
  const { gone, new: added, duplicates, withoutKey } = join ?? {};
  const alone: readonly (readonly [number, string])[] = [
    [onlyBase.shipments, `with a price only ${here}`],
    [onlyScenario.shipments, `with a price only ${there}`],
    [neither, 'without a price'],
    [gone?.shipments ?? 0, `only ${here}`],
    [added?.shipments ?? 0, `only ${there}`],
    [(duplicates?.base ?? 0) + (duplicates?.with ?? 0), 'with a key that repeats'],
    [(withoutKey?.base ?? 0) + (withoutKey?.with ?? 0), 'without a key'],
  ];
  const left = alone.filter(([rows]) => rows > 0).map(([rows, why]) => `${count(rows)} ${why}`);
  const listOf = (rows: Readonly<Record<string, number>>): string =>
    Object.entries(rows)
      .map(([what, number]) => `${what} ${count(number)}`)
      .join(', ');
  const sides = (what: string, ...counts: readonly Readonly<Record<string, number>>[]): readonly string[] => {
    const [ours = '', theirs = ''] = counts.map(listOf);
    return ours + theirs === '' ? [] : [`  ${what}: ${here} ${ours || 'none'}; ${there} ${theirs || 'none'}`];
  };
  return [
    ...(left.length === 0 ? [] : [`  Not compared: ${left.join(', ')}`]),
    ...sides('Warnings', base.warnings, warnings),
    ...sides('Missing from the compared prices', baseMissing, missing),
  ];
};

/** Whether every row has a price both in the list and in each scenario. */
const isPriced = ({ base, scenarios }: ComparisonSummary): boolean =>
  base.priced === base.rows && scenarios.every(({ onlyBase, neither }) => onlyBase.shipments + neither === 0);

/** What is compared. The totals of two lists include rows that only one of them has. */
const sidesOf = ({ base, scenarios, join }: ComparisonSummary): string => {
  if (join === undefined)
    return `${counted(base.rows, 'row')} in the list and in ${counted(scenarios.length, 'scenario')}`;
  const [each, other] = [base, join.with].map(
    ({ rows, totalNetCharge }) => `${counted(rows, 'row')} for ${dollarsText(totalNetCharge)}`,
  );
  return `${each} and ${other} in ${scenarios[0]?.name}`;
};

export const saidOf = (
  { id, summary, findings }: Compared,
  { output }: { readonly output?: string | undefined },
  seconds: number,
): Said => ({
  json: () => ({ ...(id !== undefined && { id }), ...summary, findings }),
  notes: [
    `${id === undefined ? '' : `Comparison ${id}: `}${sidesOf(summary)} in ${seconds.toFixed(1)} s` +
      `${output === undefined || output === '-' ? '' : `, in ${output}`}`,
    ...summary.scenarios.flatMap((one) => [headline(one, summary.join !== undefined), ...gapLines(summary, one)]),
    ...findingLines(findings),
  ],
  exit: isPriced(summary) ? EXIT.done : EXIT.faulted,
});

const orderedScenarios = ({ scenarios }: Resolved): OrderedScenario[] =>
  scenarios.map(({ scenario, tariffs, accountParts }) => ({
    scenario,
    documents: tariffs?.documents,
    account: accountParts,
  }));

/** Compares the rows, and writes the output if one is requested. */
const compareFile = async (list: OpenList, resolved: Resolved): Promise<Compared> => {
  const { path, file, flags, local, config, pool, progress, signal } = list;
  const { client, schedule } = local;
  const { columns, plan } = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
  const format = formatOf(flags, schedule);
  const { warehouses, discounts, agreements, account } = client;
  const context = { columns, format, maximumRowBytes: config.maxRowBytes };
  const instant = new Date();
  const shipper = { warehouses, discounts, agreements };
  const scenarios = orderedScenarios(resolved);
  pool?.order({ kind: 'order', path, documents: schedule.documents, instant, context, shipper, scenarios });
  const parts = { schedule, shipper: { warehouses, account }, instant };
  const rated =
    pool?.rate(plan.chunks) ?? rateHere(file, plan.chunks, comparerFor(context, parts, resolved.scenarios), signal);
  const given = resolved.scenarios.map(({ scenario }) => scenario);
  const added = comparisonColumns(given);
  const header = outputHeader(columns, format.keepFormulas, added);
  const described = { own: columns.passed.length, added, isComparison: true };
  const { sums = emptySums(given.length) } = await writeOutput(list, header, rated, plan.rows, described);
  return { summary: comparisonSummaryOf(sums, given), findings: [...resolved.findings, ...columns.findings] };
};

const compareList = async (path: string, flags: RateFlags & SpecFlags, io: Io): Promise<Compared> => {
  const asked = await askedScenarios(flags.against, flags.scenarios);
  return await withList(path, flags, io, async (list) =>
    compareFile(list, await resolvedHere(asked, list.local, list.config)),
  );
};

const args = {
  file: text(
    '[file]',
    'the list: a CSV, a workbook or a Parquet file with a header, compressed or not; - is standard input',
  ),
};
const options = {
  ...SPEC_OPTIONS,
  output: text('-o, --output <file>', 'write each row with its prices: .csv or .parquet; - is standard output'),
  json: flag('--json', 'print the summary as JSON'),
  ...BATCH_OPTIONS,
  ...SERVICE_OPTIONS,
  ...READING_OPTIONS,
  ...RATE_OPTIONS,
};
type CompareFlags = Given<typeof args & typeof options>;

/** Why options conflict in a comparison of a batch. */
const refuseOfBatch = (given: CompareFlags): string | false => {
  const { watch, against, scenarios, client, jobs, with: other, key } = given;
  if (Object.keys(queryOf(given)).length > 0 || client !== undefined || jobs !== undefined)
    return 'Options for reading and rating a list do not work with --batch and --watch: the service has done both.';
  const isAsked = against.length > 0 || scenarios !== undefined;
  if (watch !== undefined && (isAsked || other !== undefined))
    return '--watch watches a comparison as it was started. Leave out --against, --scenarios and --with.';
  if ((other === undefined) !== (key === undefined))
    return '--with ID and --key COLUMN go together: another batch, and the column that identifies a shipment in both.';
  return (
    other !== undefined && isAsked && '--with compares two batches as they are. Leave out --against and --scenarios.'
  );
};

/** Why options conflict. */
const refuse = (given: CompareFlags): string | false | undefined => {
  const { file, batch, watch, output, json, server, clientId, clientSecret, profile, with: other, key } = given;
  const sources = [file, batch, watch].filter((source) => source !== undefined);
  if (sources.length !== 1)
    return 'Name one thing to compare: a list, --batch ID of a finished batch, or --watch ID of a running comparison.';
  const ofBatch = file === undefined && refuseOfBatch(given);
  if (ofBatch) return ofBatch;
  if (file !== undefined && [server, clientId, clientSecret, profile, other, key].some((one) => one !== undefined))
    return 'A list is compared here, without a service. --server, its options, --with and --key work only with --batch.';
  return json && output === '-' && ROWS_OR_JSON;
};

export const compare = command({
  path: 'compare',
  about: 'What a list would cost with other tariffs, agreements, services or warehouses',
  args,
  options,
  examples: [
    'rates compare shipments.csv --against "service=C1-GROUND"',
    'rates compare shipments.csv --against "2027 rates: tariff=./tariffs/2027" --against "agreement=none" -o compared.csv',
    'rates compare shipments.csv --against "new contract: agreement=./drafts/ups-2027; warehouse=101|103" --json',
    'rates compare --batch b0mfw3k7q… --with b0mg1x2y3… --key order_number --json',
    'rates compare --batch b0mfw3k7q… --against "discounts=C1-GROUND 35, C2-GROUND 20; divisor=166" -o compared.xlsx',
  ],
  more: `A SPEC is \`[name:] key=value; key=value…\`. What it does not name stays the same. The keys:
  tariff      other tariffs, even before they are in force: names, ids or folders (with a slash), separated by commas
  agreement   another agreement: its name, its folder (with a slash), or none for list prices
  discounts   percent off the base charge by service, instead of agreements: C1-GROUND 35, C2-GROUND 20
  service     one service for all rows, or cheapest
  map         other services for some: C2-GROUND>C1-GROUND, C2-EXPRESS>C1-EXPRESS
  carrier     only services of this carrier
  warehouse   another origin: an id; the cheapest of several, 101|103; or of any
  ship-date   another day, YYYY-MM-DD
  divisor     the dimensional factor: 166, or by service, C1-GROUND 166
  fuel        the list fuel surcharge in percent: 18.5, or by service, C1-GROUND 18.5
--scenarios names a file with a list of scenarios in the form that the API takes. At most eight in total.

A list is compared without a server or Redis. With --batch, the service compares a finished batch. Then -o also writes .xlsx and
.json, and folders do not work. After Ctrl-C the service continues, and the command says how to watch it again.`,
  refuse,
  run: async ({ file, ...flags }, io) => {
    const begun = performance.now();
    const compared =
      file === undefined ? await compareBatch(flags.batch, flags, io) : await compareList(file, flags, io);
    return saidOf(compared, flags, (performance.now() - begun) / 1_000);
  },
});
