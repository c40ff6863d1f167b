/** The tariffs with their services, and a notice about warehouses that have no zone chart. */
import type { TariffsBody } from '../calls.ts';
import { Notice } from '../ui/feedback.tsx';
import { count, dayOf } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { CoverageTable } from './coverage.tsx';

export type Tariff = TariffsBody['tariffs'][number];
type Service = Tariff['services'][number];

const MARKS = { now: 'mark good', later: 'mark accent', past: 'mark' } as const;
const WORDS = { now: 'in force', later: 'upcoming', past: 'replaced' } as const;

const ServiceTable = ({ name, services }: { readonly name: string; readonly services: readonly Service[] }) => (
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
);

const TariffSection = ({ tariff }: { readonly tariff: Tariff }) => {
  const { id, name, description, effectiveDate, fallback, inForce, services, coverage } = tariff;
  return (
    <section class="stack">
      <div>
        <h2>
          {name} <span class={MARKS[inForce]}>{WORDS[inForce]}</span>
        </h2>
        <p class="hint anywhere">
          From {dayOf(effectiveDate)}
          {fallback ? ', used only while there is no other' : ''}. Version <code>{id}</code>
        </p>
      </div>
      {description === '' ? null : <p>{description}</p>}
      <ServiceTable name={id} services={services} />
      <CoverageTable name={id} coverage={coverage} />
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

const Line = ({ warehouse_id, carrier, services, allServices, zones }: Uncharted) => (
  <li>
    Warehouse {warehouse_id} has no zone chart of {carrier}
    {allServices ? '' : ` (${services.join(', ')})`}. {CONSEQUENCES[zones]}
  </li>
);

export const UnchartedNotice = ({ uncharted }: Pick<TariffsBody, 'uncharted'>) =>
  uncharted.length === 0 ? null : (
    <Notice kind="warning" announced={false} title="Some of your warehouses have no zone chart">
      <ul>
        {uncharted.map((entry) => (
          <Line key={`${entry.warehouse_id} ${entry.carrier} ${entry.zones}`} {...entry} />
        ))}
      </ul>
    </Notice>
  );
