/** `rates batch list`: a client's batches at a service, newest first, with dates and totals. */
import { isFinal } from '../../batch/status.ts';
import type { Batch, BatchPage } from '../../http/client/client.ts';
import { command, flag, input, wholeNumber } from '../command.ts';
import { count, dollarsText, table } from '../format.ts';
import { interruption } from '../io.ts';
import { remoteOf, SERVICE_OPTIONS } from '../rate/service-options.ts';
import { failureOf, type Remote, RemoteFailure } from './remote.ts';

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
    const more = `There are more than these ${count(found.length)}. --limit shows up to ${count(MOST)}.`;
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
