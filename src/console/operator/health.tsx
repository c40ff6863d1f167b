/** Health: what an operator looks at first. It loads itself again every few seconds. */
import { useState } from 'preact/hooks';
import { useCall, useEvery } from '../api.ts';
import type { HealthBody } from '../calls.ts';
import { type Figure, Figures } from '../ui/charts.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { FaultNotice, Lines, Notice, Skeleton } from '../ui/feedback.tsx';
import { count, counted } from '../ui/format.ts';
import { FirstSteps } from './health/first-steps.tsx';
import { Fuel } from './health/fuel.tsx';
import { concernsOf, errorsIn } from './health/judge.ts';
import { ErrorLines, FailedBatches, Parts, Queues, Storage, Unfinished } from './health/parts.tsx';

/** Between an answer and the next call, until the operator pauses it. */
const EVERY_MS = 5_000;

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });

type Work = NonNullable<HealthBody['work']>;

const figuresOf = ({ queues, workers, errors, survey }: Work): readonly Figure[] => {
  const sum = (state: 'waiting' | 'active'): number => queues.reduce((total, queue) => total + queue[state], 0);
  const failed = survey === null ? 0 : survey.failures.length + survey.failuresOmitted;
  return [
    { label: 'Workers', value: count(workers.count), note: 'processes alive' },
    { label: 'Running jobs', value: count(sum('active')), note: `${count(sum('waiting'))} waiting for a worker` },
    { label: 'Failed batches', value: count(failed), note: 'in the last day, not retried' },
    { label: 'Errors', value: count(errorsIn(errors)), note: 'log lines in the last day' },
  ];
};

const Summary = ({ health }: { readonly health: HealthBody }) => {
  const concerns = concernsOf(health);
  if (concerns.length === 0)
    return (
      <p class="row">
        <span class="tone good" aria-hidden="true">
          ●
        </span>
        Everything works.
      </p>
    );
  const isBad = concerns.some(({ kind }) => kind === 'error');
  return (
    <Notice
      kind={isBad ? 'error' : 'warning'}
      announced={false}
      title={`${counted(concerns.length, 'thing needs', 'things need')} your attention`}
    >
      <Lines of={concerns.map(({ text }) => text)} />
    </Notice>
  );
};

const WorkParts = ({ work }: { readonly work: Work }) => (
  <>
    <Unfinished survey={work.survey} />
    <FailedBatches survey={work.survey} />
    <ErrorLines errors={work.errors} />
    <Storage survey={work.survey} />
  </>
);

const HealthPage = () => {
  const [isPaused, pause] = useState(false);
  const { data, reload, ...loaded } = useCall('GET /ops/health');
  useEvery(EVERY_MS, loaded.state !== 'loading' && !isPaused, reload);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Health</h1>
          <p class="lead">
            {data === undefined
              ? 'The state of the whole service.'
              : `As of ${clock.format(new Date(data.at))}${isPaused ? ', paused.' : '. Refreshes every 5 seconds.'}`}
          </p>
        </div>
        <div class="actions">
          <Button onClick={() => pause(!isPaused)}>{isPaused ? 'Resume' : 'Pause'}</Button>
          <LinkButton href="/ops/queues">Open the queue board</LinkButton>
        </div>
      </div>
      <FirstSteps />
      {loaded.state === 'failed' ? (
        <FaultNotice fault={loaded.fault} title="The health could not be loaded" retry={reload} />
      ) : null}
      {data === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Summary health={data} />
          {data.work === null ? null : <Figures figures={figuresOf(data.work)} />}
          <div class="health-columns">
            <Parts readiness={data.readiness} />
            <Queues work={data.work} />
          </div>
          <Fuel fuel={data.fuel} onAdded={reload} />
          {data.work === null ? null : <WorkParts work={data.work} />}
        </>
      )}
    </>
  );
};

export default HealthPage;
