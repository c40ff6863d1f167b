/** A client's record for operators. */
import { z } from 'zod';
import { getOrMake } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import { shownUrl } from '../../base/webhook/deliveries.ts';
import type { RateBook } from '../../rating/card.ts';
import { accountOf } from '../agreement/account.ts';
import { AGREEMENT_NAME } from '../agreement/document.ts';
import { lastDayOf } from '../agreement/versions.ts';
import type { Agreements } from '../documents/live.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { unchartedFor } from '../tariff/uncharted.ts';
import { assignedOf } from './accounts.ts';
import {
  type Client,
  type ClientRecord,
  DEFAULT_LIMITS,
  isInForce,
  LIMIT_NAMES,
  SCOPES,
  shippingHours,
  unrevoked,
} from './clients.ts';

const secret = z.object({
  createdAt: z.string(),
  /** Null: valid until ended. */
  expiresAt: z.string().nullable(),
});

const assigned = z.object({
  name: z.string().regex(AGREEMENT_NAME),
  /** Null: all of the client's warehouses. */
  warehouses: z.array(z.int()).nullable(),
  account: z.string().nullable(),
  /** Null if the agreement is missing or unusable. */
  carrier: z.string().nullable(),
  description: z.string(),
  effective: z.string().nullable(),
  until: z.string().nullable(),
});

export const clientSummary = z.object({
  id: z.string(),
  name: z.string(),
  revoked: z.boolean(),
  scopes: z.array(z.enum(SCOPES)),
  /** The valid secrets, newest last. */
  secrets: z.array(secret),
  warehouses: z.int(),
  discounts: z.int(),
  agreements: z.array(z.string()),
  webhook: z.boolean(),
  /** Why the client gets no prices. Null if it gets prices. */
  problem: z.string().nullable(),
});
export type OperatorClientSummary = z.output<typeof clientSummary>;

const warehouse = z.object({
  warehouse_id: z.int(),
  name: z.string(),
  address: z.object({ postalCode: z.string(), stateOrProvinceCode: z.string(), countryCode: z.string() }),
  shipping: shippingHours.optional(),
  /** Carriers that have no zone chart for the origin in the tariffs in force. */
  uncharted: z.array(
    z.object({
      carrier: z.string(),
      services: z.array(z.string()),
      allServices: z.boolean(),
      zones: z.enum(['estimated', 'unreached']),
    }),
  ),
});

const service = z.object({
  shippingService: z.string(),
  /** Null if no tariff has the service. */
  carrier: z.string().nullable(),
  description: z.string(),
  inForce: z.boolean(),
  /** The client's flat discount in percent, such as `35`. Null without a discount. */
  discount: z.string().nullable(),
  /** Agreements in force that mention the service. Where they apply, the flat discount does not. */
  agreements: z.array(z.object({ name: z.string(), warehouses: z.array(z.int()).nullable() })),
});

export const clientBody = clientSummary.extend({
  warehouses: z.array(warehouse),
  /** All services in force, and all services with a discount for the client. */
  services: z.array(service),
  agreements: z.array(assigned),
  drafts: z.array(z.string()),
  limits: z.array(z.object({ limit: z.enum(LIMIT_NAMES), most: z.number(), usual: z.number() })),
  /** The URL without the query, which may be secret. Null without a webhook. */
  webhook: z.string().nullable(),
  fixed: z.string().nullable(),
});
export type OperatorClientBody = z.output<typeof clientBody>;

/** The data that records are shown with. */
export interface Surroundings {
  /** Undefined while the agreements are unknown. */
  readonly agreements: Agreements | undefined;
  readonly schedule: Schedule;
  readonly now: Date;
  /** Why clients cannot be changed. Undefined if they can. */
  readonly fixed: string | undefined;
}

/** Why a client with this record gets no prices. Undefined if it gets prices. */
export const problemOf = (client: Pick<Client, 'assigned'>, agreements: Agreements | undefined): string | undefined => {
  if (client.assigned.length === 0) return undefined;
  const found =
    agreements === undefined ? 'the agreements cannot be read' : assignedOf(client, (name) => agreements.get(name));
  return typeof found === 'string' ? found : undefined;
};

const clientIn = (record: ClientRecord): Client | undefined => unrevoked([record]).get(record.id);

export const summaryOf = (record: ClientRecord, { agreements, now }: Surroundings): OperatorClientSummary => {
  const client = clientIn(record);
  return {
    id: record.id,
    name: record.name,
    revoked: record.revoked,
    scopes: record.scopes,
    secrets: record.secrets
      .filter((one) => isInForce(one, now))
      .map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt: expiresAt ?? null })),
    warehouses: record.warehouses.length,
    discounts: Object.keys(record.discounts).length,
    agreements: [...new Set(record.agreements.map(({ name }) => name))],
    webhook: record.webhook !== undefined,
    problem: (client && problemOf(client, agreements)) ?? null,
  };
};

type Service = OperatorClientBody['services'][number];

/** No warehouse has this id, so agreements for specific warehouses do not apply. See `accountOf`. */
const NO_WAREHOUSE = -1;

/** The agreements of a client that mention each card today. */
const statedOn = (client: Client | undefined, agreements: Agreements | undefined, book: RateBook) => {
  const stated = new Map<string, Service['agreements']>();
  for (const { name, warehouses } of client?.assigned ?? []) {
    const document = agreements?.get(name);
    if (document === undefined) continue;
    const account = accountOf({ discounts: new Map(), agreements: [{ document, warehouses }] });
    const [warehouse = NO_WAREHOUSE] = warehouses ?? [];
    for (const [{ code }, { endedOn }] of account.termsOn(book, warehouse)) {
      if (endedOn !== undefined) continue;
      const own = getOrMake(stated, code, (): Service['agreements'] => []);
      own.push({ name, warehouses: warehouses === undefined ? null : [...warehouses] });
    }
  }
  return stated;
};

const servicesOf = ({ discounts }: ClientRecord, client: Client | undefined, around: Surroundings): Service[] => {
  const { agreements, schedule, now } = around;
  const book = schedule.bookAt(now);
  const stated = statedOn(client, agreements, book);
  const known = new Map(
    schedule.documents.flatMap(({ file }) => file.services.map((service) => [service.code, service] as const)),
  );
  const inForce = book.cards.map(({ code }) => code);
  const others = Object.keys(discounts).filter((code) => !inForce.includes(code));
  return [...inForce, ...others].map((code) => ({
    shippingService: code,
    carrier: known.get(code)?.carrier ?? null,
    description: known.get(code)?.description ?? '',
    inForce: inForce.includes(code),
    discount: discounts[code] ?? null,
    agreements: stated.get(code) ?? [],
  }));
};

const assignedIn = ({ agreements: entries }: ClientRecord, agreements: Agreements | undefined) =>
  entries.map(({ name, warehouses, account }) => {
    const document = agreements?.get(name);
    return {
      name,
      warehouses: warehouses ?? null,
      account: account ?? null,
      carrier: document?.file.carrier ?? null,
      description: document?.file.description ?? '',
      effective: document?.file.effective ?? null,
      until: (document && lastDayOf(document)) ?? null,
    };
  });

export const detailOf = (record: ClientRecord, around: Surroundings): OperatorClientBody => {
  const { cards } = around.schedule.bookAt(around.now);
  return {
    ...summaryOf(record, around),
    warehouses: record.warehouses.map(({ warehouse_id, name, address, shipping }) => ({
      ...present({ shipping }),
      ...{ warehouse_id, name, address },
      uncharted: unchartedFor(cards, address).map((uncharted) => ({ ...uncharted })),
    })),
    services: servicesOf(record, clientIn(record), around),
    agreements: assignedIn(record, around.agreements),
    drafts: record.drafts,
    limits: LIMIT_NAMES.map((limit) => ({ limit, most: record.limits[limit], usual: DEFAULT_LIMITS[limit] })),
    webhook: record.webhook === undefined ? null : shownUrl(record.webhook.url),
    fixed: around.fixed ?? null,
  };
};
