/** How the file is read: its sheet, the row with the column names, its encoding and separator. */
import type { Preview } from '../calls.ts';
import { Button, type Option, Select, TextField } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import type { ListOptions } from './list-options.ts';

const ENCODINGS: readonly Option[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252 (older Excel)' },
  { value: 'utf-16le', label: 'UTF-16 little-endian' },
  { value: 'utf-16be', label: 'UTF-16 big-endian' },
];
const DELIMITERS: readonly Option[] = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
  { value: '|', label: 'Vertical bar' },
];
const labelIn = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;
const asFound = (options: readonly Option[], found: string | undefined): readonly Option[] => [
  { value: '', label: found === undefined ? 'Detect' : `Detected: ${labelIn(options, found)}` },
  ...options,
];

interface ReadingProps {
  readonly preview: Preview | undefined;
  readonly listOptions: ListOptions;
  readonly onListOptions: (listOptions: ListOptions) => void;
  readonly isWorkbook: boolean;
}

const Sheet = ({ preview, listOptions, onListOptions }: ReadingProps) => {
  const sheets = preview?.sheets ?? [];
  const read = sheets.find(({ isRead }) => isRead)?.name;
  // Another sheet has another header.
  const choose = (sheet: string): void => onListOptions({ ...listOptions, sheet, headerRow: '' });
  return read === undefined ? (
    <TextField
      label="Sheet"
      value={listOptions.sheet}
      onChange={choose}
      hint="By name or number. Empty: the first sheet."
    />
  ) : (
    <Select
      label="Sheet"
      value={read}
      options={sheets.map(({ name }) => ({ value: name, label: name }))}
      onChange={choose}
      hint={sheets.length === 1 ? 'The only sheet.' : undefined}
    />
  );
};

/** A row from 1 to 100, or nothing. */
const ROW = /^(?:[1-9]\d?|100)?$/;

const HeaderRow = ({ preview, listOptions, onListOptions }: ReadingProps) => (
  <TextField
    label="Column names are in row"
    inputMode="numeric"
    value={listOptions.headerRow}
    placeholder={preview === undefined ? '1' : String(preview.headerRow)}
    maxLength={3}
    onChange={(headerRow) => {
      if (ROW.test(headerRow)) onListOptions({ ...listOptions, headerRow });
    }}
    hint="Rows above it are skipped."
  />
);

/** Offers the row that seems to have the column names. */
const Suggestion = ({ preview, listOptions, onListOptions }: ReadingProps) => {
  const row = preview?.suggestedHeaderRow ?? null;
  if (row === null) return null;
  return (
    <Notice kind="warning" title={`The column names seem to be in row ${row}`}>
      <p>The rows above look like a title. They are skipped then.</p>
      <Button onClick={() => onListOptions({ ...listOptions, headerRow: String(row) })}>Skip the rows above</Button>
    </Notice>
  );
};

export const Reading = (props: ReadingProps) => {
  const { preview, listOptions, onListOptions, isWorkbook } = props;
  return (
    <section class="panel" aria-labelledby="reading">
      <h2 id="reading">How the file is read</h2>
      <Suggestion {...props} />
      <div class="mapping">
        {isWorkbook ? <Sheet {...props} /> : null}
        <HeaderRow {...props} />
        {isWorkbook ? null : (
          <>
            <Select
              label="Encoding"
              value={listOptions.encoding}
              options={asFound(ENCODINGS, listOptions.encoding === '' ? preview?.dialect.encoding : undefined)}
              onChange={(encoding) => onListOptions({ ...listOptions, encoding })}
            />
            <Select
              label="Separator"
              value={listOptions.delimiter}
              options={asFound(DELIMITERS, listOptions.delimiter === '' ? preview?.dialect.delimiter : undefined)}
              onChange={(delimiter) => onListOptions({ ...listOptions, delimiter })}
            />
          </>
        )}
      </div>
    </section>
  );
};
