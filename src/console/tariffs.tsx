/** The page of tariffs: the list of tariffs, and for one service its zones from a warehouse and its rate card. */
import './tariffs/tariffs.css';
import { useState } from 'preact/hooks';
import { useApi, useLoad } from './api.ts';
import type { CentroidsBody, Warehouses } from './calls.ts';
import { RateCard } from './tariffs/rate-card.tsx';
import { type Tariff, TariffList, UnchartedNotice } from './tariffs/tariff-list.tsx';
import { ZoneMap } from './tariffs/zone-map.tsx';
import { Select } from './ui/controls.tsx';
import { EmptyState, FaultNotice, Skeleton } from './ui/feedback.tsx';
import { dayOf } from './ui/format.ts';

export const TariffsPage = () => {
  const api = useApi();
  const loaded = useLoad(
    async (signal) => {
      const [{ tariffs, uncharted }, { warehouses }, centroids] = await Promise.all([
        api.call('tariffs', { signal }),
        api.call('warehouses', { signal }),
        api.call('centroids', { signal }),
      ]);
      return { tariffs, uncharted, warehouses, centroids };
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
          <UnchartedNotice uncharted={loaded.data.uncharted} />
          <TariffList tariffs={loaded.data.tariffs} />
          <Details {...loaded.data} />
        </>
      )}
    </>
  );
};

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

/** @param first the first day on which a tariff is in force, `YYYY-MM-DD`; undefined where none is to come */
const NothingYet = ({ first }: { readonly first: string | undefined }) =>
  first === undefined ? (
    <EmptyState title="There is no tariff yet">
      <p>Nothing can be quoted without one. Ask whoever runs this service to put one in force.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No tariff is in force today">
      <p>
        Shipments of today cannot be quoted; those with a ship date from {dayOf(first)} on can be, by the tariff that is
        in force from then. Choose that day above to look at its zones and rates.
      </p>
    </EmptyState>
  );

const Chosen = ({ choice, centroids }: { readonly choice: Choice; readonly centroids: CentroidsBody }) => (
  <>
    <section class="panel">
      <h2>Zones</h2>
      {choice.warehouse === undefined ? (
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

/** What a service has on a day: today, or from when a tariff to come is in force. */
const Details = ({ tariffs, warehouses, centroids }: DetailsProps) => {
  const origins = warehouses.filter(({ address }) => address.countryCode === 'US');
  const [date, setDate] = useState('');
  const [wanted, setService] = useState('');
  const [origin, setOrigin] = useState(String(origins[0]?.warehouse_id ?? ''));
  const services = servicesOn(tariffs, date);
  const service = services.includes(wanted) ? wanted : (services[0] ?? '');
  const warehouse = origins.find(({ warehouse_id }) => String(warehouse_id) === origin);
  const later = tariffs.filter(({ inForce }) => inForce === 'later').map(({ effectiveDate }) => effectiveDate);
  const dates = [...new Set(later)].sort();
  const isEmpty = service === '';
  if (isEmpty && dates.length === 0) return <NothingYet first={undefined} />;
  return (
    <>
      <div class="panel choices">
        {isEmpty ? null : (
          <Select
            label="Service"
            value={service}
            options={services.map((code) => ({ value: code, label: code }))}
            onChange={setService}
          />
        )}
        {isEmpty ? null : (
          <Select
            label="From warehouse"
            value={origin}
            options={origins.map(({ warehouse_id, name, address }) => ({
              value: String(warehouse_id),
              label: `${warehouse_id} · ${name}, ${address.stateOrProvinceCode} ${address.postalCode}`,
            }))}
            onChange={setOrigin}
          />
        )}
        <Select
          label="As of"
          value={date}
          options={[{ value: '', label: 'today' }, ...dates.map((first) => ({ value: first, label: dayOf(first) }))]}
          onChange={setDate}
        />
      </div>
      {isEmpty ? (
        <NothingYet first={dates[0]} />
      ) : (
        <Chosen choice={{ service, warehouse, date }} centroids={centroids} />
      )}
    </>
  );
};
