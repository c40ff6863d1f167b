/** The dialogs of the operator's tariffs: a new draft, and the questions before a withdrawal or going back. */
import { useState } from 'preact/hooks';
import { type ApiFault, asFault, useApi } from '../../api.ts';
import type { OperatorTariffsBody, TariffChangeBody } from '../../calls.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/feedback.tsx';
import { operatorHref } from '../address.ts';
import { Refusal } from './words.tsx';

type Tariff = OperatorTariffsBody['tariffs'][number];
type Version = OperatorTariffsBody['versions'][number];

interface NewDraftProps {
  readonly onClose: () => void;
}

export const NewDraft = ({ onClose }: NewDraftProps) => {
  const api = useApi();
  const [name, setName] = useState('');
  const [date, setDate] = useState('');
  const [fault, setFault] = useState<ApiFault>();
  const [busy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      const { id } = await api.call('createTariffDraft', { json: { name: name.trim(), effectiveDate: date } });
      location.hash = operatorHref('tariffs', id);
    } catch (error) {
      setFault(asFault(error));
      setBusy(false);
    }
  };
  const problem = (field: string): string | undefined => {
    const text = fault?.arguments[field];
    return typeof text === 'string' ? `It ${text}.` : undefined;
  };
  return (
    <section class="panel" aria-label="New draft">
      <h2>New draft</h2>
      {fault === undefined || problem('name') !== undefined || problem('effectiveDate') !== undefined ? null : (
        <Refusal fault={fault} />
      )}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void create();
        }}
      >
        <div class="draft-fields">
          <TextField
            label="Name"
            hint="Such as carriers-2027. Quotes show it."
            value={name}
            onChange={setName}
            error={problem('name')}
            autocomplete="off"
            maxLength={40}
            required
          />
          <TextField
            label="In force from"
            hint="The first ship date. Files of carriers say it."
            type="date"
            value={date}
            onChange={setDate}
            error={problem('effectiveDate')}
            required
          />
        </div>
        <div class="actions">
          <Button kind="primary" submit busy={busy}>
            Create the draft
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </section>
  );
};

/** What an operator is asked to confirm. */
export type Asked = { readonly withdraw: Tariff } | { readonly back: Version };

export const Question = ({
  asked,
  body,
  onDone,
  onClose,
}: {
  readonly asked: Asked;
  readonly body: OperatorTariffsBody;
  readonly onDone: (change: TariffChangeBody) => void;
  readonly onClose: () => void;
}) => {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const { version } = body;
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      onDone(
        'withdraw' in asked
          ? await api.call('withdrawTariff', { json: { tariff: asked.withdraw.id, version } })
          : await api.call('goBackToVersion', { json: { to: asked.back.version, version } }),
      );
    } catch (error) {
      setFault(asFault(error));
      setBusy(false);
    }
  };
  const refusal = fault === undefined ? null : <Refusal fault={fault} />;
  if ('withdraw' in asked) {
    const { id, inForce } = asked.withdraw;
    return (
      <Confirm
        title={`Withdraw ${id}?`}
        action="Withdraw the tariff"
        keep="Keep it"
        busy={busy}
        onConfirm={() => void confirm()}
        onClose={onClose}
      >
        <p>
          {inForce === 'now'
            ? 'It is in force today. Its services are then quoted by the tariff before it, if there is one.'
            : 'It is not in force today.'}{' '}
          Batches under way keep their prices. You can go back to the version of now.
        </p>
        {refusal}
      </Confirm>
    );
  }
  const { back } = asked;
  const now = body.tariffs.map(({ id }) => id);
  const coming = back.tariffs.filter((id) => !now.includes(id));
  const going = now.filter((id) => !back.tariffs.includes(id));
  return (
    <Confirm
      title={`Go back to version ${back.version}?`}
      action="Go back"
      keep="Stay"
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <ul class="change-list">
        {coming.map((id) => (
          <li key={id}>
            Comes back: <code>{id}</code>
          </li>
        ))}
        {going.map((id) => (
          <li key={id}>
            Goes: <code>{id}</code>
          </li>
        ))}
        {coming.length + going.length === 0 ? <li>The tariffs are the same.</li> : null}
      </ul>
      <p>Batches under way keep their prices.</p>
      {refusal}
    </Confirm>
  );
};
