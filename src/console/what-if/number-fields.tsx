/** A number for all services, or one for each. */
import { Segments, TextField } from '../ui/controls.tsx';
import { type ServiceChoice, serviceLabel } from './choices.ts';
import type { NumberDraft, Typed } from './draft.ts';

interface ByServiceProps {
  readonly label: string;
  readonly services: readonly ServiceChoice[];
  readonly values: Typed;
  readonly inputMode: 'numeric' | 'decimal';
  readonly onChange: (values: Typed) => void;
}

export const ByService = ({ label, services, values, inputMode, onChange }: ByServiceProps) => (
  <fieldset class="fields">
    <legend>{label}</legend>
    {services.map((service) => (
      <TextField
        key={service.code}
        label={serviceLabel(service)}
        inputMode={inputMode}
        autocomplete="off"
        value={values[service.code] ?? ''}
        onChange={(value) => onChange({ ...values, [service.code]: value })}
      />
    ))}
  </fieldset>
);

interface NumberFieldsProps {
  /** Such as `Fuel surcharge, %`. */
  readonly label: string;
  readonly hint: string;
  readonly services: readonly ServiceChoice[];
  readonly draft: NumberDraft;
  readonly inputMode: 'numeric' | 'decimal';
  readonly onChange: (draft: NumberDraft) => void;
}

const BY = [
  { value: 'all', label: 'All services' },
  { value: 'service', label: 'By service' },
];

export const NumberFields = ({ label, hint, services, draft, inputMode, onChange }: NumberFieldsProps) => (
  <>
    <Segments
      label={`${label}: for which services`}
      options={BY}
      value={draft.by}
      onChange={(by) => onChange({ ...draft, by: by === 'all' ? 'all' : 'service' })}
    />
    {draft.by === 'all' ? (
      <div class="limited">
        <TextField
          label={label}
          hint={hint}
          inputMode={inputMode}
          autocomplete="off"
          value={draft.value}
          onChange={(value) => onChange({ ...draft, value })}
        />
      </div>
    ) : (
      <>
        <ByService
          label={label}
          services={services}
          values={draft.values}
          inputMode={inputMode}
          onChange={(values) => onChange({ ...draft, values })}
        />
        <p class="hint">Services without a number stay as they are.</p>
      </>
    )}
  </>
);
