/** The page that asks what a batch's list would cost under other conditions. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { asFault, useApi, useKey } from './api.ts';
import type { Batch } from './calls.ts';
import { goTo, href, useStake } from './navigation.tsx';
import { Button, LinkButton } from './ui/controls.tsx';
import { doubtsIn } from './ui/doubts.ts';
import { Doubts, EmptyState, FaultNotice } from './ui/feedback.tsx';
import { counted, money } from './ui/format.ts';
import { Show, useAct } from './ui/kit.tsx';
import { ServiceNames } from './ui/service-names.tsx';
import { type Choices, useChoices } from './what-if/choices.ts';
import {
  type Draft,
  type Preset,
  type Problems,
  presetsOf,
  problemsIn,
  ScenarioCard,
  scenarioOf,
} from './what-if/scenario.tsx';
import './what-if/what-if.css';

/** The service's limit. */
const MOST_SCENARIOS = 8;

const NO_PROBLEMS: Problems = new Map();

interface PresetsProps {
  readonly presets: readonly Preset[];
  readonly isFull: boolean;
  readonly hasSome: boolean;
  readonly onTake: (preset: Preset) => void;
}

const Presets = ({ presets, isFull, hasSome, onTake }: PresetsProps) => (
  <section class="stack small" aria-labelledby="presets">
    <h2 id="presets">{hasSome ? 'Add a scenario' : 'Choose a scenario'}</h2>
    <div class="fields long">
      {presets.map((preset) => (
        <button
          key={preset.label}
          type="button"
          class="card stack tiny option-card"
          disabled={isFull}
          onClick={() => onTake(preset)}
        >
          <strong>{preset.label}</strong>
          <span class="hint">{preset.hint}</span>
        </button>
      ))}
    </div>
    {isFull ? <p class="hint">A comparison has at most {MOST_SCENARIOS} scenarios.</p> : null}
  </section>
);

/** Sends the scenarios, and keeps their problems. */
const useSendScenarios = (id: string) => {
  const api = useApi();
  const { busy, fault, run } = useAct();
  const [problems, setProblems] = useState<ReadonlyMap<number, Problems>>(new Map());
  const keyOf = useKey();
  const send = (drafts: readonly Draft[], choices: Choices): Promise<void> =>
    run(async () => {
      const read = drafts.map((draft) => scenarioOf(draft, choices));
      const wrong = new Map(
        read.flatMap(({ problems: own }, at): [number, Problems][] => (own.size === 0 ? [] : [[at, own]])),
      );
      setProblems(wrong);
      if (wrong.size > 0) return;
      const json = { scenarios: read.map(({ scenario }) => scenario) };
      const key = keyOf(JSON.stringify(json));
      try {
        const made = await api.call('POST /v1/client/shipment/rates/batches/{id}/comparisons', { id, json, key });
        goTo(href.comparison(made.id));
      } catch (error) {
        const { status, arguments: args } = asFault(error);
        const named = problemsIn(args);
        if (status !== 422 || named.size === 0 || named.has(-1)) throw error;
        setProblems(named);
      }
    });
  return { busy, fault, problems, send, forget: () => setProblems(new Map()) };
};

const Form = ({ batch, choices }: { readonly batch: Batch; readonly choices: Choices }) => {
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const [touched, setTouched] = useState(false);
  const added = useRef(0);
  const form = useRef<HTMLFormElement>(null);
  const { busy, fault, problems, send, forget } = useSendScenarios(batch.id);
  useStake(
    touched && drafts.length > 0
      ? {
          title: `Discard ${counted(drafts.length, 'scenario')}?`,
          text: 'Nothing has been compared yet. If you leave, you lose what you chose.',
          action: 'Discard',
          keep: 'Keep editing',
        }
      : undefined,
  );
  useEffect(() => {
    if (problems.size === 0) return;
    const error = form.current?.querySelector('.field-error');
    error?.parentElement?.querySelector<HTMLElement>('input, select, button')?.focus();
  }, [problems]);
  const take = ({ begin }: Preset): void => {
    added.current += 1;
    setDrafts([...drafts, { key: added.current, name: null, kinds: [], typed: {}, ...begin }]);
    forget();
  };
  const put = (draft: Draft): void => {
    setTouched(true);
    setDrafts(drafts.map((other) => (other.key === draft.key ? draft : other)));
  };
  const remove = (key: number): void => {
    setDrafts(drafts.filter((other) => other.key !== key));
    forget();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void send(drafts, choices);
  };
  const [today] = useState(() => new Date());
  const missing = drafts.flatMap((draft, at) =>
    [...scenarioOf(draft, choices).problems.values()].slice(0, 1).map((problem) => `Scenario ${at + 1}: ${problem}`),
  )[0];
  return (
    <form class="stack large" ref={form} noValidate onSubmit={submit} aria-label="Scenarios">
      {drafts.map((draft, at) => (
        <ScenarioCard
          key={draft.key}
          draft={draft}
          number={at + 1}
          choices={choices}
          problems={problems.get(at) ?? NO_PROBLEMS}
          isNew={draft.key === added.current}
          onChange={put}
          onRemove={() => remove(draft.key)}
        />
      ))}
      <Presets
        presets={presetsOf(choices, today)}
        isFull={drafts.length >= MOST_SCENARIOS}
        hasSome={drafts.length > 0}
        onTake={take}
      />
      <FaultNotice fault={fault} title="Nothing was compared" />
      {drafts.length === 0 ? null : (
        <div class="card split sticky-bar">
          <p>
            {missing ??
              `${counted(drafts.length, 'scenario')} for ${counted(batch.rows.total ?? 0, 'row')} of ${batch.filename}`}
          </p>
          <Button kind={missing === undefined ? 'primary' : 'plain'} submit busy={busy}>
            Compare
          </Button>
        </div>
      )}
    </form>
  );
};

/** Says why a batch cannot be compared yet. */
const NotReady = ({ batch }: { readonly batch: Batch }) => (
  <EmptyState title={batch.status === 'expired' ? 'The files of this batch have expired' : 'The batch is not finished'}>
    <p>
      {batch.status === 'expired'
        ? 'Upload the list again to compare it.'
        : 'A list can be compared once all of its rows are rated.'}
    </p>
    <LinkButton href={href.batch(batch.id)}>Back to the batch</LinkButton>
  </EmptyState>
);

const WhatIfPage = ({ id }: { readonly id: string }) => {
  const loaded = useChoices(id);
  const { data } = loaded;
  return (
    <>
      <div class="stack small">
        <h1>What if…</h1>
        <p class="lead">
          {data === undefined ? (
            'Price the list again under other conditions.'
          ) : (
            <>
              Price <a href={href.batch(id)}>{data.batch.filename}</a> again under other conditions, and see what it
              saves or costs. Now it costs <strong>{money(data.summary.totalNetCharge)}</strong> for{' '}
              {counted(data.summary.rows.quoted, 'shipment')}
              {data.summary.rows.faulted === 0
                ? ''
                : `, without the ${counted(data.summary.rows.faulted, 'row')} with a problem`}
              .
            </>
          )}
        </p>
      </div>
      <Show of={loaded} lines={6} label="Loading what can be compared">
        {({ batch, summary, choices }) =>
          batch.status === 'completed' ? (
            <ServiceNames of={choices.services}>
              <Doubts doubts={doubtsIn(summary, summary.rows.quoted)} />
              <Form batch={batch} choices={choices} />
            </ServiceNames>
          ) : (
            <NotReady batch={batch} />
          )
        }
      </Show>
    </>
  );
};

export default WhatIfPage;
