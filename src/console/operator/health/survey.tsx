/** What the last look over all batches saw: unfinished batches and stored bytes, by client. */
import type { ComponentChildren } from 'preact';
import { EmptyState } from '../../ui/feedback.tsx';
import { bytes, count, counted, duration, percent } from '../../ui/format.ts';
import { Rows } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { isNearlyFull, isStuck, type SurveyBody } from './judge.ts';
import { Mark } from './parts.tsx';

interface SurveyProps {
  readonly survey: SurveyBody | null;
}

interface SectionProps extends SurveyProps {
  readonly id: string;
  readonly title: string;
  readonly children: (survey: SurveyBody) => ComponentChildren;
}

/** A section with the age of what it shows. */
export const SurveySection = ({ id, title, survey, children }: SectionProps) => (
  <section class="panel" aria-labelledby={id}>
    <div class="page-head">
      <h2 id={id}>{title}</h2>
      {survey === null ? null : (
        <span class="hint">as of {duration(survey.secondsAgo)} ago, counted once a minute</span>
      )}
    </div>
    {survey === null ? (
      <EmptyState title="The batches were not counted yet.">
        <p>A worker counts them once a minute.</p>
      </EmptyState>
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
    'Unmoved for longest',
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
        <p>No batch or comparison waits or runs.</p>
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
  ['Under way', ({ bytesInFlight }) => bytes(bytesInFlight), 'number'],
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
