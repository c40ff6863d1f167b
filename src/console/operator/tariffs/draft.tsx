/** A draft: its files, the import report, what its prices contain, what it changes, and publishing it. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApi, useCall, useEvery } from '../../api.ts';
import type { TariffChangeBody, TariffDraftBody } from '../../calls.ts';
import { operatorHref } from '../../navigation.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { Folded, Notice } from '../../ui/feedback.tsx';
import { bodyOf, codesIn, Form, type FormField, useForm } from '../../ui/form.tsx';
import { counted, dayOf, instant } from '../../ui/format.ts';
import { Ask, isMissing, Missing, Named, PageHead, Show, useAct } from '../../ui/kit.tsx';
import { ServiceNames } from '../../ui/service-names.tsx';
import { DifferencePanel, headlineOf, useDifference } from './difference.tsx';
import { type DraftProps, FilesPanel, Importing } from './files.tsx';
import { DRAFT } from './list.tsx';
import { Publish, ReportPanel } from './outcome.tsx';
import { Changed, Refusal, stateText } from './words.tsx';

const POLL_MS = 1_500;

const Failed = ({ draft, act, busy }: DraftProps) => {
  const api = useApi();
  const again = (): void => void act(() => api.call('POST /ops/tariff-drafts/{id}/import', { id: draft.id }));
  if (draft.state === 'interrupted')
    return (
      <Notice announced kind="warning" title="The import was interrupted">
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

/** The name, the first day, and services on request: what an import depends on in addition to files. */
const Options = ({ draft, show }: DraftProps) => {
  const api = useApi();
  const form = useForm();
  const { name, effectiveDate, services } = draft;
  const unless = (before: string) => (text: string) => (text === before ? undefined : text);
  const fields: readonly FormField[] = [
    ...DRAFT.map((field) => ({ ...field, initial: draft[field.at], value: unless(draft[field.at]) })),
    {
      at: 'services',
      label: 'Services on request',
      name: 'The list of services',
      hint: 'Codes, such as FDX-1R-MB2 for FedEx One Rate. The report names those that a file offers.',
      initial: services.join(', '),
      value: (text) => (codesIn(text).join() === services.join() ? undefined : codesIn(text)),
    },
  ];
  return (
    <Folded title="Name, first day and services on request">
      <Form
        fields={fields}
        form={form}
        action="Save"
        isReady={Object.keys(bodyOf(fields, form)).length > 0}
        told={Refusal}
        send={(changed) => {
          const json = { ...changed, before: { name, effectiveDate, services } };
          return show(() => api.call('POST /ops/tariff-drafts/{id}', { id: draft.id, json }));
        }}
        layout={(place) => <div class="fields">{place(fields)}</div>}
      >
        <p class="hint">Then import the files again.</p>
      </Form>
    </Folded>
  );
};

type HeadProps = Pick<PartsProps, 'draft' | 'children'> & { readonly headline: string | undefined };

const Head = ({ draft, headline, children }: HeadProps) => {
  const api = useApi();
  const title = (
    <>
      {draft.name}{' '}
      <span class={`mark ${draft.published ? 'good' : ''}`}>
        {draft.published ? 'published' : `draft, ${stateText(draft.state)}`}
      </span>
    </>
  );
  const from = draft.published ? 'In force from' : 'For shipments from';
  const state = `${from} ${dayOf(draft.effectiveDate)}. Changed ${instant(draft.changedAt)} by ${draft.changedBy}.`;
  return (
    <PageHead title={title} above={[operatorHref('tariffs'), 'Tariffs']} lead={<Named name={headline} text={state} />}>
      <div class="actions">
        <Ask
          label={draft.published ? 'Remove its files' : 'Discard'}
          disabled={draft.state === 'importing'}
          title={draft.published ? `Remove the files of ${draft.name}?` : `Discard the draft ${draft.name}?`}
          action={draft.published ? 'Remove the files' : 'Discard the draft'}
          told={Refusal}
          call={async () => {
            await api.call('DELETE /ops/tariff-drafts/{id}', { id: draft.id });
            location.hash = operatorHref('tariffs');
          }}
        >
          <p>
            This removes {counted(draft.files.length, 'file')} and the import report.
            {draft.published ? ' The published tariff stays in force.' : ''}
          </p>
        </Ask>
        {children}
      </div>
    </PageHead>
  );
};

interface PartsProps {
  readonly draft: TariffDraftBody;
  readonly onPublished: (change: TariffChangeBody) => void;
  /** What is said below the head. */
  readonly children: ComponentChildren;
}

/** The head, then what the import made. */
const Parts = ({ draft, onPublished, children }: PartsProps) => {
  const difference = useDifference(draft);
  const { imported, published, refusal } = draft;
  const headline = imported?.tariff == null ? undefined : headlineOf(draft, difference);
  const { to } = difference;
  const named = imported?.services.map(({ code, description }) => ({ shippingService: code, description }));
  return (
    <ServiceNames of={named}>
      <Head draft={draft} headline={headline}>
        {imported === null || refusal !== null ? null : published ? (
          <LinkButton href={operatorHref('tariffs', imported.tariff ?? '')}>Open the tariff</LinkButton>
        ) : (
          <Publish {...{ draft, imported, headline, onPublished }} />
        )}
      </Head>
      {children}
      {imported === null || refusal === null ? null : (
        <Notice kind="warning" title="It cannot be published" text={refusal} />
      )}
      {imported === null ? null : <ReportPanel {...{ draft, imported }} />}
      {imported?.tariff == null || to === undefined ? null : <DifferencePanel {...difference} to={to} draft={draft} />}
    </ServiceNames>
  );
};

export const DraftPage = ({ id }: { readonly id: string }) => {
  const loaded = useCall('GET /ops/tariff-drafts/{id}', { id });
  const { busy, fault, run } = useAct();
  const [change, setChange] = useState<TariffChangeBody>();
  const { data: draft, reload, put } = loaded;
  const isImporting = draft?.state === 'importing';
  useEvery(POLL_MS, isImporting && loaded.state !== 'loading', reload);
  if (isMissing(loaded))
    return (
      <Missing title="Draft" text="This draft does not exist">
        <p>Someone may have discarded it.</p>
        <LinkButton href={operatorHref('tariffs')}>All tariffs</LinkButton>
      </Missing>
    );
  if (draft === undefined)
    return (
      <>
        <h1>Draft</h1>
        <Show of={loaded} lines={8} label="Loading the draft">
          {() => null}
        </Show>
      </>
    );
  const show: DraftProps['show'] = async (call) => {
    try {
      put(await call());
    } catch (error) {
      // Somebody else may have changed the draft.
      reload();
      throw error;
    }
  };
  const act: DraftProps['act'] = (call) => run(() => show(call));
  const props = { draft, show, act, busy };
  const published = (done: TariffChangeBody): void => {
    setChange(done);
    reload();
    scrollTo(0, 0);
  };
  return (
    <>
      <Parts key={draft.imported?.at} draft={draft} onPublished={published}>
        <Changed change={change} />
        <Refusal fault={fault} />
        <Failed {...props} />
        {isImporting ? <Importing {...props} /> : null}
      </Parts>
      {isImporting ? null : (
        <FilesPanel key={draft.id} {...props}>
          <Options key={`${draft.name} ${draft.effectiveDate} ${draft.services}`} {...props} />
        </FilesPanel>
      )}
    </>
  );
};
