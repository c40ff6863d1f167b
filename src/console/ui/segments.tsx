/** One of a few, all in sight: radio buttons that look like one bar. */
import { useId } from 'preact/hooks';
import type { Option } from './field.tsx';

interface SegmentsProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const Segments = ({ label, options, value, onChange }: SegmentsProps) => {
  const name = useId();
  return (
    <fieldset class="segments">
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
