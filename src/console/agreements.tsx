/** The agreements page: what the client pays instead of list prices, as tables. */
import { agreementTabs, StateMark } from './agreements/tables.tsx';
import { accountText, periodText, STATES } from './agreements/words.ts';
import { useCall } from './api.ts';
import type { Agreement, AgreementSummary } from './calls.ts';
import { href } from './navigation.tsx';
import { LinkButton } from './ui/controls.tsx';
import { EmptyState, Notice } from './ui/feedback.tsx';
import { dayOf } from './ui/format.ts';
import { isMissing, Show } from './ui/kit.tsx';
import { Help } from './ui/later.tsx';
import { Tabs } from './ui/tabs.tsx';

const Standing = ({ agreement }: { readonly agreement: Agreement }) => {
  const { inForce, effective, until, date, changes } = agreement;
  const next = changes.find((change) => change > date);
  if (inForce === 'later')
    return (
      <Notice kind="info" title={`This agreement begins on ${dayOf(effective)}`} text="The tables show that day." />
    );
  if (inForce === 'past' && until !== null)
    return (
      <Notice kind="warning" title={`This agreement ended on ${dayOf(until)}`}>
        <p>Since then you pay the list price. The tables show its last day.</p>
      </Notice>
    );
  return next === undefined ? null : (
    <Notice kind="info" title={`An amendment takes effect on ${dayOf(next)}`}>
      <p>The tables show today. Quotes with a ship date from then on follow the amendment.</p>
    </Notice>
  );
};

const Details = ({ agreement }: { readonly agreement: Agreement }) => {
  const { name, carrier, description, accounts, inForce } = agreement;
  return (
    <>
      <header class="page-head">
        <div class="stack tiny">
          <h2>
            {description === '' ? name : description} <StateMark inForce={inForce} />
          </h2>
          <p class="lead">
            {carrier}, {periodText(agreement)}; {accounts.map(accountText).join('; ')}
          </p>
        </div>
        <LinkButton href={href.tariffs}>Your rate cards</LinkButton>
      </header>
      <Standing agreement={agreement} />
      <Tabs label="Parts of the agreement" tabs={agreementTabs(agreement)} />
      <Help about={['zone', 'fuel', 'dimensionalWeight', 'deliveryArea']} />
    </>
  );
};

const One = ({ name }: { readonly name: string }) => {
  const loaded = useCall('GET /v1/client/agreements/{name}', { id: name });
  if (isMissing(loaded))
    return (
      <EmptyState title="You have no agreement with this name">
        <LinkButton href={href.agreements}>See your agreements</LinkButton>
      </EmptyState>
    );
  return (
    <Show of={loaded} lines={12} label="Loading the agreement">
      {(agreement) => <Details agreement={agreement} />}
    </Show>
  );
};

const NoAgreement = () => (
  <EmptyState title="You have no agreement">
    <p>You pay the list price, less any discount on your account. The rate cards show both.</p>
    <LinkButton href={href.tariffs}>See the rate cards</LinkButton>
  </EmptyState>
);

interface ChooserProps {
  readonly agreements: readonly AgreementSummary[];
  readonly chosen: string;
}

/** Links to the agreements, if there is more than one. */
const Chooser = ({ agreements, chosen }: ChooserProps) =>
  agreements.length < 2 && agreements.some(({ name }) => name === chosen) ? null : (
    <nav class="row" aria-label="Your agreements">
      {agreements.map(({ name, carrier, inForce }) => (
        <a
          key={name}
          class="card stack tiny option-card"
          href={href.agreement(name)}
          aria-current={name === chosen ? 'true' : undefined}
        >
          <strong>{name}</strong>
          <span class="hint">
            {carrier}, {STATES[inForce]}
          </span>
        </a>
      ))}
    </nav>
  );

/** @param wanted the agreement in the address; if empty, the first one */
export const AgreementsPage = ({ id: wanted }: { readonly id: string }) => {
  const loaded = useCall('GET /v1/client/agreements');
  return (
    <>
      <h1>Agreements</h1>
      <Show of={loaded} lines={12} label="Loading agreements">
        {({ agreements }) => {
          const chosen = wanted || agreements[0]?.name;
          if (chosen === undefined) return <NoAgreement />;
          return (
            <>
              <Chooser agreements={agreements} chosen={chosen} />
              <One key={chosen} name={chosen} />
            </>
          );
        }}
      </Show>
    </>
  );
};
