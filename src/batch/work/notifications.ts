/**
 * A client's webhook is notified of each end of its batches (`batch.completed`, `batch.failed`, `batch.cancelled`) and
 * comparisons (`comparison.completed`, …). The file `told.json` next to `final.json` records that. The job that is added as
 * the batch ends sends the notification. If that job is lost, the sweeper adds another.
 */
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { putJson, type Store } from '../../base/store/store.ts';
import type { Message } from '../../base/webhook/send.ts';
import { kindOf } from '../ids.ts';
import { addWebhook } from '../queue/jobs.ts';
import { type FinalDocument, keys, readsJson, records } from '../records.ts';
import type { Context } from '../scheduler.ts';
import { state } from '../state.ts';
import type { FinalStatus } from '../status.ts';
import { type BatchView, endedView } from '../view.ts';

/** One end of a batch. The id is unique: if a batch fails again after a retry, the new end has another id. */
export interface Notification {
  readonly id: string;
  readonly batchId: string;
  readonly revision: number;
}

export type NotificationOutcome = 'delivered' | 'given_up' | 'no_webhook';

export interface NotificationMessage extends Message {
  readonly event: string;
  readonly clientId: string;
}

type End = Pick<FinalDocument, 'status' | 'completedAt'>;

/** Longer than all attempts to deliver a message. Nobody is notified of an older end. */
const NEWS_MS = 2 * 86_400_000;

const NOTIFIED_OF = ['completed', 'failed', 'cancelled'] as const satisfies readonly FinalStatus[];

const notifiedDocument = z.object({ notice: z.string(), outcome: z.string(), at: z.string() });
const readNotified = readsJson(notifiedDocument, keys.notified);

const notificationOf = (batchId: string, revision: number, { status, completedAt }: End): Notification => {
  // A revision is completed or cancelled only once. It may fail after each retry.
  const time = status === 'failed' ? `-${Date.parse(completedAt).toString(36)}` : '';
  return { id: `${batchId}-r${revision}-${status}${time}`, batchId, revision };
};

/** The batch as it was when it ended. It may have been retried or corrected since. */
const viewAtEnd = async (
  store: Store,
  { id, batchId, revision }: Notification,
): Promise<[string, BatchView] | undefined> => {
  const [document, final] = await Promise.all([records.batch(store, batchId), records.final(store, batchId, revision)]);
  if (document === undefined || final === undefined || notificationOf(batchId, revision, final).id !== id)
    return undefined;
  return [document.clientId, endedView(document, final, revision, new Date(final.completedAt)).view];
};

export type Notifications = ReturnType<typeof createNotifications>;

export const createNotifications = ({ store, redis, queues }: Pick<Context, 'store' | 'redis' | 'queues'>) => {
  const isNotified = async ({ id, batchId, revision }: Notification): Promise<boolean> =>
    (await readNotified(store, batchId, revision))?.notice === id;

  return {
    /** Queues the notification of a batch's end. A second call for the same end does nothing. */
    notify: async (batchId: string, clientId: string, revision: number, end: End): Promise<void> => {
      if (!NOTIFIED_OF.some((status) => status === end.status)) return;
      await addWebhook(queues, notificationOf(batchId, revision, end), clientId);
    },
    /** The same for a batch that is final in Redis, if its client was not notified. @param fields its state */
    notifyMissed: async (batchId: string, fields: Readonly<Record<string, string>>, now: Date): Promise<void> => {
      const { completedAt = '', revision, told, clientId } = fields;
      const status = NOTIFIED_OF.find((known) => known === fields['status']);
      if (status === undefined || now.getTime() - Date.parse(completedAt) > NEWS_MS) return;
      const notification = notificationOf(batchId, Number(revision), { status, completedAt });
      if (told === notification.id) return;
      // Redis may have lost that the client was notified.
      if (await isNotified(notification)) await state.notified(redis, batchId, notification.id);
      else await addWebhook(queues, notification, must(clientId, 'the client of a batch'));
    },
    /** @returns undefined if there is nothing to send, because it was sent or the batch is running or gone */
    messageOf: async (notification: Notification): Promise<NotificationMessage | undefined> => {
      const found = (await isNotified(notification)) ? undefined : await viewAtEnd(store, notification);
      if (found === undefined) return undefined;
      const [clientId, batch] = found;
      const event = `${kindOf(batch.id)}.${batch.status}`;
      const body = JSON.stringify({ type: event, timestamp: batch.completedAt, data: batch });
      return { id: notification.id, event, clientId, body };
    },
    markNotified: async (
      { id, batchId, revision }: Notification,
      outcome: NotificationOutcome,
      at: Date,
    ): Promise<void> => {
      await putJson(store, keys.notified(batchId, revision), { notice: id, outcome, at: at.toISOString() });
      // The batch was deleted in the meantime, so nothing may remain.
      if ((await store.size(keys.batch(batchId))) === undefined) await store.remove(keys.folder(batchId));
      await state.notified(redis, batchId, id);
    },
  };
};
