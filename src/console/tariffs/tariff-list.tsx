/** The tariffs with their services, and a notice about warehouses that have no zone chart. */
import type { TariffsBody } from '../calls.ts';
import { Lines, Notice } from '../ui/feedback.tsx';
import { count, dayOf } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { CoverageTable } from './coverage.tsx';

export type Tariff = TariffsBody['tariffs'][number];
type Service = Tariff['services'][number];

const MARKS = { now: 'mark good', later: 'mark accent', past: 'mark' } as const;
const WORDS = { now: 'in force', later: 'upcoming', past: 'replaced' } as const;

interface StateProps {
  readonly inForce: keyof typeof WORDS;
  readonly services: readonly { readonly inForce: keyof typeof WORDS }[];
}

/** Whether a tariff is in force, and how many of its services are if others have replaced some. */
export const TariffState = ({ inForce, services }: StateProps) => {
  const now = services.filter((service) => service.inForce === 'now').length;
  const isPart = inForce === 'now' && now < services.length;
  return <span class={MARKS[inForce]}>{isPart ? `${now} of ${services.length} in force` : WORDS[inForce]}</span>;
};

/** What else there is to say of the services: their limits, and what they need. */
const Terms = ({ name, services }: { readonly name: string; readonly services: readonly Service[] }) => (
  <details>
    <summary>Carriers, weights and what each service needs</summary>
    <Rows
      caption={`Services of ${name}`}
      of={services}
      keyOf={({ shippingService }) => shippingService}
      cols={[
        ['Service', ({ shippingService }) => <span class="nowrap">{shippingService}</span>, 'head'],
        ['Description', ({ description }) => description],
        ['Carrier', ({ carrier }) => carrier],
        ['State', ({ inForce }) => WORDS[inForce]],
        ['Maximum, LB', ({ maximumWeightLb }) => count(maximumWeightLb), 'number'],
        ['Dimensional factor', ({ dimensionalFactor }) => count(dimensionalFactor), 'number'],
        ['Street', ({ addressLineRequired }) => (addressLineRequired ? 'required' : 'not required')],
      ]}
    />
  </details>
);

const TariffSection = ({ tariff }: { readonly tariff: Tariff }) => {
  const { id, name, description, effectiveDate, fallback, inForce, services, coverage } = tariff;
  return (
    <section class="stack">
      <div>
        <h2>
          {name} <TariffState inForce={inForce} services={services} />
        </h2>
        <p class="hint anywhere">
          From {dayOf(effectiveDate)}
          {fallback ? ', used only while there is no other' : ''}. Version <code>{id}</code>
        </p>
      </div>
      {description === '' ? null : <p>{description}</p>}
      <CoverageTable name={id} coverage={coverage} />
      <Terms name={id} services={services} />
    </section>
  );
};

const ORDER = ['now', 'later', 'past'] as const;

export const TariffList = ({ tariffs }: { readonly tariffs: readonly Tariff[] }) => (
  <>
    {ORDER.flatMap((state) => tariffs.filter(({ inForce }) => inForce === state)).map((tariff) => (
      <TariffSection key={tariff.id} tariff={tariff} />
    ))}
  </>
);

type Uncharted = TariffsBody['uncharted'][number];

const CONSEQUENCES = {
  estimated: 'Zones from there are estimated by distance, and quotes say so.',
  unreached: 'Nothing can be quoted from there.',
} as const;

const lineOf = ({ warehouse_id, carrier, services, allServices, zones }: Uncharted): string =>
  `Warehouse ${warehouse_id} has no zone chart from ${carrier}${allServices ? '' : ` (${services.join(', ')})`}. ${CONSEQUENCES[zones]}`;

export const UnchartedNotice = ({ uncharted }: Pick<TariffsBody, 'uncharted'>) =>
  uncharted.length === 0 ? null : (
    <Notice kind="warning" title="Some of your warehouses have no zone chart">
      <Lines of={uncharted.map(lineOf)} />
    </Notice>
  );
