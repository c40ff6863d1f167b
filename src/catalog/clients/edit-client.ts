/** Changes to a client's record, by commands and the operators' console. Members that an edit does not name stay. */
import { z } from 'zod';
import type { AgreementEntry } from './agreement-entries.ts';
import { ClientChangeError, newSigningSecret } from './change-clients.ts';
import { CLIENT_FORM, type ClientRecord, parseClients, SCOPES } from './clients.ts';

export type Warehouse = ClientRecord['warehouses'][number];

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
  webhook: CLIENT_FORM.webhookUrl.nullable().optional(),
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
