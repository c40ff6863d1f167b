/** Forms as lists of fields. Each field is named by its path in the request, and a refusal of that path lands on it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../../http/client/fault.ts';
import { Button, Checkbox, type Option, Select, TextField } from './controls.tsx';
import { type Act, Told, useAct } from './kit.tsx';

export interface FormField {
  /** The path in what is sent: `warehouses[0].name`. */
  readonly at: string;
  readonly label: string;
  /** Its name in the sentence of a problem. Default: `The` and the label. */
  readonly name?: string;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string;
  /** The most characters that can be typed. */
  readonly most?: number;
  readonly required?: boolean;
  /** What is ticked is sent as `true`. */
  readonly type?: 'text' | 'date' | 'check' | 'password';
  /** What a browser may fill in. Default: nothing. */
  readonly autocomplete?: 'username' | 'current-password' | 'name';
  readonly readOnly?: boolean;
  /** Only screen readers get the label. */
  readonly labelHidden?: boolean;
  readonly inputMode?: 'numeric' | 'decimal';
  /** Choices in place of a text. */
  readonly options?: readonly Option[];
  /** What stands in the field until something is typed. */
  readonly initial?: string;
  /** What is sent for a text. Undefined: nothing. Default: the text without spaces around it, or nothing if it is empty. */
  readonly value?: (text: string) => unknown;
  /** What is wrong with a text, as a sentence. It is not sent then. */
  readonly wrong?: (text: string) => string | undefined;
}

export type Typed = Readonly<Record<string, string>>;

export interface FormState extends Act {
  readonly typed: Typed;
  readonly setTyped: (typed: Typed) => void;
}

/** What was typed into a form, by field, and its call. */
export const useForm = (): FormState => {
  const [typed, setTyped] = useState<Typed>({});
  return { ...useAct(), typed, setTyped };
};

/** What stands in a field. */
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

/** The codes of services in a text. */
export const codesIn = (text: string): readonly string[] =>
  text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((code) => code !== '');

export type Body = Readonly<Record<string, unknown>>;

const TICKED = 'true';

const sent = (text: string): unknown => (text.trim() === '' ? undefined : text.trim());
const ticked = (text: string): unknown => (text === TICKED ? true : undefined);

/** What a form sends: the values of its fields at their paths. */
export const bodyOf = (fields: readonly FormField[], form: Pick<FormState, 'typed'>): Body => {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = (field.value ?? (field.type === 'check' ? ticked : sent))(textIn(form, field));
    if (value !== undefined) put(body, field.at.split(/[.[\]]+/), value);
  }
  return body;
};

/** A problem as a sentence: `The state is missing.` A label such as `ZIP code` keeps its capitals. */
const sentenceOf = ({ label, name }: FormField, problem: string): string => {
  const ended = /[.!?]$/.test(problem) ? problem : `${problem}.`;
  if (/^[A-Z]/.test(problem)) return ended;
  const small = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  return `${name ?? `The ${small}`} ${ended}`;
};

/** The problems of fields in a refusal, by path, and the refusal without them. */
const landed = (fields: readonly FormField[], under: string, fault: ApiFault | undefined) => {
  const problems: Record<string, string> = {};
  // A fault of who asks names the account as it was sent.
  if (fault === undefined || fault.status === 401) return { problems, rest: fault };
  const others: Record<string, unknown> = {};
  for (const [path, problem] of Object.entries(fault.arguments)) {
    const field = fields.find(({ at }) => path === under + at);
    if (field === undefined || typeof problem !== 'string') others[path] = problem;
    else problems[field.at] = sentenceOf(field, problem);
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
  /** Where in the request the fields are. */
  readonly under?: string;
}

export const Fields = ({ fields, form, problems, under = '' }: FieldsProps) => (
  <>
    {fields.map((field) => {
      const { at, label, hint, options, placeholder, most, required = false, type = 'text', inputMode } = field;
      const { labelHidden = false, autocomplete = 'off', readOnly = false } = field;
      const text = textIn(form, field);
      const props = {
        label,
        hint,
        value: text,
        error: problems[under + at],
        labelHidden,
        onChange: (next: string) => form.setTyped({ ...form.typed, [at]: next }),
      };
      if (type === 'check') {
        const tick = (isOn: boolean): void => props.onChange(isOn ? TICKED : '');
        return <Checkbox key={at} label={label} hint={hint} checked={text === TICKED} onChange={tick} />;
      }
      if (options !== undefined) return <Select key={at} {...props} options={options} />;
      return (
        <TextField
          key={at}
          {...props}
          type={type}
          required={required}
          autocomplete={autocomplete}
          readOnly={readOnly}
          {...(inputMode !== undefined && { inputMode })}
          {...(placeholder !== undefined && { placeholder })}
          {...(most !== undefined && { maxLength: most })}
        />
      );
    })}
  </>
);

interface FormProps {
  readonly fields: readonly FormField[];
  readonly form: FormState;
  /** Sends what was typed. Texts are emptied afterwards; choices and days stay. */
  readonly send: (body: Body) => Promise<unknown>;
  /** The label of the button. */
  readonly action: string;
  readonly kind?: 'primary' | 'plain';
  /** The grid of the fields and the button. */
  readonly class?: string;
  /** Where in the request the fields are: `warehouses[0].`. */
  readonly under?: string;
  /** What screen readers call the form. */
  readonly label?: string;
  /** What stands beside the button. */
  readonly children?: ComponentChildren;
  /** Places the fields when they do not all stand beside the button, which then is below them. */
  readonly layout?: (show: (some: readonly FormField[]) => ComponentChildren) => ComponentChildren;
  readonly told?: typeof Told;
  /** False while there is nothing to send. */
  readonly isReady?: boolean;
}

export const Form = (props: FormProps) => {
  const { fields, form, send, action, kind = 'plain', under = '', label, children, told: Why = Told } = props;
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
  const button = (
    <Button kind={kind} submit busy={form.busy} disabled={props.isReady === false}>
      {action}
    </Button>
  );
  const show = (some: readonly FormField[]) => <Fields fields={some} form={form} problems={all} />;
  return (
    <form ref={ref} class="stack" onSubmit={submit} aria-label={label}>
      {props.layout === undefined ? (
        <div class={props.class}>
          {show(fields)}
          {button}
          {children}
        </div>
      ) : (
        props.layout(show)
      )}
      <Why fault={rest} />
      {props.layout === undefined ? null : (
        <div class="actions start">
          {button}
          {children}
        </div>
      )}
    </form>
  );
};
