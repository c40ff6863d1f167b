/** Forms as lists of fields. The path in the request identifies a field, and a refusal of that path is shown at the field. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../../http/client/fault.ts';
import { Button, Checkbox, type Option, Select, TextField, type TextFieldProps } from './controls.tsx';
import { FaultNotice } from './feedback.tsx';
import { type Act, type Told, useAct } from './kit.tsx';

type Shared = 'hint' | 'placeholder' | 'required' | 'autocomplete' | 'readOnly' | 'labelHidden' | 'inputMode';

export interface FormField extends Pick<TextFieldProps, Shared> {
  /** The path in the request: `warehouses[0].name`. */
  readonly at: string;
  readonly label: string;
  /** The field in the sentence about its problem. Default: `The` and the label. */
  readonly name?: string;
  /** The maximum number of characters. */
  readonly most?: number;
  /** A ticked box is sent as `true`, the ticked ones of several boxes as a list of their values. */
  readonly type?: 'text' | 'date' | 'time' | 'check' | 'checks' | 'password';
  /** Choices instead of a text. */
  readonly options?: readonly Option[];
  /** The content of the field until something is typed. */
  readonly initial?: string;
  /** The value to send for a text. Undefined: nothing. Default: the trimmed text, or nothing if it is empty. */
  readonly value?: (text: string) => unknown;
  /** The problem of a text, as a sentence. Then nothing is sent. */
  readonly wrong?: (text: string) => string | undefined;
}

export type Typed = Readonly<Record<string, string>>;

export interface FormState extends Act {
  readonly typed: Typed;
  readonly setTyped: (typed: Typed) => void;
}

/** The typed texts of a form, by field, and its call. @param first the texts at first, by field */
export const useForm = (first: Typed = {}): FormState => {
  const [typed, setTyped] = useState(first);
  return { ...useAct(), typed, setTyped };
};

/** The content of a field. */
export const textIn = ({ typed }: Pick<FormState, 'typed'>, { at, initial = '' }: FormField): string =>
  typed[at] ?? initial;

/** Puts a value at a path of names and indexes. */
const put = (body: object, [name = '', ...below]: readonly string[], value: unknown): void => {
  const [next] = below;
  if (next === undefined) {
    Reflect.set(body, name, value);
    return;
  }
  const there: unknown = Reflect.get(body, name);
  const inner = typeof there === 'object' && there !== null ? there : /^\d+$/.test(next) ? [] : {};
  Reflect.set(body, name, inner);
  put(inner, below, value);
};

/** The service codes in a text. */
export const codesIn = (text: string): readonly string[] =>
  text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((code) => code !== '');

export type Body = Readonly<Record<string, unknown>>;

const TICKED = 'true';

const sent = (text: string): unknown => (text.trim() === '' ? undefined : text.trim());
const ticked = (text: string): unknown => (text === TICKED ? true : undefined);
/** The values of the ticked boxes of a field. */
const tickedIn = (text: string): readonly string[] => text.split(' ').filter((value) => value !== '');
const DEFAULTS = { check: ticked, checks: tickedIn } as const;

/** What a form sends: the values of its fields at their paths. */
export const bodyOf = (fields: readonly FormField[], form: Pick<FormState, 'typed'>): Body => {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const { type } = field;
    const value = (field.value ?? (type === 'check' || type === 'checks' ? DEFAULTS[type] : sent))(textIn(form, field));
    if (value !== undefined) put(body, field.at.split(/[.[\]]+/), value);
  }
  return body;
};

/** A problem as a sentence: `The state is missing.` @param subject for a problem that is not a sentence yet */
export const problemText = (subject: string, problem: string): string =>
  `${/^[A-Z]/.test(problem) ? '' : `${subject} `}${problem}${/[.!?]$/.test(problem) ? '' : '.'}`;

/** The field in a sentence. A label such as `ZIP code` keeps its capitals. */
const subjectOf = ({ label, name }: FormField): string =>
  name ?? `The ${/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label}`;

/** The problems of fields in a refusal, by path, and the rest of the refusal. */
const landed = (fields: readonly FormField[], under: string, fault: ApiFault | undefined) => {
  const problems: Record<string, string> = {};
  // A fault of authentication names the account as it was sent.
  if (fault === undefined || fault.status === 401) return { problems, rest: fault };
  const others: Record<string, unknown> = {};
  for (const [path, problem] of Object.entries(fault.arguments)) {
    const field = fields.find(({ at }) => path === under + at);
    if (field === undefined || typeof problem !== 'string') others[path] = problem;
    else problems[field.at] = problemText(subjectOf(field), problem);
  }
  if (Object.keys(problems).length === 0) return { problems, rest: fault };
  const { status, type, message } = fault;
  const rest = new ApiFault(status, type, message, { arguments: others });
  return { problems, rest: Object.keys(others).length === 0 ? undefined : rest };
};

/** Problems by path in the request. */
export type Problems = Readonly<Record<string, string>>;

interface FieldsProps {
  readonly fields: readonly FormField[];
  readonly form: Pick<FormState, 'typed' | 'setTyped'>;
  readonly problems: Problems;
  /** The path of the fields in the request. */
  readonly under?: string;
}

export const Fields = ({ fields, form, problems, under = '' }: FieldsProps) => (
  <>
    {fields.map((field) => {
      const { at, label, hint, labelHidden, options, type = 'text', most: maxLength } = field;
      const { required = false, autocomplete = 'off', readOnly = false, inputMode, placeholder } = field;
      const value = textIn(form, field);
      const error = problems[under + at];
      const onChange = (text: string): void => form.setTyped({ ...form.typed, [at]: text });
      const props = { label, hint, labelHidden, value, error, onChange };
      if (type === 'check') {
        const tick = (isOn: boolean): void => onChange(isOn ? TICKED : '');
        return <Checkbox key={at} label={label} hint={hint} checked={value === TICKED} onChange={tick} />;
      }
      if (type === 'checks') {
        const own = tickedIn(value);
        const tick = (box: string, isOn: boolean): void =>
          onChange([...own.filter((one) => one !== box), ...(isOn ? [box] : [])].join(' '));
        return (
          <fieldset key={at} class="field checks">
            <legend>{label}</legend>
            <div class="row">
              {options?.map((box) => (
                <Checkbox
                  key={box.value}
                  label={box.label}
                  checked={own.includes(box.value)}
                  onChange={(isOn) => tick(box.value, isOn)}
                />
              ))}
            </div>
            {error === undefined ? null : <p class="field-error">{error}</p>}
          </fieldset>
        );
      }
      if (options !== undefined) return <Select key={at} {...props} options={options} />;
      const given = { ...props, type, required, autocomplete, readOnly, inputMode, placeholder, maxLength };
      return <TextField key={at} {...given} />;
    })}
  </>
);

interface FormProps {
  readonly fields: readonly FormField[];
  readonly form: FormState;
  /** Sends what was typed. Then text fields are cleared, but choices and days are kept. */
  readonly send: (body: Body) => Promise<unknown>;
  /** The label of the button. */
  readonly action: string;
  readonly kind?: 'primary' | 'plain';
  /** The layout of the fields and the button. Default: a grid of columns. */
  readonly class?: string;
  /** The path of the fields in the request: `warehouses[0].`. */
  readonly under?: string;
  /** A heading above the form. */
  readonly title?: string;
  /** The name of the form for screen readers. */
  readonly label?: string;
  /** Content next to the button. */
  readonly children?: ComponentChildren;
  /** Arranges the fields if they are not all next to the button. The button is then below them. */
  readonly layout?: (show: (some: readonly FormField[]) => ComponentChildren) => ComponentChildren;
  readonly told?: Told;
  /** False while there is nothing to send. */
  readonly isReady?: boolean;
}

export const Form = (props: FormProps) => {
  const { fields, form, send, action, kind = 'plain', under = '', label, children, told: Why = FaultNotice } = props;
  const ref = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const { problems, rest } = landed(fields, under, form.fault);
  const all = { ...problems, ...wrong };
  const isWrong = Object.keys(all).length > 0;
  useEffect(() => {
    if (isWrong) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form.fault, wrong]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const found = fields.flatMap((field) => {
      const problem = field.wrong?.(textIn(form, field));
      return problem === undefined ? [] : [[field.at, problem] as const];
    });
    setWrong(Object.fromEntries(found));
    if (found.length > 0) return;
    form.run(async () => {
      await send(bodyOf(fields, form));
      const isKept = (at: string): boolean =>
        fields.some((field) => field.at === at && (field.options !== undefined || field.type === 'date'));
      form.setTyped(Object.fromEntries(Object.entries(form.typed).filter(([at]) => isKept(at))));
    });
  };
  const buttons = (
    <>
      <Button kind={kind} submit busy={form.busy} disabled={props.isReady === false}>
        {action}
      </Button>
      {children}
    </>
  );
  const show = (some: readonly FormField[]) => <Fields fields={some} form={form} problems={all} />;
  return (
    <form ref={ref} class="stack" onSubmit={submit} aria-label={label}>
      {props.title === undefined ? null : <h3>{props.title}</h3>}
      {props.layout === undefined ? (
        <div class={props.class ?? 'fields'}>
          {show(fields)}
          {buttons}
        </div>
      ) : (
        props.layout(show)
      )}
      <Why fault={rest} />
      {props.layout === undefined ? null : <div class="actions start">{buttons}</div>}
    </form>
  );
};
