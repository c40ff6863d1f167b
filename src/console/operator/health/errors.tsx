/** What went wrong in the last day: failed batches, and the error lines of the logs. */
import type { HealthBody } from '../../calls.ts';
import { count, counted, instant } from '../../ui/format.ts';
import { Rows } from '../../ui/kit.tsx';
import { type Col, Table } from '../../ui/table.tsx';
import { errorsIn, type SurveyBody } from './judge.ts';
import { SurveySection } from './survey.tsx';

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
        <p>No batch or comparison has failed, or those that failed were retried or deleted.</p>
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
    <section class="panel" aria-labelledby="errors">
      <h2 id="errors">Errors in the logs of the last day</h2>
      {groups.length === 0 ? (
        <p>There are none.</p>
      ) : (
        <>
          <Table
            caption={`${counted(errorsIn(errors), 'line')}, alike ones together, newest first`}
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
        Lines of the levels <code>error</code> and <code>fatal</code> from API and worker processes.{' '}
        {errors.full ? `Only the newest 500 are kept: before ${oldestOf(errors)} there may have been more. ` : null}
        Lines from when Redis was away, or from the last seconds of a killed process, may be missing here. The log has
        them all.
      </p>
    </section>
  );
};
