/** The page of tariffs: those in force and to come, and of one service the zones from a warehouse and the rate card. */
import { useState } from 'preact/hooks';
import { useApi } from './api.ts';
import type { CentroidsBody, Warehouses } from './calls.ts';
import { useLoad } from './load.ts';
import { RateCard } from './tariffs/rate-card.tsx';
import { type Tariff, TariffList } from './tariffs/tariff-list.tsx';
import './tariffs/tariffs.css';
import { ZoneMap } from './tariffs/zone-map.tsx';
import { Select } from './ui/field.tsx';
import { day } from './ui/format.ts';
import { FaultNotice } from './ui/notice.tsx';
import { EmptyState, Skeleton } from './ui/state.tsx';

type Warehouse = Warehouses['warehouses'][number];

/**
 * Codes of the services that have a card on a day.
 * @param date `YYYY-MM-DD`; empty for today, which is another day in another time zone: the service says what is in force
 */
const servicesOn = (tariffs: readonly Tariff[], date: string): readonly string[] => {
  const begun = tariffs.filter(({ inForce, effectiveDate }) =>
    date === '' ? inForce === 'now' : inForce !== 'past' && effectiveDate <= date,
  );
  const own = begun.filter(({ fallback }) => !fallback);
  const shown = own.length > 0 ? own : begun;
  return [...new Set(shown.flatMap(({ services }) => services.map(({ shippingService }) => shippingService)))];
};

interface Choice {
  readonly service: string;
  readonly warehouse: Warehouse | undefined;
  /** `YYYY-MM-DD`; empty for today. */
  readonly date: string;
}

const Zones = ({ choice, centroids }: { readonly choice: Choice; readonly centroids: CentroidsBody }) => {
  const api = useApi();
  const { service, warehouse, date } = choice;
  const id = String(warehouse?.warehouse_id ?? '');
  const zones = useLoad(
    (signal) => api.call('zones', { query: { service, warehouse_id: id, date }, signal }),
    [api, service, id, date],
  );
  if (zones.state === 'failed') return <FaultNotice fault={zones.fault} retry={zones.reload} />;
  if (zones.data === undefined) return <div class="zone-figure-room" role="status" aria-label="Loading the map" />;
  return <ZoneMap centroids={centroids} zones={zones.data} from={`${id}, ${warehouse?.name ?? ''}`} />;
};

const Card = ({ service, date }: Choice) => {
  const api = useApi();
  const card = useLoad((signal) => api.call('card', { query: { service, date }, signal }), [api, service, date]);
  if (card.state === 'failed') return <FaultNotice fault={card.fault} retry={card.reload} />;
  return card.data === undefined ? (
    <Skeleton lines={10} label="Loading the rate card" />
  ) : (
    <RateCard card={card.data} />
  );
};

interface DetailsProps {
  readonly tariffs: readonly Tariff[];
  readonly warehouses: readonly Warehouse[];
  readonly centroids: CentroidsBody;
}

const Details = ({ tariffs, warehouses, centroids }: DetailsProps) => {
  const origins = warehouses.filter(({ address }) => address.countryCode === 'US');
  const [date, setDate] = useState('');
  const [wanted, setService] = useState('');
  const [origin, setOrigin] = useState(String(origins[0]?.warehouse_id ?? ''));
  const services = servicesOn(tariffs, date);
  const service = services.includes(wanted) ? wanted : (services[0] ?? '');
  const warehouse = origins.find(({ warehouse_id }) => String(warehouse_id) === origin);
  const dates = [...new Set(tariffs.filter(({ inForce }) => inForce === 'later').map((later) => later.effectiveDate))];
  if (service === '')
    return (
      <EmptyState title="No service is in force">
        <p>Nothing can be quoted until a tariff is. Ask whoever runs this service to put one in force.</p>
      </EmptyState>
    );
  const choice = { service, warehouse, date };
  return (
    <>
      <div class="panel choices">
        <Select
          label="Service"
          value={service}
          options={services.map((code) => ({ value: code, label: code }))}
          onChange={setService}
        />
        <Select
          label="From warehouse"
          value={origin}
          options={origins.map(({ warehouse_id, name, address }) => ({
            value: String(warehouse_id),
            label: `${warehouse_id} · ${name}, ${address.stateOrProvinceCode} ${address.postalCode}`,
          }))}
          onChange={setOrigin}
        />
        <Select
          label="As of"
          value={date}
          options={[
            { value: '', label: 'today' },
            ...dates.sort().map((later) => ({ value: later, label: day(`${later}T12:00`) })),
          ]}
          onChange={setDate}
        />
      </div>
      <section class="panel">
        <h2>Zones</h2>
        {warehouse === undefined ? (
          <EmptyState title="You have no warehouse in the United States">
            <p>Zones are counted from a warehouse. Ask whoever runs this service to register one to you.</p>
          </EmptyState>
        ) : (
          <Zones choice={choice} centroids={centroids} />
        )}
      </section>
      <section class="panel">
        <h2>Rate card</h2>
        <Card {...choice} />
      </section>
    </>
  );
};

export const TariffsPage = () => {
  const api = useApi();
  const loaded = useLoad(
    async (signal) => {
      const [{ tariffs }, { warehouses }, centroids] = await Promise.all([
        api.call('tariffs', { signal }),
        api.call('warehouses', { signal }),
        api.call('centroids', { signal }),
      ]);
      return { tariffs, warehouses, centroids };
    },
    [api],
  );
  return (
    <>
      <h1>Tariffs</h1>
      {loaded.state === 'failed' ? <FaultNotice fault={loaded.fault} retry={loaded.reload} /> : null}
      {loaded.data === undefined ? (
        loaded.state === 'failed' ? null : (
          <Skeleton lines={12} label="Loading tariffs" />
        )
      ) : (
        <>
          <TariffList tariffs={loaded.data.tariffs} />
          <Details {...loaded.data} />
        </>
      )}
    </>
  );
};
