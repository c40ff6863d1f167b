/** The options of the quote form. */
import { Checkbox, Select, TextField } from '../ui/controls.tsx';
import { FORM_OPTIONS, type OptionsDraft } from './draft.ts';

/** What is chosen, then what is typed, then what is ticked. */
const ORDER = ['choice', 'dollars', 'flag'] as const;
const ORDERED = ORDER.flatMap((kind) => FORM_OPTIONS.filter((option) => option.kind === kind));

interface OptionsProps {
  readonly options: OptionsDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (options: OptionsDraft) => void;
}

interface ControlProps extends OptionsProps {
  readonly option: (typeof FORM_OPTIONS)[number];
}

const Control = ({ option: { member, path, kind, form }, options, problems, onChange }: ControlProps) => {
  const { label, hint, choices = {} } = form;
  const change = (value: string | boolean): void => onChange({ ...options, [member]: value });
  const value = String(options[member] ?? '');
  const error = problems.get(path);
  if (kind === 'flag')
    return <Checkbox label={label} hint={hint} checked={options[member] === true} onChange={change} />;
  if (kind === 'dollars')
    return <TextField {...{ label, hint, value, error }} inputMode="decimal" autocomplete="off" onChange={change} />;
  const entries = Object.entries(choices).map(([own, text]) => ({ value: own, label: text }));
  return <Select {...{ label, value, error }} options={[{ value: '', label: 'None' }, ...entries]} onChange={change} />;
};

export const Options = (props: OptionsProps) => (
  <fieldset class="stack ruled">
    <legend>Options</legend>
    {ORDERED.map((option) => (
      <Control key={option.member} {...props} option={option} />
    ))}
  </fieldset>
);
