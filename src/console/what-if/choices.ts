/** The choices for scenarios, in the words of the form. */
import { useApi, useLoad } from '../api.ts';
import type { AgreementSummary, TariffsBody, Warehouses } from '../calls.ts';
import { dayOf } from '../ui/format.ts';

export type Tariff = TariffsBody['tariffs'][number];
export type Warehouse = Warehouses['warehouses'][number];

type ServiceChoice = Tariff['services'][number];

export interface Choices {
  /** All tariffs: first upcoming ones, then those in force, then replaced ones. */
  readonly tariffs: readonly Tariff[];
  readonly hasTransit: boolean;
  readonly agreements: readonly AgreementSummary[];
  /** Names of agreements that the client may compare but does not use. */
  readonly drafts: readonly string[];
  /** Warehouses in the United States. Nothing can be shipped from others. */
  readonly warehouses: readonly Warehouse[];
  /** The services of the tariffs that the batch used. */
  readonly services: readonly ServiceChoice[];
  /** The services that occur in the list, most shipments first. */
  readonly occurring: readonly { readonly code: string; readonly shipments: number }[];
}

const STANDING = { later: 'not in force yet', now: 'in force', past: 'replaced' } as const;
const ORDER = ['later', 'now', 'past'] as const;

/** Formats `carrier-1 from Jan 5, 2026`. */
export const tariffName = ({ name, effectiveDate, fallback }: Tariff): string =>
  fallback ? `“${name}”` : `“${name}” from ${dayOf(effectiveDate)}`;

/** Formats the carriers, and `not in force yet` or similar. */
export const tariffStanding = ({ inForce, fallback, services }: Tariff): string => {
  const carriers = new Set(services.map(({ carrier }) => carrier));
  return `${[...carriers].join(', ')}; ${fallback ? 'used when no other applies' : STANDING[inForce]}`;
};

export const warehouseName = ({ name, warehouse_id }: Warehouse): string =>
  name.trim() === '' ? `warehouse ${warehouse_id}` : name;

export const warehousePlace = ({ warehouse_id, address }: Warehouse): string =>
  `${address.stateOrProvinceCode} ${address.postalCode}, number ${warehouse_id}`;

export const agreementLabel = ({ name, carrier, description, inForce }: AgreementSummary): string => {
  const standing = { now: '', later: ', not in force yet', past: ', ended' }[inForce];
  return `${description === '' ? name : `${description} (${name})`}, ${carrier}${standing}`;
};

/** The services of some tariffs, each once, in their order, after services that are known. */
export const servicesOf = (
  tariffs: readonly Tariff[],
  known: readonly ServiceChoice[] = [],
): readonly ServiceChoice[] => {
  const all = [...known, ...tariffs.flatMap(({ services }) => services)];
  return all.filter(
    (own, at) => all.findIndex(({ shippingService }) => shippingService === own.shippingService) === at,
  );
};

/** The next tariff of each name: the one with the earliest first day. */
export const comingTariffs = ({ tariffs }: Choices): readonly Tariff[] => {
  const coming = new Map<string, Tariff>();
  for (const tariff of tariffs) {
    const known = coming.get(tariff.name);
    if (tariff.inForce === 'later' && (known === undefined || tariff.effectiveDate < known.effectiveDate))
      coming.set(tariff.name, tariff);
  }
  return [...coming.values()];
};

/** Loads everything that the form offers for a batch. */
export const useChoices = (id: string) => {
  const api = useApi();
  return useLoad(
    async (signal) => {
      const [batch, summary, { tariffs, hasTransit }, { agreements }, { drafts }, { warehouses }] = await Promise.all([
        api.call('GET /v1/client/shipment/rates/batches/{id}', { id, signal }),
        api.call('GET /v1/client/shipment/rates/batches/{id}/summary', { id, signal }),
        api.call('GET /console/tariffs', { signal }),
        api.call('GET /v1/client/agreements', { signal }),
        api.call('GET /console/drafts', { signal }),
        api.call('GET /v1/client/warehouses', { signal }),
      ]);
      const versions = batch.tariff.split(', ');
      const own = tariffs.filter(({ id: version }) => versions.includes(version));
      const choices: Choices = {
        tariffs: ORDER.flatMap((state) => tariffs.filter(({ inForce }) => inForce === state)),
        hasTransit,
        agreements,
        drafts: drafts.filter((name) => !agreements.some((known) => known.name === name)),
        warehouses: warehouses.filter(({ address }) => address.countryCode === 'US'),
        services: servicesOf(own.length === 0 ? tariffs.filter(({ inForce }) => inForce === 'now') : own),
        occurring: [...summary.byService]
          .sort((a, b) => b.shipments - a.shipments)
          .map(({ shippingService: code, shipments }) => ({ code, shipments })),
      };
      return { batch, summary, choices };
    },
    [api, id],
  );
};
