/** A client's name, scopes and limits. */
import { useState } from 'preact/hooks';
import type { ChangedClient, OperatorClient } from '../../calls.ts';
import { Notice } from '../../ui/feedback.tsx';
import { Form, type FormField, useForm } from '../../ui/form.tsx';
import { allOf, bytes, count } from '../../ui/format.ts';
import { Facts, Panel } from '../../ui/kit.tsx';
import type { PartProps } from '../part.tsx';

type Limit = OperatorClient['limits'][number];

const LIMITS = {
  quotesPerMinute: 'Quotes per minute',
  tokensPerMinute: 'Tokens per minute',
  uploadsPerMinute: 'Lists and corrections per minute',
  readsPerMinute: 'Reads per minute',
  readsAtOnce: 'Concurrent reads',
  downloadsPerMinute: 'Downloads per minute',
  downloadsAtOnce: 'Concurrent downloads',
  changesPerMinute: 'Deletes, cancels and retries per minute',
  batchesInFlight: 'Unfinished batches',
  rowsInFlight: 'Rows in unfinished batches',
  bytesInFlight: 'Bytes of unfinished lists',
  batchesStored: 'Stored batches and comparisons',
  bytesStored: 'Bytes of all stored files',
  outputPerInputByte: 'Bytes of output for each byte of a list',
} as const satisfies Record<Limit['limit'], string>;

/** Names a limit as the form does. Other changes keep their text. */
export const changeText = (what: string): string =>
  Object.entries(LIMITS).find(([limit]) => what === `limit ${limit}`)?.[1] ?? what;

const SCOPES = [
  { value: 'quote', label: 'Single quotes' },
  { value: 'batch', label: 'Lists, comparisons and webhooks' },
] as const;

const amountText = (limit: Limit['limit'], value: number): string =>
  limit.startsWith('bytes') ? `${count(value)} (${bytes(value)})` : count(value);

/** Also accepts `60,000` and `60 000`. */
const numberOf = (text: string): number => (/^[\d, ]+$/.test(text) ? Number(text.replace(/[, ]/g, '')) : Number.NaN);

const limitField = ({ limit, most, usual }: Limit): FormField => ({
  at: `limits.${limit}`,
  label: LIMITS[limit],
  name: LIMITS[limit],
  inputMode: 'numeric',
  initial: count(most),
  hint: limit.startsWith('bytes')
    ? `${bytes(most)}${most === usual ? '' : `, usually ${bytes(usual)}`}.`
    : most === usual
      ? undefined
      : `Usually ${count(usual)}.`,
  most: 24,
  required: true,
  value: (text) => (numberOf(text) === most ? undefined : numberOf(text)),
  wrong: (text) => (Number.isNaN(numberOf(text)) ? 'Type a whole number, such as 60,000.' : undefined),
});

const Saved = ({ changes }: Pick<ChangedClient, 'changes'>) => (
  <Notice announced kind="done">
    <p>Saved and in force.</p>
    <ul>
      {changes.map(({ what, before, after }) => (
        <li key={what}>
          {changeText(what)}: {before ?? 'none'} is now {after ?? 'none'}
        </li>
      ))}
    </ul>
  </Notice>
);

export const Access = ({ client, canChange, change }: PartProps) => {
  const { limits } = client;
  const form = useForm();
  const [done, setDone] = useState<ChangedClient['changes']>();
  if (!canChange)
    return (
      <Panel title="Limits">
        <Facts of={limits.map(({ limit, most }) => [LIMITS[limit], amountText(limit, most)])} />
      </Panel>
    );
  const name: FormField = {
    at: 'name',
    label: 'Name',
    initial: client.name,
    most: 80,
    required: true,
    value: (text) => (text.trim() === client.name ? undefined : text.trim()),
  };
  const limitFields = limits.map(limitField);
  const unusual = limits.filter(({ most, usual }) => most !== usual).map(({ limit }) => LIMITS[limit].toLowerCase());
  const scopes: FormField = {
    ...{ at: 'scopes', label: 'May use', type: 'checks', options: SCOPES, initial: client.scopes.join(' ') },
    value: (text) => {
      const own = SCOPES.map(({ value }) => value).filter((scope) => text.split(' ').includes(scope));
      return SCOPES.every(({ value }) => own.includes(value) === client.scopes.includes(value)) ? undefined : own;
    },
  };
  return (
    <Panel title="Name and limits" lead="A call over a limit is refused. The answer says when to try again.">
      <Form
        fields={[name, scopes, ...limitFields]}
        form={form}
        kind="primary"
        action="Save"
        send={async (body) => {
          setDone(undefined);
          setDone((await change(body)).changes);
        }}
        layout={(show) => (
          <>
            <div class="fields long">{show([name, scopes])}</div>
            <details>
              <summary>
                <span>Limits</span>{' '}
                <span class="hint">
                  {unusual.length === 0 ? 'all at their defaults' : `not at their defaults: ${allOf(unusual)}`}
                </span>
              </summary>
              <div class="fields">{show(limitFields)}</div>
            </details>
            {done === undefined ? null : <Saved changes={done} />}
          </>
        )}
      />
    </Panel>
  );
};
