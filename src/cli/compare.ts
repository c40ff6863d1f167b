/** `rates compare`: rates a list as it is and in scenarios, without a server or Redis. */
import { basename } from 'node:path';
import { Command } from 'commander';
import { comparisonHeader } from '../comparison/columns.ts';
import type { Resolved } from '../comparison/resolve.ts';
import { type ComparisonSummary, comparisonSummaryOf } from '../comparison/summary.ts';
import { emptySums } from '../comparison/sums.ts';
import type { Finding } from '../rows/findings.ts';
import { headline, type PageFacts, pageLines, shownRows } from './compare-page.ts';
import { type Asked, askedScenarios, resolvedHere } from './compare-scenarios.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { type Io, printJson, say, write } from './io.ts';
import { findingLines, formatFrom, readOptionsFrom, withReadingOptions } from './list-options.ts';
import type { Local } from './local-sources.ts';
import { planFile, rateHere } from './rate-file.ts';
import { jobsOption, type OpenList, type RateFlags, withList, writeOutput } from './rate-list.ts';
import type { OrderedScenario } from './rating-pool.ts';
import { rowLabels } from './row-labels.ts';
import { comparerFor } from './row-work.ts';

interface CompareFlags extends RateFlags {
  readonly against: readonly string[];
  readonly scenarios?: string;
  readonly summary?: true;
  readonly json?: true;
}

/** What a comparison gives beside its rows. */
interface Compared {
  readonly summary: ComparisonSummary;
  readonly facts: Omit<PageFacts, 'list'>;
  readonly findings: readonly Finding[];
}

const usage = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);

/** Refuses options that exclude each other. */
const requireResult = ({ output, summary, json }: CompareFlags): void => {
  const toStdout = [output === '-' ? '-o -' : '', summary ? '--summary' : '', json ? '--json' : ''].filter(Boolean);
  if (output === undefined && toStdout.length === 0)
    throw usage(
      'Say what you want: --summary for a page to read, --json for its numbers, or -o FILE for the rows (-o - is standard output).',
    );
  if (toStdout.length > 1)
    throw usage(
      `${toStdout.join(' and ')} cannot both go to standard output. Name a file with -o, or leave one of them out.`,
    );
  if (output !== undefined && /\.(?:xlsx|json)$/i.test(output))
    throw usage(`The rows are written as CSV. Name a .csv file in place of ${output}.`);
};

const orderedScenarios = ({ scenarios }: Resolved): OrderedScenario[] =>
  scenarios.map(({ scenario, tariffs, accountParts }) => ({
    scenario,
    documents: tariffs?.documents,
    account: accountParts,
  }));

/** What the list is rated with as it is, in words. */
const factsOf = (
  { client, schedule }: Local,
  instant: Date,
): Pick<PageFacts, 'client' | 'tariffs' | 'day' | 'warehouses'> => {
  const { cards, day } = schedule.bookAt(instant);
  const inForce = new Set(cards.map(({ tariff }) => tariff));
  return {
    client: `${client.name} (${client.id})`,
    tariffs: schedule.documents.flatMap(({ file: { name, effective } }, at) =>
      inForce.has(schedule.ids[at] ?? '') ? [`${name}, from ${effective} on`] : [],
    ),
    day,
    warehouses: new Map([...client.warehouses.values()].map(({ id, name }) => [id, `${name} (${id})`])),
  };
};

/** Compares the rows and writes the output, if there is one. */
const compareFile = async (list: OpenList, asked: readonly Asked[], isForPage: boolean): Promise<Compared> => {
  const { path, file, flags, local, config, pool, progress, signal } = list;
  const { client, schedule } = local;
  const resolved = await resolvedHere(asked, local, config);
  const { columns, plan } = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
  const format = formatFrom(flags, schedule);
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
  const header = comparisonHeader(columns, format.keepFormulas, given);
  const { sums = emptySums(given.length) } = await writeOutput(list, header, rated, plan.rows);
  const summary = comparisonSummaryOf(sums, given);
  const labels = isForPage ? shownRows(summary) : new Set<number>();
  const facts = {
    ...factsOf(local, instant),
    rowLabels: await rowLabels(file, plan.chunks, columns, config.maxRowBytes, labels),
  };
  return { summary, facts, findings: [...resolved.findings, ...columns.findings] };
};

const compare = async (path: string, flags: CompareFlags, io: Io): Promise<void> => {
  requireResult(flags);
  const asked = await askedScenarios(flags.against, flags.scenarios);
  const begun = performance.now();
  const compared = await withList(path, flags, io, (list) => compareFile(list, asked, flags.summary === true));
  const { summary, findings } = compared;
  const facts = { ...compared.facts, list: path === '-' ? 'standard input' : basename(path) };
  if (flags.json === true) await printJson(io, { ...summary, findings });
  if (flags.summary === true) await write(io.stdout, `${pageLines(summary, facts).join('\n')}\n`);
  const seconds = (performance.now() - begun) / 1_000;
  const { output } = flags;
  say(
    io,
    `${counted(summary.base.rows, 'row')} as it is and in ${counted(summary.scenarios.length, 'scenario')} ` +
      `in ${seconds.toFixed(1)} s${output === undefined || output === '-' ? '' : `, in ${output}`}`,
  );
  if (flags.summary !== true) for (const scenario of summary.scenarios) say(io, headline(scenario));
  for (const text of findingLines(findings)) say(io, text);
  const unpriced = summary.base.rows - summary.base.priced;
  const isWhole = summary.scenarios.every(({ onlyBase, neither }) => onlyBase.shipments + neither === 0);
  if (unpriced > 0 || !isWhole) io.setExitCode(EXIT.faulted);
};

const EXAMPLES = `
Examples:
  rates compare shipments.csv --against "service=C1-GROUND" --summary
  rates compare shipments.csv --against "2027 rates: tariff=./tariffs/2027" --against "agreement=none" -o compared.csv
  rates compare shipments.csv --against "new contract: agreement=./drafts/ups-2027; warehouse=101|103" --summary
  rates compare shipments.csv --against "discounts=C1-GROUND 35, C2-GROUND 20; divisor=166" --json

A SPEC is \`[name:] key=value; key=value…\`. What it does not name stays as it is. The keys:
  tariff      other tariffs, also before they are in force: names, ids or folders (with a slash), with commas between
  agreement   another agreement: its name, its folder (with a slash), or none for list prices
  discounts   percent off the base charge by service, in place of agreements: C1-GROUND 35, C2-GROUND 20
  service     one service for all rows, or cheapest
  map         another service for some: C2-GROUND>C1-GROUND, C2-EXPRESS>C1-EXPRESS
  carrier     only services of this carrier
  warehouse   another origin: an id; the cheapest of several, 101|103; or of any
  ship-date   another day, YYYY-MM-DD
  divisor     the dimensional factor: 166, or by service, C1-GROUND 166
  fuel        the fuel surcharge of the list in percent: 18.5, or by service, C1-GROUND 18.5
--scenarios names a file with a list of scenarios as the API takes them. At most eight in all.`;

const repeated = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export const compareCommand = (io: Io): Command =>
  withReadingOptions(
    new Command('compare')
      .description('What a list would cost with other tariffs, agreements, services or warehouses')
      .argument('<file>', 'the list: a CSV or a workbook with a header, packed or not; - is standard input')
      .option('--against <spec>', 'a scenario, such as "all to Ground: service=C1-GROUND"; repeatable', repeated, [])
      .option('--scenarios <file>', 'a JSON file with scenarios')
      .option('-o, --output <file>', 'write each row with its prices as CSV; - is standard output')
      .option('--summary', 'print a page that says where the money moves')
      .option('--json', 'print the summary as JSON'),
  )
    .option('--client <id>', 'the client with its warehouses and discounts; default: the first of CLIENTS_FILE')
    .option('--jobs <number>', 'the number of parallel processes; default: by size and cores', jobsOption)
    .addHelpText('after', EXAMPLES)
    .action((path: string, flags: CompareFlags) => compare(path, flags, io));
