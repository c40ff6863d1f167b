/** The sections of the health page: parts, queues, fuel, batches, storage, and the errors of the last day. */

import { groupsOf } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import type { HealthBody } from '../../calls.ts';
import { Mark } from '../../ui/batch-state.tsx';
import { type Figure, Figures } from '../../ui/charts.tsx';
import { Folded } from '../../ui/feedback.tsx';
import { bytes, capital, count, counted, duration, instant, percent } from '../../ui/format.ts';
import { Panel, Rows } from '../../ui/kit.tsx';
import type { Col, TableProps } from '../../ui/table.tsx';
import { clientHref } from '../part.tsx';
import { type Concern, errorsIn, isNearlyFull, isStuck, partName, type SurveyBody } from './judge.ts';

interface PartsProps extends Pick<HealthBody, 'readiness' | 'space' | 'work'> {
  readonly concerns: readonly Concern[];
}

/** A part is red only if a concern says why. */
const Parts = ({ readiness, space, work, concerns }: PartsProps) => {
  const parts = readiness.map(({ part, problem }) => ({
    ...{ name: partName(part), isThere: problem === null },
    note: part === 'store' && space !== null ? `${bytes(space.free)} free` : '',
  }));
  return (
    <ul class="plain row">
      {[...parts, ...(work === null ? [] : [{ name: 'Workers', isThere: true, note: '' }])].map(
        ({ name, isThere, note }) => {
          const isBad = concerns.some(({ part }) => part === name);
          return (
            <li key={name} class="state">
              <Mark kind={isBad ? 'bad' : isThere ? 'good' : 'none'} />
              <span>
                <span>
                  {name}
                  <span class="visually-hidden">{isBad ? ': trouble' : isThere ? ': in order' : ': none yet'}</span>
                </span>{' '}
                {note === '' ? null : <span class="hint">{note}</span>}
              </span>
            </li>
          );
        },
      )}
    </ul>
  );
};

type Work = NonNullable<HealthBody['work']>;

const figuresOf = ({ queues, workers, quotes }: Work): readonly Figure[] => {
  const sum = (state: 'waiting' | 'active'): number => queues.reduce((total, queue) => total + queue[state], 0);
  const { quoted, faulted, refused } = quotes;
  return [
    ['Quotes', count(quoted), 'priced in the last hour'],
    ['Not priced', count(faulted + refused), `${count(faulted)} with a problem, ${count(refused)} refused`],
    ['Workers', count(workers.count), workers.count === 1 ? 'process alive' : 'processes alive'],
    ['Running jobs', count(sum('active')), `${count(sum('waiting'))} waiting`],
  ];
};

const QUEUE_NAMES: Readonly<Record<string, string>> = { chunk: 'Rating', assemble: 'Finishing', webhook: 'Webhooks' };

const busyIn = ({ queues }: Work) => queues.filter(({ waiting, active, delayed }) => waiting + active + delayed > 0);

/** The parts that work, the workers, and the queues with jobs. */
export const Running = ({ work, ...props }: PartsProps) => (
  <section class="panel" aria-label="Parts and queues">
    <Parts {...props} work={work} />
    {work === null ? null : busyIn(work).length + Object.values(work.quotes).reduce((sum, own) => sum + own) === 0 ? (
      <p>No quotes in the last hour, and no jobs.</p>
    ) : (
      <div class="cols health-columns">
        <Figures of={figuresOf(work)} />
        <Rows
          caption="Jobs by queue"
          dense
          of={busyIn(work)}
          keyOf={({ queue }) => queue}
          cols={[
            ['Queue', ({ queue }) => QUEUE_NAMES[queue] ?? queue, 'head'],
            ['Waiting', ({ waiting }) => count(waiting), 'number'],
            ['Running', ({ active }) => count(active), 'number'],
            work.queues.some(({ delayed }) => delayed > 0) && ['Retrying', ({ delayed }) => count(delayed), 'number'],
          ]}
        />
      </div>
    )}
    <Folded title="What is counted" box="stack small">
      <p class="hint">
        The process that sent this page checks the parts. Quotes are those of all API processes. Refused: answered
        before pricing, for example because a limit was reached. Retrying: an attempt failed, and the next one is due
        later. What happened while Redis was unavailable may be missing here. The log has all of it. Workers count
        batches and storage every minute
        {work?.survey == null ? '' : `, last ${duration(work.survey.secondsAgo)} ago`}.
      </p>
    </Folded>
  </section>
);

interface CountedProps<Row> extends Pick<TableProps<Row>, 'caption' | 'cols' | 'keyOf'> {
  readonly id?: string;
  readonly title: string;
  readonly of: readonly Row[];
  /** The number of rows that are left out, and what one is. */
  readonly omitted: readonly [rows: number, one: string, many?: string];
}

const Counted = <Row,>({ id, title, omitted: [rows, one, many], ...table }: CountedProps<Row>) =>
  table.of.length === 0 ? null : (
    <Panel id={id} title={title}>
      <Rows cards {...table} />
      {rows === 0 ? null : <p class="hint">{counted(rows, one, many)}</p>}
    </Panel>
  );

/** A client's name, and its id if they differ. */
const ClientName = ({ clientId, name }: { readonly clientId: string; readonly name: string | null }) => (
  <>
    {name === null ? clientId : <a href={clientHref(clientId)}>{name}</a>}{' '}
    <span class="hint">{name === null ? 'no longer a client' : name === clientId ? '' : clientId}</span>
  </>
);

type UnfinishedRow = SurveyBody['unfinished'][number];

const counts = (row: UnfinishedRow, status: string): string => count(row.counts[status] ?? 0);

const UNFINISHED: readonly Col<UnfinishedRow>[] = [
  ['Client', ClientName, 'head'],
  ['Waiting', (row) => counts(row, 'queued'), 'number'],
  ['Rating', (row) => counts(row, 'in_progress'), 'number'],
  ['Finishing', (row) => counts(row, 'finalizing'), 'number'],
  ['Cancelling', (row) => counts(row, 'cancelling'), 'number'],
  [
    'Longest without progress',
    ({ oldest }) => (
      <>
        {isStuck(oldest) ? <Mark kind="bad" /> : null} {duration(oldest.seconds)}
      </>
    ),
    'number',
  ],
  ['Its batch', ({ oldest }) => <code>{oldest.id}</code>],
];

type UseRow = SurveyBody['use'][number];

const STORAGE: readonly Col<UseRow>[] = [
  ['Client', ClientName, 'head'],
  ['Of its limit', ({ bytesStored, mostStored }) => percent(bytesStored, mostStored), 'number'],
  [
    'Stored',
    (row) => (
      <>
        {isNearlyFull(row) ? <Mark kind="warn" /> : null} {bytes(row.bytesStored)}
      </>
    ),
    'number',
  ],
  ['At most', ({ mostStored }) => bytes(mostStored), 'number'],
  ['In progress', ({ bytesInFlight }) => bytes(bytesInFlight), 'number'],
];

type Failure = SurveyBody['failures'][number];

const FAILURES: readonly Col<Failure>[] = [
  ['When', ({ at }) => <span class="nowrap">{instant(at)}</span>],
  ['Client', ClientName, 'head'],
  ['Batch', ({ id }) => <code>{id}</code>],
  ['Why', ({ message }) => <span class="roomy">{message}</span>],
];

type Errors = Work['errors'];
type Line = Errors['entries'][number];

const keyOf = ({ process, message, error }: Line): string => JSON.stringify([process, message, error]);

/** The newest of similar lines from one kind of process, with their number. The group with the newest line comes first. */
const newestIn = ({ entries }: Errors): readonly Line[] =>
  groupsOf(entries, keyOf).map((own) => ({ ...must(own[0], 'a line'), count: errorsIn({ entries: own }) }));

const LINES: readonly Col<Line>[] = [
  ['Last', ({ at }) => <span class="nowrap">{instant(at)}</span>],
  ['Process', ({ process }) => process],
  [
    'What',
    ({ message, error, batchId, requestId }) => (
      <>
        <span class="roomy">{capital(message)}</span>
        {error === null ? null : <span class="sub anywhere">{error}</span>}
        {Object.entries({ batch: batchId, request: requestId }).map(([what, id]) =>
          id === null ? null : (
            <span key={what} class="sub anywhere">
              {what} <code>{id}</code>
            </span>
          ),
        )}
      </>
    ),
    'head',
  ],
  ['Times', ({ count: times }) => count(times), 'number'],
];

export const ErrorLines = ({ errors }: { readonly errors: Errors }) => {
  const oldest = errors.entries.at(-1);
  if (oldest === undefined) return null;
  const rest = errors.full ? ` Only the newest 500 are kept, from ${instant(oldest.at)} on.` : '';
  return (
    <Panel
      id="logs"
      title="Errors in the logs of the last day"
      lead={`${counted(errorsIn(errors), 'line')}, similar lines grouped, newest first.${rest}`}
    >
      <Rows caption="Errors in the logs" cards cols={LINES} most={50} of={newestIn(errors)} keyOf={keyOf} />
    </Panel>
  );
};

const clientOf = ({ clientId }: { readonly clientId: string }): string => clientId;

/** What is unfinished by client, and what failed in the last day. */
export const Batches = (survey: SurveyBody) => (
  <>
    <Counted
      title="Unfinished batches"
      caption="Unfinished batches and comparisons by client"
      of={survey.unfinished}
      cols={UNFINISHED}
      keyOf={clientOf}
      omitted={[survey.unfinishedOmitted, 'more client']}
    />
    <Counted
      id="failed"
      title="Failed batches of the last day"
      caption="Failed batches and comparisons"
      of={survey.failures}
      cols={FAILURES}
      keyOf={({ id }) => id}
      omitted={[survey.failuresOmitted, 'more batch', 'more batches']}
    />
  </>
);

/** What is stored by client. */
export const Storage = (survey: SurveyBody) => (
  <Counted
    id="storage"
    title="Storage"
    caption="Stored bytes by client"
    of={survey.use}
    cols={STORAGE}
    keyOf={clientOf}
    omitted={[survey.useOmitted, 'more client']}
  />
);
