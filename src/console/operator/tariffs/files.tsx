/** The files of a draft: dropped or chosen, sent one after another, and imported, with the questions of the import. */
import type { ComponentChildren } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { asFault, useApi } from '../../api.ts';
import type { TariffDraftBody } from '../../calls.ts';
import { useAskOnClose } from '../../navigation.tsx';
import { Button, TextField } from '../../ui/controls.tsx';
import { Folded, Lines, Notice, Progress } from '../../ui/feedback.tsx';
import { bytes, counted } from '../../ui/format.ts';
import { Named, Rows } from '../../ui/kit.tsx';
import { DropZone } from '../../upload/drop-zone.tsx';

/** Props that the sections of the page share. */
export interface DraftProps {
  readonly draft: TariffDraftBody;
  /** Makes a call that answers with the draft, and shows it. */
  readonly show: (call: () => Promise<TariffDraftBody>) => Promise<void>;
  /** As `show`, and also shows why the call was refused. */
  readonly act: (call: () => Promise<TariffDraftBody>) => Promise<void>;
  readonly busy: boolean;
}

type DraftFile = TariffDraftBody['files'][number];

/** The file that is being sent, and its place among all of them. */
interface Sending {
  readonly name: string;
  readonly at: number;
  readonly of: number;
}

/** Sends files one after another. If one is refused, it shows why and continues. */
const useSending = ({ draft, act }: DraftProps) => {
  const api = useApi();
  const [sending, setSending] = useState<Sending>();
  const [refused, setRefused] = useState<readonly string[]>([]);
  const isBusy = useRef(false);
  /** Files that were dropped while others are being sent. */
  const waiting = useRef<File[]>([]);
  const { id } = draft;
  const send = useCallback(
    async (files: readonly File[]): Promise<void> => {
      waiting.current.push(...files);
      if (isBusy.current) return;
      isBusy.current = true;
      setRefused([]);
      let at = 0;
      for (let file = waiting.current.shift(); file !== undefined; file = waiting.current.shift()) {
        const { name } = file;
        const type = 'application/octet-stream';
        at += 1;
        setSending({ name, at, of: at + waiting.current.length });
        try {
          const asked = { id, query: { name }, content: file, type };
          const answer = await api.call('POST /ops/tariff-drafts/{id}/files', asked);
          await act(async () => answer);
        } catch (error) {
          const { arguments: problems, message } = asFault(error);
          const [problem] = Object.values(problems);
          const text = typeof problem === 'string' ? problem : message;
          setRefused((before) => [...before, `${name} ${text}`]);
        }
      }
      setSending(undefined);
      isBusy.current = false;
    },
    [api, id],
  );
  return { send, sending, refused };
};

const hasOrigin = ({ origin, lacksOrigin }: DraftFile): boolean => origin !== null || lacksOrigin;

const Origin = ({ draft, act, busy, file }: DraftProps & { readonly file: DraftFile }) => {
  const api = useApi();
  const [text, setText] = useState(file.origin ?? '');
  const save = (event: Event): void => {
    event.preventDefault();
    const origin = text.trim() === '' ? null : text.trim();
    const [number, before] = [String(file.number), file.origin];
    const json = { origins: { [number]: origin }, before: { origins: { [number]: before } } };
    void act(() => api.call('POST /ops/tariff-drafts/{id}', { id: draft.id, json }));
  };
  return (
    <form class="row small" onSubmit={save}>
      <TextField
        label={`Origin of ${file.file}`}
        labelHidden
        placeholder="First 3 digits"
        value={text}
        onChange={setText}
        inputMode="numeric"
        autocomplete="off"
        maxLength={7}
      />
      <Button submit busy={busy} disabled={text.trim() === (file.origin ?? '')}>
        Save
      </Button>
    </form>
  );
};

const FileTable = (props: DraftProps) => {
  const api = useApi();
  const { draft, act, busy } = props;
  const kinds = new Map(draft.imported?.report.files.map(({ file, kind }) => [file, kind]));
  const reasons = new Map(draft.refused.map(({ file, reason }) => [file, reason]));
  const withOrigin = draft.files.some(hasOrigin);
  return (
    <Rows
      caption="Files of the draft"
      of={draft.files}
      cards
      keyOf={({ number }) => number}
      cols={[
        ['File', ({ file }) => <span class="roomy">{file}</span>, 'head'],
        [
          'What it is',
          ({ file }) => {
            const reason = reasons.get(file);
            if (reason === undefined) return kinds.get(file) ?? <span class="hint">not imported yet</span>;
            return <Named name={<span class="mark bad">refused</span>} text={reason} />;
          },
        ],
        withOrigin && ['Ships from', (file: DraftFile) => (hasOrigin(file) ? <Origin {...props} file={file} /> : null)],
        ['Size', (file) => <span class="nowrap">{bytes(file.bytes)}</span>, 'number'],
        [
          'Actions',
          ({ number, file }) => (
            <Button
              kind="quiet"
              busy={busy}
              onClick={() =>
                void act(() =>
                  api.call('DELETE /ops/tariff-drafts/{id}/files', { id: draft.id, query: { number: String(number) } }),
                )
              }
            >
              Remove<span class="visually-hidden"> {file}</span>
            </Button>
          ),
          'actions',
        ],
      ]}
    />
  );
};

/** The files that an import is reading, and what it asks meanwhile. */
export const Importing = (props: DraftProps) => {
  const { progress, files } = props.draft;
  if (progress === null) return null;
  const { read, of, reading } = progress;
  const asked = files.filter(({ lacksOrigin }) => lacksOrigin);
  const doing =
    reading.length > 0
      ? `Reading ${reading.join(' and ')}: ${read} of ${of} files are done.`
      : read === of
        ? 'All files are read. The tariff is being built.'
        : asked.length === 0
          ? `${read} of ${of} files are done.`
          : `${read} of ${of} files are done. The import waits four minutes for your answer.`;
  return (
    <section class="panel">
      <p role="status">{doing} You can leave this page.</p>
      <Progress label="Files that have been read" value={read} max={of} />
      {asked.map((file) => (
        <Notice key={file.number} announced kind="warning" title={`Where does ${file.file} ship from?`}>
          <p>
            The file does not say. The import reads the other files in the meantime, then continues with your answer.
          </p>
          <Origin {...props} file={file} />
        </Notice>
      ))}
    </section>
  );
};

export const FilesPanel = (props: DraftProps & { readonly children: ComponentChildren }) => {
  const api = useApi();
  const { draft, act, busy, children } = props;
  const { send, sending, refused } = useSending(props);
  useAskOnClose(sending !== undefined);
  const isDone = draft.state === 'imported';
  const has = draft.files.length > 0;
  const files = (
    <>
      <DropZone multiple isTaken={has} action="Choose files" onFiles={send}>
        <div>
          <p class="drop-title">{has ? 'Drop more files here' : 'Drop the carriers’ files here'}</p>
          <p class="hint">
            Rates, zone charts, fees, delivery areas and fuel: PDF, Excel (.xlsx, .xls) or CSV. All at once, in any
            order.
          </p>
        </div>
      </DropZone>
      {has ? <FileTable {...props} /> : null}
      {children}
      {has ? (
        <div class="actions">
          <Button
            kind={isDone || draft.refused.some(({ file }) => file !== '') ? 'plain' : 'primary'}
            busy={busy || sending !== undefined}
            onClick={() => void act(() => api.call('POST /ops/tariff-drafts/{id}/import', { id: draft.id }))}
          >
            {isDone ? 'Import again' : `Import ${counted(draft.files.length, 'file')}`}
          </Button>
        </div>
      ) : null}
    </>
  );
  return (
    <section class="panel">
      {isDone ? null : <h2>Files</h2>}
      {sending === undefined ? null : (
        <div>
          <p role="status">
            Sending {sending.at} of {sending.of}: {sending.name}
          </p>
          <Progress label="Files that have been sent" value={sending.at - 1} max={sending.of} />
        </div>
      )}
      {refused.length === 0 ? null : (
        <Notice kind="error" title={`${counted(refused.length, 'file')} could not be added`}>
          <Lines of={refused.map((text) => `${text}.`)} />
        </Notice>
      )}
      {isDone ? (
        <Folded title="Files: add some, change options or import again" mark={draft.files.length} box="stack">
          {files}
        </Folded>
      ) : (
        files
      )}
    </section>
  );
};
