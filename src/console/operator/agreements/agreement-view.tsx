/** One agreement: who pays by it, its findings, tables and rate card, and an upload that changes it. */

import { useState } from 'preact/hooks';
import { AgreementTables } from '../../agreements/tables.tsx';
import { useCall } from '../../api.ts';
import type { OperatorAgreement } from '../../calls.ts';
import { RateCard } from '../../tariffs/rate-card.tsx';
import { Button, LinkButton, Select } from '../../ui/controls.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { dayOf } from '../../ui/format.ts';
import { isMissing, Missing, PageHead, Panel, Show } from '../../ui/kit.tsx';
import { agreementsHref } from '../clients/part.tsx';
import { ClientLinks, StateMark } from './agreement-list.tsx';
import { Findings, Upload } from './upload.tsx';

/* The effective rate card of an agreement: what a package costs by weight and zone. */

const ADDRESSES = [
  { value: 'commercial', label: 'a business' },
  { value: 'residential', label: 'a home' },
] as const;

const AgreementCard = ({ agreement: { name, services, id } }: { readonly agreement: OperatorAgreement }) => {
  const [service, setService] = useState(services[0]?.shippingService ?? '');
  const [address, setAddress] = useState<string>(ADDRESSES[0].value);
  const loaded = useCall('GET /ops/agreements/{name}/card', { id: name, query: { service, address } }, [id]);
  if (services.length === 0) return null;
  return (
    <Panel title="Rate card" lead="What a package costs before surcharges. List prices are crossed out.">
      <div class="fields">
        <Select
          label="Service"
          value={service}
          onChange={setService}
          options={services.map((one) => ({
            value: one.shippingService,
            label: `${one.shippingService}, ${one.description}`,
          }))}
        />
        <Select label="To" value={address} onChange={setAddress} options={ADDRESSES} />
      </div>
      <Show of={loaded} lines={8} label="Loading the rate card">
        {(card) => <RateCard card={card} />}
      </Show>
    </Panel>
  );
};

const Changes = ({ agreement: { changes, date } }: { readonly agreement: OperatorAgreement }) => {
  const next = changes.filter((day) => day > date);
  return next.length === 0 ? null : (
    <Notice kind="info" title={`It changes on ${next.map(dayOf).join(' and ')}`}>
      <p>The tables show {dayOf(date)}.</p>
    </Notice>
  );
};

export const AgreementView = ({ name }: { readonly name: string }) => {
  const loaded = useCall('GET /ops/agreements/{name}', { id: name });
  const [published, setPublished] = useState<OperatorAgreement>();
  const [uploading, setUploading] = useState(false);
  const agreement = published ?? loaded.data;
  if (isMissing(loaded))
    return (
      <Missing title="Agreement not found" text={`There is no valid agreement ${name}`}>
        <LinkButton href={agreementsHref}>See all agreements</LinkButton>
      </Missing>
    );
  const lead =
    agreement === undefined ? undefined : (
      <>
        {agreement.description === '' ? agreement.carrier : agreement.description}{' '}
        <StateMark inForce={agreement.inForce} /> Clients that use it: <ClientLinks ids={agreement.clients} />
      </>
    );
  const publish = (next: OperatorAgreement): void => {
    setPublished(next);
    setUploading(false);
  };
  return (
    <>
      <PageHead title={name} above={[agreementsHref, 'All agreements']} lead={lead}>
        {agreement?.fixed === null && !uploading ? (
          <Button onClick={() => setUploading(true)}>Upload a change</Button>
        ) : null}
      </PageHead>
      {uploading ? <Upload name={name} onClose={() => setUploading(false)} onPublished={publish} /> : null}
      <Show of={loaded} lines={12} label="Loading the agreement">
        {(first) => {
          const shown = published ?? first;
          return (
            <>
              <Changes agreement={shown} />
              <Findings findings={shown.findings} />
              <h2>As the client sees it</h2>
              <AgreementTables agreement={shown} />
              <AgreementCard agreement={shown} />
            </>
          );
        }}
      </Show>
    </>
  );
};
