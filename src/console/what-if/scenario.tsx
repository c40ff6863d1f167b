/** A scenario while it is filled in: its presets, its name, what is sent, its problems, and its card in the form. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Scenario } from '../../lists/comparison/scenario.ts';
import { Button, Segments, TextField } from '../ui/controls.tsx';
import { Fields, type FormField, type Typed } from '../ui/form.tsx';
import { allOf, capital, count, counted } from '../ui/format.ts';
import { ALL_BY_ONE, CHANGES, type ChangeKind, LIST_PRICES, wayAt, waysOf } from './changes.ts';
import { type Choices, comingTariffs, servicesOf, tariffName, warehouseName } from './choices.ts';

/** Input stays when the user chooses another way. */
export interface Draft {
  readonly key: number;
  /** Null: the name is made from the changes. */
  readonly name: string | null;
  readonly kinds: readonly ChangeKind[];
  readonly typed: Typed;
}

export interface Preset {
  readonly label: string;
  readonly hint: string;
  readonly begin: Partial<Draft>;
}

const comingYear = (choices: Choices, today: Date): string => {
  const years = new Set(comingTariffs(choices).map(({ effectiveDate }) => Number(effectiveDate.slice(0, 4))));
  return years.size === 1 && years.has(today.getFullYear() + 1) ? 'Next year’s rates' : 'Upcoming rates';
};

/** The most common questions. */
export const presetsOf = (choices: Choices, today: Date): readonly Preset[] => {
  const coming = comingTariffs(choices);
  const year = comingYear(choices, today);
  const preset = (label: string, hint: string, kinds: readonly ChangeKind[], typed: Typed = {}): Preset => ({
    ...{ label, hint },
    begin: { kinds, typed },
  });
  const rates = preset(
    year,
    `Each shipment at the rates of ${allOf(coming.map(tariffName))}.`,
    ['rates'],
    Object.fromEntries(coming.map(({ id }) => [`tariff.${id}`, 'true'])),
  );
  const { warehouses, agreements, tariffs, occurring, hasTransit } = choices;
  const services = servicesOf(tariffs.filter(({ inForce }) => inForce === 'now'));
  const carriers = [...new Set(agreements.map(({ carrier }) => carrier))];
  const [most] = occurring;
  const number = occurring.reduce((sum, { shipments }) => sum + shipments, 0);
  const each = `each of ${counted(number, 'shipment')}`;
  const name =
    choices.services.find(({ shippingService }) => shippingService === most?.code)?.description || most?.code;
  const now = most === undefined ? '' : ` Now ${count(most.shipments)} of ${count(number)} go by ${name}.`;
  const cheapest = `The cheapest of ${counted(services.length, 'service')} for ${each}, whatever service its row names.`;
  const quick = `The cheapest service that takes at most 3 business days, for ${each}.`;
  const best = `The best of ${allOf(warehouses.map(warehouseName))} for ${each}.`;
  const saves = `Shows what your ${allOf(carriers)} ${agreements.length === 1 ? 'agreement saves' : 'agreements save'}.`;
  return [
    preset('Cheapest service for each shipment', cheapest, ['services']),
    preset(ALL_BY_ONE, `You choose which.${now}`, ['services'], { [wayAt('services')]: ALL_BY_ONE }),
    hasTransit && preset('Cheapest within 3 days', quick, ['services', 'deadline']),
    coming.length > 0 && { ...rates, begin: { ...rates.begin, name: year } },
    warehouses.length > 1 && preset('From the cheapest warehouse', best, ['origin']),
    agreements.length > 0 && preset('At list prices', saves, ['agreement'], { [wayAt('agreement')]: LIST_PRICES }),
    preset('Something else', 'Other rates, discounts, a day, a divisor, fuel: one or several together.', []),
  ].filter((own) => own !== false);
};

const changesIn = ({ kinds }: Draft) => CHANGES.filter(({ kind }) => kinds.includes(kind));

/** The changes of a draft with their current input. */
const chosenIn = (draft: Draft, choices: Choices) =>
  changesIn(draft).map((change) => ({ kind: change.kind, ...waysOf(change, draft.typed, choices).way }));

/** The service's limit on the length of a name. */
const NAME_CHARACTERS = 60;

/** Makes a name from the scenario's changes. */
const madeName = (draft: Draft, choices: Choices): string => {
  const words = chosenIn(draft, choices)
    .map((way) => way.words)
    .filter((text) => text !== '');
  if (words.length === 0) return 'Scenario';
  const named = words.map((_, at) => {
    const more = at === 0 ? '' : ` and ${counted(at, 'more', 'more')}`;
    return capital(`${words.slice(0, words.length - at).join(', ')}${more}`);
  });
  const name = named.find(({ length }) => length <= NAME_CHARACTERS) ?? capital(words[0] ?? '');
  return name.length <= NAME_CHARACTERS ? name : `${name.slice(0, NAME_CHARACTERS - 1)}…`;
};

/** Problems by the kind of change, by `name`, or by an empty key. */
export type Problems = ReadonlyMap<string, string>;

/** The scenario as it is sent, and its problems. */
export const scenarioOf = (draft: Draft, choices: Choices) => {
  const problems = new Map<string, string>();
  if (draft.kinds.length === 0) problems.set('', 'Choose what changes.');
  let scenario: Scenario = { name: draft.name?.trim() || madeName(draft, choices) };
  for (const { kind, sent } of chosenIn(draft, choices)) {
    if (typeof sent === 'string') problems.set(kind, sent);
    else scenario = { ...scenario, ...sent };
  }
  return { scenario, problems };
};

const MEMBER = /^scenarios\[(\d+)\](?:\.([A-Za-z]+))?/;

/** The problems that the service names, by scenario index. Problems of no scenario have the index -1. */
export const problemsIn = (named: Readonly<Record<string, unknown>>): ReadonlyMap<number, Problems> => {
  const problems = new Map<number, Map<string, string>>();
  for (const [path, message] of Object.entries(named)) {
    const [, index = -1, member = ''] = MEMBER.exec(path) ?? [];
    const own = problems.get(Number(index)) ?? new Map<string, string>();
    const change = CHANGES.find(({ members }) => members.some((name) => name === member));
    problems.set(Number(index), own.set(change?.kind ?? (member === 'name' ? member : ''), String(message)));
  }
  return problems;
};

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
  const { typed } = draft;
  const setTyped = (next: Draft['typed']): void => onChange({ ...draft, typed: next });
  const { kind, label, ask } = change;
  const { ways, way } = waysOf(change, typed, choices);
  const { label: chosen = '', hint, legend, fields = [] } = way;
  const labels = ways.flatMap((way) => way.label ?? []).map((own) => ({ value: own, label: own }));
  const problem = problems.get(kind);
  const atField = fields.length === 1 && problem !== undefined;
  const own: Typed = Object.fromEntries(atField ? fields.map(({ at }) => [at, problem]) : []);
  const shown = fields.length === 0 ? null : <Fields fields={fields} form={{ typed, setTyped }} problems={own} />;
  return (
    <fieldset class="stack ruled what-if-change">
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
      <Problem text={atField ? undefined : problem} />
    </fieldset>
  );
};

const KINDS: FormField = {
  ...{ at: 'kinds', type: 'checks', label: 'What changes' },
  options: CHANGES.map(({ kind, label }) => ({ value: kind, label })),
};
const kindsIn = ({ kinds = '' }: Typed): readonly ChangeKind[] =>
  CHANGES.map(({ kind }) => kind).filter((kind) => kinds.split(' ').includes(kind));

export const ScenarioCard = (props: ScenarioCardProps) => {
  const { draft, number, choices, problems, isNew, onChange, onRemove } = props;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew) return;
    card.current?.scrollIntoView({ block: 'nearest' });
    card.current?.focus({ preventScroll: true });
  }, [isNew]);
  const { kinds } = draft;
  const name = madeName(draft, choices);
  const [isOpen, setOpen] = useState(true);
  // A complete scenario is one line while the user works on another.
  useEffect(() => setOpen(isNew || scenarioOf(draft, choices).problems.size > 0), [isNew, problems]);
  return (
    <section class="panel what-if-scenario" aria-label={`Scenario ${number}`} ref={card} tabIndex={-1}>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class="anywhere">
          Scenario {number}: <strong>{draft.name ?? name}</strong>
          {draft.name === null || draft.name === name || kinds.length === 0 ? null : <span class="hint"> {name}</span>}
        </summary>
        <div class="stack">
          <div class="search">
            <TextField
              label="Name"
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
          <div>
            <Fields
              fields={[KINDS]}
              form={{
                typed: { kinds: kinds.join(' ') },
                setTyped: (typed) => onChange({ ...draft, kinds: kindsIn(typed) }),
              }}
              problems={{}}
            />
            <Problem text={problems.get('')} />
          </div>
          {changesIn(draft).map((change) => (
            <OneChange key={change.kind} {...{ change, draft, choices, problems, onChange }} />
          ))}
        </div>
      </details>
    </section>
  );
};
