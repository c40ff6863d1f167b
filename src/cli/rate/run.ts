/** `rates run`: rates a list without a server or Redis. The output is byte-for-byte equal to a batch's. */
import { withoutPause } from '../../base/time-slices.ts';
import { booksOf } from '../../catalog/tariff/schedule.ts';
import type { Finding } from '../../lists/columns/findings.ts';
import { addedColumns, fitted, formatOf, withWarehouses } from '../../lists/output/output-format.ts';
import { summaryOf } from '../../lists/output/summary.ts';
import type { Tally } from '../../lists/output/tally.ts';
import { outputHeaderBytes } from '../../lists/rows/rate-rows.ts';
import { findingLines, LIST_OPTIONS, readOptionsFrom } from '../batch/list-options.ts';
import { command, flag, required } from '../command.ts';
import { EXIT } from '../exit.ts';
import { counted, faultCounts, joinedLines, summaryLines } from '../format.ts';
import { ROWS_OR_JSON } from './output-file.ts';
import { planFile, type RowContext, rateHere, raterFor, unusable } from './rate-file.ts';
import { type OpenList, RATE_OPTIONS, withList, writeOutput } from './rate-list.ts';

/** The sums of a list, and findings about its columns. */
interface Ran {
  readonly tally: Tally;
  readonly findings: readonly Finding[];
}

const reportLines = ({ tally, findings }: Ran, seconds: number, output: string): readonly string[] => {
  const pace = Math.round(tally.processed / seconds);
  return [
    `${counted(tally.processed, 'row')} in ${seconds.toFixed(1)} s (${counted(pace, 'row')} per second): ` +
      `${counted(tally.quoted, 'quote')}, ${counted(tally.faulted, 'fault')}${output === '-' ? '' : `, in ${output}`}`,
    ...joinedLines(tally.joined),
    ...faultCounts(tally.faults),
    ...summaryLines(summaryOf(tally)),
    ...findingLines(findings),
  ];
};

/** Plans the list, rates it and writes the output. */
const rateFile = async (list: OpenList): Promise<Ran> => {
  const { path, file, flags, local, config, pool, progress, signal } = list;
  const { client, schedule } = local;
  const planned = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
  const { chunks, rows } = planned.plan;
  const format = withWarehouses(formatOf(flags, schedule), planned.plan.shipFrom, client);
  if ('problems' in format) throw unusable(format.problems);
  const columns = withoutPause(fitted(planned.columns, format));
  const { warehouses, discounts, agreements, account } = client;
  const context: RowContext = { columns, format, maximumRowBytes: config.maxRowBytes };
  const instant = new Date();
  const parts = { warehouses, discounts, agreements };
  pool?.order({ kind: 'order', path, documents: schedule.documents, instant, context, shipper: parts });
  const bookOn = booksOf(schedule, instant);
  const rated =
    pool?.rate(chunks) ??
    rateHere(file, chunks, raterFor({ ...context, shipper: { warehouses, account }, bookOn }), signal);
  const described = { own: columns.passed.length, added: addedColumns(columns, format), isComparison: false };
  const { tally } = await writeOutput(list, outputHeaderBytes(columns, format), rated, rows, described);
  return { tally, findings: columns.findings };
};

export const run = command({
  path: 'run',
  about: 'Rate a list of shipments without a server or Redis',
  args: {
    file: required(
      '<file>',
      'the list: a CSV, a workbook or a Parquet file with a header, compressed or not; - is standard input',
    ),
  },
  options: {
    output: required('-o, --output <file>', 'the output file: .csv or .parquet; - is standard output'),
    ...LIST_OPTIONS,
    ...RATE_OPTIONS,
    json: flag('--json', 'print counts and spend as JSON'),
  },
  examples: [
    'rates run shipments.csv -o quoted.csv',
    'rates run shipments.xlsx -o quoted.csv --repair zip --all-services',
    'rates run shipments.parquet -o quoted.parquet',
    'rates run - -o - --units LB --warehouse 101 < shipments.csv > quoted.csv',
  ],
  more: 'Standard input, compressed lists (.xlsx, .parquet, .zip, .gz) and lists in other encodings are first copied to a temporary file in TMPDIR.',
  refuse: ({ json, output }) => json && output === '-' && ROWS_OR_JSON,
  run: async ({ file, ...flags }, io) => {
    const begun = performance.now();
    const ran = await withList(file, flags, io, rateFile);
    const { tally, findings } = ran;
    return {
      json: () => ({ ...summaryOf(tally), findings }),
      notes: reportLines(ran, (performance.now() - begun) / 1_000, flags.output),
      exit: tally.faulted > 0 ? EXIT.faulted : EXIT.done,
    };
  },
});
