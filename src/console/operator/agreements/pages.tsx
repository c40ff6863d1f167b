/** All agreements, and the page of one: its clients, findings, tables and rate card, and an upload that changes it. */
import { useState } from 'preact/hooks';
import { isFuelType } from '../../../rating/charges.ts';
import { PaysContext } from '../../agreements/pays.ts';
import { agreementTabs, StateMark } from '../../agreements/tables.tsx';
import { changesText, periodText, tierText } from '../../agreements/words.ts';
import { useApi, useCall } from '../../api.ts';
import type { OperatorAgreement, OperatorAgreements } from '../../calls.ts';
import { goTo } from '../../navigation.tsx';
import { type CardQuery, ChosenCard, RateCard, SurchargeTable } from '../../tariffs/rate-card.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { EmptyState, Lines, Notice } from '../../ui/feedback.tsx';
import { allOf, counted, dayOf, today } from '../../ui/format.ts';
import { Ask, Facts, isMissing, Missing, Named, OpeningHead, PageHead, Rows, Show } from '../../ui/kit.tsx';
import type { Col } from '../../ui/table.tsx';
import { Tabs, tabHref } from '../../ui/tabs.tsx';
import { agreementHref, agreementsHref, clientHref, Links } from '../part.tsx';
import { Findings, Upload, withNames } from './upload.tsx';

/* All agreements with their clients, and the upload of a new one. */

type Entry = OperatorAgreements['agreements'][number];

/** `60 discounts of up to 40.43%, 20 surcharges`. */
const linesText = ({ discountLines, highestPercent, surchargeLines }: Entry): string =>
  [
    discountLines > 0 &&
      `${counted(discountLines, 'discount')}${highestPercent === null ? '' : ` of up to ${highestPercent}%`}`,
    surchargeLines > 0 && counted(surchargeLines, 'surcharge'),
  ]
    .filter(Boolean)
    .join(', ') || 'list prices';

const COLS: readonly Col<Entry>[] = [
  [
    'Agreement',
    ({ name, description }) => <Named name={<a href={agreementHref(name)}>{name}</a>} text={description} />,
    'head',
  ],
  ['State', StateMark],
  ['Carrier', ({ carrier }) => carrier],
  ['Ship dates', periodText],
  ['Terms', linesText],
  [
    'Clients',
    ({ clients }) => (clients.length === 0 ? <span class="hint">none</span> : <Links of={clients} to={clientHref} />),
  ],
];

export const AgreementList = () => {
  const loaded = useCall('GET /ops/agreements');
  return (
    <>
      <OpeningHead
        title="Agreements"
        lead="What clients pay instead of list prices."
        label={loaded.data?.fixed === null ? 'Upload an agreement' : undefined}
        form={(close) => <Upload onPublished={({ name }) => goTo(agreementHref(name))} onClose={close} />}
      />
      <Show of={loaded} lines={6}>
        {({ agreements, fixed }) => (
          <>
            {fixed === null ? null : <Notice kind="info" title="Agreements cannot be changed here" text={fixed} />}
            <Rows
              of={agreements}
              cards
              caption="Agreements"
              keyOf={({ name }) => name}
              cols={COLS}
              empty={
                <EmptyState title="There are no agreements yet">
                  <p>Upload the files of an agreement, or a carrier’s discount table.</p>
                </EmptyState>
              }
            />
          </>
        )}
      </Show>
    </>
  );
};

/* One agreement. */

/** The effective rate card of an agreement: what a package costs by weight and zone. */
const AgreementCard = ({ agreement: { name, id }, query }: { agreement: OperatorAgreement; query: CardQuery }) => {
  const loaded = useCall('GET /ops/agreements/{name}/card', { id: name, query }, [id]);
  return (
    <Show of={loaded} lines={8} label="Loading the rate card">
      {(card) => (
        <>
          <RateCard card={card} />
          <section class="stack small">
            <h3>Surcharges at the list price</h3>
            {card.surcharges.every(({ yours }) => yours === null) ? null : (
              <p class="hint">
                The others are under <a href={tabHref(agreementHref(name), 'surcharges')}>Surcharges</a>.
              </p>
            )}
            <SurchargeTable card={card} of={card.surcharges.filter(({ yours }) => yours === null)} />
          </section>
        </>
      )}
    </Show>
  );
};

/** Its carrier and clients, its first day, and what it changes. */
const Summary = ({ agreement }: { readonly agreement: OperatorAgreement }) => {
  const { name, clients, carrier, tier, discountRange, services, surcharges, date } = agreement;
  const fuel = surcharges.filter(({ type }) => isFuelType(type));
  const others = surcharges.length - fuel.length;
  const multiweight = services.filter((service) => service.multiweight !== null).length;
  const fuelTexts = new Set(fuel.map(({ changes }) => changesText(changes)));
  return (
    <section class="panel" aria-label="Summary">
      <Facts
        of={[
          ['Clients that use it', clients.length === 0 ? 'none yet' : <Links of={clients} to={clientHref} />],
          ['Carrier', carrier],
          ['Ship dates', `${periodText(agreement)}${agreement.until === null ? ', no end date' : ''}`],
          ['Base charges', discountRange === null ? 'list price' : `${discountRange} off`],
          [
            'Fuel',
            fuelTexts.size > 1 ? (
              <a href={tabHref(agreementHref(name), 'surcharges')}>differs by service</a>
            ) : (
              ([...fuelTexts][0] ?? 'list rate')
            ),
          ],
          ...(multiweight === 0
            ? []
            : [['Multiweight', `agreed prices for ${counted(multiweight, 'service')}`] as const]),
          ['Other surcharges', others === 0 ? 'list price' : `${others} not at the list price`],
          ...(tier?.tier == null ? [] : [['Tier', tierText(tier.tier)] as const]),
          ...(date === today() ? [] : [['Shown below', `terms on ${dayOf(date)}`] as const]),
        ]}
      />
    </section>
  );
};

const MOST_LINES = 8;

/** What changes next, and when. */
const Next = ({ agreement: { next, changes, services } }: { readonly agreement: OperatorAgreement }) => {
  if (next === null) return null;
  const later = changes.filter((day) => day > next.day).map(dayOf);
  const lines = next.differences.map(
    ({ at, before, after }) =>
      `${withNames(at.replace(/^discounts\.csv /, ''), services)}: ${before ?? 'none'} → ${after ?? 'none'}`,
  );
  const more = lines.length + next.moreDifferences - MOST_LINES;
  return (
    <Notice kind="info" title={`It changes on ${dayOf(next.day)}`}>
      {lines.length === 0 ? (
        <p>No line changes, but a tier, a fuel rate or the price of an index does.</p>
      ) : (
        <Lines of={lines.slice(0, MOST_LINES)}>{more > 0 ? <li>and {counted(more, 'more line')}</li> : null}</Lines>
      )}
      {later.length === 0 ? null : <p>It changes again on {allOf(later)}.</p>}
    </Notice>
  );
};

/** Names the clients. While a client uses the agreement, it cannot be withdrawn, because the client would have no prices. */
const Withdraw = ({ agreement: { name, id, clients, drafts } }: { readonly agreement: OperatorAgreement }) => {
  const api = useApi();
  return (
    <Ask
      label="Withdraw"
      title={clients.length === 0 ? `Withdraw ${name}?` : `${name} is in use`}
      action={clients.length === 0 ? 'Withdraw the agreement' : undefined}
      keep={clients.length === 0 ? undefined : 'Close'}
      call={async () => {
        await api.call('POST /ops/agreements/{name}/withdraw', { id: name, json: { id } });
        goTo(agreementsHref);
      }}
    >
      {clients.length > 0 ? (
        <p>
          <Links of={clients} to={clientHref} /> {clients.length === 1 ? 'uses' : 'use'} it, and would get no prices
          without it. Remove it from {clients.length === 1 ? 'this client' : 'these clients'} first.
        </p>
      ) : (
        <>
          <p>No client uses it.</p>
          {drafts.length === 0 ? null : (
            <p>
              <Links of={drafts} to={clientHref} /> can no longer ask about it in comparisons.
            </p>
          )}
          <p>Batches that have begun keep their prices. To bring it back, upload its files again.</p>
        </>
      )}
    </Ask>
  );
};

/** A short description, or the carrier and the only client. */
const titleOf = ({ description, carrier, clients }: OperatorAgreement): string =>
  /^.{1,60}$/.test(description)
    ? description
    : `Agreement with ${carrier}${clients.length === 1 ? ` for ${clients}` : ''}`;

export const AgreementView = ({ name }: { readonly name: string }) => {
  const loaded = useCall('GET /ops/agreements/{name}', { id: name });
  const [uploading, setUploading] = useState(false);
  const agreement = loaded.data;
  if (isMissing(loaded))
    return (
      <Missing title="Agreement not found" text={`There is no valid agreement ${name}`}>
        <LinkButton href={agreementsHref}>See all agreements</LinkButton>
      </Missing>
    );
  const title = agreement && titleOf(agreement);
  const publish = (next: OperatorAgreement): void => {
    loaded.put(next);
    setUploading(false);
  };
  return (
    <>
      <PageHead
        title={
          <>
            {title ?? name} {agreement && <StateMark inForce={agreement.inForce} />}
          </>
        }
        above={[agreementsHref, 'All agreements']}
        lead={[name, agreement?.description].filter((text) => text && text !== title).join(': ')}
      >
        {agreement?.fixed === null && !uploading ? (
          <div class="actions">
            <Withdraw agreement={agreement} />
            <Button kind="primary" onClick={() => setUploading(true)}>
              Upload a change
            </Button>
          </div>
        ) : null}
      </PageHead>
      {uploading ? <Upload name={name} onClose={() => setUploading(false)} onPublished={publish} /> : null}
      <Show of={loaded} lines={12} label="Loading the agreement">
        {(shown) => (
          <PaysContext.Provider value="The client pays">
            <h2 class="visually-hidden">What it says</h2>
            <Summary agreement={shown} />
            <Tabs
              label="Parts of the agreement"
              above={
                <div class="stack">
                  <Next agreement={shown} />
                  <Findings {...shown} />
                </div>
              }
              tabs={[
                ...agreementTabs(shown),
                shown.services.length > 0 && {
                  at: 'card',
                  label: 'Rate card',
                  alone: true,
                  show: () => (
                    <ChosenCard services={shown.services}>
                      {(query) => <AgreementCard agreement={shown} query={query} />}
                    </ChosenCard>
                  ),
                },
              ]}
            />
          </PaysContext.Provider>
        )}
      </Show>
    </>
  );
};
