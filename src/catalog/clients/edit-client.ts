/** Changes to a client's record, by commands and the operators' console. Members that an edit does not name stay. */
import { z } from 'zod';
import { shownUrl } from '../../base/webhook/deliveries.ts';
import { isPrivate } from '../../base/webhook/send.ts';
import type { ShippingHours } from '../../rating/card.ts';
import { ClientChangeError, newSigningSecret } from './change-clients.ts';
import { type AgreementEntry, CLIENT_FORM, type ClientRecord, parseClients, SCOPES } from './clients.ts';

/* The differences between two records of a client, in words for the audit log. Omits secrets and signing keys. */

export interface RecordChange {
  readonly what: string;
  /** The replaced value, which somebody else may have just set. Null: there was or is no value. */
  readonly before: string | null;
  readonly after: string | null;
}

/** `ships MON-FRI until 15:00 America/Phoenix` */
const hoursText = ({ days, cutoff, timeZone }: ShippingHours): string => {
  const until = cutoff === undefined ? '' : ` until ${cutoff}`;
  return `ships ${days.join(' ')}${until}, ${timeZone}`;
};

const warehouseText = ({ name, address, shipping }: ClientRecord['warehouses'][number]): string => {
  const { stateOrProvinceCode, postalCode, countryCode } = address;
  const country = countryCode === 'US' ? '' : `, ${countryCode}`;
  return `${name}, ${stateOrProvinceCode} ${postalCode}${country}${shipping ? `, ${hoursText(shipping)}` : ''}`;
};

const agreementText = ({ warehouses, account }: AgreementEntry): string =>
  [
    warehouses === undefined ? 'all warehouses' : `warehouses ${warehouses.join(', ')}`,
    ...(account === undefined ? [] : [`account ${account}`]),
  ].join('; ');

/** All displayable values of a record, by name. Of secrets, the times of their creation. */
export const factsOf = (client: ClientRecord | undefined): ReadonlyMap<string, string> => {
  if (client === undefined) return new Map();
  const { name, scopes, secrets, warehouses, discounts, agreements, drafts, limits, webhook, revoked } = client;
  const entries: (readonly [string, string])[] = [
    ['name', name],
    ['scopes', scopes.join(', ') || 'none'],
    ['secrets', secrets.map(({ createdAt }) => createdAt).join(', ') || 'none'],
    ...warehouses.map((one) => [`warehouse ${one.warehouse_id}`, warehouseText(one)] as const),
    ...Object.entries(discounts).map(([service, percent]) => [`discount on ${service}`, `${percent}%`] as const),
    ...Object.entries(limits).map(([limit, most]) => [`limit ${limit}`, String(most)] as const),
    ...drafts.map((draft) => [`draft ${draft}`, 'to ask about'] as const),
    ...(webhook === undefined ? [] : [['webhook', shownUrl(webhook.url)] as const]),
    ...(revoked ? [['state', 'revoked'] as const] : []),
  ];
  const facts = new Map(entries);
  for (const entry of agreements) {
    const what = `agreement ${entry.name}`;
    const others = facts.get(what);
    facts.set(what, others === undefined ? agreementText(entry) : `${others} | ${agreementText(entry)}`);
  }
  return facts;
};

/** All changes, also those that the audit log omits. @param before undefined for a new client */
export const allChanges = (before: ClientRecord | undefined, after: ClientRecord): readonly RecordChange[] => {
  const [old, now] = [factsOf(before), factsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((what) => old.get(what) !== now.get(what))
    .map((what) => ({ what, before: old.get(what) ?? null, after: now.get(what) ?? null }));
};

/** Omits secrets, and the limits of a new client, because they say nothing. */
export const recordChanges: typeof allChanges = (before, after) =>
  allChanges(before, after).filter(({ what }) => what !== 'secrets' && (before || !what.startsWith('limit ')));

type Seen = Readonly<Record<string, string>>;

/** @throws {ClientChangeError} if a value is not as the operator saw it. @param seen undefined: any value is fine */
export const requireSeen = (
  id: string,
  values: readonly Omit<RecordChange, 'after'>[],
  seen: Seen | undefined,
): void => {
  for (const { what, before } of seen === undefined ? [] : values) {
    const was = seen?.[what] ?? null;
    if (was === before) continue;
    const change = `the ${what} of ${id} from ${was ?? 'none'} to ${before ?? 'none'}`;
    throw new ClientChangeError(`Somebody else has changed ${change}. Repeat your change if it is still right.`);
  }
};

export type Warehouse = ClientRecord['warehouses'][number];

/** The URL of a webhook. Unlike one in the clients file, it must not name a host that messages may never go to. */
export const webhookUrl = CLIENT_FORM.webhookUrl.refine(
  (url) => !URL.canParse(url) || !isPrivate(new URL(url)),
  'must have a host on the public internet',
);

/** The members of an edit. Each is validated as in the clients file. */
export const clientEdit = z.strictObject({
  name: CLIENT_FORM.name.optional(),
  scopes: CLIENT_FORM.scopes.optional(),
  /** A warehouse replaces the one with the same id. */
  warehouses: CLIENT_FORM.warehouses.default([]),
  removeWarehouses: z.array(z.int()).default([]),
  discounts: CLIENT_FORM.discounts,
  removeDiscounts: z.array(z.string()).default([]),
  /** An agreement replaces those with the same name, and inherits their account number if it has none. */
  agreements: CLIENT_FORM.agreements,
  removeAgreements: z.array(z.string()).default([]),
  drafts: CLIENT_FORM.drafts,
  removeDrafts: z.array(z.string()).default([]),
  limits: CLIENT_FORM.limitChanges,
  /** The webhook's URL; null removes the webhook. */
  webhook: webhookUrl.nullable().optional(),
});
export type ClientEdit = z.output<typeof clientEdit>;

/** Parses a record as the service parses the clients file, so that both report problems with the same words. */
const judged = (record: object): ClientRecord => {
  const [read] = parseClients(JSON.stringify({ clients: [record] }), 'The client');
  if (read === undefined) throw new ClientChangeError('There is no client to write.');
  return read;
};

const webhookAfter = (url: ClientEdit['webhook'], before: ClientRecord['webhook']): ClientRecord['webhook'] => {
  if (url === null) return undefined;
  return url === undefined ? before : { url, signingSecret: before?.signingSecret ?? newSigningSecret() };
};

/** A replaced warehouse keeps its shipping hours unless the new one has its own, or the edit also removes the old one. */
const withHours = (own: Warehouse, { warehouses }: ClientRecord, { removeWarehouses }: ClientEdit): Warehouse => {
  const { warehouse_id: id } = own;
  const old = removeWarehouses.includes(id) ? undefined : warehouses.find(({ warehouse_id }) => warehouse_id === id);
  const shipping = own.shipping ?? old?.shipping;
  return shipping === undefined ? own : { ...own, shipping };
};

const ids = (warehouses: readonly Warehouse[]): readonly number[] => warehouses.map(({ warehouse_id }) => warehouse_id);

/** The items that an edit removes but the client does not have. */
const unknownOf = (client: ClientRecord, edit: ClientEdit): readonly string[] => {
  const lacks = (removed: readonly string[], has: readonly string[], what: string): string[] =>
    removed.filter((one) => !has.includes(one)).map((one) => `no ${what} ${one}`);
  const agreements = client.agreements.map(({ name }) => name);
  return [
    ...lacks(edit.removeWarehouses.map(String), ids(client.warehouses).map(String), 'warehouse'),
    ...lacks(edit.removeDiscounts, Object.keys(client.discounts), 'discount on'),
    ...lacks(edit.removeAgreements, agreements, 'agreement'),
    ...lacks(edit.removeDrafts, client.drafts, 'draft'),
  ];
};

/** @throws {ClientChangeError} if an agreement without a number replaces several with different numbers */
const agreementsAfter = (client: ClientRecord, edit: ClientEdit): readonly AgreementEntry[] => {
  const replaced = new Set([...edit.removeAgreements, ...edit.agreements.map(({ name }) => name)]);
  const numbered = edit.agreements.map((entry) => {
    if (entry.account !== undefined) return entry;
    const accounts = client.agreements.flatMap(({ name, account }) => (name === entry.name ? (account ?? []) : []));
    const [account, ...others] = new Set(accounts);
    if (others.length > 0)
      throw new ClientChangeError(
        `${client.id} has ${entry.name} with several account numbers. Change it in the clients file, or remove it first.`,
      );
    return account === undefined ? entry : { ...entry, account };
  });
  return [...client.agreements.filter(({ name }) => !replaced.has(name)), ...numbered];
};

/** The record of a new client. @throws {ClientsFileError} if the record would make the clients unusable */
export const newClient = (id: string, edit: ClientEdit, secret: ClientRecord['secrets'][number]): ClientRecord => {
  const { name = id, scopes = [...SCOPES], warehouses, discounts, agreements, drafts, limits, webhook } = edit;
  const own = { id, name, scopes, warehouses, discounts, agreements, drafts, limits };
  return judged({ ...own, secrets: [secret], webhook: webhookAfter(webhook, undefined) });
};

/**
 * The record of a client after an edit. @throws {ClientChangeError} if the client does not have an item to remove;
 * {ClientsFileError} if the record would be unusable
 */
export const editedClient = (client: ClientRecord, edit: ClientEdit): ClientRecord => {
  const unknown = unknownOf(client, edit);
  if (unknown.length > 0) throw new ClientChangeError(`The client ${client.id} has ${unknown.join(' and ')}.`);
  const gone = new Set([...edit.removeWarehouses, ...ids(edit.warehouses)]);
  const kept = Object.entries(client.discounts).filter(([service]) => !edit.removeDiscounts.includes(service));
  return judged({
    ...client,
    name: edit.name ?? client.name,
    scopes: edit.scopes ?? client.scopes,
    warehouses: [
      ...client.warehouses.filter(({ warehouse_id }) => !gone.has(warehouse_id)),
      ...edit.warehouses.map((one) => withHours(one, client, edit)),
    ],
    discounts: { ...Object.fromEntries(kept), ...edit.discounts },
    agreements: agreementsAfter(client, edit),
    drafts: [...new Set([...client.drafts.filter((name) => !edit.removeDrafts.includes(name)), ...edit.drafts])],
    limits: { ...client.limits, ...edit.limits },
    webhook: webhookAfter(edit.webhook, client.webhook),
  });
};
