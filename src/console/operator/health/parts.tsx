/** What the health page shows: parts, queues, fuel, batches, storage, and the errors of the last day. */

import type { ComponentChildren } from 'preact';
import type { HealthBody } from '../../calls.ts';
import { EmptyState } from '../../ui/feedback.tsx';
import { bytes, count, counted, duration, instant, percent } from '../../ui/format.ts';
import { Panel, Rows } from '../../ui/kit.tsx';
import { type Col, Table } from '../../ui/table.tsx';
import { errorsIn, isNearlyFull, isStuck, partName, type SurveyBody } from './judge.ts';

export const Mark = ({ kind }: { readonly kind: 'good' | 'warn' | 'bad' }) => (
  <span class={`tone ${kind}`} aria-hidden="true">
    {{ good: '●', warn: '▲', bad: '■' }[kind]}
  </span>
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const Parts = ({ readiness }: Pick<HealthBody, 'readiness'>) => (
  <Panel title="Parts">
    <ul class="plain stack small anywhere health-list">
      {readiness.map(({ part, problem }) => (
        <li key={part}>
          <Mark kind={problem === null ? 'good' : 'bad'} />
          <span>
            {capital(partName(part))} {problem === null ? 'works' : `fails: ${problem}`}
          </span>
        </li>
      ))}
    </ul>
    <p class="hint">Checked by the process that sent this page. A load balancer gets the same answer.</p>
  </Panel>
);

const QUEUE_NAMES: Readonly<Record<string, string>> = {
  chunk: 'Rating',
  assemble: 'Finishing',
  webhook: 'Webhooks',
};

type Queue = NonNullable<HealthBody['work']>['queues'][number];

const QUEUE_COLUMNS: readonly Col<Queue>[] = [
  ['Queue', ({ queue }) => QUEUE_NAMES[queue] ?? queue, 'head'],
  ['Waiting', ({ waiting }) => count(waiting), 'number'],
  ['Running', ({ active }) => count(active), 'number'],
  ['Retrying', ({ delayed }) => count(delayed), 'number'],
  ['Failed', ({ failed }) => count(failed), 'number'],
];

export const Queues = ({ work }: Pick<HealthBody, 'work'>) => (
  <Panel title="Queues">
    {work === null ? (
      <p>Redis does not answer.</p>
    ) : (
      <>
        <Rows caption="Jobs by queue" dense cols={QUEUE_COLUMNS} of={work.queues} keyOf={({ queue }) => queue} />
        <p class="hint">
          “Retrying”: an attempt failed, and the next one is due later. A job whose last attempt failed leaves its
          queue; its batch is listed as failed.
        </p>
        <details>
          <summary>{counted(work.workers.count, 'worker')}</summary>
          <ul class="plain stack small anywhere health-list">
            {work.workers.names.map((name) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
            {work.workers.count > work.workers.names.length ? (
              <li>and {count(work.workers.count - work.workers.names.length)} more</li>
            ) : null}
          </ul>
        </details>
      </>
    )}
  </Panel>
);

interface SurveyProps {
  readonly survey: SurveyBody | null;
}

interface SectionProps extends SurveyProps {
  readonly id: string;
  readonly title: string;
  readonly children: (survey: SurveyBody) => ComponentChildren;
}

/** A section with the age of what it shows. */
const SurveySection = ({ id, title, survey, children }: SectionProps) => (
  <section class="panel" aria-labelledby={id}>
    <div class="page-head">
      <h2 id={id}>{title}</h2>
      {survey === null ? null : (
        <span class="hint">as of {duration(survey.secondsAgo)} ago, counted once a minute</span>
      )}
    </div>
    {survey === null ? (
      <EmptyState title="The batches have not been counted yet." text="A worker counts them once a minute." />
    ) : (
      children(survey)
    )}
  </section>
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
        {isStuck(oldest) ? <Mark kind="bad" /> : null} {duration(oldest.seconds)} <code class="hint">{oldest.id}</code>
      </>
    ),
  ],
];

export const Unfinished = ({ survey }: SurveyProps) => (
  <SurveySection id="unfinished" title="Unfinished batches" survey={survey}>
    {({ unfinished, unfinishedOmitted }) =>
      unfinished.length === 0 ? (
        <p>No batch or comparison is waiting or running.</p>
      ) : (
        <>
          <Rows
            caption="Unfinished batches and comparisons by client"
            cols={UNFINISHED}
            of={unfinished}
            keyOf={({ clientId }) => clientId}
          />
          {unfinishedOmitted === 0 ? null : <p class="hint">{counted(unfinishedOmitted, 'more client')}</p>}
        </>
      )
    }
  </SurveySection>
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
  <SurveySection id="storage" title="Storage" survey={survey}>
    {({ use, useOmitted }) =>
      use.length === 0 ? (
        <p>No client has anything stored.</p>
      ) : (
        <>
          <Rows caption="Stored bytes by client" cols={STORAGE} of={use} keyOf={({ clientId }) => clientId} />
          {useOmitted === 0 ? null : <p class="hint">{counted(useOmitted, 'more client')} with less</p>}
        </>
      )
    }
  </SurveySection>
);

type Failure = SurveyBody['failures'][number];

const FAILURES: readonly Col<Failure>[] = [
  ['When', ({ at }) => <span class="nowrap">{instant(at)}</span>],
  ['Client', ({ clientId }) => clientId, 'head'],
  ['Batch', ({ id }) => <code>{id}</code>],
  ['Why', ({ message }) => <span class="roomy">{message}</span>],
];

export const FailedBatches = ({ survey }: { readonly survey: SurveyBody | null }) => (
  <SurveySection id="failed" title="Failed batches of the last day" survey={survey}>
    {({ failures, failuresOmitted }) =>
      failures.length === 0 ? (
        <p>There are none. Those that were retried or deleted are not shown.</p>
      ) : (
        <>
          <Rows caption="Failed batches and comparisons" cols={FAILURES} of={failures} keyOf={({ id }) => id} />
          {failuresOmitted === 0 ? null : <p class="hint">{counted(failuresOmitted, 'more batch', 'more batches')}</p>}
        </>
      )
    }
  </SurveySection>
);

type Errors = NonNullable<HealthBody['work']>['errors'];
type Line = Errors['entries'][number];

/** Alike lines of one kind of process. */
interface Group extends Line {
  readonly key: string;
}

/** Groups alike lines, those with the newest line first. */
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
        {batchId === null ? null : (
          <span class="sub anywhere">
            batch <code>{batchId}</code>
          </span>
        )}
        {requestId === null ? null : (
          <span class="sub anywhere">
            request <code>{requestId}</code>
          </span>
        )}
      </>
    ),
    'head',
  ],
  ['Times', ({ count: times }) => count(times), 'number'],
];

const oldestOf = ({ entries }: Errors): string => instant(entries.at(-1)?.at ?? '');

export const ErrorLines = ({ errors }: { readonly errors: Errors }) => {
  const groups = groupsOf(errors);
  return (
    <Panel title="Errors in the logs of the last day">
      {groups.length === 0 ? (
        <p>There are none.</p>
      ) : (
        <>
          <Table
            caption={`${counted(errorsIn(errors), 'line')}, similar lines grouped, newest first`}
            cols={LINES}
            rows={groups.slice(0, MOST_GROUPS)}
            keyOf={({ key }) => key}
          />
          {groups.length > MOST_GROUPS ? (
            <p class="hint">{counted(groups.length - MOST_GROUPS, 'older kind')} of error</p>
          ) : null}
        </>
      )}
      <p class="hint">
        Lines with the levels <code>error</code> and <code>fatal</code> from API and worker processes.{' '}
        {errors.full ? `Only the newest 500 are kept: before ${oldestOf(errors)} there may have been more. ` : null}
        Lines from when Redis was unavailable, or from the last seconds of a killed process, may be missing here. The
        log has them all.
      </p>
    </Panel>
  );
};
