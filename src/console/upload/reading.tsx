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
const QUOTES: readonly Option[] = [
  { value: '', label: 'May be around cells' },
  { value: 'none', label: 'Are text: the file quotes no cells' },
];
/** The forms of cells, each with the parameter that names it. */
const FORMS = {
  decimal: {
    label: 'Decimal sign',
    options: [
      { value: '', label: 'A point, and nothing between thousands' },
      { value: 'point', label: 'A point: 1,250.5' },
      { value: 'comma', label: 'A comma: 1.250,5' },
    ],
  },
  date_order: {
    label: 'Ship dates are written',
    options: [
      { value: '', label: 'Year-month-day: 2026-06-01' },
      { value: 'mdy', label: 'Month, day, year: 6/1/2026' },
      { value: 'dmy', label: 'Day, month, year: 1/6/2026' },
      { value: 'ymd', label: 'Year, month, day: 2026/6/1' },
    ],
  },
  weight_per: {
    label: 'A weight is that of',
    options: [
      { value: '', label: 'As the column’s name says' },
      { value: 'package', label: 'Each package' },
      { value: 'shipment', label: 'The whole shipment' },
    ],
  },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly options: readonly Option[] }>>;
const FORM_NAMES = ['decimal', 'date_order', 'weight_per'] as const satisfies readonly (keyof typeof FORMS)[];
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
      <div class="fields">
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
            <Select
              label="Quotes"
              value={listOptions.quotes}
              options={QUOTES}
              onChange={(quotes) => onListOptions({ ...listOptions, quotes })}
            />
          </>
        )}
        {FORM_NAMES.map((name) => (
          <Select
            key={name}
            label={FORMS[name].label}
            value={listOptions[name]}
            options={FORMS[name].options}
            onChange={(value) => onListOptions({ ...listOptions, [name]: value })}
          />
        ))}
      </div>
    </section>
  );
};
