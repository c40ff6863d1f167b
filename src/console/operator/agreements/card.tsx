/** The effective rate card of an agreement: what a package costs by weight and zone. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { OperatorAgreement } from '../../calls.ts';
import { RateCard } from '../../tariffs/rate-card.tsx';
import { Select } from '../../ui/controls.tsx';
import { FaultNotice, Skeleton } from '../../ui/feedback.tsx';
import { Part } from '../clients/part.tsx';

const ADDRESSES = [
  { value: 'commercial', label: 'a business' },
  { value: 'residential', label: 'a home' },
] as const;

export const AgreementCard = ({ agreement: { name, services, id } }: { readonly agreement: OperatorAgreement }) => {
  const api = useApi();
  const [service, setService] = useState(services[0]?.shippingService ?? '');
  const [address, setAddress] = useState<string>(ADDRESSES[0].value);
  const loaded = useLoad(
    (signal) => api.call('agreementCard', { id: name, query: { service, address }, signal }),
    [api, id, name, service, address],
  );
  if (services.length === 0) return null;
  return (
    <Part title="Rate card" lead="What a package costs before surcharges. The list price is struck out.">
      <div class="discount-form">
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
      {loaded.state === 'failed' ? <FaultNotice fault={loaded.fault} retry={loaded.reload} /> : null}
      {loaded.data === undefined ? (
        loaded.state === 'loading' ? (
          <Skeleton lines={8} label="Loading the rate card" />
        ) : null
      ) : (
        <RateCard card={loaded.data} />
      )}
    </Part>
  );
};
