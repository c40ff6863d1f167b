/** One scenario: its name, what it changes, and what else it can change. */
import { useEffect, useRef } from 'preact/hooks';
import { Button, Segments, TextField } from '../ui/controls.tsx';
import { Fields } from '../ui/form.tsx';
import { CHANGES, type ChangeKind, wayAt, waysOf } from './changes.ts';
import type { Choices } from './choices.ts';
import { type Draft, madeName, NAME_CHARACTERS, type Problems } from './scenario.ts';

interface ScenarioCardProps {
  readonly draft: Draft;
  /** Counted from 1. */
  readonly number: number;
  readonly choices: Choices;
  readonly problems: Problems;
  /** Set for a new card, so that it gets the focus. */
  readonly isNew: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onRemove: () => void;
}

const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="field-error" role="alert">
      {text}
    </p>
  );

interface OneChangeProps extends Pick<ScenarioCardProps, 'draft' | 'choices' | 'problems' | 'onChange'> {
  readonly change: (typeof CHANGES)[number];
}

const OneChange = ({ change, draft, choices, problems, onChange }: OneChangeProps) => {
  const { typed, kinds } = draft;
  const setTyped = (next: Draft['typed']): void => onChange({ ...draft, typed: next });
  const { kind, label, ask } = change;
  const { ways, way } = waysOf(change, typed, choices);
  const { label: chosen = '', hint, legend, fields = [] } = way;
  const labels = ways.flatMap((way) => way.label ?? []).map((own) => ({ value: own, label: own }));
  const shown = fields.length === 0 ? null : <Fields fields={fields} form={{ typed, setTyped }} problems={{}} />;
  const wrong = problems.get(kind);
  return (
    <fieldset class={`stack ruled what-if-change ${wrong === undefined ? '' : 'wrong'}`}>
      <legend>{label}</legend>
      {labels.length === 0 ? null : (
        <Segments
          label={ask}
          options={labels}
          value={chosen}
          onChange={(way) => setTyped({ ...typed, [wayAt(kind)]: way })}
        />
      )}
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {legend === undefined ? (
        shown && <div class={fields.length === 1 ? 'limited' : 'fields'}>{shown}</div>
      ) : (
        <fieldset class="fields">
          <legend>{legend}</legend>
          {shown}
        </fieldset>
      )}
      <Problem text={wrong} />
      <button
        type="button"
        class="button quiet what-if-remove"
        onClick={() => onChange({ ...draft, kinds: kinds.filter((other) => other !== kind) })}
      >
        Remove this change<span class="visually-hidden">: {label}</span>
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
  const { kinds } = draft;
  const has = (kind: ChangeKind): boolean => kinds.includes(kind);
  const name = madeName(draft, choices);
  const left = CHANGES.filter(({ kind }) => !has(kind));
  return (
    <section class="panel what-if-scenario" aria-label={`Scenario ${number}`} ref={card} tabIndex={-1}>
      <div class="search">
        <TextField
          label={`Scenario ${number}`}
          value={draft.name ?? name}
          placeholder={name}
          maxLength={NAME_CHARACTERS}
          autocomplete="off"
          error={problems.get('name')}
          onChange={(text) => onChange({ ...draft, name: text === '' ? null : text })}
        />
        <Button kind="quiet" onClick={onRemove}>
          Remove<span class="visually-hidden"> scenario {number}</span>
        </Button>
      </div>
      {CHANGES.filter(({ kind }) => has(kind)).map((change) => (
        <OneChange key={change.kind} {...{ change, draft, choices, problems, onChange }} />
      ))}
      {left.length === 0 ? null : (
        <div class="row ruled">
          <span class="hint">{kinds.length === 0 ? 'What changes?' : 'Also change'}</span>
          {left.map(({ kind, label }) => (
            <button
              key={kind}
              type="button"
              class="button what-if-add"
              onClick={() => onChange({ ...draft, kinds: [...kinds, kind] })}
            >
              <span aria-hidden="true">+</span> {label}
            </button>
          ))}
        </div>
      )}
      <Problem text={problems.get('')} />
    </section>
  );
};
