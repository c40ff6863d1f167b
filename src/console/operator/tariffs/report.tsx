/** The report of an import: problems, ordered by severity, and then what each file contained. */
import type { TariffDraftBody } from '../../calls.ts';
import { CoverageTable } from '../../tariffs/tariff-list.tsx';
import { Lines } from '../../ui/feedback.tsx';
import { counted } from '../../ui/format.ts';
import { Panel } from '../../ui/kit.tsx';

type Imported = NonNullable<TariffDraftBody['imported']>;
type Report = Imported['report'];
type Part = Report['errors'];

const LineList = ({ count, lines }: Part) => (
  <Lines class="lines" of={lines}>
    {count > lines.length ? <li>and {counted(count - lines.length, 'more line', 'more lines')}</li> : null}
  </Lines>
);

interface Kind {
  readonly title: string;
  readonly hint: string;
  readonly mark: 'bad' | 'warn' | '';
  readonly isOpen?: boolean;
  readonly lines: (report: Report) => Part;
}

const all = (lines: readonly string[]): Part => ({ count: lines.length, lines: [...lines] });

/** The kinds of lines in a report, most severe first. */
const KINDS: readonly Kind[] = [
  {
    title: 'Errors',
    hint: 'The tariff cannot be published with them.',
    mark: 'bad',
    isOpen: true,
    lines: ({ errors }) => errors,
  },
  {
    title: 'Cells that could not be read',
    hint: 'They are empty in the tariff.',
    mark: 'warn',
    isOpen: true,
    lines: ({ unreadable }) => unreadable,
  },
  {
    title: 'Contradictions',
    hint: 'Files state different values for the same thing. The tariff has the first one.',
    mark: 'warn',
    isOpen: true,
    lines: ({ contradictions }) => contradictions,
  },
  {
    title: 'Warnings',
    hint: 'What is missing, old or unusual. The tariff can be published with them.',
    mark: 'warn',
    lines: ({ warnings }) => warnings,
  },
  {
    title: 'Kept from earlier imports',
    hint: 'The tariff with this name already had them.',
    mark: '',
    lines: ({ earlier, replaced }) => all([...earlier, ...replaced]),
  },
  {
    title: 'Your decisions, kept',
    hint: 'The tariff with this name differs from its files in these places.',
    mark: '',
    lines: ({ decisions }) => all(decisions),
  },
];

const FileReport = ({ file, kind, effective, taken, notes, notTaken }: Report['files'][number]) => (
  <details>
    <summary>
      <span class="roomy">{file}</span>{' '}
      <span class="hint">
        {kind}
        {effective === null ? '' : `, from ${effective}`}
        {taken.count === 0 ? '; nothing was imported' : ''}
      </span>
    </summary>
    {taken.count === 0 ? null : <LineList {...taken} />}
    {notes.count === 0 ? null : (
      <>
        <h4>Notes</h4>
        <LineList {...notes} />
      </>
    )}
    {notTaken.count === 0 ? null : (
      <>
        <h4>Not imported, because a quote does not have the information</h4>
        <LineList {...notTaken} />
      </>
    )}
  </details>
);

/** Formats `No errors, 14 warnings.` */
const summaryOf = ({ errors, doubts, report, services }: Imported): string => {
  const parts = [
    counted(services.length, 'service'),
    errors === 0 ? 'no errors' : counted(errors, 'error'),
    ...(doubts === 0 ? [] : [counted(doubts, 'doubt')]),
    counted(report.warnings.count, 'warning'),
  ];
  return `${parts.join(', ')}.`;
};

export const ReportPanel = ({ imported }: { readonly imported: Imported }) => {
  const { report, coverage, tariff, services } = imported;
  return (
    <Panel title="Report of the import" lead={summaryOf(imported)}>
      <div class="stack small">
        {KINDS.map(({ title, hint, mark, isOpen = false, lines: linesOf }) => {
          const lines = linesOf(report);
          return lines.count === 0 ? null : (
            <details key={title} open={isOpen}>
              <summary>
                {title} <span class={`mark ${mark}`}>{lines.count}</span>
              </summary>
              <p class="hint">{hint}</p>
              <LineList {...lines} />
            </details>
          );
        })}
        <details>
          <summary>
            What each file provided <span class="mark">{report.files.length}</span>
          </summary>
          <div class="stack small">
            {report.files.map((file) => (
              <FileReport key={file.file} {...file} />
            ))}
          </div>
        </details>
        {coverage === null || tariff === null ? null : (
          <details class="drafts">
            <summary>
              What prices include <span class="mark">{counted(coverage.services.length, 'service')}</span>
            </summary>
            <CoverageTable
              name={tariff.split('@')[0] ?? tariff}
              coverage={coverage}
              known={services.map(({ code, carrier }) => ({ code, carrier, name: code }))}
            />
          </details>
        )}
      </div>
    </Panel>
  );
};
