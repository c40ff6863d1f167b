/** Uploads an agreement: files or a grid, what they would change, and publishing from a day. */
import { useState } from 'preact/hooks';
import { groupsOf } from '../../../base/maps.ts';
import { PaysContext } from '../../agreements/pays.ts';
import { AgreementTables } from '../../agreements/tables.tsx';
import { servicesText } from '../../agreements/words.ts';
import { useApi } from '../../api.ts';
import type { CheckedAgreement, OperatorAgreement } from '../../calls.ts';
import { Button, Segments, TextField } from '../../ui/controls.tsx';
import { FaultNotice, Folded, Lines, Notice } from '../../ui/feedback.tsx';
import { type Body, bodyOf, codesIn, Fields, type FormField, type Typed } from '../../ui/form.tsx';
import { allOf, capital, chargeTitle, counted, dayOf, today } from '../../ui/format.ts';
import { Panel, useAct } from '../../ui/kit.tsx';
import { DropZone, type FileInputProps } from '../../upload/drop-zone.tsx';
import { named } from '../part.tsx';
import { ChangeRows } from '../tariffs/words.tsx';

interface Source {
  readonly value: string;
  readonly label: string;
  readonly field: 'Files' | 'Folder' | 'Grid';
  readonly hint: string;
  /** The input. Undefined: the files are pasted as text. */
  readonly input?: Omit<FileInputProps, 'onFiles'>;
}

const FILES: Source = {
  ...{ value: 'files', label: 'CSV files', field: 'Files', input: { multiple: true, accept: '.csv,.json' } },
  hint: 'Such as discounts.csv and surcharges.csv. Files that you leave out stay as they are.',
};

const SOURCES: readonly Source[] = [
  FILES,
  {
    ...{ value: 'folder', label: 'A folder', field: 'Folder', input: { webkitdirectory: true } },
    hint: 'The folder with agreement.json. Anything missing from it is removed.',
  },
  {
    ...{ value: 'grid', label: 'A carrier’s grid', field: 'Grid', input: { accept: '.xlsx,.csv' } },
    hint: 'A workbook or a CSV, with weights down and zones across, or the other way around.',
  },
  {
    ...{ value: 'pasted', label: 'A pasted grid', field: 'Grid' },
    hint: 'Copy the cells in a spreadsheet, with the headers of weights and zones, and paste them here.',
  },
];

const NEW: readonly FormField[] = [
  {
    at: 'name',
    label: 'Name',
    hint: 'Lower-case letters, digits and hyphens, such as acme-ups.',
    most: 40,
    required: true,
  },
  { at: 'carrier', label: 'Carrier', hint: 'As in the tariff. An agreement.json also states it.', most: 40 },
];
const FROM: FormField = {
  at: 'from',
  label: 'From ship date',
  type: 'date',
  hint: 'Earlier days stay as they are.',
  required: true,
};
const GRID: readonly FormField[] = [
  {
    at: 'services',
    label: 'Services of the grid',
    placeholder: 'UPS-GROUND, UPS-3DAY',
    required: true,
    value: codesIn,
  },
  {
    at: 'discount',
    label: 'Name of the discount',
    hint: 'Discounts with different names add up.',
    placeholder: 'Discount',
    most: 60,
  },
];
const SHEET: FormField = { at: 'sheet', label: 'Sheet', hint: 'Only if the workbook has several.', most: 80 };
const gridFields = ({ value }: Source): readonly FormField[] => (value === 'pasted' ? GRID : [...GRID, SHEET]);

interface Draft {
  readonly typed: Typed;
  readonly source: Source;
  readonly files: readonly File[];
}

const uploadOf = async (known: string | undefined, { typed, source, files }: Draft): Promise<Body> => {
  const [first] = files;
  return {
    ...bodyOf([...NEW, FROM], { typed }),
    ...(known !== undefined && { name: known }),
    ...(source.field === 'Grid' && first !== undefined
      ? { grid: { content: await base64Of(first), ...bodyOf(gridFields(source), { typed }) } }
      : { files: await filesOf(files) }),
  };
};

interface FileFieldProps extends Pick<Draft, 'files'> {
  readonly of: Source;
  readonly onChange: (files: readonly File[]) => void;
}

const FileField = ({ of: { field, hint, input }, files, onChange }: FileFieldProps) => {
  const [pasted, setPasted] = useState('');
  const paste = (text: string): void => {
    setPasted(text);
    onChange([new File([text], 'pasted.csv')]);
  };
  if (input === undefined)
    return <TextField lines={8} label={field} hint={hint} required value={pasted} onChange={paste} />;
  return (
    <DropZone {...input} isTaken={files.length > 0} action={`Choose ${field.toLowerCase()}`} onFiles={onChange}>
      <p class="hint">{files.length === 0 ? hint : allOf(files.map(pathOf))}</p>
    </DropZone>
  );
};

const Differences = ({ checked }: { readonly checked: CheckedAgreement }) =>
  checked.before === null ? null : checked.differences.length === 0 ? (
    <p class="hint">It is identical to the current agreement.</p>
  ) : (
    <>
      <p class="hint">
        Changes to the agreement in force: {counted(checked.differences.length + checked.moreDifferences, 'line')}
      </p>
      <ChangeRows
        caption="Changes to the agreement in force"
        of={checked.differences.map(({ at, ...values }) => ({ what: at, ...values }))}
      />
    </>
  );

interface UploadProps {
  /** The agreement to change. Absent: the upload makes a new one. */
  readonly name?: string;
  readonly onPublished: (agreement: OperatorAgreement) => void;
  readonly onClose: () => void;
}

export const Upload = ({ name: known, onPublished, onClose }: UploadProps) => {
  const api = useApi();
  const { busy, fault, run } = useAct();
  const [draft, setDraft] = useState<Draft>(() => ({ typed: { from: today() }, source: FILES, files: [] }));
  const [result, setResult] = useState<{ readonly body: Body; readonly checked: CheckedAgreement }>();
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part });
    setResult(undefined);
  };
  const check = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const body = await uploadOf(known, draft);
      setResult({ body, checked: await api.call('POST /ops/agreement-check', { json: body }) });
    });
  };
  const publish = ({ body, checked }: NonNullable<typeof result>): Promise<void> =>
    run(async () => onPublished(await api.call('POST /ops/agreements', { json: { ...body, before: checked.before } })));
  const shared = { form: { typed: draft.typed, setTyped: (typed: Typed) => change({ typed }) }, problems: {} };
  return (
    <Panel title={known === undefined ? 'Upload an agreement' : `Change ${known}`}>
      <form class="stack" onSubmit={check}>
        <div class="fields long">
          <Fields fields={known === undefined ? [...NEW, FROM] : [FROM]} {...shared} />
        </div>
        <Segments
          label="What to upload"
          options={SOURCES}
          value={draft.source.value}
          onChange={(value) => change({ source: SOURCES.find((one) => one.value === value) ?? FILES, files: [] })}
        />
        <FileField of={draft.source} files={draft.files} onChange={(files) => change({ files })} />
        {draft.source.field === 'Grid' ? (
          <div class="fields long">
            <Fields fields={gridFields(draft.source)} {...shared} />
          </div>
        ) : null}
        <div class="actions start">
          <Button
            kind={result === undefined ? 'primary' : 'plain'}
            submit
            busy={busy}
            disabled={draft.files.length === 0}
          >
            Check it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
      <FaultNotice fault={fault} />
      {result === undefined ? null : (
        <Checked
          from={String(result.body[FROM.at])}
          checked={result.checked}
          busy={busy}
          onPublish={() => publish(result)}
        />
      )}
    </Panel>
  );
};

interface CheckedProps {
  readonly from: string;
  readonly checked: CheckedAgreement;
  readonly busy: boolean;
  readonly onPublish: () => void;
}

const Checked = ({ from, checked, busy, onPublish }: CheckedProps) => {
  const { agreement, findings } = checked;
  return (
    <section class="stack" aria-label="What the upload would do">
      <Findings findings={findings} services={agreement?.services ?? []} isOpen />
      {agreement === null ? (
        <p>Nothing can be published. Correct the errors, then check again.</p>
      ) : (
        <>
          {findings.length === 0 ? <Notice announced kind="done" text="It has no errors and no warnings." /> : null}
          <Differences checked={checked} />
          <h2>What it says</h2>
          <PaysContext.Provider value="The client pays">
            <AgreementTables agreement={agreement} />
          </PaysContext.Provider>
          {from < today() ? (
            <Notice
              kind="warning"
              text={`${dayOf(from)} is in the past. Quotes of its clients change at once, including those for ship dates since then.`}
            />
          ) : null}
          <div class="actions start">
            <Button kind="primary" onClick={onPublish} busy={busy}>
              Publish from {dayOf(from)}
            </Button>
          </div>
        </>
      )}
    </section>
  );
};

/** The path inside the agreement's folder. The browser adds the name of a chosen folder to the front. */
const pathOf = ({ name, webkitRelativePath }: File): string =>
  webkitRelativePath === '' ? name : webkitRelativePath.split('/').slice(1).join('/');

/** Documents and hidden files that do not belong to the agreement. */
const isOther = (path: string): boolean => /(?:^|\/)\.|\.(?:md|txt|pdf)$/i.test(path);

const filesOf = async (chosen: readonly File[]) =>
  await Promise.all(
    chosen
      .map((file) => ({ file, path: pathOf(file) }))
      .filter(({ path }) => !isOther(path))
      .map(async ({ file, path }) => ({ path, text: await file.text() })),
  );

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

type Finding = CheckedAgreement['findings'][number];

const OPEN = 2;
const SHOWN = 50;

type Services = OperatorAgreement['services'];

/** Replaces the codes of services and charges with their names. */
export const withNames = (text: string, services: Services): string =>
  text
    .replaceAll(/\b[A-Z0-9]+(?:-[A-Z0-9]+)+\b/g, (code) => servicesText([code], { carrier: '', services }))
    .replaceAll(
      /\b(?:[A-Z]+(?:_[A-Z]+)+|FUEL|RESIDENTIAL|OVERSIZE|BALLOON|DEMAND)\b\*?/g,
      (type) => `“${chargeTitle(type)}”`,
    );

interface FindingsProps {
  /** The agreement. Absent: it is not published yet. */
  readonly name?: string;
  readonly findings: readonly Finding[];
  readonly services: Services;
  /** Errors are always open. */
  readonly isOpen?: boolean;
}

const placeOf = ({ at, amendment }: Finding): string =>
  amendment ? `${amendment.at} in the amendment from ${dayOf(amendment.from)}` : at;

/** Groups findings with the same sentence. Their places come before it, or below it if they have details. */
const FindingList = ({ of: groups, services }: { of: readonly (readonly Finding[])[]; services: Services }) => (
  <ul class="plain stack small">
    {groups.map((same) => {
      const message = named(withNames(same[0]?.message ?? '', services));
      return (
        <li key={message}>
          {same[0]?.details ? capital(message) : <strong>{allOf(same.map(placeOf))}:</strong>}
          {`${same[0]?.details ? '' : ` ${message}`}${/[.?]$/.test(message) ? '' : '.'}`}
          {same.map((one) =>
            one.details === undefined ? null : (
              <Folded title={placeOf(one)} mark={counted(one.details.length, 'line')}>
                <Lines class="lines" of={one.details.map((line) => withNames(line, services))} />
              </Folded>
            ),
          )}
        </li>
      );
    })}
  </ul>
);

export const Findings = ({ name = 'this upload', findings, services, isOpen = false }: FindingsProps) => (
  <>
    {(['error', 'warning'] as const).map((severity) => {
      const own = groupsOf(
        findings.filter((finding) => finding.severity === severity),
        ({ message }) => message,
      );
      return own.length === 0 ? null : (
        <Notice announced key={severity} kind={severity} title={`${counted(own.length, severity)} in ${name}`}>
          <FindingList of={own.slice(0, OPEN)} services={services} />
          {own.length <= OPEN ? null : (
            <Folded open={isOpen || severity === 'error'} title={`${own.length - OPEN} more`}>
              <FindingList of={own.slice(OPEN, SHOWN)} services={services} />
              {own.length > SHOWN ? <p>And {own.length - SHOWN} more.</p> : null}
            </Folded>
          )}
          {isOpen ? null : <p>If something here is wrong, correct its file and upload it as a change.</p>}
        </Notice>
      );
    })}
  </>
);
