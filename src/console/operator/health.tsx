/** Health: what an operator checks first. It reloads every few seconds. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApi, useCall, useEvery, useLoad } from '../api.ts';
import { operatorHref } from '../navigation.tsx';
import { Mark } from '../ui/batch-state.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { FaultNotice, Notice, Skeleton } from '../ui/feedback.tsx';
import { counted } from '../ui/format.ts';
import { PageHead, Panel } from '../ui/kit.tsx';
import { Fuel } from './health/fuel.tsx';
import { type Concern, concernsOf } from './health/judge.ts';
import { Batches, ErrorLines, Running, Storage } from './health/parts.tsx';

/** Pause between an answer and the next call, until the operator pauses the page. */
const EVERY_MS = 5_000;

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });

const Summary = ({ concerns, isNew }: { readonly concerns: readonly Concern[]; readonly isNew: boolean }) => {
  if (concerns.length === 0)
    return isNew ? null : (
      <p class="row">
        <Mark kind="good" />
        All clear. Everything works, and nothing needs your attention.
      </p>
    );
  const isBad = concerns.some(({ kind }) => kind === 'error');
  return (
    <Notice
      kind={isBad ? 'error' : 'warning'}
      announced={false}
      title={`${counted(concerns.length, 'thing needs', 'things need')} your attention`}
    >
      <ul>
        {concerns.map(({ part, text, link }) => (
          <li key={`${part} ${text}`}>
            {part === undefined || text.startsWith(part) ? null : <strong>{part}: </strong>}
            {text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={part}>{part}</code>))}{' '}
            {link === undefined ? null : link[0].includes('/') ? (
              <a class="link" href={link[0]}>
                {link[1]}
              </a>
            ) : (
              <button type="button" class="link" onClick={() => document.getElementById(link[0])?.scrollIntoView()}>
                {link[1]}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
};

const HOUR_MS = 3_600_000;

const Step = ({ isDone, children }: { readonly isDone: boolean; readonly children: ComponentChildren }) => (
  <li class={isDone ? 'hint' : ''}>
    {children}
    {isDone ? <span class="mark good">done</span> : null}
  </li>
);

/** How far an empty service is. Undefined after its first quote, or an hour after its first tariff. */
const useFirst = (quoted: number) => {
  const api = useApi();
  const { data } = useLoad(
    async (signal) =>
      await Promise.all([api.call('GET /ops/clients', { signal }), api.call('GET /ops/tariffs', { signal })]),
    [api],
  );
  if (data === undefined) return undefined;
  const [{ clients }, { tariffs, drafts, versions }] = data;
  const [hasClient, hasTariff, [draft]] = [clients.length > 0, tariffs.length > 0, drafts];
  const first = versions.at(-1)?.at ?? '';
  // Quotes are counted for an hour.
  if (hasClient && hasTariff && (quoted > 0 || !(Date.now() - Date.parse(first) < HOUR_MS))) return undefined;
  return { hasClient, hasTariff, draft };
};

/** The steps to the first quote. */
const FirstSteps = ({ hasClient, hasTariff, draft }: NonNullable<ReturnType<typeof useFirst>>) => {
  const [href, label] = !hasClient
    ? [`${operatorHref('clients')}?new`, 'Add a client']
    : hasTariff
      ? ['#/quote', 'Sign in as the client']
      : [`${operatorHref('tariffs', draft?.id)}${draft ? '' : '?new'}`, draft ? 'Open the draft' : 'Start a draft'];
  return (
    <Panel title="Start here" lead="Four steps to the first quote.">
      <ol class="stack small">
        <Step isDone={hasClient}>Add a client and the warehouses that it ships from. Its secret is shown once. </Step>
        <Step isDone={hasTariff || draft !== undefined}>
          Start a draft, and drop the carriers’ files on it: list rates, zone charts, fees and delivery areas. Add a CSV
          of weekly fuel rates with the columns carrier, services, effective and percent.{' '}
        </Step>
        <Step isDone={hasTariff}>Import the files, read the report, and publish the draft. </Step>
        <Step isDone={false}>Sign in as the client with its id and secret, and ask for a quote.</Step>
      </ol>
      <div class="actions start">
        <LinkButton kind="primary" href={href}>
          {label}
        </LinkButton>
      </div>
    </Panel>
  );
};

const HealthPage = () => {
  const [isPaused, pause] = useState(false);
  const { data, reload, ...loaded } = useCall('GET /ops/health');
  const first = useFirst(data?.work?.quotes.quoted ?? 0);
  const concerns = data === undefined ? [] : concernsOf(data, first !== undefined);
  useEvery(EVERY_MS, loaded.state !== 'loading' && !isPaused, reload);
  return (
    <>
      <PageHead
        title="Health"
        lead={
          data === undefined
            ? 'The state of the whole service.'
            : `As of ${clock.format(new Date(data.at))}${isPaused ? ', paused.' : '. Refreshes every 5 seconds.'}`
        }
      >
        <Button onClick={() => pause(!isPaused)}>{isPaused ? 'Resume refresh' : 'Pause refresh'}</Button>
      </PageHead>
      {first === undefined ? null : <FirstSteps {...first} />}
      <FaultNotice fault={loaded.fault} title="The health could not be loaded" retry={reload} />
      {data === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Summary concerns={concerns} isNew={first !== undefined} />
          <Running {...data} concerns={concerns} />
          {data.work?.survey == null ? null : <Batches {...data.work.survey} />}
          <Fuel fuel={data.fuel} onAdded={reload} />
          {data.work === null ? null : <ErrorLines errors={data.work.errors} />}
          {data.work?.survey == null ? null : <Storage {...data.work.survey} />}
        </>
      )}
    </>
  );
};

export default HealthPage;
