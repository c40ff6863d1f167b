/** `rates batch cancel`, `retry` and `download`: actions on a batch that was sent earlier. */
import { z } from 'zod';
import { isFinal } from '../../batch/status.ts';
import type { Batch, BatchFile, BatchPage } from '../../http/client/client.ts';
import { keysOf } from '../../rating/fields.ts';
import { command, flag, type Given, input, required, wholeNumber } from '../command.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { count, counted, dollarsText, table } from '../format.ts';
import { interruption } from '../io.ts';
import { formatNamed, requireOutput } from '../rate/output-file.ts';
import { atService, fetchOutput, remoteOf, SERVICE_OPTIONS, sameService } from '../rate/service-options.ts';
import { failureOf, ofBatch, type Remote, RemoteFailure } from './remote.ts';

/* `rates batch list`: a client's batches at a service, newest first, with dates and totals. */

/** A batch and the total of its quoted rows. Null if it has not ended, or its summary is gone. */
type Priced = Batch & { readonly totalNetCharge: number | null };

const PAGE = 100;
const MOST = 1_000;
/** The number of summaries to request at a time. A client may make 32 reads at a time. */
const AT_ONCE = 8;

/** The newest batches, and whether there are more. */
const newest = async (remote: Remote, limit: number) => {
  const batches: Batch[] = [];
  let cursor: string | null = null;
  do {
    const limited = String(Math.min(PAGE, limit - batches.length));
    const page: BatchPage = await remote.batches({ limit: limited, ...(cursor !== null && { cursor }) });
    batches.push(...page.batches);
    cursor = page.next;
  } while (cursor !== null && batches.length < limit);
  return { batches, hasMore: cursor !== null };
};

const priced = async (batch: Batch, remote: Remote): Promise<Priced | RemoteFailure> => {
  if (!isFinal(batch.status)) return { ...batch, totalNetCharge: null };
  const summary = await remote.summary(batch.id).catch(failureOf);
  if (!(summary instanceof RemoteFailure)) return { ...batch, totalNetCharge: summary.totalNetCharge };
  // It was removed after it was listed, or it failed before it had a summary.
  const isGone = summary.fault.type === 'request.notFound' || summary.fault.type === 'batches.notReady';
  return isGone ? { ...batch, totalNetCharge: null } : summary;
};

/** Keeps the order. @throws {RemoteFailure} if a summary is unavailable */
const allPriced = async (batches: readonly Batch[], remote: Remote): Promise<readonly Priced[]> => {
  const found: Priced[] = [];
  for (let from = 0; from < batches.length; from += AT_ONCE) {
    const some = await Promise.all(batches.slice(from, from + AT_ONCE).map((batch) => priced(batch, remote)));
    for (const one of some) {
      if (one instanceof RemoteFailure) throw one;
      found.push(one);
    }
  }
  return found;
};

/** `2026-11-23 14:05`, in local time. */
const timeText = (instant: string): string => {
  const at = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

const cellsOf = ({ id, createdAt, status, rows, totalNetCharge, filename }: Priced): readonly string[] => [
  id,
  timeText(createdAt),
  status,
  rows.total === null ? '-' : count(rows.total),
  count(rows.faulted),
  totalNetCharge === null ? '-' : dollarsText(totalNetCharge),
  filename,
];

export const batchList = command({
  path: 'batch list',
  about: "List the client's batches, newest first, with their dates and totals",
  options: {
    limit: input('--limit <number>', `how many, at most ${MOST}`, wholeNumber(1, MOST).default(20)),
    ...SERVICE_OPTIONS,
    json: flag('--json', 'as JSON'),
  },
  examples: [
    'rates batch list',
    'rates batch list --limit 100 --json',
    'rates batch list --server http://127.0.0.1:3000 --client-id demo',
  ],
  more: 'The total covers the quoted rows. A batch that has not ended has no total. Times are in the local time zone.',
  run: async ({ limit, ...flags }, io) => {
    const remote = await remoteOf(flags, io.env, interruption());
    const { batches, hasMore } = await newest(remote, limit);
    const found = await allPriced(batches, remote);
    const header = ['batch', 'created', 'status', 'rows', 'faults', 'total', 'file'];
    const more = `There are more. --limit shows up to ${count(MOST)}.`;
    const isEmpty = found.length === 0;
    return {
      json: () => ({ batches: found }),
      lines: () =>
        isEmpty
          ? []
          : table([header, ...found.map(cellsOf)], ['left', 'left', 'left', 'right', 'right', 'right', 'left']),
      remarks: () => (isEmpty ? [`${remote.clientId} has no batches at ${remote.server}.`] : []),
      notes: hasMore ? [more] : [],
    };
  },
});

const ID = required('<id>', 'the id that `rates batch list` shows');

/** A command that posts to a batch, and prints the next step. */
const changing = (
  what: 'cancel' | 'retry',
  about: string,
  more: string,
  next: (batch: Batch, same: (...words: string[]) => string) => string,
) =>
  command({
    path: `batch ${what}`,
    about,
    args: { id: ID },
    options: { ...SERVICE_OPTIONS, json: flag('--json', 'print the batch as JSON') },
    examples: [`rates batch ${what} b0mfw3k7q…`],
    more,
    run: async ({ id, ...flags }, { env }) => {
      const remote = await remoteOf(flags, env, interruption());
      const batch = await ofBatch(remote, id, remote[what](id));
      const same = (...words: string[]): string => sameService(flags, ['rates', 'batch', ...words]);
      return { json: () => batch, notes: [next({ ...batch, id }, same)] };
    },
  });

export const batchCancel = changing(
  'cancel',
  'Cancel a batch; rated rows stay',
  'You can download the rated rows.',
  ({ id, status, rows }, same) =>
    `The batch ${id} is ${status}, with ${counted(rows.processed, 'row')} rated. Rated rows stay: ` +
    same('download', id, '-o', 'FILE'),
);

export const batchRetry = changing(
  'retry',
  'Resume a failed batch',
  'Only what is missing is rated.',
  ({ id, status }, same) => `The batch ${id} is ${status} again. Watch it with: ${same('--watch', id, '-o', 'FILE')}`,
);

/** The formats of files with rated rows. */
export const TABULAR = ['csv', 'xlsx', 'parquet'];
/** The files of a batch in words, and the formats of each. Unprocessed rows are as in the list. */
const FILES = {
  output: { words: 'the output', formats: TABULAR },
  faults: { words: 'the rows with faults', formats: TABULAR },
  unprocessed: { words: 'the unprocessed rows', formats: ['csv', 'tsv'] },
  summary: { words: 'the summary', formats: ['json'] },
} satisfies Readonly<Record<BatchFile, { readonly words: string; readonly formats: readonly string[] }>>;

/** The parameters of a download, by option. */
const FORMS = {
  csv: { format: 'csv', output: 'plain' },
  excel: { format: 'csv', output: 'excel' },
  xlsx: { format: 'xlsx' },
  parquet: { format: 'parquet' },
} as const;

const args = {
  id: ID,
  file: input('[what]', 'what to download', z.enum(keysOf(FILES)).default('output')),
};
const options = {
  output: required('-o, --output <file>', 'the output file; its ending chooses the format; - is standard output'),
  format: input(
    '--format <format>',
    'must fit the ending of -o; default: by the ending, or as requested when it was sent',
    z.enum(keysOf(FORMS)).optional(),
  ),
  partial: flag('--partial', 'for a batch that has not ended: the rated rows from the top'),
  revision: input(
    '--revision <number>',
    'a revision before the last corrections',
    wholeNumber(1, 999_999_999, 'must be a whole number from 1').optional(),
  ),
  ...SERVICE_OPTIONS,
};
type Download = Given<typeof args> & Given<typeof options>;

/** Why the options do not suit the file. */
const refuse = ({ file, format, partial, revision }: Download): string | false => {
  if (format !== undefined && FILES[file].formats !== TABULAR) return '--format is only for the output and the faults.';
  if (partial && file !== 'output') return '--partial is only for the output.';
  return revision !== undefined && file === 'unprocessed' && '--revision is not for unprocessed rows.';
};

const formOf = ({
  file,
  format,
  output,
}: Pick<Download, 'file' | 'format' | 'output'>): Readonly<Record<string, string>> => {
  if (format !== undefined) return FORMS[format];
  const named = formatNamed(output);
  return named === undefined || FILES[file].formats !== TABULAR ? {} : { format: named };
};

const queryOf = ({ partial, revision, ...rest }: Download): Readonly<Record<string, string>> => ({
  ...formOf(rest),
  ...(partial && { partial: 'true' }),
  ...(revision === undefined ? {} : { revision: String(revision) }),
});

export const batchDownload = command({
  path: 'batch download',
  about: 'Download the output of a batch, its faults, its unprocessed rows or its summary',
  args,
  options,
  examples: [
    'rates batch download b0mfw3k7q… -o quoted.csv',
    'rates batch download b0mfw3k7q… faults -o faults.xlsx',
    'rates batch download b0mfw3k7q… summary -o -',
    'rates batch download b0mfw3k7q… unprocessed -o rest.csv',
  ],
  more: `output has the quotes, faults the rows that have a fault, unprocessed the rows of the list that a cancelled or failed batch has
not rated, and summary the counts and totals as JSON. excel is a CSV with a byte-order mark and the separator of the list.`,
  refuse,
  run: async (given, io) => {
    const { id, file, output, format } = given;
    await requireOutput(output, undefined, format === undefined ? FILES[file].formats : [FORMS[format].format]);
    await atService(given, io, async (doing) => {
      const { remote, patience } = doing;
      try {
        const ask = (): Promise<Response> => remote.download(id, file, queryOf(given), patience);
        await ofBatch(remote, id, fetchOutput(doing, output, ask));
      } catch (error) {
        if (!patience.signal.aborted) throw error;
        const what = output === '-' ? 'The output is incomplete.' : `Nothing was written to ${output}.`;
        throw new CommandFailure(`Interrupted. ${what}`, EXIT.interrupted, { cause: error });
      }
    });
    return { notes: output === '-' ? [] : [`Wrote ${FILES[file].words} of batch ${id} to ${output}.`] };
  },
});
