/** What an import made: its report, with problems ordered by severity, and publishing it. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { TariffChangeBody, TariffDraftBody } from '../../calls.ts';
import { CoverageTable } from '../../tariffs/tariff-list.tsx';
import { Checkbox } from '../../ui/controls.tsx';
import { Folded, Lines } from '../../ui/feedback.tsx';
import { counted, dayOf, today } from '../../ui/format.ts';
import { Ask, Panel } from '../../ui/kit.tsx';
import { named } from '../part.tsx';
import { percentOf, stayText, type useDifference } from './difference.tsx';
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

/** The kinds of lines in a report, most severe first. */
const KINDS: readonly Kind[] = [
  ['Errors', 'bad', 200, ({ errors }) => errors, 'The tariff cannot be published with them.'],
  ['Cells that could not be read', 'warn', 200, ({ unreadable }) => unreadable, 'They are empty in the tariff.'],
  [
    'Contradictions',
    'warn',
    200,
    ({ contradictions }) => contradictions,
    'The tariff has the value of the first file.',
  ],
  ['Shipments without a price', 'warn', 8, ({ unpriced }) => unpriced],
  ['Incomplete prices', 'warn', 8, ({ incomplete }) => incomplete],
  ['Other warnings', '', 0, ({ warnings }) => warnings, 'What is old, unusual or not used.'],
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

/** The kinds of warnings, most severe first. */
const WARNINGS = ['unpriced', 'incomplete', 'warnings'] as const;

/** Formats `15 services, no errors, 14 warnings.` */
const summaryOf = ({ errors, doubts, report, services }: Imported): string => {
  const parts = [
    counted(services.length, 'service'),
    errors === 0 ? 'no errors' : counted(errors, 'error'),
    ...(doubts === 0 ? [] : [counted(doubts, 'doubt')]),
    counted(
      WARNINGS.reduce((sum, kind) => sum + report[kind].count, 0),
      'warning',
    ),
  ];
  return `${parts.join(', ')}.`;
};

export const ReportPanel = ({ imported }: { readonly imported: Imported }) => {
  const { report, coverage, tariff, services } = imported;
  return (
    <Panel title="Report of the import" lead={summaryOf(imported)}>
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
        {coverage === null || tariff === null ? null : (
          <Folded class="drafts" title="What prices include" mark={counted(coverage.services.length, 'service')}>
            <CoverageTable
              name={tariff.split('@')[0] ?? tariff}
              coverage={coverage}
              known={services.map(({ code, carrier }) => ({ code, carrier, name: code }))}
            />
          </Folded>
        )}
      </div>
    </Panel>
  );
};

/* Publishing it. A dialog says what changes for whom and from when. The operator ticks each doubt. */

type Loaded = ReturnType<typeof useDifference>['loaded'];

/** If a kind has more lines, one tick accepts them all. */
const MOST_TICKS = 20;

interface Doubt {
  readonly label: string;
  readonly hint?: string;
  readonly lines?: readonly string[];
}

/** What an operator should read before publishing the draft: wrong values first, then when it begins, then warnings. */
const doubtsOf = (draft: TariffDraftBody, { report }: Imported): readonly Doubt[] => {
  const from = dayOf(draft.effectiveDate);
  const doubts: Doubt[] = [];
  const add = ({ count, lines }: Part, one: string, many: string, hint?: string): void => {
    if (count > MOST_TICKS) doubts.push({ label: counted(count, one, many), lines: lines.map(named) });
    else doubts.push(...lines.map((line) => ({ label: named(line), ...(hint !== undefined && { hint }) })));
  };
  add(report.contradictions, 'contradiction', 'contradictions', 'The tariff has the first value.');
  add(report.unreadable, 'cell that could not be read', 'cells that could not be read', 'It is empty in the tariff.');
  if (draft.effectiveDate < today())
    doubts.push({
      label: `It begins on ${from}, in the past: quotes change at once, including those for past ship dates`,
    });
  for (const { file, effective } of report.files)
    if (effective !== null && effective > draft.effectiveDate)
      doubts.push({ label: `${file} is in force from ${dayOf(effective)}, but the draft begins on ${from}` });
  if (draft.replaces !== null) doubts.push({ label: `It replaces ${named(draft.replaces)}` });
  for (const kind of WARNINGS) add(report[kind], 'warning', 'warnings');
  return doubts;
};

const Changes = ({ draft, loaded }: { readonly draft: TariffDraftBody; readonly loaded: Loaded }) => {
  const codes = draft.imported?.services.map(({ code }) => code) ?? [];
  const { data } = loaded;
  const changed = new Map(data?.rates.map((rates) => [rates.code, rates]));
  const changeOf = (code: string): string => {
    const rates = changed.get(code);
    if (rates === undefined) return 'the same rates';
    return rates.cells === 0 ? 'new' : `${percentOf(rates.averageHundredths)} on average`;
  };
  return (
    <>
      {data === undefined ? (
        <p>
          {counted(codes.length, 'service')}: {codes.join(', ')}.
        </p>
      ) : (
        <Lines
          class="lines"
          of={[...new Set(codes.map(changeOf))].map(
            (change) => `${codes.filter((code) => changeOf(code) === change).join(', ')}: ${change}`,
          )}
        />
      )}
      {data !== undefined && data.stays.length > 0 ? <p>{stayText(data)}</p> : null}
    </>
  );
};

interface PublishProps {
  readonly draft: TariffDraftBody;
  readonly imported: Imported;
  readonly loaded: Loaded;
  readonly onPublished: (change: TariffChangeBody) => void;
}

export const Publish = ({ draft, imported, loaded, onPublished }: PublishProps) => {
  const api = useApi();
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const { version, replaces, clients } = draft;
  const { tariff, doubts: counts } = imported;
  const doubts = doubtsOf(draft, imported);
  const from = dayOf(draft.effectiveDate);
  const tick = (at: number, isTicked: boolean): void =>
    setTicked((before) => new Set([...before, at].filter((one) => isTicked || one !== at)));
  const publish = async (): Promise<void> => {
    const json = { tariff: tariff ?? '', replace: replaces !== null, acceptDoubts: counts > 0, version };
    onPublished(await api.call('POST /ops/tariff-drafts/{id}/publish', { id: draft.id, json }));
  };
  return (
    <Ask
      kind="primary"
      label={`Publish from ${from}`}
      title={`Publish ${draft.name}?`}
      action="Publish the tariff"
      keep="Cancel"
      isReady={ticked.size === doubts.length}
      told={Refusal}
      call={publish}
    >
      <p>
        It prices the shipments of {clients === 0 ? 'all clients' : counted(clients, 'client')} from {from} on. Running
        batches keep their prices. You can go back at any time. Each of its services replaces the same service in
        earlier tariffs.
      </p>
      <Changes draft={draft} loaded={loaded} />
      {doubts.length === 0 ? null : (
        <fieldset class="stack small">
          <legend>Check each before you publish</legend>
          {doubts.map(({ label, hint, lines = [] }, at) => (
            <div key={label}>
              <Checkbox label={label} hint={hint} checked={ticked.has(at)} onChange={(is) => tick(at, is)} />
              {lines.length === 0 ? null : <Lines class="lines" of={lines} />}
            </div>
          ))}
        </fieldset>
      )}
    </Ask>
  );
};
