/** `rates batch`: sends a list to a service, watches the batch, and downloads the quotes. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { must } from '../../base/must.ts';
import type { Batch, Summary } from '../../http/client/client.ts';
import { command, flag, type Given, type Said, text } from '../command.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { counted, faultCounts, joinedLines, summaryLines } from '../format.ts';
import { type Io, interruption } from '../io.ts';
import type { Progress } from '../progress.ts';
import { formatNamed, ROWS_OR_JSON, requireOutput } from '../rate/output-file.ts';
import { fetchPreview, previewLines } from '../rate/preview.ts';
import {
  atService,
  type Doing,
  fetchOutput,
  remoteOf,
  SERVICE_OPTIONS,
  type ServiceFlags,
  sameService,
  withResumption,
} from '../rate/service-options.ts';
import { batchCancel, batchDownload, batchList, batchRetry, TABULAR } from './batch-commands.ts';
import { findingLines, LIST_OPTIONS, queryOf } from './list-options.ts';
import { failureOf, ofBatch, RemoteFailure, uploadList, watchBatch } from './remote.ts';

const args = {
  file: text('[file]', 'the list: a CSV, a workbook or a Parquet file with a header; - is standard input'),
};
const options = {
  output: text('-o, --output <file>', 'the output file: .csv, .xlsx or .parquet; - is standard output'),
  preview: flag('--preview', 'only show how the service reads the list: columns, first rows, repairs, an estimate'),
  watch: text('--watch <id>', 'watch and download a batch that was sent before'),
  xlsx: flag('--xlsx', 'download a workbook; ZIP codes stay text'),
  parquet: flag('--parquet', 'download a Parquet file: prices are numbers, columns of the list are text'),
  excel: flag('--excel', 'download a CSV for Excel: a byte-order mark, and the separator of the list'),
  ...SERVICE_OPTIONS,
  ...LIST_OPTIONS,
  json: flag('--json', 'print the finished batch, or the preview, as JSON'),
};
type GivenFlags = Given<typeof options>;
type BatchFlags = GivenFlags & { readonly output: string };

/** Why options conflict. */
const refuse = (given: Given<typeof args> & GivenFlags): string | false | undefined => {
  const { file, output, watch, preview, json } = given;
  if (preview)
    return (
      (file === undefined || watch !== undefined || output !== undefined) &&
      '--preview needs a file and cannot be combined with --watch or -o. It queues and writes nothing.'
    );
  if (output === undefined) return 'Name the output file with -o FILE, or use -o - for standard output.';
  if ((file === undefined) === (watch === undefined))
    return 'Name a file to send, or a batch to watch with --watch ID. Not both.';
  if (watch !== undefined && Object.keys(queryOf(given)).length > 0)
    return '--watch works only with -o, --xlsx, --parquet, --excel and --json. Options for reading a list apply when you send it.';
  return json && output === '-' && ROWS_OR_JSON;
};

/** The format that an option names. */
const askedFormat = ({ xlsx, parquet, excel }: Pick<GivenFlags, 'xlsx' | 'parquet' | 'excel'>): string | undefined =>
  xlsx ? 'xlsx' : parquet ? 'parquet' : excel && 'csv';

/** The output format as parameters of the call. */
const formOf = (flags: BatchFlags): Record<string, string> => {
  const format = askedFormat(flags) ?? formatNamed(flags.output);
  return { ...(format !== undefined && { format }), ...(flags.excel && { output: 'excel' }) };
};

const upload = async (path: string, flags: BatchFlags, { remote, patience, progress, io }: Doing): Promise<string> => {
  const found = path === '-' ? undefined : await stat(path);
  if (found?.isDirectory()) throw new CommandFailure(`${path} is a folder. Name a file.`);
  const query = { ...queryOf(flags), ...formOf(flags), ...(path !== '-' && { filename: basename(path) }) };
  const file = (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: 256 * 1024 });
  const total = found?.isFile() === true ? found.size : null;
  // Only a regular file can be read again.
  const content = path === '-' ? io.stdin : total === null ? file() : file;
  const onSent = (done: number): void => progress.show({ doing: 'uploading', done, total, unit: 'bytes' });
  return (await uploadList(remote, content, { ...patience, query, onSent })).id;
};

const STATUS_WORDS: Readonly<Record<string, string>> = {
  queued: 'waiting',
  in_progress: 'rating',
  finalizing: 'finishing',
  cancelling: 'cancelling',
};

export const showBatch =
  (progress: Progress) =>
  ({ status, rows: { total, processed: done, faulted } }: Pick<Batch, 'status' | 'rows'>): void => {
    const doing = STATUS_WORDS[status];
    if (doing !== undefined) progress.show({ doing, done, total, unit: 'rows', faulted });
  };

const unfinished = ({ id, status, failure }: Batch, flags: ServiceFlags): string => {
  const reason = failure === null ? '' : `: ${failure.message.replace(/\.$/, '')}`;
  const remedy =
    status === 'failed'
      ? `Resume it with: ${sameService(flags, ['rates', 'batch', 'retry', id])}`
      : status === 'cancelled'
        ? `Download the rated rows with: ${sameService(flags, ['rates', 'batch', 'download', id, '-o', 'FILE'])}`
        : 'Send the list again.';
  return `The batch ${id} is ${status}${reason}. ${remedy}`;
};

/** Waits until the batch ends, and downloads its output if the batch is completed. */
const finish = async (id: string, flags: BatchFlags, doing: Doing): Promise<Batch> => {
  const { remote, progress, patience } = doing;
  const batch = await watchBatch(remote, id, showBatch(progress), patience);
  if (batch.status === 'completed')
    await fetchOutput(doing, flags.output, () => remote.download(id, 'output', formOf(flags), patience));
  return batch;
};

const reportLines = (
  batch: Batch,
  summary: Summary | RemoteFailure,
  seconds: number,
  flags: BatchFlags,
): readonly string[] => {
  const { id, rows, faults, findings } = batch;
  const words = ['rates', 'batch', 'download', id, 'faults', '-o', 'faults.csv'];
  return [
    `Batch ${id}: ${counted(rows.processed, 'row')} in ${seconds.toFixed(1)} s: ${counted(rows.quoted, 'quote')}, ` +
      `${counted(rows.faulted, 'fault')}${flags.output === '-' ? '' : `, in ${flags.output}`}`,
    ...joinedLines(rows.joined),
    ...faultCounts(faults),
    ...(summary instanceof RemoteFailure
      ? [`The total and the number of rows with warnings are unknown: ${summary.message}`]
      : summaryLines(summary)),
    ...findingLines(findings),
    ...(rows.faulted > 0 ? [`Only the rows with faults: ${sameService(flags, words)}`] : []),
  ];
};

const rateThere = async (path: string | undefined, flags: BatchFlags, doing: Doing): Promise<Said> => {
  const { remote } = doing;
  const begun = performance.now();
  let id = flags.watch;
  try {
    id ??= await upload(must(path, 'the file to send'), flags, doing);
    const done = await ofBatch(remote, id, finish(id, flags, doing));
    if (done.status !== 'completed') return { json: () => done, notes: [unfinished(done, flags)], exit: EXIT.failed };
    // The output is already downloaded, so a failure is only reported.
    const summary = await remote.summary(id).catch(failureOf);
    const { allServices } = summary instanceof RemoteFailure ? {} : summary;
    return {
      json: () => ({ ...done, ...(allServices && { allServices }) }),
      notes: reportLines(done, summary, (performance.now() - begun) / 1_000, flags),
      exit: done.rows.faulted > 0 ? EXIT.faulted : EXIT.done,
    };
  } catch (error) {
    const forms = (['xlsx', 'parquet', 'excel'] as const).filter((form) => flags[form]).map((form) => `--${form}`);
    throw withResumption(error, id, flags, doing, {
      ...{ thing: 'batch', begun: 'the upload. Send the list again', verb: 'Watch and download' },
      words: (known) => ['rates', 'batch', '--watch', known, ...forms],
      isKnown: flags.watch !== undefined,
    });
  }
};

const preview = async (path: string, flags: GivenFlags, io: Io): Promise<Said> => {
  const remote = await remoteOf(flags, io.env, interruption());
  const seen = await fetchPreview(path, queryOf(flags), remote, { io });
  return {
    json: () => seen,
    lines: () => previewLines(seen),
    exit: seen.faulted > 0 ? EXIT.faulted : EXIT.done,
  };
};

export const batchCommands = [
  command({
    path: 'batch',
    about: 'Send a list of shipments to a service and download the quotes',
    args,
    options,
    examples: [
      'rates batch shipments.csv -o quoted.csv',
      'rates batch shipments.xlsx -o quoted.xlsx --repair all',
      'rates batch shipments.csv --preview --repair zip',
      'rates batch - -o - --units KG < shipments.csv > quoted.csv',
      'rates batch --watch b0mfw3k7q… -o quoted.csv',
      'rates batch list',
      'rates batch download b0mfw3k7q… faults -o faults.csv',
    ],
    more: `--xlsx, --parquet and --excel must fit the ending of -o. They are for standard output and for names without an ending.
If the connection breaks, a file is sent again without creating a second batch. Standard input cannot be sent again.
The command waits up to ten minutes for a service that does not answer. After Ctrl-C the batch continues, and the command
says how to watch it again. For a file that is named list, cancel, retry or download, write ./list.`,
    excludes: { xlsx: ['parquet', 'excel'], parquet: ['excel'] },
    refuse,
    run: async ({ file, output = '', ...flags }, io) => {
      if (flags.preview) return await preview(must(file, 'the file to send'), { ...flags, output }, io);
      const asked = askedFormat(flags);
      await requireOutput(output, file, asked === undefined ? TABULAR : [asked]);
      return await atService(flags, io, (doing) => rateThere(file, { ...flags, output }, doing));
    },
  }),
  ...[batchList, batchCancel, batchRetry, batchDownload],
];
