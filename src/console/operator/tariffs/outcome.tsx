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

const all = (lines: readonly string[]): Part => ({ count: lines.length, lines: [...lines] });

/** If a kind has more lines, one tick accepts them all. */
const MOST_TICKS = 20;
/** A kind with more lines is shown after a click, unless nothing may be published with them or values may be wrong. */
const [FEW, EVERY] = [8, 200];

/** @param open the most lines that are shown without a click @param ticks the most lines with a tick each */
const kindOf = (title: string, part: Part, open: number, hint?: string, ticks = MOST_TICKS) => ({
  ...{ title, part, open, hint, ticks },
});
type Kind = ReturnType<typeof kindOf>;

/** When the draft begins, if an operator may not expect it. */
const beginsOf = (draft: TariffDraftBody, { files }: Report): readonly string[] => {
  const from = dayOf(draft.effectiveDate);
  if (draft.published) return [];
  return [
    ...(draft.effectiveDate < today()
      ? [`It begins on ${from}, in the past: quotes change at once, including those for past ship dates`]
      : []),
    ...files.flatMap(({ file, effective }) =>
      effective !== null && effective > draft.effectiveDate
        ? [`${file} is in force from ${dayOf(effective)}, but the draft begins on ${from}`]
        : [],
    ),
    ...(draft.replaces === null ? [] : [`It replaces ${named(draft.replaces)}`]),
  ];
};

/** The warnings, which an operator accepts by publishing the draft. Most severe first. */
const warningsOf = (draft: TariffDraftBody, { report }: Imported): readonly Kind[] =>
  [
    kindOf('Cells that could not be read', report.unreadable, EVERY, 'They are empty in the tariff.'),
    kindOf(
      'Contradictions',
      report.contradictions,
      EVERY,
      'Where files differ, the tariff has the value of the first.',
    ),
    kindOf('When it begins', all(beginsOf(draft, report)), FEW),
    kindOf('Shipments without a price', report.unpriced, FEW),
    kindOf('Incomplete prices', report.incomplete, FEW),
    kindOf('Other warnings', report.warnings, 0, undefined, 1),
  ].filter(({ part }) => part.count > 0);

const countIn = (kinds: readonly Kind[]): number => kinds.reduce((sum, { part }) => sum + part.count, 0);

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

export const ReportPanel = ({ draft, imported }: { readonly draft: TariffDraftBody; readonly imported: Imported }) => {
  const { report, services } = imported;
  const warnings = warningsOf(draft, imported);
  const samples = services.filter(({ sample }) => sample !== '');
  const sampleLines = samples.map(({ code, description, sample }) => `${description || code}: ${sample}`);
  const some = (number: number, one: string): string => (number === 0 ? `no ${one}s` : counted(number, one));
  const kinds = [
    kindOf('Errors', report.errors, EVERY, 'The tariff cannot be published with them.'),
    ...warnings,
    kindOf('Sample prices before surcharges', all(sampleLines), FEW, 'Compare them with the carrier’s files.'),
    kindOf('Kept from earlier imports', all([...report.earlier, ...report.replaced]), 0),
    kindOf('Your decisions, kept', all(report.decisions), 0, 'There the tariff differs from its files.'),
  ];
  return (
    <Panel
      title="Import report"
      lead={`${counted(services.length, 'service')}, ${some(imported.errors, 'error')}, ${some(countIn(warnings), 'warning')}.`}
    >
      <div class="stack small report">
        {kinds.map((kind, at) => {
          const { title, part, open, hint } = kind;
          const mark = at === 0 ? 'bad' : open > 0 && warnings.includes(kind) ? 'warn' : '';
          return part.count === 0 ? null : (
            <Folded key={title} open={part.count <= open} title={title} mark={part.count} kind={mark}>
              {hint === undefined ? null : <p class="hint">{hint}</p>}
              <LineList {...part} />
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

/* Publishing it. A dialog says what changes for whom and from when. The operator ticks each warning. */

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
  const warnings = warningsOf(draft, imported);
  const from = dayOf(draft.effectiveDate);
  const boxes = warnings.map((kind) => {
    const isOne = kind.part.count > kind.ticks;
    const lines = isOne ? [`Accept all ${kind.part.count}`] : kind.part.lines.map(named);
    return { ...kind, isOne, lines: lines.map((line) => ({ line, key: `${kind.title} ${line}` })) };
  });
  const most = countIn(warnings);
  const checked = boxes
    .map(({ isOne, part, lines }) => (isOne ? part.count : 1) * lines.filter(({ key }) => ticked.has(key)).length)
    .reduce((sum, own) => sum + own, 0);
  const tick = (line: string, isTicked: boolean): void =>
    setTicked((before) => new Set([...before, line].filter((one) => isTicked || one !== line)));
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
      waits={checked < most ? `${checked} of ${counted(most, 'warning')} checked` : undefined}
      told={Refusal}
      call={publish}
    >
      <p>{headline}</p>
      <p>
        It applies to {clients === 0 ? 'all clients' : counted(clients, 'client')} starting {from}.
        {draft.comparable.length === 0 ? '' : ' It replaces earlier tariffs for its services.'} Running batches keep
        their prices, and you can go back at any time.
      </p>
      {boxes.map(({ title, part, hint, isOne, lines }) => (
        <fieldset key={title} class="stack small">
          <legend>{title}</legend>
          {hint === undefined ? null : <p class="hint">{hint}</p>}
          {isOne ? (
            <Folded title={`Show ${part.count} lines`}>
              <LineList {...part} />
            </Folded>
          ) : null}
          {lines.map(({ line, key }) => (
            <Checkbox key={key} label={line} checked={ticked.has(key)} onChange={(is) => tick(key, is)} />
          ))}
        </fieldset>
      ))}
    </Ask>
  );
};
