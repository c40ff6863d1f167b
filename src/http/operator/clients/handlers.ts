/** The operator's calls about clients: list, add, change, rotate, revoke. */

import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { newSecret, withClient, withNewestSecret, withoutClient, withSecret } from '../../../clients/change-clients.ts';
import { clientEdit, editedClient, newClient } from '../../../clients/edit-client.ts';
import { detailOf, summaryOf } from '../../../clients/view.ts';
import { Failed } from '../../../rating/fault.ts';
import { shownUrl } from '../../../webhook/deliveries.ts';
import type { Send } from '../../../webhook/send.ts';
import { readBodyAs } from '../../input.ts';
import { sendFault, sendJson } from '../../reply.ts';
import { pathOf } from '../../routes.ts';
import { refused } from '../refusal.ts';
import { operatorOf } from '../session.ts';
import {
  type Changed,
  type ClientDeps,
  changeClient,
  changeOne,
  EDIT_BYTES,
  findClient,
  idOf,
  judgeEdit,
  type Records,
  requireAgreements,
  SMALL_BYTES,
  surroundingsOf,
} from './change.ts';
import { type DiscountDeps, discountService } from './discount.ts';
import { addedClient, type NewSecrets, nothing, rotation, type WebhookTestBody } from './schemas.ts';

/* Sends a test message to a client's webhook, as workers send the messages about batches, and shows what came back. */

export interface WebhookTestDeps extends ClientDeps {
  readonly send: Send;
}

/** Each attempt ends by itself. */
const NEVER = new AbortController().signal;

const testWebhook =
  (deps: WebhookTestDeps): RequestHandler =>
  async (req, res) => {
    const nothingGiven = await readBodyAs(nothing, req, SMALL_BYTES);
    if (nothingGiven instanceof Failed) return sendFault(res, nothingGiven.fault);
    const record = await findClient(deps, idOf(req));
    if (record === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const { id: clientId, webhook, revoked } = record;
    if (revoked) return sendFault(res, refused(`The client ${clientId} is revoked.`));
    if (webhook === undefined)
      return sendFault(res, refused(`The client ${clientId} has no webhook. Save its URL first.`));
    const at = deps.now();
    const id = `msg_test_${randomUUID()}`;
    const body = JSON.stringify({ type: 'webhook.test', timestamp: at.toISOString(), data: { client_id: clientId } });
    const { status, problem, body: answer, ms } = await deps.send(webhook, { id, body }, at, NEVER);
    const url = shownUrl(webhook.url);
    await deps.audit.record(operatorOf(res), {
      ...{ action: 'Sent a test message to a webhook', object: clientId },
      changes: [{ what: url, before: null, after: problem ?? `answered with ${status}` }],
    });
    const shown: WebhookTestBody = { url, id, status, problem, body: answer, ms };
    sendJson(res, 200, shown);
  };

const HOUR_MS = 3_600_000;

/** Answers with the client as it is now, and with secrets that are shown once. */
const sendChanged = (
  res: Response,
  deps: ClientDeps,
  changed: Changed,
  secretsOf: (changed: Changed) => NewSecrets | null = () => null,
  status = 200,
): void => {
  const { after, changes } = changed;
  sendJson(res, status, { client: detailOf(after, surroundingsOf(deps)), secrets: secretsOf(changed), changes });
};

const listClients =
  (deps: ClientDeps): RequestHandler =>
  async (_req, res) => {
    const around = surroundingsOf(deps);
    const clients = (await deps.clients.read()).map((record) => summaryOf(record, around));
    sendJson(res, 200, { clients, fixed: deps.clients.fixed ?? null });
  };

const getClient =
  (deps: ClientDeps): RequestHandler =>
  async (req, res) => {
    const record = await findClient(deps, idOf(req));
    if (record === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    sendJson(res, 200, detailOf(record, surroundingsOf(deps)));
  };

/** The key of a webhook that the client did not have before. */
const webhookSecretOf = ({ before, after }: Changed): Pick<NewSecrets, 'webhook_secret'> =>
  before?.webhook === undefined && after.webhook !== undefined ? { webhook_secret: after.webhook.signingSecret } : {};

const addClient =
  (deps: ClientDeps): RequestHandler =>
  async (req, res) => {
    const body = await readBodyAs(addedClient, req, EDIT_BYTES);
    if (body instanceof Failed) return sendFault(res, body.fault);
    const { id, ...given } = body;
    const around = surroundingsOf(deps);
    const edit = judgeEdit(given, around);
    if (edit instanceof Failed) return sendFault(res, edit.fault);
    const secret = newSecret(deps.now());
    const changed = await changeClient(deps, res, {
      ...{ id, done: 'Added a client' },
      how: (clients) => withClient(clients, requireAgreements(newClient(id, edit, secret.kept), around)),
    });
    const secretsOf = (all: Changed): NewSecrets => ({
      ...{ client_id: id, client_secret: secret.text },
      ...webhookSecretOf(all),
    });
    sendChanged(res, deps, changed, secretsOf, 201);
  };

const changeOwn =
  (deps: ClientDeps): RequestHandler =>
  async (req, res) => {
    const body = await readBodyAs(clientEdit, req, EDIT_BYTES);
    if (body instanceof Failed) return sendFault(res, body.fault);
    const around = surroundingsOf(deps);
    const edit = judgeEdit(body, around);
    if (edit instanceof Failed) return sendFault(res, edit.fault);
    const id = idOf(req);
    const record = await findClient(deps, id);
    if (record === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const changed = await changeOne(deps, res, id, 'Changed a client', (client) => {
      const after = editedClient(client, edit);
      // Other changes are possible also while an agreement cannot be used.
      return edit.agreements.length === 0 ? after : requireAgreements(after, around);
    });
    sendChanged(res, deps, changed, (all) => {
      const shown = webhookSecretOf(all);
      return shown.webhook_secret === undefined ? null : { client_id: id, ...shown };
    });
  };

/** A call about a client with a small body, answered with what the change made of the client. */
const changing =
  <S extends z.ZodType>(
    deps: ClientDeps,
    schema: S,
    change: (id: string, body: z.output<S>, res: Response) => Promise<void>,
  ): RequestHandler =>
  async (req, res) => {
    const body = await readBodyAs(schema, req, SMALL_BYTES);
    if (body instanceof Failed) return sendFault(res, body.fault);
    const id = idOf(req);
    if ((await findClient(deps, id)) !== undefined) return await change(id, body, res);
    sendFault(res, { type: 'request.notFound', path: pathOf(req) });
  };

const graceText = (hours: number | null): string => {
  if (hours === null) return 'the old ones stay valid';
  return hours === 0 ? 'the old ones ended at once' : `the old ones end after ${hours} h`;
};

const rotate = (deps: ClientDeps): RequestHandler =>
  changing(deps, rotation, async (id, { graceHours }, res) => {
    const now = deps.now();
    const secret = newSecret(now);
    const graceMs = graceHours === null ? undefined : graceHours * HOUR_MS;
    const changed = await changeClient(deps, res, {
      ...{ id, done: `Made a new secret; ${graceText(graceHours)}` },
      how: (clients) => withSecret(clients, id, secret.kept, graceMs, now),
    });
    sendChanged(res, deps, changed, () => ({ client_id: id, client_secret: secret.text }));
  });

const endOld = (deps: ClientDeps): RequestHandler =>
  changing(deps, nothing, async (id, _, res) => {
    const how = (clients: Records) => withNewestSecret(clients, id);
    sendChanged(res, deps, await changeClient(deps, res, { id, done: 'Ended all secrets but the newest', how }));
  });

const revoke = (deps: ClientDeps): RequestHandler =>
  changing(deps, nothing, async (id, _, res) => {
    const how = (clients: Records) => withoutClient(clients, id);
    sendChanged(res, deps, await changeClient(deps, res, { id, done: 'Revoked a client', how }));
  });

/** Handlers of these calls, for routes behind the operator's guard. */
export const clientHandlers = (deps: WebhookTestDeps & DiscountDeps) => ({
  listOperatorClients: listClients(deps),
  addClient: addClient(deps),
  getOperatorClient: getClient(deps),
  changeClient: changeOwn(deps),
  rotateSecret: rotate(deps),
  endOldSecrets: endOld(deps),
  revokeClient: revoke(deps),
  discountService: discountService(deps),
  testWebhook: testWebhook(deps),
});
