/** The progress of a running batch: rows done, smoothed pace, time left. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Batch } from '../calls.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { Figures } from '../ui/charts.tsx';
import { Progress } from '../ui/feedback.tsx';
import { count, duration, percent } from '../ui/format.ts';

const ANNOUNCED_MS = 5_000;

/** The text for screen readers, which changes only every few seconds. */
const useAnnouncement = (text: string): string => {
  const latest = useRef(text);
  latest.current = text;
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(latest.current), ANNOUNCED_MS);
    return () => clearInterval(timer);
  }, []);
  return announced;
};

const DOING: Readonly<Partial<Record<Batch['status'], string>>> = {
  queued: 'Waiting for its turn.',
  validating: 'Reading the list.',
  finalizing: 'All rows are done. Writing the output.',
  cancelling: 'Cancelling. Finished rows are kept.',
};

const doingOf = ({ status, revision }: Running, noun: string): string =>
  DOING[status] ??
  (revision > 1
    ? 'Quoting the corrected rows. Until then, you see the previous revision.'
    : `You can close this page. The ${noun} continues.`);

type Running = Pick<Batch, 'status' | 'revision' | 'rows' | 'filename'>;

interface BatchProgressProps {
  readonly batch: Running;
  readonly noun?: string;
  readonly lost: boolean;
  readonly children: ComponentChildren;
}

export const BatchProgress = ({ batch, noun = 'batch', lost, children }: BatchProgressProps) => {
  const { rows, status } = batch;
  const total = rows.total ?? 0;
  const shipments = rows.processed - (rows.joined ?? 0);
  const pace = usePace(rows.processed, !hasEnded(batch));
  const left = pace === undefined || pace < 1 ? undefined : (total - rows.processed) / pace;
  const share = percent(rows.processed, total);
  const announced = useAnnouncement(`${share} done, ${count(rows.processed)} of ${count(total)} rows.`);
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
      <Figures
        figures={[
          {
            label: 'Rows per second',
            value: pace === undefined ? '–' : count(Math.round(pace)),
            note: 'in the last few seconds',
          },
          {
            label: 'Time left',
            value: left === undefined || status !== 'in_progress' ? '–' : duration(left),
            note: 'at this pace',
          },
          { label: 'With a price', value: count(rows.quoted), note: percent(rows.quoted, shipments) },
          { label: 'With a problem', value: count(rows.faulted), note: percent(rows.faulted, shipments) },
        ]}
      />
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
