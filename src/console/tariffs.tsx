/** The tariffs page: zones, rates and surcharges of one service from a warehouse, and what each tariff contains. */
import './tariffs/tariffs.css';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useApi, useCall, useLoad } from './api.ts';
import type { CardBody, Warehouses, ZonesBody } from './calls.ts';
import { type CellGroup, CellMap } from './tariffs/cell-map.tsx';
import { ADDRESSES, RateCard, SurchargeTable } from './tariffs/rate-card.tsx';
import { FuelLine, type Tariff, TariffList, UnchartedLines } from './tariffs/tariff-list.tsx';
import { Select } from './ui/controls.tsx';
import { EmptyState, FaultNotice, Notice } from './ui/feedback.tsx';
import { allOf, counted, dayOf } from './ui/format.ts';
import { PageHead, Show } from './ui/kit.tsx';
import { Help } from './ui/later.tsx';
import { serviceOptions } from './ui/service-names.tsx';
import { Tabs } from './ui/tabs.tsx';

/** Formats `Today’s prices come from tariff “2026” (since Jan 5, 2026).` */
const leadOf = (tariffs: readonly Tariff[]): string => {
  const now = tariffs.filter(({ inForce }) => inForce === 'now');
  return now.length === 0
    ? 'No tariff is in force today.'
    : `Today’s prices come from ${allOf(now.map(({ name, effectiveDate }) => `tariff “${name}” (since ${dayOf(effectiveDate)})`))}.`;
};

export const TariffsPage = () => {
  const api = useApi();
  const loaded = useLoad(
    async (signal) => {
      const [{ tariffs, fuelEnds, uncharted }, { warehouses }] = await Promise.all([
        api.call('GET /console/tariffs', { signal }),
        api.call('GET /v1/client/warehouses', { signal }),
      ]);
      return { tariffs, fuelEnds, uncharted, warehouses };
    },
    [api],
  );
  return (
    <>
      <PageHead
        title="Tariffs"
        lead={loaded.data === undefined ? 'What quotes are based on.' : leadOf(loaded.data.tariffs)}
      />
      <Show of={loaded} lines={12} label="Loading tariffs">
        {(data) => (
          <>
            {data.fuelEnds.length + data.uncharted.length === 0 ? null : (
              <Notice kind="warning">
                <FuelLine fuelEnds={data.fuelEnds} />
                <UnchartedLines uncharted={data.uncharted} />
              </Notice>
            )}
            <Details {...data} />
          </>
        )}
      </Show>
    </>
  );
};

type Warehouse = Warehouses['warehouses'][number];

type Service = Tariff['services'][number];

/**
 * The services that have a rate card on a date.
 * @param date `YYYY-MM-DD`; empty for today in the service's time zone, which may differ from the browser's
 */
const servicesOn = (tariffs: readonly Tariff[], date: string): readonly Service[] => {
  const begun = tariffs.filter(({ inForce, effectiveDate }) =>
    date === '' ? inForce === 'now' : inForce !== 'past' && effectiveDate <= date,
  );
  const own = begun.filter(({ fallback }) => !fallback);
  const shown = own.length > 0 ? own : begun;
  const services = shown.flatMap((tariff) => tariff.services);
  return [...new Map(services.map((service) => [service.shippingService, service])).values()];
};

interface Choice {
  readonly service: string;
  readonly warehouse: Warehouse | undefined;
  /** `YYYY-MM-DD`; empty for today. */
  readonly date: string;
  readonly address: string;
}

const Zones = ({ service, warehouse, date }: Choice & { readonly warehouse: Warehouse }) => {
  const id = String(warehouse.warehouse_id);
  const zones = useCall('GET /console/tariffs/zones', { query: { service, warehouse_id: id, date } });
  // The previous map is for another choice.
  if (zones.state === 'failed') return <FaultNotice fault={zones.fault} retry={zones.reload} />;
  return (
    <Show of={zones} lines={14} label="Loading the map">
      {(data) => <ZoneMap zones={data} from={`${id}, ${warehouse.name}`} />}
    </Show>
  );
};

interface CardProps {
  readonly choice: Choice;
  readonly children: (card: CardBody) => ComponentChildren;
}

const Card = ({ choice: { service, date, warehouse, address }, children }: CardProps) => {
  const id = warehouse === undefined ? '' : String(warehouse.warehouse_id);
  const card = useCall('GET /console/tariffs/card', { query: { service, date, warehouse_id: id, address } });
  // The previous card is for another choice.
  if (card.state === 'failed') return <FaultNotice fault={card.fault} retry={card.reload} />;
  return (
    <Show of={card} lines={10} label="Loading the rate card">
      {children}
    </Show>
  );
};

interface DetailsProps {
  readonly tariffs: readonly Tariff[];
  readonly warehouses: readonly Warehouse[];
}

/** @param first the first day with a tariff in force, `YYYY-MM-DD`; undefined if there is none */
const NothingYet = ({ first }: { readonly first: string | undefined }) =>
  first === undefined ? (
    <EmptyState title="No tariffs yet">
      <p>Nothing can be quoted without a tariff. Ask your operator to put one in force.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No tariff is in force today">
      <p>
        Shipments can be quoted with a ship date from {dayOf(first)} on. Choose that day above to see its zones and
        rates.
      </p>
    </EmptyState>
  );

const ZonePart = ({ choice }: { readonly choice: Choice }) =>
  choice.warehouse === undefined ? (
    <EmptyState title="You have no warehouse in the United States">
      <p>Zones depend on the warehouse. Ask your operator to add one for you.</p>
    </EmptyState>
  ) : (
    <section class="panel" aria-label="Zones">
      <Zones {...choice} warehouse={choice.warehouse} />
      <Help about={['zone', 'fuel', 'deliveryArea']} />
    </section>
  );

/** Zones, rates and surcharges of a service, today or on the first day of a future tariff, and what prices contain. */
const Details = ({ tariffs, warehouses }: DetailsProps) => {
  const origins = warehouses.filter(({ address }) => address.countryCode === 'US');
  const [date, setDate] = useState('');
  const [wanted, setService] = useState('');
  const [address, setAddress] = useState('commercial');
  const [origin, setOrigin] = useState(String(origins[0]?.warehouse_id ?? ''));
  const services = servicesOn(tariffs, date);
  const { shippingService: service = '' } =
    services.find(({ shippingService }) => shippingService === wanted) ?? services[0] ?? {};
  const warehouse = origins.find(({ warehouse_id }) => String(warehouse_id) === origin);
  const later = tariffs.filter(({ inForce }) => inForce === 'later').map(({ effectiveDate }) => effectiveDate);
  const dates = [...new Set(later)].sort();
  const isEmpty = service === '';
  if (isEmpty && dates.length === 0) return <NothingYet first={undefined} />;
  const choice = { service, warehouse, date, address };
  const part = (show: () => ComponentChildren) => () => (isEmpty ? <NothingYet first={dates[0]} /> : show());
  return (
    <Tabs
      label="Parts of the tariff"
      above={
        <div class="tariff-choice">
          {isEmpty ? null : (
            <>
              <Select label="Service" value={service} options={serviceOptions(services)} onChange={setService} />
              <Select
                label="From warehouse"
                value={origin}
                options={origins.map(({ warehouse_id, name, address: at }) => ({
                  value: String(warehouse_id),
                  label: `${warehouse_id} · ${name}, ${at.stateOrProvinceCode} ${at.postalCode}`,
                }))}
                onChange={setOrigin}
              />
              <Select label="To" value={address} options={ADDRESSES} onChange={setAddress} />
            </>
          )}
          <Select
            label="As of"
            value={date}
            options={[{ value: '', label: 'today' }, ...dates.map((first) => ({ value: first, label: dayOf(first) }))]}
            onChange={setDate}
          />
        </div>
      }
      tabs={[
        { at: 'zones', label: 'Zones', show: part(() => <ZonePart choice={choice} />) },
        {
          at: 'rates',
          label: 'Rates',
          show: part(() => <Card choice={choice}>{(card) => <RateCard card={card} />}</Card>),
        },
        {
          at: 'surcharges',
          label: 'Surcharges',
          show: part(() => (
            <Card choice={choice}>
              {(card) => (
                <section class="stack small">
                  <h2>{card.description} surcharges</h2>
                  <SurchargeTable card={card} of={card.surcharges} />
                </section>
              )}
            </Card>
          )),
        },
        { at: 'coverage', label: 'Coverage', alone: true, show: () => <TariffList tariffs={tariffs} /> },
      ]}
    />
  );
};

interface ZoneMapProps {
  readonly zones: ZonesBody;
  /** The origin of the zones as text. */
  readonly from: string;
}

const ZONES = ['1', '2', '3', '4', '5', '6', '7', '8'];

const nameOf = (zone: string | undefined): string => (zone === undefined ? 'Not served' : `Zone ${zone}`);

const groupsOf = (zones: ZonesBody['zones']): readonly CellGroup[] =>
  [...ZONES, undefined].map((zone) => ({
    name: nameOf(zone),
    color: zone === undefined ? 'transparent' : `var(--zone-${zone})`,
    holds: (zip3) => zones[zip3] === zone,
  }));

const ZoneMap = ({ zones, from }: ZoneMapProps) => {
  const groups = useMemo(() => groupsOf(zones.zones), [zones]);
  return (
    <CellMap
      groups={groups}
      origin={zones.origin}
      label={`Zones from ${from}`}
      describe={(zip3) => nameOf(zones.zones[zip3]).toLowerCase()}
      lookup="Zone of a ZIP code"
      table={{ title: 'All ZIP codes by zone, as a table', group: 'Zone' }}
      hint={
        <>
          {zones.exceptions === 0
            ? ''
            : ` ${counted(zones.exceptions, 'cell has', 'cells have')} ZIP codes in other zones too. A quote uses the exact zone.`}
          {zones.estimated ? ' Zones are estimated by distance, because this warehouse has no chart.' : ''}
        </>
      }
    />
  );
};
