/** How the file is read: its sheet, the header row, its encoding and separator, and the services that names in the list mean. */
import type { Preview } from '../calls.ts';
import { Button, type Option, Select, TextField } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import { counted } from '../ui/format.ts';
import { Panel, Rows } from '../ui/kit.tsx';
import { serviceOptions } from '../ui/service-names.tsx';
import { useList, usePreviewed } from './list-work.ts';
import { isUnknown, orderColumnsIn, SERVICE_NAMES } from './next-step.ts';

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
  { value: '', label: 'Enclose cells' },
  { value: 'none', label: 'Are part of the text' },
];
const DECIMALS: readonly Option[] = [
  { value: '', label: 'Period: 1250.5' },
  { value: 'point', label: 'Period: 1,250.5' },
  { value: 'comma', label: 'A comma: 1.250,5' },
];
const DATES: readonly Option[] = [
  { value: '', label: 'Year-month-day: 2026-06-01' },
  { value: 'mdy', label: 'Month, day, year: 6/1/2026' },
  { value: 'dmy', label: 'Day, month, year: 1/6/2026' },
  { value: 'ymd', label: 'Year, month, day: 2026/6/1' },
];
const WEIGHTS: readonly Option[] = [
  { value: '', label: 'What the column’s name says' },
  { value: 'package', label: 'Each package' },
  { value: 'shipment', label: 'The whole shipment' },
];
const labelIn = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;
const asFound = (options: readonly Option[], found: string | undefined): readonly Option[] => [
  { value: '', label: found === undefined ? 'Detect' : `Detected: ${labelIn(options, found)}` },
  ...options,
];

/** Text about the sheet in use. @param chosen empty if the service chose the sheet */
const sheetHint = (sheets: Preview['sheets'], chosen: string): string | undefined => {
  const [first] = sheets;
  if (sheets.length === 1) return 'The only sheet.';
  return chosen === '' && first?.isRead === false
    ? `“${first.name}” does not look like a list, so the next sheet that does is read.`
    : undefined;
};

const Sheet = () => {
  const { preview, options, choose } = useList();
  const sheets = preview?.sheets ?? [];
  const name = sheets.find(({ isRead }) => isRead)?.name;
  // A different sheet has a different header.
  const read = (sheet: string): void => choose({ sheet, header_row: '' });
  return name === undefined ? (
    <TextField
      label="Sheet"
      value={options.sheet}
      onChange={read}
      hint="By name or number. Empty: the first sheet that looks like a list."
    />
  ) : (
    <Select
      label="Sheet"
      value={name}
      options={sheets.map((sheet) => ({ value: sheet.name, label: sheet.name }))}
      onChange={read}
      hint={sheetHint(sheets, options.sheet)}
    />
  );
};

/** A row number from 1 to 100, or nothing. */
const ROW = /^(?:[1-9]\d?|100)?$/;

/** How the list is read, in one line: `Comma-separated · column names in line 3 · 9 of 30 columns used`. */
export const readingText = (preview: Preview, kind: string | undefined): string => {
  const { sheets, dialect, headerRow, columns, mapping } = preview;
  return [
    kind === undefined
      ? `${labelIn(DELIMITERS, dialect.delimiter)}-separated`
      : `Sheet “${sheets.find(({ isRead }) => isRead)?.name}”`,
    `column names in line ${headerRow}`,
    `${columns.length + orderColumnsIn(preview).length} of ${counted(mapping.columnCount, 'column')} used`,
  ]
    .filter((text) => kind !== 'parquet' || text.endsWith('used'))
    .join(' · ');
};

/** Offers the row that seems to be the header. */
export const Suggestion = () => {
  const { preview, choose } = useList();
  const row = preview?.suggestedHeaderRow ?? null;
  if (row === null) return null;
  return (
    <Notice announced kind="warning" title={`The column names seem to be in line ${row}`}>
      <p>The lines above look like a title.</p>
      <Button kind="primary" onClick={() => choose({ header_row: String(row) })}>
        Use line {row} as the header
      </Button>
    </Notice>
  );
};

type Chosen = 'encoding' | 'delimiter' | 'quotes' | 'decimal' | 'date_order' | 'weight_per';

/** @param kind the file's extension, if the file is not text */
export const Reading = ({ kind }: { readonly kind: string | undefined }) => {
  const { preview, options: own, choose } = useList();
  const choice = (name: Chosen, label: string, options: readonly Option[]) => (
    <Select label={label} value={own[name]} options={options} onChange={(value) => choose({ [name]: value })} />
  );
  const detected = (name: 'encoding' | 'delimiter', options: readonly Option[]): readonly Option[] =>
    asFound(options, own[name] === '' ? preview?.dialect[name] : undefined);
  return (
    <Panel title="The file">
      <div class="fields">
        {kind === 'xlsx' ? <Sheet /> : null}
        <TextField
          label="Column names are in line"
          inputMode="numeric"
          value={own.header_row}
          placeholder={String(preview?.headerRow ?? 1)}
          maxLength={3}
          onChange={(row) => {
            if (ROW.test(row)) choose({ header_row: row });
          }}
          hint="Lines above it are skipped."
        />
        {kind === undefined ? (
          <>
            {choice('encoding', 'Encoding', detected('encoding', ENCODINGS))}
            {choice('delimiter', 'Separator', detected('delimiter', DELIMITERS))}
            {choice('quotes', 'Quotes', QUOTES)}
          </>
        ) : null}
        {choice('decimal', 'Decimal separator', DECIMALS)}
        {choice('date_order', 'Ship date format', DATES)}
        {choice('weight_per', 'Weights are for', WEIGHTS)}
      </div>
    </Panel>
  );
};

type Name = Preview['services'][number];

/** Menu values that are not codes. */
const AS_IT_IS = ' ';
const ALL = '';

/** The names that are not service codes. Names that had no service come first, and keep their place when they get one. */
const namesIn = ({ services }: Preview, chosen: Readonly<Record<string, string>>): readonly Name[] => {
  const isFirst = (name: Name): number => Number(isUnknown(name) || chosen[name.name] !== undefined);
  return services
    .filter(({ name, code }) => name !== code)
    .sort((a, b) => isFirst(b) - isFirst(a) || b.rows - a.rows || a.name.localeCompare(b.name));
};

export const ServiceNames = () => {
  const { preview, services: known, options, choose } = usePreviewed();
  const names = namesIn(preview, options.services);
  if (names.length === 0) return null;
  const put = (name: string, value: string): void => {
    const { [name]: _, ...others } = options.services;
    choose({ services: value === AS_IT_IS ? others : { ...others, [name]: value } });
  };
  const asItIs = ({ name, code }: Name): string =>
    options.services[name] === undefined && code !== null
      ? `Recognized: ${code === ALL ? 'all services' : code}`
      : 'Choose a service';
  const nameCell = ({ name, rows }: Name) => (
    <>
      {name} <span class="sub">{counted(rows, 'row')}</span>
    </>
  );
  const menu = (own: Name) => (
    <Select
      label={own.name}
      labelHidden
      value={options.services[own.name] ?? AS_IT_IS}
      options={[
        { value: AS_IT_IS, label: asItIs(own) },
        ...serviceOptions(known),
        { value: ALL, label: 'The cheapest service' },
      ]}
      onChange={(value) => put(own.name, value)}
    />
  );
  const unknown = names.filter(isUnknown).reduce((sum, { rows }) => sum + rows, 0);
  return (
    <section class="panel" aria-labelledby={SERVICE_NAMES}>
      <div class="stack small">
        <h2 id={SERVICE_NAMES} tabIndex={-1}>
          What the service names mean
        </h2>
        <p class="hint">
          {unknown === 0
            ? 'Every name has a service. Check that they are right.'
            : `${counted(unknown, 'row')} read so far ${unknown === 1 ? 'has' : 'have'} a name without a service, and no price. Choose one for each name.`}
        </p>
      </div>
      <div class="choices">
        <Rows
          caption="Service names and their services"
          cards
          cols={[
            ['In your list', nameCell, 'head'],
            ['Service', menu],
          ]}
          of={names}
          keyOf={({ name }) => name}
        />
      </div>
    </section>
  );
};
