/** What an import made: its report, with problems ordered by severity, and publishing it. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { TariffChangeBody, TariffDraftBody } from '../../calls.ts';
import { Checkbox } from '../../ui/controls.tsx';
import { Folded, Lines } from '../../ui/feedback.tsx';
import { counted, dayOf, today } from '../../ui/format.ts';
import { Ask, Panel } from '../../ui/kit.tsx';
import { named } from '../part.tsx';
import { Refusal } from './words.tsx';

type Imported = NonNullable<TariffDraftBody['imported']>;
type Report = Imported['report'];
type Part = Report['errors'];

const LineList = ({ count, lines }: Part) => (
  <Lines class="lines" of={lines.map(named)}>
    {count > lines.length ? <li>and {counted(count - lines.length, 'more line', 'more lines')}</li> : null}
  </Lines>
);

/** `open`: the most lines that are shown without a click. */
type Kind = readonly [title: string, mark: string, open: number, lines: (report: Report) => Part, hint?: string];

const all = (lines: readonly string[]): Part => ({ count: lines.length, lines: [...lines] });

const FIRST_COUNTS = 'Where files differ, the tariff has the value of the first.';

/** The kinds of warnings, most severe first, and the most lines that are shown without a click. */
const WARNINGS = [
  ['unpriced', 'Shipments without a price', 8],
  ['incomplete', 'Incomplete prices', 8],
  ['warnings', 'Other warnings', 0],
] as const;

/** The kinds of lines in a report, most severe first. */
const KINDS: readonly Kind[] = [
  ['Errors', 'bad', 200, ({ errors }) => errors, 'The tariff cannot be published with them.'],
  ['Cells that could not be read', 'warn', 200, ({ unreadable }) => unreadable, 'They are empty in the tariff.'],
  ['Contradictions', 'warn', 200, ({ contradictions }) => contradictions, FIRST_COUNTS],
  ...WARNINGS.map(([kind, title, open]): Kind => [title, open > 0 ? 'warn' : '', open, ({ [kind]: lines }) => lines]),
  ['Kept from earlier imports', '', 0, ({ earlier, replaced }) => all([...earlier, ...replaced])],
  ['Your decisions, kept', '', 0, ({ decisions }) => all(decisions), 'There the tariff differs from its files.'],
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
    {Object.entries({ Imported: taken, Notes: notes, 'Not imported, because quotes do not need it': notTaken }).map(
      ([title, part]) =>
        part.count === 0 ? null : (
          <div key={title}>
            <h4>{title}</h4>
            <LineList {...part} />
          </div>
        ),
    )}
  </details>
);

/** Formats `15 services, no errors, 14 warnings.` */
const summaryOf = ({ errors, doubts, report, services }: Imported): string => {
  const parts = [
    counted(services.length, 'service'),
    errors === 0 ? 'no errors' : counted(errors, 'error'),
    ...(doubts === 0 ? [] : [counted(doubts, 'doubt')]),
    counted(
      WARNINGS.reduce((sum, [kind]) => sum + report[kind].count, 0),
      'warning',
    ),
  ];
  return `${parts.join(', ')}.`;
};

export const ReportPanel = ({ imported }: { readonly imported: Imported }) => {
  const { report } = imported;
  return (
    <Panel title="Import report" lead={summaryOf(imported)}>
      <div class="stack small report">
        {KINDS.map(([title, mark, open, linesOf, hint]) => {
          const lines = linesOf(report);
          return lines.count === 0 ? null : (
            <Folded key={title} open={lines.count <= open} title={title} mark={lines.count} kind={mark}>
              {hint === undefined ? null : <p class="hint">{hint}</p>}
              <LineList {...lines} />
            </Folded>
          );
        })}
        <Folded title="What each file provided" mark={report.files.length} box="stack small">
          {report.files.map((file) => (
            <FileReport key={file.file} {...file} />
          ))}
        </Folded>
      </div>
    </Panel>
  );
};

/* Publishing it. A dialog says what changes for whom and from when. The operator ticks each doubt. */

/** If a kind has more lines, one tick accepts them all. */
const MOST_TICKS = 20;

/** What an operator accepts by publishing the draft, by kind: wrong values first, then when it begins, then warnings. */
const doubtsOf = (draft: TariffDraftBody, { report }: Imported) => {
  const from = dayOf(draft.effectiveDate);
  const each = (kind: string, part: Part, most = MOST_TICKS) => ({
    kind,
    lines: part.count > most ? [`Accept all ${part.count}`] : part.lines.map(named),
    all: part.count > most ? part : undefined,
  });
  const begins = [
    ...(draft.effectiveDate < today()
      ? [`It begins on ${from}, in the past: quotes change at once, including those for past ship dates`]
      : []),
    ...report.files.flatMap(({ file, effective }) =>
      effective !== null && effective > draft.effectiveDate
        ? [`${file} is in force from ${dayOf(effective)}, but the draft begins on ${from}`]
        : [],
    ),
    ...(draft.replaces === null ? [] : [`It replaces ${named(draft.replaces)}`]),
  ];
  return [
    each(`Contradictions. ${FIRST_COUNTS}`, report.contradictions),
    each('Cells that could not be read', report.unreadable),
    { kind: 'When it begins', lines: begins, all: undefined },
    each('Shipments without a price', report.unpriced),
    each('Incomplete prices', report.incomplete),
    each('Other warnings', report.warnings, 1),
  ].filter(({ lines }) => lines.length > 0);
};

interface PublishProps {
  readonly draft: TariffDraftBody;
  readonly imported: Imported;
  readonly headline: string | undefined;
  readonly onPublished: (change: TariffChangeBody) => void;
}

export const Publish = ({ draft, imported, headline, onPublished }: PublishProps) => {
  const api = useApi();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { version, replaces, clients } = draft;
  const { tariff, doubts: counts } = imported;
  const doubts = doubtsOf(draft, imported);
  const from = dayOf(draft.effectiveDate);
  const most = doubts.flatMap(({ lines }) => lines).length;
  const tick = (line: string, isTicked: boolean): void =>
    setTicked((before) => new Set([...before, line].filter((one) => isTicked || one !== line)));
  const publish = async (): Promise<void> => {
    const json = { tariff: tariff ?? '', replace: replaces !== null, acceptDoubts: counts > 0, version };
    onPublished(await api.call('POST /ops/tariff-drafts/{id}/publish', { id: draft.id, json }));
  };
  return (
    <Ask
      kind="primary"
      label={`Publish from ${from}${most === 0 ? '' : `: ${most} to check`}`}
      title={`Publish ${draft.name}?`}
      action="Publish the tariff"
      keep="Cancel"
      waits={ticked.size < most ? `${ticked.size} of ${most} checked` : undefined}
      told={Refusal}
      call={publish}
    >
      <p>{headline}</p>
      <p>
        It applies to {clients === 0 ? 'all clients' : counted(clients, 'client')} starting {from}.
        {draft.comparable.length === 0 ? '' : ' It replaces earlier tariffs for its services.'} Running batches keep
        their prices, and you can go back at any time.
      </p>
      {most === 0 ? null : <p>Check each of these before you publish.</p>}
      {doubts.map(({ kind, lines, all: folded }) => (
        <fieldset key={kind} class="stack small">
          <legend>{kind}</legend>
          {folded === undefined ? null : (
            <Folded title={`Show ${folded.count} lines`}>
              <LineList {...folded} />
            </Folded>
          )}
          {lines.map((line) => {
            const key = `${kind} ${line}`;
            return <Checkbox key={key} label={line} checked={ticked.has(key)} onChange={(is) => tick(key, is)} />;
          })}
        </fieldset>
      ))}
    </Ask>
  );
};
