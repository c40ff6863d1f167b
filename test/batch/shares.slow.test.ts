import { expect, test } from 'vitest';
import { type BatchApi, HEADER, listOf } from '../http/batch-api.ts';
import { batchApiForFile } from '../http/batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

test('a client’s batch waits for only a few batches of another client, however many there are', async () => {
  const crowd: string[] = [];
  for (let count = 0; count < 40; count += 1) crowd.push(await api.upload(listOf(1)));
  const token = await api.api.tokenOf('other', 'other-secret');
  const list = `${HEADER}\nA1,201,02139,1.5,LB,C1-GROUND,\n`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
  const { status, body: own } = await api.post(list, '', headers);
  expect(status).toBe(202);
  const stop = await api.work();
  for (const id of crowd) await api.ended(id);
  await expect.poll(async () => (await api.call('GET', `/${own.id}`, token)).body.status).toBe('completed');
  const endOf = async (id: string, of?: string): Promise<number> =>
    Date.parse((await api.call('GET', `/${id}`, of)).body.completedAt);
  const ownEnd = await endOf(own.id, token);
  const ends = await Promise.all(crowd.map((id) => endOf(id)));
  await stop();
  // Two chunks are rated and two outputs assembled at a time.
  expect(ends.filter((end) => end < ownEnd).length).toBeLessThanOrEqual(8);
});
