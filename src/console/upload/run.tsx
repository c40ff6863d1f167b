/** The bar that runs a list, or first leads to what most rows lack. A retry never makes a second batch. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { asFault, useApi, useKey } from '../api.ts';
import { goTo, href } from '../navigation.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice, Progress } from '../ui/feedback.tsx';
import { aboutTime, bytes, percent } from '../ui/format.ts';
import { queryOf } from './list-options.ts';
import { uploadFile, usePreviewed } from './list-work.ts';
import { nextStep } from './next-step.ts';
import { goToControl } from './outlook.tsx';

interface RunProps {
  readonly file: File;
  readonly disabled: boolean;
  /** Called when sending begins and ends. */
  readonly onSending: (sending: boolean) => void;
  /** Saves the choices. If that fails, the list is not sent. The next try sends it anyway. */
  readonly beforeSending: () => Promise<void>;
}

/** The main button leads to the step that should come first. */
const Buttons = ({ disabled, onRun }: Pick<RunProps, 'disabled'> & { readonly onRun: () => void }) => {
  const { preview, options, choose } = usePreviewed();
  const { first, run } = nextStep(preview, options);
  return (
    <div class="actions">
      <Button kind={first === undefined ? 'primary' : 'plain'} onClick={onRun} disabled={disabled}>
        {run}
      </Button>
      {first === undefined ? null : (
        <Button
          kind="primary"
          onClick={() => ('id' in first ? goToControl(first.id) : choose(first.options))}
          disabled={disabled}
        >
          {first.label}
        </Button>
      )}
    </div>
  );
};

export const Run = ({ file, disabled, onSending, beforeSending }: RunProps) => {
  const api = useApi();
  const { preview, options } = usePreviewed();
  const { seconds } = preview.estimate;
  const keyOf = useKey();
  const upload = useRef<AbortController | undefined>(undefined);
  const [sent, setSent] = useState<number>();
  const [fault, setFault] = useState<ApiFault>();
  const [unkept, setUnkept] = useState<ApiFault>();
  const stop = (): void => {
    upload.current?.abort();
    upload.current = undefined;
    setSent(undefined);
  };
  const sending = sent !== undefined;
  useEffect(() => onSending(sending), [onSending, sending]);
  useEffect(() => () => upload.current?.abort(), []);
  useEffect(() => setFault(undefined), [file, options]);

  const run = async (): Promise<void> => {
    // A second click can come before the next render.
    if (upload.current !== undefined) return;
    const own = new AbortController();
    upload.current = own;
    setFault(undefined);
    setUnkept(undefined);
    try {
      await beforeSending();
    } catch (error) {
      upload.current = undefined;
      setUnkept(asFault(error));
      return;
    }
    setSent(0);
    const key = keyOf(file, JSON.stringify(queryOf(file.name, options)));
    try {
      goTo(href.batch((await uploadFile(api, file, options, { key, onSent: setSent, signal: own.signal })).id));
    } catch (error) {
      if (own.signal.aborted) return;
      stop();
      setFault(asFault(error));
    }
  };
  return (
    <div class="card split sticky-bar">
      <FaultNotice fault={fault} title="The list was refused" />
      <FaultNotice
        fault={unkept}
        title="Your choices could not be saved. Run the list again to continue without saving them"
      />
      {sent === undefined ? (
        <>
          <p class="hint">{seconds === null ? '' : `Takes ${aboutTime(seconds)}`}</p>
          <Buttons disabled={disabled} onRun={() => void run()} />
        </>
      ) : (
        <div class="stack small start limited">
          <Progress label="Upload" value={sent} max={file.size} />
          <p class="hint">
            {sent < file.size
              ? `${bytes(sent)} of ${bytes(file.size)} sent, ${percent(sent, file.size)}`
              : 'All sent. The service is reading the list.'}
          </p>
          <p class="hint">Keep this page open until the batch appears. Leaving it stops the upload.</p>
          <Button onClick={stop}>Stop</Button>
        </div>
      )}
    </div>
  );
};
