/** Sends a test message to a client's webhook, as workers send the messages about batches, and shows what came back. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { Failed } from '../../../rating/fault.ts';
import { shownUrl } from '../../../webhook/deliveries.ts';
import type { Send } from '../../../webhook/send.ts';
import { readBodyAs } from '../../input.ts';
import { sendFault, sendJson } from '../../reply.ts';
import { pathOf } from '../../routes.ts';
import { refused } from '../refusal.ts';
import { operatorOf } from '../session.ts';
import { type ClientDeps, findClient } from './change.ts';
import { idOf, SMALL_BYTES } from './request.ts';
import { nothing, type WebhookTestBody } from './schemas.ts';

export interface WebhookTestDeps extends ClientDeps {
  readonly send: Send;
}

/** Each attempt ends by itself. */
const NEVER = new AbortController().signal;

export const testWebhook =
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
