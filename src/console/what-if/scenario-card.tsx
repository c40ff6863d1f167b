/** One scenario: its name, what it changes, and what else it can change. */
import { useEffect, useRef } from 'preact/hooks';
import { Button, TextField } from '../ui/controls.tsx';
import { CHANGE_FIELDS } from './changes.tsx';
import type { Choices } from './choices.ts';
import { CHANGES, type ChangeKind, madeName, NAME_CHARACTERS, type ScenarioDraft } from './draft.ts';
import type { Problems } from './request.ts';

/** The members of a scenario by what they belong to. */
const MEMBERS: Readonly<Record<ChangeKind, readonly string[]>> = {
  rates: ['tariff'],
  agreement: ['agreement', 'discounts'],
  services: ['service', 'serviceMap', 'carrier'],
  origin: ['warehouse'],
  day: ['shipDate'],
  divisor: ['dimensionalFactor'],
  fuel: ['fuel'],
};

interface ScenarioCardProps {
  readonly draft: ScenarioDraft;
  /** From 1. */
  readonly number: number;
  readonly choices: Choices;
  readonly problems: Problems;
  /** It was just added, so the focus moves to it. */
  readonly isNew: boolean;
  readonly onChange: (draft: ScenarioDraft) => void;
  readonly onRemove: () => void;
}

interface OneChangeProps extends Pick<ScenarioCardProps, 'draft' | 'choices' | 'problems' | 'onChange'> {
  readonly kind: ChangeKind;
  readonly label: string;
}

const OneChange = ({ kind, label, draft, choices, problems, onChange }: OneChangeProps) => {
  const Fields = CHANGE_FIELDS[kind];
  const wrong = MEMBERS[kind].flatMap((member) => problems.get(member) ?? []);
  return (
    <fieldset class={wrong.length === 0 ? 'stack ruled what-if-change' : 'stack ruled what-if-change wrong'}>
      <legend>{label}</legend>
      <Fields draft={draft} choices={choices} onChange={(part) => onChange({ ...draft, ...part })} />
      {wrong.map((problem) => (
        <p class="field-error" role="alert" key={problem}>
          {problem}
        </p>
      ))}
      <button
        type="button"
        class="button quiet what-if-remove"
        onClick={() => onChange({ ...draft, kinds: draft.kinds.filter((other) => other !== kind) })}
      >
        Leave as it is<span class="visually-hidden">: {label}</span>
      </button>
    </fieldset>
  );
};

export const ScenarioCard = (props: ScenarioCardProps) => {
  const { draft, number, choices, problems, isNew, onChange, onRemove } = props;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew) return;
    card.current?.scrollIntoView({ block: 'nearest' });
    card.current?.focus({ preventScroll: true });
  }, [isNew]);
  const nothing = problems.get('');
  const left = CHANGES.filter(({ kind }) => !draft.kinds.includes(kind));
  return (
    <section class="panel what-if-scenario" aria-label={`Scenario ${number}`} ref={card} tabIndex={-1}>
      <div class="search">
        <TextField
          label={`Scenario ${number}`}
          value={draft.name ?? madeName(draft, choices)}
          placeholder={madeName(draft, choices)}
          maxLength={NAME_CHARACTERS}
          autocomplete="off"
          error={problems.get('name')}
          onChange={(name) => onChange({ ...draft, name: name === '' ? null : name })}
        />
        <Button kind="quiet" onClick={onRemove}>
          Remove<span class="visually-hidden"> scenario {number}</span>
        </Button>
      </div>
      {CHANGES.filter(({ kind }) => draft.kinds.includes(kind)).map(({ kind, label }) => (
        <OneChange
          key={kind}
          kind={kind}
          label={label}
          draft={draft}
          choices={choices}
          problems={problems}
          onChange={onChange}
        />
      ))}
      {left.length === 0 ? null : (
        <div class="row ruled">
          <span class="hint">{draft.kinds.length === 0 ? 'What changes?' : 'Change also'}</span>
          {left.map(({ kind, label }) => (
            <button
              key={kind}
              type="button"
              class="button what-if-add"
              onClick={() => onChange({ ...draft, kinds: [...draft.kinds, kind] })}
            >
              <span aria-hidden="true">+</span> {label}
            </button>
          ))}
        </div>
      )}
      {nothing === undefined ? null : (
        <p class="field-error" role="alert">
          {nothing}
        </p>
      )}
    </section>
  );
};
