/** A client's record for operators. */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { shownUrl } from '../../base/webhook/deliveries.ts';
import type { RateBook } from '../../rating/card.ts';
import { accountOf, NO_WAREHOUSE } from '../agreement/account.ts';
import { rangeText, serviceTerms } from '../agreement/overview.ts';
import { agreementId, lastDayOf } from '../agreement/versions.ts';
import type { Agreements } from '../documents/live.ts';
import { unchartedFor } from '../tariff/coverage.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { assignedOf } from './accounts.ts';
import { type Client, type ClientRecord, DEFAULT_LIMITS, isInForce, LIMIT_NAMES, unrevoked } from './clients.ts';
import { factsOf } from './edit-client.ts';

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
  const found = assignedOf(client, agreements);
  return typeof found === 'string' ? found : undefined;
};

const clientIn = (record: ClientRecord): Client | undefined => unrevoked([record]).get(record.id);

export const summaryOf = (record: ClientRecord, { agreements, now }: Surroundings) => {
  const client = clientIn(record);
  const { id, name, revoked, scopes } = record;
  return {
    ...{ id, name, revoked, scopes },
    /** The valid secrets, newest last. `expiresAt` is null for those that are valid until ended. */
    secrets: record.secrets
      .filter((one) => isInForce(one, now))
      .map(({ createdAt, expiresAt }) => ({ createdAt, expiresAt: expiresAt ?? null })),
    warehouses: record.warehouses.length,
    discounts: Object.keys(record.discounts).length,
    agreements: [...new Set(record.agreements.map((one) => one.name))],
    webhook: record.webhook !== undefined,
    /** Why the client gets no prices. Null if it gets prices. */
    problem: (client && problemOf(client, agreements)) ?? null,
  };
};

interface Stated {
  readonly name: string;
  /** Null: all of the client's warehouses. */
  readonly warehouses: readonly number[] | null;
  /** The percentages off the base charge, such as `5% to 40%`; null if there are none. */
  readonly off: string | null;
}

/** The agreements of a client that mention each card today. */
const statedOn = (client: Client | undefined, agreements: Agreements | undefined, book: RateBook) => {
  const stated = new Map<string, Stated[]>();
  for (const { name, warehouses } of client?.assigned ?? []) {
    const document = agreements?.get(name);
    if (document === undefined) continue;
    const account = accountOf({ discounts: new Map(), agreements: [{ document, warehouses }] });
    const [warehouse = NO_WAREHOUSE] = warehouses ?? [];
    for (const [at, terms] of account.termsOn(book, warehouse).entries()) {
      const card = must(book.cards[at], 'a card of the book');
      if (terms === undefined || terms.endedOn !== undefined) continue;
      const own = getOrMake(stated, card.code, (): Stated[] => []);
      const off = rangeText([serviceTerms(card, terms)]);
      own.push({ name, warehouses: warehouses === undefined ? null : [...warehouses], off });
    }
  }
  return stated;
};

/** All services in force, and all services with a discount for the client. */
const servicesOf = ({ discounts }: ClientRecord, client: Client | undefined, around: Surroundings) => {
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
    /** Null if no tariff has the service. */
    carrier: known.get(code)?.carrier ?? null,
    description: known.get(code)?.description ?? '',
    inForce: inForce.includes(code),
    /** The client's flat discount in percent, such as `35`. Null without a discount. */
    discount: discounts[code] ?? null,
    /** Agreements in force that mention the service. Where they apply, the flat discount does not. */
    agreements: stated.get(code) ?? [],
  }));
};

const assignedIn = ({ agreements: entries }: ClientRecord, agreements: Agreements | undefined) =>
  entries.map(({ name, warehouses, account }) => {
    const document = agreements?.get(name);
    return {
      name,
      /** Null: all of the client's warehouses. */
      warehouses: warehouses ?? null,
      account: account ?? null,
      /** Null if the agreement is missing or unusable. */
      carrier: document?.file.carrier ?? null,
      description: document?.file.description ?? '',
      effective: document?.file.effective ?? null,
      until: (document && lastDayOf(document)) ?? null,
    };
  });

/** The ids of a client's agreements, as one of its values. Null: there are none. */
export const inForceOf = ({ agreements: entries }: ClientRecord, agreements: Agreements | undefined) => {
  const ids = entries.flatMap(({ name }) => agreements?.get(name) ?? []).map(agreementId);
  return { what: 'agreements in force', before: [...new Set(ids)].join(', ') || null };
};

export const detailOf = (record: ClientRecord, around: Surroundings) => {
  const { cards } = around.schedule.bookAt(around.now);
  const inForce = inForceOf(record, around.agreements);
  return {
    ...summaryOf(record, around),
    warehouses: record.warehouses.map(({ warehouse_id, name, address, shipping }) => ({
      ...present({ shipping }),
      ...{ warehouse_id, name, address },
      /** Carriers that have no zone chart for the origin in the tariffs in force. */
      uncharted: unchartedFor(cards, address),
    })),
    services: servicesOf(record, clientIn(record), around),
    agreements: assignedIn(record, around.agreements),
    drafts: record.drafts,
    limits: LIMIT_NAMES.map((limit) => ({ limit, most: record.limits[limit], usual: DEFAULT_LIMITS[limit] })),
    /** The URL without the query, which may be secret. Null without a webhook. */
    webhook: record.webhook === undefined ? null : shownUrl(record.webhook.url),
    fixed: around.fixed ?? null,
    /** Everything that a change can replace, by name. A change that names them is refused if it would replace another value. */
    facts: Object.fromEntries([
      ...factsOf(record),
      ...(inForce.before === null ? [] : [[inForce.what, inForce.before]]),
    ]),
  };
};
export type OperatorClientBody = ReturnType<typeof detailOf>;
