/** Bodies and answers of the operator's calls about clients. No answer has a hash, a salt or a key that exists already. */

import { z } from 'zod';
import { CLIENT_FORM } from '../../../clients/clients.ts';
import { clientEdit } from '../../../clients/edit-client.ts';
import { recordChange } from '../../../clients/record-changes.ts';
import { clientBody, clientSummary } from '../../../clients/view.ts';

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

export const clientsBody = z.object({
  clients: z.array(clientSummary),
  /** Why clients cannot be changed; null if they can. */
  fixed: z.string().nullable(),
});

/** What is shown once. */
export const newSecrets = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  webhook_secret: z.string().optional(),
});
export type NewSecrets = z.output<typeof newSecrets>;

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
