/** The options of the quote form. */
import { Checkbox, Select, TextField } from '../ui/controls.tsx';
import { type OptionsDraft, PATHS } from './draft.ts';

const SIGNATURES = [
  { value: '', label: 'None' },
  { value: 'indirect', label: 'Indirect: a neighbor may sign' },
  { value: 'direct', label: 'Direct: somebody at the address' },
  { value: 'adult', label: 'Adult: somebody of at least 21 years' },
];

interface OptionsProps {
  readonly options: OptionsDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (options: OptionsDraft) => void;
}

export const Options = ({ options, problems, onChange }: OptionsProps) => {
  const change = (part: Partial<OptionsDraft>): void => onChange({ ...options, ...part });
  return (
    <fieldset class="package">
      <legend>Options</legend>
      <Select
        label="Signature"
        value={options.signature}
        options={SIGNATURES}
        error={problems.get(PATHS.signature)}
        onChange={(signature) => change({ signature })}
      />
      <TextField
        label="Declared value, USD"
        hint="Of the whole shipment."
        inputMode="decimal"
        autocomplete="off"
        value={options.declaredValue}
        error={problems.get(PATHS.declaredValue)}
        onChange={(declaredValue) => change({ declaredValue })}
      />
      <Checkbox label="Saturday delivery" checked={options.saturday} onChange={(saturday) => change({ saturday })} />
      <Checkbox
        label="Non-standard packaging"
        hint="Such as a crate, a drum or a tire."
        checked={options.nonStandardPackaging}
        onChange={(nonStandardPackaging) => change({ nonStandardPackaging })}
      />
    </fieldset>
  );
};
