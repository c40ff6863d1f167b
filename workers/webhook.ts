/** Sends the end of a batch to the webhook of its client, and records the response. */
import { DelayedError, type Job } from 'bullmq';
import { type Delivery, deliveries, shownUrl } from '../src/base/webhook/deliveries.ts';
import { createReceiverSlots } from '../src/base/webhook/receiver-slots.ts';
import type { Answered, Send, Target } from '../src/base/webhook/send.ts';
import { WEBHOOK_ATTEMPTS, webhookJob } from '../src/batch/queue/jobs.ts';
import type { Context } from '../src/batch/scheduler.ts';
import type { Notification, NotificationMessage, Notifications } from '../src/batch/work/notifications.ts';
import type { WatchedClients } from '../src/catalog/clients/accounts.ts';

/** How messages are sent, and to whom. */
export interface WebhookOptions {
  readonly clients: Pick<WatchedClients, 'current' | 'refresh'>;
  readonly send: Send;
  /** How long to wait after each attempt that failed. */
  readonly pausesMs: readonly number[];
}

interface WebhookDeps extends WebhookOptions, Pick<Context, 'redis' | 'log' | 'now'> {
  readonly notifications: Pick<Notifications, 'messageOf' | 'markNotified'>;
  /** Aborts running deliveries. Another process sends them then. */
  readonly stopping: AbortSignal;
}

/** HTTP 410: the receiver is gone for good. */
const GONE = 410;
/** Longer than this process needs to stop taking jobs. */
const HANDED_ON_MS = 1_000;

/** @param attemptsMade from 1 */
export const pauseAfter = (pausesMs: readonly number[], attemptsMade: number): number =>
  pausesMs[attemptsMade - 1] ?? 0;

/** A message that was sent, and the answer. */
interface Sent {
  readonly notification: Notification;
  readonly message: NotificationMessage;
  readonly target: Target;
  readonly answered: Answered;
  readonly attempt: number;
  readonly at: Date;
  /** Milliseconds until the next attempt. */
  readonly pauseMs: number;
}

const deliveryOf = ({ notification, message: { event }, target, answered, attempt, at, pauseMs }: Sent): Delivery => {
  const { id, batchId, revision } = notification;
  const { status, problem, body, ms } = answered;
  const again = attempt < WEBHOOK_ATTEMPTS && status !== GONE;
  const failed = again ? 'failed' : 'given_up';
  return {
    ...{ id, event, batchId, revision, attempt, at: at.toISOString(), url: shownUrl(target.url) },
    ...{ outcome: problem === null ? 'delivered' : failed, status, problem, body, ms },
    nextAttemptAt: problem !== null && again ? new Date(at.getTime() + ms + pauseMs).toISOString() : null,
  };
};

/** Delays a job. This does not count as an attempt. */
const putOff = async (job: Job, ms: number): Promise<never> => {
  await job.moveToDelayed(Date.now() + ms, job.token);
  throw new DelayedError();
};

const trySending = async (
  { send, stopping }: WebhookDeps,
  job: Job,
  message: NotificationMessage,
  to: Target,
  at: Date,
) => {
  try {
    return await send(to, message, at, stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    // Aborted because this process is stopping.
    return await putOff(job, HANDED_ON_MS);
  }
};

/** The result of a notification. It is empty if there was nothing to send. */
interface Result {
  readonly outcome?: Delivery['outcome'] | 'no_webhook';
  readonly problem?: string | null;
  /** How long the receiver took. */
  readonly ms?: number;
}

/** Sends a message and records the response. */
const call = async (
  deps: WebhookDeps,
  job: Job,
  notification: Notification,
  message: NotificationMessage,
  target: Target,
): Promise<Result> => {
  const { pausesMs, redis, notifications, log, now } = deps;
  const { id: noticeId, batchId } = notification;
  const attempt = job.attemptsMade + 1;
  const at = now();
  const answered = await trySending(deps, job, message, target, at);
  const pauseMs = pauseAfter(pausesMs, attempt);
  const delivery = deliveryOf({ notification, message, target, answered, attempt, at, pauseMs });
  const { outcome, status, problem, ms } = delivery;
  // Marked first, so that a delivered message is not sent again.
  if (outcome !== 'failed') await notifications.markNotified(notification, outcome, now());
  await deliveries.note(redis, message.clientId, delivery);
  log.info({ batchId, noticeId, client: message.clientId, attempt, outcome, status, problem, ms }, 'webhook called');
  return delivery;
};

export const createWebhookProcessor = (deps: WebhookDeps) => {
  const { clients, notifications, now } = deps;
  const slots = createReceiverSlots();

  /** Returns the current webhook. A missing webhook must be certain, because its client would never be notified. */
  const webhookOf = async (clientId: string): Promise<Target | undefined> => {
    const failure = await clients.refresh().catch((error: unknown) => error);
    const target = clients.current().get(clientId)?.webhook;
    if (target === undefined && failure !== undefined) throw failure;
    return target;
  };

  const notify = async (job: Job, notification: Notification): Promise<Result> => {
    const message = await notifications.messageOf(notification);
    if (message === undefined) return {};
    const target = await webhookOf(message.clientId);
    if (target !== undefined) return await call(deps, job, notification, message, target);
    await notifications.markNotified(notification, 'no_webhook', now());
    return { outcome: 'no_webhook' };
  };

  return async (job: Job): Promise<string> => {
    const { noticeId, batchId, revision, clientId } = webhookJob.parse(job.data);
    const url = (await webhookOf(clientId))?.url;
    // The slot comes before the message is read from the store, because many jobs may find no free slot.
    const slot = url === undefined ? undefined : slots.take(clientId, url);
    if (typeof slot === 'number') return await putOff(job, slot);
    let result: Result = {};
    try {
      result = await notify(job, { id: noticeId, batchId, revision });
    } finally {
      slot?.(result.ms);
    }
    const { outcome = 'nothing to tell', problem } = result;
    if (outcome === 'failed') throw new Error(`the webhook was not delivered: ${problem}`);
    return outcome;
  };
};
