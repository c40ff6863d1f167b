/** Fields of forms: label above, what to know below, what is wrong in words beside the field it is about. */
import type { ComponentChildren, TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';

interface Said {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  /** The label is for screen readers alone: the place says what the field is. */
  readonly labelHidden?: boolean;
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** A label, a control and what is said of it. */
const Field = ({
  label,
  hint,
  error,
  labelHidden = false,
  children,
}: Said & { readonly children: (described: Described) => ComponentChildren }) => {
  const id = useId();
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

interface TextFieldProps extends Said {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'date';
  readonly inputMode?: 'text' | 'numeric' | 'decimal';
  readonly autocomplete?: AutoFill;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
}

type AutoFill = 'username' | 'current-password' | 'off';

export const TextField = (props: TextFieldProps) => {
  const { value, onChange, type = 'text', label, hint, error, labelHidden = false, ...rest } = props;
  const onInput = (event: TargetedEvent<HTMLInputElement>): void => onChange(event.currentTarget.value);
  const control = (described: Described) => {
    const input = { ...described, ...rest, class: 'input', value, onInput, spellcheck: false };
    switch (type) {
      case 'password':
        return <input {...input} type="password" />;
      case 'search':
        return <input {...input} type="search" />;
      case 'date':
        return <input {...input} type="date" />;
      default:
        return <input {...input} type="text" />;
    }
  };
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden}>
      {control}
    </Field>
  );
};

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectProps extends Said {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

export const Select = ({ value, options, onChange, ...said }: SelectProps) => (
  <Field {...said}>
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
