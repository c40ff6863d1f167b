import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cause, causedBy } from '../../src/base/log.ts';
import { BATCHES, type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

test('a request is the cause of everything awaited within it, and of nothing else', async () => {
  const seen = await Promise.all([
    causedBy('a', async () => {
      await sleep(5);
      return cause();
    }),
    causedBy('b', async () => cause()),
    causedBy(undefined, async () => cause()),
  ]);
  expect([...seen, cause()]).toEqual([{ requestId: 'a' }, { requestId: 'b' }, {}, {}]);
});

test('the id of a request is in every job that it caused, also in jobs that workers admitted', async () => {
  const { body } = await api.post(listOf(60), '', { 'Content-Type': 'text/csv', 'X-Request-Id': 'upload-17' });
  const idsOf = async () => (await api.queues.chunk.getPrioritized()).map(({ data }) => [data.index, data.requestId]);
  const first = await idsOf();
  expect(first.toSorted()).toEqual([0, 1, 2, 3].map((index) => [index, 'upload-17']));
  // The request admitted the first four of twenty chunks. Workers admitted the other chunks and the later jobs.
  await api.queues.assemble.pause();
  const stop = await api.work();
  await api.until(body.id, ({ status }) => status === 'finalizing');
  // The worker of the last chunk reports it before it adds the job.
  const assemblies = async () => (await api.queues.assemble.getJobs(['prioritized'])).map(({ data }) => data);
  await expect.poll(assemblies).toEqual([{ batchId: body.id, epoch: expect.any(String), requestId: 'upload-17' }]);
  await api.queues.assemble.resume();
  await api.ended(body.id);
  await stop();
});

test('a cancellation and a retry cause the jobs that they add', async () => {
  await api.queues.chunk.pause();
  await api.queues.assemble.pause();
  const id = await api.upload(listOf(9));
  const asked = (what: string, requestId: string) =>
    api.api.call(`${BATCHES}/${id}/${what}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api.api.token}`, 'X-Request-Id': requestId },
    });
  await api.failChunk(id, { index: 0, revision: 1 });
  expect((await asked('retry', 'retry-1')).status).toBe(202);
  const chunks = async () => (await api.queues.chunk.getJobs(['prioritized'])).map(({ data }) => data);
  expect((await chunks()).filter(({ batchId }) => batchId === id).map(({ requestId }) => requestId)).toEqual([
    'retry-1',
    'retry-1',
    'retry-1',
  ]);
  expect((await asked('cancel', 'cancel-1')).status).toBe(202);
  const assemblies = async () => (await api.queues.assemble.getJobs(['prioritized'])).map(({ data }) => data);
  expect((await assemblies()).filter(({ batchId }) => batchId === id)).toContainEqual(
    expect.objectContaining({ requestId: 'cancel-1' }),
  );
  await api.queues.chunk.resume();
  await api.queues.assemble.resume();
});
