/** The sections of the health page: parts, queues, fuel, batches, storage, and the errors of the last day. */
import type { ComponentChildren } from 'preact';
import type { HealthBody } from '../../calls.ts';
import { type Figure, Figures } from '../../ui/charts.tsx';
import { bytes, count, counted, duration, instant, percent } from '../../ui/format.ts';
import { Panel, Rows } from '../../ui/kit.tsx';
import { type Col, Table } from '../../ui/table.tsx';
import { errorsIn, isNearlyFull, isStuck, partName, type SurveyBody } from './judge.ts';

export const Mark = ({ kind }: { readonly kind: 'good' | 'warn' | 'bad' }) => (
  <span class={`tone ${kind}`} aria-hidden="true">
    {{ good: '●', warn: '▲', bad: '■' }[kind]}
  </span>
);

const Parts = ({ readiness }: Pick<HealthBody, 'readiness'>) => (
  <ul class="plain row anywhere">
    {readiness.map(({ part, problem }) => (
      <li key={part} class="state">
        <Mark kind={problem === null ? 'good' : 'bad'} />
        <span>
          {partName(part)}
          {problem === null ? <span class="visually-hidden"> works</span> : ` fails: ${problem}`}
        </span>
      </li>
    ))}
  </ul>
);

type Work = NonNullable<HealthBody['work']>;

const figuresOf = ({ queues, workers, errors, survey }: Work): readonly Figure[] => {
  const sum = (state: 'waiting' | 'active'): number => queues.reduce((total, queue) => total + queue[state], 0);
  const failed = survey === null ? '–' : count(survey.failures.length + survey.failuresOmitted);
  return [
    { label: 'Workers', value: count(workers.count), note: 'processes alive' },
    { label: 'Running jobs', value: count(sum('active')), note: `${count(sum('waiting'))} waiting` },
    { label: 'Failed batches', value: failed, note: 'in the last day, not retried' },
    { label: 'Errors', value: count(errorsIn(errors)), note: 'log lines in the last day' },
  ];
};

const QUEUE_NAMES: Readonly<Record<string, string>> = {
  chunk: 'Rating',
  assemble: 'Finishing',
  webhook: 'Webhooks',
};

const QUEUE_COLUMNS: readonly Col<Work['queues'][number]>[] = [
  ['Queue', ({ queue }) => QUEUE_NAMES[queue] ?? queue, 'head'],
  ['Waiting', ({ waiting }) => count(waiting), 'number'],
  ['Running', ({ active }) => count(active), 'number'],
  ['Retrying', ({ delayed }) => count(delayed), 'number'],
  ['Failed', ({ failed }) => count(failed), 'number'],
];

/** The parts that work, the workers, and their queues. */
export const Running = ({ health: { readiness, work } }: { readonly health: HealthBody }) => (
  <section class="panel" aria-label="Parts and queues">
    <Parts readiness={readiness} />
    {work === null ? (
      <p>Redis does not answer, so nothing is known about workers and queues.</p>
    ) : (
      <div class="health-columns">
        <Figures figures={figuresOf(work)} />
        <Rows caption="Jobs by queue" dense cols={QUEUE_COLUMNS} of={work.queues} keyOf={({ queue }) => queue} />
      </div>
    )}
    <details>
      <summary>{work === null ? '' : `${counted(work.workers.count, 'worker')}, and `}what is counted</summary>
      <div class="stack small">
        {work === null || work.workers.count === 0 ? null : (
          <p class="hint anywhere">
            <code>{work.workers.names.join(', ')}</code>
            {work.workers.count > work.workers.names.length
              ? ` and ${count(work.workers.count - work.workers.names.length)} more`
              : null}
          </p>
        )}
        <p class="hint">
          The parts are checked by the process that sent this page. A load balancer gets the same answer. “Retrying”: an
          attempt failed, and the next one is due later. A job whose last attempt failed leaves its queue; its batch is
          listed as failed. Batches that were retried or deleted are not listed.
        </p>
        <p class="hint">
          Errors are lines with the levels <code>error</code> and <code>fatal</code> from API and worker processes.
          Lines from when Redis was unavailable, or from the last seconds of a killed process, may be missing here. The
          log has them all.
        </p>
      </div>
    </details>
  </section>
);

interface SurveyProps {
  readonly survey: SurveyBody;
}

interface CountedProps extends SurveyProps {
  readonly title: string;
  /** The number of rows that are left out, and what one is. */
  readonly omitted: readonly [rows: number, one: string, many?: string];
  readonly children: ComponentChildren;
}

/** A section with the age of its data. */
const Counted = ({ title, survey, omitted: [rows, one, many], children }: CountedProps) => (
  <Panel title={title} lead={`Updated every minute, last ${duration(survey.secondsAgo)} ago.`}>
    {children}
    {rows === 0 ? null : <p class="hint">{counted(rows, one, many)}</p>}
  </Panel>
);

/** A client's name, and its id if they differ. */
const ClientName = ({ clientId, name }: { readonly clientId: string; readonly name: string | null }) => (
  <>
    {name ?? clientId}{' '}
    <span class="hint">{name === null ? 'no longer a client' : name === clientId ? '' : clientId}</span>
  </>
);

type UnfinishedRow = SurveyBody['unfinished'][number];

const counts = (row: UnfinishedRow, status: string): ComponentChildren => {
  const number = row.counts[status] ?? 0;
  return number === 0 ? <span class="hint">0</span> : count(number);
};

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
        {isStuck(oldest) ? <Mark kind="bad" /> : null} {duration(oldest.seconds)}{' '}
        <code class="hint anywhere">{oldest.id}</code>
      </>
    ),
  ],
];

export const Unfinished = ({ survey }: SurveyProps) => (
  <Counted title="Unfinished batches" survey={survey} omitted={[survey.unfinishedOmitted, 'more client']}>
    <Rows
      caption="Unfinished batches and comparisons by client"
      cards
      cols={UNFINISHED}
      of={survey.unfinished}
      keyOf={({ clientId }) => clientId}
    />
  </Counted>
);

type UseRow = SurveyBody['use'][number];

const STORAGE: readonly Col<UseRow>[] = [
  ['Client', ClientName, 'head'],
  [
    'Of its limit',
    ({ clientId, bytesStored, mostStored }) => (
      <meter
        class="health-meter"
        aria-label={`Stored by ${clientId}`}
        min={0}
        max={mostStored}
        high={0.9 * mostStored}
        value={bytesStored}
      >
        {percent(bytesStored, mostStored)}
      </meter>
    ),
  ],
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

export const Storage = ({ survey }: SurveyProps) => (
  <Counted title="Storage" survey={survey} omitted={[survey.useOmitted, 'more client']}>
    <Rows caption="Stored bytes by client" cards cols={STORAGE} of={survey.use} keyOf={({ clientId }) => clientId} />
  </Counted>
);

type Failure = SurveyBody['failures'][number];

const FAILURES: readonly Col<Failure>[] = [
  ['When', ({ at }) => <span class="nowrap">{instant(at)}</span>],
  ['Client', ({ clientId }) => clientId, 'head'],
  ['Batch', ({ id }) => <code>{id}</code>],
  ['Why', ({ message }) => <span class="roomy">{message}</span>],
];

export const FailedBatches = ({ survey }: SurveyProps) => (
  <Counted
    title="Failed batches of the last day"
    survey={survey}
    omitted={[survey.failuresOmitted, 'more batch', 'more batches']}
  >
    <Rows caption="Failed batches and comparisons" cards cols={FAILURES} of={survey.failures} keyOf={({ id }) => id} />
  </Counted>
);

type Errors = Work['errors'];
type Line = Errors['entries'][number];

/** Similar lines from one kind of process. */
interface Group extends Line {
  readonly key: string;
}

/** Groups similar lines. The group with the newest line comes first. */
const groupsOf = ({ entries }: Errors): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.process, entry.message, entry.error]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? { ...entry, key } : { ...known, count: known.count + entry.count });
  }
  return [...groups.values()];
};

const MOST_GROUPS = 50;

const LINES: readonly Col<Group>[] = [
  ['Last', ({ at }) => <span class="nowrap">{instant(at)}</span>],
  ['Process', ({ process }) => process],
  [
    'What',
    ({ message, error, batchId, requestId }) => (
      <>
        <span class="roomy">{message}</span>
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
  const groups = groupsOf(errors);
  return (
    <Panel
      title="Errors in the logs of the last day"
      lead={
        errors.full
          ? `Only the newest 500 are kept: before ${instant(errors.entries.at(-1)?.at ?? '')} there may have been more.`
          : undefined
      }
    >
      <Table
        caption={`${counted(errorsIn(errors), 'line')}, similar lines grouped, newest first`}
        cards
        cols={LINES}
        rows={groups.slice(0, MOST_GROUPS)}
        keyOf={({ key }) => key}
      />
      {groups.length > MOST_GROUPS ? (
        <p class="hint">{counted(groups.length - MOST_GROUPS, 'older kind')} of error</p>
      ) : null}
    </Panel>
  );
};

/** Lines about things that have nothing to show and are in no figure. */
export const InOrder = ({ health: { fuel, work } }: { readonly health: HealthBody }) => {
  const survey = work?.survey;
  const lines = [
    fuel === null && 'The tariffs in force are unknown.',
    fuel?.length === 0 && 'No fuel rate in force ends within a week.',
    survey === null &&
      'The batches and what clients store have not been counted yet. A worker counts them once a minute.',
  ].filter((line) => typeof line === 'string');
  return lines.length === 0 ? null : (
    <ul class="plain stack tiny hint" aria-label="Nothing to show">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
};
