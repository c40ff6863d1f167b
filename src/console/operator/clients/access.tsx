/** A client's name, what it may do, and its limits. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import type { ChangedClient, OperatorClient } from '../../calls.ts';
import { Button, Checkbox, TextField } from '../../ui/controls.tsx';
import { FaultNotice, Notice } from '../../ui/feedback.tsx';
import { bytes, count } from '../../ui/format.ts';
import { Part, type PartProps } from './part.tsx';
import { type LimitName, limitLabel, useChange } from './use-change.ts';

type Limit = OperatorClient['limits'][number];

const SCOPES = [
  { scope: 'quote', label: 'Single quotes' },
  { scope: 'batch', label: 'Lists, comparisons and webhooks' },
] as const;

const amountText = (limit: LimitName, value: number): string =>
  limit.startsWith('bytes') ? `${count(value)} (${bytes(value)})` : count(value);

/** As typed; empty where nothing was typed. */
type Typed = Readonly<Partial<Record<LimitName, string>>>;

/** `60,000` and `60 000` are numbers too. */
const numberOf = (text: string): number => (/^[\d, ]+$/.test(text) ? Number(text.replace(/[, ]/g, '')) : Number.NaN);

const LimitFields = ({
  limits,
  typed,
  onType,
}: {
  readonly limits: readonly Limit[];
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}) => (
  <div class="limit-fields">
    {limits.map(({ limit, most, usual }) => (
      <TextField
        key={limit}
        label={limitLabel(limit)}
        inputMode="numeric"
        value={typed[limit] ?? count(most)}
        onChange={(text) => onType({ ...typed, [limit]: text })}
        error={Number.isNaN(numberOf(typed[limit] ?? '0')) ? 'Type a whole number, such as 60,000.' : undefined}
        hint={most === usual ? undefined : `Usually ${amountText(limit, usual)}.`}
        maxLength={24}
        required
      />
    ))}
  </div>
);

const LimitList = ({ limits }: { readonly limits: readonly Limit[] }) => (
  <dl class="limit-list">
    {limits.map(({ limit, most }) => (
      <div key={limit}>
        <dt>{limitLabel(limit)}</dt>
        <dd>{amountText(limit, most)}</dd>
      </div>
    ))}
  </dl>
);

export const Access = ({ client, onChanged, canChange }: PartProps & { readonly canChange: boolean }) => {
  const api = useApi();
  const { id, limits } = client;
  const { busy, fault, make } = useChange();
  const [name, setName] = useState(client.name);
  const [scopes, setScopes] = useState<readonly string[]>(client.scopes);
  const [typed, setTyped] = useState<Typed>({});
  const [done, setDone] = useState<ChangedClient['changes']>();
  const changedLimits = limits.flatMap(({ limit, most }) => {
    const text = typed[limit];
    return text === undefined || numberOf(text) === most ? [] : [[limit, numberOf(text)] as const];
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    setDone(undefined);
    if (changedLimits.some(([, most]) => Number.isNaN(most))) return;
    make(async () => {
      const isSame = SCOPES.every(({ scope }) => scopes.includes(scope) === client.scopes.includes(scope));
      const json = {
        ...(name.trim() === client.name ? {} : { name: name.trim() }),
        ...(isSame ? {} : { scopes }),
        ...(changedLimits.length === 0 ? {} : { limits: Object.fromEntries(changedLimits) }),
      };
      const changed = await api.call('changeClient', { id, json });
      onChanged(changed);
      setTyped({});
      setDone(changed.changes);
    });
  };
  if (!canChange)
    return (
      <Part title="Limits">
        <LimitList limits={limits} />
      </Part>
    );
  return (
    <Part title="Name, scopes and limits" lead="A call over a limit is refused, and told when to come back.">
      <form class="stack" onSubmit={submit}>
        <div class="client-fields">
          <TextField label="Name" value={name} onChange={setName} maxLength={80} required />
          <fieldset class="client-group">
            <legend>May use</legend>
            {SCOPES.map(({ scope, label }) => (
              <Checkbox
                key={scope}
                label={label}
                checked={scopes.includes(scope)}
                onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
              />
            ))}
          </fieldset>
        </div>
        <details class="limit-details">
          <summary>Limits</summary>
          <LimitFields limits={limits} typed={typed} onType={setTyped} />
        </details>
        {fault === undefined ? null : <FaultNotice fault={fault} />}
        {done !== undefined && fault === undefined ? (
          <Notice kind="info">
            <p>Saved. It is in force.</p>
            <ul>
              {done.map(({ what, before, after }) => (
                <li key={what}>
                  {what}: {before ?? 'none'} is now {after ?? 'none'}
                </li>
              ))}
            </ul>
          </Notice>
        ) : null}
        <div class="actions start">
          <Button submit busy={busy}>
            Save
          </Button>
        </div>
      </form>
    </Part>
  );
};
