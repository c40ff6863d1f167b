/** The upload page: choose a list, see its preview, adjust options, run it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFault, useApi, useLoad } from './api.ts';
import { FirstSteps } from './batches/recent.tsx';
import type { Preview } from './calls.ts';
import { type Stake, useLeaving, useStake } from './navigation.tsx';
import { FaultNotice, Notice, Skeleton } from './ui/feedback.tsx';
import { ColumnFindings } from './ui/findings.tsx';
import { count } from './ui/format.ts';
import { DropZone } from './upload/drop-zone.tsx';
import { Faults, ListFigures, Repairs } from './upload/findings.tsx';
import { FirstRows } from './upload/first-rows.tsx';
import { DEFAULT_OPTIONS, type ListOptions, MoreOptions } from './upload/list-options.tsx';
import { Mapping, ServiceNames } from './upload/mapping.tsx';
import { previewFile, Run } from './upload/run.tsx';
import './upload/upload.css';

const runLabel = ({ estimate }: Preview): string => {
  if (estimate.rows === null) return 'Quote all rows';
  const rows =
    estimate.rows === 1 ? 'this row' : `${estimate.exact ? 'all' : 'all, about'} ${count(estimate.rows)} rows`;
  return `Quote ${rows}`;
};

const NO_PROBLEMS = {};
const CHOOSE_BELOW = 'You can choose below what the columns mean.';

const headerOf = (preview: Preview): readonly string[] => [
  ...preview.columns.map(({ column }) => column),
  ...preview.unknownColumns.names,
];

interface Found {
  readonly preview?: Preview;
  readonly fault?: ApiFault;
}

const stakeOf = (name: string, sending: boolean): Stake =>
  sending
    ? {
        title: 'Stop the upload?',
        text: `${name} is still being sent. If you stop now, no batch is created, and you can upload it again. If the service already has all of it, you find the batch under Batches.`,
        action: 'Stop the upload',
        keep: 'Keep sending',
      }
    : {
        title: 'Leave this list?',
        text: `${name} has not been sent. If you leave, you have to choose the file again, and what its columns mean.`,
        action: 'Leave the list',
        keep: 'Stay here',
      };

interface PreparedProps {
  readonly file: File;
  /** Says whether another file would discard choices or an upload. */
  readonly onStake: (atStake: boolean) => void;
}

const Prepared = ({ file, onStake }: PreparedProps) => {
  const api = useApi();
  const [listOptions, setListOptions] = useState<ListOptions>(DEFAULT_OPTIONS);
  const [sending, setSending] = useState(false);
  useStake(stakeOf(file.name, sending));
  useEffect(() => onStake(sending || listOptions !== DEFAULT_OPTIONS), [onStake, sending, listOptions]);
  const look = useLoad((signal) => previewFile(api, file, listOptions, signal), [file, listOptions]);
  // The last preview stays until there is a new one, so that menus keep their focus.
  const found = useRef<Found>({});
  if (look.state === 'done') found.current = { preview: look.data };
  if (look.state === 'failed') found.current = { fault: look.fault };
  const { preview, fault } = found.current;
  const header = fault === undefined ? (preview === undefined ? [] : headerOf(preview)) : fault.header;
  if (preview === undefined && fault === undefined) return <Skeleton lines={8} label="Reading the list" />;
  const options = { preview, listOptions, onListOptions: setListOptions };
  return (
    <div class="prepared" aria-busy={look.state === 'loading'}>
      {fault === undefined ? null : header.length > 0 ? (
        <Notice kind="warning" title="Some columns are unclear">
          <p>Choose a column below for each marked field.</p>
        </Notice>
      ) : (
        <FaultNotice
          fault={fault}
          title="This list cannot be used"
          retry={fault.status === 422 ? undefined : look.reload}
        />
      )}
      {preview === undefined ? null : (
        <section class="panel" aria-label="Preview">
          <ListFigures preview={preview} />
          <Run
            file={file}
            listOptions={listOptions}
            label={runLabel(preview)}
            disabled={look.state === 'loading'}
            onSending={setSending}
          />
        </section>
      )}
      {/* Options cannot change while the list is sent. */}
      <fieldset class="settings" disabled={sending}>
        {preview === undefined ? null : (
          <Repairs preview={preview} listOptions={listOptions} onListOptions={setListOptions} />
        )}
      </fieldset>
      {preview === undefined ? null : <ColumnFindings findings={preview.findings} advice={CHOOSE_BELOW} />}
      {preview === undefined ? null : <Faults preview={preview} />}
      <fieldset class="settings" disabled={sending}>
        {header.length > 0 ? <Mapping header={header} problems={fault?.arguments ?? NO_PROBLEMS} {...options} /> : null}
      </fieldset>
      <fieldset class="settings" disabled={sending}>
        {preview === undefined ? null : (
          <ServiceNames preview={preview} listOptions={listOptions} onListOptions={setListOptions} />
        )}
      </fieldset>
      {preview === undefined ? null : <FirstRows preview={preview} />}
      <fieldset class="settings" disabled={sending}>
        <MoreOptions {...options} isWorkbook={/\.xlsx$/i.test(file.name)} />
      </fieldset>
    </div>
  );
};

export const UploadPage = () => {
  const [chosen, setChosen] = useState<{ readonly file: File; readonly turn: number }>();
  const { leave, goOn } = useLeaving();
  const atStake = useRef(false);
  const onStake = useCallback((now: boolean) => {
    atStake.current = now;
  }, []);
  const take = useCallback(
    (file: File) => {
      const go = (): void => setChosen((before) => ({ file, turn: (before?.turn ?? 0) + 1 }));
      if (atStake.current) leave(go);
      else goOn(go);
    },
    [leave, goOn],
  );
  return (
    <>
      <div class="stack small">
        <h1>Upload a list</h1>
        <p class="lead">
          Each row is one shipment. First you see a preview. Then each row gets a price, or a reason why it has none.
        </p>
      </div>
      <DropZone file={chosen?.file} onFile={take} />
      {chosen === undefined ? (
        <FirstSteps onSample={take} />
      ) : (
        <Prepared key={chosen.turn} file={chosen.file} onStake={onStake} />
      )}
    </>
  );
};
