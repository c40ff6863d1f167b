/** Which ends of a batch its client is notified of, and with which message. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { putJson } from '../../src/base/store/store.ts';
import { openQueues, type Queues } from '../../src/batch/queue/jobs.ts';
import { type FinalDocument, keys, writeFinal } from '../../src/batch/records.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { createNotifications, type Notification, type Notifications } from '../../src/batch/work/notifications.ts';
import { type Backend, documentOf, idOf, partWith, redisAndStore } from './fixtures.ts';

const ID = idOf(1);
const ENDED = '2026-06-01T12:05:00.000Z';

let backend: Backend;
let queues: Queues | undefined;
let notifications: Notifications;
redisAndStore((fresh) => {
  backend = fresh;
});
beforeEach(async () => {
  queues ??= openQueues(backend.redis);
  notifications = createNotifications({ ...backend, queues });
  await backend.redis.hset(stateKeys(ID).state, { clientId: 'demo' });
  await putJson(backend.store, keys.batch(ID), documentOf());
});
afterAll(() => queues?.close());

const end = (status: FinalDocument['status'], completedAt = ENDED) =>
  writeFinal(backend.store, ID, 1, {
    status,
    startedAt: '2026-06-01T12:01:00.000Z',
    completedAt,
    expiresAt: '2026-06-08T12:05:00.000Z',
    tally: partWith().tally,
    failure: status === 'failed' ? { message: 'It failed.' } : null,
  });
const jobs = async () => {
  const waiting = (await queues?.webhook.getJobs()) ?? [];
  return waiting.map(({ data }) => data.noticeId).toSorted();
};
const notificationOf = (status: string, revision = 1): Notification => ({
  id: `${ID}-r${revision}-${status}`,
  batchId: ID,
  revision,
});
const told = () => backend.redis.hget(stateKeys(ID).state, 'told');

describe('the client is notified of an end', () => {
  test('once, by a job with the client’s name', async () => {
    for (let time = 0; time < 2; time += 1)
      await notifications.notify(ID, 'demo', 1, { status: 'completed', completedAt: ENDED });
    await notifications.notify(ID, 'demo', 2, { status: 'cancelled', completedAt: ENDED });
    expect(await jobs()).toEqual([`${ID}-r1-completed`, `${ID}-r2-cancelled`]);
    expect((await queues?.webhook.getJobs())?.map(({ data }) => data.clientId)).toEqual(['demo', 'demo']);
  });

  test('each time that a batch fails, because a retry may fail too', async () => {
    await notifications.notify(ID, 'demo', 1, { status: 'failed', completedAt: ENDED });
    await notifications.notify(ID, 'demo', 1, { status: 'failed', completedAt: '2026-06-01T13:00:00.000Z' });
    expect(await jobs()).toHaveLength(2);
  });

  test('but not when a batch expires', async () => {
    await notifications.notify(ID, 'demo', 1, { status: 'expired', completedAt: ENDED });
    expect(await jobs()).toEqual([]);
  });
});

describe('the sweeper makes up for a missing notification', () => {
  const sweep = (fields: Readonly<Record<string, string>> = {}, now = ENDED) =>
    notifications.notifyMissed(
      ID,
      { status: 'completed', completedAt: ENDED, revision: '1', clientId: 'demo', ...fields },
      new Date(now),
    );

  test('if the end was never notified', async () => {
    await sweep();
    expect(await jobs()).toEqual([`${ID}-r1-completed`]);
  });

  test.each([
    ['if Redis has it as notified', { told: `${ID}-r1-completed` }, ENDED],
    ['of a batch that is running', { status: 'in_progress' }, ENDED],
    ['of a batch that expired', { status: 'expired' }, ENDED],
    ['of an end two days ago', {}, '2026-06-03T12:05:00.001Z'],
  ])('but not %s', async (_which, fields, now) => {
    await sweep(fields, now);
    expect(await jobs()).toEqual([]);
  });

  test('but not if the store has it as notified, which it records in Redis', async () => {
    await notifications.markNotified(notificationOf('completed'), 'delivered', new Date(ENDED));
    await backend.redis.hdel(stateKeys(ID).state, 'told');
    await sweep();
    expect([await jobs(), await told()]).toEqual([[], `${ID}-r1-completed`]);
  });
});

describe('the message', () => {
  test('contains the batch as it was when it ended', async () => {
    await end('completed');
    const message = await notifications.messageOf(notificationOf('completed'));
    expect(message).toMatchObject({ id: `${ID}-r1-completed`, event: 'batch.completed', clientId: 'demo' });
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'batch.completed',
      timestamp: ENDED,
      data: { id: ID, status: 'completed', outcome: 'some_faults', rows: { processed: 10, faulted: 1 } },
    });
  });

  test('is about one failure only', async () => {
    await end('failed');
    const failed = notificationOf(`failed-${Date.parse(ENDED).toString(36)}`);
    expect(JSON.parse((await notifications.messageOf(failed))?.body ?? '')).toMatchObject({
      type: 'batch.failed',
      data: { failure: { message: 'It failed.' } },
    });
    await end('failed', '2026-06-01T13:00:00.000Z');
    expect(await notifications.messageOf(failed)).toBeUndefined();
  });

  test('does not exist if the client was notified, if there is a later end, or if the batch is gone', async () => {
    expect(await notifications.messageOf(notificationOf('completed'))).toBeUndefined();
    await end('completed');
    expect(await notifications.messageOf(notificationOf('cancelled'))).toBeUndefined();
    await notifications.markNotified(notificationOf('completed'), 'no_webhook', new Date(ENDED));
    expect([await notifications.messageOf(notificationOf('completed')), await told()]).toEqual([
      undefined,
      `${ID}-r1-completed`,
    ]);
    await backend.store.remove(keys.notified(ID));
    await backend.store.remove(keys.batch(ID));
    expect(await notifications.messageOf(notificationOf('completed'))).toBeUndefined();
  });
});

test('a batch that is deleted while its client is notified leaves nothing', async () => {
  await end('completed');
  await backend.store.remove(keys.batch(ID));
  await notifications.markNotified(notificationOf('completed'), 'delivered', new Date(ENDED));
  expect(await backend.store.list(keys.folder(ID))).toEqual([]);
});
