/** What few lists need to be told: how the file is written, and what the output has beside the usual. */
import type { Preview } from '../calls.ts';
import { Checkbox, type Option, Select, TextField } from '../ui/field.tsx';
import type { ListOptions } from './list-options.ts';

interface MoreOptionsProps {
  readonly preview: Preview | undefined;
  readonly said: ListOptions;
  readonly onSaid: (said: ListOptions) => void;
  readonly isWorkbook: boolean;
}

const ENCODINGS: readonly Option[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 (older Excel)' },
  { value: 'utf-16le', label: 'UTF-16, little end first' },
  { value: 'utf-16be', label: 'UTF-16, big end first' },
];
const DELIMITERS: readonly Option[] = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
  { value: '|', label: 'Bar |' },
];
const labelIn = (options: readonly Option[], value: string | undefined): string =>
  options.find((option) => option.value === value)?.label ?? '';
const asFound = (options: readonly Option[], found: string | undefined): readonly Option[] => [
  { value: '', label: found === undefined ? 'As found' : `As found: ${labelIn(options, found)}` },
  ...options,
];

export const MoreOptions = ({ preview, said, onSaid, isWorkbook }: MoreOptionsProps) => (
  <section class="panel" aria-labelledby="more-options">
    <h2 id="more-options">How it is read, and what comes back</h2>
    <div class="mapping">
      {isWorkbook ? (
        <TextField
          label="Sheet"
          value={said.sheet}
          onChange={(sheet) => onSaid({ ...said, sheet })}
          hint="By name or number; the first unless said."
        />
      ) : (
        <>
          <Select
            label="Characters"
            value={said.encoding}
            options={asFound(ENCODINGS, said.encoding === '' ? preview?.dialect.encoding : undefined)}
            onChange={(encoding) => onSaid({ ...said, encoding })}
          />
          <Select
            label="Between the cells"
            value={said.delimiter}
            options={asFound(DELIMITERS, said.delimiter === '' ? preview?.dialect.delimiter : undefined)}
            onChange={(delimiter) => onSaid({ ...said, delimiter })}
          />
        </>
      )}
    </div>
    <div class="stack small">
      <Checkbox
        label="Compare all services"
        hint="Adds a column with the net charge of each service, and which is the cheapest."
        checked={said.allServices}
        onChange={(allServices) => onSaid({ ...said, allServices })}
      />
      <Checkbox
        label="Explain each price"
        hint="Adds columns that say how each charge came about."
        checked={said.explain}
        onChange={(explain) => onSaid({ ...said, explain })}
      />
    </div>
  </section>
);
