/** Buttons, form fields and segmented controls. */
import { type ComponentChildren, h, type TargetedEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly submit?: boolean;
  readonly disabled?: boolean;
  /** Working. Ignores clicks. */
  readonly busy?: boolean;
}

export const Button = ({ children, onClick, kind = 'plain', submit, disabled, busy = false }: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    class={`button ${kind}`}
    onClick={busy ? undefined : onClick}
    disabled={disabled}
    aria-disabled={busy || undefined}
    aria-busy={busy}
  >
    {children}
  </button>
);

interface LinkButtonProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain';
  /** Set if the link downloads a file. A text is the name of the file. Otherwise the service names it. */
  readonly download?: boolean | string;
}

export const LinkButton = ({ href, children, kind = 'plain', download = false }: LinkButtonProps) => (
  <a class={`button ${kind}`} href={href} download={download === true ? '' : download === false ? undefined : download}>
    {children}
  </a>
);

/** A button that opens a list of links or buttons. A choice, Escape, or a click outside closes the list. */
export const Menu = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => {
  const ref = useRef<HTMLDetailsElement>(null);
  const close = (): void => ref.current?.removeAttribute('open');
  useEffect(() => {
    const beside = ({ target }: Event): void => {
      if (target instanceof Node && ref.current?.contains(target) === false) close();
    };
    document.addEventListener('click', beside);
    return () => document.removeEventListener('click', beside);
  }, []);
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || ref.current?.open !== true) return;
    close();
    ref.current.querySelector('summary')?.focus();
  };
  return (
    <details class="menu" ref={ref} onKeyDown={key}>
      <summary class="button">{label}</summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that presses a link or a button makes a click, too */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links and buttons in it are what is pressed */}
      <div class="menu-items card" onClick={close}>
        {children}
      </div>
    </details>
  );
};

const MESSAGE_MS = 2_000;

/** Copies text to the clipboard and confirms it, or says that the browser forbids it. */
interface CopyButtonProps {
  readonly text: string;
  readonly label?: string;
  readonly kind?: 'primary' | 'quiet';
}

export const CopyButton = ({ text, label = 'Copy', kind = 'quiet' }: CopyButtonProps) => {
  const [message, setMessage] = useState<string>();
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => setMessage(undefined), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied');
    } catch {
      setMessage('Select and copy by hand');
    }
  };
  return (
    <button type="button" class={`button ${kind}`} onClick={() => void copy()}>
      <span aria-live="polite">{message ?? label}</span>
    </button>
  );
};

interface FieldText {
  /** For links to the control. */
  readonly id?: string | undefined;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** The problem of the value. */
  readonly error?: string | undefined;
  /** Only screen readers get the label, because the place of the field makes its meaning clear. */
  readonly labelHidden?: boolean | undefined;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

interface FieldProps extends FieldText {
  readonly children: (described: Described) => ComponentChildren;
}

/** A label, a control, a hint and an error. */
const Field = ({ id: given, label, hint, error, labelHidden, children }: FieldProps) => {
  const own = useId();
  const id = given ?? own;
  const notes = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div class="field">
      <label for={id} class={labelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': notes === '' ? undefined : notes, 'aria-invalid': error !== undefined })}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
};

export interface TextFieldProps extends FieldText {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'date' | 'time';
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | undefined;
  /** What a browser may fill in. */
  readonly autocomplete?: 'username' | 'current-password' | 'name' | 'off';
  readonly required?: boolean;
  readonly readOnly?: boolean;
  readonly maxLength?: number | undefined;
  readonly placeholder?: string | undefined;
  /** Number of lines at first, for a text of several lines. */
  readonly lines?: number;
}

export const TextField = (props: TextFieldProps) => {
  const { value, onChange, type = 'text', lines, id, label, hint, error, labelHidden, ...rest } = props;
  const onInput = (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>): void =>
    onChange(event.currentTarget.value);
  const control = (described: Described) => {
    const input = { ...described, ...rest, class: 'input', value, onInput, spellcheck: false };
    // JSX has the types of inputs one by one.
    return lines === undefined ? h('input', { ...input, type }) : <textarea {...input} rows={lines} />;
  };
  return <Field {...{ id, label, hint, error, labelHidden }}>{control}</Field>;
};

/** What is typed until its value changes. An effect would set it too late and lose what is typed meanwhile. */
export const useTyped = (value: string) => {
  const [typed, setTyped] = useState({ text: value, of: value });
  /** @param of the value that the text stands for */
  const type = (text: string, of = value): void => setTyped({ text, of });
  return [typed.of === value ? typed.text : value, type] as const;
};

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectProps extends FieldText {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

export const Select = ({ value, options, onChange, ...text }: SelectProps) => (
  <Field {...text}>
    {(described) => (
      <select {...described} class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckboxProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export const Checkbox = ({ label, hint, checked, onChange }: CheckboxProps) => {
  const id = useId();
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** A choice between a few options, side by side. Only screen readers get the label. */
export const Segments = ({ label, options, value, onChange }: Omit<SelectProps, 'hint' | 'error' | 'labelHidden'>) => {
  const name = useId();
  return (
    <fieldset class="segments screen-only">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span class="segment">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
};
