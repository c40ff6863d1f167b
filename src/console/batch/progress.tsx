/**
 * Follows a batch or a comparison while it runs: through its events, or with polls while none arrive. Shows its progress: rows
 * done, smoothed pace, time left.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pause, type Waiting } from '../../http/client/caller.ts';
import type { ApiFault } from '../../http/client/fault.ts';
import { type Api, asFault, keepAsking, useApi, useCall, useEvery } from '../api.ts';
import type { Batch } from '../calls.ts';
import { hasEnded, type Noun } from '../ui/batch-state.tsx';
import { Figures } from '../ui/charts.tsx';
import { Progress } from '../ui/feedback.tsx';
import { aboutTime, clock, count, counted, duration, percent } from '../ui/format.ts';

/** The members that batches and comparisons share. */
export type Running = Pick<
  Batch,
  'id' | 'status' | 'outcome' | 'revision' | 'rows' | 'filename' | 'failure' | 'createdAt' | 'expiresAt'
>;

const POLL_MS = 2_000;

export const secondsOf = ({ startedAt, completedAt }: Pick<Batch, 'startedAt' | 'completedAt'>): number =>
  startedAt === null || completedAt === null ? 0 : (Date.parse(completedAt) - Date.parse(startedAt)) / 1_000;

/** How to watch and load something. */
export interface Source<T> {
  readonly events: (api: Api, id: string, waiting: Waiting) => AsyncGenerator<T, void, undefined>;
  readonly load: (api: Api, id: string, waiting: Waiting) => Promise<T>;
}

/** The states of the batch or comparison, until it has ended. @param onLost called when the service does not answer */
async function* statesOf<T extends Pick<Batch, 'status'>>(
  api: Api,
  { events, load }: Source<T>,
  id: string,
  signal: AbortSignal,
  onLost: () => void,
): AsyncGenerator<T, void, undefined> {
  for (;;) {
    try {
      yield* events(api, id, { signal, patienceMs: 0 });
      return;
    } catch {
      signal.throwIfAborted();
    }
    const now = await load(api, id, { signal, patienceMs: Number.POSITIVE_INFINITY, onRetry: onLost });
    yield now;
    if (hasEnded(now)) return;
    await pause(POLL_MS, signal);
  }
}

/**
 * @returns the last known state; why watching has ended, and `again`, which watches again; `lost` while there is no connection;
 * `take`, which shows the state that a call returned, and watches it
 */
export const useWatched = <T extends Pick<Batch, 'status'>>(what: Source<T>, id: string) => {
  const api = useApi();
  const [batch, setBatch] = useState<T>();
  const [fault, setFault] = useState<ApiFault>();
  const [lost, setLost] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const enough = keepAsking();
    const follow = async (): Promise<void> => {
      for await (const state of statesOf(api, what, id, signal, () => setLost(true))) {
        setBatch(state);
        setLost(false);
      }
    };
    follow()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // Removes the message that the page is trying again.
        setLost(false);
        setFault(asFault(error));
      })
      .finally(enough);
    return () => leaving.abort();
  }, [api, what, id, turn]);
  const again = (): void => {
    setFault(undefined);
    setTurn((before) => before + 1);
  };
  const take = (answered: T): void => {
    setBatch(answered);
    again();
  };
  return { batch, fault, lost, take, again };
};

const ANNOUNCED_MS = 5_000;

const DOING: Readonly<Partial<Record<Batch['status'], string>>> = {
  queued: 'Most lists begin within a minute. Otherwise, ask the operator of this service. You can close this page.',
  validating: 'Reading the list.',
  finalizing: 'All rows are done. Writing the output.',
  cancelling: 'Cancelling. Finished rows are kept.',
};

const doingOf = ({ status, revision }: Running, noun: string): string =>
  DOING[status] ??
  (revision > 1
    ? 'Quoting the corrected rows. Until then, you see the previous revision.'
    : `You can close this page. The ${noun} continues.`);

/** How long it has waited, what else of the client is not done, and how long the rating will take. */
const Waited = ({ batch: { id, createdAt, rows }, noun }: Pick<BatchProgressProps, 'batch' | 'noun'>) => {
  const { data, reload } = useCall('GET /v1/client/shipment/rates/batches', { query: { limit: '100' } });
  useEvery(ANNOUNCED_MS, true, reload);
  if (data === undefined) return null;
  const others = data.batches.filter((other) => other.id !== id && !hasEnded(other));
  const left = others.reduce((sum, other) => sum + (other.rows.total ?? 0) - other.rows.processed, 0);
  const last = noun === 'batch' && data.batches.find((one) => one.status === 'completed' && one.revision === 1);
  const takes = last && aboutTime((secondsOf(last) * (rows.total ?? 0)) / last.rows.processed);
  return (
    <Figures
      of={[
        ['Waiting', duration((Date.now() - Date.parse(createdAt)) / 1_000), `since ${clock(createdAt)}`],
        ...(others.length === 0
          ? []
          : [['Your other lists', count(others.length), `not done, ${counted(left, 'row')} left`] as const]),
        ['Then it takes', takes || '–', last ? `at the pace of ${last.filename}` : 'known after the first rows'],
      ]}
    />
  );
};

interface BatchProgressProps {
  readonly batch: Running;
  readonly noun: Noun;
  readonly lost: boolean;
  readonly children: ComponentChildren;
}

export const BatchProgress = ({ batch, noun, lost, children }: BatchProgressProps) => {
  const { rows, status, revision } = batch;
  const total = rows.total ?? 0;
  const shipments = rows.processed - (rows.joined ?? 0);
  const pace = usePace(rows.processed, !hasEnded(batch));
  const left = pace === undefined || pace < 1 ? undefined : (total - rows.processed) / pace;
  const share = percent(rows.processed, total);
  /** The text for screen readers, which changes only every few seconds. */
  const [announced, setAnnounced] = useState('');
  useEvery(ANNOUNCED_MS, true, () => setAnnounced(`${share} done, ${count(rows.processed)} of ${count(total)} rows.`));
  const title = `${share} · ${batch.filename}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <section class="panel" aria-labelledby="progress">
      <div class="split">
        <h2 id="progress">
          {count(rows.processed)} of {count(total)} rows
        </h2>
        <span class="big">{share}</span>
      </div>
      <Progress label="Rows done" value={rows.processed} max={total} />
      {status === 'queued' ? (
        revision === 1 && <Waited batch={batch} noun={noun} />
      ) : (
        <Figures
          of={[
            ['Time left', left === undefined || status !== 'in_progress' ? '–' : duration(left), 'at this pace'],
            ['Rows per second', pace === undefined ? '–' : count(Math.round(pace)), 'in the last few seconds'],
            ['Priced', count(rows.quoted), percent(rows.quoted, shipments)],
            ['Problems', count(rows.faulted), percent(rows.faulted, shipments)],
          ]}
        />
      )}
      <div class="split">
        <p class={lost ? 'hint tone warn' : 'hint'} role={lost ? 'alert' : undefined}>
          {lost ? `Connection lost. Trying again. The ${noun} continues.` : doingOf(batch, noun)}
        </p>
        {children}
      </div>
      <p class="visually-hidden" role="status">
        {announced}
      </p>
    </section>
  );
};

const SAMPLE_MS = 1_000;
/** The time constant of the smoothing. */
const MEMORY_S = 6;

/**
 * The pace of a batch, smoothed so that people can read it.
 * @param processed finished rows
 * @param running measures only while true
 * @returns rows per second, or undefined if not known yet
 */
const usePace = (processed: number, running: boolean): number | undefined => {
  const now = useRef(processed);
  now.current = processed;
  const [pace, setPace] = useState<number>();
  useEffect(() => {
    setPace(undefined);
    if (!running) return undefined;
    let [rows, at] = [now.current, performance.now()];
    const sample = (): void => {
      const seconds = (performance.now() - at) / 1_000;
      const fresh = Math.max(0, now.current - rows) / seconds;
      [rows, at] = [now.current, performance.now()];
      setPace((before) => {
        if (before === undefined) return fresh === 0 ? undefined : fresh;
        return before + (fresh - before) * (1 - Math.exp(-seconds / MEMORY_S));
      });
    };
    const timer = setInterval(sample, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [running]);
  return pace;
};
