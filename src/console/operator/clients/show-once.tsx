/** Shows new secrets once. Only the button closes it, so that no key press loses a secret. */
import { useEffect, useId, useRef } from 'preact/hooks';
import type { NewSecrets } from '../../calls.ts';
import { Button, CopyButton } from '../../ui/controls.tsx';

const LABELS = [
  ['client_id', 'Client id'],
  ['client_secret', 'Client secret'],
  ['webhook_secret', 'Webhook signing secret'],
] as const;

interface ShowOnceProps {
  readonly secrets: NewSecrets;
  readonly onSaved: () => void;
}

export const ShowOnce = ({ secrets, onSaved }: ShowOnceProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = ref;
    current?.showModal();
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      current?.close();
    };
  }, []);
  return (
    <dialog ref={ref} class="card stack dialog" aria-labelledby={id} onCancel={(event) => event.preventDefault()}>
      <h2 id={id}>Save this now</h2>
      <p>Only a hash of the secret is kept. It cannot be shown again.</p>
      <dl class="stack small">
        {LABELS.map(([key, label]) => {
          const value = secrets[key];
          return value === undefined ? null : (
            <div key={key}>
              <dt class="hint">{label}</dt>
              <dd class="split sunken anywhere">
                <code>{value}</code>
                <CopyButton text={value} />
              </dd>
            </div>
          );
        })}
      </dl>
      <div class="actions">
        <Button kind="primary" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </dialog>
  );
};
