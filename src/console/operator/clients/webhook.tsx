/** A client's webhook: its URL, and a test message with what came back. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { WebhookTest } from '../../calls.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Confirm, FaultNotice, Notice } from '../../ui/feedback.tsx';
import { count } from '../../ui/format.ts';
import { Part, type PartProps } from './part.tsx';
import { useChange } from './use-change.ts';

const Result = ({ test: { status, problem, body, ms, id } }: { readonly test: WebhookTest }) => (
  <Notice
    kind={problem === null ? 'info' : 'error'}
    title={problem === null ? 'The test message was delivered' : 'The test message was not delivered'}
  >
    <p>
      {status === null ? `The reason: ${problem}` : `The answer had status ${status}`} after {count(ms)} ms.
      {status !== null && problem !== null ? ` The reason: ${problem}.` : ''} Its webhook-id is <code>{id}</code>.
    </p>
    {body.trim() === '' ? null : <pre class="webhook-answer">{body}</pre>}
  </Notice>
);

export const Webhook = ({ client, onChanged, canChange }: PartProps & { readonly canChange: boolean }) => {
  const api = useApi();
  const { id, name, webhook } = client;
  const { busy, fault, make } = useChange();
  const [url, setUrl] = useState('');
  const [test, setTest] = useState<WebhookTest>();
  const [removing, setRemoving] = useState(false);
  const save = (to: string | null): void =>
    make(async () => {
      setRemoving(false);
      setTest(undefined);
      onChanged(await api.call('changeClient', { id, json: { webhook: to } }));
      setUrl('');
    });
  const submit = (event: Event): void => {
    event.preventDefault();
    save(url.trim());
  };
  const send = (): void =>
    make(async () => {
      setTest(undefined);
      setTest(await api.call('testWebhook', { id, json: {} }));
    });
  return (
    <Part title="Webhook" lead="Where the service tells it how its batches ended. Each message is signed.">
      {webhook === null ? (
        <p class="hint">It has no webhook.</p>
      ) : (
        <div class="webhook-now">
          <code>{webhook}</code>
          {canChange ? (
            <div class="actions start">
              <Button onClick={send} busy={busy}>
                Send a test message
              </Button>
              <Button onClick={() => setRemoving(true)} busy={busy}>
                Remove
              </Button>
            </div>
          ) : null}
        </div>
      )}
      {test === undefined ? null : <Result test={test} />}
      {canChange ? (
        <form class="webhook-form" onSubmit={submit}>
          <TextField
            label={webhook === null ? 'URL' : 'Another URL'}
            value={url}
            onChange={setUrl}
            hint="It begins with https and is on a public host."
            maxLength={2_000}
            autocomplete="off"
            required
          />
          <Button submit busy={busy}>
            Save the webhook
          </Button>
        </form>
      ) : null}
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      {removing ? (
        <Confirm
          title="Remove the webhook?"
          action="Remove the webhook"
          keep="Keep it"
          onConfirm={() => save(null)}
          onClose={() => setRemoving(false)}
        >
          <p>{name} is not told any more how its batches ended. A new webhook gets a new signing secret.</p>
        </Confirm>
      ) : null}
    </Part>
  );
};
