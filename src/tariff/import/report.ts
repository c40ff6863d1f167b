/** What an import says to the operator: what it read, what it could not, what contradicts, what is missing. */
import type { Finding } from '../document.ts';
import type { Assembly, Source } from './import.ts';

/** Columns as people say them: `2-8, 44-46`. */
const columnsText = (columns: readonly string[]): string => {
  const parts: string[] = [];
  for (let from = 0, to = 1; to <= columns.length; to++) {
    if (to < columns.length && Number(columns[to]) === Number(columns[to - 1]) + 1) continue;
    const [first = '', last = ''] = [columns[from], columns[to - 1]];
    parts.push(to - from > 2 ? `${first}-${last}` : columns.slice(from, to).join(', '));
    from = to;
  }
  return parts.join(', ');
};

const sourceLines = ({ file, reading }: Source): string[] => [
  `${file}: ${reading.kind}${reading.effective === undefined ? '' : `, of ${reading.effective}`}`,
  ...reading.rates.map(({ code, table }) => {
    const above = table.centsPerLbAboveTop === undefined ? '' : ', and a price per pound above';
    return `  ${code}: 1-${table.cents.length} lb${above}; zones ${columnsText(table.columns)}`;
  }),
  ...reading.multiweight.map(
    ({ code, table }) =>
      `  ${code}: multiweight from ${table.breaks[0]?.fromLb ?? 0} lb; zones ${columnsText(table.columns)}`,
  ),
  ...reading.charts.map(
    ({ origin, chart }) => `  origin ${origin}: ${chart.rows.length} destinations; ${chart.columns.join(', ')}`,
  ),
  ...reading.surcharges.map(({ type, description }) => `  surcharge ${type}: ${description}`),
  ...reading.areas.map(({ name, list }) => `  areas ${name}: ${list.rows.length} ZIP codes or ranges`),
  ...reading.notes.map((note) => `  note: ${note}`),
];

/** A file that is wrong in every cell is wrong in one way; the report as JSON has them all. */
const MAX_LINES = 500;

const section = (title: string, lines: readonly string[]): string[] => {
  if (lines.length === 0) return [];
  const more = lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more`] : [];
  return ['', `${title}:`, ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`), ...more];
};

export interface ImportReport {
  /** The files of this import. */
  readonly sources: readonly Source[];
  /** Names of those of imports before that still count. */
  readonly earlier: readonly string[];
  /** What newer files took the place of. */
  readonly replaced: readonly string[];
  /** What the operator decided otherwise than the files say. */
  readonly decisions: readonly string[];
  readonly assembly: Assembly;
  /** Of the tariff's own check. */
  readonly findings: readonly Finding[];
}

/** The whole report as text for a person. */
export const reportText = ({ sources, earlier, replaced, decisions, assembly, findings }: ImportReport): string => {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const text = ({ at, message }: Finding): string => `${at}: ${message}`;
  return [
    ...sources.toSorted((a, b) => (a.file < b.file ? -1 : 1)).flatMap(sourceLines),
    ...section('Imported before, and kept', [...earlier, ...replaced]),
    ...section('Decided by the operator, and kept', decisions),
    ...section(
      'Unreadable',
      assembly.unreadable.map((cell) => `${cell.file}, ${cell.at}: ${JSON.stringify(cell.text)}: ${cell.problem}`),
    ),
    ...section('Contradictions', assembly.contradictions),
    ...section('Errors', errors.map(text)),
    ...section('Warnings', [...assembly.warnings, ...warnings.map(text)]),
    '',
  ].join('\n');
};

/** The same for programs. */
export const reportJson = ({ sources, earlier, replaced, decisions, assembly, findings }: ImportReport) => ({
  files: sources.map(({ file, sha256, reading }) => ({
    file,
    sha256,
    kind: reading.kind,
    services: reading.rates.map(({ code, table }) => ({ code, weights: table.cents.length, zones: table.columns })),
    origins: reading.charts.map(({ origin }) => origin),
    areas: reading.areas.map(({ name }) => name),
    notes: reading.notes,
  })),
  earlier,
  replaced,
  decisions,
  unreadable: assembly.unreadable,
  contradictions: assembly.contradictions,
  errors: findings.filter(({ severity }) => severity === 'error'),
  warnings: [
    ...assembly.warnings.map((message) => ({ message })),
    ...findings.filter(({ severity }) => severity === 'warning'),
  ],
});
