/** The form of a new draft, and the questions before an operator withdraws a tariff or goes back to a version. */
import { useApi } from '../../api.ts';
import type { OperatorTariffsBody, TariffChangeBody } from '../../calls.ts';
import { Button } from '../../ui/controls.tsx';
import { Form, type FormField, useForm } from '../../ui/form.tsx';
import { Ask, Panel } from '../../ui/kit.tsx';
import { operatorHref } from '../address.ts';
import { Refusal } from './words.tsx';

export const DRAFT = [
  { at: 'name', label: 'Name', hint: 'Such as carriers-2027. Quotes show it.', most: 40, required: true },
  {
    at: 'effectiveDate',
    label: 'In force from',
    name: 'The first day',
    hint: 'The first ship date. The carrier’s files state it.',
    type: 'date',
    required: true,
  },
] as const satisfies readonly FormField[];

export const NewDraft = ({ onClose }: { readonly onClose: () => void }) => {
  const api = useApi();
  const form = useForm();
  return (
    <Panel title="New draft">
      <Form
        fields={DRAFT}
        form={form}
        kind="primary"
        action="Create the draft"
        told={Refusal}
        send={async (json) => {
          const { id } = await api.call('POST /ops/tariff-drafts', { json });
          location.hash = operatorHref('tariffs', id);
        }}
        layout={(show) => <div class="fields">{show(DRAFT)}</div>}
      >
        <Button onClick={onClose}>Cancel</Button>
      </Form>
    </Panel>
  );
};

interface QuestionProps {
  readonly body: OperatorTariffsBody;
  readonly onDone: (change: TariffChangeBody) => void;
}

interface WithdrawProps extends QuestionProps {
  readonly tariff: OperatorTariffsBody['tariffs'][number];
}

export const Withdraw = ({ tariff: { id, inForce }, body: { version }, onDone }: WithdrawProps) => {
  const api = useApi();
  return (
    <Ask
      label="Withdraw"
      title={`Withdraw ${id}?`}
      action="Withdraw the tariff"
      told={Refusal}
      call={async () => onDone(await api.call('POST /ops/tariffs/withdraw', { json: { tariff: id, version } }))}
    >
      <p>
        {inForce === 'now'
          ? 'It is in force today. Its services are then quoted with the previous tariff, if there is one.'
          : 'It is not in force today.'}{' '}
        Running batches keep their prices. You can go back to the current version.
      </p>
    </Ask>
  );
};

interface GoBackProps extends QuestionProps {
  readonly back: OperatorTariffsBody['versions'][number];
}

export const GoBack = ({ back, body: { tariffs, version }, onDone }: GoBackProps) => {
  const api = useApi();
  const now = tariffs.map(({ id }) => id);
  const coming = back.tariffs.filter((id) => !now.includes(id));
  const going = now.filter((id) => !back.tariffs.includes(id));
  return (
    <Ask
      label="Go back"
      title={`Go back to version ${back.version}?`}
      action="Go back"
      keep="Cancel"
      told={Refusal}
      call={async () => onDone(await api.call('POST /ops/tariffs/back', { json: { to: back.version, version } }))}
    >
      <ul class="lines">
        {coming.map((id) => (
          <li key={id}>
            Returns: <code>{id}</code>
          </li>
        ))}
        {going.map((id) => (
          <li key={id}>
            Leaves: <code>{id}</code>
          </li>
        ))}
        {coming.length + going.length === 0 ? <li>The tariffs are the same.</li> : null}
      </ul>
      <p>Running batches keep their prices.</p>
    </Ask>
  );
};
