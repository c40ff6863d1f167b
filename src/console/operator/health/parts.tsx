/** The parts that readiness depends on, the queues, and the fuel rates that end soon. */
import type { HealthBody } from '../../calls.ts';
import { count, counted } from '../../ui/format.ts';
import { Rows } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { fuelText, partName } from './judge.ts';

export const Mark = ({ kind }: { readonly kind: 'good' | 'warn' | 'bad' }) => (
  <span class={`tone ${kind}`} aria-hidden="true">
    {{ good: '●', warn: '▲', bad: '■' }[kind]}
  </span>
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const Parts = ({ readiness }: Pick<HealthBody, 'readiness'>) => (
  <section class="panel" aria-labelledby="parts">
    <h2 id="parts">Parts</h2>
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
    <p class="hint">Checked from the process that answered this page. A load balancer asks for the same.</p>
  </section>
);

const QUEUE_NAMES: Readonly<Record<string, string>> = {
  chunk: 'Rating',
  assemble: 'Finishing',
  webhook: 'Webhooks',
};

type Queue = NonNullable<HealthBody['work']>['queues'][number];

const QUEUE_COLUMNS: readonly Col<Queue>[] = [
  ['Queue', ({ queue }) => QUEUE_NAMES[queue] ?? queue, 'head'],
  ['Wait', ({ waiting }) => count(waiting), 'number'],
  ['Run', ({ active }) => count(active), 'number'],
  ['Again', ({ delayed }) => count(delayed), 'number'],
  ['Failed', ({ failed }) => count(failed), 'number'],
];

export const Queues = ({ work }: Pick<HealthBody, 'work'>) => (
  <section class="panel" aria-labelledby="queues">
    <h2 id="queues">Queues</h2>
    {work === null ? (
      <p>Redis does not answer.</p>
    ) : (
      <>
        <Rows caption="Jobs by queue" dense cols={QUEUE_COLUMNS} of={work.queues} keyOf={({ queue }) => queue} />
        <p class="hint">
          “Again”: an attempt failed, and the next one is due later. A job whose last attempt failed leaves its queue;
          its batch is among the failed ones.
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
  </section>
);

export const Fuel = ({ fuel }: Pick<HealthBody, 'fuel'>) => (
  <section class="panel" aria-labelledby="fuel">
    <h2 id="fuel">Fuel rates</h2>
    {fuel === null ? (
      <p>It is not known which tariffs are in force.</p>
    ) : fuel.length === 0 ? (
      <ul class="plain stack small anywhere health-list">
        <li>
          <Mark kind="good" />
          <span>No fuel rate in force ends within a week.</span>
        </li>
      </ul>
    ) : (
      <ul class="plain stack small anywhere health-list">
        {fuel.map((end) => (
          <li key={`${end.tariff} ${end.carrier} ${end.services.join()}`}>
            <Mark kind={end.hasEnded ? 'bad' : 'warn'} />
            <span>
              {fuelText(end)} <span class="hint">{end.tariff}</span>
            </span>
          </li>
        ))}
      </ul>
    )}
    {fuel === null || fuel.length === 0 ? null : (
      <p class="hint">
        Add the next rates: <code>rates tariff fuel add</code>
      </p>
    )}
  </section>
);
