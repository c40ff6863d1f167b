/** Bodies and answers of the operator's calls about clients. No answer has a hash, a salt or a key that exists already. */
import { z } from 'zod';
import { AGREEMENT_NAME } from '../../../agreement/document.ts';
import { CLIENT_FORM, LIMIT_NAMES, SCOPES } from '../../../clients/clients.ts';
import { clientEdit } from '../../../clients/edit-client.ts';

const MOST_GRACE_HOURS = 9_999;

export const addedClient = clientEdit.extend({ id: CLIENT_FORM.id });
export const rotation = z.strictObject({
  /** How long the other secrets stay valid; null: until they are ended. */
  graceHours: z.int().gte(0).lte(MOST_GRACE_HOURS).nullable(),
});
export const servicePercent = z.strictObject({
  service: z.string().min(1).max(10),
  /** Off the base charge, such as `35`; null removes the discount. */
  percent: CLIENT_FORM.percent.nullable(),
  /** The first ship date, where an agreement decides; default: today. */
  from: z.iso.date().optional(),
});
export const nothing = z.strictObject({});

const secret = z.object({
  createdAt: z.string(),
  /** Null: valid until it is ended. */
  expiresAt: z.string().nullable(),
});

const assigned = z.object({
  name: z.string().regex(AGREEMENT_NAME),
  /** Null: all of the client's warehouses. */
  warehouses: z.array(z.int()).nullable(),
  account: z.string().nullable(),
  /** Null if there is no such agreement, or it cannot be used. */
  carrier: z.string().nullable(),
  description: z.string(),
  effective: z.string().nullable(),
  until: z.string().nullable(),
});

const summary = z.object({
  id: z.string(),
  name: z.string(),
  revoked: z.boolean(),
  scopes: z.array(z.enum(SCOPES)),
  /** Those that are valid, the newest last. */
  secrets: z.array(secret),
  warehouses: z.int(),
  discounts: z.int(),
  agreements: z.array(z.string()),
  webhook: z.boolean(),
  /** Why the client gets no prices; null if it gets them. */
  problem: z.string().nullable(),
});
export type OperatorClientSummary = z.output<typeof summary>;

export const clientsBody = z.object({
  clients: z.array(summary),
  /** Why clients cannot be changed; null if they can. */
  fixed: z.string().nullable(),
});

const warehouse = z.object({
  warehouse_id: z.int(),
  name: z.string(),
  address: z.object({ postalCode: z.string(), stateOrProvinceCode: z.string(), countryCode: z.string() }),
  /** Carriers without a zone chart for its origin, by the tariffs in force. */
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
  /** The client's flat discount in percent, such as `35`; null without one. */
  discount: z.string().nullable(),
  /** Agreements in force that say something of it. The flat discount does not count where they do. */
  agreements: z.array(z.object({ name: z.string(), warehouses: z.array(z.int()).nullable() })),
});

export const clientBody = summary.extend({
  warehouses: z.array(warehouse),
  /** All services in force, and those that the client has a discount on. */
  services: z.array(service),
  agreements: z.array(assigned),
  drafts: z.array(z.string()),
  limits: z.array(z.object({ limit: z.enum(LIMIT_NAMES), most: z.number(), usual: z.number() })),
  /** Its URL without the query, which may be secret; null without a webhook. */
  webhook: z.string().nullable(),
  fixed: z.string().nullable(),
});
export type OperatorClientBody = z.output<typeof clientBody>;

/** What is shown once. */
export const newSecrets = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  webhook_secret: z.string().optional(),
});
export type NewSecrets = z.output<typeof newSecrets>;

const recordChange = z.object({
  what: z.string(),
  /** What the change replaced, which somebody else may just have set. Null: it was or is not there. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type RecordChange = z.output<typeof recordChange>;

export const changedBody = z.object({
  client: clientBody,
  secrets: newSecrets.nullable(),
  changes: z.array(recordChange),
});

export const discountedBody = changedBody.extend({
  /** The agreements that were changed. None: the flat discount was. */
  agreements: z.array(z.string()),
});

/** What came back from a webhook. */
export const webhookTestBody = z.object({
  /** The URL without its query. */
  url: z.string(),
  id: z.string(),
  status: z.int().nullable(),
  problem: z.string().nullable(),
  body: z.string(),
  ms: z.int(),
});
export type WebhookTestBody = z.output<typeof webhookTestBody>;

export const CLIENT_ANSWERS = {
  listOperatorClients: clientsBody,
  addClient: changedBody,
  getOperatorClient: clientBody,
  changeClient: changedBody,
  rotateSecret: changedBody,
  endOldSecrets: changedBody,
  revokeClient: changedBody,
  discountService: discountedBody,
  testWebhook: webhookTestBody,
} as const;
