/** Running a list: one click, one batch, and how much of it is sent. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiFault, useApi } from '../api.ts';
import { type Stake, useStake } from '../leaving.tsx';
import { asFault } from '../load.ts';
import { goTo, href } from '../router.ts';
import { Button } from '../ui/button.tsx';
import { bytes, percent } from '../ui/format.ts';
import { FaultNotice } from '../ui/notice.tsx';
import { Progress } from '../ui/state.tsx';
import { type ListOptions, queryOf } from './list-options.ts';
import { newKey, type Upload, uploadFile } from './send.ts';

interface RunProps {
  readonly file: File;
  readonly said: ListOptions;
  readonly label: string;
  readonly disabled: boolean;
  /** Told when it begins to be sent, and when that is over. */
  readonly onSending: (sending: boolean) => void;
}

/** The key of what is to be uploaded: the same while neither file nor options change, so that trying again is safe. */
const useKey = (file: File, said: ListOptions): (() => string) => {
  const intent = JSON.stringify(queryOf(file.name, said));
  const kept = useRef<{ readonly file: File; readonly intent: string; readonly key: string } | undefined>(undefined);
  return () => {
    if (kept.current?.file !== file || kept.current.intent !== intent) kept.current = { file, intent, key: newKey() };
    return kept.current.key;
  };
};

const stakeOf = ({ name }: File): Stake => ({
  title: 'Stop the upload?',
  text: `${name} is still being sent. Stopped before all of it is sent, it makes no batch, and can be uploaded again; if the service has all of it by then, the batch stands under Batches.`,
  action: 'Stop the upload',
  keep: 'Keep sending',
});

export const Run = ({ file, said, label, disabled, onSending }: RunProps) => {
  const api = useApi();
  const keyOf = useKey(file, said);
  const upload = useRef<Upload | undefined>(undefined);
  const [sent, setSent] = useState<number>();
  const [fault, setFault] = useState<ApiFault>();
  const stop = (): void => {
    upload.current?.abort();
    upload.current = undefined;
    setSent(undefined);
  };
  const sending = sent !== undefined;
  useStake(sending ? stakeOf(file) : undefined);
  useEffect(() => onSending(sending), [onSending, sending]);
  useEffect(() => () => upload.current?.abort(), []);
  useEffect(() => setFault(undefined), [file, said]);

  const run = async (): Promise<void> => {
    // A second click comes before the page is drawn anew.
    if (upload.current !== undefined) return;
    setFault(undefined);
    setSent(0);
    const own = uploadFile(api, file, said, keyOf(), setSent);
    upload.current = own;
    try {
      goTo(href.batch((await own.done).id));
    } catch (error) {
      if (upload.current === own) stop();
      setFault(asFault(error));
    }
  };
  return (
    <div class="run">
      {fault === undefined ? null : <FaultNotice fault={fault} title="The list was not taken" />}
      {sent === undefined ? (
        <Button kind="primary" onClick={() => void run()} disabled={disabled}>
          {label}
        </Button>
      ) : (
        <div class="run-progress">
          <Progress label="Upload" value={sent} max={file.size} />
          <p class="hint">
            {sent < file.size
              ? `${bytes(sent)} of ${bytes(file.size)} sent, ${percent(sent, file.size)}`
              : 'All sent; the service reads it through.'}
          </p>
          <p class="hint">Keep this page open until the batch appears: leaving it stops the upload.</p>
          <Button onClick={stop}>Stop</Button>
        </div>
      )}
    </div>
  );
};
