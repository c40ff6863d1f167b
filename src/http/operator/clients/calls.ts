/** The operator's calls for clients. No answer contains a hash, a salt or an existing key. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Failed } from '../../../base/failed.ts';
import { deliveries, shownUrl } from '../../../base/webhook/deliveries.ts';
import {
  newSecret,
  withClient,
  withNewestSecret,
  withoutClient,
  withSecret,
} from '../../../catalog/clients/change-clients.ts';
import { CLIENT_FORM, type ClientRecord } from '../../../catalog/clients/clients.ts';
import { clientEdit, editedClient, newClient } from '../../../catalog/clients/edit-client.ts';
import { detailOf, summaryOf } from '../../../catalog/clients/view.ts';
import { Made } from '../../call.ts';
import { type ChangeAsked, type OperatorService, operatorCall, refused } from '../service.ts';
import {
  type Changed,
  changeClient,
  changeOne,
  discountAs,
  findClient,
  judgeEdit,
  requireAgreements,
  seen,
  servicePercent,
  surroundingsOf,
} from './change.ts';

/** Limit on an edit. A client may have 10,000 warehouses. */
const EDIT_BYTES = 4 * 1024 * 1024;
const MOST_GRACE_HOURS = 9_999;
const HOUR_MS = 3_600_000;
const SHOWN_DELIVERIES = 20;
/** Each attempt ends by itself. */
const NEVER = new AbortController().signal;

const nothing = z.strictObject({});

/** Secrets that are shown once. */
export interface NewSecrets {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly webhook_secret?: string;
}

/** The client as it is now, with secrets that are shown once. */
const changedBody = (service: OperatorService, { after, changes }: Changed, secrets: NewSecrets | null = null) => ({
  client: detailOf(after, surroundingsOf(service)),
  secrets,
  changes,
});

/** The signing secret, if the client had no webhook before. */
const webhookSecretOf = ({ before, after }: Changed): Pick<NewSecrets, 'webhook_secret'> =>
  before?.webhook === undefined && after.webhook !== undefined ? { webhook_secret: after.webhook.signingSecret } : {};

const graceText = (hours: number | null): string => {
  if (hours === null) return 'stay valid';
  return hours === 0 ? 'expired at once' : `expire in ${hours} hours`;
};

const find = ({ service, id }: ChangeAsked & { readonly id: string }) => findClient(service, id);

/** A change that needs no other body. @param done what the audit log says, in the past tense */
const changeCall = <const Is extends `POST /ops/${string}`>(is: Is, done: string, how: typeof withNewestSecret) =>
  operatorCall({
    is,
    find,
    body: z.strictObject(seen),
    bytes: EDIT_BYTES,
    handle: async (asked) =>
      changedBody(asked.service, await changeClient(asked, asked.id, done, (clients) => how(clients, asked.id))),
  });

export const clientCalls = {
  listOperatorClients: operatorCall({
    is: 'GET /ops/clients',
    handle: async ({ service }) => {
      const around = surroundingsOf(service);
      const clients = (await service.clientPlace.read()).map((record) => summaryOf(record, around));
      /** Why clients cannot be changed. Null if they can. */
      const fixed = service.clientPlace.fixed ?? null;
      return { clients, fixed };
    },
  }),
  addClient: operatorCall({
    is: 'POST /ops/clients',
    body: clientEdit.extend({ id: CLIENT_FORM.id }),
    bytes: EDIT_BYTES,
    handle: async (asked) => {
      const { service, body } = asked;
      const { id, ...given } = body;
      const around = surroundingsOf(service);
      const edit = judgeEdit(given, around);
      if (edit instanceof Failed) return edit;
      const secret = newSecret(service.now());
      const changed = await changeClient(asked, id, 'Added the client', (clients) =>
        withClient(clients, requireAgreements(newClient(id, edit, secret.kept), around)),
      );
      const secrets = { client_id: id, client_secret: secret.text, ...webhookSecretOf(changed) };
      return new Made(changedBody(service, changed, secrets));
    },
  }),
  getOperatorClient: operatorCall({
    is: 'GET /ops/clients/{id}',
    find,
    handle: ({ service, found }) => detailOf(found, surroundingsOf(service)),
  }),
  changeClient: operatorCall({
    is: 'POST /ops/clients/{id}',
    find,
    body: clientEdit.extend(seen),
    bytes: EDIT_BYTES,
    handle: async (asked) => {
      const { service, id, body } = asked;
      const around = surroundingsOf(service);
      const edit = judgeEdit(body, around);
      if (edit instanceof Failed) return edit;
      const changed = await changeOne(asked, id, 'Changed the client', (client) => {
        const after = editedClient(client, edit);
        // Other changes are possible even while an agreement cannot be used.
        return edit.agreements.length === 0 ? after : requireAgreements(after, around);
      });
      const shown = webhookSecretOf(changed);
      return changedBody(service, changed, shown.webhook_secret === undefined ? null : { client_id: id, ...shown });
    },
  }),
  discountService: operatorCall({
    is: 'POST /ops/clients/{id}/discount',
    find,
    body: servicePercent,
    bytes: EDIT_BYTES,
    handle: discountAs,
  }),
  rotateSecret: operatorCall({
    is: 'POST /ops/clients/{id}/secrets',
    find,
    /** How long the other secrets stay valid. Null: until they are ended. */
    body: z.strictObject({ graceHours: z.int().gte(0).lte(MOST_GRACE_HOURS).nullable(), ...seen }),
    bytes: EDIT_BYTES,
    handle: async (asked) => {
      const { service, id, body } = asked;
      const { graceHours } = body;
      const now = service.now();
      const secret = newSecret(now);
      const graceMs = graceHours === null ? undefined : graceHours * HOUR_MS;
      const how = (clients: readonly ClientRecord[]) => withSecret(clients, id, secret.kept, graceMs, now);
      const old = { what: 'old secrets', before: null, after: graceText(graceHours) };
      const changed = await changeClient(asked, id, 'Made a new secret for', how, old);
      return changedBody(service, changed, { client_id: id, client_secret: secret.text });
    },
  }),
  endOldSecrets: changeCall('POST /ops/clients/{id}/secrets/end-old', 'Revoked the old secrets of', withNewestSecret),
  revokeClient: changeCall('POST /ops/clients/{id}/revoke', 'Revoked the client', withoutClient),
  /** The newest attempts of the last seven days to notify the client. */
  listOperatorDeliveries: operatorCall({
    is: 'GET /ops/clients/{id}/deliveries',
    find,
    handle: async ({ service: { redis, now }, found }) => ({
      deliveries: await deliveries.list(redis, found.id, SHOWN_DELIVERIES, now()),
    }),
  }),
  /** Sends a test message the way workers send messages about batches, and shows the answer. */
  testWebhook: operatorCall({
    is: 'POST /ops/clients/{id}/webhook-test',
    find,
    body: nothing,
    handle: async ({ service, operator, found }) => {
      const { id: clientId, webhook, revoked } = found;
      if (revoked) return refused(`The client ${clientId} is revoked.`);
      if (webhook === undefined) return refused(`The client ${clientId} has no webhook. Save its URL first.`);
      const at = service.now();
      const id = `msg_test_${randomUUID()}`;
      const sent = JSON.stringify({ type: 'webhook.test', timestamp: at.toISOString(), data: { client_id: clientId } });
      const { status, problem, body, ms } = await service.send(webhook, { id, body: sent }, at, NEVER);
      /** The URL without its query. */
      const url = shownUrl(webhook.url);
      await service.audit.record(operator, {
        ...{ action: 'Sent a test message to the webhook of', object: clientId, client: clientId },
        changes: [{ what: url, before: null, after: problem ?? `answered with ${status}` }],
      });
      return { url, id, status, problem, body, ms };
    },
  }),
};
