/** A draft: its files, the report of the import, what its prices contain, what changes, and publishing it. */
import { useEffect, useState } from 'preact/hooks';
import { type ApiFault, asFault, useApi, useLoad } from '../../api.ts';
import type { TariffChangeBody, TariffDraftBody } from '../../calls.ts';
import { CoverageTable } from '../../tariffs/coverage.tsx';
import { Button, LinkButton, TextField } from '../../ui/controls.tsx';
import { Confirm, EmptyState, FaultNotice, Notice, Progress, Skeleton } from '../../ui/feedback.tsx';
import { counted, dayOf, instant } from '../../ui/format.ts';
import { operatorHref } from '../address.ts';
import { DifferencePanel } from './difference.tsx';
import { type DraftProps, FilesPanel } from './files.tsx';
import { PublishPanel } from './publish.tsx';
import { ReportPanel } from './report.tsx';
import { Changed, Refusal, STATES } from './words.tsx';

const POLL_MS = 1_500;

const Importing = ({ progress }: Pick<TariffDraftBody, 'progress'>) =>
  progress === null ? null : (
    <section class="panel">
      <p role="status">
        {progress.read < progress.of
          ? `Reading the files: ${progress.read} of ${progress.of} are done.`
          : 'All files are read. The tariff is being put together.'}{' '}
        You may leave this page.
      </p>
      <Progress label="Files that have been read" value={progress.read} max={progress.of} />
    </section>
  );

const Failed = ({ draft, act, busy }: DraftProps) => {
  const api = useApi();
  const again = (): void => void act(() => api.call('importTariffDraft', { id: draft.id }));
  if (draft.state === 'interrupted')
    return (
      <Notice kind="warning" title="The import was interrupted">
        <p>The process that ran it has ended.</p>
        <Button onClick={again} busy={busy}>
          Import again
        </Button>
      </Notice>
    );
  if (draft.state !== 'refused' && draft.state !== 'failed') return null;
  return (
    <Notice kind="error" title="Nothing was imported">
      <ul>
        {draft.refused.map(({ file, reason }) => (
          <li key={`${file} ${reason}`}>
            {file === '' ? null : <strong>{file}: </strong>}
            {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/** The name, the first day, and services on request: what an import depends on besides files. */
const Options = ({ draft, act, busy }: DraftProps) => {
  const api = useApi();
  const [name, setName] = useState(draft.name);
  const [effectiveDate, setDate] = useState(draft.effectiveDate);
  const [services, setServices] = useState(draft.services.join(', '));
  const codes = services
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((code) => code !== '');
  const isSame = name === draft.name && effectiveDate === draft.effectiveDate && codes.join() === draft.services.join();
  const save = (event: Event): void => {
    event.preventDefault();
    const before = { name: draft.name, effectiveDate: draft.effectiveDate, services: draft.services };
    const json = {
      ...(name !== draft.name && { name }),
      ...(effectiveDate !== draft.effectiveDate && { effectiveDate }),
      ...(codes.join() !== draft.services.join() && { services: codes }),
      before,
    };
    if (!busy && !isSame) void act(() => api.call('changeTariffDraft', { id: draft.id, json }));
  };
  return (
    <details class="panel-details">
      <summary>Name, first day and services on request</summary>
      <form class="stack" onSubmit={save}>
        <div class="draft-fields">
          <TextField label="Name" value={name} onChange={setName} autocomplete="off" maxLength={40} required />
          <TextField label="In force from" type="date" value={effectiveDate} onChange={setDate} required />
          <TextField
            label="Services on request"
            hint="Codes, such as FDX-1R-MB2 for FedEx One Rate. The report names those that a file offers."
            value={services}
            onChange={setServices}
            autocomplete="off"
          />
        </div>
        <div class="actions">
          <Button submit busy={busy} disabled={isSame}>
            Save
          </Button>
          <p class="hint">Import the files again afterwards.</p>
        </div>
      </form>
    </details>
  );
};

const Outcome = ({ draft }: { readonly draft: TariffDraftBody }) => {
  const { imported } = draft;
  if (imported === null) return null;
  return (
    <>
      <ReportPanel imported={imported} />
      {imported.coverage === null || imported.tariff === null ? null : (
        <section class="panel drafts">
          <h2>What the prices contain</h2>
          <CoverageTable name={imported.tariff} coverage={imported.coverage} />
        </section>
      )}
      {imported.tariff === null ? null : <DifferencePanel key={`${imported.tariff} ${imported.at}`} draft={draft} />}
    </>
  );
};

const Discard = ({ draft, onClose }: { readonly draft: TariffDraftBody; readonly onClose: () => void }) => {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const discard = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.call('discardTariffDraft', { id: draft.id });
      location.hash = operatorHref('tariffs');
    } catch (error) {
      setFault(asFault(error));
      setBusy(false);
    }
  };
  return (
    <Confirm
      title={`Discard the draft ${draft.name}?`}
      action="Discard the draft"
      keep="Keep it"
      busy={busy}
      onConfirm={() => void discard()}
      onClose={onClose}
    >
      <p>
        Its {counted(draft.files.length, 'file')} are removed.
        {draft.published ? ' The published tariff stays in force.' : ''}
      </p>
      {fault === undefined ? null : <Refusal fault={fault} />}
    </Confirm>
  );
};

const Head = ({ draft, onDiscard }: { readonly draft: TariffDraftBody; readonly onDiscard: () => void }) => (
  <div class="page-head">
    <div>
      <p class="crumb">
        <a href={operatorHref('tariffs')}>Tariffs</a>
      </p>
      <h1>
        {draft.name}{' '}
        <span class={`mark ${draft.published ? 'good' : ''}`}>
          {draft.published ? 'published' : `draft, ${STATES[draft.state]}`}
        </span>
      </h1>
      <p class="lead">
        In force from {dayOf(draft.effectiveDate)}. Changed {instant(draft.changedAt)} by {draft.changedBy}.
      </p>
    </div>
    <Button onClick={onDiscard} disabled={draft.state === 'importing'}>
      Discard
    </Button>
  </div>
);

export const DraftPage = ({ id }: { readonly id: string }) => {
  const api = useApi();
  const loaded = useLoad((signal) => api.call('tariffDraft', { id, signal }), [api, id]);
  const [acted, setActed] = useState<TariffDraftBody>();
  const [fault, setFault] = useState<ApiFault>();
  const [busy, setBusy] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const [change, setChange] = useState<TariffChangeBody>();
  const { reload } = loaded;
  useEffect(() => setActed(undefined), [loaded.data]);
  const draft = acted ?? loaded.data;
  const isImporting = draft?.state === 'importing';
  useEffect(() => {
    if (!isImporting) return undefined;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [isImporting, reload]);
  if (draft === undefined)
    return (
      <>
        <h1>Draft</h1>
        {loaded.state !== 'failed' ? (
          <Skeleton lines={8} label="Loading the draft" />
        ) : loaded.fault.status === 404 ? (
          <EmptyState title="There is no such draft">
            <p>Somebody has discarded it.</p>
            <LinkButton href={operatorHref('tariffs')}>All tariffs</LinkButton>
          </EmptyState>
        ) : (
          <FaultNotice fault={loaded.fault} retry={reload} />
        )}
      </>
    );
  const act: DraftProps['act'] = async (call) => {
    setBusy(true);
    setFault(undefined);
    try {
      setActed(await call());
    } catch (error) {
      setFault(asFault(error));
      // Somebody else may have changed the draft.
      reload();
    }
    setBusy(false);
  };
  const props = { draft, act, busy };
  const published = (done: TariffChangeBody): void => {
    setChange(done);
    reload();
    scrollTo(0, 0);
  };
  return (
    <>
      <Head draft={draft} onDiscard={() => setDiscarding(true)} />
      {change === undefined ? null : <Changed change={change} />}
      {fault === undefined ? null : <Refusal fault={fault} />}
      <Failed {...props} />
      {isImporting ? (
        <Importing progress={draft.progress} />
      ) : (
        <FilesPanel key={draft.id} {...props}>
          <Options key={`${draft.name} ${draft.effectiveDate} ${draft.services}`} {...props} />
        </FilesPanel>
      )}
      <Outcome draft={draft} />
      {draft.imported === null ? null : <PublishPanel draft={draft} onPublished={published} />}
      {discarding ? <Discard draft={draft} onClose={() => setDiscarding(false)} /> : null}
    </>
  );
};
